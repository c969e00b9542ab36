// Facts about the page and single elements, read without acting: what goes beside the lines of a snapshot, and the small
// reading commands. Invariant: no value of a secret field is ever returned.

const TITLE_LIMIT = 1000;
/** Cap of names and identifiers in records. */
const WORD_LIMIT = 200;
const PATH_LIMIT = 2000;
const MEDIA_SIDE = 120;
const MEDIA_AREA = 40000;
const MEDIA_SAMPLES = 5;

/** Identity and geometry of this document, in CSS px of this frame's own viewport. */
function pageBasics() {
  const scroller = document[dom.scrollingElement] || document[dom.documentElement];
  const pageHeight = scroller ? Math.max(scroller[dom.scrollHeight], innerHeight) : innerHeight;
  const above = Math.round(scrollY);
  return {
    doc,
    url: location.href,
    title: cut(document[dom.title], TITLE_LIMIT),
    readyState: document[dom.readyState],
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { above, below: Math.max(0, pageHeight - innerHeight - above), pageHeight },
  };
}

/** Pictures large enough to carry content that the text cannot: both sides ≥ 120 px and an area ≥ 40000 px². */
function mediaFacts() {
  const facts = { count: 0, images: 0, samples: [] };
  for (const el of document[dom.querySelectorAll]("img,canvas,video")) {
    const rect = el[dom.getBoundingClientRect]();
    if (rect.width < MEDIA_SIDE || rect.height < MEDIA_SIDE || rect.width * rect.height < MEDIA_AREA) continue;
    facts.count++;
    if (el[dom.localName] === "img") facts.images++;
    if (facts.samples.length < MEDIA_SAMPLES) {
      facts.samples.push({ src: shortAddress(el.currentSrc || el.src || ""), w: Math.round(rect.width), h: Math.round(rect.height) });
    }
  }
  return facts;
}

function shortAddress(address) {
  return /^(data|blob):/i.test(address) ? cut(address, 40) + (address.length > 40 ? "..." : "") : cut(address, 500);
}

// ---- frames --------------------------------------------------------------------------------------------------------

/**
 * Owners of child frames in document order with the place of each among the lines.
 * `rect` is the content box `[x, y, width, height]` in this frame's viewport; `hidden` says why a person cannot see any
 * of it (`zero-size`, `hidden`, `inert`, `covered`). With `top`, only owners below that element.
 */
function frameOwners(lines, roots, top) {
  const all = roots.flatMap((root) => Array.from(root[dom.querySelectorAll]("iframe,frame")));
  const owners = top ? all.filter((owner) => composedContains(top, owner)) : all;
  if (!owners.length) return { frames: [], markers: [] };
  owners.sort((a, b) => (comesBefore(a, b) ? -1 : 1));
  const frames = owners.map(frameFacts);
  const markers = [];
  let at = 0;
  owners.forEach((owner, order) => {
    while (at < lines.length && comesBefore(lines[at].el || lines[at].node, owner, true)) at++;
    markers.push({ at, order });
  });
  return { frames, markers };
}

/** Document order across open shadow roots: a host comes before what its root holds, the root before light children. */
function comesBefore(a, b, orSame = false) {
  if (a === b) return orSame;
  const [pathA, pathB] = [rootPath(a), rootPath(b)];
  for (let i = 0; i < Math.min(pathA.length, pathB.length); i++) {
    if (pathA[i] !== pathB[i]) return Boolean(pathA[i][dom.compareDocumentPosition](pathB[i]) & Node.DOCUMENT_POSITION_FOLLOWING);
  }
  return pathA.length < pathB.length;
}

function rootPath(node) {
  const path = [node];
  for (let root = node[dom.getRootNode](); root[dom.host]; root = root[dom.host][dom.getRootNode]()) path.unshift(root[dom.host]);
  return path;
}

