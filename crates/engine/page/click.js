// Preparing a pointer gesture, and the in-page click. Invariants: a prepared click has found its element actionable and
// armed the watch in the same call; no wait outlives `timeoutMs`; frames are waited for only when something may move.

/** How long after the last sign of movement (mutation, scroll, our arrival in the document) a page counts as restless (ms). */
const RESTLESS_MS = 60;
const ALIGNMENTS = ["center", "end", "start"];
/** A page on which nothing has happened for this long will not free a target by itself (ms). */
const QUIET_MS = 1200;

// Arriving counts as two stirs: nothing is known of a page that was not watched before.
let lastStirAt = clock();
let earlierStirAt = lastStirAt;
let lastChangeAt = clock();
onMutations((records) => {
  lastChangeAt = clock();
  if (records.some(mayMove)) noteStir();
});
document[dom.addEventListener]("scroll", noteStir, { capture: true, passive: true });

/** A changed text moves its neighbours at once; only what comes, goes or is restyled may go on moving for a while. */
function mayMove(record) {
  return record.type === "attributes" || isStructural(record);
}

function noteStir() {
  const now = clock();
  if (now - lastStirAt > 4) earlierStirAt = lastStirAt;
  lastStirAt = now;
}

/** Resolves at the next animation frame; a timer stands beside it for tabs that get no frames. */
function nextFrame() {
  return new Promise((done) => {
    const timer = setTimeout(done, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done();
    });
  });
}

/** Frames over which the element must stand still before it is clicked: more for movement that goes on than for one burst. */
function framesNeeded(el, justScrolled) {
  flushMutations();
  const now = clock();
  if (now - earlierStirAt < RESTLESS_MS) return 2;
  for (let node = drawnBy(el); node; node = composedParent(node)) {
    if (node[dom.getAnimations]().some((animation) => animation.pending || animation.playState === "running")) return 2;
  }
  return justScrolled || now - lastStirAt < RESTLESS_MS ? 1 : 0;
}

/** Scrolls every scroller around the element at once, ignoring smooth scrolling. */
function bringIntoView(el, block) {
  const box = drawnBy(el);
  const anchor = box[dom.getClientRects]().length || !box[dom.firstElementChild] ? box : box[dom.firstElementChild];
  frameClips.delete(el);
  anchor[dom.scrollIntoView]({ block, inline: "center", behavior: "instant" });
}

function plainRect(el) {
  const rect = el[dom.localName] === "area" ? areaRect(el) : el[dom.getBoundingClientRect]();
  return { x: rect.left, y: rect.top, width: rect.width, height: rect.height };
}

