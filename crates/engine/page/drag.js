// Dragging: where a drag begins and ends, and what the two ends really got. Invariants: a point is told only where a
// pointer reaches the element; the record holds only trusted events that capture listeners of ours saw, in their order.

const DRAG_EVENTS = [
  "pointerdown", "mousedown", "pointermove", "mousemove", "pointerup", "mouseup", "pointercancel", "click",
  "dragstart", "drag", "dragenter", "dragover", "dragleave", "drop", "dragend",
];
/** A drag is over with the release; `dragend` completes one that was refused. */
COMPLETES.drag = ["pointerup", "mouseup", "drop"];
/** Entries that a record holds at most; repeated moves count in the entry before. */
const RECORD_LIMIT = 400;
/** A record that nobody asks for is dropped after this time (ms). */
const RECORD_LIFE_MS = 120000;

const dragRecords = new Map();
let nextRecord = 1;

// ---- points --------------------------------------------------------------------------------------------------------

/** A point of the element, `offset` from the upper left corner of its box: where it is, and whether it is in view. */
function offsetPoint(el, offset) {
  const at = () => {
    const rect = el[dom.getBoundingClientRect]();
    return { x: rect.left + offset.x, y: rect.top + offset.y };
  };
  const shows = (point) => point.x >= 0 && point.y >= 0 && point.x < innerWidth && point.y < innerHeight;
  return { at, shows };
}

/** Where the element can be grabbed or dropped on → `{point, cover?}` or `{refusal}`. */
function grip(el, offset, strict) {
  const hidden = hiddenReason(el);
  if (hidden) return refuse("ELEMENT_HIDDEN", hidden, el);
  if (!offset) {
    const parts = visibleParts(el);
    if (!parts.length) return refuse("ELEMENT_HIDDEN", "outside-viewport", el);
    const aimed = aim(el, parts);
    if (aimed.point) return { point: aimed.point, cover: aimed.cover };
    if (strict) return obscured(el, aimed);
    return { point: { x: parts[0].left + parts[0].width / 2, y: parts[0].top + parts[0].height / 2 }, cover: aimed.cover };
  }
  const { at, shows } = offsetPoint(el, offset);
  const point = at();
  if (!shows(point)) return refuse("ELEMENT_HIDDEN", "outside-viewport", el);
  return strictAt(el, point, offset, strict);
}

// An offset outside the box is meant for what lies there: nothing is checked against the element.
function strictAt(el, point, offset, strict) {
  const rect = el[dom.getBoundingClientRect]();
  const inside = offset.x >= 0 && offset.y >= 0 && offset.x < rect.width && offset.y < rect.height;
  const hit = hitAt(el, point.x, point.y);
  const verdict = judgeHit(el, hit);
  const cover = inside && verdict === "cover" ? hit : undefined;
  if (strict && cover) return obscured(el, { cover, verdict });
  return { point, cover };
}

/** Brings the grip into view when it is not, disturbing as little as possible. */
function showGrip(el, offset) {
  const seen = grip(el, offset, false);
  if (!seen.refusal || seen.refusal.reason !== "outside-viewport") return false;
  if (!offset) bringIntoView(el, "nearest");
  const still = grip(el, offset, false);
  if (still.refusal) bringIntoView(el, "center");
  if (offset && grip(el, offset, false).refusal) {
    const { x, y } = offsetPoint(el, offset).at();
    scrollBy({ left: x < 0 || x >= innerWidth ? x - innerWidth / 2 : 0, top: y < 0 || y >= innerHeight ? y - innerHeight / 2 : 0, behavior: "instant" });
  }
  return true;
}

/**
 * Entry: one end of a drag. `strict`: it must be enabled and reachable (the source), within `timeoutMs`. `still`: no
 * scrolling. → `{ref, point, target, scrolled, coveredBy?, draggable}`
 */
async function dragPoint(args) {
  const timeoutMs = typeof args.timeoutMs === "number" ? args.timeoutMs : 0;
  const started = clock();
  for (;;) {
    const { el } = await locate(args);
    const disabled = args.strict && disabledReason(el);
    const scrolled = !args.still && !hiddenReason(el) && showGrip(el, args.offset);
    if (scrolled) await nextFrame();
    const before = plainRect(el);
    if (args.strict && framesNeeded(el, scrolled)) await nextFrame();
    let found = disabled ? refuse("ELEMENT_DISABLED", disabled, el) : grip(el, args.offset, args.strict);
    if (!found.refusal && !sameBox(before, plainRect(el))) found = refuse("ACTION_TIMEOUT", "not-stable", el);
    if (!found.refusal) {
      const cover = found.cover && judgeHit(el, found.cover) === "cover" ? describe(found.cover) : undefined;
      return { ref: refOf(el), point: found.point, target: describe(el), scrolled, coveredBy: cover, draggable: isDraggable(el) };
    }
    const { code, reason, facts } = found.refusal;
    if (clock() - started >= timeoutMs) throw new Refusal(code, reason, facts);
    await pause(16);
  }
}
api.dragPoint = dragPoint;

