// Lists to choose from: native selects, and the lists that component libraries build. Invariants: an option is the one
// whose label equals the text, never a similar one; what is disabled is not chosen; whether the choice stands is told by
// what the control shows afterwards.

/** Labels that a refusal lists. */
const LABELS_SHOWN = 20;
/** What an option of a built list may be. */
const OPTION_NODES =
  "[role=option],[role=menuitemradio],.ant-select-item-option,.el-select-dropdown__item,.el-autocomplete-suggestion li," +
  ".vxe-select-option,.select2-results__option,.ui-menu-item,.layui-anim dd,.ts-dropdown .option";
const OPTION_OFF = /(^|[\s_-])(disabled|is-disabled|is--disabled|option-disabled|layui-disabled)(\s|$)/;
/** Boxes of built selects: what is clicked to open them and what shows the choice. */
const CHOICE_BOXES = ".ant-select,.el-select,.vxe-select,.select2-container,.select2,.arco-select,.n-base-selection,.ivu-select,.ts-wrapper,.layui-form-select";
/** Quiet time after which an open list without the option counts as complete (ms). */
const LIST_QUIET_MS = 250;
/** How long the list of a single choice may take to go (ms). */
const LIST_GONE_MS = 700;

// ---- native selects --------------------------------------------------------------------------------------------------
// A collapsed list has no boxes to click at, so an option is chosen through the DOM. `input` and `change` fire once when
// the choice changed, never when it was there already.

/** The `<option>` of a drop-down list that the arguments name, or null; a list box is clicked like any element. */
async function collapsedOption(args) {
  const { el, selection } = await locate(args).catch((error) => {
    if (error instanceof Refusal) return {};
    throw error;
  });
  if (!el || el[dom.localName] !== "option") return null;
  const select = el[dom.closest]("select");
  return select && !select.multiple && select.size <= 1 ? { el, select, selection } : null;
}

/** Chooses the option under a watch; the reply says `done:true` because there is nothing left to click. */
function clickOption({ el, select, selection }) {
  refuseDisabledOption(el, select);
  const watch = armWatch(null, "none", false);
  const already = chooseOption(select, el);
  return {
    watch: watch.id, done: true, via: "option", ref: refOf(el), target: describe(el), selection, alreadySet: already,
    matches: el.selected, before: { url: watch.before.url, textLength: watch.before.text.length },
  };
}

function refuseDisabledOption(option, select) {
  const disabled = disabledReason(select) || disabledReason(option) || (composedClosest(option, "optgroup[disabled]") && "disabled-group");
  if (disabled) throw new Refusal("ELEMENT_DISABLED", disabled, { target: { ...describe(option), text: cut(foldSpace(optionLabel(option)), 80) } });
}

/** Selects; true when it was selected before. */
function chooseOption(select, option) {
  if (option.selected) return true;
  select[dom.focus]({ preventScroll: true });
  option.selected = true;
  fireInputAndChange(select);
  return false;
}

function optionLabel(option) {
  return option.label || option.text;
}

/** The option that `{text}`, `{value}` or `{option}` (position from 0) names. Refuses with the labels that there are. */
function namedOption(select, wanted) {
  const options = Array.from(select.options);
  let found;
  if (typeof wanted.option === "number") found = options[wanted.option];
  else if (typeof wanted.value === "string") found = options.find((o) => o.value === wanted.value);
  else found = options.find((o) => optionLabel(o) === wanted.text) || options.find((o) => foldSpace(optionLabel(o)) === foldSpace(wanted.text));
  if (found) return found;
  const labels = options.slice(0, LABELS_SHOWN).map((o) => cut(foldSpace(optionLabel(o)), 80));
  const facts = { target: describe(select), text: String(wanted.text ?? wanted.value ?? wanted.option), options: labels, optionCount: options.length };
  throw new Refusal("ELEMENT_NOT_FOUND", "option-not-found", facts);
}

