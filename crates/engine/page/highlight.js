// Index boxes for a person who watches the browser. Invariants: the layer takes no pointer, its boxes lie in a closed
// shadow root, and it is gone before anything is read, hit-tested, compared or photographed (see `call`).

let highlightLayer = null;

/** Entry: draws a box with its index around each element of `marks` `[[ref, index], …]`. */
function highlight(args) {
  dropLayer();
  const marks = handles.elements(args.marks.map(([ref]) => ref));
  const layer = document[dom.createElement]("div");
  layer[dom.id] = "playwright-highlight-container";
  layer[dom.setAttribute]("aria-hidden", "true");
  layer.style.cssText = "all:initial;position:absolute;left:0;top:0;width:0;height:0;pointer-events:none;z-index:2147483647";
  const root = layer.attachShadow({ mode: "closed" });
  marks.forEach((el, at) => {
    if (el) root[dom.append](indexBox(el[dom.getBoundingClientRect](), args.marks[at][1]));
  });
  flushMutations();
  highlightLayer = layer;
  document[dom.documentElement][dom.append](layer);
  return { drawn: root[dom.childElementCount] };
}
api.highlight = highlight;

const HUES = 12;

function indexBox(rect, index) {
  const colour = `hsl(${(index % HUES) * (360 / HUES)} 90% 35%)`;
  const box = document[dom.createElement]("div");
  box.style.cssText = `position:absolute;box-sizing:border-box;pointer-events:none;left:${rect.left + scrollX}px;top:${rect.top + scrollY}px;` +
    `width:${rect.width}px;height:${rect.height}px;border:2px solid ${colour}`;
  const tag = document[dom.createElement]("span");
  tag[dom.textContent] = String(index);
  tag.style.cssText = `position:absolute;right:0;top:0;background:${colour};color:#fff;font:11px/1.2 sans-serif;padding:0 3px;pointer-events:none`;
  box[dom.append](tag);
  return box;
}

/** Takes the layer away, and what the observer noted of it. */
function dropLayer() {
  if (!highlightLayer) return;
  highlightLayer.remove();
  flushMutations();
  highlightLayer = null;
}

/** Entry: takes the layer away (`call` has done so). */
api.clearHighlight = () => null;

/** True for a record of the layer itself coming or going. */
function isOfLayer(record) {
  if (record.type !== "childList") return record.target === highlightLayer;
  return [...record.addedNodes, ...record.removedNodes].every((node) => node === highlightLayer);
}
