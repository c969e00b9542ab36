// Objects that the protocol works on by handle: elements for questions that only the browser can answer (listeners,
// closed shadow roots). Invariant: nothing here is called by the page, and nothing acts on it.

const handles = {
  /** The elements of references, each null when it is gone. */
  elements(refNumbers) {
    return refNumbers.map((ref) => {
      const entry = refs.get(ref);
      const el = entry && entry.node.deref();
      return el && el[dom.isConnected] ? el : null;
    });
  },

  /** An element and what its events pass on the way up: flat-tree ancestors and the document. */
  eventPath(ref) {
    const path = [];
    for (let node = elementOf(ref); node; node = composedParent(node)) path.push(node);
    return [...path, document];
  },

  /** The document. */
  documents() {
    return [document];
  },

  /** The elements that may host a closed shadow root, as the last snapshot met them; each is given once. */
  takeHosts() {
    for (const el of pendingHosts) askedHosts.add(el);
    return pendingHosts.splice(0);
  },

  /** Makes a closed shadow root known. */
  adoptRoot(root) {
    closedRoots.set(root[dom.host], root);
    closedKnown = true;
    observeRoot(root);
  },

  /**
   * Takes up elements with listeners, numbered from `first` on (null for one that cannot be had), and drops those of the
   * numbers in `gone`; `reset` drops all. Says whether the document itself was among them.
   */
  adoptListening({ reset, gone, first }, ...nodes) {
    if (reset) listeningByNumber.clear();
    for (const number of gone) listeningByNumber.delete(number);
    nodes.forEach((node, at) => node && node[dom.nodeType] === 1 && listeningByNumber.set(first + at, new WeakRef(node)));
    return nodes.includes(document);
  },
};

/** Elements with listeners of their own as the browser has told them, by the number that the engine knows them by. */
const listeningByNumber = new Map();
/** Elements with handlers that a framework calls from a listener further up. */
let listeningByFramework = [];

/** Entry: takes up what a framework handles: `found` `[position, tag]` among all `count` elements of the document. */
function frameworkListeners({ count, found }) {
  const all = document[dom.getElementsByTagName]("*");
  // Another count means that the positions are those of another moment: what was known stays.
  if (all.length !== count) return;
  listeningByFramework = [];
  for (const [position, tag] of found) {
    const el = all[position];
    if (el && el[dom.localName] === tag) listeningByFramework.push(new WeakRef(el));
  }
}
api.frameworkListeners = frameworkListeners;

/** Lists whose items a library lets a person drag: `{list: WeakRef, items, handle}` with the library's own selectors. */
let sortedByFramework = [];

/** Entry: takes up the lists that libraries sort: `found` `[position, tag, items, handle]`, positions as above. */
function frameworkSorted({ count, found }) {
  const all = document[dom.getElementsByTagName]("*");
  if (all.length !== count) return;
  sortedByFramework = [];
  for (const [position, tag, items, handle] of found) {
    const el = all[position];
    if (el && el[dom.localName] === tag) sortedByFramework.push({ list: new WeakRef(el), items, handle });
  }
}
api.frameworkSorted = frameworkSorted;

/** The sorted lists of this document, each with the selectors of its items and of their handles ("" for the whole item). */
function sortedLists() {
  const found = new Map();
  for (const { list, items, handle } of sortedByFramework) {
    const el = list.deref();
    if (el && el[dom.isConnected]) found.set(el, { items, handle });
  }
  return found;
}

/** The elements of this document that listen for a pointer. */
function listeningElements() {
  const found = new Set();
  for (const ref of [...listeningByNumber.values(), ...listeningByFramework]) {
    const el = ref.deref();
    if (el && el[dom.isConnected] && el[dom.ownerDocument] === document) found.add(el);
  }
  return found;
}

/** Entry: names of the path of `eventPath`, in its order. */
function pathNames(args) {
  const names = [];
  for (let node = elementOf(args.ref); node; node = composedParent(node)) names.push(shortPath(node));
  return [...names, "document"];
}
api.pathNames = pathNames;

function shortPath(el) {
  const first = (el[dom.getAttribute]("class") || "").trim().split(/\s+/)[0];
  return el[dom.localName] + (el[dom.id] ? "#" + cut(el[dom.id], 60) : first ? "." + cut(first, 60) : "");
}
