// Text into fields. Invariants: whether a field may be edited is checked before anything is
// touched; values that a keyboard cannot enter are set through the native setter; a secret value never leaves the page.

/** Input types whose value is set as a whole, in the form that the DOM uses. */
const VALUE_FORMS = {
  date: "YYYY-MM-DD", time: "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM", month: "YYYY-MM", week: "YYYY-Www", color: "#rrggbb",
  range: "number",
};
const NO_TEXT = /^(checkbox|radio|button|submit|reset|image|file|hidden)$/;

/** What the text of each prepared field should read in the end. */
const expectations = new WeakMap();

/** `text` (input, textarea), `editable`, `segmented` (set as a value), or null when no text goes in there. */
function fieldKind(el) {
  if (el[dom.localName] === "textarea") return "text";
  if (el[dom.localName] === "input") return NO_TEXT.test(el.type) ? null : VALUE_FORMS[el.type] ? "segmented" : "text";
  if (el[dom.localName] === "div" && el.editContext) return "editable";
  return el[dom.isContentEditable] || (document[dom.designMode] === "on" && el instanceof HTMLElement) ? "editable" : null;
}

/** The field meant by an element: itself, its editing host, or the control that it labels. */
function fieldOf(el) {
  const own = fieldKind(el);
  if (own === "editable") {
    let host = el;
    while (host[dom.parentElement] && host[dom.parentElement][dom.isContentEditable]) host = host[dom.parentElement];
    return host;
  }
  const control = own ? el : el[dom.localName] === "label" ? el.control : codeInput(el);
  return control && fieldKind(control) ? control : null;
}

// ---- code editors ----------------------------------------------------------------------------------------------------
// They keep their document to themselves, draw the lines that are in view, and take the keys in an element of their own.

const CODE_EDITORS = ".monaco-editor,.cm-editor,.CodeMirror,.ace_editor";
const CODE_INPUTS = "textarea,[contenteditable=true],.native-edit-context";
const CODE_LINES = ".view-lines .view-line,.cm-content .cm-line,.CodeMirror-code .CodeMirror-line,.ace_text-layer .ace_line";

/** The code editor that a field belongs to, or null. */
function codeEditorOf(field) {
  return composedClosest(field, CODE_EDITORS);
}

/** What takes the keys of the code editor that an element is, or lies in; or null. */
function codeInput(el) {
  const editor = codeEditorOf(el);
  return editor && editor[dom.querySelector](CODE_INPUTS);
}

/** The lines that a code editor draws, from the top. */
function codeLines(editor) {
  const lines = Array.from(editor[dom.querySelectorAll](CODE_LINES), (line) => ({
    top: line[dom.getBoundingClientRect]().top, text: line[dom.textContent].replace(/\u00a0/g, " ").replace(/[\u200b\ufeff]/g, ""),
  }));
  return lines.sort((a, b) => a.top - b.top).map((line) => line.text);
}

/** How a code editor's drawn lines compare with a text: all of it, or (of a long one) the part that is in view. */
function sameCode(editor, wanted) {
  const drawn = codeLines(editor);
  const lines = wanted.replace(/\r\n?/g, "\n").split("\n");
  if (drawn.join("\n") === lines.join("\n")) return { matches: true };
  const at = lines.length > drawn.length && drawn.length > 0 ? lines.findIndex((_, i) => drawn.every((text, k) => text === lines[i + k])) : -1;
  return at >= 0 ? { matches: true, partlySeen: drawn.length } : { matches: false };
}

/** Refuses a field that must not be written to, in the order of the codes: not editable, read-only, disabled, hidden. */
function checkField(el, mode) {
  const field = fieldOf(el);
  if (!field) throw new Refusal("ELEMENT_NOT_EDITABLE", el[dom.localName] === "select" ? "select" : "no-text-field", notEditableFacts(el));
  const facts = { target: describe(field), ref: refOf(field) };
  const readOnly = field[dom.readOnly] === true && fieldKind(field) !== "editable" && !/^(range|color)$/.test(field[dom.type]);
  if (readOnly || (field[dom.getAttribute]("aria-readonly") || "").toLowerCase() === "true") throw new Refusal("ELEMENT_READ_ONLY", "readonly", facts);
  const disabled = disabledReason(field);
  if (disabled) throw new Refusal("ELEMENT_DISABLED", disabled, facts);
  // What takes the keys of a code editor may have no size: the editor is what is seen.
  const hidden = hiddenReason(codeEditorOf(field) || field);
  if (hidden && mode !== "js") throw new Refusal("ELEMENT_HIDDEN", hidden, facts);
  return field;
}

