// The snapshot of one document: a walk of the flat tree that yields what a person can read and act on, line by line.
// Invariants: it never changes the page; every element is measured once and styled once at most, and only when it is in
// the range that was asked for; an index is given only to what can be reached.

const DROPPED_TAGS = new Set(["script", "style", "link", "meta", "noscript", "template", "head", "title", "base", "param", "source", "track"]);
const LEAF_TAGS = new Set(["input", "textarea", "img", "canvas", "video", "audio", "iframe", "frame", "object", "embed", "progress", "meter"]);
/** What indents in full detail; in brief detail only lists in lists do, for indentation is paid for on every line. */
const INDENT_TAGS = new Set([
  "form", "fieldset", "table", "thead", "tbody", "tr", "td", "th", "ul", "ol", "li", "nav", "section", "dialog",
]);
const COUNTED = "a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=tab],[role=menuitem],[role=checkbox],[role=radio],[role=switch],[role=combobox],[role=option]";

/** Nested elements that one call stack visits. */
const MAX_LEVEL = 300;
/** Side of the smallest canvas that is told of, in CSS px. */
const DRAWING_SIDE = 40;
/** Elements that can host a shadow root (DOM standard) beside those with a hyphen in their name. */
const HOST_TAGS = new Set([
  "article", "aside", "blockquote", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main", "nav", "p", "section", "span",
]);
/** How many possible hosts of closed roots one snapshot asks about. */
const MAX_HOSTS = 200;
/** Characters that are told of what a layer says. */
const COVER_TEXT = 60;
const askedHosts = new WeakSet();
let pendingHosts = [];

/** Number of the snapshot that first listed an element. */
const listedAt = new WeakMap();
let snapshotsTaken = 0;
/** Snapshots from this number on have not reached a caller: what they listed first is still new. */
let knownUntil = 0;
let wasSilent = false;

/** One walk. `lines` holds text lines `{depth, text, node}` and element lines `{depth, el, indexed, parts}` in reading order. */
class PageWalk {
  constructor(expansion, clip, full) {
    this.whole = expansion < 0;
    this.full = full;
    this.hosts = [];
    this.lines = [];
    this.run = null;
    this.level = 0;
    this.unreachable = 0;
    this.cover = null;
    this.blocker = this.whole ? coveringLayer() : null;
    this.modal = Array.from(document[dom.querySelectorAll]("dialog[open]")).filter((el) => el[dom.matches](":modal")).pop() || null;
    this.layerCache = new Map();
    this.roots = [document];
    this.listening = new Listening();
    this.range = this.whole
      ? { left: -scrollX, top: -scrollY, right: Infinity, bottom: Infinity }
      : { left: -expansion, top: -expansion, right: innerWidth + expansion, bottom: innerHeight + expansion };
    if (clip && !this.whole) {
      this.range.left = Math.max(this.range.left, clip[0]);
      this.range.top = Math.max(this.range.top, clip[1]);
      this.range.right = Math.min(this.range.right, clip[2]);
      this.range.bottom = Math.min(this.range.bottom, clip[3]);
    }
  }

  // ---- tree --------------------------------------------------------------------------------------------------------

  /** Reads a subtree, however deep: where one call stack ends, another goes on at the same place among the lines. */
  read(root, context) {
    this.visit(root, context);
    const lines = [];
    const open = [this.lines.values()];
    while (open.length) {
      const { done, value: line } = open[open.length - 1].next();
      if (done) open.pop();
      else if (!line.later) lines.push(line);
      else {
        this.lines = [];
        this.run = null;
        this.visit(line.later, line.context);
        open.push(this.lines.values());
      }
    }
    this.lines = lines;
  }

  /** `context`: indentation depth, line that takes the text, nearest indexed line, and what ancestors have in force. */
  visit(el, context) {
    if (this.level === MAX_LEVEL) {
      this.lines.push({ later: el, context });
      return;
    }
    this.level++;
    this.visitElement(el, context);
    this.level--;
  }