/** True when the browser would start a drag of its own at this element. */
function isDraggable(el) {
  return composedClosest(el, "[draggable=true i],a[href],img:not([draggable=false i])") !== null;
}

// ---- record --------------------------------------------------------------------------------------------------------

/** Entry: begins a record of drag events. `source` and `over`: references of the two ends, as far as they live here. */
function recordDrag(args) {
  const record = {
    source: typeof args.source === "number" ? elementOf(args.source) : null,
    over: typeof args.over === "number" ? elementOf(args.over) : null,
    events: [], last: {}, watch: null,
  };
  record.listen = (event) => noteDrag(record, event);
  for (const type of DRAG_EVENTS) addEventListener(type, record.listen, { capture: true, passive: true });
  record.life = setTimeout(() => endRecord(id), RECORD_LIFE_MS);
  const id = nextRecord++;
  dragRecords.set(id, record);
  if (args.watch) record.watch = armWatch(null, "drag", true, { paintedOn: record.over || record.source });
  return { record: id, watch: record.watch ? record.watch.id : undefined };
}
api.recordDrag = recordDrag;

function endRecord(id) {
  const record = dragRecords.get(id);
  if (!record) return;
  dragRecords.delete(id);
  clearTimeout(record.life);
  for (const type of DRAG_EVENTS) removeEventListener(type, record.listen, { capture: true });
}

function noteDrag(record, event) {
  if (!event.isTrusted) return;
  record.last[event.type] = event;
  const node = event.composedPath()[0];
  const el = node && node[dom.nodeType] === 1 ? node : (node && node[dom.parentElement]) || document[dom.documentElement];
  const entry = { type: event.type, on: whichEnd(record, el), el, buttons: event.buttons, count: 1, event };
  const last = record.events[record.events.length - 1];
  if (event.type === "drag" || (last && last.type === entry.type && last.el === el && last.buttons === entry.buttons)) {
    if (last && last.type === entry.type) Object.assign(last, { event, count: last.count + 1 });
    return;
  }
  if (record.events.length < RECORD_LIMIT) record.events.push(entry);
  if (event.type === "dragend" && record.watch) {
    record.watch.completeAt = record.watch.completeAt || clock();
    queueTask(record.watch);
  }
}

/** `source`, `over` (the target), `both` when one lies in the other, or nothing. */
function whichEnd(record, el) {
  const source = record.source !== null && (composedContains(record.source, el) || composedContains(el, record.source) && el[dom.localName] !== "html" && el[dom.localName] !== "body");
  const over = record.over !== null && composedContains(record.over, el);
  return source && over ? "both" : source ? "source" : over ? "over" : undefined;
}

/** Entry: what a record holds; `end` drops it. `started` and `prevented` concern the browser's own drag. */
function dragSeen(args) {
  const record = dragRecords.get(args.record);
  if (!record) throw new Refusal("ACTION_FAILED", "unknown-record", { record: args.record });
  if (args.end) endRecord(args.record);
  const { dragstart, dragover, drop, dragend } = record.last;
  return {
    started: dragstart !== undefined, prevented: dragstart !== undefined && dragstart.defaultPrevented,
    effectAllowed: dragstart && dragstart.dataTransfer ? dragstart.dataTransfer.effectAllowed : undefined,
    accepts: dragover !== undefined && dragover.defaultPrevented,
    dropPrevented: drop !== undefined && drop.defaultPrevented,
    dropEffect: effectOf(dragend) || effectOf(drop) || effectOf(dragover),
    events: record.events.map(({ type, on, el, buttons, count }) => ({
      type, on, count, buttons: /^(mouse|pointer)/.test(type) ? buttons : undefined,
      node: on ? undefined : describe(el),
    })),
  };
}
api.dragSeen = dragSeen;

function effectOf(event) {
  return event && event.dataTransfer ? event.dataTransfer.dropEffect : undefined;
}
