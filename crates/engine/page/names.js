// The name of a control: its accessible name, and where a page gives none, the label that a person reads beside it.
// Invariant: a name never contains the control's own value and never more than NAME_LIMIT characters.

const NAME_LIMIT = 160;
const FIELD_TAGS = new Set(["input", "textarea", "select"]);
const BUTTON_INPUTS = new Set(["button", "submit", "reset"]);
const FORM_ITEM = /(^|[\s_-])(form|field)[-_]*(item|group|row|control|field)?([\s_-]|$)|control-group|(^|[\s-])cell([\s_-]|$)/i;
const EDITABLE = "[contenteditable='']:not(body),[contenteditable='true']:not(body),[contenteditable='plaintext-only']:not(body)";
const CONTROLS = "input:not([type=hidden]),textarea,select,[role=combobox],[role=textbox],[role=spinbutton]," + EDITABLE;

const NOT_A_LABEL = CONTROLS + ",button,a[href],[role=button],[role=tab],h1,h2,h3,h4,h5,h6,ul,ol,table,map";

/** True for what takes a value: native fields, roles that stand for one, and editable regions. */
function isField(el) {
  if (el[dom.localName] === "input") return !BUTTON_INPUTS.has(el.type) && el.type !== "image";
  if (FIELD_TAGS.has(el[dom.localName])) return true;
  // Asked of every control: the selector is long, and most have neither.
  if (!el[dom.hasAttribute]("role") && !el[dom.hasAttribute]("contenteditable")) return false;
  return el[dom.matches]("[role=combobox],[role=textbox],[role=searchbox],[role=spinbutton],[role=slider]," + EDITABLE);
}

/**
 * Name of an element, "" when it has none. Order: aria-labelledby, aria-label, its `<label>`s, alternative text,
 * content, title; then for fields what stands beside them (form item, table cell, preceding text); placeholder last.
 */
function nameOf(el, hasText) {
  return (
    nameOfSelectBehind(el) ||
    referencedName(el) ||
    foldSpace(el[dom.getAttribute]("aria-label") || "") ||
    nativeName(el) ||
    (hasText ? "" : contentName(el)) ||
    foldSpace(el[dom.getAttribute]("title") || "") ||
    removerName(el) ||
    (isField(el) ? nameBeside(el) || placeholderOf(el) || generatedText(el) : hasText ? "" : generatedText(el) || nameFromIcon(el))
  );
}

/** The native select that a library has hidden and draws anew directly after it, seen from the drawn one; or null. */
function selectBehind(el) {
  const box = composedClosest(el, CUSTOM_SELECTS);
  const before = box && box[dom.previousElementSibling];
  if (!before || before[dom.localName] !== "select") return null;
  const rect = before[dom.getBoundingClientRect]();
  return rect.width <= 1 || rect.height <= 1 || before[dom.getAttribute]("aria-hidden") === "true" ? before : null;
}

function nameOfSelectBehind(el) {
  if (roleOf(el) !== "combobox" && roleOf(el) !== "searchbox") return "";
  const select = selectBehind(el);
  return select ? labelsOf(select).length ? nativeName(select) : foldSpace(select[dom.getAttribute]("aria-label") || "") : "";
}

/** The placeholder, also that of a custom select, which shows it in an element of its own. */
function placeholderOf(el) {
  const own = foldSpace(el[dom.getAttribute]("placeholder") || "");
  const box = own || el[dom.localName] !== "input" ? null : composedClosest(el, CUSTOM_SELECTS);
  const shown = box && box[dom.querySelector]("[class*=placeholder]");
  return shown ? contentText(shown, null) : own;
}

function referencedName(el) {
  const ids = el[dom.getAttribute]("aria-labelledby");
  if (!ids) return "";
  const root = el[dom.getRootNode]();
  const parts = [];
  for (const id of ids.trim().split(/\s+/)) {
    const target = root[dom.getElementById] && root[dom.getElementById](id);
    if (target && target !== el) parts.push(contentText(target, el));
  }
  return cut(foldSpace(parts.join(" ")), NAME_LIMIT);
}

/** Labels by control while a snapshot is taken: asking each field for its `labels` walks the document every time. */
let labelsByControl = null;

function indexLabels(roots) {
  labelsByControl = new Map();
  for (const root of roots) {
    for (const label of root[dom.querySelectorAll]("label")) {
      const control = label.control;
      if (control) labelsByControl.set(control, [...(labelsByControl.get(control) || []), label]);
    }
  }
}

function labelsOf(el) {
  if (labelsByControl) return labelsByControl.get(el) || [];
  return el[dom.labels] ? Array.from(el[dom.labels]) : [];
}

