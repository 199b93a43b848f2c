// Keys belong to the editor as long as a person works in it. Two things would hand them to the notebook, whose X, M and D D
// cut, convert and delete cells: a click on something that takes no focus, and the removal of what has it.

const TAKES = "a[href], button, input, select, textarea, summary, label, [contenteditable], [tabindex]";

/** Keep the focus in `host`; what `home()` returns gets it when nothing better is left. Returns the way to stop. */
export function keepFocus(host, home) {
  let last = null, mine = false, pressed = null;
  const stops = [], listen = (target, name, act, capture = false) => {
    target.addEventListener(name, act, capture);
    stops.push(() => target.removeEventListener(name, act, capture));
  };
  const go = (el) => el.focus({ preventScroll: true });

  listen(host, "focusin", (ev) => {
    mine = true;
    last = ev.target === host ? null : placeOf(host, ev.target);
  });
  const elsewhere = (ev) => { if (!host.contains(ev.target)) mine = false; };
  listen(document, "focusin", elsewhere, true);
  listen(document, "pointerdown", elsewhere, true);

  // The host itself takes the focus of such a press, and the notebook does not hear of it.
  for (const name of ["mousedown", "mouseup", "click", "dblclick"]) listen(host, name, (ev) => ev.stopPropagation());
  listen(host, "pointerdown", (ev) => {
    mine = true;
    const inside = ev.target.closest(TAKES);
    pressed = inside === host || inside?.disabled ? ev.target : null;
  }, true);
  const released = () => {
    if (!pressed) return;
    pressed = null;
    // Selected text stays selected: Ctrl+C copies it from the host as well.
    const text = String(getSelection());
    if (!host.contains(document.activeElement)) go(host);
    if (!text && document.activeElement === host) go(home());
  };
  listen(document, "pointerup", () => setTimeout(released), true);

  const restore = () => {
    const { activeElement } = document;
    if (!mine || (activeElement && activeElement !== document.body && !(host.contains(activeElement) && lost(activeElement)))) return;
    if (!host.isConnected) return;
    go((last && find(host, last)) || home());
  };
  const watch = new MutationObserver(restore);
  watch.observe(host, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "hidden", "inert", "open"] });
  stops.push(() => watch.disconnect());
  return () => stops.forEach((stop) => stop());
}

function lost(el) { return el.disabled || !el.getClientRects().length || !!el.closest("[inert]"); }

/** What a control is called, and what the group is called that it stands in: an equal one takes its place after a rebuild. */
function placeOf(host, el) { return { tag: el.tagName, name: nameOf(el), group: groupOf(el) }; }
function nameOf(el) {
  const { id, action, tool, layer } = el.dataset;
  return id || action || tool || layer || el.getAttribute("aria-label") || el.textContent;
}
function groupOf(el) { return el.parentElement?.closest("[aria-label]")?.getAttribute("aria-label") || ""; }
function find(host, { tag, name, group }) {
  return [...host.querySelectorAll(tag)].find((el) => nameOf(el) === name && groupOf(el) === group && !lost(el));
}
