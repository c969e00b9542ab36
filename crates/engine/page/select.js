// Locating one element: by reference or by selector. Invariants: a reference gives its own element or a refusal, never
// another one; a selector's choice among several matches is stated in the receipt.

/** How many matches of a selector are inspected before one is chosen. */
const SCAN_LIMIT = 20;
/** How long a referenced element may be out of the document and still count as the same one (ms). */
const RETURN_GRACE_MS = 300;

/** Milliseconds on the clock that page time changes do not touch. */
function clock() {
  return performance.now();
}

/** Resolves after `ms` milliseconds. */
function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** Splits `css >> nth=N` and checks it against an explicit `nth`. */
function parseSelector(selector, nth) {
  const split = /^([\s\S]*?)\s*>>\s*nth\s*=\s*(\d+)\s*$/.exec(selector);
  const css = (split ? split[1] : selector).trim();
  const inner = split ? Number(split[2]) : undefined;
  if (inner !== undefined && nth !== undefined && nth !== null && nth !== inner) {
    throw new Refusal("INVALID_ARGUMENT", "nth-conflict", { selector, nth });
  }
  try {
    document[dom.createDocumentFragment]()[dom.querySelector](css);
  } catch (error) {
    throw new Refusal("INVALID_ARGUMENT", "invalid-selector", { selector: css, message: cut(error.message, 200) });
  }
  return { css, nth: inner === undefined ? nth : inner };
}

/** Every match of a CSS selector in the document and in open shadow roots, in document order (hosts before their content). */
function queryAllDeep(css) {
  const found = [];
  collectMatches(document, css, found);
  return found;
}

function collectMatches(root, css, found) {
  const hosts = shadowHosts(root);
  const matches = root[dom.querySelectorAll](css);
  let next = 0;
  for (const host of hosts) {
    while (next < matches.length && !isAfter(matches[next], host)) found.push(matches[next++]);
    collectMatches(host[dom.shadowRoot], css, found);
  }
  while (next < matches.length) found.push(matches[next++]);
}

function isAfter(el, host) {
  return Boolean(host[dom.compareDocumentPosition](el) & Node.DOCUMENT_POSITION_FOLLOWING);
}

/** Hosts of open shadow roots directly in this tree, in document order. */
function shadowHosts(root) {
  const hosts = [];
  const walker = document[dom.createTreeWalker](root, NodeFilter.SHOW_ELEMENT);
  for (let el = walker.nextNode(); el; el = walker.nextNode()) if (el[dom.shadowRoot]) hosts.push(el);
  return hosts;
}

/**
 * Chooses among the matches of a selector: `nth` when given, else the first of the first 20 that is visible and gets
 * events at its centre, else the first visible, else the first. Refuses with ELEMENT_NOT_FOUND.
 */
function chooseMatch(selector, wantedNth) {
  const { css, nth } = parseSelector(selector, wantedNth);
  const matches = queryAllDeep(css);
  const matched = matches.length;
  if (!matched) throw new Refusal("ELEMENT_NOT_FOUND", "no-match", { selector: css, matched: 0 });
  if (nth !== undefined && nth !== null) {
    if (nth < 0 || nth >= matched) throw new Refusal("ELEMENT_NOT_FOUND", "nth-out-of-range", { selector: css, nth, matched });
    return { el: matches[nth], selection: { matched, chosenIndex: nth, scanned: 0, explicitNth: true } };
  }
  const seen = matches.slice(0, SCAN_LIMIT);
  const visible = seen.filter(isVisible);
  const el = (seen.length > 1 && visible.find(receivesAtCentre)) || visible[0] || seen[0];
  const selection = { matched, chosenIndex: seen.indexOf(el), scanned: seen.length, visibleMatched: visible.length };
  return { el, selection };
}

/** True when a pointer at the centre of the element's box would hit it. */
function receivesAtCentre(el) {
  const rect = el[dom.getBoundingClientRect]();
  return hitBelongsTo(el, deepElementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2));
}

/** The element of a reference; one that is detached for a moment (a list that is re-ordered) is waited for. */
async function referencedElement(ref) {
  const entry = refs.get(ref);
  const until = clock() + RETURN_GRACE_MS;
  for (let node = entry && entry.node.deref(); node && !node[dom.isConnected] && clock() < until; ) await pause(15);
  return elementOf(ref);
}

/** Locates `{ref}` or `{selector, nth?}` → `{el, selection?}`. */
async function locate(args) {
  if (typeof args.ref === "number") {
    // The same number may stand for another element in another document: the caller says which document it means.
    if (args.doc && args.doc !== doc) throw new Refusal("STALE_ELEMENT", "document-replaced", { replacedBy: location.href });
    return { el: await referencedElement(args.ref) };
  }
  if (typeof args.selector === "string") return chooseMatch(args.selector, args.nth);
  throw new Refusal("INVALID_ARGUMENT", "no-target", {});
}

/** Entry: locates without acting → `{ref, target, visible, selection?}`. */
async function find(args) {
  const { el, selection } = await locate(args);
  return { ref: refOf(el), target: describe(el), visible: isVisible(el), selection };
}
api.find = find;