function nativeName(el) {
  const labelled = labelsOf(el).map((label) => contentText(label, el)).join(" ");
  const name = labelled && cleanLabel(labelled);
  if (name) return name;
  const tag = el[dom.localName];
  if (tag === "input" && BUTTON_INPUTS.has(el.type)) return foldSpace(el.value) || { submit: "Submit", reset: "Reset" }[el.type] || "";
  if (tag === "img" || tag === "area" || (tag === "input" && el.type === "image")) return foldSpace(el.alt || "");
  if (tag === "fieldset") return childText(el, "legend");
  if (tag === "table") return childText(el, "caption");
  if (tag === "iframe") return foldSpace(el.title || el.name || "");
  return "";
}

function childText(el, tag) {
  for (const child of el[dom.children]) if (child[dom.localName] === tag) return contentText(child, null);
  return "";
}

/** Strips what decorates a printed label: the asterisk of required fields and a closing colon. */
function cleanLabel(text) {
  return cut(foldSpace(text.replace(/^[\s*＊]+/, "").replace(/[\s:：*＊]+$/, "")), NAME_LIMIT);
}

// ---- text of a subtree as a name -----------------------------------------------------------------------------------

/** A field's content is its value, so only other elements take a name from their content. */
function contentName(el) {
  return isField(el) ? "" : contentText(el, null);
}

/** Text alternative of a subtree without `skip`: text, alternative texts of images, labels of icons; hidden parts left out. */
function contentText(el, skip) {
  const parts = [];
  gatherText(el, skip, parts, { left: NAME_LIMIT + 40, levels: DEEPEST });
  return cut(foldSpace(parts.join(" ")), NAME_LIMIT);
}

function gatherText(node, skip, parts, budget) {
  if (budget.levels === 0) return;
  budget.levels--;
  for (const child of flatChildren(node)) {
    if (budget.left <= 0) break;
    if (child[dom.nodeType] === 3) addText(child.data, parts, budget);
    else if (child[dom.nodeType] === 1 && child !== skip) gatherElement(child, skip, parts, budget);
  }
  budget.levels++;
}

function gatherElement(el, skip, parts, budget) {
  const tag = el[dom.localName];
  if (SILENT_TAGS.has(tag) || el[dom.getAttribute]("aria-hidden") === "true") return;
  const label = el[dom.getAttribute]("aria-label") || (tag === "img" ? el.alt : tag === "svg" ? svgTitle(el) : "");
  if (label) return addText(label, parts, budget);
  if (tag === "svg" || FIELD_TAGS.has(tag)) return;
  if (el[dom.checkVisibility]({ visibilityProperty: true }) || getComputedStyle(el).display === "contents") gatherText(el, skip, parts, budget);
}

function addText(text, parts, budget) {
  const folded = foldSpace(text);
  if (!folded) return;
  parts.push(folded);
  budget.left -= folded.length;
}

function svgTitle(svg) {
  const title = svg[dom.querySelector]("title");
  return title ? title[dom.textContent] : "";
}

/** Children in the flat tree: of a known shadow root, of a slot (assigned nodes or fall-back), else the light ones. */
function flatChildren(node) {
  const shadow = shadowOf(node);
  if (shadow) return shadow[dom.childNodes];
  if (node[dom.localName] === "slot") {
    const assigned = node.assignedNodes({ flatten: true });
    if (assigned.length) return assigned;
  }
  return node[dom.childNodes];
}

// ---- what a person reads beside a field ----------------------------------------------------------------------------

function nameBeside(el) {
  return followingText(el) || formItemLabel(el) || cellLabel(el) || precedingText(el) || (isChoice(el) ? rowLabel(el) : "");
}

/** Text directly after a native checkbox or radio button, where a person looks for its label; "" for none. */
function followingText(el) {
  if (el[dom.localName] !== "input" || !isChoice(el)) return "";
  let node = el;
  for (let hops = 0; node && hops < 2; hops++) {
    for (let after = node[dom.nextSibling]; after; after = after[dom.nextSibling]) {
      if (after[dom.nodeType] === 1 && (after[dom.localName] === "br" || after[dom.matches](NOT_A_LABEL) || after[dom.querySelector](NOT_A_LABEL))) return "";
      const raw = foldSpace(after[dom.nodeType] === 3 ? after.data : after[dom.nodeType] === 1 ? contentText(after, null) : "");
      if (!raw) continue;
      const box = after[dom.nodeType] === 1 ? after[dom.getBoundingClientRect]() : textBox(after);
      const field = el[dom.getBoundingClientRect]();
      return raw.length <= 60 && box.bottom > field.top && box.top < field.bottom ? cleanLabel(raw) : "";
    }
    node = composedParent(node);
    if (!node || /^(form|body|td|th|section|fieldset)$/.test(node[dom.localName])) return "";
  }
  return "";
}

