// Panels that Python describes: it sends nodes, this draws them and sends back what was pressed or typed.
// The nodes are listed in studio/editor/panels/nodes.py.

import { h } from "./dom.js";

export class Desk {
  constructor(view) {
    Object.assign(this, { view, parts: new Map(), waiting: new Map() });
    this.el = h("div.wgs-desk", { onfocusout: () => setTimeout(() => this.settle()) });
    this.list(view.store.model.get("panels") || []);
  }

  /** The panels there are: [{id, title, open, tools}]. Those that stay keep what they show. */
  list(panels) {
    const wanted = new Set(panels.map((panel) => panel.id));
    for (const [id, part] of this.parts) if (!wanted.has(id)) { part.el.remove(); this.parts.delete(id); }
    for (const { id, title, open, tools } of panels) {
      if (!this.parts.has(id)) {
        const body = h("div.wgs-nodes", { "data-panel": id }), el = h("details.wgs-part", { open: false, ontoggle: () => this.toggled(id) }, h("summary", {}, title), body);
        this.parts.set(id, { el, body, tools: tools || [], nodes: "", asked: false });
        if (open) el.open = true;
      }
      this.el.append(this.parts.get(id).el);
    }
  }
  toggled(id) {
    const { el } = this.parts.get(id), { store } = this.view;
    // Python describes a panel as long as one of the views shows it.
    const views = (store.shown ||= new Map()).get(id) || new Set();
    views[el.open ? "add" : "delete"](this);
    store.shown.set(id, views);
    if (el.open || !views.size) store.link.post({ type: "panel_open", panel: id, open: el.open });
  }
  close() {
    for (const [id, { el }] of this.parts) if (el.open) { el.open = false; this.toggled(id); }
  }
  /** The kernel is gone: what is shown can be read, and leads to its places. */
  end() { this.el.querySelectorAll("input, select, textarea, button:not(.wgs-finding)").forEach((el) => { el.disabled = true; }); }
  open(id) {
    const part = this.parts.get(id);
    if (!part) return;
    part.el.open = true;
    this.view.frame.togglePanel(true);
    this.view.frame.panel.reveal(part.el);
  }
  /** Panels that belong to a tool come and go with it. */
  showTool(tool) {
    for (const part of this.parts.values()) {
      if (!part.tools.length) continue;
      const mine = part.tools.includes(tool.id);
      if (mine && !part.el.open) { part.el.open = true; part.byTool = true; } else if (!mine && part.byTool) { part.el.open = false; part.byTool = false; }
      if (mine) this.el.prepend(part.el);
    }
  }

  show({ panel, nodes }) {
    const part = this.parts.get(panel), text = JSON.stringify(nodes);
    if (!part || part.nodes === text) return;
    // What somebody is typing is not taken away: the panel follows when the field is left.
    // A line that is dragged would end its drag.
    const at = document.activeElement;
    if (this.view.dragged?.panel === panel || (part.body.contains(at) && at.dataset.typed)) {
      this.waiting.set(panel, { panel, nodes });
      return;
    }
    this.waiting.delete(panel);
    const { scrollTop } = this.view.frame.panel.el, open = new Set([...part.body.querySelectorAll("details[open]")].map((el) => el.dataset.group));
    const known = new Set([...part.body.querySelectorAll("details")].map((el) => el.dataset.group));
    part.nodes = text;
    part.body.replaceChildren(...nodes.map((node) => this.node(panel, node)).filter(Boolean));
    part.body.querySelectorAll("details").forEach((el) => { if (known.has(el.dataset.group)) el.open = open.has(el.dataset.group); });
    this.view.frame.panel.el.scrollTop = scrollTop;
  }
  /** Panels that waited are shown; in the one that has the focus only when that is where a drag has ended. */
  settle(dropped = false) {
    for (const message of [...this.waiting.values()]) {
      const { body } = this.parts.get(message.panel) || {};
      if (dropped || !body?.contains(document.activeElement)) this.show(message);
    }
  }

  act(panel, action, values = {}) { this.view.store.link.post({ type: "panel", client: this.view.store.client, panel, action, values }); }

  // -- nodes ----------------------------------------------------------------------------------------------------------