function notEditableFacts(el) {
  const facts = { target: describe(el), type: el[dom.type] || undefined };
  const inner = Array.from(el[dom.querySelectorAll]("input,textarea,[contenteditable]")).filter((node) => fieldKind(node) && isVisible(node));
  if (inner.length === 1) facts.fieldInside = refOf(inner[0]);
  return facts;
}

// ---- values --------------------------------------------------------------------------------------------------------

/** Text of an editing host as typed: no-break spaces read as spaces, no trailing line break. */
function editableText(el) {
  return (el[dom.innerText] || "").replace(/\u00a0/g, " ").replace(/\n+$/, "");
}

function currentText(el) {
  const editor = codeEditorOf(el);
  if (editor) return codeLines(editor).join("\n");
  return fieldKind(el) === "editable" ? editableText(el) : el.value;
}

/** True when a field shows what was meant, allowing only for how the field itself stores it. */
function sameText(el, wanted) {
  const editor = codeEditorOf(el);
  if (editor) return sameCode(editor, wanted).matches;
  const have = currentText(el);
  if (have === wanted) return true;
  const lines = wanted.replace(/\r\n?/g, "\n");
  if (fieldKind(el) === "editable") return have.replace(/\n+/g, "\n") === lines.replace(/\u00a0/g, " ").replace(/\n+/g, "\n").replace(/\n$/, "");
  if (el[dom.localName] === "textarea") return have === lines;
  if (/^(number|range)$/.test(el.type)) return have !== "" && wanted.trim() !== "" && Number(have) === Number(wanted);
  if (el.type === "color") return have.toLowerCase() === colorForm(wanted);
  if (/^(email|url)$/.test(el.type)) return have === wanted.trim();
  return VALUE_FORMS[el.type] ? have !== "" && have === normalForm(el.type, wanted) : false;
}

function colorForm(text) {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim());
  return (short ? "#" + short[1] + short[1] + short[2] + short[2] + short[3] + short[3] : text.trim()).toLowerCase();
}

/** What an input of this type makes of a text; "" when the text is not of its form. */
function normalForm(type, text) {
  const probe = document[dom.createElement]("input");
  probe.type = type;
  probe.value = text.trim();
  return probe.value;
}

/** `{value}` or `{redacted:true}`, with `validity` when the field refuses its content. */
function valueFacts(el) {
  const facts = isSecretField(el) ? { redacted: true } : { value: currentText(el) };
  if (el[dom.validity] && !el[dom.validity].valid) {
    const broken = [];
    for (const key in el[dom.validity]) if (key !== "valid" && el[dom.validity][key]) broken.push(key);
    facts.invalid = { message: el[dom.validationMessage], reasons: broken };
  }
  return facts;
}

function fireInputAndChange(el) {
  el[dom.dispatchEvent](new Event("input", { bubbles: true, composed: true }));
  el[dom.dispatchEvent](new Event("change", { bubbles: true }));
}

/** Sets a value as a whole. Refuses a text that is not of the field's form; the field then keeps what it had. */
function setWhole(el, text) {
  if (el.type === "color" && text !== "") text = colorForm(text);
  const form = VALUE_FORMS[el.type];
  if (text !== "" && !isOfForm(el.type, text)) {
    throw new Refusal("INVALID_ARGUMENT", "malformed-value", { type: el.type, expected: form, target: describe(el), ref: refOf(el) });
  }
  el.value = text.trim();
  fireInputAndChange(el);
}

function isOfForm(type, text) {
  if (type === "color") return /^#[0-9a-f]{6}$/.test(text);
  if (type === "range") return Number.isFinite(Number(text)) && text.trim() !== "";
  return normalForm(type, text) !== "";
}

// ---- boxes of one character, formatting fields, pickers ----------------------------------------------------------------

/** The row of alike small fields, from this one on, over which a page spreads a code that is typed into the first; or null. */
function boxesFrom(field) {
  if (field[dom.localName] !== "input" || fieldKind(field) !== "text") return null;
  let holder = composedParent(field);
  for (let level = 0; holder && level < 4; level++, holder = composedParent(holder)) {
    const fields = Array.from(holder[dom.querySelectorAll]("input")).filter((el) => fieldKind(el) === "text" && isVisible(el));
    if (fields.length < 2) continue;
    if (fields.length > 12 || !fields.every((el) => isBoxLike(el, field))) return null;
    return fields.slice(fields.indexOf(field));
  }
  return null;
}

