// The controls of a form as a person sees them: name, live value, marks, and what the page objects to. Invariants: no
// value of a secret field is returned; what a field shows, what was typed into it and what it stands for are told apart.

const NATIVE_CONTROLS = "input,textarea,select";
/** Controls that components build from other elements; one that holds a native control is told by that one. */
const BUILT_CONTROLS =
  "[role=switch],[role=checkbox],[role=radio],[role=textbox],[role=searchbox],[role=combobox],[role=spinbutton],[role=slider]," + EDITABLE;
const FORM_ITEMS = ".ant-form-item,.form-item,.el-form-item,[class*=form-item]";
const REQUIRED_ITEMS = ".is-required,.ant-form-item:has(.ant-form-item-required)";
const ERROR_WORD = /\berror\b/;
const PICKERS = CUSTOM_SELECTS + ",.ant-picker,.el-date-editor,.el-cascader,.arco-picker,.n-date-picker,.ivu-date-picker";

/** Fields in which a custom select is searched: their text is never its value. */
const SEARCH_FIELDS = ".ant-select:not(.ant-select-auto-complete) input[type=search],.el-select__input,.select2-search__field,.ts-control > input";

/** Entry: the controls of a scope (default: the document) in document order, at most `max` of them as records. */
function readForm(args) {
  const scope = scopeOf(args);
  const all = scope.el ? controlsWithin(scope.chosen ? scope.el : document) : [];
  const seen = all.filter((el) => args.includeHidden || (!isHiddenInput(el) && standsVisible(el)));
  indexLabels(openRoots(document));
  try {
    const fields = seen.map(fieldRecord);
    const errors = fields.filter((field) => field.invalid).map(({ label, id, error }) => ({ label, id, error }));
    return { ...identity(), fields: fields.slice(0, args.max), count: fields.length, errorCount: errors.length, errors: errors.slice(0, args.max), chosen: scope.chosen };
  } finally {
    labelsByControl = null;
  }
}
api.formState = readForm;

/** Native and built controls below a root; the root itself when it is one. */
function controlsWithin(root) {
  const css = NATIVE_CONTROLS + "," + BUILT_CONTROLS;
  const found = [];
  if (root[dom.nodeType] === 1 && root[dom.matches](css)) found.push(root);
  if (root[dom.shadowRoot]) collectMatches(root[dom.shadowRoot], css, found);
  collectMatches(root, css, found);
  return found.filter((el) => FIELD_TAGS.has(el[dom.localName]) || !el[dom.querySelector](NATIVE_CONTROLS));
}

function isHiddenInput(el) {
  return el[dom.localName] === "input" && el.type === "hidden";
}

/** True when a person sees the control, or what stands for it: the label or wrapper of a styled mark, the box of a select. */
function standsVisible(el) {
  if (isVisible(el)) return true;
  const { el: stand } = clickable(el);
  if (stand !== el) return isVisible(stand);
  const label = el[dom.localName] === "input" && el.type === "file" ? labelsOf(el)[0] || el[dom.parentElement] : null;
  const box = label || composedClosest(el, CUSTOM_SELECTS);
  return Boolean(box && box !== el && isVisible(box));
}

function fieldRecord(el) {
  const item = composedClosest(el, FORM_ITEMS);
  const problem = problemOf(el, item);
  const facts = shownFacts(el);
  const placeholder = placeholderOf(el);
  return {
    ref: shownRef(el),
    label: nameOf(el, false),
    id: el[dom.id] || "",
    name: el[dom.getAttribute]("name") || "",
    type: typeOf(el),
    ...facts,
    ...markFacts(el),
    disabled: disabledReason(el) !== null,
    readOnly: Boolean(el[dom.readOnly]) || el[dom.getAttribute]("aria-readonly") === "true",
    required: isRequired(el, item),
    visible: standsVisible(el),
    invalid: problem !== "",
    error: problem === "true" ? "" : problem,
    // Some components show the chosen text in the element of the placeholder.
    placeholder: placeholder === facts.value ? "" : placeholder,
  };
}

/** Reference of a control, or of the label, mark or wrapper by which the page text lists a styled one; undefined for none. */
function shownRef(el) {
  if (numbers.has(el)) return numbers.get(el);
  const around = el[dom.parentElement] ? Array.from(el[dom.parentElement][dom.children]).slice(0, 8) : [];
  for (let node = el[dom.parentElement]; node && around.length < 12; node = node[dom.parentElement]) around.push(node);
  const stand = [...labelsOf(el), ...around].find((node) => numbers.has(node) && (node.control === el || hiddenFieldOf(node) === el));
  return stand && numbers.get(stand);
}

