// What a person can see and reach: boxes, styles, hit tests, and the composed tree (open shadow roots and slots).

/** What folding would change. Most texts are folded already, and looking is cheaper than building them anew. */
const UNFOLDED = /[^\S ]|\s\s|^\s|\s$/;

/** Folds every run of white space to one space and trims. */
function foldSpace(text) {
  return UNFOLDED.test(text) ? text.replace(/\s+/g, " ").trim() : text;
}

/** How far a cut is moved to spare what is read as one character. */
const LONGEST_CHARACTER = 32;
const JOINED_TO_BEFORE = /^[\p{M}\p{Emoji_Modifier}\u200c\u200d\u{e0020}-\u{e007f}]/u;

/** At most the first `max` UTF-16 units of a text, never half of a surrogate pair or of what is read as one character. */
function cut(text, max) {
  if (text.length <= max) return text;
  let end = max - (isHighSurrogate(text, max - 1) ? 1 : 0);
  const least = end - LONGEST_CHARACTER;
  for (let at = end; at > 0 && at >= least; at -= isHighSurrogate(text, at - 2) ? 2 : 1) {
    if (!isJoined(text, at)) return text.slice(0, at);
  }
  return text.slice(0, end);
}

function isHighSurrogate(text, at) {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

/** True when what stands at `at` is read as one with what stands before it (Unicode, grapheme clusters; flags in pairs). */
function isJoined(text, at) {
  if (JOINED_TO_BEFORE.test(text.slice(at, at + 2)) || text[at - 1] === "\u200d") return true;
  const flags = /(?:\ud83c[\udde6-\uddff])+$/.exec(text.slice(Math.max(0, at - LONGEST_CHARACTER), at));
  return Boolean(flags) && /^\ud83c[\udde6-\uddff]/.test(text.slice(at, at + 2)) && (flags[0].length / 2) % 2 === 1;
}

// ---- composed tree -------------------------------------------------------------------------------------------------

/** Parent element in the flat tree: the slot that shows a node, the host of a shadow root, else the parent element. */
function composedParent(node) {
  if (node[dom.assignedSlot]) return node[dom.assignedSlot];
  const parent = node[dom.parentNode];
  if (!parent) return null;
  if (parent[dom.nodeType] === 1) return parent;
  return parent[dom.host] || null;
}

/** True when `a` is `b` or one of its ancestors in the flat tree. */
function composedContains(a, b) {
  if (a === b || a[dom.contains](b)) return true;
  for (let node = b; node; node = composedParent(node)) if (node === a) return true;
  return false;
}

/** First of `el` and its flat-tree ancestors that matches a selector, or null. */
function composedClosest(el, selector) {
  for (let node = el; node; node = composedParent(node)) if (node[dom.matches](selector)) return node;
  return null;
}

/** `root` and every open (or known closed) shadow root below it, outer roots before inner ones. */
function openRoots(root) {
  const found = [root];
  for (let i = 0; i < found.length; i++) {
    const walker = document[dom.createTreeWalker](found[i], NodeFilter.SHOW_ELEMENT);
    for (let el = walker.currentNode; el; el = walker.nextNode()) {
      const inner = shadowOf(el);
      if (inner) found.push(inner);
    }
  }
  return found;
}

// ---- visibility ----------------------------------------------------------------------------------------------------

/** Levels below an element that are looked into for what it shows or is called. */
const DEEPEST = 200;

/**
 * True when an element has a box with both sides above zero and no `display:none`, `visibility:hidden` or hidden
 * `content-visibility` in force. Opacity does not count: the real control of many styled checkboxes is transparent.
 * An element without a box of its own (`display:contents`) is visible when a child is.
 */
function isVisible(el, level = 0) {
  if (!el[dom.isConnected]) return false;
  if (el[dom.localName] === "area") return areaRect(el) !== null;
  const rect = el[dom.getBoundingClientRect]();
  if (rect.width > 0 && rect.height > 0) return el[dom.checkVisibility]({ visibilityProperty: true });
  if (getComputedStyle(el).display !== "contents") return false;
  for (const child of el[dom.children]) if (level < DEEPEST && isVisible(child, level + 1)) return true;
  return false;
}

/** The element that a pointer at a point of this frame's viewport would hit, inside known shadow roots too; or null. */
function deepElementFromPoint(x, y) {
  let found = null;
  for (let root = document; root; root = shadowOf(found)) {
    const hit = root[dom.elementFromPoint](x, y);
    if (!hit || hit === found) return found;
    found = hit;
  }
  return found;
}

/** True when what is hit belongs to the element: itself, a descendant, or its label (which passes the click on). */
function hitBelongsTo(el, hit) {
  if (!hit) return false;
  if (composedContains(el, hit)) return true;
  const label = composedClosest(hit, "label");
  return Boolean(label && label.control === el);
}

/** The part of a rectangle inside this frame's viewport, or null when there is none. */
function clipToViewport(rect) {
  const left = Math.max(rect.left, 0);
  const top = Math.max(rect.top, 0);
  const right = Math.min(rect.right, innerWidth);
  const bottom = Math.min(rect.bottom, innerHeight);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

/**
 * Points at which an element is tried, best first: the centre of its visible part, the centre of its middle line box
 * (inline text over several lines), then four inner points for one that is partly covered.
 */
function* trialPoints(el, rect) {
  const box = clipToViewport(rect);
  if (!box) return;
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  yield [box.left + width / 2, box.top + height / 2];
  const lines = el[dom.getClientRects]();
  if (lines.length > 1) {
    const line = clipToViewport(lines[lines.length >> 1]);
    if (line) yield [(line.left + line.right) / 2, (line.top + line.bottom) / 2];
  }
  for (const [fx, fy] of [[0.2, 0.25], [0.8, 0.25], [0.2, 0.75], [0.8, 0.75]]) yield [box.left + width * fx, box.top + height * fy];
}

const REPLACED_TAGS = new Set(["img", "video", "canvas", "iframe", "svg", "object", "embed", "input", "textarea", "select", "button"]);

/** True when an element draws something of its own that would hide what lies below it. */
function paints(el) {
  if (REPLACED_TAGS.has(el[dom.localName])) return true;
  const style = getComputedStyle(el);
  return !isClear(style.backgroundColor) || style.backgroundImage !== "none" || style.backdropFilter !== "none";
}

/** True for a computed colour without any opacity. */
function isClear(color) {
  return color === "transparent" || (color.startsWith("rgba(") && color.endsWith(", 0)")) || color.endsWith("/ 0)");
}

/** Fixed layers over the whole viewport that a hit lies in, innermost first: masks and wrappers of modals, app shells. */
function fullLayers(hit) {
  const layers = [];
  for (let node = hit; node; node = composedParent(node)) {
    const rect = node[dom.getBoundingClientRect]();
    if (rect.width < innerWidth * 0.95 || rect.height < innerHeight * 0.95) continue;
    if (getComputedStyle(node).position === "fixed") layers.push(node);
  }
  return layers;
}

/** The full layer that takes every point tried near the corners and the left edge of the viewport, or null. */
function coveringLayer() {
  const [right, bottom] = [innerWidth - 3, innerHeight - 3];
  let layer = null;
  for (const [x, y] of [[2, 2], [right, 2], [2, bottom], [right, bottom], [2, bottom / 2]]) {
    const hit = deepElementFromPoint(x, y);
    const found = hit && fullLayers(hit)[0];
    if (!found) return null;
    layer = layer || found;
  }
  return layer;
}

// ---- text and labels -----------------------------------------------------------------------------------------------

const SILENT_TAGS = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title"]);

/** Rendered text of an element or document, that of open shadow roots inside it appended in document order. */
function innerTextOf(root) {
  const top = root[dom.nodeType] === 9 ? root[dom.body] || root[dom.documentElement] : root;
  if (!top) return "";
  const parts = [top[dom.innerText] === undefined ? foldSpace(top[dom.textContent]) : top[dom.innerText]];
  for (const inner of openRoots(top)) {
    if (inner === top) continue;
    for (const child of inner[dom.children]) {
      if (!SILENT_TAGS.has(child[dom.localName]) && child[dom.innerText]) parts.push(child[dom.innerText]);
    }
  }
  return parts.filter(Boolean).join("\n");
}

/** Folded text of the visible text nodes below an element, at most `max` characters; stops as soon as it has them. */
function shortText(el, max) {
  if (el[dom.localName] === "input") return /^(button|submit|reset)$/.test(el.type) ? cut(foldSpace(el.value), max) : "";
  let text = "";
  for (const root of openRoots(el)) {
    const walker = document[dom.createTreeWalker](root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && text.length <= max; node = walker.nextNode()) {
      const piece = foldSpace(node.data);
      const parent = node[dom.parentElement];
      if (!piece || (parent && (SILENT_TAGS.has(parent[dom.localName]) || !parent[dom.checkVisibility]({ visibilityProperty: true })))) continue;
      text += (text ? " " : "") + piece;
    }
  }
  return cut(text, max);
}

/** Short facts by which a person recognises an element in a message. */
function describe(el) {
  return {
    tag: cut(el[dom.localName], 80),
    id: cut(el[dom.id] || "", 200),
    className: cut(el[dom.getAttribute]("class") || "", 80),
    text: shortText(el, 80),
  };
}

/** The form control that a click on this element reaches through its (or an ancestor's) label, or null. */
function labelledControl(el) {
  const label = composedClosest(el, "label");
  return (label && label.control) || null;
}

// ---- secrets -------------------------------------------------------------------------------------------------------

const everSecret = new WeakSet();

/** True for a field whose value must never leave the page: a password field, also one that now shows its text. */
function isSecretField(el) {
  if (el[dom.localName] !== "input") return false;
  if (el.type === "password" || /\b(current|new)-password\b/.test(el.autocomplete || "")) everSecret.add(el);
  return everSecret.has(el);
}

/** What stands for a secret value in every output. */
const REDACTED = "[redacted]";
