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
};

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
