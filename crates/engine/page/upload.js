// Files into file inputs: which input an element leads to, and what the input holds afterwards. Invariant: an input is
// taken for an element only when no other one could be meant.

/** Levels above an element at which the input beside it is looked for. */
const UPLOAD_LEVELS = 4;
const UPLOAD_NEIGHBOURS = "a[href],button,input:not([type=hidden i]),select,textarea,[role=button],[contenteditable=true i]";

function isFileInput(el) {
  return el[dom.localName] === "input" && el.type === "file";
}

function fileInputsIn(root) {
  const found = [];
  for (const inner of openRoots(root)) found.push(...inner[dom.querySelectorAll]("input[type=file i]"));
  return found;
}

/** `{input, via}` of the one file input that an element leads to; `{many}` when there are several; `{}` for none. */
function leadsTo(el) {
  if (isFileInput(el)) return { input: el, via: "input" };
  const labelled = labelledControl(el);
  if (labelled && isFileInput(labelled)) return { input: labelled, via: "label" };
  const inside = fileInputsIn(el);
  if (inside.length === 1) return { input: inside[0], via: "descendant" };
  if (inside.length > 1) return { many: inside.length };
  return besideIt(el);
}

// The wrapper of an upload component holds its button and its input and nothing else to be used; a toolbar or a form
// holds more, and there only the click tells which input a button is for.
function besideIt(el) {
  let wrapper = composedParent(el);
  for (let level = 0; wrapper && level < UPLOAD_LEVELS; level++, wrapper = composedParent(wrapper)) {
    if (wrapper === document[dom.body]) break;
    const inputs = fileInputsIn(wrapper);
    const others = Array.from(wrapper[dom.querySelectorAll](UPLOAD_NEIGHBOURS)).filter((it) => !inputs.includes(it) && !composedContains(el, it) && !composedContains(it, el));
    if (others.length || inputs.length > 1) break;
    if (inputs.length === 1) return { input: inputs[0], via: level === 0 ? "sibling" : "wrapper" };
  }
  return {};
}

/** What matters of a file input before it gets files. */
function inputFacts(input) {
  return {
    ref: refOf(input), target: describe(input), multiple: input.multiple, directory: input.webkitdirectory === true,
    accept: input[dom.getAttribute]("accept") || undefined, disabled: input[dom.matches](":disabled"),
  };
}

/** Entry: the file input that an element leads to → `{ref, target, button, selection?, via?, input?, many?}`. */
async function fileInput(args) {
  const { el, selection } = await locate(args);
  const { input, via, many } = leadsTo(el);
  return {
    ref: refOf(el), target: describe(el), selection, via, many, input: input && inputFacts(input),
    button: composedClosest(el, "button,a[href],[role=button],input[type=button i],summary") !== null,
  };
}
api.fileInput = fileInput;

/** Entry: facts of an input that the protocol gave a handle of (it need not be in the document). */
function chosenInput(args) {
  if (!isFileInput(args.el)) throw new Refusal("ACTION_FAILED", "not-a-file-input", { target: describe(args.el) });
  return inputFacts(args.el);
}
api.chosenInput = chosenInput;

/** Inputs that are about to get files, and whether they told the page of it. */
const toldOfFiles = new WeakMap();

/** Entry: listens on an input itself: its `change` does not leave a shadow tree, nor an input outside the document. */
function hearFiles({ el }) {
  toldOfFiles.set(el, false);
  el[dom.addEventListener]("change", () => toldOfFiles.set(el, true), { once: true, capture: true });
}
api.hearFiles = hearFiles;

/** Entry: what the input holds now, and whether a `change` told the page of it; it may have left the document. */
function heldFiles(args) {
  const { el } = args;
  return {
    noticed: toldOfFiles.get(el), elementGone: !el[dom.isConnected], filesLength: el.files ? el.files.length : 0,
    names: Array.from(el.files || [], (file) => file.name).slice(0, 50), value: el.value, disabled: el[dom.matches](":disabled"),
  };
}
api.heldFiles = heldFiles;
