// Who really got the events of a gesture, and what the press did by itself. Invariants: an event counts as delivered only
// when a capture listener of ours saw it; a change counts as the press's own only when it came while the press, or the
// move of focus that it caused, was being dispatched.

const PRESSES = ["pointerdown", "mousedown"];
const RELEASES = ["pointerup", "mouseup"];

/** What a watch knows of its aim. */
function aimedAt(target, more) {
  return {
    times: more.times || 1, find: more.find, wants: more.wants || [], ends: {}, causes: [], strayed: undefined, effect: undefined, twin: false, again: false,
    tag: target ? target[dom.localName] : "", text: target ? shortText(target, 80) : "", box: target ? plainRect(target) : null,
    removedBy: "", pressChanged: false, restyled: new Set(),
  };
}

/** Members of the answer about the aim. */
function aimFacts({ aim }) {
  return { strayed: aim.strayed, effect: aim.effect, twin: aim.twin || undefined, again: aim.again || undefined };
}

// The first event of each type is the input's own; later ones (a label's click on its control, what the page sends
// itself) would hide where the pointer really was. Of several clicks, presses and releases are looked at each time.
function noteEvent(watch, event) {
  if (event.isTrusted !== watch.trusted) return;
  lastInputAt = clock();
  if (!watch.firstInputAt) beginGesture(watch);
  const { type } = event;
  if (!watch.delivered[type]) watch.delivered[type] = delivery(watch, event);
  else if (watch.aim.times > 1 && watch.target && (type === "pointerdown" || type === "mouseup")) noteLater(watch, event);
  const told = watch.delivered[type];
  watch.aim.causes.push(event);
  if (RELEASES.includes(type) && told.onTarget === false && pressedOnTarget(watch)) judgeSplit(watch, event);
  if (completes(watch, type)) {
    watch.completeAt = watch.completeAt || clock();
    queueTask(watch);
  }
}

function beginGesture(watch) {
  watch.observer.takeRecords();
  watch.firstInputAt = clock();
  watch.kinds.clear();
  watch.ambient.clear();
  watch.shown.length = 0;
  watch.added.clear();
  noteRestless(watch);
}

function completes(watch, type) {
  if (!COMPLETES[watch.expect].includes(type)) return false;
  if (watch.expect !== "click" || type === "drop") return true;
  const { ends, times } = watch.aim;
  ends[type] = (ends[type] || 0) + 1;
  return ends[type] >= times;
}

function noteLater(watch, event) {
  const told = delivery(watch, event);
  if (!told.onTarget) watch.aim.strayed = watch.aim.strayed || told.node;
}

function pressedOnTarget(watch) {
  return PRESSES.some((type) => watch.delivered[type] && watch.delivered[type].onTarget);
}

function delivery(watch, event) {
  const node = eventNode(watch, event);
  if (!watch.target) return { node: describe(node) };
  const judged = isOn(watch, event, node);
  if (judged) return { onTarget: true, nested: judged === "nested" || undefined };
  const twin = pressedOnTarget(watch) ? null : replacement(watch, node);
  if (!twin) return { onTarget: false, node: describe(node) };
  watch.target = twin;
  watch.aim.twin = true;
  return { onTarget: true, twin: true };
}

function isOn(watch, event, node) {
  const judged = judgeHit(watch.target, node);
  if (judged === "own" || judged === "nested") return judged;
  return !isPointer(event) && composedContains(node, watch.target) ? "own" : "";
}

function isPointer(event) {
  return POINTER_EVENTS.includes(event.type);
}

/** The innermost element of an event, seen also inside closed shadow roots that the target lives in. */
function eventNode(watch, event) {
  let node = event.composedPath()[0];
  if (!node || node[dom.nodeType] !== 1) node = (node && node[dom.parentElement]) || document[dom.documentElement];
  for (const root of watch.target ? closedRootsOf(watch.target) : []) {
    if (node === root[dom.host]) node = (isPointer(event) ? root[dom.elementFromPoint](event.clientX, event.clientY) : root[dom.activeElement]) || node;
  }
  return node;
}

// ---- targets that the page replaces ----------------------------------------------------------------------------------

/**
 * What stands for a target that has left the document before it was pressed: what its selector means now, or what our
 * own pointer put in its place by coming over it, when that has its tag and text. Null for anything else.
 */
function replacement(watch, node) {
  if (watch.target[dom.isConnected]) return null;
  const found = findAgain(watch);
  if (found && /own|nested/.test(judgeHit(found, node))) return found;
  if (watch.aim.removedBy !== "move") return null;
  const like = likeTarget(watch, node);
  return like && [...watch.added].some((added) => composedContains(added, like)) ? like : null;
}

function findAgain(watch) {
  try {
    return watch.aim.find ? watch.aim.find() : null;
  } catch (error) {
    return null;
  }
}

/** The element at or around a node that a person would take for the target. */
function likeTarget(watch, node) {
  const like = composedClosest(node, CSS.escape(watch.aim.tag));
  return like && shortText(like, 80) === watch.aim.text ? like : null;
}

// ---- what the press did --------------------------------------------------------------------------------------------

/** Notes what changes while events of the gesture are being dispatched: their phase is then not 0 (DOM, "dispatch"). */
function noteCause(watch, records) {
  const { aim } = watch;
  if (!watch.target || !watch.firstInputAt) return;
  aim.causes = aim.causes.filter((event) => event.eventPhase !== 0);
  const pressing = pressedOnTarget(watch);
  if (!aim.removedBy && !watch.target[dom.isConnected]) aim.removedBy = aim.causes.length ? (pressing ? "press" : "move") : "page";
  if (!aim.causes.length || !pressing) return;
  aim.pressChanged = true;
  for (const record of records) if (record.type === "attributes") aim.restyled.add(record.target);
}

/**
 * Judges a release that met something else than the pressed target. `effect`: the press has taken effect by itself and
 * left nothing to release on (`removed`, `hidden`, `opened` over it). `again`: the page replaced the target on its own
 * in between, nothing came of the press and no other control was released on.
 */
function judgeSplit(watch, event) {
  const { aim, target } = watch;
  note(watch, watch.observer.takeRecords());
  const node = eventNode(watch, event);
  if (!target[dom.isConnected]) {
    const found = findAgain(watch);
    aim.again = aim.removedBy !== "press" && !aim.pressChanged && found !== null && /own|nested/.test(judgeHit(found, node));
    if (aim.removedBy === "press" && !likeTarget(watch, node)) aim.effect = "removed";
  } else if (aim.pressChanged && hiddenReason(target)) {
    aim.effect = "hidden";
  } else if (aim.pressChanged && sameBox(plainRect(target), aim.box) && cameOver(watch, node)) {
    aim.effect = "opened";
  }
}

/** True for a node inside something that the press added or restyled and that does not hold the target. */
function cameOver(watch, node) {
  for (let up = node; up && !composedContains(up, watch.target); up = composedParent(up)) {
    if (watch.added.has(up) || watch.aim.restyled.has(up)) return true;
  }
  return false;
}
