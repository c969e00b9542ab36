// Waiting for something to be seen. Invariants: the condition is checked before the first wait and once more at the end;
// all waits of a document share one set of listeners, which exist only while somebody waits.

/** Style changes through rules, and values set by script, raise no signal: look at least this often (ms). */
const SAFETY_MS = 250;
/** A check may take at most one part in this many of the page's time. */
const SHARE = 5;

const waiters = new Set();
let signalsOff = null;
let checkTimer = 0;
let checkAt = 0;
let lastCost = 0;

const STIR_EVENTS = ["load", "scroll", "transitionend", "transitionrun", "animationstart", "animationend", "toggle", "slotchange", "readystatechange"];

function startSignals() {
  const stop = onMutations(stirred);
  for (const root of openRoots(document)) observeRoot(root);
  for (const type of STIR_EVENTS) document[dom.addEventListener](type, stirred, { capture: true, passive: true });
  for (const type of ["resize", "load"]) addEventListener(type, stirred);
  signalsOff = () => {
    stop();
    for (const type of STIR_EVENTS) document[dom.removeEventListener](type, stirred, { capture: true });
    for (const type of ["resize", "load"]) removeEventListener(type, stirred);
  };
}

/** Something may have changed: check soon, but never so often that checking itself loads the page. */
function stirred() {
  if (waiters.size) scheduleCheck(Math.max(1, lastCost * SHARE));
}

function scheduleCheck(delay) {
  const at = clock() + delay;
  if (checkTimer && checkAt <= at) return;
  clearTimeout(checkTimer);
  checkAt = at;
  checkTimer = setTimeout(checkAll, delay);
}

function checkAll() {
  checkTimer = 0;
  const started = clock();
  for (const waiter of [...waiters]) if (isDue(waiter, started) && waiter.check()) waiters.delete(waiter);
  lastCost = clock() - started;
  if (!waiters.size) {
    signalsOff();
    signalsOff = null;
    return;
  }
  // Roots attached meanwhile are watched from now on.
  for (const root of openRoots(document)) observeRoot(root);
  const now = clock();
  const rest = Math.max(SAFETY_MS, lastCost * SHARE);
  scheduleCheck(Math.max(1, Math.min(...Array.from(waiters, (waiter) => Math.min(waiter.deadline, waiter.dueAt || now + rest) - now))));
}

/** A waiter with a pace of its own is left alone until its time has come. */
function isDue(waiter, now) {
  return !waiter.paced || now >= Math.min(waiter.deadline, waiter.dueAt) - 1;
}

/**
 * Waits until `probe()` gives `{met}`; else refuses with what the last probe said was missing (`{reason, facts}`).
 * `inMs` in an answer of the probe asks for another look by then; with `paced`, signals ask for none.
 */
function waitUntil(probe, args, paced) {
  const started = clock();
  const deadline = started + Math.max(0, timeoutOf(args));
  return new Promise((resolve, reject) => {
    const waiter = { wait: args.wait, deadline, dueAt: 0, paced, end: () => resolve({ withdrawn: true }) };
    waiter.check = () => {
      try {
        const state = probe();
        const waitedMs = Math.round(clock() - started);
        if (state.met) resolve({ ...state.met, waitedMs });
        else if (clock() >= deadline) reject(new Refusal("ACTION_TIMEOUT", state.reason, { ...state.facts, waitedMs }));
        else {
          waiter.dueAt = state.inMs === undefined ? 0 : clock() + state.inMs;
          return false;
        }
      } catch (error) {
        reject(error);
      }
      return true;
    };
    if (waiter.check()) return;
    waiters.add(waiter);
    if (!signalsOff) startSignals();
    scheduleCheck(Math.max(1, Math.min(SAFETY_MS, deadline - clock(), waiter.dueAt ? waiter.dueAt - clock() : SAFETY_MS)));
  });
}

/** Entry: nobody waits for the wait of that number any more. */
function endWait(args) {
  for (const waiter of [...waiters]) {
    if (waiter.wait !== args.wait) continue;
    waiters.delete(waiter);
    waiter.end();
  }
}
api.endWait = endWait;

function timeoutOf(args) {
  return typeof args.timeoutMs === "number" ? args.timeoutMs : 30000;
}

