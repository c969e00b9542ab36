// What a whole scope says: its text, links, tables, markup and box. Invariants: the page is only looked at (a copy lives
// in a document without a window), and the value of a secret field is replaced in every form of markup.

const LINK_LIMIT = 1000;
const TABLE_LIMIT = 300;

/** The element that `selector`/`nth` name, else the body; `chosen` tells which match was taken. */
function scopeOf(args) {
  const top = document[dom.body] || document[dom.documentElement];
  if (typeof args.selector !== "string") return { el: top };
  const { el, selection } = chooseMatch(args.selector, args.nth);
  const { css } = parseSelector(args.selector, args.nth);
  return { el, chosen: { css, index: selection.chosenIndex, matched: selection.matched, explicit: Boolean(selection.explicitNth) } };
}

/** Every match of a selector inside an element, in its open shadow roots too; the element itself is not one of them. */
function queryWithin(el, css) {
  const found = [];
  if (el[dom.shadowRoot]) collectMatches(el[dom.shadowRoot], css, found);
  collectMatches(el, css, found);
  return found;
}

/** Address, title and token of this document. */
function identity() {
  return { doc, url: location.href, title: document[dom.title] };
}

/** `{text, href}` of the links in a scope that can be seen, with the texts cut; `javascript:` ones lead nowhere. */
function linksWithin(el) {
  const all = el[dom.matches]("a[href]") ? [el] : queryWithin(el, "a[href],area[href]");
  const links = [];
  let truncated = false;
  for (const link of all) {
    const href = targetOf(link);
    if (!href || !isVisible(link)) continue;
    if (links.length === LINK_LIMIT) {
      truncated = true;
      break;
    }
    links.push({ text: shortText(link, 80) || cut(nameOf(link, false), 80), href });
  }
  return { links, linksTruncated: truncated || undefined };
}

/** Absolute address of a link, "" when it leads nowhere (`javascript:`, broken). SVG links keep theirs in an object. */
function targetOf(link) {
  const href = typeof link.href === "string" ? link.href : link.href ? link.href.baseVal : "";
  return /^javascript:/i.test(href.trim()) ? "" : cut(href, 2000);
}

/** Entry: rendered text of the scope, with its links when `links` is set. */
function readScope(args) {
  const { el, chosen } = scopeOf(args);
  return { ...identity(), text: el ? innerTextOf(el) : "", chosen, ...(args.links && el ? linksWithin(el) : {}) };
}
api.scopeText = readScope;

// ---- tables --------------------------------------------------------------------------------------------------------

/** Entry: the tables of the document; `index` is the N by which `table >> nth=N` finds each again. */
function listTables() {
  const all = queryAllDeep("table");
  return { ...identity(), count: all.length, tables: all.slice(0, TABLE_LIMIT).map(tableFacts) };
}
api.tables = listTables;

function tableFacts(table, index) {
  const content = innerTextOf(table);
  const facts = { index, rows: table.rows.length, cols: columnsOf(table), className: cut(table[dom.getAttribute]("class") || "", 200), id: table[dom.id] };
  return {
    ...facts,
    visible: isVisible(table),
    caption: table.caption ? contentText(table.caption, null) : "",
    textLength: Array.from(content).length,
    imageCount: queryWithin(table, "img").length,
    preview: cut(foldSpace(content), 120),
  };
}

/** Columns of the widest row, spans counted. */
function columnsOf(table) {
  let most = 0;
  for (const row of table.rows) {
    let columns = 0;
    for (const cell of row.cells) columns += cell.colSpan;
    most = Math.max(most, columns);
  }
  return most;
}

// ---- markup and box ------------------------------------------------------------------------------------------------

/** Entry: inner HTML, open shadow roots as declarative templates, values of secret fields replaced. */
async function readHtml(args) {
  const { el } = await locate(args);
  const shadowRoots = openRoots(el).filter((root) => root[dom.host]);
  let html = shadowRoots.length ? el[dom.getHTML]({ shadowRoots }) : el[dom.innerHTML];
  for (const field of queryWithin(el, "input[value]")) {
    if (isSecretField(field)) html = html.replaceAll(field[dom.outerHTML], withoutValue(field));
  }
  return { html };
}
api.html = readHtml;

/** Markup of a field with its value replaced; the copy belongs to a document in which nothing runs or loads. */
function withoutValue(field) {
  const copy = document[dom.implementation].createHTMLDocument("")[dom.importNode](field, false);
  copy[dom.setAttribute]("value", REDACTED);
  // In a replacement text `$` has a meaning.
  return copy[dom.outerHTML].replaceAll("$", "$$$$");
}

/** Entry: box in this frame's viewport `{left, top, right, bottom}`; that of the content for an element without its own. */
async function readBox(args) {
  const { el } = await locate(args);
  let rect = el[dom.getClientRects]().length ? el[dom.getBoundingClientRect]() : null;
  if (!rect && getComputedStyle(el).display === "contents") {
    const range = document[dom.createRange]();
    range.selectNodeContents(el);
    rect = range.getClientRects().length ? range.getBoundingClientRect() : null;
  }
  if (!rect) throw new Refusal("ELEMENT_HIDDEN", hiddenReason(el) || "no-layout", { target: describe(el) });
  return { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
}
api.box = readBox;
