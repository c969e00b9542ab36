// How much of a truth list a text holds: a control counts as found when one line with a reference says its name.
// The other readers are judged kindly: any role that is not plainly content will do for any kind.

/** Roles of content and of containers: their lines are not taken for a control that has the same words. */
const CONTENT = new Set([
  "RootWebArea", "Iframe", "iframe", "StaticText", "text", "heading", "paragraph", "row", "rowgroup", "table", "main", "form", "navigation",
  "list", "listitem", "LabelText", "group", "dialog", "alert", "status", "strong", "emphasis", "figure", "caption", "Canvas", "banner",
]);

const unescape = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#39;", "'").replaceAll("&amp;", "&");
const fold = (text) => text.replace(/\s+/g, " ").trim();

/** Names on a line of ours that has an index. */
function ours(line) {
  const found = /^\t*\*?\[\d+\]<[^ ]+ (.*)\/>$/.exec(line);
  if (!found) return null;
  const names = [];
  const rest = found[1].replace(/([\w-]+)='([^']*)' ?/g, (_all, key, value) => {
    if (/^(label|aria-label|title|alt|placeholder|value)$/.test(key)) names.push(unescape(value));
    return "";
  });
  names.push(rest.replace(/^>/, ""));
  if (names.every((name) => !name)) names.push("");
  return names;
}

/** `- role "name" [ref=…] [cursor=pointer]: text` */
function playwright(line) {
  const found = /^\s*- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)'?:?(?: (.*))?$/.exec(line);
  if (!found || !found[3].includes("[ref=")) return null;
  const [, role, name, marks, text] = found;
  if (CONTENT.has(role) && !marks.includes("[cursor=pointer]")) return null;
  if (role === "generic" && !marks.includes("[cursor=pointer]")) return null;
  return [name ?? "", (text ?? "").replace(/^"(.*)"$/, "$1")].map((each) => each.replace(/\\(.)/g, "$1"));
}

/** `uid=1_2 role "name" states` */
function devtools(line) {
  const found = /^\s*uid=\S+ ([A-Za-z]+)(?: "((?:[^"\\]|\\.)*)")?/.exec(line);
  if (!found || CONTENT.has(found[1]) || found[1] === "generic") return null;
  return [(found[2] ?? "").replace(/\\(.)/g, "$1")];
}

const NAMES = { dsb: ours, "@playwright/mcp": playwright, "chrome-devtools-mcp": devtools };

/** `{found, all}`: how many controls of the scene the text of this reader names. */
export function recall(reader, text, scene) {
  const names = NAMES[reader.name.split(" ")[0]];
  const lines = text.split("\n").map(names).filter(Boolean).map((line) => line.map(fold));
  let [found, all] = [0, 0];
  for (const [control, count] of Object.entries(scene.controls)) {
    const name = control.slice(control.indexOf(": ") + 2);
    const wanted = [name, `${name}:`, ...(control.startsWith("day: ") ? [String(Number(name.slice(-2)))] : [])];
    for (let one = 0; one < count; one++) {
      all++;
      const at = lines.findIndex((line) => line.some((said) => wanted.includes(said)));
      if (at < 0) continue;
      lines.splice(at, 1);
      found++;
    }
  }
  return { found, all };
}
