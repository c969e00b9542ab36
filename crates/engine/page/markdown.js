// What a person reads of a scope, as a flat stream of marks from which the service writes Markdown. Invariants: it never
// changes the page; unseen text is left out; no recursion, so that depth is bounded by memory alone.
//
// The stream holds texts `{t}` with white space as in the markup, boundaries "n" (line) and "p" (paragraph), the leaves
// "br", "rule", `{pre:[language, text]}` and `{img:[alt, src]}`, and opening marks, each ended by "/": `{h:level}`, "ul",
// `{ol:start}`, `{li:value|null}`, "quote", "table", `{row:inHead}`, `{cell:[columns, rows, isHeader]}`, "caption",
// "strong", "em", "del", "code", `{a:address}`.

const PARAGRAPH_TAGS = new Set(["p", "figure", "dl", "address", "fieldset", "details"]);
const UNREAD_TAGS = new Set(["svg", "canvas", "video", "audio", "iframe", "frame", "object", "embed", "datalist", "map", "math-field"]);
const MARK_TAGS = {
  strong: "strong", b: "strong", em: "em", i: "em", del: "del", s: "del", strike: "del", code: "code", kbd: "code", samp: "code", tt: "code",
};
const TABLE_ROLES = new Set(["table", "grid", "treegrid"]);
const CELL_ROLES = { cell: false, gridcell: false, columnheader: true, rowheader: true };
const HIGHLIGHT_LAYER = "playwright-highlight-container";
/** Lists, quotations and tables nested deeper than this are told as plain lines. */
const NEST_LIMIT = 30;

class MarkdownWalk {
  constructor(withLinks) {
    this.withLinks = withLinks;
    this.events = [];
    this.stack = [];
  }

  run(root) {
    this.enter(root, { clear: false, nest: 0, table: null, head: false, row: false });
    while (this.stack.length) {
      const top = this.stack[this.stack.length - 1];
      const node = top.next;
      if (!node) {
        for (const event of top.after) this.put(event);
        this.stack.pop();
        continue;
      }
      top.next = top.list ? top.list[++top.at] : node[dom.nextSibling];
      if (node[dom.nodeType] === 3) this.text(node, top);
      else if (node[dom.nodeType] === 1) this.enter(node, top.context);
    }
    return this.events;
  }

  /** Adds an event; neighbouring texts become one, and of boundaries in a row the strongest stays. */
  put(event) {
    const last = this.events[this.events.length - 1];
    if (event.t !== undefined && last && last.t !== undefined) last.t += event.t;
    else if (event === "n" && (last === "n" || last === "p")) return;
    else if (event === "p" && (last === "n" || last === "p")) this.events[this.events.length - 1] = "p";
    else this.events.push(event.t === undefined ? event : { t: event.t });
  }

  enter(el, context) {
    const tag = el[dom.localName];
    if (SILENT_TAGS.has(tag) || el[dom.id] === HIGHLIGHT_LAYER) return;
    if (tag === "input" && /^(checkbox|radio)$/.test(el.type)) return this.mark(el, context);
    const style = getComputedStyle(el);
    const rect = el[dom.getBoundingClientRect]();
    if (hidesSubtree(rect, style) || isOutside(el, rect, style)) return;
    const clear = context.clear || style.opacity === "0";
    const readable = !clear && isPainted(style);
    if (UNREAD_TAGS.has(tag) || this.leaf(el, tag, rect, readable, clear)) return;
    this.open(el, tag, style, { ...context, clear }, readable);
  }

  /** Elements that are told without their children; true when this is one. */
  leaf(el, tag, rect, readable, clear) {
    if (tag === "br") this.put("br");
    else if (tag === "hr") this.put("rule");
    else if (tag === "img") readable && rect.width > 0 && rect.height > 0 && this.image(el);
    else if (tag === "pre") readable && this.put({ pre: [languageOf(el), el[dom.innerText]] });
    else if (FIELD_TAGS.has(tag)) rect.width > 0 && (!clear || isField(el)) && this.put({ t: " " + fieldText(el) + " " });
    else return false;
    return true;
  }

