// The frame around the map: top bar, tools, side panel, messages, status line.

import css from "./style.css";
import { h, icon, iconButton } from "./dom.js";
import { Panel } from "./panel.js";
import { Desk } from "./desk.js";
import { keepFocus } from "./focus.js";
import { keyName } from "../keys.js";
import { loadPart } from "../parts.js";

const ROOM = 640; // px of the editor from which the side panel stands beside the map
const TINY = 520; // px under which buttons for zooming are left out
const READ = 2500; // ms that a refusal stays at least
const SPOKEN = 4000; // ms that a word about what was done stays

let count = 0;
const NO_ANSWER = "⚠ no answer from the kernel; if it was restarted, run the cell again";
const GROUPS = [["look", "Look"], ["terrain", "Terrain"], ["lines", "Sides and lines"], ["things", "Names and markers"], ["forces", "Scenario"]];

export class Frame {
  constructor(view, el) {
    this.view = view;
    this.id = `wgs-${++count}`;
    this.area = h("div.wgs-area", {
      tabIndex: 0, role: "application", "aria-label": "Map", "aria-describedby": `${this.id}-status`, "aria-roledescription": "hex map editor",
    }, ...view.stage.canvases);
    this.panel = new Panel(view);
    this.desk = new Desk(view);
    this.panel.tool.after(this.desk.el);
    this.messages = h("div.wgs-messages", { role: "alert" });
    this.ending = h("div.wgs-ending", { role: "alert" });
    this.notices = h("div.wgs-notices", { role: "status" });
    this.works = new Map();
    this.body = h("div.wgs-body", {}, this.tools(), h("div.wgs-middle", {}, this.area), this.panel.el);
    // Nothing in here may hand its keys to the notebook, so the host itself takes the focus of what takes none.
    this.host = h("div.wgs", { tabIndex: -1, "data-lm-suppress-shortcuts": "true", role: "region", "aria-label": "Map editor" },
      h("style", { textContent: css }), this.top(), this.ending, this.notices, this.messages, this.body, this.status());
    el.append(this.host);
    this.release = keepFocus(this.host, () => this.dialog?.querySelector("input, button") || this.area);
    this.pane = this.area.parentElement;
    this.watch = new ResizeObserver(() => {
      const width = this.host.clientWidth;
      if (!width) return;
      this.host.classList.toggle("wgs-narrow", width < 660);
      this.host.classList.toggle("wgs-tiny", width < TINY);
      this.lay(width < ROOM);
    });
    this.watch.observe(this.host);
    this.rebuild();
  }

  close() {
    this.watch.disconnect();
    this.release();
    this.desk.close();
    clearTimeout(this.hushing);
    clearTimeout(this.waiting);
  }

  rebuild() {
    this.showStatus();
    this.showZoom();
    this.panel.rebuild();
  }

  // -- top bar --------------------------------------------------------------------------------------------------------

