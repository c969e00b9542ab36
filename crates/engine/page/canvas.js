// What is painted on the canvases that a gesture is made over. Painting leaves no record in the document, so pictures are
// compared. Invariants: nothing is compared but what lies around the gesture; a canvas that may not be read, or that is
// painted on by itself, is no evidence.

const CANVASES_COMPARED = 3;
/** Side of the reduced picture of a whole canvas, and of the part around the point at its own size (pixels). */
const SKETCH_SIDE = 192;

/** The canvases at the middle of an element or at a point of the viewport: the element itself, those inside and those stacked with it. */
function canvasesAt(target, point) {
  if (!target && !point) return [];
  const rect = target ? plainRect(target) : null;
  const at = point || { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  const around = target && (target[dom.localName] === "canvas" ? composedParent(target) : target);
  const root = around || document;
  const all = [target, ...root[dom.querySelectorAll]("canvas")].filter((el) => el && el[dom.localName] === "canvas" && isUnder(el, at));
  return Array.from(new Set(all)).slice(0, CANVASES_COMPARED).map((canvas) => ({ canvas, at }));
}

function isUnder(canvas, { x, y }) {
  const rect = canvas[dom.getBoundingClientRect]();
  return x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
}

/** Hash of the whole canvas, reduced, and of what lies around a point; null for one that may not be read. */
function canvasPrint({ canvas, at }) {
  try {
    const rect = canvas[dom.getBoundingClientRect]();
    const left = ((at.x - rect.left) * canvas.width) / rect.width - SKETCH_SIDE / 2;
    const top = ((at.y - rect.top) * canvas.height) / rect.height - SKETCH_SIDE / 2;
    const sketch = new OffscreenCanvas(SKETCH_SIDE, 2 * SKETCH_SIDE).getContext("2d", { willReadFrequently: true });
    sketch.imageSmoothingQuality = "high";
    sketch.drawImage(canvas, 0, 0, SKETCH_SIDE, SKETCH_SIDE);
    sketch.drawImage(canvas, left, top, SKETCH_SIDE, SKETCH_SIDE, 0, SKETCH_SIDE, SKETCH_SIDE, SKETCH_SIDE);
    const pixels = new Uint32Array(sketch.getImageData(0, 0, SKETCH_SIDE, 2 * SKETCH_SIDE).data.buffer);
    let hash = 0x811c9dc5;
    for (const pixel of pixels) hash = Math.imul(hash ^ pixel, 0x01000193);
    return hash >>> 0;
  } catch (error) {
    // Painted with pictures of other sites, or without a size.
    return null;
  }
}

/** Pictures of the canvases of a watch, for later comparison. */
function paintMarks(target, point) {
  return canvasesAt(target, point).map((place) => ({ place, print: canvasPrint(place), restless: false }));
}

/** Looks whether a canvas that was still when the gesture began shows something else → it does. */
function isPaintedOn(watch) {
  return watch.paints.some((paint) => !paint.restless && paint.print !== null && canvasPrint(paint.place) !== paint.print);
}

/** Takes note of canvases that are painted on without the gesture: what differs from the marks now is not its doing. */
function noteRestless(watch) {
  for (const paint of watch.paints) {
    const now = canvasPrint(paint.place);
    if (now !== paint.print) Object.assign(paint, { print: now, restless: true });
  }
}