function isBoxLike(el, first) {
  if (el.type !== first.type) return false;
  const narrow = el[dom.offsetWidth] <= 80 && Math.abs(el[dom.offsetWidth] - first[dom.offsetWidth]) <= 2;
  return el[dom.maxLength] === 1 || (narrow && Array.from(el.value).length <= 1);
}

/** What each box holds, when the text may have been spread over several; `matches` compares them joined. */
function spreadFacts(field, wanted) {
  const boxes = boxesFrom(field);
  if (!boxes || boxes.length < 2 || !boxes.slice(1).some((box) => box.value)) return null;
  const joined = boxes.map((box) => box.value).join("");
  const secret = boxes.some(isSecretField);
  return { matches: joined === wanted, spread: boxes.map((box) => ({ ref: refOf(box), ...(secret ? {} : { value: box.value }) })) };
}

/** Letters and digits that a mask may put before or behind a text, such as the code of a country. */
const MASK_LITERALS = 3;

/** True when a field shows the text's letters and digits in their order, with separators or fixed parts of its own. */
function isFormatted(field, wanted) {
  const core = (text) => text.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
  const [shown, given] = [core(currentText(field)), core(wanted)];
  if (fieldKind(field) !== "text" || given === "") return false;
  if (shown === given) return true;
  const framed = shown.length <= given.length + MASK_LITERALS && (shown.endsWith(given) || shown.startsWith(given));
  return framed && currentText(field).trim().toLowerCase() !== shown;
}

const DATE_PICKERS = ".ant-picker,.el-date-editor,.arco-picker,.n-date-picker,.ivu-date-picker,.vxe-date-picker";

/** `range` or `single` for a field of a built date or time picker, which takes its text when Enter is pressed; else undefined. */
function pickerKind(field) {
  const box = composedClosest(field, DATE_PICKERS);
  if (!box) return undefined;
  return box[dom.querySelectorAll]("input").length > 1 ? "range" : "single";
}

/** Field to the function that ends the guard: Enter must take the date, never send the form around it. */
const enterGuards = new WeakMap();

function guardEnter(field) {
  const listen = (event) => {
    if (event.key === "Enter") event.preventDefault();
  };
  addEventListener("keydown", listen, { capture: true });
  const end = () => {
    clearTimeout(life);
    removeEventListener("keydown", listen, { capture: true });
    enterGuards.delete(field);
  };
  const life = setTimeout(end, WATCH_LIFE_MS);
  enterGuards.set(field, end);
}

// ---- preparing -----------------------------------------------------------------------------------------------------

/**
 * Entry: makes a field ready for text: checks, scrolls, focuses, selects all (or puts the caret at the end).
 * A segmented field, and any field in mode `js`, is set at once (`done:true`).
 */
async function prepareInput(args) {
  try {
    return await prepareField(args);
  } catch (error) {
    // Some pages draw a field anew when it gets the focus. A selector means the new one; nothing has been entered yet.
    if (typeof args.selector !== "string" || !(error instanceof Refusal) || error.code !== "STALE_ELEMENT") throw error;
    return prepareField(args);
  }
}
api.prepareInput = prepareInput;

async function prepareField(args) {
  const { el, selection } = await locate(args);
  const field = checkField(el, args.mode);
  const kind = fieldKind(field);
  const before = currentText(field);
  const multiline = kind === "editable" || field[dom.localName] === "textarea";
  const given = String(args.text === undefined ? "" : args.text);
  const text = multiline ? given : oneLine(given);
  const wanted = args.append && kind !== "segmented" ? before + text : text;
  if (field[dom.type] === "number" && !args.append && text !== "" && !Number.isFinite(Number(text))) {
    throw new Refusal("INVALID_ARGUMENT", "malformed-value", { type: "number", expected: "number", target: describe(field), ref: refOf(field) });
  }
  const reply = {
    kind, target: refOf(field), field: describe(field), type: field[dom.type] || undefined, selection, alreadySet: sameText(field, wanted),
    empty: before === "", multiline, secret: isSecretField(field) || undefined,
    picker: args.append || args.mode === "js" ? undefined : pickerKind(field), point: centreOfBox(field),
  };
  expectations.set(field, { wanted, before });
  if (kind === "segmented" || args.mode === "js") return { ...reply, done: true, ...setByScript(field, kind, wanted, args.mode) };
  bringFieldIntoView(field);
  await focusField(field);
  const code = Boolean(codeEditorOf(field));
  if (!code) await (args.append ? caretToEnd(field, kind) : selectAll(field, kind));
  // A page that moves the focus on does so in a later task: the text would go to whatever has it then.
  await pause(0);
  if (!holdsFocus(field)) refuseFocus(field);
  watchInput(field);
  if (reply.picker && text !== "") guardEnter(field);
  return { ...reply, text, code: code || undefined, point: centreOfBox(field) };
}

