// The states of pages that are read, each with its truth list: tests/fixtures/truth/<name>.json.
import { readFileSync, readdirSync } from "node:fs";

const TRUTH = new URL("../../tests/fixtures/truth/", import.meta.url);
const SETTLE = readFileSync(new URL("settle.js", TRUTH), "utf8");

const settle = (until = "true") => SETTLE.replace("Boolean(UNTIL)", () => `Boolean(${until})`);

export function scenes() {
  const names = readdirSync(TRUTH).filter((name) => name.endsWith(".json")).sort();
  return names.map((file) => ({ name: file.slice(0, -5), ...JSON.parse(readFileSync(new URL(file, TRUTH), "utf8")) }));
}

/** Brings a reader to a scene. */
export async function enter(reader, scene, site) {
  await reader.open(site.a + scene.page.replace("{b}", encodeURIComponent(site.b)));
  await reader.evaluate(settle(scene.setup ? undefined : scene.until));
  if (!scene.setup) return;
  await reader.evaluate(scene.setup);
  await reader.evaluate(settle(scene.until));
}
