// Modals that pages draw: found by the marks of known libraries, by telling class names, and by what lies over the page.
// Invariant: the heuristic rounds accept only what lies over the page and is on top of it, with evidence that it wants an
// answer; bars, menus, players and shells of applications are not modals.

/** First round, in its order: what libraries and ARIA mark as a dialog. */
const STRICT_MODALS = [
  ".ant-modal-wrap", ".ant-drawer-open", ".agreement-container", "[class*=agreement]", "[role=dialog]", "[role=alertdialog]", ".el-dialog",
  ".vxe-modal--wrapper", ".vxe-drawer--wrapper", ".layui-layer", "[aria-modal=true]", "dialog[open]",
];
/** Notices of the libraries above that carry a dialog's class and go by themselves. */
const NOTICES = ".layui-layer-msg,.layui-layer-tips,.vxe-modal--wrapper.type--message,.vxe-modal--wrapper.type--notification";
/** Kind of a strict modal by its classes. */
const MODAL_KINDS = [
  [/(^|\s)ant-/, "antd"], [/(^|\s)el-/, "element-plus"], [/(^|\s)vxe-/, "vxe"], [/(^|\s)layui-/, "layui"], [/(^|\s)Mui/, "mui"],
  [/(^|\s)ui-dialog/, "jquery-ui"], [/(^|\s)(modal|offcanvas)(\s|$)/, "bootstrap"], [/agreement/, "agreement"],
];
/** Classes of what is on its way in or out, as the transition helpers of the libraries name them. */
const MOVING_CLASS = /-(enter|appear|leave)(-(active|prepare|start|from|to))?(\s|$)/;
/** A page that has not changed for this long has drawn what its last handler opens (ms). */
const OPENING_QUIET_MS = 80;
/** At most this long is waited for that (ms). */
const OPENING_LIMIT_MS = 700;
const MODAL_TAGS = "div,section,aside,dialog,form,ul";
const MODAL_WORD = /dialog|modal|popup|pop-box|popover|drawer|lightbox|confirm/i;
/** Words that also name things which are no modals: they need more evidence than the name. */
const WEAK_WORD = /overlay|mask|\btips?\b|alert/i;
const CONSENT_WORD = /cookie|consent|gdpr|privacy|datenschutz|隐私|同意/i;
const DISMISS_WORD = /^(close|dismiss|skip|no,? thanks|not now|maybe later|later|got it|关闭|取消|跳过|知道了|我知道了|以后再说|暂不)$/i;
const MAX_BY_CLASS = 12;
const MAX_HEURISTIC = 24;
const MODAL_TITLES = [
  ".ant-modal-confirm-title,.ant-modal-title,.ant-drawer-title,.el-dialog__title,.el-message-box__title,.el-drawer__title,.layui-layer-title," +
    ".vxe-modal--header-title,.vxe-drawer--header-title,.modal-title,.offcanvas-title,.ui-dialog-title,.ant-tour-title",
  "[class*=dialog-title],[class*=modal-title]",
];

// ---- geometry ------------------------------------------------------------------------------------------------------

/** The box of an element; that of a wrapper without an area is its largest child's. */
function modalBox(el) {
  const own = el[dom.getBoundingClientRect]();
  if (own.width > 0 && own.height > 0) return own;
  let best = own;
  for (const child of el[dom.children]) {
    const rect = child[dom.getBoundingClientRect]();
    if (rect.width * rect.height > best.width * best.height) best = rect;
  }
  return best;
}

/** True when some part of the element can be seen in this frame's viewport. One that is just fading in counts. */
function isShown(el) {
  if (!el[dom.isConnected] || !el[dom.checkVisibility]({ visibilityProperty: true })) return false;
  const box = modalBox(el);
  if (!(box.width > 0 && box.height > 0)) return false;
  if (clipToViewport(box) && el[dom.checkVisibility]({ opacityProperty: true })) return true;
  return isAnimated(el) || isMoving(el);
}

