// Where keyboard input would go.

/** Facts of the focused element, inside open shadow roots; `isFrame` when the focus lies in a child frame. */
function focusFacts() {
  const active = deepActive();
  const el = active || document[dom.body] || document[dom.documentElement];
  return {
    tag: el[dom.localName], id: el[dom.id] || "", className: cut(el[dom.getAttribute]("class") || "", 80),
    placeholder: cut(el[dom.getAttribute]("placeholder") || "", 160), isBody: !active,
    isFrame: /^(iframe|frame|object|embed)$/.test(el[dom.localName]) || undefined,
    editable: active ? Boolean(fieldKind(active)) : document[dom.designMode] === "on", ref: refOf(el),
  };
}

/** Entry: the focused element. */
function focused() {
  return focusFacts();
}
api.focused = focused;
