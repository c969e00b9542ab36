// Rows of tables: the plain cells of a row that stand beside each other share a line, joined by ` | `, so that a reader
// sees what belongs together and pays for one line instead of five. Invariants: what a cell says itself cannot pass for
// the border of a cell (its `|` is printed as `\|`); an empty cell between two others keeps its place.

const CELL = "td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]";
const ROW = "tr,[role=row]";
/** A cell with more text than this, or with more pieces, is laid out as a page of its own and keeps its lines. */
const CELL_LIMIT = 80;
const CELL_PIECES = 3;

/** Lines with the neighbouring texts of each row joined; `roots` are those that were read. */
function joinRows(lines, roots) {
  if (!roots.some((root) => root[dom.querySelector](ROW))) return lines;
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const cells = cellsFrom(lines, at);
    const end = cells.length ? endOfCells(cells) : at + 1;
    const joined = cells.length > 1 ? joinCells(cells) : "";
    if (joined) out.push({ ...lines[at], text: joined });
    else for (let kept = at; kept < end; kept++) out.push(lines[kept]);
    at = end;
  }
  return out;
}

function endOfCells(cells) {
  return cells[cells.length - 1].end;
}

/** The cells of one row whose texts stand one after the other from a line on: `{cell, pieces, end}`. */
function cellsFrom(lines, start) {
  const cells = [];
  let row = null;
  for (let at = start; at < lines.length && !lines[at].el && !lines[at].more; at++) {
    const cell = lines[at].node[dom.parentElement] && lines[at].node[dom.parentElement][dom.closest](CELL);
    const last = cells[cells.length - 1];
    if (!cell) break;
    if (last && last.cell === cell) {
      last.pieces.push(lines[at].text);
      last.end = at + 1;
      continue;
    }
    const around = cell[dom.parentElement] && cell[dom.parentElement][dom.closest](ROW);
    if (!around || (row && around !== row)) break;
    row = around;
    cells.push({ cell, pieces: [lines[at].text], end: at + 1 });
  }
  return cells;
}

/** The texts of cells as one; "" when one of them is no plain cell. */
function joinCells(cells) {
  let text = "";
  for (const [at, { cell, pieces }] of cells.entries()) {
    const own = pieces.map((piece) => foldSpace(piece)).join(" ");
    if (own.length > CELL_LIMIT || pieces.length > CELL_PIECES || cell[dom.querySelector]("table,li,h1,h2,h3,h4,h5,h6")) return "";
    if (at > 0) text += " |".repeat(Math.max(1, cellNumber(cell) - cellNumber(cells[at - 1].cell))) + " ";
    text += own.replace(/\|/g, "\\|");
  }
  return text;
}

/** Number of a cell in its row. */
function cellNumber(cell) {
  if (cell.cellIndex !== undefined) return cell.cellIndex;
  let place = 0;
  for (let before = cell[dom.previousElementSibling]; before; before = before[dom.previousElementSibling]) if (before[dom.matches](CELL)) place++;
  return place;
}
