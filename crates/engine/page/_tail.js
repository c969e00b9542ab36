// Closes the page script: the one door through which the service calls it.

/** Runs an entry point; always resolves to a JSON text, `{"ok":…}` or `{"fail":{code,reason,…}}`. */
async function call(name, args) {
  try {
    const entry = api[name];
    if (!entry) throw new Error("no entry point " + name);
    if (name !== "highlight") dropLayer();
    const result = await entry(args || {});
    return toJson({ ok: result === undefined ? null : result });
  } catch (error) {
    return toJson({ fail: failureOf(error) });
  }
}

function failureOf(error) {
  if (error instanceof Refusal) return { ...error.facts, code: error.code, reason: error.reason };
  return { code: "ACTION_FAILED", reason: "script-error", message: cut(String(error).split("\n", 1)[0], 300) };
}

// A lone surrogate is legal in a page's string but not in the JSON that the service accepts.
function toJson(value) {
  const text = JSON.stringify(value);
  if (!/\\ud[89a-f]/.test(text)) return text;
  return JSON.stringify(value, (_key, part) => (typeof part === "string" ? part.toWellFormed() : part));
}

Object.defineProperty(globalThis, "__dsb", { value: { call, ...handles } });
})();
