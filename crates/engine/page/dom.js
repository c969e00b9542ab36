// Members of nodes that a page cannot mask. A form and a document show their named controls as members of their own, in
// our world too, in place of what their prototypes define (HTML, [LegacyOverrideBuiltIns]). Names alone are masked, never
// symbols. Invariant: a member of a node that may be a form or the document is read by its symbol, `el[dom.children]`;
// the plain name is left for kinds of elements that were told apart first, such as the `type` of an `<input>`.

const MASKABLE = (
  "addEventListener removeEventListener dispatchEvent " +
  "assignedSlot childNodes compareDocumentPosition contains firstChild getRootNode isConnected nextSibling nodeType " +
  "ownerDocument parentElement parentNode previousSibling textContent " +
  "append childElementCount cloneNode children firstElementChild getElementById importNode nextElementSibling previousElementSibling querySelector " +
  "querySelectorAll " +
  "checkVisibility className clientHeight clientLeft clientTop clientWidth closest getAnimations getAttribute " +
  "getAttributeNS getAttributeNames getBoundingClientRect getClientRects getHTML hasAttribute hasAttributes id innerHTML " +
  "localName matches outerHTML scrollBy scrollHeight scrollIntoView scrollLeft scrollTop scrollWidth setAttribute shadowRoot " +
  "focus inert innerText isContentEditable labels maxLength offsetHeight offsetParent offsetWidth readOnly required " +
  "tabIndex type validationMessage validity " +
  "activeElement body classList createDocumentFragment createElement createRange createTreeWalker designMode " +
  "documentElement elementFromPoint elementsFromPoint getElementsByTagName host implementation mode readyState " +
  "scrollingElement title"
).split(" ");

/** Symbol of each member by its name. Registered ones, so that a node that has moved here from another frame has them. */
const dom = Object.freeze(Object.fromEntries(MASKABLE.map((name) => [name, Symbol.for("dsb." + name)])));

for (const kind of [
  EventTarget, Node, CharacterData, Text, Element, HTMLElement, SVGElement, MathMLElement, Document, DocumentFragment, ShadowRoot,
  HTMLButtonElement, HTMLInputElement, HTMLMeterElement, HTMLOutputElement, HTMLProgressElement, HTMLSelectElement, HTMLTextAreaElement,
]) {
  for (const name of MASKABLE) {
    const member = Object.getOwnPropertyDescriptor(kind.prototype, name);
    if (member) Object.defineProperty(kind.prototype, dom[name], member);
  }
}
