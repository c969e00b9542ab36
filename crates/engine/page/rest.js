// Waiting for the document to come to rest. Invariant: what changes it is noted from the moment the script is there, so
// that a failure can name the element that never stops.

/** Changes that are remembered by their element. */
const STIRS_KEPT = 64;
/** A change within this time before the end of a wait says what is going on (ms). */
const STIR_RECENT_MS = 5000;
/** How often the fingerprint of a scope is taken (ms): a value set by script raises no signal. */
const FINGERPRINT_MS = 150;
/** Characters of the text that a stable scope is reported with. */
const STABLE_TEXT = 2000;

let domStirAt = clock();
let domStirs = 0;
/** The newest changes: `{at, node: WeakRef}`. */
const recentStirs = [];

onMutations((records) => {
  domStirAt = clock();
  domStirs += records.length;
  for (const record of records.slice(0, 4)) recentStirs.push({ at: domStirAt, node: new WeakRef(record.target) });
  if (recentStirs.length > STIRS_KEPT) recentStirs.splice(0, recentStirs.length - STIRS_KEPT);
});

/** Entry: how many changes there have been; from now on open shadow roots are watched too. */
function watchRest() {
  for (const root of openRoots(document)) observeRoot(root);
  flushMutations();
  return { mutations: domStirs };
}
api.watchRest = watchRest;

/** What keeps changing: the element that changed most often lately and how often anything did, per second. */
function unrest(now) {
  const recent = recentStirs.filter(({ at }) => now - at < STIR_RECENT_MS);
  if (!recent.length) return {};
  const counts = new Map();
  for (const { node } of recent) {
    const target = node.deref();
    const el = target && (target[dom.nodeType] === 1 ? target : target[dom.parentElement]);
    if (el) counts.set(el, (counts.get(el) || 0) + 1);
  }
  const [busiest] = [...counts].sort((a, b) => b[1] - a[1]);
  return {
    mutationsPerSecond: Math.round((recent.length / Math.max(0.1, (now - recent[0].at) / 1000)) * 10) / 10,
    mutating: busiest ? describe(busiest[0]) : undefined,
  };
}

/**
 * Entry: waits until the document has not changed for `quietMs`, of which the last `windowMs` are observed from now on,
 * and `selector` matches and `text` is there, where given. `since`: changes that do not count in the answer.
 */
function waitForQuiet(args) {
  const started = clock();
  const css = args.selector ? parseSelector(args.selector).css : "";
  const wanted = args.text ? foldSpace(args.text).toLowerCase() : "";
  return waitUntil(() => quietProbe(args, started, css, wanted), args);
}
api.waitForQuiet = waitForQuiet;

function quietProbe(args, started, css, wanted) {
  flushMutations();
  const now = clock();
  const facts = { idle: false, quietMs: args.quietMs, mutations: domStirs - (args.since || 0), msSinceLastChange: Math.round(now - domStirAt) };
  const wait = Math.max(args.quietMs - (now - domStirAt), (args.windowMs || 0) - (now - started));
  const last = now - started >= timeoutOf(args);
  if (wait > 0 && !last) return { reason: "not-quiet", facts, inMs: Math.max(1, wait) };
  if (css) facts.selectorMatched = queryAllDeep(css).length > 0;
  if (wanted) facts.textMatched = foldSpace(innerTextOf(document)).toLowerCase().includes(wanted);
  if (wait > 0) return { reason: "not-quiet", facts: { ...facts, ...unrest(now) } };
  if (facts.selectorMatched === false) return { reason: "selector-missing", facts };
  if (facts.textMatched === false) return { reason: "text-missing", facts };
  return { met: { mutations: facts.mutations } };
}

/** Entry: waits until text, control values and table rows of a scope have not changed for `quietMs`. */
function waitForStable(args) {
  const css = args.selector ? parseSelector(args.selector).css : "";
  const seen = { source: undefined, at: clock(), changes: 0 };
  return waitUntil(() => stableProbe(args, css, seen), args, true);
}
api.waitForStable = waitForStable;

function stableProbe(args, css, seen) {
  const scope = css ? queryAllDeep(css)[0] : document[dom.body];
  const now = clock();
  const facts = { stable: false, quietMs: args.quietMs, selector: css || undefined };
  if (!scope) {
    seen.source = undefined;
    return { reason: "not-attached", facts, inMs: FINGERPRINT_MS };
  }
  const source = fingerprintSource(scope);
  // One look has only what was observed before it.
  const once = timeoutOf(args) === 0 && seen.source === undefined;
  if (source !== seen.source) {
    seen.at = once ? domStirAt : now;
    seen.source = source;
    seen.changes++;
  }
  const print = { changes: seen.changes, length: source.length, fingerprint: fnv1a(source) };
  const left = args.quietMs - (now - seen.at);
  if (left <= 0) return { met: { ...print, text: cut(foldSpace(innerTextOf(scope)), STABLE_TEXT) } };
  const cost = clock() - now;
  const inMs = Math.max(Math.min(FINGERPRINT_MS, left), cost * SHARE);
  return { reason: "not-stable", facts: { ...facts, ...print, msSinceLastChange: Math.round(now - seen.at), ...unrest(now) }, inMs };
}

function fingerprintSource(scope) {
  const marks = [];
  for (const root of openRoots(scope)) {
    for (const el of root[dom.querySelectorAll]("input,textarea,select")) marks.push(controlMark(el));
    for (const table of root[dom.querySelectorAll]("table")) marks.push("t" + table.rows.length);
  }
  return innerTextOf(scope) + "\u0000" + marks.join("\u0000");
}
