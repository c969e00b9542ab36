// Where keyboard input would go.

/** Facts of the focused element, inside open shadow roots; `isFrame` when the focus lies in a child frame. */
function focusFacts() {
  const active = deepActive();
  const el = active || document.body || document.documentElement;
  return {
    tag: el.localName, id: el.id || "", className: cut(el.getAttribute("class") || "", 80),
    placeholder: cut(el.getAttribute("placeholder") || "", 160), isBody: !active,
    isFrame: /^(iframe|frame|object|embed)$/.test(el.localName) || undefined,
    editable: active ? Boolean(fieldKind(active)) : document.designMode === "on", ref: refOf(el),
  };
}

/** Entry: the focused element. */
function focused() {
  return focusFacts();
}
api.focused = focused;
