// Repeated siblings shortened: of the rows of a long list the first few stay, the others become one line that says how many
// there are and how one is read. Invariant: what is left out gets no reference, so that no caller holds an unseen index.

/** Siblings of a kind from which on they are shortened, and how many stay. */
const REPEATS_FROM = 6;
const REPEATS_KEPT = 3;
const KIND_BY_TAG = new Set(["li", "tr", "dt", "dd", "option", "a", "article"]);

/** The lines with repeated siblings shortened; outer lists before those in their entries. */
function collapsed(lines) {
  const owners = lines.map((line) => line.el || line.node);
  const groups = siblingGroups(owners);
  const skip = new Uint8Array(lines.length);
  const markers = new Map();
  for (const group of groups) {
    const rest = group.members.slice(REPEATS_KEPT);
    const at = rest[0].from;
    if (skip[at]) continue;
    const to = rest[rest.length - 1].to;
    let controls = 0;
    for (let line = at; line <= to; line++) if (!skip[line] && lines[line].indexed) controls++;
    skip.fill(1, at, to + 1);
    markers.set(at, { ...placeOf(rest[0].el), depth: lines[at].depth, node: owners[at], more: rest.length, controls });
  }
  return lines.flatMap((line, at) => (markers.has(at) ? [markers.get(at)] : skip[at] ? [] : [line]));
}

/**
 * Runs of siblings of one kind that have lines, `{members: [{el, from, to}]}` with the numbers of their first and last
 * lines; those that begin first and hold most come first.
 */
function siblingGroups(owners) {
  const spans = new Map();
  owners.forEach((owner, at) => {
    for (let node = owner[dom.nodeType] === 1 ? owner : composedParent(owner); node; node = composedParent(node)) {
      const span = spans.get(node);
      if (!span) spans.set(node, { el: node, from: at, to: at });
      else if (span.to === at) break;
      else span.to = at;
    }
  });
  const runs = new Map();
  const groups = [];
  for (const span of [...spans.values()].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const parent = composedParent(span.el);
    if (!parent) continue;
    const kind = siblingKind(span.el);
    const run = runs.get(parent);
    if (run && run.kind === kind && span.from > run.members[run.members.length - 1].to) run.members.push(span);
    else {
      const begun = { kind, members: [span] };
      runs.set(parent, begun);
      groups.push(begun);
    }
  }
  return groups.filter((group) => group.members.length >= REPEATS_FROM);
}

/** What siblings of a kind share: the tag, and the first word of the class where the tag says little. */
function siblingKind(el) {
  const tag = el[dom.localName];
  return KIND_BY_TAG.has(tag) ? tag : tag + "." + (el[dom.getAttribute]("class") || "").trim().split(/\s+/)[0];
}

/** `{selector, first}`: the selector of an element's siblings of the same tag, and its number among its matches. */
function placeOf(el) {
  const parent = el[dom.parentElement];
  if (!parent) return { selector: "", first: 0 };
  const selector = cssPath(parent) + " > " + CSS.escape(el[dom.localName]);
  return { selector, first: queryAllDeep(selector).indexOf(el) };
}

/** A selector that only this element matches, from the nearest id down. */
function cssPath(el) {
  const steps = [];
  for (let node = el; node; node = node[dom.parentElement]) {
    const id = node[dom.id];
    if (id && id.length <= WORD_LIMIT && queryAllDeep("#" + CSS.escape(id)).length === 1) return ["#" + CSS.escape(id), ...steps].join(" > ");
    const tag = node[dom.localName];
    const same = node[dom.parentElement] ? Array.from(node[dom.parentElement][dom.children]).filter((child) => child[dom.localName] === tag) : [];
    steps.unshift(CSS.escape(tag) + (same.length > 1 ? ":nth-of-type(" + (same.indexOf(node) + 1) + ")" : ""));
  }
  return steps.join(" > ");
}