/** Chooses in a native select, or takes options out of one that takes several; whatever else was chosen stays chosen. */
function chooseNative(select, wanted, remove) {
  const off = disabledReason(select);
  if (off) throw new Refusal("ELEMENT_DISABLED", off, { target: describe(select), ref: refOf(select) });
  const options = wanted.map((one) => namedOption(select, one));
  if ((options.length > 1 || remove) && !select.multiple) throw new Refusal("INVALID_ARGUMENT", "not-multiple", { target: describe(select) });
  for (const option of options) refuseDisabledOption(option, select);
  const fresh = options.filter((option) => option.selected === remove);
  if (fresh.length) {
    select[dom.focus]({ preventScroll: true });
    for (const option of fresh) option.selected = !remove;
    fireInputAndChange(select);
  }
  return { native: true, ref: refOf(select), target: describe(select), alreadySelected: !fresh.length, ...nativeChoice(select, options, remove) };
}

function nativeChoice(select, options, remove) {
  const labels = Array.from(select.selectedOptions, (o) => foldSpace(optionLabel(o)));
  return { matches: options.every((option) => option.selected === !remove && option[dom.isConnected]), value: select.value, shown: labels };
}

/** Entry: what a native select holds a frame after `{wanted}` was chosen in it → `{matches, value, shown, gone?}`. */
async function choiceAfterFrame(args) {
  await nextFrame();
  await pause(0);
  const entry = refs.get(args.ref);
  const select = entry && entry.node.deref();
  if (!select || !select[dom.isConnected]) return { gone: true, matches: true };
  try {
    return nativeChoice(select, args.wanted.map((one) => namedOption(select, one)), args.remove === true);
  } catch (error) {
    // The options were replaced: whether the choice stands is told by what is shown.
    return { matches: false, value: select.value, shown: Array.from(select.selectedOptions, (o) => foldSpace(optionLabel(o))) };
  }
}
api.choiceAfterFrame = choiceAfterFrame;

/** Entry: labels and states of the options of a `<select>`. */
async function selectOptions(args) {
  const { el } = await locate(args);
  if (el[dom.localName] !== "select") throw new Refusal("ACTION_FAILED", "not-a-select", { target: describe(el) });
  return {
    options: Array.from(el.options, (o) => ({ text: foldSpace(optionLabel(o)), value: o.value, selected: o.selected, disabled: o.disabled || undefined })),
  };
}
api.selectOptions = selectOptions;

// ---- built lists: the control ----------------------------------------------------------------------------------------

/** Control to the options that could be seen before its list was opened. */
const seenBefore = new WeakMap();

/**
 * Entry: what is needed to choose in the list that an element belongs to; a native select is chosen in at once.
 * → `{native:true, …}` or `{control, box, open, searchable, multiple, shown, matches}`.
 */
async function prepareChoice(args) {
  const { el } = await locate(args);
  const target = el[dom.localName] === "label" && el.control ? el.control : el;
  const select = target[dom.localName] === "option" ? target[dom.closest]("select") : target;
  if (select && select[dom.localName] === "select") return chooseNative(select, args.wanted, args.remove === true);
  const { control, box } = builtSelect(target);
  const off = disabledReason(control) || disabledReason(box) || (OPTION_OFF.test(box[dom.className]) && "disabled");
  if (off) throw new Refusal("ELEMENT_DISABLED", off, { target: describe(box), ref: refOf(box) });
  const open = isOpen(control, box);
  seenBefore.set(control, new Set(open ? [] : visibleOptions(document)));
  if (args.wanted.some((one) => typeof one.text !== "string")) throw new Refusal("INVALID_ARGUMENT", "label-only", { target: describe(box) });
  const multiple = isMultiple(control, box);
  if (args.remove && !multiple) throw new Refusal("INVALID_ARGUMENT", "not-multiple", { target: describe(box) });
  const wanted = args.wanted[0].text;
  return {
    control: refOf(control), box: refOf(box), doc, open, searchable: isSearchable(control), multiple,
    shown: shownChoice(control, box), matches: showsChoice(control, box, wanted), target: describe(box),
  };
}
api.prepareChoice = prepareChoice;

/**
 * Entry: a text field whose list of suggestions is going to be chosen from; what can be seen already is none of it.
 * → `{control, doc, select}`; `select` when the field only searches a built select.
 */
