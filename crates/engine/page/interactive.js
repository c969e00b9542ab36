// What can be acted on: by cursor, tag, role, editability and handlers, in the order of the specification.

const ACTION_CURSORS = new Set([
  "pointer", "move", "text", "grab", "grabbing", "cell", "copy", "alias", "all-scroll", "context-menu", "crosshair", "help",
  "vertical-text", "zoom-in", "zoom-out",
]);
const IDLE_CURSORS = new Set(["not-allowed", "no-drop", "wait", "progress"]);
// Not `fieldset`, `legend`, `optgroup`, nor a `details` with a summary: acting on them does nothing, and as indexed
// ancestors they would swallow the text of everything inside.
const ACTION_TAGS = new Set(["a", "button", "input", "select", "textarea", "summary", "label", "option"]);
const ACTION_ROLES = new Set([
  "button", "menuitemradio", "menuitemcheckbox", "radio", "checkbox", "tab", "switch", "slider", "spinbutton", "combobox",
  "searchbox", "textbox", "option", "scrollbar", "link", "menuitem", "treeitem",
]);
const DISTINCT_TAGS = new Set(["iframe", "a", "button", "input", "select", "textarea", "summary", "details", "label", "option"]);
const STATE_TAGS = new Set(["input", "textarea", "select", "option", "button", "progress", "meter"]);
const FORM_TAGS = new Set(["button", "input", "select", "textarea", "option"]);
const SCROLLBAR = /(^|[\s_-])(scroll-?bar|ps__(thumb|rail))/i;
const HANDLER_ATTRIBUTES = ["onclick", "onmousedown", "onmouseup", "ondblclick"];
const HANDLER = /^on(click|dblclick|mouse|pointer|touch|key|focus|blur|change|input|submit)/;
const CONTROL_WORD = /\b(btn|clickable|menu|item|entry|link)\b/i;
const CONTROL_PARENT = "button,a,[role=button],.menu,.dropdown,.list,.toolbar";

/** The element's own role attribute, first token, lower case; "" when there is none. */
function roleOf(el) {
  const role = el[dom.getAttribute]("role") || el[dom.getAttribute]("aria-role");
  return role ? role.trim().split(/\s+/)[0].toLowerCase() : "";
}

/** True when the attribute makes this very element an editing host. */
function isEditingHost(el) {
  const value = el[dom.getAttribute]("contenteditable");
  return value !== null && value !== "false" && value !== "inherit";
}

/** True when a person can act on the element, judged by itself alone; `cursor` is its computed cursor. */
function isInteractive(el, cursor) {
  const tag = el[dom.localName];
  // What the browser itself has disabled gets no events, whatever the pointer looks like over it.
  if (FORM_TAGS.has(tag) && el[dom.matches](":disabled")) return false;
  if (isScrollbar(el)) return false;
  if (tag !== "html" && (ACTION_CURSORS.has(cursor) || cursor.endsWith("-resize"))) return true;
  if (ACTION_TAGS.has(tag)) {
    if (tag === "label" && !el.control) return false;
    return !IDLE_CURSORS.has(cursor) && !el[dom.hasAttribute]("disabled") && !el[dom.hasAttribute]("readonly") && !el[dom.matches](":disabled") && !el[dom.readOnly];
  }
  if (tag === "video" || tag === "audio") return el.controls;
  if (tag === "details") return !el[dom.querySelector](":scope > summary");
  if (!el[dom.hasAttributes]()) return false;
  return isEditingHost(el) || hasControlMark(el) || ACTION_ROLES.has(roleOf(el)) || HANDLER_ATTRIBUTES.some((name) => el[dom.hasAttribute](name));
}

/** Bars that component libraries draw in place of the browser's own: a person turns the wheel, nobody names them. */
function isScrollbar(el) {
  const classes = el[dom.getAttribute]("class");
  return classes !== null && SCROLLBAR.test(classes) && !el[dom.textContent].trim();
}

