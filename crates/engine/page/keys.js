// Where keyboard input would go.

/**
 * Facts of the focused element, inside known shadow roots; `isFrame` when the focus lies in a child frame. The body of a
 * document that is edited as a whole has the focus like any field.
 */
function focusFacts() {
  const active = deepActive();
  const el = active || document[dom.body] || document[dom.documentElement];
  const edited = document[dom.designMode] === "on" || Boolean(document[dom.body] && document[dom.body][dom.isContentEditable]);
  return {
    tag: el[dom.localName], id: el[dom.id] || "", className: cut(el[dom.getAttribute]("class") || "", 80),
    placeholder: cut(el[dom.getAttribute]("placeholder") || "", 160), isBody: !active && !edited,
    isFrame: /^(iframe|frame|object|embed)$/.test(el[dom.localName]) || undefined,
    editable: active ? Boolean(fieldKind(active)) : edited, ref: refOf(el),
  };
}

/** Entry: the focused element. */
function focused() {
  return focusFacts();
}
api.focused = focused;