function sameBox(a, b) {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

// ---- one look ------------------------------------------------------------------------------------------------------

/** One synchronous check → `{el, via?, point, box, cover?}` or `{refusal}`. `rules`: `{enabled, reach}`. */
function look(located, rules, state) {
  const { el, via } = clickable(located);
  const hidden = hiddenReason(el);
  if (hidden) return refuse("ELEMENT_HIDDEN", hidden, el);
  const disabled = rules.enabled && (disabledReason(el) || (el !== located && disabledReason(located)));
  if (disabled) return refuse("ELEMENT_DISABLED", disabled, el);
  const parts = partsInView(el, state);
  if (!parts.length) return refuse("ELEMENT_HIDDEN", "outside-viewport", el);
  if (!rules.reach) return centreOf(el, via, parts);
  let aimed = aim(el, parts);
  // What lay over it where the page stood says more than what scrolling brought over it.
  if (!aimed.point && !(state.cover && state.cover.cover && state.cover.cover[dom.isConnected])) state.cover = aimed;
  for (const block of aimed.point || state.aligned ? [] : ALIGNMENTS) {
    if (!mayUncover(el, aimed.cover)) break;
    bringIntoView(el, block);
    state.scrolled = state.justScrolled = true;
    aimed = aim(el, visibleParts(el));
    if (aimed.point) break;
  }
  if (!aimed.point) {
    const wrapper = decoratedBy(el, aimed.cover);
    if (wrapper) return look(wrapper, rules, state);
    state.aligned = true;
    return obscured(el, state.cover);
  }
  return { el, via, point: aimed.point, box: plainRect(el), cover: aimed.cover };
}

function refuse(code, reason, el, facts) {
  return { refusal: { code, reason, facts: { target: describe(el), ref: refOf(el), ...facts } } };
}

function partsInView(el, state) {
  const parts = visibleParts(el);
  if (parts.length) return parts;
  bringIntoView(el, "center");
  state.scrolled = state.justScrolled = true;
  return visibleParts(el);
}

function centreOf(el, via, parts) {
  const part = parts[0];
  const point = { x: part.left + part.width / 2, y: part.top + part.height / 2 };
  const hit = hitAt(el, point.x, point.y);
  return { el, via, point, box: plainRect(el), cover: judgeHit(el, hit) === "cover" ? hit : undefined };
}

// Scrolling helps against what stays put while the page moves under it, not against what covers the whole view.
function mayUncover(el, cover) {
  if (!cover) return true;
  let layer = cover;
  for (let up = composedParent(cover); up && !composedContains(up, el); up = composedParent(up)) layer = up;
  const rect = cover[dom.getBoundingClientRect]();
  const outer = layer[dom.getBoundingClientRect]();
  const share = (box) => (Math.min(box.width, innerWidth) * Math.min(box.height, innerHeight)) / (innerWidth * innerHeight);
  return !composedContains(cover, el) && Math.max(share(rect), share(outer)) < 0.6;
}

function obscured(el, aimed) {
  if (getComputedStyle(el).pointerEvents === "none") {
    return refuse("ELEMENT_OBSCURED", "pointer-events-none", el, coverFacts(el, aimed.cover, aimed.verdict));
  }
  const reason = aimed.verdict === "cover" ? "covered" : "receives-no-events";
  return refuse("ELEMENT_OBSCURED", reason, el, coverFacts(el, aimed.cover, aimed.verdict));
}

// ---- the loop ------------------------------------------------------------------------------------------------------

/** Looks once, then over as many frames as needed; the element must not move between the looks. */
async function steadyLook(located, rules, state) {
  state.justScrolled = false;
  const el = clickable(located).el;
  if (!(await askFramesAbove(el)) && !hiddenReason(el)) {
    bringIntoView(el, "center");
    state.scrolled = state.justScrolled = true;
    await askFramesAbove(el);
  }
  let now = look(located, rules, state);
  if (now.refusal) return now;
  // A page that draws its elements anew all the time never keeps one for a frame; what stands still is their place.
  if (state.replaced && state.replaced.times > 1 && sameBox(state.replaced.box, now.box)) return now;
  const needed = rules.reach ? framesNeeded(now.el, state.justScrolled) : Number(state.justScrolled);
  for (let frames = needed; frames > 0; frames--) {
    const before = now;
    await nextFrame();
    if (!located[dom.isConnected]) {
      state.replaced = { box: before.box, times: (state.replaced ? state.replaced.times : 0) + 1 };
      return refuse("STALE_ELEMENT", "removed", located);
    }
    now = look(located, rules, state);
    if (now.refusal) return now;
    if (rules.reach && !sameBox(before.box, now.box)) return refuse("ACTION_TIMEOUT", "not-stable", now.el, { from: before.box, to: now.box });
  }
  return now;
}

/** Repeats the looks until the element is actionable or the time is over → look + `{selection, located}`. */
async function untilActionable(args, rules, timeoutMs, state) {
  const started = clock();
  let located, last;
  for (let attempt = 0; ; attempt++) {
    try {
      located = await locate(args);
      last = await steadyLook(located.el, rules, state);
    } catch (error) {
      if (!last || !(error instanceof Refusal) || error.code !== "ELEMENT_NOT_FOUND") throw error;
      last = { refusal: error };
    }
    const waitedMs = Math.round(clock() - started);
    if (!last.refusal) return { ...last, located: located.el, selection: located.selection, waitedMs };
    const { code, reason, facts } = last.refusal;
    state.coveredBy = facts.coveredBy || state.coveredBy;
    const quiet = args.impatient === true && waitedMs < timeoutMs && isLasting(last.refusal, started);
    if (waitedMs >= timeoutMs || quiet) {
      const extra = { waitedMs, quiet, retried: attempt > 0, scrolled: state.scrolled, coveredBy: state.coveredBy, selection: located.selection };
      throw new Refusal(code, reason, { ...extra, ...facts });
    }
    await pause(Math.min(attempt < 4 ? 16 : 50, timeoutMs - waitedMs));
  }
}

/**
 * True when waiting for the end of a refusal is pointless: the page has loaded, nothing in it has changed for a while,
 * nothing is animated, and what covers the target waits for a person itself.
 */
function isLasting({ code, reason, facts }, started) {
  if (!isQuiet(started)) return false;
  if (code === "ELEMENT_HIDDEN" || code === "ELEMENT_DISABLED") return true;
  const asks = facts.closeHint && facts.closeHint.looksModal && facts.closeHint.buttons.length > 0;
  return code === "ELEMENT_OBSCURED" && (reason === "pointer-events-none" || Boolean(asks));
}

/** True when the document has loaded and neither changed nor moved for a while, at least since `started`. */
function isQuiet(started) {
  if (document[dom.readyState] !== "complete" || clock() - Math.max(lastChangeAt, lastStirAt, started) < QUIET_MS) return false;
  return !document[dom.getAnimations]().some((animation) => animation.playState === "running");
}

/** Finds a selector's element once more, the same of several; undefined for an element that was given itself. */
function findsAgain(args, selection) {
  if (typeof args.selector !== "string") return undefined;
  const nth = selection && selection.matched > 1 ? selection.chosenIndex : args.nth;
  return () => clickable(chooseMatch(parseSelector(args.selector, args.nth).css, nth).el).el;
}

/**
 * Entry: finds the element, waits until it can take the gesture, arms the watch.
 * `mode`: `native` (all checks) or `mouse` (a box in view is enough). `intent`: `click`, `hover`, `drag`. `times`: how
 * many clicks will come. `impatient`: a lasting refusal is told before the time is over. `outer`: tell the markup too.
 */
async function prepareClick(args) {
  const intent = args.intent || "click";
  const careful = args.mode !== "mouse";
  const rules = { enabled: careful && intent !== "hover", reach: careful };
  const timeoutMs = typeof args.timeoutMs === "number" ? args.timeoutMs : 5000;
  const option = intent === "hover" ? null : await collapsedOption(args);
  if (option) return clickOption(option);
  const state = { scrolled: false, justScrolled: false, aligned: false };
  const ready = await untilActionable(args, rules, timeoutMs, state);
  const find = findsAgain(args, ready.selection);
  const watch = armWatch(ready.el, intent === "hover" ? "move" : "click", true, { times: args.times, find });
  return {
    watch: watch.id, point: ready.point, rect: ready.box, ref: refOf(ready.located), target: describe(ready.el), via: ready.via,
    selection: ready.selection, coveredBy: ready.cover ? describe(ready.cover) : undefined, scrolled: state.scrolled,
    waitedMs: ready.waitedMs, shifty: isShifty(ready.el) || undefined, outer: args.outer ? outline(ready.el) : undefined, before: { url: watch.before.url, textLength: watch.before.text.length },
  };
}
api.prepareClick = prepareClick;

/** True for what pages like to move when it is pressed: tabs, and what its scroller shows only in part. */
function isShifty(el) {
  if (composedClosest(el, "[role=tab],[role=tablist]")) return true;
  const area = (parts) => parts.reduce((sum, part) => sum + part.width * part.height, 0);
  return area(visibleParts(el)) < 0.98 * area(ownRects(el));
}

/** How long a pressed target may move before it is released where it is (ms). */
const SHIFT_MS = 600;

/** Entry: where the pressed target of a watch is, once it stands still → `{moved, point?}`; no point when it cannot be reached. */
async function whereNow(args) {
  const { target, aim: aimed } = watchOf(args.watch);
  const until = clock() + SHIFT_MS;
  let box = plainRect(target);
  for (let moving = framesNeeded(target, true); moving > 0 && target[dom.isConnected] && clock() < until; moving--) {
    await nextFrame();
    const now = plainRect(target);
    if (!sameBox(now, box)) moving = 3;
    box = now;
  }
  if (!target[dom.isConnected]) return { moved: false };
  return { moved: !sameBox(box, aimed.box), point: aim(target, visibleParts(target)).point };
}
api.whereNow = whereNow;

// ---- in-page click -------------------------------------------------------------------------------------------------

/** Entry: the event sequence of a click without the browser's input; the events are not trusted. */
async function jsClick(args) {
  const option = await collapsedOption(args);
  if (option) return clickOption(option);
  const { el, selection } = await locate(args);
  const disabled = disabledReason(el);
  if (disabled) throw new Refusal("ELEMENT_DISABLED", disabled, { target: describe(el), selection });
  const rect = plainRect(el);
  const point = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  const hit = rect.width && rect.height ? hitAt(el, point.x, point.y) : null;
  const cover = judgeHit(el, hit) === "cover" ? describe(hit) : undefined;
  const target = describe(el);
  const watch = armWatch(el, "click", false, { times: args.times });
  const dispatched = [];
  for (let count = 1; count <= (args.times || 1); count++) dispatched.push(...dispatchClick(el, point, count));
  return {
    watch: watch.id, point, rect, ref: refOf(el), target, selection, coveredBy: cover, dispatched, ...markOf(el),
    outer: args.outer ? outline(el) : undefined,
    before: { url: watch.before.url, textLength: watch.before.text.length },
  };
}
api.jsClick = jsClick;

/** Sends the five events of click number `count` and, with the second, `dblclick`; stops when the element is removed. → types sent */
function dispatchClick(el, point, count) {
  const sent = [];
  const control = checkControl(el);
  const checkedBefore = control && control.checked;
  const send = (type, Kind, buttons, detail) => {
    if (!el[dom.isConnected]) return false;
    sent.push(type);
    return el[dom.dispatchEvent](new Kind(type, {
      bubbles: true, cancelable: true, composed: true, view: window, clientX: point.x, clientY: point.y, screenX: point.x,
      screenY: point.y, button: 0, buttons, detail, pointerId: 1, pointerType: "mouse", isPrimary: true,
    }));
  };
  send("pointerdown", PointerEvent, 1, 0);
  if (send("mousedown", MouseEvent, 1, count)) focusNearest(el);
  send("pointerup", PointerEvent, 0, 0);
  send("mouseup", MouseEvent, 0, count);
  const taken = send("click", PointerEvent, 0, count);
  // A click that the page cancelled is the page's decision; one that had no default action is completed here.
  if (taken && control && control.type === "checkbox" && control.checked === checkedBefore) {
    control.checked = !checkedBefore;
    fireInputAndChange(control);
  }
  if (count === 2) send("dblclick", MouseEvent, 0, count);
  return sent;
}

function checkControl(el) {
  const control = el[dom.localName] === "input" ? el : labelTarget(el);
  return control && control[dom.localName] === "input" && /^(checkbox|radio)$/.test(control.type) ? control : null;
}

function focusNearest(el) {
  const focusable = composedClosest(el, "input,select,textarea,button,a[href],summary,[tabindex],[contenteditable]");
  if (focusable) focusable[dom.focus]({ preventScroll: true });
}