function hasControlMark(el) {
  if (el[dom.hasAttribute]("data-index") || el[dom.getAttribute]("data-toggle") === "dropdown") return true;
  const popup = el[dom.getAttribute]("aria-haspopup");
  if (popup && popup !== "false") return true;
  return el[dom.classList].contains("button") || el[dom.classList].contains("dropdown-toggle");
}

/** True when an interactive element below another indexed one is an interaction of its own. */
function isDistinct(el) {
  if (DISTINCT_TAGS.has(el[dom.localName])) return true;
  if (!el[dom.hasAttributes]()) return false;
  const role = roleOf(el);
  // The text that a drawn select shows is a part of it.
  if (role === "textbox" && el[dom.getAttribute]("aria-readonly") === "true" && composedClosest(el, "[role=combobox]")) return false;
  if (ACTION_ROLES.has(role) || role === "listbox" || isEditingHost(el)) return true;
  if (isRemover(el)) return true;
  if (el[dom.hasAttribute]("data-testid") || el[dom.hasAttribute]("data-cy") || el[dom.hasAttribute]("data-test")) return true;
  for (const name of el[dom.getAttributeNames]()) if (HANDLER.test(name)) return true;
  return looksLikeNestedControl(el, role);
}

/** True for the mark inside a drawn select that takes a choice back. */
function isRemover(el) {
  return /(^|[\s_-])(clear|remove|close)([\s_-]|$)/i.test(el[dom.getAttribute]("class") || "") && foldSpace(el[dom.textContent]).length <= 1 && composedClosest(el, CUSTOM_SELECTS) !== null;
}

function looksLikeNestedControl(el, role) {
  if (!role && !el[dom.hasAttribute]("tabindex") && !CONTROL_WORD.test(el[dom.getAttribute]("class") || "")) return false;
  const parent = composedParent(el);
  if (!parent || parent === document[dom.body] || !composedClosest(parent, CONTROL_PARENT)) return false;
  for (const child of el[dom.children]) if (child[dom.offsetWidth] > 0 && child[dom.offsetHeight] > 0) return true;
  return false;
}

// ---- listeners -----------------------------------------------------------------------------------------------------

/** What holds controls rather than being one: a listener on it is there for what lies in it. */
const HOLDER_TAGS = new Set(["html", "body", "main", "form", "table", "thead", "tbody", "tfoot", "ul", "ol", "dl", "nav", "dialog", "fieldset"]);
const HOLDER_ROLES = new Set([
  "listbox", "menu", "menubar", "grid", "treegrid", "tree", "table", "tablist", "radiogroup", "toolbar", "dialog", "alertdialog", "list",
  "alert", "status", "log", "presentation", "none",
]);
/** Cells have listeners in every grid; what acts on one shows it by its pointer or holds a control. */
const CELL_TAGS = new Set(["td", "th", "col"]);
const ROW_TAGS = new Set(["li", "div", "tr", "td", "a", "button", "option", "article", "section", "dd", "label"]);
/** What draws its content itself and so holds nothing. */
const DRAWN_TAGS = new Set(["canvas", "img", "video", "svg", "area"]);
/** Whole controls of the browser: what listens inside one is a part of it. */
const WHOLE_CONTROLS = new Set(["a", "button", "label", "summary", "option"]);
const HELD_TEXT = 300;
const HELD_CONTROLS = 2;
const LIKE_ROWS = 3;
/** Side of the smallest control that shows no text and has no name, in CSS px. */
const BLANK_SIDE = 20;

/** The elements that listen for a pointer, how many of them each of their ancestors holds, and the lists that are sorted. */
class Listening {
  constructor() {
    this.elements = listeningElements();
    this.lists = sortedLists();
    this.held = new Map();
    for (const el of this.elements) {
      for (let node = composedParent(el); node; node = composedParent(node)) this.held.set(node, (this.held.get(node) || 0) + 1);
    }
  }

