// Lines that only repeat another control: labels, wrappers, and what component libraries draw around a field or over it.
// Invariant: a line is dropped only when the line of another control says and does what it would.

/**
 * Lines without those that only repeat another control: a `<label>` whose text its own listed control carries, and a
 * wrapper without text that the pointer shape alone made a candidate and that one control inside fills.
 */
function withoutRepeats(lines) {
  const at = new Map();
  lines.forEach((line, index) => {
    if (!line.el) return;
    at.set(line.el, index);
    const stood = line.indexed && hiddenFieldOf(line.el);
    if (stood && !at.has(stood)) at.set(stood, index);
  });
  const dropped = new Set();
  lines.forEach((line, index) => {
    if (!line.indexed) return;
    const end = endOfLine(lines, index);
    const bare = fieldWithoutIndex(line, lines, index, end);
    if (bare) dropped.add(bare);
    const label = line.el[dom.localName] === "label";
    if (label ? repeatsControl(line, lines, index, end, at) : isFilledWrapper(line, lines, index, end) || isSelectBox(line, lines, index, end) || repeatsField(line, at)) {
      dropped.add(index);
      for (let inner = index + 1; inner < end; inner++) lines[inner].depth--;
    }
  });
  return dropped.size ? lines.filter((_line, index) => !dropped.has(index)) : lines;
}

/** Index after the last line that lies below the line at `index`. */
function endOfLine(lines, index) {
  let end = index + 1;
  while (end < lines.length && lines[end].depth > lines[index].depth && lines[index].el[dom.contains](lines[end].el || lines[end].node)) end++;
  return end;
}

function repeatsControl(line, lines, index, end, at) {
  const control = line.el.control && !at.has(line.el.control) ? drawnFor(line.el.control, lines) : line.el.control;
  if (!control || !(at.has(control) || control !== line.el.control)) return false;
  for (let inner = index + 1; inner < end; inner++) if (!control[dom.contains](lines[inner].el || lines[inner].node)) return false;
  const text = cleanLabel(line.parts.join(" "));
  return !text || text === nameOf(control, false);
}

function isFilledWrapper(line, lines, index, end) {
  const { el, parts, rect } = line;
  if (end - index < 2 || MARKUP_TAGS.has(el[dom.localName]) || isEditingHost(el) || el[dom.hasAttribute]("onclick")) return false;
  const inner = lines.slice(index + 1, end).filter((below) => below.indexed);
  const fields = inner.length > 0 && inner.every((below) => isField(below.el));
  const says = parts.join("");
  // Between the two fields of a range stands a dash.
  if (says) return fields && !/[\p{L}\p{N}]/u.test(says) && !hasOwnMeaning(el);
  if (inner.length !== 1) return false;
  const role = roleOf(el);
  if (role === "combobox") return fields && inner[0].el[dom.localName] === "input";
  if (role === "button") return inner[0].el[dom.localName] === "button" && nameOf(inner[0].el, false) === nameOf(el, false);
  return !hasOwnMeaning(el) && (fields || inner[0].rect.width * inner[0].rect.height >= 0.3 * rect.width * rect.height);
}

function hasOwnMeaning(el) {
  return el[dom.hasAttribute]("role") || el[dom.hasAttribute]("onclick") || el[dom.tabIndex] >= 0;
}

/** Side of what only decorates a field, in CSS px, and how far above it the field is looked for. */
const DECORATION_SIDE = 48;
const DECORATION_HOPS = 4;
const OPENER = /^$|down|arrow|caret|chevron|expand/i;

/** True for what is drawn for a listed field and does what the field does: its mark, or the arrow of a list that opens. */
function repeatsField({ el, parts, rect }, at) {
  if (parts.length || !/^(span|i|div|b|svg)$/.test(el[dom.localName]) || el[dom.tabIndex] >= 0 || el[dom.hasAttribute]("onclick")) return false;
  if (rect.width > DECORATION_SIDE || rect.height > DECORATION_SIDE || !/^(img|presentation|none|)$/.test(roleOf(el))) return false;
  const field = onlyFieldAround(el);
  if (!field || !at.has(field)) return false;
  if (isChoice(field)) return touches(field[dom.getBoundingClientRect](), rect);
  return (roleOf(field) === "combobox" || Boolean(field[dom.readOnly])) && OPENER.test(nameOf(el, false));
}

/** The one field in the nearest ancestor that holds any; null when there are several. */
function onlyFieldAround(el) {
  let node = el[dom.parentElement];
  for (let hops = 0; node && hops < DECORATION_HOPS; hops++, node = node[dom.parentElement]) {
    const fields = node[dom.querySelectorAll](CONTROLS);
    if (fields.length) return fields.length === 1 ? fields[0] : null;
  }
  return null;
}

function touches(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** What is listed for a native select that a library hides and draws anew beside it; null when nothing is. */
function drawnFor(select, lines) {
  const box = select[dom.localName] === "select" ? select[dom.nextElementSibling] : null;
  if (!box || selectBehind(box) !== select) return null;
  const line = lines.find((other) => other.indexed && box[dom.contains](other.el) && (roleOf(other.el) === "combobox" || isField(other.el)));
  return line ? line.el : null;
}

/** True for the box of a custom select that says no more than the line of the field inside it does. */
function isSelectBox(line, lines, index, end) {
  const field = hiddenFieldOf(line.el);
  if (!field || roleOf(field) !== "combobox" || !lines.slice(index + 1, end).some((inner) => inner.el === field && inner.indexed)) return false;
  const text = line.parts.join(" ");
  return !text || [displayedValue(field), placeholderOf(field), nameOf(field, false)].includes(text);
}

/** Place of the line of a custom select's field that cannot be acted on: its box can, and speaks for it. 0 for none. */
function fieldWithoutIndex(line, lines, index, end) {
  const field = end - index > 1 ? hiddenFieldOf(line.el) : null;
  if (!field || roleOf(field) !== "combobox") return 0;
  const at = lines.slice(index + 1, end).findIndex((inner) => inner.el === field && !inner.indexed);
  return at < 0 ? 0 : index + 1 + at;
}
