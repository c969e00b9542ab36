// The facts printed on a control's line, in the fixed order of the specification.
// Live DOM properties win over markup. In brief detail a fact that the tag already implies is not printed.

const LONG_LIMIT = 160;
const MARKUP_TAGS = new Set(["a", "button", "input", "select", "textarea", "details", "summary", "label", "iframe"]);
const FIELD_STATE_TAGS = new Set(["input", "textarea", "select", "option"]);
const NOT_EDITABLE_TYPES = new Set(["checkbox", "radio", "button", "submit", "reset", "file", "hidden", "image"]);
const CHECKED_ROLES = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
const SAYS_NOTHING = new Set(["", "closed", "unchecked", "inactive", "off", "idle", "collapsed", "hidden"]);

/** Cap of texts that only explain (title, placeholder, label …); names and live values are never cut. */
function capped(text) {
  return text.length > LONG_LIMIT ? cut(text, LONG_LIMIT) + "..." : text;
}

/**
 * Attributes of a line as a flat list `[name, value, …]`.
 * `name` is the element's name, `text` what the line prints as its text, `full` asks for every fact, `listed` holds the
 * elements that have a line.
 */
function attributesOf(el, name, text, full, listed) {
  const out = [];
  const state = stateBearer(el, listed);
  const code = codeInputBehind(el);
  const markup = MARKUP_TAGS.has(el[dom.localName]) || hasMarkupMark(el);
  const present = markup ? el[dom.getAttributeNames]() : [];
  const put = (key, value) => out.push(key, value);
  const copy = (key, edit) => {
    const value = present.includes(key) ? el[dom.getAttribute](key) : null;
    if (value || (full && value !== null)) put(key, edit ? edit(value) : value);
  };
  const checked = checkedFact(state);
  copy("title", capped);
  putType(el, state, markup, full, put);
  if (checked !== undefined) put("checked", checked);
  else if (drawnMark(el) !== undefined) put("checked", drawnMark(el));
  if (full || saysMore(el, name || text)) copy("name");
  if (full || (!code && roleOf(el) !== impliedRole(el))) copy("role");
  const shown = !full && showsItsChoice(el, listed);
  if (full || !(shown || isValueImplied(state, name || text))) putValue(el, state, markup, put);
  copy("placeholder", capped);
  copy("data-date-format");
  copy("alt", capped);
  if (full || foldSpace(el[dom.getAttribute]("aria-label") || "") !== text) copy("aria-label", capped);
  const stood = el[dom.localName] === "label" ? null : hiddenFieldOf(el);
  const shownName = code ? nameOf(code, false) : stood && !listed.has(stood) ? nameOf(stood, false) : name;
  if (shownName !== text && !isPrinted(shownName, out)) put("label", capped(shownName));
  putExpanded(el, markup, full, put);
  putDataState(el, markup, full, checked, put);
  if (full || checked === undefined) copy("aria-checked");
  if (el[dom.getAttribute]("aria-pressed") === "true") put("aria-pressed", "true");
  putFormState(el, state, full, put);
  if (code && !isDisabled(code) && !code[dom.readOnly]) put("editable", "true");
  if (el[dom.localName] === "select" && !shown) put("selected-text", capped(Array.from(el.selectedOptions, (option) => foldSpace(option.label)).join(", ")));
  // A canvas has no text, whatever it shows; an area has no place in the page but that on its image.
  if (el[dom.localName] === "canvas") put("text", "none");
  if (el[dom.localName] === "area") put("at", pointOn(el));
  return out;
}

/**
 * The control whose state a line prints: the element itself, or the hidden native field that it stands for when that
 * has no line of its own (styled checkboxes, radios, switches, selects).
 */
function stateBearer(el, listed) {
  const control = el[dom.localName] === "label" ? el.control : hiddenFieldOf(el);
  return control && !listed.has(control) && (control[dom.localName] === "input" && /^(checkbox|radio|file|range)$/.test(control.type)) ? control : el;
}

const STYLED_FIELDS = "input[type=checkbox],input[type=radio],input[role=combobox]";
const STYLED_CHILDREN = ":scope > input[type=checkbox],:scope > input[type=radio]";

