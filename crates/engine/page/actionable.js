// Whether an element can take a pointer now, and where: enabled, boxed, inside the visible part of its scrollers, and
// not covered. Invariant: a point is handed out only when the hit test there reaches the element (mode `mouse` aside).

/** Elements that answer a click themselves; a hit on one of them inside the target is not a hit on the target's own area. */
const ACTIVATORS =
  "a[href],button,input,select,textarea,summary,label,option,[role=button],[role=link],[role=menuitem],[role=option]," +
  "[role=tab],[role=checkbox],[role=radio],[role=switch]";

// ---- disabled ------------------------------------------------------------------------------------------------------

/** Why an element takes no input: `disabled-attribute`, `disabled-fieldset`, `aria-disabled`, `inert`; or null. */
function disabledReason(el) {
  const control = composedClosest(el, "button,input,select,textarea,option") || labelTarget(el);
  if (control && control[dom.matches](":disabled")) {
    return control[dom.hasAttribute]("disabled") ? "disabled-attribute" : "disabled-fieldset";
  }
  if (composedClosest(el, "[aria-disabled=true i]")) return "aria-disabled";
  if (composedClosest(el, "[inert]")) return "inert";
  return null;
}

function labelTarget(el) {
  return composedClosest(el, "a[href]") ? null : labelledControl(el);
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

/** The element's own boxes (one per line for inline content) with an area; else those of content that spills out of it. */
function ownRects(el) {
  if (el[dom.localName] === "area") return [areaRect(el)].filter(Boolean);
  const boxes = el[dom.getClientRects]();
  const own = withArea(boxes);
  if (own.length || (boxes.length && getComputedStyle(el).overflow !== "visible")) return own;
  const range = document[dom.createRange]();
  range.selectNodeContents(el);
  return withArea(range.getClientRects());
}

function withArea(rects) {
  return Array.from(rects).filter((rect) => rect.width > 0 && rect.height > 0);
}

/** Why a person cannot see the element at all (`display-none`, `visibility-hidden`, `zero-size`), or null. */
function hiddenReason(el) {
  if (el[dom.localName] === "area") return areaRect(el) ? null : "display-none";
  if (!el[dom.checkVisibility]()) return "display-none";
  if (!el[dom.checkVisibility]({ visibilityProperty: true })) return "visibility-hidden";
  return ownRects(el).length ? null : "zero-size";
}

/** Part of an element that the frames above this one let show, where that was asked for. */
const frameClips = new WeakMap();

/**
 * Learns which part of the element shows through the frames above (one animation frame); in the main frame it costs
 * nothing. True when some part shows.
 */
async function askFramesAbove(el) {
  frameClips.delete(el);
  if (window === window.top) return true;
  const rect = await new Promise((done) => {
    const timer = setTimeout(() => done(null), 150);
    const watcher = new IntersectionObserver((entries) => {
      watcher.disconnect();
      clearTimeout(timer);
      done(entries[entries.length - 1].intersectionRect);
    });
    watcher.observe(drawnBy(el));
  });
  if (!rect) return true;
  if (rect.width > 0 && rect.height > 0) frameClips.set(el, { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
  return rect.width > 0 && rect.height > 0;
}

/** The rectangle of this frame in which the element's boxes can show: viewport cut by every scroller that clips it. */
function clipOf(el) {
  const clip = frameClips.get(el) ? { ...frameClips.get(el) } : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const drawn = drawnBy(el);
  let position = getComputedStyle(drawn).position;
  for (let box = composedParent(drawn); box && box !== document[dom.documentElement]; box = composedParent(box)) {
    const style = getComputedStyle(box);
    if (style.display === "contents") continue;
    const holdsAll = style.transform !== "none" || style.filter !== "none" || /paint|layout|strict|content/.test(style.contain);
    if (position === "fixed" && !holdsAll) continue;
    if (position === "absolute" && style.position === "static" && !holdsAll) continue;
    position = style.position;
    if (box !== document[dom.body] && /hidden|clip|auto|scroll/.test(style.overflowX + style.overflowY)) narrow(clip, box, style);
  }
  return clip;
}

function narrow(clip, box, style) {
  const rect = box[dom.getBoundingClientRect]();
  if (style.overflowX !== "visible") {
    clip.left = Math.max(clip.left, rect.left + box[dom.clientLeft]);
    clip.right = Math.min(clip.right, rect.right);
  }
  if (style.overflowY !== "visible") {
    clip.top = Math.max(clip.top, rect.top + box[dom.clientTop]);
    clip.bottom = Math.min(clip.bottom, rect.bottom);
  }
}

/** The visible parts of the element's boxes, largest first. */
function visibleParts(el) {
  const clip = clipOf(el);
  const parts = [];
  for (const rect of ownRects(el)) {
    const left = Math.max(rect.left, clip.left);
    const top = Math.max(rect.top, clip.top);
    const width = Math.min(rect.right, clip.right) - left;
    const height = Math.min(rect.bottom, clip.bottom) - top;
    // A sliver is not a place to click at, unless the whole box is one.
    if (width >= Math.min(rect.width, 3) && height >= Math.min(rect.height, 3) && width > 0 && height > 0) {
      parts.push({ left, top, width, height });
    }
  }
  return parts.sort((a, b) => b.width * b.height - a.width * a.height);
}

// ---- hit test ------------------------------------------------------------------------------------------------------

/** What a pointer would hit, looking also into the closed shadow roots that the element itself lives in. */
function hitAt(el, x, y) {
  let hit = deepElementFromPoint(x, y);
  for (const root of closedRootsOf(el)) {
    if (hit === root[dom.host]) hit = root[dom.elementFromPoint](x, y) || hit;
  }
  return hit;
}

function closedRootsOf(el) {
  const roots = [];
  for (let root = el[dom.getRootNode](); root[dom.host]; root = root[dom.host][dom.getRootNode]()) if (root[dom.mode] === "closed") roots.unshift(root);
  return roots;
}

/**
 * How a hit relates to the element. `own`: a click there acts on it; `nested`: it lands on another control inside it;
 * `ancestor`: it falls through to what holds it; `cover`: something else lies over it; `nothing`: outside the page.
 */
function judgeHit(el, hit) {
  if (!hit) return "nothing";
  if (composedContains(el, hit)) return isNested(el, hit) ? "nested" : "own";
  if (hitBelongsTo(el, hit)) return isNested(composedClosest(hit, "label"), hit) ? "nested" : "own";
  const control = labelTarget(el);
  if (control && composedContains(control, hit)) return "own";
  const holder = composedClosest(el, ACTIVATORS);
  if (holder && holder !== el && composedContains(holder, hit)) return isNested(holder, hit) ? "cover" : "own";
  return composedContains(hit, el) ? "ancestor" : "cover";
}

/** True when another control than the holder's own (a label's) would answer a click on `hit` before the holder does. */
function isNested(holder, hit) {
  const first = composedClosest(hit, ACTIVATORS);
  if (!first || first === holder || !composedContains(holder, first)) return false;
  return !(holder[dom.localName] === "label" && holder.control === first);
}

/** Points to try: the centre of each part, then points towards the corners of the largest ones. */
function candidatePoints(parts) {
  const points = [];
  const largest = parts.slice(0, 3);
  for (const [fx, fy] of [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]]) {
    for (const part of largest) points.push({ x: part.left + part.width * fx, y: part.top + part.height * fy });
  }
  return points;
}

/** A fine grid over the largest part, for shapes that do not fill their box and for what only an edge is free of. */
function gridPoints(parts) {
  const steps = [0.07, 0.2, 0.35, 0.5, 0.65, 0.8, 0.93];
  return parts.slice(0, 1).flatMap((part) => steps.flatMap((fx) => steps.map((fy) => ({ x: part.left + part.width * fx, y: part.top + part.height * fy }))));
}

/** The best point of the parts → `{point, cover?}`, or `{cover, verdict}` when no point reaches the element. */
function aim(el, parts) {
  let cover, verdict, nested;
  for (const point of candidatePoints(parts)) {
    const hit = hitAt(el, point.x, point.y);
    const judged = judgeHit(el, hit);
    if (judged === "own") return { point, cover };
    if (judged === "nested") nested = nested || point;
    else if (!verdict || (verdict !== "cover" && judged === "cover")) {
      verdict = judged;
      cover = hit;
    }
  }
  if (nested) return { point: nested, cover };
  const free = gridPoints(parts).find((point) => judgeHit(el, hitAt(el, point.x, point.y)) === "own");
  return free ? { point: free, cover } : { cover, verdict };
}

/** Words on controls that close what they are on. */
const CLOSES = /^[×✕✖x]$|close|dismiss|cancel|accept|agree|got it|\bok\b|no thanks|later|关闭|取消|确定|知道了|接受|同意/i;

/** Facts of an obstruction: what gets the events there and, when that covers the element, the controls that may close it. */
function coverFacts(el, cover, verdict) {
  if (!cover) return {};
  if (verdict !== "cover") return { receiver: describe(cover) };
  const facts = { coveredBy: describe(cover) };
  let layer = cover;
  for (let up = composedParent(cover); up && !composedContains(up, el); up = composedParent(up)) layer = up;
  const modal = composedClosest(cover, "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]") !== null;
  const named = /dialog|modal|popup|popover|overlay|mask|drawer|consent|cookie|banner/i.test(layer[dom.className] + " " + layer[dom.id]);
  const buttons = Array.from(layer[dom.querySelectorAll]("button,[role=button],a[href],input[type=button],input[type=submit]"))
    .filter(isVisible).map((button) => ({ ref: refOf(button), tag: button[dom.localName], text: controlText(button) }))
    .sort((a, b) => CLOSES.test(b.text) - CLOSES.test(a.text)).slice(0, 5);
  facts.closeHint = { layer: describe(layer), looksModal: modal || named, doc, buttons };
  return facts;
}

function controlText(el) {
  return shortText(el, 40) || cut(el[dom.getAttribute]("aria-label") || el[dom.getAttribute]("title") || "", 40);
}

// ---- stand-ins -----------------------------------------------------------------------------------------------------

/**
 * What is clicked in place of a checkbox or radio without a box: its visible label, else the nearest wrapper that holds
 * no other control. → `{el, via?}`
 */
function clickable(el) {
  if (el[dom.localName] !== "input" || !/^(checkbox|radio)$/.test(el.type) || !hiddenReason(el)) return { el };
  for (const label of el[dom.labels] || []) if (!hiddenReason(label)) return { el: label, via: "label" };
  let wrapper = composedParent(el);
  for (let level = 0; wrapper && level < 2; level++, wrapper = composedParent(wrapper)) {
    if (wrapper === document[dom.body] || wrapper[dom.querySelectorAll]("input,button,select,textarea,a[href]").length > 1) break;
    if (!hiddenReason(wrapper)) return { el: wrapper, via: "wrapper" };
  }
  return { el };
}

/**
 * The wrapper of a checkbox or radio that its own decoration lies over, when it holds no other control: components draw
 * the box beside the real control and listen on what is around both.
 */
function decoratedBy(el, cover) {
  if (!cover || el[dom.localName] !== "input" || !/^(checkbox|radio)$/.test(el.type)) return null;
  let wrapper = composedParent(el);
  for (let level = 0; wrapper && level < 2; level++, wrapper = composedParent(wrapper)) {
    if (wrapper === document[dom.body] || wrapper[dom.querySelectorAll]("input,button,select,textarea,a[href]").length > 1) return null;
    if (composedContains(wrapper, cover)) return wrapper;
  }
  return null;
}

/** Entry: state of a control → `{visible, enabled, disabledReason?, hiddenReason?, checkable, checked?, target, selection?}`. */
async function elementState(args) {
  const { el, selection } = await locate(args);
  const disabled = disabledReason(el);
  const hidden = hiddenReason(el);
  return {
    ref: refOf(el), target: describe(el), selection, visible: isVisible(el), enabled: !disabled,
    disabledReason: disabled || undefined, hiddenReason: hidden || undefined, ...markOf(el),
  };
}

const MARKED_ROLES = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/;

/** The control whose mark an element stands for: itself, its label's, or the only one inside it. */
function markedControl(el) {
  if (isMarked(el)) return el;
  if (el[dom.localName] === "label" && el.control) return el.control;
  const inside = Array.from(el[dom.querySelectorAll]("input[type=checkbox],input[type=radio],[role=checkbox],[role=radio],[role=switch]"));
  if (inside.length === 1) return inside[0];
  const outer = composedClosest(el, "label,[role=checkbox],[role=radio],[role=switch],[role=menuitemcheckbox],[role=menuitemradio]");
  return (outer && (isMarked(outer) ? outer : outer.control)) || el;
}

function isMarked(el) {
  return (el[dom.localName] === "input" && /^(checkbox|radio)$/.test(el.type)) || MARKED_ROLES.test(roleOf(el));
}

/** `{checkable, checked, indeterminate?, single?}`; `single`: choosing another one is the only way to take it back. */
function markOf(el) {
  const control = markedControl(el);
  if (!isMarked(control)) return { checkable: false };
  if (control[dom.localName] === "input" && /^(checkbox|radio)$/.test(control.type)) {
    const state = control[dom.getAttribute]("aria-checked");
    const mixed = control.indeterminate || (state === "mixed" && !control.checked);
    return { checkable: true, checked: control.checked, indeterminate: mixed || undefined, single: control.type === "radio" || undefined };
  }
  const state = control[dom.getAttribute]("aria-checked");
  const single = /radio$/.test(roleOf(control)) || undefined;
  return { checkable: true, checked: state === "true", indeterminate: state === "mixed" || undefined, single };
}
api.elementState = elementState;
