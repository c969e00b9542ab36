// Areas of image maps. They have no boxes of their own: what a person clicks is a part of the picture that uses the map.
// Invariant: an area stands where its picture shows it, or nowhere.

/** The image that an `<area>` is a part of: the first shown one that names its map; or null. */
function imageOfArea(area) {
  const map = area[dom.closest]("map");
  const name = map && (map.name || map[dom.id]);
  if (!name) return null;
  const images = Array.from(area[dom.getRootNode]()[dom.querySelectorAll]("img[usemap]"));
  return images.find((image) => image.useMap === "#" + name && isVisible(image)) || null;
}

/** What draws an element: itself, or for an area of an image map its picture. */
function drawnBy(el) {
  return (el[dom.localName] === "area" && imageOfArea(el)) || el;
}

/**
 * Box of an `<area>` in this frame's viewport, around its shape (HTML, image maps: CSS px from the picture's content box, whatever its own size;
 * a transform scales both); null when its image does not show it.
 */
function areaRect(area) {
  const image = imageOfArea(area);
  if (!image) return null;
  const box = image[dom.getBoundingClientRect]();
  const scale = image[dom.offsetWidth] ? box.width / image[dom.offsetWidth] : 1;
  const style = getComputedStyle(image);
  const left = box.left + (image[dom.clientLeft] + (parseFloat(style.paddingLeft) || 0)) * scale;
  const top = box.top + (image[dom.clientTop] + (parseFloat(style.paddingTop) || 0)) * scale;
  const [x1, y1, x2, y2] = extentOf(area, image).map((side) => side * scale);
  const rect = new DOMRect(left + x1, top + y1, x2 - x1, y2 - y1);
  return rect.width > 0 && rect.height > 0 ? rect : null;
}

/** `[left, top, right, bottom]` around the shape, in the picture's own CSS px. */
function extentOf(area, image) {
  const whole = [0, 0, image[dom.clientWidth], image[dom.clientHeight]];
  const shape = (area.shape || "rect").toLowerCase();
  const numbers = (area.coords || "").split(/[\s,;]+/).map(Number).filter(Number.isFinite);
  if (shape.startsWith("circ") && numbers.length >= 3) {
    const [x, y, radius] = numbers;
    return [x - radius, y - radius, x + radius, y + radius];
  }
  if (shape === "default" || numbers.length < 4) return whole;
  const [xs, ys] = [0, 1].map((odd) => numbers.filter((_side, at) => at % 2 === odd));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Where an element is drawn: its box, of an `<area>` its shape's part of the image. */
function boxOf(el) {
  return (el[dom.localName] === "area" && areaRect(el)) || el[dom.getBoundingClientRect]();
}

/** `x,y` in this frame's viewport at which a pointer is over an `<area>`; the middle of its box where that cannot be tried. */
function pointOn(area) {
  const rect = areaRect(area);
  let [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
  for (const point of trialPoints(area, rect)) {
    if (deepElementFromPoint(...point) !== area) continue;
    [x, y] = point;
    break;
  }
  return Math.round(x) + "," + Math.round(y);
}