  visitElement(el, context) {
    const tag = el[dom.localName];
    if (DROPPED_TAGS.has(tag)) return;
    if (tag === "br") return void (this.run = null);
    if (this.modal && this.isBehindModal(el)) return this.leaveOut(el);
    const rect = el[dom.getBoundingClientRect]();
    const shown = rect.width > 0 && rect.height > 0 && this.inRange(rect);
    if (el[dom.inert]) return shown ? this.leaveOut(el) : undefined;
    if (tag === "svg") return shown && !context.indexed ? this.visitLeafSvg(el, rect, context) : undefined;
    const shadow = shadowOf(el);
    if (shown && !shadow) this.noteHost(el, tag);
    if (!shown && !el[dom.firstChild] && !shadow && tag !== "slot") return;
    const style = shown || rect.width === 0 || rect.height === 0 || this.whole ? getComputedStyle(el) : null;
    const display = style === null ? "" : style.display;
    if (style && hidesSubtree(rect, style, display)) return;
    const inline = display.startsWith("inline") || display === "contents";
    if (!inline) this.run = null;
    const inner = shown ? this.enter(el, tag, rect, style, context) : this.passThrough(el, style, context);
    if (tag === "img" && shown && el.useMap) this.visitAreas(el, inner);
    const styled = shown || display === "contents";
    if (!LEAF_TAGS.has(tag) && !(tag === "select" && isClosedSelect(el))) this.visitChildren(el, tag, shadow, rect, styled ? style : null, inner);
    if (!inline) this.run = null;
  }

  visitChildren(el, tag, shadow, rect, style, context) {
    if (shadow) this.noteRoot(shadow);
    if (shadow || tag === "slot") {
      for (const node of flatChildren(el)) this.visitNode(node, el, rect, style, context);
    } else if (tag === "details" && !el.open) {
      for (const node of el[dom.children]) if (node[dom.localName] === "summary") this.visit(node, context);
    } else {
      for (let node = el[dom.firstChild]; node; node = node[dom.nextSibling]) this.visitNode(node, el, rect, style, context);
    }
  }

  visitNode(node, parent, rect, style, context) {
    const type = node[dom.nodeType];
    if (type === 1) this.visit(node, context);
    else if (type === 3 && style && context.readable) this.text(node, parent, rect, style, context);
    // What is there and not seen still keeps the words around it apart.
    else if (type === 3 && style && this.run) this.run.gap = true;
  }

  // A closed root leaves one trace: an element that shows something, or may, without anything in it. Each is asked about once.
  noteHost(el, tag) {
    const empty = HOST_TAGS.has(tag) && !el[dom.firstElementChild] && !el[dom.textContent].trim();
    if ((empty || tag.includes("-")) && !askedHosts.has(el)) this.hosts.push(el);
  }

  noteRoot(root) {
    observeRoot(root);
    this.roots.push(root);
  }

  /** Judges an element in range: gives it a line when it earns one, and returns the context of its children. */
  enter(el, tag, rect, style, context) {
    const visible = style.visibility === "visible";
    const clear = context.clear || style.opacity === "0";
    const fixed = this.blocker && style.position === "fixed" ? el : context.fixed;
    // Styled checkboxes and selects keep their real, transparent field on top; any other transparent thing is unseen.
    const seen = visible && (!clear || FIELD_TAGS.has(tag)) && !(FIELD_TAGS.has(tag) && isForScriptsOnly(el));
    let { owner, indexed } = context;
    // Whatever lies in something that is only dragged is a control as if nothing were around it.
    const control = seen && this.isControl(el, style, rect, indexed && indexed.drags ? null : indexed);
    const drags = seen && !control && this.listening.isDragged(el);
    if (control || drags) {
      if (this.isReachable(el, rect, fixed)) {
        owner = indexed = this.addLine(el, context.depth, true, rect);
        indexed.drags = drags;
      }
      // A label is no control of its own: its control is counted.
      else if (el[dom.matches](COUNTED)) this.countCovered(el);
    } else if (seen && (STATE_TAGS.has(tag) || isDrawing(tag, rect)) && this.isSeenAt(el, rect, fixed)) {
      owner = this.addLine(el, context.depth, false, rect);
    }
    const deeper = indexed !== context.indexed || this.indents(el, tag);
    const readable = visible && !clear;
    if (!deeper && owner === context.owner && clear === context.clear && fixed === context.fixed && readable === context.readable) return context;
    return { depth: context.depth + (deeper ? 1 : 0), owner, indexed, clear, fixed, readable };
  }

