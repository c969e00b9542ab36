// Finding a field by what a person reads beside it. Invariant: a label that fits several fields only in part names
// none of them; one that fits exactly wins over every partial fit.

const LABELLED = CONTROLS + ",[role=searchbox],[role=slider],[role=listbox]";
const LABELS_TOLD = 20;

/** Entry: the fields that a label names → `{doc, exact:[ref…], partial:[{ref,label}…], names}`; those that can be seen first. */
function findLabel(args) {
  const wanted = labelKey(String(args.label));
  const found = { doc, exact: [], partial: [], names: [] };
  const hiddenExact = [];
  indexLabels(openRoots(document));
  try {
    for (const el of labelledFields()) {
      const names = namesOf(el).filter(Boolean);
      const visible = isVisible(clickable(el).el);
      if (visible && names.length && found.names.length < LABELS_TOLD) found.names.push(names[0]);
      if (names.some((name) => labelKey(name) === wanted)) (visible ? found.exact : hiddenExact).push(refOf(el));
      else if (visible) {
        const fit = names.find((name) => labelKey(name).includes(wanted));
        if (fit) found.partial.push({ ref: refOf(el), label: fit });
      }
    }
  } finally {
    labelsByControl = null;
  }
  if (!found.exact.length) found.exact = hiddenExact;
  return found;
}
api.findLabel = findLabel;

function labelledFields() {
  const fields = [];
  for (const root of openRoots(document)) {
    for (const el of root[dom.querySelectorAll](LABELLED)) {
      const button = el[dom.localName] === "input" && (BUTTON_INPUTS.has(el.type) || el.type === "image");
      // An editing host counts once, not with each editable part of it; what only frames a field counts as the field.
      const around = !fieldKind(el) && el[dom.localName] !== "select" && el[dom.querySelector]("input:not([type=hidden]),textarea,select");
      if (!button && !around && !fields.some((outer) => outer[dom.isContentEditable] && outer[dom.contains](el))) fields.push(el);
    }
  }
  return fields;
}

/** Every name that a field may be asked for by, the one that the page text shows first. */
function namesOf(el) {
  const names = [nameOf(el, false), foldSpace(el[dom.getAttribute]("aria-label") || ""), referencedName(el)];
  for (const label of labelsOf(el)) names.push(contentText(label, el));
  return [...names, foldSpace(el[dom.getAttribute]("placeholder") || "")];
}

function labelKey(text) {
  return cleanLabel(text).toLowerCase();
}