function centreOfBox(el) {
  const rect = el[dom.getBoundingClientRect]();
  return { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 };
}

function setByScript(field, kind, wanted, mode) {
  if (mode !== "js" && !hiddenReason(field)) {
    bringFieldIntoView(field);
    field[dom.focus]({ preventScroll: true });
  }
  if (kind === "segmented") setWhole(field, wanted);
  else if (kind === "editable") {
    field[dom.textContent] = wanted;
    fireInputAndChange(field);
  } else {
    field.value = wanted;
    fireInputAndChange(field);
  }
  return { matches: wanted === "" ? isCleared(field) : sameText(field, wanted), ...valueFacts(field) };
}

// A colour or a slider has no empty state: clearing puts it back to what it shows without a value.
function isCleared(el) {
  return /^(color|range)$/.test(el.type) || currentText(el).trim() === "";
}

function bringFieldIntoView(inner) {
  const field = codeEditorOf(inner) || inner;
  if (!visibleParts(field).length) bringIntoView(field, "center");
}

/**
 * A text for a field of one line. A line break would be taken for the Enter key, which sends the form; the field itself
 * reads one as a space when text is pasted.
 */
function oneLine(text) {
  return text.replace(/[\r\n]+$/, "").replace(/\r\n|\r|\n/g, " ");
}

function holdsFocus(field) {
  const active = deepActive();
  const inClosedRoot = closedRootsOf(field).some((root) => root[dom.host] === active);
  // The body of an editor's frame has the focus of its document whenever nothing else has.
  const asBody = !active && field === document[dom.body] && document.hasFocus();
  return active === field || asBody || (active && composedContains(field, active)) || inClosedRoot || document[dom.designMode] === "on";
}

async function focusField(field) {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (field === document[dom.body]) window.focus();
    field[dom.focus]({ preventScroll: true });
    if (holdsFocus(field)) return;
    await pause(0);
  }
  refuseFocus(field);
}

function refuseFocus(field) {
  if (!field[dom.isConnected]) throw new Refusal("STALE_ELEMENT", "removed", { target: describe(field) });
  const point = centreOfBox(field);
  const hit = hitAt(field, point.x, point.y);
  // A modal dialog makes the rest of the page inert: nothing there can be focused.
  if (judgeHit(field, hit) === "cover") {
    throw new Refusal("ELEMENT_OBSCURED", "covered", { target: describe(field), ref: refOf(field), ...coverFacts(field, hit, "cover") });
  }
  const active = deepActive();
  throw new Refusal("ACTION_FAILED", "focus-refused", { target: describe(field), ref: refOf(field), focused: active ? describe(active) : undefined });
}

async function selectAll(field, kind) {
  if (kind !== "editable") return field.select();
  return placeSelection(() => getSelection().selectAllChildren(field));
}

async function caretToEnd(field, kind) {
  if (kind === "editable") {
    return placeSelection(() => {
      const selection = getSelection();
      selection.selectAllChildren(field);
      selection.collapseToEnd();
    });
  }
  try {
    field.setSelectionRange(field.value.length, field.value.length);
  } catch (error) {
    // Number and e-mail fields have no caret positions in the DOM; the editing caret can still be moved.
    field.select();
    getSelection().modify("move", "forward", "lineboundary");
  }
}

// Rich editors copy the selection when they are told about it, which happens in a later task.
async function placeSelection(place) {
  const told = new Promise((done) => {
    document[dom.addEventListener]("selectionchange", done, { once: true, capture: true });
    setTimeout(done, 40);
  });
  place();
  await told;
  await pause(0);
}

// ---- where the text really went ------------------------------------------------------------------------------------

/** Field to `{received, stray, end}`: trusted input events that it got, and the first other element that got one. */
const inputWatches = new WeakMap();