async function prepareSuggestions(args) {
  const { el } = await locate(args);
  const meant = el[dom.localName] === "label" && el.control ? el.control : el;
  const target = fieldOf(meant) || onlyOne(meant, "input:not([type=hidden]),textarea") || meant;
  const box = composedClosest(target, CHOICE_BOXES);
  const select = target[dom.localName] === "select" || (box && !box[dom.matches](".ant-select-auto-complete")) || !fieldOf(target);
  const control = select ? target : fieldOf(target);
  seenBefore.set(control, new Set(visibleOptions(document)));
  return { control: refOf(control), doc, select: Boolean(select), target: describe(control) };
}
api.prepareSuggestions = prepareSuggestions;

/** The control and the box of a select that the page builds itself, or a refusal. */
function builtSelect(el) {
  const outer = composedClosest(el, CHOICE_BOXES);
  const inner = (root) => root[dom.querySelector]("[role=combobox],input:not([type=hidden])") || root;
  if (outer) return { control: isCombobox(el) ? el : inner(outer), box: outer };
  // Some libraries keep the native select, hidden, beside what they show in its place.
  const combobox = isCombobox(el) ? el : onlyOne(el, "[role=combobox],[aria-haspopup=listbox]") || composedClosest(el, "[role=combobox],[aria-haspopup=listbox]");
  if (combobox) return { control: combobox, box: combobox };
  throw new Refusal("ACTION_FAILED", "not-a-select", { target: describe(el), ref: refOf(el) });
}

function onlyOne(el, selector) {
  const found = el[dom.querySelectorAll](selector);
  return found.length === 1 ? found[0] : null;
}

function isCombobox(el) {
  return roleOf(el) === "combobox" || (el[dom.getAttribute]("aria-haspopup") || "") === "listbox";
}

function isOpen(control, box) {
  const told = control[dom.getAttribute]("aria-expanded") || box[dom.getAttribute]("aria-expanded");
  const inside = box[dom.querySelector]("[aria-expanded=true]");
  return told === "true" || Boolean(inside) || /(-open|--open|is-focus-open|layui-form-selected|is--active)(\s|$)/.test(box[dom.className]);
}

function isSearchable(control) {
  return control[dom.localName] === "input" && !control[dom.readOnly] && fieldKind(control) === "text" && getComputedStyle(control).display !== "none";
}

function isMultiple(control, box) {
  if (/multiple/.test(box[dom.className]) || box[dom.querySelector](".el-select__tags,.el-tag,[class*=multiple]")) return true;
  const list = listOf(control);
  return Boolean(list && list[dom.getAttribute]("aria-multiselectable") === "true");
}

/** What shows a single choice inside a box; a node that holds others of them shows none itself. */
const CHOSEN_NODES = DISPLAY_NODES + ",.select2-selection__choice,.select2-selection__choice__display,.MuiChip-label";
const CROSSES = "[class*=clear],[class*=remove],[class*=close]";

/** What a built select shows as chosen, one text per choice. */
function shownChoice(control, box) {
  if (box !== control) {
    const texts = new Set();
    const nodes = Array.from(box[dom.querySelectorAll](CHOSEN_NODES));
    for (const node of nodes) {
      if (node[dom.matches](PLACEHOLDERS) || node[dom.contains](control) || node[dom.querySelector](PLACEHOLDERS)) continue;
      const text = node[dom.querySelector](CHOSEN_NODES) ? "" : chosenLabel(node);
      if (text) texts.add(text);
    }
    if (texts.size) return Array.from(texts);
  }
  const searched = control[dom.matches](SEARCH_FIELDS) || control[dom.matches](".ant-select:not(.ant-select-auto-complete) input");
  if (control[dom.localName] === "input") return searched || !control.value ? [] : [foldSpace(control.value)];
  const own = foldSpace(control[dom.innerText] || "");
  return own ? [own] : [];
}

/** Text of a node that shows a choice, without the crosses that take it away. */
function chosenLabel(node) {
  const walker = document[dom.createTreeWalker](node, NodeFilter.SHOW_TEXT);
  let text = "";
  for (let part = walker.nextNode(); part; part = walker.nextNode()) {
    const cross = part[dom.parentElement][dom.closest](CROSSES);
    if (!cross || !node[dom.contains](cross) || cross === node) text += part.data;
  }
  return foldSpace(text);
}

function showsChoice(control, box, wanted) {
  return shownChoice(control, box).some((text) => text === foldSpace(wanted));
}

// ---- built lists: the options ----------------------------------------------------------------------------------------

