// Opens the page script: one function scope shared by every file of this folder, evaluated once per document in our
// isolated world. Invariants: nothing here is reachable from the page's own script, nothing writes to the page's DOM,
// and a reference number once given to an element of this document is never given to another one.
(() => {
"use strict";
// An own one: an element of that name is a member of the window too.
if (Object.hasOwn(globalThis, "__dsb")) return;

/** Entry points by name; `call` (in `_tail.js`) runs them. */
const api = Object.create(null);

/** Token of this document: a new document has a new one, so that an old reference can be told from a new one. */
const doc = Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36).padStart(7, "0")).join("").slice(0, 16);

/** A failure with a stable code, a reason in kebab case and facts for the message; any other exception is a defect. */
class Refusal extends Error {
  constructor(code, reason, facts) {
    super(code + ": " + reason);
    this.code = code;
    this.reason = reason;
    this.facts = facts || {};
  }
}

// ---- references ----------------------------------------------------------------------------------------------------

/** Reference number to `{node: WeakRef, tag, id, name, text}`. Weak: a removed element must not be kept alive by us. */
const refs = new Map();
const numbers = new WeakMap();
let nextRef = 0;

/** The reference number of an element; the first call for an element creates it. */
function refOf(el) {
  let ref = numbers.get(el);
  if (ref === undefined) {
    ref = nextRef++;
    numbers.set(el, ref);
    refs.set(ref, { node: new WeakRef(el), tag: el[dom.localName], id: cut(el[dom.id] || "", 200), name: "", text: undefined });
  }
  return ref;
}

/** Notes what the caller has last read about a referenced element, for the message when it is gone. */
function rememberFacts(ref, name, text) {
  const entry = refs.get(ref);
  entry.name = name;
  entry.text = text;
}

/**
 * The live element behind a reference.
 * Refuses with STALE_ELEMENT: `unknown-ref` (never given in this document) or `removed` (no longer in the document).
 */
function elementOf(ref) {
  const entry = refs.get(ref);
  if (!entry) throw new Refusal("STALE_ELEMENT", "unknown-ref", { ref, highestRef: nextRef - 1, doc });
  const el = entry.node.deref();
  if (el && el[dom.isConnected] && el[dom.ownerDocument] === document) return el;
  throw new Refusal("STALE_ELEMENT", "removed", staleFacts(ref, entry));
}

function staleFacts(ref, entry) {
  const facts = { ref, doc, tag: entry.tag, mutations: mutationsSinceSnapshot() };
  if (entry.id) facts.id = entry.id;
  if (entry.text) facts.text = entry.text;
  const candidate = entry.text ? onlyReplacement(ref, entry) : undefined;
  if (candidate !== undefined) facts.candidate = candidate;
  return facts;
}

/** The reference of the one visible element, unknown when `ref` was given, that has its tag and text; else undefined. */
function onlyReplacement(ref, entry) {
  let only;
  for (const root of openRoots(document)) {
    for (const el of root[dom.querySelectorAll](CSS.escape(entry.tag))) {
      const known = numbers.get(el);
      if (known !== undefined && known <= ref) continue;
      if (shortText(el, 80) !== entry.text || !isVisible(el)) continue;
      if (only) return undefined;
      only = el;
    }
  }
  return only && refOf(only);
}

// ---- shadow roots --------------------------------------------------------------------------------------------------

/** Closed shadow roots that the protocol has handed to us, by host; a script cannot find them by itself. */
const closedRoots = new WeakMap();
let closedKnown = false;

/** The shadow root of an element, a closed one too once it is known; null when there is none. */
function shadowOf(el) {
  return el[dom.shadowRoot] || (closedKnown && closedRoots.get(el)) || null;
}

// ---- mutation counters ---------------------------------------------------------------------------------------------

/** Records seen since the document was first looked at: `structural` = element nodes added or removed, else `content`. */
const mutations = { structural: 0, content: 0, last: null };
const countsAtSnapshot = { structural: 0, content: 0 };
const mutationListeners = new Set();
const observedRoots = new WeakSet();

const mutationObserver = new MutationObserver(takeMutations);

/** Watches a document or an open shadow root; watching one twice costs nothing. */
function observeRoot(root) {
  if (observedRoots.has(root)) return;
  observedRoots.add(root);
  mutationObserver.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** Calls `listener(records)` for every delivery of the shared observer; returns the function that ends it. */
function onMutations(listener) {
  mutationListeners.add(listener);
  return () => mutationListeners.delete(listener);
}

/** Counts what the observer holds but has not delivered yet, so that a synchronous reader sees the truth. */
function flushMutations() {
  const records = mutationObserver.takeRecords();
  if (records.length) takeMutations(records);
}

function takeMutations(all) {
  const records = highlightLayer ? all.filter((record) => !isOfLayer(record)) : all;
  if (!records.length) return;
  for (const record of records) {
    if (isStructural(record)) mutations.structural++;
    else mutations.content++;
  }
  mutations.last = records[records.length - 1];
  for (const listener of [...mutationListeners]) {
    try {
      listener(records);
    } catch (error) {
      mutationListeners.delete(listener);
    }
  }
}

/** True for a record that adds or removes at least one element node. */
function isStructural(record) {
  if (record.type !== "childList") return false;
  for (const node of record.addedNodes) if (node[dom.nodeType] === 1) return true;
  for (const node of record.removedNodes) if (node[dom.nodeType] === 1) return true;
  return false;
}

/** Counts since the last snapshot; `last` describes the newest record when there was one. */
function mutationsSinceSnapshot() {
  flushMutations();
  const since = {
    structural: mutations.structural - countsAtSnapshot.structural,
    content: mutations.content - countsAtSnapshot.content,
  };
  if (since.structural + since.content > 0 && mutations.last) since.last = describeMutation(mutations.last);
  return since;
}

function describeMutation(record) {
  const target = record.target[dom.nodeType] === 1 ? record.target : record.target[dom.parentElement];
  const facts = { type: record.type, tag: target ? target[dom.localName] : "#document" };
  if (target && target[dom.id]) facts.id = target[dom.id];
  if (record.attributeName) facts.attribute = record.attributeName;
  return facts;
}

function markSnapshot() {
  countsAtSnapshot.structural = mutations.structural;
  countsAtSnapshot.content = mutations.content;
  mutations.last = null;
}

observeRoot(document);
