// What somebody looks for: a list of matches while they type, of hexes, locations and all that has a name.

import { h } from "../../ui/dom.js";

const SHOWN = 12;

/** Everything that can be found, with its name in small letters; made anew when the map has changed. */
function indexOf(store) {
  if (store.found?.revision === store.revision && store.found.count === store.features.size) return store.found.list;
  const list = [], add = (name, kind, point, label = "") => { if (name && point) list.push({ name, low: name.toLowerCase(), kind, point, label }); };
  for (const place of store.places?.list || []) add(place.label, place.kind === "hex" ? "" : place.text || place.kind, [place.u ?? place.x, place.v ?? place.y]);
  const known = new Set(list.map((one) => one.name));
  for (const { record, points } of store.features.values()) {
    const name = record.text || record.name || "";
    if (!known.has(name)) add(name, (record.kind === "name" ? "name" : record.type || record.kind).replace(/_/g, " "), points[0] || pointOf(store, record));
  }
  store.found = { revision: store.revision, count: store.features.size, list };
  return list;
}
function pointOf({ grid }, record) {
  const [x, y] = record.dot || record.outline?.[0] || record.at || [];
  return typeof x === "number" ? [x * grid.kx, y * grid.ky] : null;
}

/** The best matches: those that are it, those that begin with it, those that have it inside; and how many there are. */
export function matches(store, text) {
  const low = text.trim().toLowerCase(), found = [[], [], []], { labels, grid } = store;
  if (!low) return { list: [], count: 0 };
  const cell = labels.find(text.trim());
  if (cell >= 0) found[0].push({ name: labels.of(cell), kind: store.terrainName(store.terrainAt(cell)), point: grid.centre(cell) });
  for (const one of indexOf(store)) {
    const at = one.low.indexOf(low);
    if (at >= 0) found[at > 0 ? 2 : one.low.length === low.length ? 0 : 1].push(one);
  }
  const count = found.reduce((sum, some) => sum + some.length, 0);
  return { list: found.flat().slice(0, SHOWN), count };
}

/** The list under the field: arrows choose, Enter goes there. */
export class Finder {
  constructor(frame) {
    Object.assign(this, { frame, view: frame.view, at: -1, list: [] });
    this.id = `${frame.id}-found`;
    this.el = h("div.wgs-found", { role: "listbox", id: this.id, "aria-label": "Found", hidden: true });
    frame.host.append(this.el);
    for (const [name, value] of Object.entries({ role: "combobox", "aria-controls": this.id, "aria-autocomplete": "list", "aria-expanded": "false" })) frame.find.setAttribute(name, value);
    frame.find.addEventListener("blur", () => setTimeout(() => this.close()));
  }
  show() {
    const { find } = this.frame, { list, count } = matches(this.view.store, find.value);
    this.list = list;
    this.at = -1;
    const box = find.closest(".wgs-search").getBoundingClientRect(), host = this.frame.host.getBoundingClientRect();
    Object.assign(this.el.style, { top: `${box.bottom - host.top + 2}px`, right: `${Math.max(2, host.right - box.right)}px` });
    this.el.replaceChildren(...list.map(({ name, kind }, i) => h("div.wgs-match", { role: "option", id: `${this.id}-${i}`, "aria-selected": "false", onpointerdown: (ev) => { ev.preventDefault(); this.take(i); } }, h("span", {}, name), kind && h("small", {}, kind))),
      ...(count > list.length ? [h("p.wgs-hint", {}, `${list.length} of ${count.toLocaleString("en")}; type on`)] : []));
    this.el.hidden = !find.value.trim() || !list.length;
    find.setAttribute("aria-expanded", String(!this.el.hidden));
    find.removeAttribute("aria-activedescendant");
    find.classList.toggle("wgs-wrong", !!find.value.trim() && !count);
    if (find.value.trim()) this.frame.say(count ? `${count} found` : "Nothing of this name", true);
  }
  move(by) {
    if (this.el.hidden) this.show();
    if (!this.list.length) return;
    this.at = (this.at + by + this.list.length + (this.at < 0 && by < 0 ? 1 : 0)) % this.list.length;
    [...this.el.children].forEach((row, i) => row.setAttribute("aria-selected", String(i === this.at)));
    this.el.children[this.at].scrollIntoView({ block: "nearest" });
    this.frame.find.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
    this.frame.say(`${this.list[this.at].name} ${this.list[this.at].kind || ""}`, true);
  }
  /** Go to what is chosen, or to the first; false when nothing was found. */
  take(i = Math.max(0, this.at)) {
    if (this.el.hidden) this.show();
    const one = this.list[i];
    if (!one) return false;
    this.close();
    this.frame.find.value = one.name;
    this.view.goToPoint(...one.point);
    this.frame.area.focus({ preventScroll: true });
    this.frame.say(`${one.name}${one.kind ? `, ${one.kind}` : ""}`);
    return true;
  }
  close() {
    this.el.hidden = true;
    this.frame.find.setAttribute("aria-expanded", "false");
  }
}
