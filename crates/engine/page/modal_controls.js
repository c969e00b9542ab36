// The controls of a modal, and whether it has closed. Invariants: a control of another modal inside is never one of its
// own; a modal is called closed only when it cannot be seen any more, and open only when nothing about it is on its way.

const MODAL_BUTTONS =
  "button,input[type=button],input[type=submit],input[type=reset],[role=button],[class*=btn],.ant-btn,.el-button,.layui-layer-btn a," +
  ".vxe-button,a[id$=_id],a[onclick]";
/** Crosses of known libraries, whatever text they hold for screen readers. */
const CLOSE_CROSSES =
  ".ant-modal-close,.ant-drawer-close,.ant-tour-close,.el-dialog__headerbtn,.el-message-box__headerbtn,.el-drawer__close-btn,.layui-layer-close," +
  ".vxe-modal--close-btn,.vxe-drawer--close-btn,.btn-close,.ui-dialog-titlebar-close";
const CLOSE_MARKS = CLOSE_CROSSES + ",[data-bs-dismiss],[data-dismiss],[aria-label=close i],[aria-label=关闭],[title=close i],[title=关闭]";
const CLOSE_SYMBOL = /^[×✕✖✗⨯xX]$/;
const CLOSE_CLASS = /(^|[\s_-])(close|dismiss)([\s_-]|$|btn|button|icon)/i;
/** Longest label of a button (UTF-16 units); longer texts are rows and cards. */
const LABEL_LIMIT = 40;
/** How long after the click a modal that stands still is given to begin to close (ms). */
const CLOSE_QUIET_MS = 400;

/** A label as it is told: Chinese characters lose the spaces that libraries put between them. */
function labelOf(el) {
  const text = shortText(el, LABEL_LIMIT + 1) || foldSpace(el[dom.getAttribute]("aria-label") || el[dom.getAttribute]("title") || "");
  return text.replace(/(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])/g, "");
}

/** `{buttons: [{el, label, matchedBy}], close?}` of a modal; what lies in `others` inside it belongs to those. */
function modalControls(el, others) {
  const inside = others.filter((other) => composedContains(el, other));
  const own = (node) => isVisible(node) && !inside.some((other) => composedContains(other, node));
  const close = closeControl(el, others);
  const matched = matchesWithin(el, MODAL_BUTTONS).filter(own);
  const buttons = [];
  for (const node of matched) {
    if (node === el || (close && (node === close.el || composedContains(node, close.el) || composedContains(close.el, node)))) continue;
    if (matched.some((other) => other !== node && composedContains(node, other))) continue;
    const label = labelOf(node);
    if (label && label.length <= LABEL_LIMIT && /[\p{L}\p{N}]/u.test(label)) buttons.push({ el: node, label, matchedBy: "button" });
  }
  if (!buttons.length) buttons.push(...pressableLeaves(el, own, close));
  return { buttons, close };
}

/** Short texts that a pointer shows as pressable, for modals whose buttons are no buttons. */
function pressableLeaves(el, own, close) {
  const leaves = [];
  for (const node of matchesWithin(el, "a,span,div,em")) {
    if (node[dom.children].length || !own(node) || (close && composedContains(close.el, node))) continue;
    const label = labelOf(node);
    if (!label || label.length > 8 || !/[\p{L}]/u.test(label)) continue;
    if (getComputedStyle(node).cursor === "pointer" || node[dom.hasAttribute]("onclick")) leaves.push({ el: node, label, matchedBy: "fallback-anchor" });
  }
  return leaves;
}

/** The cross of a modal → `{el, label, matchedBy}`, or undefined. */
function closeControl(el, others) {
  const inside = others.filter((other) => composedContains(el, other));
  const own = (node) => isVisible(node) && !inside.some((other) => composedContains(other, node));
  const isCross = (node) => {
    const box = node[dom.getBoundingClientRect]();
    const text = shortText(node, 12);
    if (box.width > 80 || box.height > 80) return false;
    if (node[dom.matches](CLOSE_CROSSES)) return true;
    return CLOSE_SYMBOL.test(text) || (!/[\p{L}\p{N}]/u.test(text) && (node[dom.matches](CLOSE_MARKS) || CLOSE_CLASS.test(node[dom.getAttribute]("class") || "")));
  };
  const candidates = matchesWithin(el, CLOSE_MARKS + ",button,a,span,i,svg,[role=button],[class*=close]").filter((node) => own(node) && isCross(node));
  const chosen = candidates.find((node) => node[dom.matches](CLOSE_MARKS)) || candidates.find((node) => node[dom.matches]("button,[role=button],a")) || candidates[0];
  return chosen && { el: chosen, label: "×", matchedBy: "close" };
}

/** Entry: waits until a modal stands still where it has opened, at most `timeoutMs`; then it is pressed as it stands. */
async function modalStands(args) {
  const el = nodeOfRef(args.ref);
  const opening = () => {
    flushMutations();
    return el && (isAnimated(el) || isMoving(el) || clock() - lastStirAt < OPENING_QUIET_MS / 2);
  };
  const started = clock();
  while (opening() && clock() - started < args.timeoutMs) await Promise.race([nextFrame(), pause(16)]);
}
api.modalStands = modalStands;

// ---- closing -------------------------------------------------------------------------------------------------------

/** True while what was pressed says that it is still at work. */
function isBusy(button) {
  if (!button || !button[dom.isConnected]) return false;
  if (button[dom.matches](":disabled,[aria-busy=true],[aria-disabled=true]")) return true;
  return /(^|[\s_-])loading([\s_-]|$)/.test(button[dom.getAttribute]("class") || "");
}

function nodeOfRef(ref) {
  const entry = refs.get(ref);
  return entry ? entry.node.deref() : undefined;
}

/**
 * Entry: waits until a modal is gone, or stands still and is not → `{gone, busy, waitedMs}`. While it is being animated,
 * is changing or its pressed button is at work, it is waited for, at most `timeoutMs`.
 */
async function modalGone(args) {
  const [el, button] = [nodeOfRef(args.ref), nodeOfRef(args.button)];
  let changedAt = clock();
  const stop = onMutations((records) => {
    if (el && records.some((record) => composedContains(el, record.target) || composedContains(record.target, el))) changedAt = clock();
  });
  const probe = () => {
    if (!el || !isShown(el)) return { met: { gone: true, busy: false } };
    const still = clock() - changedAt >= CLOSE_QUIET_MS && !isAnimated(el) && !isBusy(button);
    return still ? { met: { gone: false, busy: false } } : { reason: "still-changing", facts: {} };
  };
  try {
    const seen = await waitUntil(probe, args);
    // A dialog that is drawn anew goes and comes back within a frame.
    if (seen.gone) await nextFrame();
    return seen;
  } catch (error) {
    if (error instanceof Refusal) return { gone: false, busy: true, waitedMs: args.timeoutMs };
    throw error;
  } finally {
    stop();
  }
}
api.modalGone = modalGone;
