// The side panel: options of the tool, answers, legend, layers, history.

import { h, iconButton } from "./dom.js";
import { hexSwatch, markerSwatch, sideSwatch } from "./swatches.js";
import { loadPart } from "../parts.js";

export class Panel {
  constructor(view) {
    this.view = view;
    this.tool = h("section.wgs-options");
    this.legend = h("div.wgs-legend");
    this.layers = h("div.wgs-layers");
    const part = (title, body, open, onopen) => h("details.wgs-part", { open, ontoggle: (ev) => ev.target.open && onopen?.() }, h("summary", {}, title), body);
    this.el = h("aside.wgs-panel", { "aria-label": "Side panel" }, this.tool,
      part("Legend", this.legend, false, () => this.showLegend()), part("Layers", this.layers, false));
  }

  rebuild() {
    this.showTool();
    this.showLayers();
    if (this.legend.parentElement.open) this.showLegend();
  }

  showTool() {
    const { tool } = this.view;
    if (!tool) return;
    this.tool.replaceChildren(h("h3", {}, tool.title));
    this.sight = this.turn = null;
    tool.panel?.(this);
  }

  // -- what tools build their options of ----------------------------------------------------------------------------

  heading(text) { this.tool.append(h("h4", {}, text)); }
  check(label, value, onset, title = label) {
    this.tool.append(h("label.wgs-check", { title }, h("input", { type: "checkbox", checked: !!value, onchange: (ev) => onset(ev.target.checked) }), h("span", {}, label)));
  }
  hint(text) { this.tool.append(h("p.wgs-hint", {}, text)); }

  choice(label, options, value, onchoose) {
    const row = h("div.wgs-choice", { role: "radiogroup", "aria-label": label });
    for (const [id, text] of options) row.append(h("button", { type: "button", role: "radio", "aria-checked": String(id === value), onclick: () => onchoose(id) }, text));
    this.tool.append(h("div.wgs-field", {}, h("span", {}, label), row));
  }
  number(label, value, low, high, onset) {
    this.tool.append(h("label.wgs-field", {}, h("span", {}, label), h("input", { type: "number", "aria-label": label, min: low, max: high, value: String(value), onchange: (ev) => onset(Math.max(low, Math.min(high, Number(ev.target.value) || 0))) })));
  }
  brush(label = "Size") {
    const { view } = this;
    this.choice(label, [1, 2, 3, 4, 5, 6, 7].map((n) => [n, String(n)]), view.options.brush, (n) => view.set("brush", n));
  }
  list(label, items, chosen, swatch, onchoose) {
    const box = h("div.wgs-palette", { role: "radiogroup", "aria-label": label });
    for (const { id, name } of items) {
      box.append(h("button.wgs-item", { type: "button", role: "radio", "aria-checked": String(id === chosen), "data-id": id, title: name, onclick: () => onchoose(id) }, swatch(id), h("span", {}, name)));
    }
    this.tool.append(box);
  }
  palette() {
    const { view } = this;
    this.list("Terrain", view.store.catalogue.terrains, view.options.terrain, (id) => hexSwatch(view, id), (id) => view.set("terrain", id));
  }
  sideKinds() {
    const { view } = this;
    if (!view.store.catalogue.side_kinds.length) this.hint("This game has nothing that runs along hexsides.");
    this.list("Kind", view.store.catalogue.side_kinds, view.options.kind, (id) => sideSwatch(view, id), (id) => view.set("kind", id));
  }
  markers() {
    const { view } = this, types = view.store.catalogue.marker_types;
    this.list("Marker", types, view.options.marker || types[0]?.id, (id) => markerSwatch(view, id), (id) => view.set("marker", id));
  }
  /** The words of the sight tool come in a part of their own. */
  sightOf(tool) {
    const turn = (this.turn = {});
    loadPart(this.view.store, "sight").then(({ sightPanel }) => {
      if (turn !== this.turn) return;
      this.sight = sightPanel(this.view, tool);
      this.tool.append(this.sight.el);
      this.sight.show();
    }, (error) => this.hint(`The words could not be loaded: ${error.message}`));
  }
  showSight() { this.sight?.show(); }

  /** Scroll the panel, and nothing else, to one of its parts. */
  reveal(part) {
    const head = part.closest("details") || part;
    this.el.scrollTop += head.getBoundingClientRect().top - this.el.getBoundingClientRect().top - this.el.clientTop;
  }

  // -- legend, layers -----------------------------------------------------------------------------------------------

  showLegend() { this.view.frame.part("look", ({ showLegend }) => showLegend(this)); }
  /** The map changed: a legend that is open follows, once it is quiet. */
  follow() {
    clearTimeout(this.following);
    this.following = setTimeout(() => this.legend.parentElement.open && this.showLegend(), 300);
  }

  /** Filled by the part that paints them (parts/ink). */
  showLayers() {}

  button(name, title, onclick) { return iconButton(name, title, onclick); }
}