function textBox(node) {
  const range = document[dom.createRange]();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

/** Label of the form item around a control, in the markup of the common component libraries; "" when there is none. */
function formItemLabel(el) {
  let node = composedParent(el);
  for (let hops = 0; node && hops < 12; hops++, node = composedParent(node)) {
    if (/^(form|body|table|dialog|html)$/.test(node[dom.localName])) return "";
    if (!FORM_ITEM.test(node[dom.getAttribute]("class") || "")) continue;
    for (const label of node[dom.querySelectorAll]("label,[class*=label],[class*=Label]")) {
      if (label[dom.contains](el) || !(label[dom.compareDocumentPosition](el) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
      if (label.control && label.control !== el && label[dom.contains](label.control)) continue;
      const text = cleanLabel(contentText(label, null));
      if (text) return text;
    }
  }
  return "";
}

/** For a field in a table or description list: the cell before it, else the heading of its column. */
function cellLabel(el) {
  const cell = composedClosest(el, "td,dd");
  if (!cell) return "";
  const before = cell[dom.previousElementSibling];
  if (before && !before[dom.querySelector](CONTROLS)) {
    const text = cleanLabel(contentText(before, null));
    if (text && text.length <= 40 && (cell[dom.localName] === "dd" || before[dom.localName] === "th" || isAlone(el, cell))) return text;
  }
  const table = cell[dom.localName] === "td" && cell[dom.closest]("table");
  const header = table && table.tHead && table.tHead.rows[table.tHead.rows.length - 1];
  const heading = header && header.cells[cell.cellIndex];
  return heading ? cleanLabel(contentText(heading, null)) : "";
}

function isChoice(el) {
  return el[dom.localName] === "input" ? /^(checkbox|radio)$/.test(el.type) : /^(checkbox|radio)$/.test(roleOf(el));
}

/** For what chooses a row: the first texts of the row's other cells; "" outside of the body of a table. */
function rowLabel(el) {
  const cell = composedClosest(el, "td,[role=cell],[role=gridcell]");
  const row = cell && cell[dom.closest]("tr,[role=row]");
  if (!row || row[dom.closest]("thead")) return "";
  const texts = [];
  for (const other of row[dom.children]) {
    const text = other === cell || texts.length > 1 ? "" : cut(contentText(other, null), 40);
    if (text) texts.push(text);
  }
  return texts.join(" ");
}

function isAlone(el, container) {
  const controls = container[dom.querySelectorAll](CONTROLS);
  return controls.length <= 1 && !composedClosest(el, "thead") && !hasHead(container);
}

function hasHead(cell) {
  const table = cell[dom.closest]("table");
  return Boolean(table && table.tHead && table.tHead.rows.length);
}

/** Elements of running text: what stands in one is no label, unless a colon ends it. */
const PROSE_TAGS = new Set(["p", "pre", "blockquote", "header", "footer", "figure", "article", "main", "nav", "aside", "code", "output"]);
/** How far a label may stand from its field, in CSS px: before it on its line, and above it. */
const LABEL_BEFORE = 240;
const LABEL_ABOVE = 32;

/** True when a person reads a text before a field as its label: it ends with a colon, or is marked up as one, or stands
 * close before or above the field and is no sentence. */
function readsAsLabel(before, raw, el) {
  if (raw.length > 60) return false;
  const markup = before[dom.nodeType] === 1 && before[dom.localName] === "label";
  if (/[:：]$/.test(raw) || markup) return true;
  if (el[dom.getAttribute]("placeholder") || /[.!?。！？;；…,，)）]$/.test(raw) || raw.split(" ").length > 6 || /^\d/.test(raw)) return false;
  if (before[dom.nodeType] === 1 && PROSE_TAGS.has(before[dom.localName])) return false;
  const text = textBox(before);
  const field = el[dom.getBoundingClientRect]();
  if (!text.width || !field.width) return false;
  const beside = text.bottom > field.top && text.top < field.bottom;
  return beside ? field.left >= text.right - 1 && field.left - text.right <= LABEL_BEFORE : text.bottom <= field.top + 1 && field.top - text.bottom <= LABEL_ABOVE && text.left < field.right && field.left < text.right;
}

/** Text directly before a field that is the only control of its wrapper, when it reads as a label. */
function precedingText(el) {
  const drawn = roleOf(el) === "combobox" || el[dom.readOnly];
  let node = (drawn && composedClosest(el, CUSTOM_SELECTS)) || el;
  for (let hops = 0; node && hops < 3; hops++) {
    for (let before = node[dom.previousSibling]; before; before = before[dom.previousSibling]) {
      if (before[dom.nodeType] === 1 && (before[dom.matches](NOT_A_LABEL) || before[dom.querySelector](NOT_A_LABEL))) return "";
      const raw = foldSpace(before[dom.nodeType] === 3 ? before.data : before[dom.nodeType] === 1 ? contentText(before, null) : "");
      if (!raw) continue;
      return readsAsLabel(before, raw, el) ? cleanLabel(raw) : "";
    }
    node = composedParent(node);
    if (!node || /^(form|body|td|li|section|fieldset)$/.test(node[dom.localName])) return "";
  }
  return "";
}

// ---- controls that show only an icon -------------------------------------------------------------------------------

/** Text that the style sheet puts into an element, as some libraries label buttons and empty editors; "" for none. */
function generatedText(el) {
  if (el[dom.localName] === "input" || el[dom.localName] === "select") return "";
  for (const place of ["::before", "::after"]) {
    const told = /^"((?:[^"\\]|\\.)*)"/.exec(getComputedStyle(el, place).content);
    // Icon fonts put one character of a private use area.
    const text = told ? foldSpace(told[1].replace(/\\(.)/g, "$1").replace(/\p{Co}/gu, "")) : "";
    if (text.length > 1 && /[\p{L}\p{N}]/u.test(text)) return cut(text, NAME_LIMIT);
  }
  return "";
}