/** The one native field that an element without a role of its own hides or overlays, inside it or directly beside it. */
function hiddenFieldOf(el) {
  if (!/^(div|span|i)$/.test(el[dom.localName]) || roleOf(el)) return null;
  let fields = el[dom.querySelectorAll](STYLED_FIELDS);
  if (!fields.length && el[dom.parentElement]) fields = el[dom.parentElement][dom.querySelectorAll](STYLED_CHILDREN);
  if (fields.length !== 1) return null;
  if (roleOf(fields[0]) === "combobox") return fields[0];
  const rect = fields[0][dom.getBoundingClientRect]();
  return rect.width <= 1 || rect.height <= 1 || !isVisible(fields[0]) ? fields[0] : null;
}

function hasMarkupMark(el) {
  return (
    el[dom.hasAttribute]("onclick") || el[dom.hasAttribute]("role") || el[dom.hasAttribute]("tabindex") || el[dom.hasAttribute]("data-action") ||
    el[dom.getAttribute]("contenteditable") === "true"
  );
}

/** Types that a tag has anyway, or that make no difference to a person. */
const IMPLIED_TYPES = { button: new Set(["button", "submit"]), input: new Set(["text"]) };

/** Whether a form's own word for a field tells more than its name: for radios, which of them exclude each other. */
function saysMore(el, name) {
  return !name || (el.type === "radio" && !/\d{2,}|^:r/.test(el[dom.getAttribute]("name") || ""));
}

/** Whether a select is a list whose chosen options have lines of their own. */
function showsItsChoice(el, listed) {
  if (el[dom.localName] !== "select" || !(el.multiple || el.size > 1)) return false;
  return el.selectedOptions.length > 0 && Array.from(el.selectedOptions).every((option) => listed.has(option));
}

/** Whether the value is what a form would send, while the line already says what a person chooses. */
function isValueImplied(state, name) {
  const tag = state[dom.localName];
  if (tag === "select") return Array.from(state.selectedOptions, (option) => option.label.trim()).some(Boolean);
  return Boolean(name) && (tag === "option" || (tag === "input" && /^(checkbox|radio)$/.test(state.type)) || tag === "button");
}

function putType(el, state, markup, full, put) {
  if (state !== el) return put("type", state.type);
  const type = markup ? el[dom.getAttribute]("type") : null;
  if (type !== null && (full || !IMPLIED_TYPES[el[dom.localName]]?.has(type.toLowerCase()))) put("type", type);
}

/** "true", "false" or "mixed" for checkboxes, radios and switches, native or by role; undefined for all others. */
function checkedFact(el) {
  if (el[dom.localName] === "input" && (el.type === "checkbox" || el.type === "radio")) return el.indeterminate ? "mixed" : String(el.checked);
  if (!CHECKED_ROLES.has(roleOf(el))) return undefined;
  return el[dom.getAttribute]("aria-checked") || "false";
}

const DRAWN_MARK = /(?:^|[\s-])(?:checkbox|radio)[-_](unchecked|checked|indeterminate|half)(?:[-_]fill)?(?:\s|$)/;

/** State of a checkbox or radio that a library draws with an icon alone, as `checked` tells it; undefined for all others. */
function drawnMark(el) {
  if (!/^(span|div|i)$/.test(el[dom.localName]) || roleOf(el)) return undefined;
  for (const part of [el, ...el[dom.children]]) {
    const told = DRAWN_MARK.exec(part[dom.getAttribute]("class") || "");
    if (told) return { unchecked: "false", checked: "true" }[told[1]] || "mixed";
  }
  return undefined;
}

/** Where a code editor takes the keys, seen from the lines that it draws and a person clicks; null elsewhere. */
function codeInputBehind(el) {
  if (el[dom.localName] !== "div" || isEditingHost(el) || !/^(presentation|none|)$/.test(roleOf(el))) return null;
  return codeInput(el);
}

const IMPLIED_ROLES = { a: "link", button: "button", select: "combobox", textarea: "textbox", option: "option", summary: "button" };
const IMPLIED_INPUT_ROLES = {
  button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider",
  number: "spinbutton", search: "searchbox",
};

