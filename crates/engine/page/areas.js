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

/**
 * Box of an `<area>` in this frame's viewport, around its shape (HTML, image maps: CSS px from the image's content box,
 * never scaled with it); null when its image does not show it.
 */
function areaRect(area) {
  const image = imageOfArea(area);
  if (!image) return null;
  const box = image[dom.getBoundingClientRect]();
  const style = getComputedStyle(image);
  const left = box.left + image[dom.clientLeft] + (parseFloat(style.paddingLeft) || 0);
  const top = box.top + image[dom.clientTop] + (parseFloat(style.paddingTop) || 0);
  const coords = (area.coords || "").split(/[\s,;]+/).map(Number).filter(Number.isFinite);
  const shape = (area.shape || "rect").toLowerCase();
  if (shape === "default") return box;
  const [x, y, radius] = coords;
  const circle = /^circ/.test(shape);
  const across = circle ? [x - radius, x + radius] : coords.filter((_side, at) => at % 2 === 0);
  const down = circle ? [y - radius, y + radius] : coords.filter((_side, at) => at % 2 === 1);
  const rect = new DOMRect(left + Math.min(...across), top + Math.min(...down), Math.max(...across) - Math.min(...across), Math.max(...down) - Math.min(...down));
  return rect.width > 0 && rect.height > 0 ? rect : null;
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