const ICON_CLASS = /(?:^|\s)(?:[\w-]*icon|fa|bi|mdi|ri|glyphicon|lucide|ti)[-_]+([a-z][\w-]*)/i;

/** Words by which libraries call parts of an icon, none of which says what it shows. */
const ICON_PARTS = /^(root|wrapper|wrap|container|inner|box|svg|font|base|size|color|left|right|small|large|medium)\b/i;

/** A box that chooses a row is called by the row: its icon would name every one alike, and tells its state. */
function iconName(el, icon) {
  if (ICON_PARTS.test(icon)) return "";
  const row = /check|radio/.test(icon) ? rowLabel(el) : "";
  return cut(row ? "select row " + row : "icon " + icon, 60);
}

const PART_CLASS = /^(?:[a-z]{1,4}-)?((?:[a-z]+[-_]+)*(?:handle|thumb|toggle|trigger|splitter|close|closebtn|remove|clear))$/i;

/** Last resort: what a class of an element calls it, in words, when it ends as parts that are operated do. */
function nameFromClass(el) {
  for (const word of (el[dom.getAttribute]("class") || "").trim().split(/\s+/)) {
    const found = PART_CLASS.exec(word);
    if (found && !/scroll/i.test(word)) return cut(found[1].replace(/btn$/i, "").replace(/[-_]+/g, " ").trim(), 60);
  }
  return "";
}

/** What an edge that is dragged does: its pointer tells. */
function resizerName(el) {
  if (!/^(div|span|i)$/.test(el[dom.localName])) return "";
  const found = /^(\w+)-resize$/.exec(getComputedStyle(el).cursor);
  return found ? "resize " + found[1] : "";
}

/** The mark that takes a choice back is called by the choice. */
function removerName(el) {
  if (!/^(span|i)$/.test(el[dom.localName]) || !isRemover(el)) return "";
  const choice = el[dom.parentElement] && contentText(el[dom.parentElement], el);
  return choice ? cut("remove " + choice, 60) : "";
}

/** Last resort for a control without any text: the name of its icon, or the end of its link's address. */
function nameFromIcon(el) {
  const resizer = resizerName(el);
  if (resizer) return resizer;
  for (const part of [el, ...el[dom.querySelectorAll]("i,span,svg,use")].slice(0, 8)) {
    const reference = part[dom.localName] === "use" ? part[dom.getAttribute]("href") || part[dom.getAttribute]("xlink:href") || "" : "";
    const icon = part[dom.getAttribute]("data-icon") || reference.split("#")[1] || (ICON_CLASS.exec(part[dom.getAttribute]("class") || "") || [])[1];
    const name = icon && iconName(el, icon.replace(/^icon[-_]?/, ""));
    if (name) return name;
  }
  const called = nameFromClass(el);
  if (called) return called;
  const href = el[dom.localName] === "a" ? el[dom.getAttribute]("href") || "" : "";
  return /^(#|javascript:|data:|$)/i.test(href) ? "" : cut("link " + href.replace(/^\w+:\/\/[^/]+/, "").replace(/[?#].*$/, ""), 60);
}
