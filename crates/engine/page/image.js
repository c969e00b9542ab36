// The picture that an element shows: where it comes from, and its bytes where only this document can open the address.
// Invariant: it reads; a picture that was fetched for the caller is kept until it has been handed over or the next is.

/** The last picture that was fetched, until it has been read. */
let fetchedImage;

/** Entry: the picture of an element → `{url, kind, alt?, naturalWidth, naturalHeight}`. Refuses what shows none. */
async function imageSource(args) {
  const { el } = await locate(args);
  const shown = ownPicture(el) || onlyPictureInside(el);
  if (!shown) throw new Refusal("ACTION_FAILED", "not-an-image", { target: describe(el) });
  if (!shown.url) throw new Refusal("ACTION_FAILED", "image-without-source", { target: describe(el) });
  return shown;
}
api.imageSource = imageSource;

/** What the element itself shows: `img`, `picture`, an image button, an SVG `image`, else its first background. */
function ownPicture(el) {
  const tag = el[dom.localName];
  if (tag === "picture") {
    const inner = el[dom.querySelector]("img");
    if (inner) return pictureOfImg(inner, "img");
  }
  if (tag === "img") return pictureOfImg(el, "img");
  if (el instanceof HTMLInputElement && el.type === "image") return picture(el.src, "input", el.alt);
  if (el instanceof SVGImageElement) return picture(absolute(el.href.baseVal), "svg-image");
  const background = backgroundAddress(el);
  return background ? picture(background, "background") : undefined;
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