  /** True for what gets a line with an index when it can be reached; `indexed` is the indexed line around it, or null. */
  isControl(el, style, rect, indexed) {
    if (isInteractive(el, style.cursor) && (!indexed || isDistinct(el))) return !standsForDisabled(el);
    return this.listening.makesControl(el, rect, indexed && indexed.el, style.cursor);
  }

  /** Context of the children of an element that has no box in range itself. */
  passThrough(el, style, context) {
    const clear = context.clear || (style !== null && style.opacity === "0");
    const readable = style !== null && style.display === "contents" && context.readable;
    const deeper = this.indents(el, el[dom.localName]);
    if (!deeper && clear === context.clear && readable === context.readable) return context;
    return { ...context, depth: context.depth + (deeper ? 1 : 0), clear, readable };
  }

  /** True for an element whose content stands one level deeper. */
  indents(el, tag) {
    if (this.full) return INDENT_TAGS.has(tag);
    return (tag === "ul" || tag === "ol") && el[dom.parentElement] !== null && el[dom.parentElement][dom.localName] === "li";
  }

  /** Areas of an image map have no box of their own, and a pointer that is over one hits it, not the image. */
  visitAreas(image, context) {
    const areas = image[dom.getRootNode]()[dom.querySelectorAll]("map area");
    for (const area of areas) {
      if (imageOfArea(area) !== image || !(area.href || this.isControl(area, getComputedStyle(image), image[dom.getBoundingClientRect](), null))) continue;
      const rect = areaRect(area);
      if (rect && this.inRange(rect) && (clipToViewport(rect) === null || this.isReachable(area, rect, context.fixed))) this.addLine(area, context.depth, true, rect);
    }
  }

  visitLeafSvg(el, rect, context) {
    const style = getComputedStyle(el);
    if (style.visibility !== "visible" || context.clear || style.opacity === "0") return;
    if (this.isControl(el, style, rect, null) && this.isReachable(el, rect, context.fixed)) this.addLine(el, context.depth, true, rect);
  }

  addLine(el, depth, indexed, rect) {
    const line = { depth, el, indexed, rect, parts: [] };
    this.lines.push(line);
    this.run = null;
    return line;
  }

  // ---- range and reach ---------------------------------------------------------------------------------------------

  inRange(rect) {
    const range = this.range;
    return rect.bottom > range.top && rect.top < range.bottom && rect.right > range.left && rect.left < range.right;
  }

  /**
   * For points that need no hit test: true or false; undefined when the hit test must decide. It is needed inside the
   * viewport, except for a whole page that no layer covers. `fixed` is the nearest fixed element around.
   */
  withoutHitTest(el, rect, fixed) {
    // The walk has left out what is not rendered.
    if (this.whole && !this.blocker) return true;
    const inView = clipToViewport(rect) !== null;
    if (inView && !(this.whole && fixed === this.blocker)) return undefined;
    if (this.blocker && fixed !== this.blocker && !(fixed && !composedContains(fixed, this.blocker))) return false;
    // An area has no box; its picture has been found to have one.
    return el[dom.localName] === "area" || el[dom.checkVisibility]();
  }

  /** True when a pointer would reach the element; where that cannot be tried, when it is rendered. */
  isReachable(el, rect, fixed) {
    this.lastHit = this.blocker;
    const known = this.withoutHitTest(el, rect, fixed);
    if (known !== undefined) return known;
    this.lastHit = null;
    for (const [x, y] of trialPoints(el, rect)) {
      const hit = deepElementFromPoint(x, y);
      if (hitBelongsTo(el, hit) || isDrawnBy(el, rect, hit)) return true;
      this.lastHit = this.lastHit || hit;
    }
    return false;
  }

  countCovered(el) {
    if (!this.lastHit || !this.isUnderLayer(el, this.lastHit)) return;
    this.unreachable++;
    this.cover = this.cover || this.layerCache.get(this.lastHit).find((layer) => !composedContains(layer, el));
  }