/** The list that a control names as its own, or null. */
function listOf(control) {
  const owner = composedClosest(control, "[aria-controls],[aria-owns]") || control;
  if (owner !== control && roleOf(owner) !== "combobox") return null;
  const ids = (owner[dom.getAttribute]("aria-controls") || owner[dom.getAttribute]("aria-owns") || "").trim();
  const root = control[dom.getRootNode]();
  for (const id of ids ? ids.split(/\s+/) : []) {
    const list = root[dom.getElementById] && root[dom.getElementById](id);
    if (list) return composedClosest(list, ".ant-select-dropdown,.el-select-dropdown,.el-autocomplete-suggestion,.select2-dropdown") || list;
  }
  return null;
}

function visibleOptions(root) {
  const found = [];
  for (const tree of openRoots(root)) {
    for (const el of tree[dom.querySelectorAll](OPTION_NODES)) if (isVisible(el) && !isCollapsed(el)) found.push(el);
  }
  return found;
}

// Lists for screen readers alone stand beside the real ones in a box without an area.
function isCollapsed(el) {
  for (let node = composedParent(el); node && node !== document[dom.body]; node = composedParent(node)) {
    if ((node[dom.clientHeight] === 0 || node[dom.clientWidth] === 0) && getComputedStyle(node).overflow === "hidden") return true;
  }
  return el[dom.localName] === "option";
}

/** The options of a control's open list: those inside the list that it names, else those that came since it was prepared. */
function listedOptions(control) {
  const list = listOf(control);
  const named = list ? visibleOptions(list) : [];
  if (named.length) return named;
  const before = seenBefore.get(control) || new Set();
  return visibleOptions(document).filter((el) => !before.has(el));
}

function builtLabel(option) {
  return foldSpace(shortText(option, 300)) || foldSpace(option[dom.getAttribute]("aria-label") || option[dom.getAttribute]("title") || "");
}

function builtOption(options, wanted) {
  return options.find((el) => builtLabel(el) === foldSpace(wanted)) || null;
}

function isOptionOff(option) {
  return option[dom.getAttribute]("aria-disabled") === "true" || OPTION_OFF.test(option[dom.className]) || Boolean(disabledReason(option));
}

/** True for an option that its list marks as chosen. */
function isOptionOn(option) {
  const told = option[dom.getAttribute]("aria-selected");
  return told === "true" || /(^|\s)(is-selected|selected|is--selected|[\w-]*option-selected)(\s|$)/.test(option[dom.className]);
}

/** Calls `look` now and after every change of the page until it gives something, the page was quiet, or the time is over. */
async function untilSeen(look, timeoutMs, quietMs) {
  const end = clock() + timeoutMs;
  for (;;) {
    const seen = look();
    const left = end - clock();
    if (seen || left <= 0) return seen;
    if ((await nextChange(Math.min(quietMs(), left))) === "quiet") return look();
  }
}

/** Resolves at the next change of the page (`"change"`), or after `ms` without one (`"quiet"`). */
function nextChange(ms) {
  return new Promise((done) => {
    const tell = (why) => {
      clearTimeout(timer);
      stop();
      done(why);
    };
    const timer = setTimeout(() => tell("quiet"), Math.max(1, ms));
    const stop = onMutations(() => tell("change"));
  });
}

/**
 * Entry: waits for the option in the open list of a control, scrolling a long list through.
 * → `{found?, disabled?, on?, open, labels, count}`.
 */
async function awaitOption(args) {
  const control = elementOf(args.control);
  for (const root of openRoots(document)) observeRoot(root);
  const look = () => builtOption(listedOptions(control), args.text);
  const busy = () => Boolean(document[dom.querySelector]("[aria-busy=true],.ant-spin-spinning,.el-select-dropdown__loading,.loading-results"));
  const patience = () => (listedOptions(control).length && !busy() ? LIST_QUIET_MS : args.timeoutMs);
  let found = await untilSeen(look, args.timeoutMs, patience);
  // Libraries draw a new list once more when they have measured it.
  for (let drawn = 0; found && drawn < 5; drawn++) {
    const before = found;
    await nextFrame();
    found = look() || found;
    if (found === before) break;
  }
  if (!found && args.scroll) found = await scrollThrough(control, look);
  const options = listedOptions(control);
  const labels = options.slice(0, LABELS_SHOWN).map((el) => cut(builtLabel(el), 80));
  const searching = isSearching(control, options);
  if (!found) return { open: options.length > 0, labels, count: options.length, searching };
  const marks = { disabled: isOptionOff(found) || undefined, on: isOptionOn(found) || undefined };
  return { found: refOf(found), doc, ...marks, option: describe(found), open: true, labels, count: options.length };
}
api.awaitOption = awaitOption;