  /** True for what a person takes to drag: an element that says so itself, an item of a list that a library sorts, or its handle. */
  isDragged(el) {
    if (el[dom.getAttribute]("draggable") === "true") return true;
    if (!this.lists.size) return false;
    for (let hops = 0, list = el[dom.parentElement]; list && hops < HANDLE_HOPS; hops++, list = list[dom.parentElement]) {
      const sorted = this.lists.get(list);
      if (sorted) return isTakenBy(el, list, sorted);
    }
    return false;
  }

  /** True when its own listener makes an element a control; `outer` is the indexed element around it, or null. */
  makesControl(el, rect, outer, cursor) {
    if (!this.elements.has(el) || (outer && WHOLE_CONTROLS.has(outer[dom.localName]))) return false;
    // What a page shows as off does nothing, whoever listens to it.
    if (IDLE_CURSORS.has(cursor) || isTurnedOff(el)) return false;
    const tag = el[dom.localName];
    if (DRAWN_TAGS.has(tag)) return true;
    // Of controls of the browser their own state decides.
    if (ACTION_TAGS.has(tag) || CELL_TAGS.has(tag) || HOLDER_TAGS.has(tag) || HOLDER_ROLES.has(roleOf(el))) return false;
    if (composedClosest(el, "[aria-hidden=true]")) return false;
    return !this.isHolder(el, rect) && (isLarge(rect, BLANK_SIDE) || foldSpace(el[dom.textContent]) !== "" || nameOf(el, false) !== "");
  }

  /** True when the listener is there for what lies inside: it would swallow a page's text under one index. */
  isHolder(el, rect) {
    if (rect.width * rect.height > (innerWidth * innerHeight) / 2 || el[dom.querySelector](CONTROLS)) return true;
    const held = (this.held.get(el) || 0) + el[dom.querySelectorAll](COUNTED).length;
    if (held > HELD_CONTROLS || (held > 0 && !isSmall(rect)) || el[dom.textContent].length > HELD_TEXT) return true;
    return el[dom.localName] !== "tr" && hasLikeRows(el);
  }
}

/** True for an element that says that it is off, and for one that stands for a single field that is. */
function isTurnedOff(el) {
  return el[dom.hasAttribute]("disabled") || el[dom.getAttribute]("aria-disabled") === "true" || standsForDisabled(el);
}

/** True for the box or mark that a component draws for a field which is off. */
function standsForDisabled(el) {
  const stood = hiddenFieldOf(el);
  return stood !== null && isDisabled(stood);
}

/** Elements between a sorted list and the handle of one of its items, that item included. */
const HANDLE_HOPS = 6;
const FORM_FIELDS = "input,textarea,select,button,option";

/** True when `el` is what moves an item of the list: the item, or the handle inside it. */
function isTakenBy(el, list, { items, handle }) {
  if (el[dom.matches](FORM_FIELDS)) return false;
  try {
    let item = el;
    while (item[dom.parentElement] !== list) item = item[dom.parentElement];
    const direct = /^\s*>\s*(.*)$/.exec(items);
    const found = direct ? item[dom.matches](direct[1]) && item : el[dom.closest](items);
    return Boolean(found && list[dom.contains](found)) && (handle ? el[dom.matches](handle) : found === el);
  } catch {
    // The page's own selector may be none that the browser knows.
    return false;
  }
}

function isLarge(rect, side) {
  return rect.width >= side && rect.height >= side;
}

/** True for children of one kind in a row: the entries of a list, which a listener on the list serves. */
function hasLikeRows(el) {
  const kinds = new Map();
  for (const child of el[dom.children]) {
    if (!ROW_TAGS.has(child[dom.localName]) || !child[dom.textContent].trim()) continue;
    const kind = child[dom.localName] + " " + (child[dom.getAttribute]("class") || "");
    kinds.set(kind, (kinds.get(kind) || 0) + 1);
    if (kinds.get(kind) >= LIKE_ROWS) return true;
  }
  return false;
}
