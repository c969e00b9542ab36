// Finding an element by what a person reads on it. Invariants: only rendered text counts; of several candidates the
// choice follows one order, and the receipt tells how many there were.

const CLICKABLE = "a,button,[role=button],input[type=button],input[type=submit],[onclick]";
/** Candidates beyond this number are not looked at. */
const CANDIDATE_LIMIT = 500;

/** Innermost elements whose rendered text contains the wanted one (any case, white space folded), in document order. */
function textCandidates(wanted) {
  const dense = wanted.replace(/\s+/g, "");
  const found = [];
  for (const root of openRoots(document)) {
    const tops = root === document ? [document[dom.body]].filter(Boolean) : Array.from(root[dom.children]);
    for (const top of tops) collectCandidates(top, wanted, dense, found);
    for (const button of root[dom.querySelectorAll]("input[type=button],input[type=submit],input[type=reset]")) {
      if (readable(button).toLowerCase().includes(wanted)) found.push(button);
    }
  }
  return found;
}

function collectCandidates(el, wanted, dense, found) {
  if (found.length >= CANDIDATE_LIMIT || SILENT_TAGS.has(el[dom.localName])) return false;
  if (!el[dom.textContent].replace(/\s+/g, "").toLowerCase().includes(dense)) return false;
  let below = false;
  for (const child of el[dom.children]) below = collectCandidates(child, wanted, dense, found) || below;
  if (below) return true;
  if (!readable(el).toLowerCase().includes(wanted)) return false;
  found.push(el);
  return true;
}

function readable(el) {
  if (el[dom.localName] === "input") return foldSpace(el.value);
  return foldSpace(el[dom.innerText] === undefined ? el[dom.textContent] : el[dom.innerText]);
}

function rankOf(candidate, wanted) {
  const clickable = composedClosest(candidate, CLICKABLE);
  const el = clickable || candidate;
  const text = readable(el);
  return { el, text, exact: text.toLowerCase() === wanted || readable(candidate).toLowerCase() === wanted, clickable: clickable !== null, visible: isVisible(el) };
}

/** The order of choice: what can be seen, exact before containing, clickable before not, the shortest text. */
function compareRanks(a, b) {
  return b.visible - a.visible || b.exact - a.exact || b.clickable - a.clickable || a.text.length - b.text.length;
}

function wantedText(args) {
  const wanted = foldSpace(String(args.text)).toLowerCase();
  if (!wanted) throw new Refusal("INVALID_ARGUMENT", "empty-text", {});
  return wanted;
}

/** Entry: the best element to click for a text → `{candidates:0}` or its reference with the facts of the choice. */
function findText(args) {
  const wanted = wantedText(args);
  const candidates = textCandidates(wanted);
  if (!candidates.length) return { candidates: 0 };
  const [best] = candidates.map((candidate) => rankOf(candidate, wanted)).sort(compareRanks);
  return {
    candidates: candidates.length, ref: refOf(best.el), doc, visible: best.visible, exact: best.exact, clickable: best.clickable,
    length: best.text.length,
  };
}
api.findText = findText;

/** Entry: brings the first element that shows a text into view → `{found, hidden?, target?, scrolled?}`; never waits. */
async function scrollToText(args) {
  const candidates = textCandidates(wantedText(args));
  const el = candidates.find((candidate) => !hiddenReason(candidate));
  if (!el) return { found: false, hidden: candidates.length > 0 };
  const scrolled = !visibleParts(el).length || !(await askFramesAbove(el));
  if (scrolled) {
    bringIntoView(el, "center");
    await nextFrame();
  }
  return { found: true, scrolled, seen: visibleParts(el).length > 0, target: describe(el) };
}
api.scrollToText = scrollToText;

/** Entry: reference of an element that the protocol has found. */
function adopt({ el }) {
  if (el[dom.nodeType] !== 1 || el[dom.ownerDocument] !== document) return { visible: false };
  return { ref: refOf(el), doc, visible: isVisible(el) };
}
api.adopt = adopt;