/** True when its classes say that it, or what holds it, is being moved in or out. */
function isMoving(el) {
  if (matchesWithin(el, "[class*=-enter],[class*=-appear],[class*=-leave]").some((node) => MOVING_CLASS.test(node[dom.getAttribute]("class")))) return true;
  for (let node = el; node; node = composedParent(node)) if (MOVING_CLASS.test(node[dom.getAttribute]("class") || "")) return true;
  return false;
}

/** True while an animation that will end runs on the element, on what holds it, or directly inside it. */
function isAnimated(el) {
  if (!el[dom.isConnected]) return false;
  const runs = (animation) => {
    const timing = animation.effect && animation.effect.getComputedTiming();
    return animation.playState === "running" && timing && Number.isFinite(timing.endTime);
  };
  if (el[dom.getAnimations]({ subtree: true }).some(runs)) return true;
  for (let node = composedParent(el); node; node = composedParent(node)) if (node[dom.getAnimations]().some(runs)) return true;
  return false;
}

/** How an element lies over the page: `top` (top layer), `fixed`, `raised` (z-index above 50); or "". */
function layering(el) {
  if (el[dom.matches](":modal,:popover-open")) return "top";
  const style = getComputedStyle(el);
  if (style.position === "fixed") return "fixed";
  return style.position !== "static" && Number(style.zIndex) > 50 ? "raised" : "";
}

/** The layering of an element or of the nearest that holds it. */
function heldLayering(el) {
  for (let node = el; node && node !== document[dom.body]; node = composedParent(node)) {
    const found = layering(node);
    if (found) return found;
  }
  return "";
}

function zIndexOf(el) {
  for (let node = el; node; node = composedParent(node)) {
    const z = getComputedStyle(node).zIndex;
    if (z !== "auto") return Number(z);
  }
  return 0;
}

/** True when a pointer at the middle of the element, or at one of its controls, reaches it. */
function isOnTop(el, controls) {
  for (const target of [el, ...controls.map((control) => control.el)]) {
    const box = clipToViewport(modalBox(target));
    const hit = box && deepElementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (hit && composedContains(el, hit)) return true;
  }
  return false;
}

/** The share of what the page shows beside the element that a layer over it keeps a pointer from. */
function coveredShare(el, explained) {
  let seen = 0, covered = 0;
  for (const other of queryAllDeep("a[href],button,input,select,textarea,[role=button],h1,h2,p,li,td,img")) {
    if (seen >= 40) break;
    if (composedContains(el, other) || !isVisible(other)) continue;
    const box = clipToViewport(other[dom.getBoundingClientRect]());
    if (!box) continue;
    const hit = deepElementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (hit && !composedContains(el, hit) && heldLayering(other) && !fullLayers(hit).length) continue;
    seen++;
    if (!hit || hitBelongsTo(other, hit) || composedContains(hit, other)) continue;
    if (composedContains(el, hit) || (!explained && fullLayers(hit).some((layer) => !composedContains(layer, other)))) covered++;
  }
  return seen ? covered / seen : 0;
}

// ---- rounds --------------------------------------------------------------------------------------------------------

/** True when a dialog inside an accepted one is a dialog of its own: it lies over the other by itself. */
function isOwnLayer(el, holder) {
  for (let node = el; node && node !== holder; node = composedParent(node)) {
    const over = layering(node);
    if (over === "top" || over === "fixed") return true;
  }
  return false;
}

/** Every modal of this frame, in document order → `[{el, matchedBy, strict}]`. */
function findModals() {
  const found = [];
  const related = (el) => found.some((other) => composedContains(el, other.el) || (composedContains(other.el, el) && !isOwnLayer(el, other.el)));
  for (const selector of STRICT_MODALS) {
    for (const el of queryAllDeep(selector)) {
      if (!isShown(el) || related(el) || el[dom.matches](NOTICES) || isBareCover(el)) continue;
      if (selector === "[class*=agreement]" && !heldLayering(el)) continue;
      found.push({ el, matchedBy: "selector:" + selector, strict: true });
    }
  }
  const strict = found.length;
  for (const { el, matchedBy } of heuristicCandidates()) {
    if (found.length - strict >= MAX_HEURISTIC) break;
    if (found.some((other) => composedContains(el, other.el) || composedContains(other.el, el))) continue;
    if (!isBareCover(el) && hasEvidence(el, matchedBy, strict > 0)) found.push({ el, matchedBy, strict: false });
  }
  return found.sort((a, b) => (comesBefore(a.el, b.el) ? -1 : 1));
}