  /** True when the hit lies in a layer over the whole viewport that does not hold the element: a modal is in the way. */
  isUnderLayer(el, hit) {
    let layers = this.layerCache.get(hit);
    if (!layers) this.layerCache.set(hit, (layers = fullLayers(hit)));
    return layers.some((layer) => !composedContains(layer, el));
  }

  isBehindModal(el) {
    return !composedContains(this.modal, el) && !composedContains(el, this.modal);
  }

  leaveOut(el) {
    this.unreachable += el[dom.querySelectorAll](COUNTED).length + (el[dom.matches](COUNTED) ? 1 : 0);
    this.cover = this.cover || this.modal;
  }

  /** True when a person sees the element at the middle of its visible part, whether or not a pointer would reach it. */
  isSeenAt(el, rect, fixed) {
    const known = this.withoutHitTest(el, rect, fixed);
    if (known !== undefined) return known;
    const box = clipToViewport(rect);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const hit = deepElementFromPoint(x, y);
    if (!hit) return false;
    return hitBelongsTo(el, hit) || (!this.isUnderLayer(el, hit) && isSeenThrough(el, hit, x, y));
  }

  // ---- text --------------------------------------------------------------------------------------------------------

  text(node, parent, rect, style, context) {
    const data = node.data;
    if (!/\S/.test(data)) {
      if (this.run) this.run.gap = true;
      return;
    }
    if (!this.isReadable(node, parent, rect, style, context)) return;
    const folded = foldSpace(data);
    if (!context.owner) this.addText(folded, node, context.depth);
    else if (isEditingHost(context.owner.el)) this.addEdited(context.owner, folded, data);
    else context.owner.parts.push(folded);
  }

  isReadable(node, parent, rect, style, context) {
    if (isClear(style.color) && !/text/.test(style.backgroundClip + style.webkitBackgroundClip)) return false;
    let box = rect;
    let boxed = parent;
    if (rect.width === 0) while (boxed && getComputedStyle(boxed).display === "contents") boxed = composedParent(boxed);
    if (!boxed) return false;
    if (boxed !== parent || parent[dom.childElementCount] > 0 || style.textIndent.startsWith("-")) {
      const range = document[dom.createRange]();
      range.selectNodeContents(node);
      box = range.getBoundingClientRect();
      // Letters of no size have no box.
      if (box.width === 0 || box.height === 0 || !this.inRange(box)) return false;
    } else if (style.fontSize === "0px") return false;
    // A small control that was hit shows its label: what lies inside its box needs no hit test of its own.
    if (context.owner && isSmall(context.owner.rect) && encloses(context.owner.rect, box)) return true;
    return this.isSeenAt(boxed, box, context.fixed);
  }

  /** Text that is edited is a value: its pieces are spaced as the page spaces them, lines apart. */
  addEdited(owner, folded, data) {
    const { run } = this;
    if (run && run.owner === owner) owner.parts[owner.parts.length - 1] += (run.gap || /^\s/.test(data) ? " " : "") + folded;
    else owner.parts.push(folded);
    this.run = { owner, gap: /\s$/.test(data) };
  }

  /** Text without a control around it; pieces of one inline run are one line, spaced as the page spaces them. */
  addText(folded, node, depth) {
    const [run, data] = [this.run, node.data];
    if (run && !run.owner && run.depth === depth) {
      run.text += (run.gap || /^\s/.test(data) ? " " : "") + folded;
      run.gap = /\s$/.test(data);
      return;
    }
    this.run = { depth, text: folded, node, gap: /\s$/.test(data) };
    this.lines.push(this.run);
  }
}

/** True for an element whose descendants a person cannot see: not rendered, or clipped to (almost) nothing. */
function hidesSubtree(rect, style, display = style.display) {
  if (display === "none" || display === "") return true;
  if (style.contentVisibility === "hidden" || clipsAway(style.clipPath)) return true;
  if (display === "contents" || display === "inline" || (rect.width > 1 && rect.height > 1)) return false;
  return style.overflowX !== "visible" || style.overflowY !== "visible" || style.clipPath !== "none" || style.clip !== "auto";
}