// ---- conditions ----------------------------------------------------------------------------------------------------

/** Entry: waits for a match of a selector. `state`: `visible` (default), `attached`, `hidden`, `detached`. */
function waitFor(args) {
  const { css, nth } = parseSelector(args.selector, args.nth);
  const state = args.state || "visible";
  return waitUntil(() => elementProbe(css, nth, state), args);
}
api.waitFor = waitFor;

function elementProbe(css, nth, state) {
  const all = queryAllDeep(css);
  const matches = typeof nth === "number" ? all.slice(nth, nth + 1) : all.slice(0, SCAN_LIMIT);
  const seen = matches.find(isVisible);
  const facts = { selector: css, matched: all.length, state };
  if (state === "detached") return matches.length ? { reason: "still-attached", facts } : { met: { found: false, matched: all.length } };
  if (state === "hidden") return seen ? { reason: "still-visible", facts } : { met: { found: false, matched: all.length } };
  const el = state === "attached" ? matches[0] : seen;
  if (el) return { met: { found: true, ref: refOf(el), matched: all.length, target: describe(el) } };
  if (!matches.length) return { reason: "not-attached", facts };
  return { reason: "not-visible", facts: { ...facts, target: describe(matches[0]), hiddenReason: hiddenReason(matches[0]) || undefined } };
}

const VALUE_BUTTONS = "input[type=submit],input[type=button],input[type=reset]";

/** Entry: waits until an element whose text contains `text` (any case, white space folded) can be seen. */
function waitForText(args) {
  const wanted = foldSpace(String(args.text)).toLowerCase();
  if (!wanted) throw new Refusal("INVALID_ARGUMENT", "empty-text", {});
  return waitUntil(() => textProbe(wanted), args);
}
api.waitForText = waitForText;

function textProbe(wanted) {
  const dense = wanted.replace(/\s+/g, "");
  let hidden = null;
  for (const root of openRoots(document)) {
    const tops = root === document ? [document[dom.body]].filter(Boolean) : Array.from(root[dom.children]);
    for (const top of tops) {
      const found = innermost(top, wanted, dense);
      if (found.seen) return { met: { found: true, ref: refOf(found.seen), target: describe(found.seen) } };
      hidden = hidden || found.hidden;
    }
    // What such a button says is its value.
    for (const button of root[dom.querySelectorAll](VALUE_BUTTONS)) {
      if (!foldSpace(button.value).toLowerCase().includes(wanted)) continue;
      if (isVisible(button)) return { met: { found: true, ref: refOf(button), target: describe(button) } };
      hidden = hidden || button;
    }
  }
  if (!hidden) return { reason: "not-attached", facts: { text: wanted } };
  return { reason: "not-visible", facts: { text: wanted, target: describe(hidden), hiddenReason: hiddenReason(hidden) || undefined } };
}

/**
 * The first innermost element whose rendered text contains the wanted one. Comparing without white space first rules out
 * whole branches by their raw text, without a layout walk.
 */
function innermost(el, wanted, dense) {
  if (SILENT_TAGS.has(el[dom.localName]) || !el[dom.textContent].replace(/\s+/g, "").toLowerCase().includes(dense)) return {};
  let hidden;
  for (const child of el[dom.children]) {
    const found = innermost(child, wanted, dense);
    if (found.seen) return found;
    hidden = hidden || found.hidden;
  }
  const shows = foldSpace(el[dom.innerText] === undefined ? el[dom.textContent] : el[dom.innerText]).toLowerCase().includes(wanted);
  if (shows && isVisible(el)) return { seen: el };
  return { hidden: hidden || (shows || !el[dom.children].length ? el : undefined) };
}

/** Entry: waits until the number of (visible) matches is within `min` … `max`. */
function waitForCount(args) {
  const { css } = parseSelector(args.selector);
  return waitUntil(() => {
    const all = queryAllDeep(css);
    const count = args.visible ? all.filter(isVisible).length : all.length;
    const low = typeof args.min === "number" && count < args.min;
    const high = typeof args.max === "number" && count > args.max;
    return low || high ? { reason: low ? "too-few" : "too-many", facts: { selector: css, count } } : { met: { count } };
  }, args);
}
api.waitForCount = waitForCount;