  /** Styled marks hide their field, so it counts when what stands for it can be seen. */
  mark(el, context) {
    if (!context.clear && standsVisible(el)) this.put({ t: el.checked ? " [x] " : " [ ] " });
  }

  image(el) {
    const src = shortAddress(el.currentSrc || el.src || "");
    if (src || el.alt) this.put({ img: [foldSpace(el.alt || ""), src] });
  }

  open(el, tag, style, context, readable) {
    const [before, after, inner] = this.frame(el, tag, style, context);
    if (before === null) return;
    for (const event of before) this.put(event);
    if (/^(switch|checkbox|radio)$/.test(roleOf(el)) && !el[dom.querySelector]("input")) this.put({ t: checkedFact(el) === "true" ? " [x] " : " [ ] " });
    let list = null;
    let next = el[dom.firstChild];
    if (el[dom.shadowRoot] || tag === "slot") next = (list = Array.from(flatChildren(el)))[0];
    else if (tag === "details" && !el.open) next = (list = Array.from(el[dom.children]).filter((child) => child[dom.localName] === "summary"))[0];
    this.stack.push({ next, list, at: 0, after, context: inRow(inner, tag, style), readable, keepsLines: /^(pre|break-spaces)/.test(style.whiteSpace) });
  }

  /** Events before and after an element's children, and the context of these; `before` is null when it is left out. */
  frame(el, tag, style, context) {
    const role = roleOf(el);
    const mark = tag === "a" && this.withLinks && targetOf(el) ? { a: targetOf(el) } : MARK_TAGS[tag];
    if (mark) {
      const [before, after] = plainFrame(tag, style, context);
      return [[...before, mark], ["/", ...after], context];
    }
    const level = /^h[1-6]$/.test(tag) ? Number(tag[1]) : role === "heading" ? Math.min(6, Number(el[dom.getAttribute]("aria-level")) || 2) : 0;
    if (level) return [[{ h: level }], ["/"], context];
    return this.tableFrame(el, tag, role, style, context) || this.listFrame(el, tag, role, context) || plainFrame(tag, style, context);
  }

  listFrame(el, tag, role, context) {
    const list = tag === "ul" || tag === "menu" || tag === "ol" || (role === "list" && tag !== "dl");
    const nested = list || tag === "blockquote";
    if (nested && context.nest >= NEST_LIMIT) return [["n"], ["n"], context];
    const inner = nested ? { ...context, nest: context.nest + 1 } : context;
    if (tag === "ol") return [[{ ol: el.start }], ["/"], inner];
    if (list) return [["ul"], ["/"], inner];
    if (tag === "blockquote") return [["quote"], ["/"], inner];
    if (tag === "li" || role === "listitem") return [[{ li: el[dom.hasAttribute]("value") && typeof el.value === "number" ? el.value : null }], ["/"], context];
    return null;
  }

  tableFrame(el, tag, role, style, context) {
    if (tag === "table" || TABLE_ROLES.has(role)) {
      if (isLayoutTable(el, tag, role) || context.nest >= NEST_LIMIT) return [["p"], ["p"], { ...context, table: null }];
      return [["table"], ["/"], { ...context, table: el, head: false, nest: context.nest + 1 }];
    }
    // A scope that is a part of a table is written as a table of its own.
    if (!context.table && /^(tr|thead|tbody|tfoot)$/.test(tag) && !this.events.length) {
      const [before, after, inner] = this.tableFrame(el, tag, role, style, { ...context, table: el });
      return [["table", ...before], [...after, "/"], inner];
    }
    if (!context.table) return null;
    if (tag === "thead") return [[], [], { ...context, head: true }];
    if (tag === "tr" || role === "row") return isFlat(el, style) ? [null] : [[{ row: context.head }], ["/"], context];
    if (tag === "td" || tag === "th") return [[{ cell: [el.colSpan, el.rowSpan || 65534, tag === "th"] }], ["/"], context];
    if (role in CELL_ROLES) return [[{ cell: [spanOf(el, "aria-colspan"), spanOf(el, "aria-rowspan"), CELL_ROLES[role]] }], ["/"], context];
    if (tag === "caption") return [["caption"], ["/"], context];
    return /^(tbody|tfoot|colgroup)$/.test(tag) || role === "rowgroup" ? [[], [], { ...context, head: false }] : null;
  }