/** True for a clip path that leaves nothing: an inset of a half or more from all sides, a circle without a radius. */
function clipsAway(path) {
  if (path === "none") return false;
  const inset = /^inset\(([^)]*)\)/.exec(path);
  if (inset) return inset[1].split(/\s+/).every((side) => side.endsWith("%") && parseFloat(side) >= 50);
  return /^(circle|ellipse)\(0(px|%)?[\s)]/.test(path);
}

/** True for a text field that is kept for scripts: hidden from readers, and out of the reach of the Tab key. */
function isForScriptsOnly(el) {
  return el[dom.getAttribute]("aria-hidden") === "true" && el[dom.getAttribute]("tabindex") === "-1" && !(el[dom.localName] === "input" && /^(checkbox|radio|file)$/.test(el.type));
}

/**
 * True when what is hit is drawn for a field whose own box takes no pointer: the thumb around a clipped slider, the picture
 * that covers a checkbox. The parent holds both, and no other control.
 */
function isDrawnBy(el, rect, hit) {
  if (el[dom.localName] !== "input" || !/^(range|checkbox|radio)$/.test(el.type) || !isSmall(rect)) return false;
  const parent = el[dom.parentElement];
  if (!hit || !parent || !parent[dom.contains](hit) || parent[dom.querySelectorAll](COUNTED).length !== 1) return false;
  return touches(parent[dom.getBoundingClientRect](), rect) && isSmall(parent[dom.getBoundingClientRect]());
}

/** True for a canvas large enough to show something that no text tells. */
function isDrawing(tag, rect) {
  return tag === "canvas" && isLarge(rect, DRAWING_SIDE);
}

function isClosedSelect(el) {
  return !el.multiple && el.size <= 1;
}

function isSmall(rect) {
  return rect.width <= 480 && rect.height <= 120;
}

function encloses(outer, inner) {
  return inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
}

/**
 * True when something that lets its pointer events pass, or lies below something that paints nothing, is still seen at a
 * point where `hit` takes the pointer: texts with `pointer-events:none`, cards below one stretched link.
 */
function isSeenThrough(el, hit, x, y) {
  let anchor = el;
  while (anchor && getComputedStyle(anchor).pointerEvents === "none") anchor = composedParent(anchor);
  if (anchor !== el) return !anchor || composedContains(anchor, hit);
  if (composedContains(hit, el) || paints(hit)) return false;
  for (const layer of document[dom.elementsFromPoint](x, y)) {
    if (composedContains(el, layer)) return true;
    if (composedContains(layer, el)) return Boolean(shadowOf(layer) && layer !== document[dom.body]);
    if (paints(layer)) return false;
  }
  return false;
}

// ---- entry ---------------------------------------------------------------------------------------------------------

/**
 * Entry: reads the document (or the subtree of `selector`) into lines; see the fields of the reply below.
 * `expansion` in CSS px around the viewport, -1 = whole page; `clip` `[left, top, right, bottom]`: the part of this
 * frame's viewport that shows through the frames above; `maxElements` caps `elements`, never `lines`; `again`: the
 * snapshot before did not reach the caller; `silent`: this one will not.
 */
function snapshot(args) {
  const changes = mutationsSinceSnapshot();
  const root = args.selector ? chooseMatch(args.selector, args.nth).el : document[dom.body] || document[dom.documentElement];
  const walk = new PageWalk(args.expansion === undefined ? 0 : args.expansion, args.clip, args.detail === "full");
  if (!args.again && !wasSilent) knownUntil = snapshotsTaken;
  wasSilent = Boolean(args.silent);
  if (root) walk.read(root, { depth: 0, owner: null, indexed: null, clear: false, fixed: null, readable: true });
  const { kept, lines, indexed } = printable(walk, args.detail === "full", args.collapse);
  pendingHosts = walk.hosts.slice(0, MAX_HOSTS);
  const { frames, markers } = frameOwners(kept, walk.roots, args.selector ? root : null);
  for (const { at, order } of markers.reverse()) lines.splice(at, 0, [0, -2, order]);
  snapshotsTaken++;
  markSnapshot();
  return {
    ...pageBasics(),
    lines,
    elements: args.includeElements ? recordsOf(indexed.slice(0, args.maxElements === undefined ? 200 : args.maxElements)) : [],
    elementCount: indexed.length,
    unreachable: walk.unreachable,
    cover: walk.cover ? coverName(walk.cover) : "",
    media: mediaFacts(),
    mutationsSince: changes,
    frames,
    hosts: pendingHosts.length,
  };
}
api.snapshot = snapshot;