/** What the second and third round look at: telling names first, then layers, each reduced to the innermost. */
function heuristicCandidates() {
  const named = [], layers = [], over = [];
  for (const el of queryAllDeep(MODAL_TAGS)) {
    if (el === document[dom.body]) continue;
    const words = (el[dom.getAttribute]("class") || "") + " " + (el[dom.id] || "");
    const layer = layering(el);
    if (!layer && !MODAL_WORD.test(words) && !WEAK_WORD.test(words)) continue;
    if (!isShown(el)) continue;
    const box = modalBox(el);
    if ((MODAL_WORD.test(words) || WEAK_WORD.test(words)) && box.width >= 120 && box.height >= 50) named.push(el);
    if (layer === "top" && el[dom.matches](":popover-open")) over.push({ el, matchedBy: "heuristic:top-layer" });
    else if (layer && box.width >= 60 && box.height >= 40) layers.push(el);
  }
  const innermost = (list) => list.filter((el) => !list.some((other) => other !== el && composedContains(el, other)));
  const byClass = innermost(named).slice(0, MAX_BY_CLASS).map((el) => ({ el, matchedBy: "heuristic:class-name" }));
  return [...byClass, ...over, ...innermost(layers).map((el) => ({ el, matchedBy: "heuristic:fixed-overlay" }))];
}

/** A mask by itself: nearly the whole view, next to no text, nothing to press. */
function isBareCover(el) {
  const box = el[dom.getBoundingClientRect]();
  if (box.width < innerWidth * 0.8 || box.height < innerHeight * 0.8) return false;
  return shortText(el, 40).length < 40 && !modalControls(el, []).buttons.length && !closeControl(el, []);
}

/** Whether something that lies over the page asks for an answer. `explained`: another modal is the reason for a mask. */
function hasEvidence(el, matchedBy, explained) {
  if (matchedBy === "heuristic:top-layer") return true;
  if (!heldLayering(el)) return false;
  const { buttons } = modalControls(el, []);
  const close = closeControl(el, []);
  if (!buttons.length && !close) return false;
  if (!isOnTop(el, buttons)) return false;
  const words = (el[dom.getAttribute]("class") || "") + " " + (el[dom.id] || "");
  const box = el[dom.getBoundingClientRect]();
  const consent = CONSENT_WORD.test(words + " " + shortText(el, 300));
  if (consent && buttons.length && box.width >= 150) return true;
  if (box.width >= innerWidth * 0.98 && box.height <= innerHeight * 0.25) return false;
  if (matchedBy === "heuristic:class-name" && MODAL_WORD.test(words)) return true;
  if (coveredShare(el, explained) >= 0.6) return true;
  // What is this small is a modal only by its mask.
  if (box.width < 150 || box.height < 60) return false;
  const [x, y] = [innerWidth / 2, innerHeight / 2];
  const central = box.left < x && box.right > x && box.top < y && box.bottom > y;
  return central && !isShell(el) && Boolean(close || buttons.some((button) => DISMISS_WORD.test(button.label)));
}

/** The frame of a whole application: fixed over the view, and the page has nothing beside it. */
function isShell(el) {
  const box = el[dom.getBoundingClientRect]();
  return box.width >= innerWidth * 0.9 && box.height >= innerHeight * 0.9;
}

// ---- records -------------------------------------------------------------------------------------------------------