function impliedRole(el) {
  if (el[dom.localName] !== "input") return IMPLIED_ROLES[el[dom.localName]] || "";
  return IMPLIED_INPUT_ROLES[el.type] || "textbox";
}

// ---- values --------------------------------------------------------------------------------------------------------

function putValue(el, state, markup, put) {
  const tag = state[dom.localName];
  if (tag === "input" && (state.type === "checkbox" || state.type === "radio")) {
    if (state[dom.hasAttribute]("value")) put("value", liveValue(state));
  } else if (FIELD_STATE_TAGS.has(tag)) put("value", liveValue(state) || displayedValue(state));
  else if (tag === "progress" || tag === "meter") put("value", el[dom.hasAttribute]("value") ? `${el.value}/${el.max}` : "");
  else if (markup && el[dom.hasAttribute]("value")) put("value", el[dom.getAttribute]("value"));
  else if (el[dom.hasAttribute]("aria-valuetext") || el[dom.hasAttribute]("aria-valuenow")) put("value", el[dom.getAttribute]("aria-valuetext") || el[dom.getAttribute]("aria-valuenow"));
}

/**
 * Live value of a field as text: `[redacted]` for secrets (also when empty, so that length and presence stay unknown),
 * a JSON list for a multiple select, file names for a file input.
 */
function liveValue(el) {
  if (isSecretField(el)) return REDACTED;
  if (el[dom.localName] === "select" && el.multiple) return JSON.stringify(Array.from(el.selectedOptions, (option) => option.value));
  if (el[dom.localName] === "input" && el.type === "file") return Array.from(el.files, (file) => file.name).join(", ");
  return el.value;
}

const DISPLAY_NODES =
  ".ant-select-selection-item,.el-select__selected-item:not(.is-hidden),.el-select__tags-text,.arco-select-view-value," +
  ".n-base-selection-label__render-label,.n-base-selection-input__content,.ivu-select-selected-value,.vxe-select--label," +
  ".select2-selection__rendered,.ts-control > .item,[class*=singleValue]";
const CUSTOM_SELECTS = ".ant-select,.el-select,.arco-select,.n-base-selection,.ivu-select,.vxe-select,.select2,.ts-wrapper,[class*=-control]";

// element-plus shows the chosen text in its placeholder element, which is transparent only while nothing is chosen.
const PLACEHOLDERS = "[class*=placeholder]:not(.el-select__placeholder),.is-transparent";

/** What a custom select shows as its value while its own text field is empty; "" when it shows none. */
function displayedValue(el) {
  if (el[dom.localName] !== "input" || (roleOf(el) !== "combobox" && !el[dom.readOnly])) return "";
  const box = composedClosest(el, CUSTOM_SELECTS);
  if (!box) return "";
  const texts = [];
  for (const node of displayNodes(box)) {
    const text = node[dom.matches](PLACEHOLDERS) || node[dom.querySelector](PLACEHOLDERS) ? "" : chosenTextOf(node);
    if (text && !node[dom.contains](el)) texts.push(text);
  }
  return texts.join(", ");
}

/** What shows the choices of a custom select: of nodes in one another the inner ones, so that nothing is told twice. */
function displayNodes(box) {
  const nodes = Array.from(box[dom.querySelectorAll](DISPLAY_NODES));
  return nodes.filter((node) => !nodes.some((inner) => inner !== node && node[dom.contains](inner)));
}

/** Text of a choice without that of the button beside it which takes it back. */
function chosenTextOf(node) {
  const remover = node[dom.querySelector]("button,[class*=clear],[class*=remove],[class*=close]");
  return remover ? cut(contentText(node, remover), LONG_LIMIT) : shortText(node, LONG_LIMIT);
}

// ---- name and states -----------------------------------------------------------------------------------------------

const NAMING = new Set(["title", "aria-label", "placeholder", "alt"]);