/** A layer in a few words: its path and what it says. */
function coverName(layer) {
  const name = foldSpace(layer[dom.getAttribute]("aria-label") || "") || referencedName(layer) || shortText(layer, COVER_TEXT + 1);
  return shortPath(layer) + (name ? ' "' + (name.length > COVER_TEXT ? cut(name, COVER_TEXT) + "..." : name) + '"' : "");
}

function recordsOf(indexed) {
  const known = new Map();
  return indexed.map((entry) => elementRecord(entry, known));
}

function printable(walk, full, collapse) {
  indexLabels(walk.roots);
  try {
    return linesOf(walk, full, collapse);
  } finally {
    labelsByControl = null;
  }
}

function linesOf(walk, full, collapse) {
  const whole = full ? walk.lines : withoutRepeats(walk.lines);
  const shortened = collapse ? collapsed(whole) : whole;
  const chosen = full ? shortened : joinRows(shortened, walk.roots);
  const kept = [];
  const listed = new Set();
  for (const line of chosen) if (line.el) listed.add(line.el);
  const indexed = [];
  const lines = [];
  for (const line of chosen) {
    if (!line.el && !full && (isComplaint(line.text, lines[lines.length - 1]) || saysAfter(kept[kept.length - 1], line))) continue;
    if (line.el && !full && saysBefore(kept[kept.length - 1], line)) {
      kept.pop();
      lines.pop();
    }
    kept.push(line);
    if (line.more) lines.push([line.depth, -3, line.more, line.controls, line.selector, line.first]);
    else lines.push(line.el ? elementLine(line, full, listed, indexed) : [line.depth, line.text]);
  }
  return { kept, lines, indexed };
}

/** True for a text line that is only the name of the field on the line after it, which tells it itself. */
function saysBefore(before, line) {
  if (!before || before.el || before.more || before.depth !== line.depth || !isField(line.el) || before.text.length > NAME_LIMIT) return false;
  const said = cleanLabel(before.text);
  return said !== "" && line.parts.length === 0 && said === nameOf(line.el, false) && precedesAsLabel(before.node, line.el);
}

/** True for a text line that is only the label of the checkbox or radio button on the line before it. */
function saysAfter(before, line) {
  if (line.more || !before || !before.el || before.depth !== line.depth || before.parts.length || line.text.length > NAME_LIMIT) return false;
  return followingText(before.el) === cleanLabel(line.text) && nameOf(before.el, false) === cleanLabel(line.text);
}

/** True when what holds a text is no heading: that names more than the field after it. */
function precedesAsLabel(node, el) {
  const holder = node[dom.parentElement];
  return Boolean(holder) && !composedClosest(holder, "h1,h2,h3,h4,h5,h6,legend,caption,th,[role=heading]") && !composedContains(holder, el);
}

/** True for the message of an invalid field that the field's own line has just told. */
function isComplaint(text, before) {
  const attributes = before && Array.isArray(before[4]) ? before[4] : [];
  const at = attributes.indexOf("invalid");
  return at >= 0 && at % 2 === 0 && attributes[at + 1] === text;
}

/** `[depth, ref | -1, flags, tag, [name, value, …], text]`; flag 1 = listed by no earlier snapshot that reached a caller. */
function elementLine(line, full, listed, indexed) {
  const { el } = line;
  const text = line.parts.join(" ");
  const name = nameOf(el, text !== "");
  const attributes = attributesOf(el, name, text, full, listed);
  if (!line.indexed) return [line.depth, -1, 0, el[dom.localName], attributes, text];
  const ref = refOf(el);
  if (!listedAt.has(el)) listedAt.set(el, snapshotsTaken);
  const isNew = knownUntil > 0 && listedAt.get(el) >= knownUntil;
  rememberFacts(ref, cut(name || text, 80), cut(text, 80));
  indexed.push({ el, ref, rect: line.rect, text });
  return [line.depth, ref, isNew ? 1 : 0, el[dom.localName], attributes, text];
}
