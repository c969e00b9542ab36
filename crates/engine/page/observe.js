// Watching what an input does: which elements received it, and what changed after it. Armed before the input, answered
// once. Invariants: `delivered` holds only what capture listeners of ours really saw; a change that came before the
// first input event is not attributed to the input.

const POINTER_EVENTS = ["pointerover", "mouseover", "pointermove", "mousemove", "pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "dragstart", "drop", "wheel"];
const KEY_EVENTS = ["keydown", "keyup", "beforeinput", "input", "change"];
/** Events after which the gesture that was announced is complete; for clicks, once for each of them. */
const COMPLETES = {
  click: ["pointerup", "mouseup", "click", "auxclick", "drop"],
  move: ["pointermove", "mousemove"],
  key: ["keyup", "input"],
  wheel: ["wheel"],
  none: [],
};
/** Changes that alone do not end the observation: more may follow. */
const WEAK_KINDS = ["attributes", "title", "scroll", "style", "canvas"];
/** Quiet time after the last weak change (ms). */
const WEAK_QUIET_MS = 100;
/** Above this number of elements the raw text stands in for the rendered text, which costs a layout walk. */
const RENDERED_TEXT_LIMIT = 20000;
/** Above this number of elements the text is not read a second time once a strong change is proved. */
const SECOND_READ_LIMIT = 5000;
/** How long a gesture may be late (ms). */
const LATE_MS = 10000;
/** A watch that nobody asks about is dropped after this time (ms). */
const WATCH_LIFE_MS = 60000;
const SILENT_NODES = new Set(["script", "style", "link", "meta", "noscript", "template", "title", "base"]);

/** A node that changed three times within this time before the input would have changed without it (ms). */
const AMBIENT_MS = 3500;
/** Changes within this time after an input are not counted as the page's own (ms). */
const AFTER_INPUT_MS = 1000;

let lastInputAt = -Infinity;

const watches = new Map();
let nextWatch = 1;

/** Node to the times of its last three changes outside watches: clocks, tickers, progress bars. */
const stirs = new WeakMap();
onMutations((records) => {
  const now = clock();
  // What follows an input of ours may be its late effect, and is no proof that the page changes by itself.
  if (watches.size || now - lastInputAt < AFTER_INPUT_MS) return;
  for (const { target } of records.slice(0, 200)) {
    const times = stirs.get(target) || [];
    if (times.length && now - times[times.length - 1] < 4) continue;
    times.push(now);
    stirs.set(target, times.slice(-3));
  }
});

function isAmbient(watch, node) {
  const times = stirs.get(node);
  return times !== undefined && times.length === 3 && watch.armedAt - times[0] < AMBIENT_MS;
}

// ---- fingerprint ---------------------------------------------------------------------------------------------------

/** 32-bit FNV-1a over UTF-16 units. */
function fnv1a(text, seed) {
  let hash = seed === undefined ? 0x811c9dc5 : seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function elementTotal() {
  return document[dom.getElementsByTagName]("*").length;
}

/** `{length, hash}` of the page's text. */
function textPrint() {
  const raw = elementTotal() > RENDERED_TEXT_LIMIT;
  const text = raw ? (document[dom.body] ? document[dom.body][dom.textContent] : "") : innerTextOf(document);
  return { length: text.length, hash: fnv1a(text) };
}

/** Hash of the values and check marks of all controls; a secret counts only as filled or empty. */
function controlPrint() {
  let hash = 0x811c9dc5;
  for (const root of openRoots(document)) {
    for (const el of root[dom.querySelectorAll]("input,textarea,select")) hash = fnv1a(controlMark(el), hash);
  }
  return hash;
}

function controlMark(el) {
  if (el[dom.localName] === "select") return "s" + Array.from(el.selectedOptions, (option) => option.index).join(",");
  if (el.type === "checkbox" || el.type === "radio") return (el.indeterminate ? "ci" : "c") + Number(el.checked);
  if (isSecretField(el)) return el.value ? "p1" : "p0";
  return "v" + el.value;
}

/** The focused element, inside known shadow roots too; null for none or the body. */
function deepActive() {
  let active = document[dom.activeElement];
  for (let inner = active && shadowOf(active); inner && inner[dom.activeElement]; inner = shadowOf(active)) active = inner[dom.activeElement];
  return active === document[dom.body] || active === document[dom.documentElement] ? null : active;
}

/** How many pointer events of a type the browser has dispatched in this document (Event Timing, `eventCounts`). */
const COUNTED_EVENTS = ["pointerdown", "mousedown", "pointerup", "mouseup"];

function eventTotals() {
  const counts = performance.eventCounts;
  return COUNTED_EVENTS.reduce((sum, type) => sum + ((counts && counts.get(type)) || 0), 0);
}

/** True when the document got the press though no listener of ours did: the page had kept it from everybody after its own. */
function hasArrived(watch) {
  return eventTotals() > watch.counts;
}

// ---- arming --------------------------------------------------------------------------------------------------------

/**
 * Starts a watch. `target`: element that the input is meant for, or null. `expect`: gesture that will come, a key
 * of COMPLETES. `trusted`: whether the events will come from the browser. `more`: `times`, how many clicks come;
 * `find`, what finds the target again where a page replaces it; `wants`, further kinds of change that are enough.
 */
function armWatch(target, expect, trusted, more = {}) {
  const watch = {
    id: nextWatch++, target, expect, trusted, armedAt: clock(), firstInputAt: 0, completeAt: 0, weakAt: 0,
    delivered: {}, aim: aimedAt(target, more), kinds: new Set(), ambient: new Set(), added: new Set(), shown: [], timer: 0, taskQueued: false, taskPassed: false,
    paints: paintMarks(target || more.paintedOn || null, more.point), counts: eventTotals(), strongSeen: false, controlsDue: false, glanced: false, windowMs: 0, answers: [],
    before: {
      url: location.href, title: document[dom.title], text: textPrint(), controls: controlPrint(), focus: deepActive(), scrolls: scrollMarks(target),
    },
  };
  watch.before.cheap = elementTotal() <= SECOND_READ_LIMIT;
  watch.observer = new MutationObserver((records) => {
    noteCause(watch, records);
    note(watch, records);
    review(watch);
  });
  const options = { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true };
  for (const root of openRoots(document)) watch.observer.observe(root, options);
  watch.listen = (event) => noteEvent(watch, event);
  for (const type of POINTER_EVENTS.concat(KEY_EVENTS)) addEventListener(type, watch.listen, { capture: true, passive: true });
  watch.onSign = (event) => noteSign(watch, event);
  for (const type of SIGNS) addEventListener(type, watch.onSign, { capture: true, passive: true });
  watch.onUrl = () => review(watch);
  for (const type of ["popstate", "hashchange"]) addEventListener(type, watch.onUrl);
  if (globalThis.navigation) navigation.addEventListener("currententrychange", watch.onUrl);
  watch.life = setTimeout(() => disarmWatch(watch), WATCH_LIFE_MS);
  watches.set(watch.id, watch);
  return watch;
}

function disarmWatch(watch) {
  watches.delete(watch.id);
  watch.observer.disconnect();
  clearTimeout(watch.timer);
  clearTimeout(watch.life);
  for (const type of POINTER_EVENTS.concat(KEY_EVENTS)) removeEventListener(type, watch.listen, { capture: true });
  for (const type of SIGNS) removeEventListener(type, watch.onSign, { capture: true });
  for (const type of ["popstate", "hashchange"]) removeEventListener(type, watch.onUrl);
  if (globalThis.navigation) navigation.removeEventListener("currententrychange", watch.onUrl);
}

function watchOf(id) {
  const watch = watches.get(id);
  if (!watch) throw new Refusal("ACTION_FAILED", "unknown-watch", { watch: id });
  return watch;
}

// ---- noting --------------------------------------------------------------------------------------------------------

/** What is no mutation of the document: popovers and dialogs that open, scrolling, effects of rules that begin. */
const SIGNS = [
  "toggle", "scroll", "transitionrun", "animationstart", "focusin", "focusout", "pointerenter", "mouseenter", "pointerout", "mouseout",
  "pointerleave", "mouseleave",
];

function noteSign(watch, event) {
  const kind = { toggle: "toggle", scroll: "scroll", transitionrun: "style", animationstart: "style" }[event.type];
  if (!kind) {
    watch.aim.causes.push(event);
    return;
  }
  if (!watch.firstInputAt) return;
  // Scrollers around the target were moved by us: only their positions tell. Of a frame around ours we know none.
  if (kind === "scroll" && (!watch.target || watch.before.scrolls.some(([el]) => el === scrollerOf(event)))) return review(watch);
  watch.kinds.add(kind);
  watch.weakAt = clock();
  review(watch);
}

function scrollerOf(event) {
  return event.target === document ? document[dom.scrollingElement] : event.target;
}

/** Positions of the page's scroller and of those around an element. */
function scrollMarks(target) {
  const marks = [];
  const page = document[dom.scrollingElement];
  for (let el = target; el; el = composedParent(el)) {
    if (el !== page && (el[dom.scrollHeight] > el[dom.clientHeight] || el[dom.scrollWidth] > el[dom.clientWidth])) marks.push(el);
  }
  return (page ? [page, ...marks] : marks).map((el) => [el, el[dom.scrollLeft], el[dom.scrollTop]]);
}

function note(watch, records) {
  for (const record of records) {
    if (isAmbient(watch, record.target)) watch.ambient.add(ambientKind(record));
    else if (record.type === "characterData") noteText(watch, record.target);
    else if (record.type === "childList") noteChildren(watch, record);
    else if (record.target[dom.getAttributeNS](record.attributeNamespace, record.attributeName) !== record.oldValue) {
      watch.kinds.add("attributes");
      watch.weakAt = clock();
    }
  }
}

function ambientKind(record) {
  return record.type === "attributes" ? "attributes" : isStructural(record) ? "structure" : "text";
}

function noteText(watch, node) {
  const parent = node[dom.parentElement];
  if (parent && !SILENT_NODES.has(parent[dom.localName])) watch.shown.push({ kind: "text", el: parent });
}

function noteChildren(watch, record) {
  if (record.target[dom.nodeType] === 1 && SILENT_NODES.has(record.target[dom.localName])) return;
  for (const node of record.addedNodes) {
    watch.added.add(node);
    if (node[dom.nodeType] === 3 && node.data.trim()) noteText(watch, node);
    if (node[dom.nodeType] === 1 && !SILENT_NODES.has(node[dom.localName])) watch.shown.push({ kind: "structure", el: node });
  }
  for (const node of record.removedNodes) {
    if (watch.added.has(node)) continue;
    if (node[dom.nodeType] === 3 && node.data.trim()) watch.kinds.add("text");
    if (node[dom.nodeType] === 1 && !SILENT_NODES.has(node[dom.localName])) watch.kinds.add("structure");
  }
}

/** Turns noted additions that a person can see into kinds; beyond a handful, visibility is taken for granted. */
function sift(watch) {
  note(watch, watch.observer.takeRecords());
  let looks = 40;
  for (const { kind, el } of watch.shown) {
    if (watch.kinds.has(kind) || !el[dom.isConnected]) continue;
    if (looks-- <= 0 || el[dom.checkVisibility]({ visibilityProperty: true })) watch.kinds.add(kind);
  }
  watch.shown.length = 0;
  if (location.href !== watch.before.url) watch.kinds.add("url");
  if (deepActive() !== watch.before.focus) watch.kinds.add("focus");
  if (document[dom.title] !== watch.before.title) addWeak(watch, titleIsAmbient(watch) ? watch.ambient : watch.kinds, "title");
  if (watch.before.scrolls.some(([el, left, top]) => el[dom.scrollLeft] !== left || el[dom.scrollTop] !== top)) addWeak(watch, watch.kinds, "scroll");
}

function addWeak(watch, kinds, kind) {
  if (kinds.has(kind)) return;
  kinds.add(kind);
  watch.weakAt = clock();
}

function titleIsAmbient(watch) {
  const title = document[dom.querySelector]("title");
  return title !== null && isAmbient(watch, title);
}

// ---- answering -----------------------------------------------------------------------------------------------------

function isStrong(watch) {
  return ["url", "text", "form", "structure", "toggle"].some((kind) => watch.kinds.has(kind));
}

/** One macrotask later the watch is reviewed again, so that all that one handler did is counted. */
function queueTask(watch) {
  if (watch.taskQueued) return;
  watch.taskQueued = true;
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    channel.port1.close();
    watch.taskQueued = false;
    watch.taskPassed = true;
    watch.controlsDue = true;
    review(watch);
  };
  channel.port2.postMessage(0);
}

// What a rule shows or hides (a menu under `:hover`) leaves no record: a small page is read once more after the quiet time.
/**
 * When the watch answers at the latest: its window counts from the end of the gesture, and a gesture that is on its way
 * but late (a busy machine) is waited for. The caller, who knows when all was sent, asks again with no window at all.
 */
function endOf(watch) {
  if (watch.completeAt || watch.expect === "none" || watch.windowMs === 0) return (watch.completeAt || watch.armedAt) + watch.windowMs;
  return watch.armedAt + watch.windowMs + LATE_MS;
}

/** Decides whether the watch can answer now; else sets the timer for the next moment at which it could. */
function review(watch) {
  if (!watch.answers.length) return;
  clearTimeout(watch.timer);
  const now = clock();
  const end = endOf(watch);
  const complete = watch.expect === "none" || watch.completeAt > 0;
  sift(watch);
  if (complete && watch.controlsDue && controlPrint() !== watch.before.controls) watch.kinds.add("form");
  watch.controlsDue = false;
  if (complete && isStrong(watch)) {
    if (watch.strongSeen && watch.taskPassed) return finish(watch);
    watch.strongSeen = true;
    watch.taskPassed = false;
    return queueTask(watch);
  }
  if (now >= end) return finish(watch);
  let next = end;
  if (complete && !watch.glanced && (watch.before.cheap || watch.paints.length)) {
    next = Math.min(end, (watch.completeAt || watch.armedAt) + WEAK_QUIET_MS);
    if (now >= next) {
      watch.glanced = true;
      if (watch.before.cheap) compareText(watch, textPrint());
      if (isPaintedOn(watch)) addPainted(watch);
      return review(watch);
    }
  }
  if (complete && WEAK_KINDS.concat(watch.aim.wants).some((kind) => watch.kinds.has(kind))) {
    const quietAt = Math.max(watch.weakAt, watch.armedAt) + WEAK_QUIET_MS;
    if (now >= quietAt) return finish(watch);
    next = Math.min(next, quietAt);
  }
  watch.timer = setTimeout(() => review(watch), Math.max(1, next - now));
}

/** A canvas differs; one that goes on to change is an animation, which the gesture need not have begun. */
function addPainted(watch) {
  for (const paint of watch.paints) if (paint.print !== null) paint.after = canvasPrint(paint.place);
  addWeak(watch, watch.kinds, "canvas");
}

function judgePaints(watch) {
  if (!watch.paints.length) return;
  if (isPaintedOn(watch)) watch.kinds.add("canvas");
  const moving = (paint) => paint.restless || (paint.after !== undefined && paint.after !== canvasPrint(paint.place));
  if (!watch.kinds.has("canvas") || !watch.paints.some(moving)) return;
  watch.kinds.delete("canvas");
  watch.ambient.add("canvas");
}

// On a page that rewrites its text by itself, a differing text proves nothing about the input.
function compareText(watch, text) {
  if (text.hash === watch.before.text.hash && text.length === watch.before.text.length) return;
  (watch.ambient.has("text") || watch.ambient.has("structure") ? watch.ambient : watch.kinds).add("text");
}

function finish(watch) {
  disarmWatch(watch);
  if (controlPrint() !== watch.before.controls) watch.kinds.add("form");
  judgePaints(watch);
  const proved = watch.kinds.has("text") || watch.kinds.has("structure");
  const after = { url: location.href, title: document[dom.title] };
  if (!proved || elementTotal() <= SECOND_READ_LIMIT) {
    const text = textPrint();
    after.textLength = text.length;
    compareText(watch, text);
  }
  const focus = deepActive();
  const ambient = Array.from(watch.ambient).filter((kind) => !watch.kinds.has(kind));
  const answer = {
    changed: Array.from(watch.kinds).concat(ambient), ambient: ambient.length ? ambient : undefined, strong: isStrong(watch), delivered: watch.delivered,
    before: { url: watch.before.url, textLength: watch.before.text.length }, after,
    focus: focus ? describe(focus) : undefined, targetGone: watch.target ? !watch.target[dom.isConnected] : undefined,
    ...aimFacts(watch), arrived: hasArrived(watch) || undefined, blank: (window === window.top && watch.before.text.length > 0 && isBlank()) || undefined,
    waitedMs: Math.round(clock() - watch.armedAt),
  };
  for (const resolve of watch.answers) resolve(answer);
}

/** Entry: waits for what the input of a watch did; `windowMs` counts from the end of the gesture, else from arming. */
function observe(args) {
  const watch = watchOf(args.watch);
  watch.windowMs = typeof args.windowMs === "number" ? args.windowMs : 500;
  return new Promise((resolve) => {
    watch.answers.push(resolve);
    if (watch.completeAt || watch.expect === "none") queueTask(watch);
    review(watch);
  });
}
api.observe = observe;

/** True for a document that shows nothing: no text, no control, no picture. */
function isBlank() {
  if (innerTextOf(document).trim()) return false;
  return !openRoots(document).some((root) => Array.from(root[dom.querySelectorAll](COUNTED + ",img,svg,canvas,video,iframe")).some(isVisible));
}

/** Entry: waits until the document shows something again; refuses after `timeoutMs`. */
function unblank(args) {
  return waitUntil(() => (isBlank() ? { reason: "blank", facts: {} } : { met: { blank: false } }), args);
}
api.unblank = unblank;

/** Entry: arms a watch without preparing a click, for other gestures and for the frames around the target's frame. */
function arm(args) {
  const target = typeof args.ref === "number" ? elementOf(args.ref) : null;
  const watch = armWatch(target, args.expect || "none", true, { times: args.times, point: args.point });
  return { watch: watch.id, before: { url: watch.before.url, textLength: watch.before.text.length } };
}
api.arm = arm;

/** Entry: what a watch has seen so far, without waiting; `end` drops it. */
function delivered(args) {
  const watch = watchOf(args.watch);
  if (args.end) disarmWatch(watch);
  return { delivered: watch.delivered };
}
api.delivered = delivered;
