// Gestures beside the click: revealing, focusing, scrolling, waiting for a mark. Invariant: what is told as done was read
// back from the document afterwards.

/** Entry: scrolls the element into view if needed → `{ref, rect, scrolled, target, selection?}`; needs a box. */
async function reveal(args) {
  const { el, selection } = await locate(args);
  const hidden = hiddenReason(el);
  if (hidden) throw new Refusal("ELEMENT_HIDDEN", hidden, { target: describe(el), selection });
  const state = { scrolled: false };
  partsInView(el, state);
  if (state.scrolled) await nextFrame();
  return { ref: refOf(el), rect: plainRect(el), scrolled: state.scrolled, target: describe(el), selection };
}
api.reveal = reveal;

/** Entry: focuses an element under a watch → `{watch, target}`. */
async function focusElement(args) {
  const { el, selection } = await locate(args);
  const disabled = disabledReason(el);
  if (disabled) throw new Refusal("ELEMENT_DISABLED", disabled, { target: describe(el), selection });
  const hidden = el[dom.localName] === "area" ? null : hiddenReason(el);
  if (hidden) throw new Refusal("ELEMENT_HIDDEN", hidden, { target: describe(el), selection });
  const watch = armWatch(null, "none", true, { wants: ["focus"] });
  el[dom.focus]();
  const active = deepActive();
  const focused = active !== null && composedContains(el, active);
  if (!focused) {
    disarmWatch(watch);
    throw new Refusal("ACTION_FAILED", "takes-no-focus", { target: describe(el), focused: active ? describe(active) : { tag: "body" }, selection });
  }
  return { watch: watch.id, ref: refOf(el), target: describe(el), selection };
}
api.focusElement = focusElement;

/** An element for a receipt: tag, text (200) and markup (300), values of secret fields left out. */
function outline(el) {
  const secret = isSecretField(el) || Array.from(el[dom.querySelectorAll]("input")).some(isSecretField);
  return { tag: el[dom.localName], text: shortText(el, 200), outerHtml: secret ? withoutSecrets(el) : cut(el[dom.outerHTML], 300) };
}

function withoutSecrets(el) {
  const shell = el[dom.outerHTML];
  const fields = (isSecretField(el) ? [el] : []).concat(Array.from(el[dom.querySelectorAll]("input")).filter(isSecretField));
  return cut(fields.reduce((html, field) => html.replaceAll(field[dom.outerHTML], withoutValue(field)), shell), 300);
}

/** Entry: waits up to `timeoutMs` until a control is (not) ticked, with `decided` until it is one of both → its mark then. */
async function markBecomes(args) {
  const { el } = await locate(args);
  const settled = () => {
    const mark = markOf(el);
    return !mark.indeterminate && (args.decided === true || mark.checked === args.checked);
  };
  await waitUntil(() => (settled() || !el[dom.isConnected] ? { met: {} } : { reason: "other-mark", facts: {} }), args).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
  });
  // A page that takes the mark back does so within a frame.
  await nextFrame();
  await pause(0);
  return { ...markOf(el), gone: !el[dom.isConnected] };
}
api.markBecomes = markBecomes;

// ---- scrolling -----------------------------------------------------------------------------------------------------

/** True when an element can scroll up or down by a person's doing. */
function scrollsVertically(el) {
  if (el[dom.scrollHeight] <= el[dom.clientHeight] + 1) return false;
  if (el === document[dom.scrollingElement]) return !/hidden|clip/.test(getComputedStyle(el).overflowY);
  return /auto|scroll|overlay/.test(getComputedStyle(el).overflowY);
}

/** What a person would scroll to see more of the page: the page itself, else the largest scroller in view. */
function mainScroller() {
  const page = document[dom.scrollingElement];
  if (page && scrollsVertically(page)) return page;
  let [best, area] = [null, 0];
  for (const root of openRoots(document)) {
    for (const el of root[dom.querySelectorAll]("*")) {
      if (el[dom.scrollHeight] <= el[dom.clientHeight] + 1 || !scrollsVertically(el) || !isVisible(el)) continue;
      const box = clipToViewport(el[dom.getBoundingClientRect]());
      const own = box ? (box.right - box.left) * (box.bottom - box.top) : 0;
      if (own > area) [best, area] = [el, own];
    }
  }
  return best;
}

function scrollerAround(el) {
  for (let node = el; node; node = composedParent(node)) if (scrollsVertically(node)) return node;
  return null;
}

/**
 * Entry: scrolls the page, or the scroller of an element, by `pages` of its own height → `{scrolledBy, top, max, scroller}`.
 * `scroller` is absent when nothing can scroll.
 */
async function scrollPages(args) {
  const target = typeof args.ref === "number" ? (await locate(args)).el : null;
  const scroller = target ? scrollerAround(target) : mainScroller();
  if (!scroller && target) throw new Refusal("ACTION_FAILED", "no-scroller", { target: describe(target) });
  if (!scroller) return { scrolledBy: 0, top: 0, max: 0 };
  const height = scroller === document[dom.scrollingElement] ? innerHeight : scroller[dom.clientHeight];
  const before = scroller[dom.scrollTop];
  scroller[dom.scrollBy]({ top: args.pages * height, behavior: "instant" });
  await nextFrame();
  const top = scroller[dom.scrollTop];
  const max = Math.max(0, scroller[dom.scrollHeight] - height);
  return { scrolledBy: Math.round(top - before), top: Math.round(top), max: Math.round(max), scroller: describe(scroller) };
}
api.scrollPages = scrollPages;