function modalTitle(el) {
  const named = MODAL_TITLES.map((css) => matchesWithin(el, css).find(isVisible)).find(Boolean);
  const text = named ? shortText(named, 120) : "";
  if (text) return text;
  for (const node of [el, ...matchesWithin(el, "[role=dialog],[role=alertdialog],dialog")]) {
    const label = referencedName(node) || foldSpace(node[dom.getAttribute]("aria-label") || "");
    if (label) return cut(label, 120);
  }
  const heading = matchesWithin(el, "h1,h2,h3,h4,h5,h6,[role=heading],legend").find(isVisible);
  return heading ? shortText(heading, 120) : "";
}

/** Matches below an element, open shadow roots included. */
function matchesWithin(el, css) {
  const found = [];
  for (const root of openRoots(el)) found.push(...root[dom.querySelectorAll](css));
  return found;
}

function hasMask(el) {
  if (el[dom.matches](":modal") || matchesWithin(el, ":modal").length) return true;
  const layer = coveringLayer();
  return layer !== null && !isShellOf(layer, el);
}

/** A full layer that is no mask: the page itself lives in it, beside the modal. */
function isShellOf(layer, el) {
  return !composedContains(layer, el) && layer[dom.childElementCount] > 0 && shortText(layer, 40).length >= 40;
}

function modalRecord({ el, matchedBy, strict }, others) {
  const { buttons, close } = modalControls(el, others);
  const layer = heldLayering(el);
  const box = modalBox(el);
  const text = shortText(el, 80);
  const title = modalTitle(el);
  const style = getComputedStyle(el);
  const hasContent = Boolean(text || buttons.length || close);
  const over = layer !== "" || style.position === "absolute";
  const popover = matchedBy === "heuristic:top-layer";
  return {
    ref: refOf(el), kind: kindOf(el, strict, popover), matchedBy, confidence: strict ? "strict" : "heuristic", blocking: over && hasContent && !popover,
    overlayish: layer !== "", hasContent, hasMask: hasMask(el), className: cut(el[dom.getAttribute]("class") || "", 200), id: el[dom.id] || "",
    title, text, buttons: buttons.map(controlRecord), close: close ? controlRecord(close) : undefined,
    rect: [box.left, box.top, box.width, box.height], zIndex: zIndexOf(el), onTop: isOnTop(el, buttons),
  };
}

function kindOf(el, strict, popover) {
  if (!strict) return popover ? "popover" : "overlay";
  const known = MODAL_KINDS.find(([mark]) => mark.test(el[dom.getAttribute]("class") || ""));
  return known ? known[1] : el[dom.localName] === "dialog" ? "native" : "aria";
}

function controlRecord({ el, label, matchedBy }) {
  const rect = el[dom.getBoundingClientRect]();
  return {
    ref: refOf(el), label, x: rect.left + rect.width / 2, y: rect.top + rect.height / 2, tag: el[dom.localName], id: el[dom.id] || "",
    className: cut(el[dom.getAttribute]("class") || "", 80), matchedBy,
  };
}

/** Waits until nothing that lies over the page is on its way in or out. */
async function untilOpened(quietMs) {
  const ends = (animation) => {
    const { effect } = animation;
    return animation.playState === "running" && effect && effect.target && Number.isFinite(effect.getComputedTiming().endTime);
  };
  const restless = () => {
    flushMutations();
    if (clock() - lastStirAt < quietMs) return true;
    return document[dom.getAnimations]().some((animation) => ends(animation) && heldLayering(animation.effect.target) !== "");
  };
  const started = clock();
  while (clock() - started < OPENING_LIMIT_MS && restless()) await Promise.race([nextFrame(), pause(16)]);
}

/** Entry: the modals of this frame → `{modals}`; boxes and points in this frame's viewport. `acted`: we have just pressed. */
async function modals({ acted }) {
  await untilOpened(acted ? 0 : OPENING_QUIET_MS);
  const found = findModals();
  const elements = found.map((modal) => modal.el);
  return { modals: found.map((modal) => modalRecord(modal, elements.filter((el) => el !== modal.el))) };
}
api.modals = modals;