  top() {
    const { view } = this, store = () => view.store;
    this.title = h("button.wgs-title", { type: "button", onclick: () => this.rename() });
    this.undo = iconButton("undo", "Undo", () => { view.undo(); }, { "data-action": "undo" });
    this.redo = iconButton("redo", "Redo", () => store().redo(), { "data-action": "redo" });
    this.save = iconButton("save", "Save (Ctrl+S)", () => view.save(), { "data-action": "save" });
    this.zoomText = h("button.wgs-zoom", { type: "button", title: "Show the whole map (Home)", onclick: () => view.fit() });
    this.find = h("input.wgs-find", {
      type: "search", placeholder: "Find hex or name", "aria-label": "Find a hex or a name", spellcheck: false,
      onkeydown: (ev) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[ev.key];
        if (ev.key === "Enter") this.search();
        else if (ev.key === "Escape") this.area.focus();
        else if (by) this.lookUp((finder) => finder.move(by));
        if (by) ev.preventDefault();
      },
      oninput: () => this.lookUp((finder) => finder.show()),
    });
    return h("div.wgs-top", {},
      h("div.wgs-name", {}, this.title),
      h("div.wgs-set", { role: "group", "aria-label": "History and file" }, this.undo, this.redo, this.save),
      h("div.wgs-set.wgs-zooms", { role: "group", "aria-label": "Zoom" }, iconButton("minus", "Zoom out (−)", () => view.zoom(1 / 1.5)), this.zoomText, iconButton("plus", "Zoom in (+)", () => view.zoom(1.5)), iconButton("fit", "Show the whole map (Home)", () => view.fit())),
      h("label.wgs-search", {}, icon("search"), this.find),
      h("div.wgs-set", { role: "group", "aria-label": "View" }, (this.panelButton = iconButton("panel", "Side panel (\\)", () => this.choosePanel(), { "data-action": "panel", "aria-pressed": "true" })), iconButton("screen", "Full screen (F)", () => this.fullScreen(), { "data-action": "screen" }), iconButton("help", "Keys (?)", () => this.toggleHelp(), { "data-action": "help" })),
    );
  }

  rename() {
    const { store } = this.view, old = store.status.title;
    if (store.readonly || store.dead) return;
    this.askText(96, 22, old, (value) => {
      if (value.trim() && value.trim() !== old) store.apply({ op: "set", field: "title", value: value.trim() });
    }, "Title of the map");
  }

  /** The list of what is found comes in a part of its own. */
  lookUp(act) { this.part("look", ({ Finder }) => act((this.finder ||= new Finder(this)))); }
  search() {
    const text = this.find.value.trim(), cell = this.view.store.labels.find(text);
    if (cell >= 0 && !(this.finder?.at >= 0)) {
      this.finder?.close();
      this.view.goTo(cell);
      this.area.focus({ preventScroll: true });
    } else if (text) this.lookUp((finder) => finder.take() || this.say(`Nothing on this map is called ${text}`));
  }
  focusFind() {
    this.find.focus();
    this.find.select();
  }

  // -- tools ----------------------------------------------------------------------------------------------------------

  tools() {
    const { view } = this;
    this.buttons = new Map();
    const bar = h("div.wgs-tools", { role: "toolbar", "aria-orientation": "vertical", "aria-label": "Tools" });
    for (const [group, label] of GROUPS) {
      const set = h("div.wgs-group", { role: "group", "aria-label": label });
      for (const tool of view.tools.all.filter((t) => t.group === group)) {
        const button = iconButton(tool.icon, `${tool.title} (${keyName(tool)})`, () => this.pick(tool), { "data-tool": tool.id, "aria-pressed": "false", tabIndex: -1 });
        this.buttons.set(tool.id, button);
        set.append(button);
      }
      if (set.firstChild) bar.append(set);
    }
    // One stop of Tab for the whole bar; arrows go from tool to tool.
    bar.addEventListener("keydown", (ev) => {
      const by = { ArrowDown: 2, ArrowUp: -2, ArrowRight: 1, ArrowLeft: -1 }[ev.key];
      if (!by) return;
      const all = [...this.buttons.values()], at = all.indexOf(document.activeElement);
      all[Math.max(0, Math.min(all.length - 1, at + by))].focus();
      ev.preventDefault();
      ev.stopPropagation();
    });
    return bar;
  }

  showTool() {
    const { tool } = this.view;
    for (const [id, button] of this.buttons) {
      button.setAttribute("aria-pressed", String(id === tool.id));
      button.tabIndex = id === tool.id ? 0 : -1;
    }
    this.area.style.cursor = tool.cursor || "crosshair";
    this.host.dataset.tool = tool.id;
    this.panel.showTool();
    this.desk.showTool(tool);
    if (this.statusTool) this.statusTool.textContent = tool.title;
  }
  showOptions() { this.panel.showTool(); }
  showSight() { this.panel.showSight(); }

  // -- status line ----------------------------------------------------------------------------------------------------

  status() {
    this.statusUnder = h("span.wgs-under", { id: `${this.id}-status` });
    this.live = h("span.wgs-live", { "aria-live": "polite", role: "status" });
    this.statusTool = h("span.wgs-cell");
    this.statusBusy = h("span.wgs-cell.wgs-busy");
    this.statusSaved = h("span.wgs-cell.wgs-saved");
    this.statusSize = h("span.wgs-cell.wgs-wide");
    return h("div.wgs-status", {}, this.statusUnder, this.live, h("span.wgs-gap"), this.statusBusy, this.statusTool, this.statusSize, this.statusSaved);
  }

  showUnder(cell, side = "", place = null) {
    const { view } = this, { store, grid } = view;
    this.statusUnder.replaceChildren();
    if (place) {
      this.statusUnder.append(h("b.wgs-label", {}, place.label), h("span", {}, place.text), side && h("span.wgs-side", {}, side));
      if (view.keyboard) this.say([place.label, place.text, side].filter(Boolean).join(", "), true);
      return;
    }
    if (cell === undefined || cell < 0 || !grid.has(cell)) {
      this.statusUnder.append(h("span.wgs-faint", {}, "—"));
      return;
    }
    const level = store.planes.levels[cell], things = this.thingsIn(cell), label = store.labels.of(cell), terrain = store.terrainName(store.terrainAt(cell)), [x, y] = grid.centre(cell);
    const sheets = store.catalogue.sheets || [], sheet = sheets[grid.areas.findIndex((b) => x >= b[0] && y >= b[1] && x <= b[2] && y <= b[3])] || "";
    this.statusUnder.append(h("b.wgs-label", {}, label), h("span", {}, terrain), h("span", {}, `level ${level}`), sheet ? h("span.wgs-faint", {}, sheet) : "",
      side && h("span.wgs-side", {}, side), things && h("span.wgs-things", {}, things));
    if (view.keyboard) this.say([label, terrain, level && `level ${level}`, sheet, things, side].filter(Boolean).join(", "), true);
  }
  showNumbers(cell, [x, y], away) {
    const { grid } = this.view;
    this.statusSize.textContent = cell < 0 ? this.mapSize : `column ${grid.col(cell) + 1}, row ${grid.row(cell) + 1} · ${x}, ${y}${away ? ` · ${away} from the press` : ""}`;
  }
  get mapSize() { return `${this.view.grid.columns} × ${this.view.grid.rows}`; }
  thingsIn(cell) {
    const { store, grid } = this.view, [x, y] = grid.centre(cell), found = [];
    for (const id of store.featureBoxes.meeting(x, y, x, y)) {
      const { record } = store.features.get(id), label = store.labels.of(cell);
      if (record.path?.includes(label)) found.push(record.name || (record.surface ? `${record.surface} road` : record.kind));
      else if (record.kind === "marker" && record.at === label) found.push(record.type.replace(/_/g, " "));
      else if (record.kind === "name" && this.view.featureAt(x, y, ["name"]) === record) found.push(record.text);
    }
    return found.join(", ");
  }

  /** A short word for the ear and the eye. */
  say(text, quiet = false) {
    this.live.textContent = text;
    this.live.classList.toggle("wgs-quiet", quiet);
    clearTimeout(this.hushing);
    if (!quiet) this.hushing = setTimeout(() => { this.live.textContent = ""; }, SPOKEN);
  }
  /** What was said of the last action is over with the next one. */
  hush() {
    // A refusal is over when somebody goes on; a fault of the program stays to be read.
    for (const box of [...this.messages.children]) if (box.dataset.passing && performance.now() - box.born > READ) box.remove();
    if (this.live.classList.contains("wgs-quiet")) return;
    clearTimeout(this.hushing);
    this.live.textContent = "";
  }

  showZoom() {
    const { camera, dpr } = this.view;
    const text = `${Math.round(camera.scale / dpr * 10) / 10} px`;
    if (this.zoomText.textContent !== text) this.zoomText.textContent = text;
  }

  showStatus() {
    const { store } = this.view, { status } = store;
    this.title.textContent = status.title || "Untitled map";
    this.title.title = `${status.path || "No file yet"} — click to change the title`;
    this.area.setAttribute("aria-label", `Map: ${status.title || "untitled"}`);
    this.undo.disabled = !status.can_undo || !!store.dead;
    this.redo.disabled = !status.can_redo || !!store.dead;
    this.save.disabled = !!store.dead;
    for (const button of [this.undo, this.redo, this.save]) button.hidden = store.readonly;
    this.undo.title = status.undo ? `Undo: ${status.undo} (Ctrl+Z)` : "Nothing to undo";
    this.redo.title = status.can_redo ? "Redo (Ctrl+Shift+Z)" : "Nothing to redo";
    this.save.classList.toggle("wgs-due", !!status.dirty);
    this.statusSize.textContent = this.mapSize;
    this.statusSaved.title = status.fault || "";
    if (store.dead) this.statusSaved.textContent = "✕ Kernel gone";
    else this.statusSaved.textContent = status.fault ? "⚠ Not kept safe" : status.dirty ? "● Unsaved" : status.path ? "✓ Saved" : "Not saved yet";
    this.host.dataset.dirty = status.dirty ? "1" : "0";
    this.showNotices();
  }

  /** What Python has to say until somebody chooses: work that was brought back, a file that changed meanwhile. */
  showNotices() {
    const { store } = this.view, notices = store.dead ? [] : store.status.notices || [], text = JSON.stringify(notices);
    if (text === this.noticed) return;
    this.noticed = text;
    this.notices.replaceChildren(...notices.map(({ id, text: words, details, buttons }) => h("div.wgs-message.wgs-notice", { "data-notice": id },
      h("div.wgs-line", {}, h("b", {}, "ℹ "), h("span", {}, words)), details && h("details", {}, h("summary", {}, "Details"), h("pre", {}, details)),
      h("div.wgs-row", {}, ...buttons.map(([action, label]) => h("button.wgs-plain", { type: "button", "data-action": `notice:${action}`, onclick: () => store.link.post({ type: "notice", client: store.client, id, action }) }, label))))));
  }

  /** Long work with its bar; it goes on while the map is used. */
  showWork({ id, title, done, total, state }) {
    let bar = this.works.get(id);
    if (state !== "running") {
      bar?.el.remove();
      this.works.delete(id);
      if (state === "cancelled") this.say(`${title}: cancelled`);
      return;
    }
    if (!bar) {
      const progress = h("progress", { "aria-label": title }), cancel = h("button.wgs-plain", { type: "button", "data-action": "cancel-work", onclick: () => this.view.store.link.post({ type: "cancel", id }) }, "Cancel");
      bar = { progress, el: h("div.wgs-message.wgs-work", { role: "status" }, h("div.wgs-line", {}, h("span", {}, title), progress, cancel)) };
      this.works.set(id, bar);
      this.notices.before(bar.el);
    }
    if (total) Object.assign(bar.progress, { max: total, value: done });
    else bar.progress.removeAttribute("value");
  }

  /** Strokes that Python has not answered for a second: the kernel is busy. */
  showPending() {
    const { store } = this.view;
    clearTimeout(this.waiting);
    this.host.dataset.pending = String(store.pending.length);
    if (store.dead) this.statusBusy.textContent = "";
    else if (store.silent) this.statusBusy.textContent = NO_ANSWER;
    else if (!store.pending.length) this.statusBusy.textContent = "";
    else this.waiting = setTimeout(() => {
      this.statusBusy.textContent = `◌ kernel busy, ${store.pending.length} waiting`;
      this.waiting = setTimeout(() => { this.statusBusy.textContent = NO_ANSWER; }, 20000);
    }, 1000);
  }

  // -- messages and small windows ---------------------------------------------------------------------------------------

  /** The kernel is gone: say so, and what becomes of the drawing, no more than is true. */
  showEnd() {
    const { store } = this.view, { why, lost } = store.dead, { path, fault } = store.status;
    this.closePopups();
    this.host.dataset.dead = "1";
    for (const { el } of this.works.values()) el.remove();
    this.works.clear();
    this.desk.end();
    const what = why === "closed" ? "This editor was closed in Python" : "The kernel of this editor has ended or was restarted";
    const missing = lost ? ` The last ${lost === 1 ? "step" : `${lost} steps`} had not reached it and may be missing.` : "";
    let remedy = "";
    if (why === "closed") remedy = "Run the cell that shows it again.";
    else if (fault) remedy = `Steps since the last save could not be kept safe (${fault}); run the cell again to go on from the file.`;
    else if (path) remedy = "Run the cell that opens it again: what was drawn is brought back.";
    else remedy = `This ${store.model.get("scenario") ? "scenario" : "map"} has no file yet: the launcher's Unsaved work, or studio.unsaved(), brings it back.`;
    this.ending.replaceChildren(h("div.wgs-message", { "data-end": why }, h("div.wgs-line", {}, h("b", {}, "⚠ "), h("span", {}, h("b", {}, `${what}; drawing is switched off. `), remedy + missing))));
    this.showStatus();
    this.showPending();
  }

  showError({ message, traceback, remedy, passing }) {
    if (this.messages.firstChild?.dataset.text === message) return; // the same again, such as a verdict asked anew
    const box = h("div.wgs-message", { "data-text": message, "data-passing": passing ? "1" : false },
      h("div.wgs-line", {}, h("b", {}, "⚠ "), h("span", {}, message), iconButton("close", "Dismiss", () => box.remove())),
      remedy && h("div", {}, remedy),
      traceback && h("details", {}, h("summary", {}, "Details"), h("pre", {}, traceback)));
    box.born = performance.now();
    this.messages.prepend(box);
    while (this.messages.children.length > 3) this.messages.lastChild.remove();
  }

  /** An input on the map; Enter or leaving it sets the text, Esc does not. */
  askText(x, y, text, done, label = "Place name") {
    this.closePopups();
    let open = true;
    const finish = (keep) => {
      if (!open) return;
      open = false;
      if (this.popup === giveUp) this.popup = null;
      const { value } = input;
      input.remove();
      if (keep) done(value);
      this.area.focus({ preventScroll: true });
    };
    const giveUp = () => finish(false);
    const input = h("input.wgs-text", {
      value: text, "aria-label": label, placeholder: label, style: { left: `${Math.max(4, Math.min(this.pane.clientWidth - 190, x - 90))}px`, top: `${Math.max(4, y - 16)}px` },
      onkeydown: (ev) => {
        ev.stopPropagation();
        if (ev.key === "Enter") finish(true);
        if (ev.key === "Escape") finish(false);
      },
      onblur: () => finish(true),
    });
    this.popup = giveUp;
    this.pane.append(input);
    input.focus();
    input.select();
  }

  askPath(question) { this.window("saving", question); }
  window(name, about) { this.part("windows", ({ windows }) => windows[name](this, about)); }
  /** Do something with a part once it is there. */
  part(name, act) { loadPart(this.view.store, name).then(act).catch((error) => this.showError({ message: `A part of the editor could not be loaded: ${error.message}; reload the page` })); }
  saved(path) {
    if (this.saving) this.closePopups();
    this.say(`Saved as ${path}`);
  }
  showFault(message) {
    if (this.saving && message.of === "save") this.saving(message.message);
    else this.showError(message);
  }

  toggleHelp() {
    if (this.helping) {
      this.closePopups();
      return;
    }
    this.window("help");
  }

  /** A window over the whole editor; nothing behind it can be reached until it is closed. */
  open(box) {
    this.closePopups();
    const veil = h("div.wgs-veil", {}, box), behind = [...this.host.children].filter((el) => el.tagName !== "STYLE");
    this.host.append(veil);
    behind.forEach((el) => { el.inert = true; });
    this.dialog = box;
    this.popup = () => {
      veil.remove();
      behind.forEach((el) => { el.inert = false; });
      this.area.focus({ preventScroll: true });
    };
  }
  /** Close what lies over the map; false when nothing does. */
  closePopups() {
    const close = this.popup;
    this.popup = this.dialog = this.saving = null;
    this.helping = false;
    close?.();
    return !!close;
  }
  /** Keys while a window is open belong to it; true when one is. */
  dialogKey(ev) {
    if (!this.dialog) return false;
    const ctrl = ev.ctrlKey || ev.metaKey;
    if (ev.key === "Escape" || (this.helping && ev.key === "?")) this.closePopups();
    else if (ev.key === "Tab") {
      const all = [...this.dialog.querySelectorAll("button, input, [tabindex]")].filter((el) => !el.disabled), at = all.indexOf(document.activeElement);
      all[(at + (ev.shiftKey ? -1 : 1) + all.length) % all.length].focus();
    } else if (!(ctrl && /^[sf]$/i.test(ev.key))) return true;
    ev.preventDefault();
    return true;
  }

  // -- the side panel, beside the map or over it ------------------------------------------------------------------------

  /** over: there is no room beside the map, so the panel lies over it, and only while it is wanted. */
  lay(over) {
    if (over === this.over) return;
    this.over = over;
    this.host.classList.toggle("wgs-over", over);
    this.togglePanel(!over && this.wanted !== false);
  }
  /** A tool's button: where the panel is hidden for want of room, it brings the tool's options. */
  pick(tool) {
    this.view.select(tool.id);
    if (this.over && !this.pinned) this.togglePanel(!tool.pans);
  }
  /** A press on the map wants the map, all of it; the verdict of a sight line stays in view. */
  mapPressed() {
    if (this.over && !this.pinned && this.view.tool.id !== "sight") this.togglePanel(false);
  }
  choosePanel() {
    const show = this.panel.el.hidden;
    if (this.over) this.pinned = show;
    else this.wanted = show;
    this.togglePanel(show);
  }
  togglePanel(show) {
    if (this.panel.el.hidden !== show) return;
    this.panel.el.hidden = !show;
    this.panelButton?.setAttribute("aria-pressed", String(show));
  }
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.host.requestFullscreen?.().catch(() => this.say("This browser does not allow full screen here"));
  }
}