/** Levels above an option at which the search field of its list is looked for. */
const SEARCH_LEVELS = 5;

/** True when the open list has a search field of its own and that has the focus: what is typed now filters the list. */
function isSearching(control, options) {
  const active = deepActive();
  if (!active || active === control || active[dom.localName] !== "input" || active[dom.readOnly] || fieldKind(active) !== "text") return false;
  if (active[dom.matches](SEARCH_FIELDS)) return true;
  let layer = options[0];
  for (let level = 0; layer && level < SEARCH_LEVELS; level++, layer = composedParent(layer)) if (composedContains(layer, active)) return true;
  return false;
}

/** Scrolls the list from its top, a little less than its height at a time: long lists hold only what is in view. */
async function scrollThrough(control, look) {
  const first = listedOptions(control)[0];
  const scroller = first && listScroller(first);
  if (!scroller) return null;
  scroller[dom.scrollBy]({ top: -scroller[dom.scrollTop], behavior: "instant" });
  for (let steps = 0; steps < 2000; steps++) {
    await nextFrame();
    await pause(0);
    const found = look();
    if (found) return found;
    const before = scroller[dom.scrollTop];
    scroller[dom.scrollBy]({ top: Math.max(20, scroller[dom.clientHeight] * 0.8), behavior: "instant" });
    if (scroller[dom.scrollTop] === before) return null;
  }
  return null;
}

function listScroller(el) {
  for (let node = composedParent(el); node && node !== document[dom.body]; node = composedParent(node)) {
    if (node[dom.scrollHeight] > node[dom.clientHeight] + 1 && /auto|scroll|hidden/.test(getComputedStyle(node).overflowY)) return node;
  }
  return null;
}

/** Entry: how the open list of a control is closed: `key` when it has the focus, `click` on its box, or `none`. */
function howToClose(args) {
  const control = elementOf(args.control);
  const options = listedOptions(control);
  if (!options.length) return { by: "none" };
  const active = deepActive();
  const list = options[0] && composedParent(options[0]);
  const layer = list && listScroller(options[0]) ? listScroller(options[0])[dom.parentElement] : list;
  const inside = active && [elementOf(args.box), control, layer, layer && layer[dom.parentElement]].some((part) => part && composedContains(part, active));
  return { by: inside ? "key" : "click" };
}
api.howToClose = howToClose;

/** Entry: waits until a control shows the choice, or its list marks it, at most `timeoutMs` → `{matches, shown, open}`. */
async function awaitChoice(args) {
  const control = elementOf(args.control);
  const box = elementOf(args.box);
  const entry = refs.get(args.option);
  const marked = () => {
    const option = entry && entry.node.deref();
    return Boolean(option && option[dom.isConnected] && builtLabel(option) === foldSpace(args.text) && isOptionOn(option));
  };
  const shows = () => showsChoice(control, box, args.text);
  const stands = () => (args.remove ? !shows() && !marked() : shows() || (!args.on && marked()));
  await untilSeen(() => !control[dom.isConnected] || stands(), args.timeoutMs, () => args.timeoutMs);
  // The list of a single choice goes by itself, and what lies under it can be reached only then.
  const option = entry && entry.node.deref();
  const closing = () => !option || !option[dom.isConnected] || !isVisible(option) || isMultiple(control, box);
  if (stands()) await untilSeen(closing, LIST_GONE_MS, () => LIST_GONE_MS);
  // A page that takes its choice back does so within a frame.
  await nextFrame();
  await pause(0);
  if (!control[dom.isConnected] || !box[dom.isConnected]) return { gone: true, matches: false, shown: [] };
  return { matches: stands(), shown: shownChoice(control, box), open: isOpen(control, box) };
}
api.awaitChoice = awaitChoice;