function watchInput(field) {
  const earlier = inputWatches.get(field);
  if (earlier) earlier.end();
  const watch = { received: 0, stray: null };
  const hosts = closedRootsOf(field).map((root) => root[dom.host]);
  const boxes = boxesFrom(field) || [];
  const listen = (event) => {
    const node = event.isTrusted && event.composedPath()[0];
    if (!node || node[dom.nodeType] !== 1) return;
    if (composedContains(field, node) || hosts.includes(node)) watch.received++;
    else if (!boxes.includes(node)) watch.stray = watch.stray || node;
  };
  const kinds = ["beforeinput", "input"];
  for (const kind of kinds) addEventListener(kind, listen, { capture: true, passive: true });
  const life = setTimeout(() => watch.end(), WATCH_LIFE_MS);
  watch.end = () => {
    clearTimeout(life);
    for (const kind of kinds) removeEventListener(kind, listen, { capture: true });
  };
  inputWatches.set(field, watch);
}

/** What took a text that was not meant for it, and what it holds now. */
function strayFacts(node) {
  return { ...describe(node), ...(fieldKind(node) && !isSecretField(node) ? { value: cut(currentText(node), 300) } : {}) };
}

function whereInputWent(field) {
  const watch = inputWatches.get(field);
  if (!watch) return {};
  watch.end();
  return { received: watch.received, stray: watch.stray ? strayFacts(watch.stray) : undefined };
}

// ---- reading back --------------------------------------------------------------------------------------------------

/** How long a code editor may take to draw what was entered (ms). */
const DRAWN_MS = 400;

/** Entry: what a field holds after input; `events` adds the `change` that a person's leaving the field would bring. */
async function readBack(args) {
  const known = refs.get(args.ref);
  const went = known && known.node.deref() ? whereInputWent(known.node.deref()) : {};
  // Whatever became of the field, a text that went elsewhere must be told, with what the field itself holds.
  if (went.stray) {
    const meant = known.node.deref();
    return { matches: false, ...(meant[dom.isConnected] ? valueFacts(meant) : { gone: true }), ...went, focused: focusFacts() };
  }
  const field = elementOf(args.ref);
  const editor = codeEditorOf(field);
  if (editor) {
    const drawn = () => !field[dom.isConnected] || fieldState(field, args.text).matches;
    await untilSeen(drawn, DRAWN_MS, () => DRAWN_MS);
    // Their keys do not come as input events, and what they draw is what they hold.
    delete went.received;
  }
  if (args.events && fieldKind(field) !== "editable") field[dom.dispatchEvent](new Event("change", { bubbles: true }));
  if (args.leave) field.blur();
  const endGuard = enterGuards.get(field);
  if (endGuard) endGuard();
  if (!field[dom.isConnected]) return { gone: true, matches: false, ...went, focused: focusFacts() };
  return { ...fieldState(field, args.text), ...went, focused: focusFacts() };
}
api.readBack = readBack;

function fieldState(field, text) {
  const { wanted, before } = expectations.get(field) || { wanted: text };
  const matches = wanted === "" ? isCleared(field) : wanted === undefined ? undefined : sameText(field, wanted);
  const spread = matches === false ? spreadFacts(field, wanted) : null;
  if (spread) return { ...valueFacts(field), ...spread };
  const unchanged = (matches === false && before !== undefined && currentText(field) === before) || undefined;
  if (matches && wanted && codeEditorOf(field)) return { ...sameCode(codeEditorOf(field), wanted), ...valueFacts(field) };
  if (matches !== false || !wanted) return { matches, unchanged, ...valueFacts(field) };
  const limit = field[dom.maxLength];
  const cutAt = limit > 0 && !boxesFrom(field) && wanted.length > limit && field.value === cut(wanted, limit) ? limit : undefined;
  return { matches, unchanged, cutAt, formatted: isFormatted(field, wanted) || undefined, ...valueFacts(field) };
}

/** Entry: what fields hold one frame later → `{fields:[{ref, value, matches, gone?}]}` for `refs`, or one for `ref`. */
async function afterFrame(args) {
  await nextFrame();
  await pause(0);
  const fields = (args.refs || [args.ref]).map((ref) => {
    const entry = refs.get(ref);
    const field = entry && entry.node.deref();
    if (!field || !field[dom.isConnected]) return { ref, gone: true, matches: false };
    return { ref, ...fieldState(field, args.expected) };
  });
  return args.refs ? { fields } : fields[0];
}
api.afterFrame = afterFrame;