  node(panel, node) {
    const make = this[`make_${node.t}`];
    return make ? make.call(this, panel, node) : h("p.wgs-hint", {}, node.text || "");
  }
  make_text(_, { text, tone }) { return h("p.wgs-say", { "data-tone": tone || false }, text); }
  make_hint(_, { text }) { return h("p.wgs-hint", {}, text); }
  make_heading(_, { text }) { return h("h4", {}, text); }
  make_verdict(_, { status, sign, text, note }) { return h("div.wgs-verdict", { "data-status": status, role: "status" }, h("span.wgs-sign", {}, sign), h("b", {}, text), note && h("span", {}, note)); }
  make_picture(_, { src, alt }) { return h("img.wgs-shot", { src, alt }); }
  make_group(panel, { title, open, nodes, name }) {
    return h("details.wgs-fold", { open, "data-group": name || title }, h("summary", {}, title), ...nodes.map((node) => this.node(panel, node)));
  }
  make_progress(panel, { done, total, text, action }) {
    return h("div.wgs-field", {}, h("span", {}, text), h("progress", { value: done, max: total, "aria-label": text }), action && h("button.wgs-plain", { type: "button", onclick: () => this.act(panel, action) }, "Cancel"));
  }
  make_buttons(panel, { items }) {
    return h("div.wgs-row", {}, ...items.map(({ action, label, title, primary, disabled, pressed, values }) => h(primary ? "button.wgs-primary" : "button.wgs-plain", {
      type: "button", title: title || false, disabled, "data-action": `${panel}:${action}`, "aria-pressed": pressed === undefined ? false : String(pressed), onclick: () => this.act(panel, action, values),
    }, label)));
  }
  make_field(panel, { id, label, kind, value, choices, low, high, step, action, hint, fault, disabled, list }) {
    const send = (value) => this.act(panel, action || "set", { id, value }), common = { "aria-label": label, disabled, "data-id": id, "aria-invalid": fault ? "true" : false };
    const done = (ev) => { delete ev.target.dataset.typed; send(kind === "number" || kind === "range" ? (ev.target.value === "" ? null : Number(ev.target.value)) : ev.target.value); };
    const typed = { oninput: (ev) => { ev.target.dataset.typed = "1"; } };
    let input;
    if (kind === "check") input = h("input", { ...common, type: "checkbox", checked: !!value, onchange: (ev) => send(ev.target.checked) });
    else if (kind === "choice") {
      input = h("select", { ...common, onchange: (ev) => send(ev.target.value) }, ...choices.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
    } else if (kind === "area") input = h("textarea", { ...common, ...typed, rows: 3, onchange: done, value: value ?? "" });
    else if (kind === "range") input = h("input", { ...common, type: "range", min: low, max: high, step: step || "any", value: String(value), onchange: done });
    else {
      input = h("input", { ...common, ...typed, type: kind === "number" || kind === "color" ? kind : "text", min: low, max: high, step: kind === "number" ? step || "any" : false, value: value ?? "", spellcheck: false, autocomplete: "off", onchange: done });
      if (list) { const name = `${this.view.frame.id}-${panel}-${id}`; input.setAttribute("list", name); input = h("span.wgs-with", {}, input, h("datalist", { id: name }, ...list.map((text) => h("option", { value: text })))); }
    }
    const row = kind === "check" ? h("label.wgs-check", {}, input, h("span", {}, label)) : h("label.wgs-field", {}, h("span", {}, label), input);
    return hint || fault ? h("div", {}, row, fault && h("p.wgs-fault", { role: "alert" }, `⚠ ${fault}`), hint && h("p.wgs-hint", {}, hint)) : row;
  }
  /** Rows: each a line that can be pressed (go there, or an action), dragged, or dropped on. */
  make_rows(panel, { columns, rows, label }) {
    const list = h("div.wgs-table", { role: "list", "aria-label": label || false });
    if (columns) list.append(h("div.wgs-entry.wgs-faint", {}, ...columns.map((text) => h("span", {}, text))));
    for (const { cells, sign, note, go, action, values, tone, chosen, drag, drop, swatch } of rows) {
      const press = () => {
        if (go) this.view.goToPoint(go[0] * this.view.grid.kx, go[1] * this.view.grid.ky);
        if (action) this.act(panel, action, values);
      };
      const inside = [swatch && h("i.wgs-chip", { style: { background: swatch } }), sign && h("b", {}, sign), ...cells.map((text) => h("span", {}, text)), note && h("small", {}, note)];
      const row = go || action || drag ? h("button.wgs-finding", { type: "button", "data-severity": tone || false, "aria-pressed": chosen === undefined ? false : String(!!chosen), onclick: press }, ...inside) : h("div.wgs-finding", { "data-severity": tone || false }, ...inside);
      if (drag !== undefined) {
        row.draggable = true;
        row.addEventListener("dragstart", (ev) => { ev.dataTransfer.setData("text/x-wgs", JSON.stringify({ panel, drag })); this.view.dragged = { panel, drag }; });
        row.addEventListener("dragend", () => {
          this.view.dragged = null;
          this.settle(true);
        });
      }
      if (drop !== undefined) {
        row.addEventListener("dragover", (ev) => { if (this.view.dragged?.panel === panel) ev.preventDefault(); });
        row.addEventListener("drop", (ev) => { ev.preventDefault(); this.act(panel, "drop", { what: this.view.dragged?.drag, on: drop }); });
      }
      list.append(h("div", { role: "listitem" }, row));
    }
    return list;
  }
}
