// Areas of image maps. They have no boxes of their own: what a person clicks is a part of the picture that uses the map.
// Source: HTML, "Image maps" (coordinates count in CSS px from the corner of the picture's content box).

/** The picture that shows the map of an `<area>`, or null. */
function pictureOf(area) {
  const map = area[dom.closest]("map");
  if (!map || !map.name) return null;
  for (const img of area[dom.getRootNode]()[dom.querySelectorAll]("img[usemap]")) if (mapName(img) === map.name) return img;
  return null;
}

function mapName(img) {
  return img.useMap.slice(img.useMap.indexOf("#") + 1);
}

/** The areas of a picture that lead somewhere, in document order. */
function areasOf(img) {
  const name = img[dom.hasAttribute]("usemap") ? mapName(img) : "";
  const maps = name ? img[dom.getRootNode]()[dom.querySelectorAll]("map") : [];
  const map = Array.from(maps).find((candidate) => candidate.name === name);
  return map ? Array.from(map[dom.querySelectorAll]("area[href],area[onclick],area[tabindex]")) : [];
}

/** Box around the shape of an `<area>` in this frame's viewport, or null when nothing shows it. */
function areaRect(area) {
  const img = pictureOf(area);
  if (!img) return null;
  const box = img[dom.getBoundingClientRect]();
  const style = getComputedStyle(img);
  const left = box.left + img[dom.clientLeft] + parseFloat(style.paddingLeft);
  const top = box.top + img[dom.clientTop] + parseFloat(style.paddingTop);
  const whole = [0, 0, img[dom.clientWidth], img[dom.clientHeight]];
  const [x1, y1, x2, y2] = area.shape === "default" ? whole : extentOf(area) || whole;
  return new DOMRect(left + x1, top + y1, x2 - x1, y2 - y1);
}

/** `[left, top, right, bottom]` of the shape's coordinates; null when there are too few. */
function extentOf(area) {
  const numbers = area.coords.split(/[,\s]+/).map(Number).filter(Number.isFinite);
  if (area.shape === "circle") {
    const [x, y, radius] = numbers;
    return numbers.length < 3 ? null : [x - radius, y - radius, x + radius, y + radius];
  }
  if (numbers.length < 4) return null;
  const [xs, ys] = [0, 1].map((odd) => numbers.filter((_number, at) => at % 2 === odd));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
