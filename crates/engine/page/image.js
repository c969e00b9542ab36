// The picture that an element shows: where it comes from, and its bytes where only this document can open the address.
// Invariant: it reads; a picture that was fetched for the caller is kept until it has been handed over or the next is.

/** References that are followed in one inline SVG. */
const MAX_USES = 200;

/** The last picture that was fetched, until it has been read. */
let fetchedImage;

/** Entry: the picture of an element → `{url, kind, alt?, naturalWidth, naturalHeight, blank?}`. Refuses what shows none. */
async function imageSource(args) {
  const { el } = await locate(args);
  const shown = ownPicture(el) || onlyPictureInside(el);
  if (!shown) throw new Refusal("ACTION_FAILED", "not-an-image", { target: describe(el) });
  if (shown.kind !== "canvas" && shown.kind !== "svg") return shown.url ? shown : noSource(el);
  return shown.url && shown.url !== "data:," ? shown : noSource(el);
}
api.imageSource = imageSource;

function noSource(el) {
  throw new Refusal("ACTION_FAILED", "image-without-source", { target: describe(el) });
}

/** What the element itself shows: `img`, `picture`, an image button, a canvas, an SVG, an SVG `image`, else its first background. */
function ownPicture(el) {
  const tag = el[dom.localName];
  if (tag === "picture") {
    const inner = el[dom.querySelector]("img");
    if (inner) return pictureOfImg(inner, "img");
  }
  if (tag === "img") return pictureOfImg(el, "img");
  if (el instanceof HTMLInputElement && el.type === "image") return picture(el.src, "input", el.alt);
  if (tag === "canvas") return drawnCanvas(el);
  if (tag === "svg" && el instanceof SVGSVGElement) return drawnSvg(el);
  if (el instanceof SVGImageElement) return picture(absolute(el.href.baseVal), "svg-image");
  const background = backgroundAddress(el);
  return background ? picture(background, "background") : undefined;
}

/** What a canvas shows now, as PNG. Refuses one that holds what another origin drew: the browser gives nobody its pixels. */
function drawnCanvas(canvas) {
  let url;
  try {
    url = canvas.toDataURL("image/png");
  } catch {
    throw new Refusal("ACTION_FAILED", "image-tainted", { target: describe(canvas) });
  }
  return { ...picture(url, "canvas"), naturalWidth: canvas.width, naturalHeight: canvas.height, blank: isUndrawn(canvas) || undefined };
}

/** True when nothing is drawn: also what a canvas of WebGL gives that does not keep its drawing. */
function isUndrawn(canvas) {
  if (!canvas.width || !canvas.height) return true;
  const look = new OffscreenCanvas(64, 64).getContext("2d");
  look.drawImage(canvas, 0, 0, 64, 64);
  return look.getImageData(0, 0, 64, 64).data.every((value) => value === 0);
}

/** An inline SVG as a file of its own: with its size, its colour, and what it takes from elsewhere in the document. */
function drawnSvg(svg) {
  const copy = svg[dom.cloneNode](true);
  const rect = svg[dom.getBoundingClientRect]();
  for (const side of ["width", "height"]) if (!/^[\d.]+(px)?$/.test(copy[dom.getAttribute](side) || "")) copy[dom.setAttribute](side, String(Math.round(rect[side])));
  const style = getComputedStyle(svg);
  copy[dom.setAttribute]("color", style.color);
  if (!copy[dom.hasAttribute]("fill")) copy[dom.setAttribute]("fill", style.fill);
  takeIn(copy, svg[dom.getRootNode]());
  const text = new XMLSerializer().serializeToString(copy);
  return { ...picture("data:image/svg+xml;charset=utf-8," + encodeURIComponent(text), "svg"), naturalWidth: Math.round(rect.width), naturalHeight: Math.round(rect.height) };
}

/** Copies of what `use` elements name that stands outside, and of what those name. */
function takeIn(copy, root) {
  const place = document.createElementNS("http://www.w3.org/2000/svg", "defs");
  for (let at = 0, uses = [...copy[dom.querySelectorAll]("use")]; at < uses.length && at < MAX_USES; at++) {
    const name = /^#(.+)/.exec(uses[at][dom.getAttribute]("href") || uses[at][dom.getAttribute]("xlink:href") || "");
    if (!name || copy[dom.querySelector]("#" + CSS.escape(name[1])) || place[dom.querySelector]("#" + CSS.escape(name[1]))) continue;
    const source = root[dom.getElementById] && root[dom.getElementById](name[1]);
    if (!source) continue;
    const inner = source[dom.cloneNode](true);
    place[dom.append](inner);
    uses.push(...inner[dom.querySelectorAll]("use"));
  }
  if (place[dom.firstChild]) copy[dom.append](place);
}

function pictureOfImg(img, kind) {
  return { ...picture(img.currentSrc || img.src, kind, img.alt), naturalWidth: img.naturalWidth, naturalHeight: img.naturalHeight };
}

function picture(url, kind, alt) {
  return { url: url || "", kind, alt: alt || undefined, naturalWidth: 0, naturalHeight: 0 };
}

/** A link or button around one picture means that picture; around several it means none of them. */
function onlyPictureInside(el) {
  const inside = openRoots(el).flatMap((root) => Array.from(root[dom.querySelectorAll]("img")));
  return inside.length === 1 ? pictureOfImg(inside[0], "inside") : undefined;
}

/** The address of the first picture of a background; computed values are absolute and always quoted. */
function backgroundAddress(el) {
  const found = /url\("((?:[^"\\]|\\.)*)"\)/.exec(getComputedStyle(el).backgroundImage);
  return found && found[1].replace(/\\(.)/g, "$1");
}

function absolute(address) {
  try {
    return address ? new URL(address, document.baseURI).href : "";
  } catch {
    return address;
  }
}

/** Entry: fetches a picture as this document can → `{size, status, type}`; its bytes are read with `imageBytes`. */
async function imageFetch({ url, limit, timeoutMs }) {
  fetchedImage = undefined;
  let reply;
  try {
    reply = await fetch(url, { credentials: "include", signal: AbortSignal.timeout(timeoutMs) });
    fetchedImage = await bytesWithin(reply, limit);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal("NETWORK_ERROR", "image-fetch", { message: cut(String(error && error.message), 200) });
  }
  return { size: fetchedImage.size, status: reply.status, type: reply.headers.get("content-type") || fetchedImage.type };
}
api.imageFetch = imageFetch;

async function bytesWithin(reply, limit) {
  // A stream: a body without an end must not be held before its size is known.
  const { body } = reply;
  if (!body) return new Blob([]);
  const parts = [];
  let size = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) {
      reader.cancel().catch(() => {});
      throw new Refusal("ACTION_FAILED", "image-too-large", { limit });
    }
    parts.push(part.value);
  }
  return new Blob(parts);
}

/** Entry: a part of the fetched picture as base64. */
async function imageBytes({ from, to }) {
  if (!fetchedImage) throw new Refusal("ACTION_FAILED", "image-not-fetched", {});
  const bytes = new Uint8Array(await fetchedImage.slice(from, to).arrayBuffer());
  if (to >= fetchedImage.size) fetchedImage = undefined;
  let binary = "";
  // An argument list has a limit of its own.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { base64: btoa(binary) };
}
api.imageBytes = imageBytes;