function frameFacts(el) {
  const rect = el[dom.getBoundingClientRect]();
  const style = getComputedStyle(el);
  const inset = (side) => parseFloat(style["padding" + side]) || 0;
  const [left, top] = [el[dom.clientLeft] + inset("Left"), el[dom.clientTop] + inset("Top")];
  const width = Math.max(0, el[dom.clientWidth] - inset("Left") - inset("Right"));
  const height = Math.max(0, el[dom.clientHeight] - inset("Top") - inset("Bottom"));
  // Sizes inside an element are those before zoom and transforms; its box is what these have made of it.
  const across = el[dom.offsetWidth] ? rect.width / el[dom.offsetWidth] : 1;
  const down = el[dom.offsetHeight] ? rect.height / el[dom.offsetHeight] : 1;
  return {
    ref: refOf(el),
    src: shortAddress(el.src || ""),
    name: cut(el.name || "", WORD_LIMIT),
    rect: [rect.left + left * across, rect.top + top * down, width * across, height * down],
    hidden: whyUnseen(el, rect, width, height),
    zoom: el.currentCSSZoom || 1,
  };
}

// One side of a pixel or less is how pages embed what nobody shall see.
function whyUnseen(el, rect, width, height) {
  if (!el[dom.checkVisibility]({ visibilityProperty: true, opacityProperty: true })) return "hidden";
  if (width <= 1 || height <= 1) return "zero-size";
  if (composedClosest(el, "[inert]")) return "inert";
  const covers = Array.from(trialPoints(el, rect), ([x, y]) => deepElementFromPoint(x, y));
  return covers.length && covers.every((hit) => hit && !hitBelongsTo(el, hit) && paints(hit)) ? "covered" : "";
}

/** Entry: facts of one frame element (`el`), seen from the document that holds it. */
function frameOwner(args) {
  return frameFacts(args.el);
}
api.frameOwner = frameOwner;

/** Entry: what a pointer at a point of this frame would hit, when that is not the frame element `el` → `{outside, cover?}`. */
function frameHit({ el, x, y }) {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return { outside: true };
  const hit = deepElementFromPoint(x, y);
  if (hit === el) return { outside: false };
  const facts = hit ? coverFacts(el, hit, "cover") : {};
  return { outside: false, cover: hit ? describe(hit) : { tag: "html" }, closeHint: facts.closeHint, quiet: isQuiet(0) || undefined };
}
api.frameHit = frameHit;

/** Entry: size of this frame's viewport. */
function frameSize() {
  return { width: innerWidth, height: innerHeight };
}
api.frameSize = frameSize;

/** Entry: brings a frame element into view, in every scroller around it. */
function revealFrame({ el }) {
  el[dom.scrollIntoView]({ block: "nearest", inline: "nearest", behavior: "instant" });
}
api.revealFrame = revealFrame;

// ---- locator facts -------------------------------------------------------------------------------------------------

/** Record of an indexed element for `elements[]` and the interactive map; `known` as in `positionOf`. */
function elementRecord({ el, ref, rect, text }, known) {
  const record = { ref, tag: el[dom.localName], xpath: cut(xpathOf(el, known), PATH_LIMIT), visible: true, rect: roundRect(rect) };
  const put = (key, value) => value && (record[key] = value);
  put("id", cut(el[dom.id] || "", WORD_LIMIT));
  put("className", cut(el[dom.getAttribute]("class") || "", 200));
  put("href", /^(a|area)$/.test(el[dom.localName]) && el.href ? cut(String(el.href), 500) : "");
  put("name", cut(el[dom.getAttribute]("name") || "", WORD_LIMIT));
  put("type", cut(el[dom.getAttribute]("type") || "", WORD_LIMIT));
  if (FIELD_STATE_TAGS.has(el[dom.localName])) record.value = cut(liveValue(el), 120);
  const checked = checkedFact(el);
  if (checked !== undefined) record.checked = checked === "true";
  put("text", cut(text === undefined ? shortText(el, 120) : text, 120));
  return record;
}

function roundRect(rect) {
  return [rect.left, rect.top, rect.width, rect.height].map((side) => Math.round(side * 10) / 10);
}

/** Path from the document's root; each shadow root on the way is written as `/#shadow-root`. `known` as in `positionOf`. */
function xpathOf(el, known) {
  let path = "";
  for (let node = el; node; ) {
    path = "/" + node[dom.localName] + positionOf(node, known) + path;
    const parent = node[dom.parentNode];
    if (parent && parent[dom.host]) path = "/#shadow-root" + path;
    node = parent && (parent[dom.host] || (parent[dom.nodeType] === 1 ? parent : null));
  }
  return path;
}

