// The side panel: options of the tool, answers, legend, layers, history.

import { h, iconButton } from "./dom.js";
import { hexSwatch, markerSwatch, roadSwatch, sideSwatch } from "./swatches.js";
import { sightPanel } from "./sightpanel.js";

const LAYERS = [["grid", "Hex grid"], ["number", "Hex numbers"], ["contour", "Contours"], ["crest", "Crest lines"], ["side", "Hexsides"], ["road", "Roads"], ["marker", "Markers"], ["name", "Names"]];

export class Panel {
  constructor(view) {
    this.view = view;
    this.tool = h("section.wgs-options");
    this.legend = h("div.wgs-legend");
    this.layers = h("div.wgs-layers");
    this.history = h("ol.wgs-history");
    this.check = h("button.wgs-plain", { type: "button", "data-action": "check", onclick: () => this.view.store.ask("check", {}) }, "Check the map");
    this.findings = h("div.wgs-findings", {}, this.check);
    const part = (title, body, open, onopen) => h("details.wgs-part", { open, ontoggle: (ev) => ev.target.open && onopen?.() }, h("summary", {}, title), body);
    this.el = h("aside.wgs-panel", { "aria-label": "Side panel" }, this.tool,
      part("Legend", this.legend, false, () => this.showLegend()), part("Layers", this.layers, false), part("Findings", this.findings, false), (this.historyPart = part("History", this.history, false, () => this.showHistory())));
  }

  rebuild() {
    this.showTool();
    this.showLayers();
    if (this.legend.parentElement.open) this.showLegend();
    this.showHistory();
  }

  showTool() {
    const { tool } = this.view;
    if (!tool) return;
    this.tool.replaceChildren(h("h3", {}, tool.title));
    this.sight = null;
    tool.panel?.(this);
  }

  // -- what tools build their options of ----------------------------------------------------------------------------

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
  sightOf(tool) {
    this.sight = sightPanel(this.view, tool);
    this.tool.append(this.sight.el);
    this.sight.show(tool.summary());
  }
  showSight(summary) { this.sight?.show(summary); }

  // -- findings -----------------------------------------------------------------------------------------------------

  showFindings(list) {
    const { view } = this, go = (at) => () => {
      const { labels, features } = view.store, point = features.get(at)?.points[0], cell = labels.cell(at) >= 0 ? labels.cell(at) : point ? view.grid.cellAt(...point) : -1;
      if (cell >= 0) view.goTo(cell);
    };
    const rows = list.map(({ severity, at, message, remedy }) => h("button.wgs-finding", { type: "button", "data-severity": severity, title: remedy, onclick: go(at) },
      h("b", {}, severity === "error" ? "✕ " : "△ "), h("span", {}, h("b", {}, at), ` ${message}`, h("small", {}, remedy))));
    while (this.check.nextSibling) this.check.nextSibling.remove();
    this.findings.append(h("p.wgs-hint", {}, list.length ? `${list.length} finding${list.length === 1 ? "" : "s"}; click one to go there.` : "Nothing found: the map is fit for use."), ...rows);
    this.reveal(this.findings);
  }

  /** Scroll the panel, and nothing else, to one of its parts. */
  reveal(part) {
    const head = part.closest("details") || part;
    this.el.scrollTop += head.getBoundingClientRect().top - this.el.getBoundingClientRect().top - this.el.clientTop;
  }

  // -- legend, layers, history --------------------------------------------------------------------------------------

  showLegend() {
    const { view } = this, { store } = view, counts = new Map();
    for (let cell = 0; cell < store.grid.size; cell++) if (store.grid.has(cell)) counts.set(store.planes.terrain[cell], (counts.get(store.planes.terrain[cell]) || 0) + 1);
    const row = (swatch, name, note) => h("div.wgs-entry", {}, swatch, h("span", {}, name), note && h("span.wgs-faint", {}, note));
    const rows = store.terrainIds.map((id, index) => [id, counts.get(index)]).filter(([, n]) => n).map(([id, n]) => row(hexSwatch(view, id), store.terrainName(id), String(n)));
    const kinds = new Set([...store.sides.values()].flatMap((side) => side.kinds));
    for (const { id, name } of store.catalogue.side_kinds) if (kinds.has(id)) rows.push(row(sideSwatch(view, id), name));
    const records = [...store.features.values()].map((entry) => entry.record);
    for (const surface of ["paved", "unpaved"]) if (records.some((r) => r.kind === "road" && r.surface === surface)) rows.push(row(roadSwatch(view, surface), `${surface === "paved" ? "Paved" : "Unpaved"} road`));
    for (const { id, name } of store.catalogue.marker_types) if (records.some((r) => r.kind === "marker" && r.type === id)) rows.push(row(markerSwatch(view, id), name));
    this.legend.replaceChildren(...rows);
  }

  showLayers() {
    const { stage } = this.view;
    this.layers.replaceChildren(...LAYERS.map(([id, name]) => h("label", {}, h("input", { type: "checkbox", checked: stage.layers[id] !== false, "data-layer": id, onchange: (ev) => stage.setLayer(id, ev.target.checked) }), h("span", {}, name))),
      h("label.wgs-field", {}, h("span", {}, "Terrain"), h("input", { type: "range", min: 0.15, max: 1, step: 0.05, value: String(stage.layers.opacity), "aria-label": "Opacity of the terrain", oninput: (ev) => { stage.layers.opacity = Number(ev.target.value); stage.redraw(0); } })));
  }

  showHistory() {
    if (!this.historyPart?.open) return;
    const steps = this.view.store.status.history || [];
    this.history.replaceChildren(...steps.slice(-40).reverse().map((title) => h("li", {}, title)), ...(steps.length ? [] : [h("li.wgs-faint", {}, "Nothing yet")]));
  }

  button(name, title, onclick) { return iconButton(name, title, onclick); }
}
