// node measure.mjs <dsb> <site>: counts the tokens of what three readers say of each fixture page, checks how much of its
// truth list each names, and writes the table to docs/tokens.md. Exit code 1 when a page costs more than half of what the
// cheaper of the others costs, for no reason given below.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { Devtools, Dsb, Playwright, announce } from "./readers.mjs";
import { recall } from "./recall.mjs";
import { enter, scenes } from "./scenes.mjs";

const TABLE = new URL("../../docs/tokens.md", import.meta.url);
/** Tokens that a changed row of a thousand may cost. */
const DIFF_BOUND = 60;

/** Why a page may cost more than half of the cheaper of the others. */
const REASONS = JSON.parse(readFileSync(new URL("reasons.json", import.meta.url), "utf8"));

const tokens = (text) => encode(text, { allowedSpecial: "all" }).length;

async function measureScene(readers, scene, site) {
  const row = { name: scene.name, cells: [] };
  for (const reader of readers) {
    await enter(reader, scene, site);
    const text = await reader.read();
    row.cells.push({ tokens: tokens(text), ...recall(reader, text, scene) });
  }
  const [ours, ...others] = row.cells;
  row.ratio = ours.tokens / Math.min(...others.map((cell) => cell.tokens));
  row.recalls = others.every((cell) => cell.found <= ours.found);
  row.holds = row.ratio <= 0.5 && row.recalls;
  return row;
}

/** Tokens of the difference after one row of a thousand changed. */
async function measureDiff(dsb, site) {
  await dsb.open(`${site.a}/plain/orders.html?n=1000`);
  await dsb.read("diff");
  await dsb.evaluate("const paid = document.getElementById('r500'); paid.cells[3].textContent = '99.90'; paid.cells[4].textContent = 'returned';");
  const text = await dsb.read("diff");
  if (!text.includes("99.90 | returned")) throw new Error(`the change is not told: ${text}`);
  return tokens(text);
}

function table(readers, rows, diff, browser) {
  const version = JSON.parse(readFileSync(new URL("node_modules/gpt-tokenizer/package.json", import.meta.url), "utf8")).version;
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const cell = ({ tokens: count, found, all }) => `${count} (${found}/${all})`;
  const mark = (row) => (row.holds ? "" : row.name in REASONS ? " ¹" : " MISSED");
  const sums = readers.map((_reader, at) => rows.reduce((sum, row) => {
    const { tokens: count, found, all } = row.cells[at];
    return { tokens: sum.tokens + count, found: sum.found + found, all: sum.all + all };
  }, { tokens: 0, found: 0, all: 0 }));
  const cheaper = Math.min(...sums.slice(1).map((sum) => sum.tokens));
  const missed = rows.filter((row) => !row.holds);
  return [
    "# What a page costs in tokens", "",
    `Measured by \`./bench\` (\`benches/tokens/\`) with ${browser.product}; edits here are lost.`,
    `Tokens are those of o200k (gpt-tokenizer ${version}). Every reader gives the whole page: \`get_browser_state\` with`,
    "`viewportExpansion:-1` and `includeFrames:true`, `browser_snapshot`, `take_snapshot`; same browser, same viewport, same state of the page.",
    "In brackets: how many of the controls in the page's truth list (`tests/fixtures/truth/`) have a line with a reference and their name.",
    "The ratio is ours to the cheaper of the others; the aim is 0.50 or less, at no smaller recall than either.", "",
    line(["page", ...readers.map((reader) => reader.name), "ratio"]),
    line(["---", ...readers.map(() => "--:"), "--:"]),
    ...rows.map((row) => line([row.name, ...row.cells.map(cell), row.ratio.toFixed(2) + mark(row)])),
    line(["all", ...sums.map(cell), (sums[0].tokens / cheaper).toFixed(2)]), "",
    ...(missed.length ? ["¹ Above the aim:", "", ...missed.map((row) => `* ${row.name}: ${REASONS[row.name] ?? "no reason given"}`), ""] : []),
    `One row of a table of 1,000 rows changed, read with \`mode:"diff"\`: ${diff} tokens (at most ${DIFF_BOUND}).`, "",
  ].join("\n");
}

async function main([binary, server]) {
  if (!binary || !server) throw new Error("usage: node measure.mjs <dsb> <site>");
  const site = await announce(resolve(server), [], 2);
  const [a, b] = site.said.map((line) => line.replace(/\/$/, ""));
  const dsb = await Dsb.start(resolve(binary));
  const readers = [dsb, await Playwright.start(dsb.browser), await Devtools.start(dsb.browser)];
  try {
    const rows = [];
    for (const scene of scenes()) {
      console.error(`${scene.name} …`);
      rows.push(await measureScene(readers, scene, { a, b }));
    }
    const diff = await measureDiff(dsb, { a, b });
    const text = table(readers, rows, diff, dsb.browser);
    writeFileSync(TABLE, text);
    console.log(text);
    return diff <= DIFF_BOUND && rows.every((row) => row.holds || row.name in REASONS);
  } finally {
    await Promise.all(readers.map((reader) => reader.close()));
    site.child.stdin.end("\n");
  }
}

process.exit((await main(process.argv.slice(2))) ? 0 : 1);
