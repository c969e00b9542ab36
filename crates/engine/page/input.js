// Text into fields, options of native selects. Invariants: whether a field may be edited is checked before anything is
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
  const control = own ? el : el[dom.localName] === "label" ? el.control : null;
  return control && fieldKind(control) ? control : null;
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
  const hidden = hiddenReason(field);
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
  return fieldKind(el) === "editable" ? editableText(el) : el.value;
}

/** True when a field shows what was meant, allowing only for how the field itself stores it. */
function sameText(el, wanted) {
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

// ---- preparing -----------------------------------------------------------------------------------------------------

/**
 * Entry: makes a field ready for text: checks, scrolls, focuses, selects all (or puts the caret at the end).
 * A segmented field, and any field in mode `js`, is set at once (`done:true`).
 */
async function prepareInput(args) {
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
    maxLength: field[dom.maxLength] > 0 ? field[dom.maxLength] : undefined, point: centreOfBox(field),
  };
  expectations.set(field, { wanted, before });
  if (kind === "segmented" || args.mode === "js") return { ...reply, done: true, ...setByScript(field, kind, wanted, args.mode) };
  bringFieldIntoView(field);
  await focusField(field);
  if (args.append) await caretToEnd(field, kind);
  else await selectAll(field, kind);
  // A page that moves the focus on does so in a later task: the text would go to whatever has it then.
  await pause(0);
  if (!holdsFocus(field)) refuseFocus(field);
  watchInput(field);
  return { ...reply, text, point: centreOfBox(field) };
}
api.prepareInput = prepareInput;

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

function bringFieldIntoView(field) {
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
  return active === field || (active && composedContains(field, active)) || inClosedRoot || document[dom.designMode] === "on";
}

async function focusField(field) {
  for (let attempt = 0; attempt < 2; attempt++) {
    field[dom.focus]({ preventScroll: true });
    if (holdsFocus(field)) return;
    await pause(0);
  }
  refuseFocus(field);
}

function refuseFocus(field) {
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
  const listen = (event) => {
    const node = event.isTrusted && event.composedPath()[0];
    if (!node || node[dom.nodeType] !== 1) return;
    if (composedContains(field, node) || hosts.includes(node)) watch.received++;
    else watch.stray = watch.stray || node;
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

function whereInputWent(field) {
  const watch = inputWatches.get(field);
  if (!watch) return {};
  watch.end();
  return { received: watch.received, stray: watch.stray ? describe(watch.stray) : undefined };
}

// ---- reading back --------------------------------------------------------------------------------------------------

/** Entry: what a field holds after input; `events` adds the `change` that a person's leaving the field would bring. */
function readBack(args) {
  const known = refs.get(args.ref);
  const went = known && known.node.deref() ? whereInputWent(known.node.deref()) : {};
  // Whatever became of the field, a text that went elsewhere must be told.
  if (went.stray) return { matches: false, ...went, focused: focusFacts() };
  const field = elementOf(args.ref);
  if (args.events && fieldKind(field) !== "editable") field[dom.dispatchEvent](new Event("change", { bubbles: true }));
  if (!field[dom.isConnected]) return { gone: true, matches: false, ...went, focused: focusFacts() };
  return { ...fieldState(field, args.text), ...went, focused: focusFacts() };
}
api.readBack = readBack;

function fieldState(field, text) {
  const { wanted, before } = expectations.get(field) || { wanted: text };
  const matches = wanted === "" ? isCleared(field) : wanted === undefined ? undefined : sameText(field, wanted);
  const unchanged = (matches === false && before !== undefined && currentText(field) === before) || undefined;
  return { matches, unchanged, ...valueFacts(field) };
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

// ---- options of native selects --------------------------------------------------------------------------------------
// A collapsed list has no boxes to click at, so an option is chosen through the DOM. `input` and `change` fire once when
// the choice changed, never when it was there already.

/** The `<option>` of a drop-down list that the arguments name, or null; a list box is clicked like any element. */
async function collapsedOption(args) {
  const { el, selection } = await locate(args).catch((error) => {
    if (error instanceof Refusal) return {};
    throw error;
  });
  if (!el || el[dom.localName] !== "option") return null;
  const select = el[dom.closest]("select");
  return select && !select.multiple && select.size <= 1 ? { el, select, selection } : null;
}

/** Chooses the option under a watch; the reply says `done:true` because there is nothing left to click. */
function clickOption({ el, select, selection }) {
  refuseDisabledOption(el, select);
  const watch = armWatch(null, "none", false);
  const already = chooseOption(select, el);
  return {
    watch: watch.id, done: true, via: "option", ref: refOf(el), target: describe(el), selection, alreadySet: already,
    matches: el.selected, before: { url: watch.before.url, textLength: watch.before.text.length },
  };
}

function refuseDisabledOption(option, select) {
  const disabled = disabledReason(select) || disabledReason(option);
  if (disabled) throw new Refusal("ELEMENT_DISABLED", disabled, { target: describe(option) });
}

/** Selects; true when it was selected before. */
function chooseOption(select, option) {
  if (option.selected) return true;
  select[dom.focus]({ preventScroll: true });
  option.selected = true;
  fireInputAndChange(select);
  return false;
}

function optionLabel(option) {
  return option.label || option.text;
}

/** Entry: chooses an option of a `<select>` by label (exact, else with folded white space) → `{selected, alreadySet, watch}`. */
async function selectOption(args) {
  const { el, selection } = await locate(args);
  const select = el[dom.localName] === "label" && el.control ? el.control : el;
  if (select[dom.localName] !== "select") throw new Refusal("ACTION_FAILED", "not-a-select", { target: describe(el) });
  const options = Array.from(select.options);
  const wanted = String(args.text);
  const option = options.find((o) => optionLabel(o) === wanted) || options.find((o) => foldSpace(optionLabel(o)) === foldSpace(wanted));
  if (!option) {
    const labels = options.slice(0, 20).map((o) => cut(foldSpace(optionLabel(o)), 80));
    throw new Refusal("ELEMENT_NOT_FOUND", "option-not-found", { text: wanted, options: labels, optionCount: options.length });
  }
  refuseDisabledOption(option, select);
  const watch = armWatch(null, "none", false);
  const already = chooseOption(select, option);
  return {
    watch: watch.id, ref: refOf(select), target: describe(select), selection, alreadySet: already, matches: option.selected,
    selected: Array.from(select.selectedOptions, (o) => foldSpace(optionLabel(o))),
  };
}
api.selectOption = selectOption;

/** Entry: labels and states of the options of a `<select>`. */
async function selectOptions(args) {
  const { el } = await locate(args);
  if (el[dom.localName] !== "select") throw new Refusal("ACTION_FAILED", "not-a-select", { target: describe(el) });
  return {
    options: Array.from(el.options, (o) => ({ text: foldSpace(optionLabel(o)), value: o.value, selected: o.selected, disabled: o.disabled || undefined })),
  };
}
api.selectOptions = selectOptions;