/** True for an empty name and for one that an attribute of the line says already. */
function isPrinted(name, out) {
  if (!name) return true;
  for (let i = 0; i < out.length; i += 2) {
    if ((NAMING.has(out[i]) || (out[i] === "value" && BUTTON_INPUTS.has(out[out.indexOf("type") + 1]))) && foldSpace(out[i + 1]) === name) return true;
  }
  return false;
}

function putExpanded(el, markup, full, put) {
  const own = el[dom.localName] === "summary" && el[dom.parentElement][dom.localName] === "details" ? String(el[dom.parentElement].open) : el[dom.getAttribute]("aria-expanded");
  if (own === null || !(markup || own === "true")) return;
  if (full || own === "true") put("aria-expanded", own);
}

function putDataState(el, markup, full, checked, put) {
  const value = markup ? el[dom.getAttribute]("data-state") : null;
  if (value === null) return;
  const repeated = (value === "open" && el[dom.getAttribute]("aria-expanded") === "true") || (value === "checked" && checked === "true");
  if (full || !(repeated || SAYS_NOTHING.has(value))) put("data-state", value);
}

function putFormState(el, state, full, put) {
  const field = FIELD_STATE_TAGS.has(state[dom.localName]);
  const flag = (key, value, always) => (value || always) && put(key, String(value));
  const disabled = isDisabled(state);
  const readOnly = Boolean(state[dom.readOnly]) || el[dom.getAttribute]("aria-readonly") === "true";
  flag("required", Boolean(state[dom.required]) || el[dom.getAttribute]("aria-required") === "true", full && field && state[dom.localName] !== "option");
  const problem = invalidMessage(state);
  if (problem) put("invalid", problem);
  flag("readonly", readOnly && (field || isEditingHost(el)), full && field);
  flag("disabled", disabled, full && field);
  const editable = !disabled && !readOnly && isTextual(state);
  if (full && field) put("editable", String(editable));
  else if (isEditingHost(el) && !disabled && !readOnly) put("editable", "true");
  flag("selected", state[dom.localName] === "option" ? state.selected : el[dom.getAttribute]("aria-selected") === "true", full && state[dom.localName] === "option");
}

/** Disabled by its own attribute, by a disabled fieldset, or by `aria-disabled`. */
function isDisabled(el) {
  return el[dom.matches](":disabled") || el[dom.getAttribute]("aria-disabled") === "true";
}

function isTextual(el) {
  return el[dom.localName] === "textarea" || (el[dom.localName] === "input" && !NOT_EDITABLE_TYPES.has(el.type));
}

const ERROR_ITEM = ".ant-form-item-has-error,.el-form-item.is-error,.arco-form-item-status-error,.ivu-form-item-error,.has-error,.is-invalid";
const ERROR_TEXT =
  ".ant-form-item-explain-error,.el-form-item__error,.arco-form-item-message,.ivu-form-item-error-tip,.invalid-feedback," +
  ".help-block,.field-error,.error-message,[role=alert]";

/** Why a field is marked invalid: its message, "true" when the page gives none, "" when it is not marked. */
function invalidMessage(el) {
  if (!isField(el)) return "";
  const item = composedClosest(el, ERROR_ITEM);
  const aria = el[dom.getAttribute]("aria-invalid");
  const marked = item || (aria && aria !== "false");
  const native = !marked && el[dom.matches](":user-invalid");
  if (!marked && !native) return "";
  if (native) return capped(foldSpace(el[dom.validationMessage] || "")) || "true";
  return capped(referencedMessage(el) || (item ? messageIn(item[dom.matches]("input,textarea,select") ? item[dom.parentElement] : item) : "")) || "true";
}

function messageIn(item) {
  const node = item && item[dom.querySelector](ERROR_TEXT);
  return node ? shortText(node, LONG_LIMIT) : "";
}

function referencedMessage(el) {
  const ids = el[dom.getAttribute]("aria-errormessage") || el[dom.getAttribute]("aria-describedby");
  const root = el[dom.getRootNode]();
  const texts = ids && root[dom.getElementById] ? ids.trim().split(/\s+/).map((id) => root[dom.getElementById](id)) : [];
  return texts.filter(Boolean).map((node) => shortText(node, LONG_LIMIT)).filter(Boolean).join(" ");
}