/** `[n]` among siblings of the same tag, nothing for an only one. `known` keeps what one call has counted: lists are long. */
function positionOf(el, known) {
  if (!el[dom.parentNode]) return "";
  if (!known.has(el)) {
    // A form's own members can be shadowed by the names of its fields; a walker cannot.
    const walker = document[dom.createTreeWalker](el[dom.parentNode], NodeFilter.SHOW_ELEMENT);
    const counted = new Map();
    const siblings = [];
    for (let sibling = walker.firstChild(); sibling; sibling = walker.nextSibling()) {
      siblings.push(sibling);
      counted.set(sibling[dom.localName], (counted.get(sibling[dom.localName]) || 0) + 1);
    }
    const passed = new Map();
    for (const sibling of siblings) {
      const position = (passed.get(sibling[dom.localName]) || 0) + 1;
      passed.set(sibling[dom.localName], position);
      known.set(sibling, counted.get(sibling[dom.localName]) > 1 ? "[" + position + "]" : "");
    }
  }
  return known.get(el);
}

/** Entry: records of the given references as they are now; one that is gone has `resolved:false`. */
function readRecords(args) {
  const known = new Map();
  return args.refs.map((ref) => {
    // The same number may stand for another element in another document.
    const entry = args.doc === doc ? refs.get(ref) : undefined;
    const el = entry && entry.node.deref();
    if (!el || !el[dom.isConnected]) return { ref, resolved: false, tag: entry ? entry.tag : "", text: (entry && entry.text) || "" };
    const rect = boxOf(el);
    return { ...elementRecord({ el, ref, rect }, known), visible: isVisible(el), resolved: true };
  });
}
api.records = readRecords;

// ---- single reads --------------------------------------------------------------------------------------------------

/** Entry: rendered text of one element; with `canvasOnly`, whether a text-less element draws its content on canvases. */
async function readText(args) {
  const { el, selection } = await locate(args);
  const content = innerTextOf(el);
  const reply = { text: content, matched: selection ? selection.matched : 1 };
  if (args.canvasOnly && !content.trim()) reply.canvasOnly = holdsCanvas(el);
  return reply;
}
api.text = readText;

function holdsCanvas(el) {
  return openRoots(el).some((root) => root[dom.querySelector]("canvas")) || el[dom.localName] === "canvas";
}

/** Entry: live value of a field or the text of an editable region; `{redacted:true}` instead of a secret. */
async function readValue(args) {
  const { el } = await locate(args);
  if (isSecretField(el)) return { redacted: true };
  if (FIELD_STATE_TAGS.has(el[dom.localName]) || el[dom.localName] === "button") return { value: liveValue(el) };
  if (el[dom.isContentEditable]) return { value: el[dom.innerText] };
  return { value: el[dom.getAttribute]("aria-valuetext") || el[dom.getAttribute]("aria-valuenow") || el[dom.getAttribute]("value") || "" };
}
api.value = readValue;

/** Entry: one attribute as written in the markup; no `value` member when it is absent. */
async function readAttribute(args) {
  const { el } = await locate(args);
  if (args.name.toLowerCase() === "value" && isSecretField(el)) return el[dom.hasAttribute]("value") ? { value: REDACTED, redacted: true } : {};
  const found = el[dom.getAttribute](args.name);
  return found === null ? {} : { value: found };
}
api.attribute = readAttribute;

/** Entry: number of matches in the document and its open shadow roots. */
function countMatches(args) {
  const { css, nth } = parseSelector(args.selector);
  const matched = queryAllDeep(css).length;
  return { count: nth === undefined ? matched : Number(nth < matched) };
}
api.count = countMatches;

/** Entry: the page in a few facts, without its text. */
function pageFacts() {
  const content = innerTextOf(document).trim();
  const blank = !content && !document[dom.querySelector](COUNTED + ",img,canvas,video,iframe");
  return { ...pageBasics(), textLength: content.length, blank, mutationsSince: mutationsSinceSnapshot() };
}
api.pageFacts = pageFacts;

/** Entry: what happened to the document since it was read. */
api.sinceSnapshot = () => mutationsSinceSnapshot();

/** Entry: resolves at the next animation frame. */
api.nextFrame = () => nextFrame();