/** `type` of a native control (`select-one`, `textarea` …), else its role, else `contenteditable`. */
function typeOf(el) {
  return FIELD_TAGS.has(el[dom.localName]) ? el.type : roleOf(el) || "contenteditable";
}

/**
 * `{value, valueFrom}`, `shown` with the labels that a native select shows, and `typed` where a custom select holds text
 * that is not its value. `valueFrom`: `dom` for the control's own value, `display` for the text that a component shows
 * while its field is empty or being searched in.
 */
function shownFacts(el) {
  if (!FIELD_TAGS.has(el[dom.localName])) return { value: builtValue(el), valueFrom: "dom" };
  const value = liveValue(el);
  if (isSecretField(el)) return { value, valueFrom: "dom" };
  if (el[dom.localName] === "select") return { value, valueFrom: "dom", shown: Array.from(el.selectedOptions, optionLabel).map(foldSpace).join(", ") };
  if (value && el[dom.matches](SEARCH_FIELDS)) return { value: chosenText(el), valueFrom: "display", typed: value };
  const shown = displayedValue(el) || (value ? "" : pickerText(el));
  if (!shown || shown === value) return { value, valueFrom: "dom" };
  return { value: shown, valueFrom: "display", typed: value || undefined };
}

/** What a custom select has as its value, also while a search hides it; "" when the page does not hold it meanwhile. */
function chosenText(el) {
  const box = composedClosest(el, CUSTOM_SELECTS);
  const nodes = box ? displayNodes(box) : [];
  const texts = nodes.filter((node) => !node[dom.matches](PLACEHOLDERS) && !node[dom.contains](el)).map(hiddenChoiceOf);
  return texts.filter(Boolean).join(", ");
}

// A search hides the choice, so what it says is taken whether or not it can be seen.
function hiddenChoiceOf(node) {
  const remover = node[dom.querySelector]("button,[class*=clear],[class*=remove],[class*=close]");
  const whole = foldSpace(node[dom.textContent]);
  const taken = remover ? foldSpace(remover[dom.textContent]) : "";
  if (!taken) return whole;
  return whole.startsWith(taken) ? whole.slice(taken.length).trim() : whole.endsWith(taken) ? whole.slice(0, -taken.length).trim() : whole;
}

function builtValue(el) {
  if (CHECKED_ROLES.has(roleOf(el))) return "";
  if (el[dom.isContentEditable]) return innerTextOf(el);
  const told = el[dom.getAttribute]("aria-valuetext") || el[dom.getAttribute]("aria-valuenow");
  return told || (roleOf(el) === "combobox" ? shortText(el, LONG_LIMIT) : el[dom.getAttribute]("value") || "");
}

/** What a picker or combobox whose field is empty shows in an element of its own, placeholders left out. */
function pickerText(el) {
  if (el[dom.localName] !== "input" || !/^(text|search|)$/.test(el.type)) return "";
  const box = composedClosest(el, PICKERS) || (roleOf(el) === "combobox" ? el[dom.parentElement] : null);
  if (!box || box[dom.querySelectorAll](NATIVE_CONTROLS).length !== 1 || box[dom.matches]("form,body")) return "";
  const shown = Array.from(box[dom.querySelectorAll]("[class*=selection-item],[class*=selected-item],[class*=display],[class*=single-value]"));
  const node = shown.find((one) => !one[dom.matches](PLACEHOLDERS) && !one[dom.contains](el) && shortText(one, 1));
  return node ? shortText(node, LONG_LIMIT) : "";
}

/** `{checked, indeterminate?}` of checkboxes, radios and switches, native or by role. */
function markFacts(el) {
  const checked = checkedFact(el);
  if (checked === undefined) return {};
  return checked === "mixed" ? { checked: false, indeterminate: true } : { checked: checked === "true" };
}

function isRequired(el, item) {
  return Boolean(el[dom.required]) || el[dom.getAttribute]("aria-required") === "true" || Boolean(item && composedClosest(el, REQUIRED_ITEMS));
}

/** Why a control is refused: its message, "true" when the page gives none, "" when nothing marks it. */
function problemOf(el, item) {
  const told = invalidMessage(el);
  if (told) return told;
  const marked = [item, el, el[dom.parentElement]].some((node) => node && ERROR_WORD.test(node[dom.getAttribute]("class") || ""));
  return marked || el[dom.getAttribute]("aria-invalid") === "true" ? messageIn(item || el[dom.parentElement]) || "true" : "";
}