  text(node, top) {
    // Unseen text takes its place all the same.
    if (!top.readable) return this.put({ t: " " });
    if (!top.keepsLines) return this.put({ t: node.data });
    node.data.split("\n").forEach((line, at) => {
      if (at) this.put("br");
      if (line) this.put({ t: line });
    });
  }
}

function plainFrame(tag, style, context) {
  if (PARAGRAPH_TAGS.has(tag)) return [["p"], ["p"], context];
  if (tag === "button" || style.display === "table-cell") return [[{ t: " " }], [{ t: " " }], context];
  if (context.row) return [[{ t: " " }], [{ t: " " }], context];
  const inline = style.display.startsWith("inline") || style.display === "contents" || style.display.startsWith("ruby");
  return inline ? [[], [], context] : [["n"], ["n"], context];
}

/** The context of children that stand side by side: items of a flex row, and all that a button or label holds. */
function inRow(context, tag, style) {
  const side = style.display.endsWith("flex") && style.flexDirection.startsWith("row");
  const phrase = tag === "button" || tag === "label" || context.row === "phrase";
  const row = phrase ? "phrase" : side || (style.display === "contents" && context.row);
  return row === context.row ? context : { ...context, row };
}

/** True for a table that only arranges: said so by its role, or holding another one without any mark of data. */
function isLayoutTable(el, tag, role) {
  if (role === "presentation" || role === "none") return true;
  if (tag !== "table") return false;
  return el[dom.querySelector]("table") !== null && !el.tHead && !el.caption && !el[dom.querySelector](":scope > tbody > tr > th");
}

/** A row without height holds nothing for the eye: component libraries measure columns with one. */
function isFlat(el, style) {
  return style.display !== "contents" && el[dom.getBoundingClientRect]().height === 0;
}

function spanOf(el, name) {
  return Math.max(1, Number(el[dom.getAttribute](name)) || 1);
}

/** True when an element is placed where no scrolling brings it into view: above or left of the page. */
function isOutside(el, rect, style) {
  if ((style.position !== "absolute" && style.position !== "fixed") || rect.width === 0) return false;
  if (el[dom.offsetParent] && el[dom.offsetParent] !== document[dom.body] && el[dom.offsetParent] !== document[dom.documentElement]) return false;
  const leftwards = getComputedStyle(document[dom.documentElement]).direction !== "rtl";
  return rect.bottom + scrollY <= 0 || (leftwards && rect.right + scrollX <= 0);
}

/** True when text with this style leaves something to see. */
function isPainted(style) {
  if (style.visibility !== "visible" || style.fontSize === "0px") return false;
  return !isClear(style.color) || /text/.test(style.backgroundClip + style.webkitBackgroundClip);
}

/** What a person reads in a field: its live value, or the labels of the chosen options. */
function fieldText(el) {
  if (isHiddenInput(el)) return "";
  if (el[dom.localName] === "select") return Array.from(el.selectedOptions, (option) => foldSpace(optionLabel(option))).join(", ");
  return el[dom.localName] === "input" && el.type === "image" ? el.alt : liveValue(el) || displayedValue(el);
}

const LANGUAGE = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)/;

/** Programming language of a code block as its classes or attributes tell it, "" when they do not. */
function languageOf(pre) {
  for (const el of [pre, pre[dom.firstElementChild], pre[dom.parentElement]]) {
    if (!el) continue;
    const told = el[dom.getAttribute]("data-lang") || el[dom.getAttribute]("data-language") || (LANGUAGE.exec(el[dom.getAttribute]("class") || "") || [])[1];
    if (told && /^[\w+#.-]{1,30}$/.test(told)) return told;
  }
  return "";
}

/** Entry: the stream of a scope, with its links when `links` is set. */
function readMarkdown(args) {
  const { el, chosen } = scopeOf(args);
  const events = el ? new MarkdownWalk(Boolean(args.links)).run(el) : [];
  return { ...identity(), events, chosen, ...(args.links && el ? linksWithin(el) : {}) };
}
api.markdown = readMarkdown;
