// One view of the store: its camera, its tools, and what pointer and keys do.

import { Camera } from "./camera.js";
import { segmentDistance } from "./grid.js";
import { Stage } from "./stage.js";
import { numbersFrom } from "./layers/features.js";
import { Frame } from "./ui/frame.js";
import { drawCursor, drawPing } from "./above.js";
import { makeTools } from "./tools/registry.js";
import { loadPart } from "./parts.js";
import { Fingers } from "./touch.js";
import { handleKey } from "./keys.js";

export class View {
  constructor(store, el) {
    this.store = store;
    this.camera = new Camera(store.grid.bounds);
    this.options = { terrain: defaultTerrain(store), brush: 1, kind: store.catalogue.side_kinds[0]?.id || null, surface: "paved", level: 1, marker: null, field: false };
    this.cursor = -1;
    this.cursorSide = 0;
    this.keyboard = false;
    this.hovered = null;
    this.ping = null;
    this.picking = null;
    this.selection = new Set();
    this.moved = false;
    this.whole = false; // shown whole because somebody asked for it
    this.stage = new Stage(store, this.camera, (ctx) => this.drawAbove(ctx), () => this.whenReady());
    this.tools = makeTools(this);
    this.frame = new Frame(this, el);
    this.host = this.frame.host;
    this.select("pan");
    this.listen();
    this.showScan();
    if (store.dead) this.ended();
    this.host.__studio = this.hook();
    this.born = performance.now();
    if (store.catalogue.scenario) this.showForces();
    loadPart(store, "ink").then((part) => this.closed || part.start(this), (error) => this.fault({ message: `Areas, walls and signs are not shown: ${error.message}` }));
  }

  get dpr() { return window.devicePixelRatio || 1; }
  get grid() { return this.store.grid; }

  // -- life -----------------------------------------------------------------------------------------------------------

  listen() {
    const { store, stage } = this, area = this.frame.area;
    this.unsubscribe = [
      store.on("cells", (cells) => stage.cellsChanged(cells)),
      store.on("sides", (sides) => stage.sidesChanged(sides)),
      store.on("features", (changed) => stage.featuresChanged(changed.boxes, changed.ground, changed.relief)),
      store.on("reset", (resized) => this.reset(resized)),
      store.on("status", () => this.frame.showStatus()),
      store.on("pending", () => this.frame.showPending()),
      store.on("revision", () => { for (const tool of new Set([this.tool, this.tools.get("sight")])) tool?.refresh?.(); this.frame.panel.follow(); }),
      store.on("pending", () => this.frame.panel.follow()),
      store.on("dead", () => this.ended()),
      store.on("backdrop", () => this.showScan()),
      store.on("error", ({ message }) => this.fault(message)),
      store.on("ask_path", ({ message }) => this.asked(message) && this.frame.askPath(message)),
      store.on("saved", ({ message }) => this.asked(message) && this.frame.saved(message.path)),
      store.on("panel", ({ message }) => this.frame.desk.show(message)),
      store.on("desk", ({ message }) => this.frame.desk.list(message.panels)),
      store.on("tell", ({ message }) => this.told(message)),
      store.on("work", ({ message }) => this.frame.showWork(message)),
      store.on("sight", ({ message }) => this.tools.get("sight")?.answer(message)),
      store.on("view", ({ message, buffers }) => this.tools.get("sight")?.shade(message, buffers)),
    ];
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(area);
    this.fingers = new Fingers(this);
    area.addEventListener("pointerdown", (ev) => this.pointerDown(ev));
    area.addEventListener("pointermove", (ev) => this.pointerMove(ev));
    area.addEventListener("pointerup", (ev) => this.pointerUp(ev));
    area.addEventListener("pointercancel", (ev) => this.pointerUp(ev, true));
    area.addEventListener("pointerleave", () => this.leave());
    area.addEventListener("dblclick", (ev) => { ev.preventDefault(); this.tool.finish?.(this.event(ev)); });
    area.addEventListener("contextmenu", (ev) => ev.preventDefault());
    area.addEventListener("wheel", (ev) => this.wheel(ev), { passive: false });
    this.host.addEventListener("keydown", (ev) => handleKey(this, ev));
    this.host.addEventListener("keyup", (ev) => ev.stopPropagation());
    for (const name of ["focusin", "focusout"]) area.addEventListener(name, () => stage.redraw(2));
    area.addEventListener("focusin", () => store.kernel.wanted());
  }

  close() {
    this.closed = true;
    this.unsubscribe.forEach((stop) => stop());
    this.observer.disconnect();
    this.frame.close();
    this.stage.stop();
    clearTimeout(this.resting);
  }

  /** The kernel is gone: the map can still be moved and looked at. */
  ended() {
    this.penDown = false;
    this.pressed = undefined;
    this.picking = null;
    if (this.tool.id !== "sight") this.tool.cancel?.();
    else this.tool.held = true; // a verdict stays to be read
    this.frame.showEnd();
    this.stage.redraw(2);
  }
  get pansOnly() { return this.tool.pans || !!this.store.dead; }

  // -- saving: only the view that asked for it is told ------------------------------------------------------------------

  save(path = null) {
    this.store.saver = this;
    this.store.save(path);
  }
  asked(message) { return message.client === this.store.client && this.store.saver === this; }
  fault(message) {
    if (message.of !== "save" || this.asked(message)) this.frame.showFault(message);
  }

  resize() {
    const box = this.frame.area.getBoundingClientRect(), width = Math.round(box.width * this.dpr), height = Math.round(box.height * this.dpr);
    if (width < 2 || height < 2) return;
    this.stage.setSize(width, height);
    this.camera.resize(width, height);
    // Until somebody moves the map, it is shown whole, or nearly so where its hex numbers can then be read.
    if (!this.moved) this.camera.fit(this.stage.ready ? performance.now() : -Infinity, this.whole ? 0 : numbersFrom(this.store.style));
    this.stage.moved();
    this.frame.showZoom();
  }

  reset(resized) {
    if (this.store.shifted) {
      // What is half drawn was meant for hexes that lie elsewhere now.
      this.penDown = false;
      this.pressed = undefined;
      this.tool.cancel?.();
    }
    this.stage.rebuild();
    this.showScan();
    if (resized) {
      this.camera.bounds = this.grid.bounds;
      this.cursor = -1;
      if (this.moved && this.store.shifted) this.camera.pan(...this.store.shift.map((d, i) => -d * (i ? this.grid.ky : this.grid.kx) * this.camera.scale));
      else this.fit();
    }
    this.tool.refresh?.();
    this.frame.rebuild();
  }

  /** The units of a scenario are drawn by a part. */
  showForces() {
    loadPart(this.store, "forces").then((part) => this.closed || part.start(this), (error) => this.fault({ message: `The units are not shown: ${error.message}` }));
    if (!this.store.readonly) this.select("units");
  }
  /** The scan under the map is drawn by a part, which comes when there is one. */
  showScan() {
    if (this.stage.scan) this.stage.scan.refresh();
    else if (this.store.backdrop.file) loadPart(this.store, "backdrop").then((part) => this.closed || part.start(this)).catch((error) => this.frame.showError({ message: `The backdrop cannot be shown: ${error.message}` }));
  }

  whenReady() { this.host.dataset.ready = "1"; }

  // -- tools ----------------------------------------------------------------------------------------------------------

  select(id) {
    const next = this.tools.get(id);
    if (!next || next === this.tool) return;
    this.frame.hush();
    if (!this.tool?.keeps) this.tool?.cancel?.();
    this.tool?.leave?.();
    this.tool = next;
    // A stub takes the place of its tool until that is there, and does nothing: no stroke of the tool before may come of it.
    if (next.stub) this.tools.load(next.part).then(() => this.arrived(next), (error) => this.missed(next, error));
    next.enter?.();
    this.frame.showTool();
    this.stage.redraw(2);
  }
  arrived(stub) {
    if (this.tool !== stub) return;
    this.select(stub.id);
    stub.typed?.forEach((ev) => handleKey(this, ev));
  }
  missed(stub, error) {
    this.frame.showError({ message: `The tool ${stub.title} could not be loaded: ${error.message}` });
    if (this.tool === stub) this.select("pan");
  }
  set(name, value) {
    this.options[name] = value;
    this.tool.refresh?.(name);
    this.frame.showOptions();
    this.stage.redraw(2);
  }

  // -- camera ---------------------------------------------------------------------------------------------------------

  fit() {
    this.camera.fit(performance.now());
    this.afterMove();
    this.moved = false;
    this.whole = true;
  }
  /** By keys: about the hex cursor when it is in sight, else about the middle. */
  zoomByKey(factor) {
    const at = this.keyboard && this.cursor >= 0 ? this.grid.centre(this.cursor) : null;
    if (at && this.camera.shows(...at)) this.zoom(factor, ...this.camera.toScreen(...at));
    else this.zoom(factor);
  }
  zoom(factor, px = this.camera.width / 2, py = this.camera.height / 2) {
    this.camera.zoom(factor, px, py, performance.now());
    this.afterMove();
  }
  pan(dx, dy) { this.camera.pan(dx, dy); this.afterMove(); }
  afterMove() { this.moved = true; this.stage.moved(); this.frame.showZoom(); }

  /** Go to a cell and point at it for a moment. */
  goTo(cell) { this.goToPoint(...this.grid.centre(cell)); }

  // -- what Python asks for ---------------------------------------------------------------------------------------------

  told(message) {
    const { what, client } = message, { kx, ky } = this.grid;
    if (client && client !== this.store.client) return;
    if (what === "goto") this.goToPoint(message.point[0] * kx, message.point[1] * ky);
    else if (what === "tool") this.select(message.id);
    else if (what === "say") this.frame.say(message.text);
    else if (what === "pick") this.picking = message;
    else if (what === "choose") this.choose(message.ids);
    else if (what === "ask") this.tools.get("sight")?.refresh();
    else if (what === "sight") {
      this.select("sight");
      for (const end of ["a", "b"]) this.tool.type(end, message[end]);
    }
    else if (what === "open") this.frame.desk.open(message.panel);
    else this.frame.part("look", (look) => look.told(this, message));
    if (what === "pick") this.frame.say(message.text, true);
    this.stage.redraw(2);
  }
  /** A place that a panel asked for: where somebody clicks next, or the hex cursor at Enter. */
  picked(e) {
    const { panel, action } = this.picking;
    this.picking = null;
    this.frame.say("");
    this.frame.desk.act(panel, action, { x: Math.round(e.x / this.grid.kx), y: Math.round(e.y / this.grid.ky), cell: e.cell, label: e.label ?? (e.cell >= 0 ? this.store.labels.of(e.cell) : "") });
  }
  /** Features chosen by id: the tools of shapes show them, and the inspector tells of them. */
  choose(ids) {
    this.selection = new Set(ids);
    this.store.ask("selected", { ids: [...this.selection] });
    this.tool.refresh?.("selection");
    this.stage.redraw(2);
  }
  reveal({ x, y }) {
    this.camera.reveal(x, y);
    this.afterMove();
  }
  goToPoint(x, y) {
    const cell = this.grid.cellAt(x, y), zoomed = this.camera.scale < 22 * this.dpr;
    if (zoomed) this.camera.zoom((36 * this.dpr) / this.camera.scale, this.camera.width / 2, this.camera.height / 2, performance.now());
    if (zoomed || !this.camera.shows(x, y)) this.camera.centreOn(x, y); // what is in sight stays where it is
    if (cell >= 0) this.cursor = cell;
    this.cursorPlace = undefined;
    this.ping = { at: [x, y], start: performance.now() };
    this.showUnder(cell);
    this.afterMove();
  }

  // -- pointer --------------------------------------------------------------------------------------------------------

  event(ev) {
    const box = this.frame.area.getBoundingClientRect(), px = (ev.clientX - box.left) * this.dpr, py = (ev.clientY - box.top) * this.dpr;
    const [x, y] = this.camera.toWorld(px, py), grid = this.grid, cell = grid.cellAt(x, y);
    return this.located({ px, py, x, y, cell, shift: ev.shiftKey, ctrl: ev.ctrlKey || ev.metaKey, alt: ev.altKey, button: ev.button, keyboard: false, get side() { return grid.sideAt(x, y, cell); } });
  }
  /** The same from the keyboard's hex cursor. */
  cursorEvent(ev = {}) {
    const at = this.cursorPlace, [x, y] = at ? [at.u ?? at.x, at.v ?? at.y] : this.grid.centre(this.cursor), [px, py] = this.camera.toScreen(x, y);
    return this.located({ px, py, x, y, cell: this.cursor, shift: !!ev.shiftKey, ctrl: !!ev.ctrlKey, alt: !!ev.altKey, button: 0, keyboard: true, side: this.grid.sideOf(this.cursor, this.cursorSide) }, at);
  }
  /** place: the location under an event where it is no hex; label: that of the location. Found when they are first asked for. */
  located(e, known) {
    const { places, labels } = this.store;
    let found = known && (known.kind === "hex" ? null : known);
    return Object.defineProperties(e, {
      place: { get: () => (found === undefined ? (found = places.at(e.x, e.y)) : found), enumerable: true },
      label: { get: () => e.place?.label ?? (e.cell >= 0 ? labels.of(e.cell) : ""), enumerable: true },
    });
  }
  /** The next location in the hex of the cursor. */
  cycle() {
    if (this.cursor < 0) this.moveCursor(0, 0);
    const all = this.store.places.within(this.cursor), now = this.cursorEvent().label;
    if (!all.length) return;
    this.cursorPlace = all[(all.findIndex((place) => place.label === now) + 1) % all.length];
    this.pointedByKey();
  }

  pointerDown(ev) {
    this.frame.area.focus({ preventScroll: true });
    ev.preventDefault();
    this.keyboard = false;
    this.frame.hush();
    this.frame.mapPressed();
    if (this.fingers.down(ev)) return;
    const e = this.event(ev);
    if (ev.button === 0) this.lastPress = [e.x, e.y];
    if (ev.button === 2 && !this.store.dead && this.tool.secondary?.(e)) return; // what the tool has for the right button
    this.frame.area.setPointerCapture(ev.pointerId);
    if (ev.button === 1 || ev.button === 2 || (this.pansOnly && !this.picking)) {
      this.panning = { x: ev.clientX, y: ev.clientY, id: ev.pointerId };
      this.frame.area.classList.add("wgs-grabbing");
      return;
    }
    if (ev.button !== 0) return;
    if (this.picking) {
      this.picked(e);
      return;
    }
    this.pressed = ev.pointerId;
    if (e.cell >= 0) this.cursor = e.cell;
    this.cursorPlace = undefined;
    this.pointedAt(e);
    if (!this.barred) this.tool.down?.(e);
    this.stage.redraw(2);
  }
  /** The layer that the tool draws on is locked or hidden, which the status line then says. */
  get barred() {
    const { id, group, lies } = this.tool, layer = lies || { side: "road", road: "road", crest: "road", name: "name", marker: "marker" }[id] || (group === "terrain" && id !== "pick" && "terrain");
    const barred = layer && this.stage.layers.locked(layer);
    if (barred) this.frame.say("That layer is locked or hidden: see Layers");
    return barred;
  }
  /** The inspector tells of the hex and the side that are pointed at, while it is open. */
  pointedAt({ cell, side }) {
    if (cell >= 0 && this.frame.desk.parts.get("inspect")?.el.open) this.store.ask("cursor", { cell, direction: side?.cell === cell ? side.direction : -1 });
  }

  pointerMove(ev) {
    if (this.fingers.move(ev)) return;
    if (this.panning) {
      this.pan((ev.clientX - this.panning.x) * this.dpr, (ev.clientY - this.panning.y) * this.dpr);
      Object.assign(this.panning, { x: ev.clientX, y: ev.clientY });
      return;
    }
    const e = this.event(ev);
    this.hovered = e;
    if (this.pressed !== undefined) {
      // Every place the pointer passed, not only where it was at the frame: a quick stroke has no gaps.
      const passed = ev.getCoalescedEvents?.() || [];
      if (passed.length > 1) passed.slice(0, -1).forEach((p) => this.tool.move?.(this.event(p)));
      this.tool.move?.(e);
    } else {
      this.keyboard = false;
      if (!this.store.dead) this.tool.hover?.(e);
    }
    this.showUnder(e.cell, e.place);
    this.showPlace(e);
    this.stage.redraw(2);
  }
  /** Where the pointer is, in numbers; the panel that tells all about the place hears of it once the pointer rests. */
  showPlace({ x, y, cell }) {
    const { grid, frame, lastPress } = this, lattice = (p) => p && [p[0] / grid.kx, p[1] / grid.ky];
    frame.showNumbers(cell, lattice([x, y]).map(Math.round), lastPress && cell >= 0 && grid.cellAt(...lastPress) >= 0 ? grid.distance(grid.cellAt(...lastPress), cell) : 0);
    clearTimeout(this.resting);
    if (frame.desk.parts.get("where")?.el.open && !this.store.dead) this.resting = setTimeout(() => frame.desk.act("where", "point", { at: lattice([x, y]), pressed: lattice(lastPress) }), 120);
  }

  pointerUp(ev, cancelled = false) {
    if (this.fingers.up(ev)) return;
    if (this.panning) {
      this.panning = null;
      this.frame.area.classList.remove("wgs-grabbing");
      return;
    }
    if (this.pressed === undefined) return;
    this.pressed = undefined;
    if (cancelled) this.tool.cancel?.();
    else this.tool.up?.(this.event(ev));
    this.stage.redraw(2);
  }

  leave() {
    if (this.pressed !== undefined) return;
    this.hovered = null;
    this.tool.hover?.(null);
    this.showUnder(this.cursor);
    this.stage.redraw(2);
  }

  wheel(ev) {
    // The page scrolls as long as the map does not have the focus.
    if (!this.host.contains(document.activeElement)) return;
    ev.preventDefault();
    const e = this.event(ev), unit = ev.deltaMode === 1 ? 30 : ev.deltaMode === 2 ? 300 : 1;
    this.zoom(Math.exp(-Math.max(-240, Math.min(240, ev.deltaY * unit)) * (ev.ctrlKey ? 0.01 : 0.0018)), e.px, e.py);
  }

  moveCursor(dx, dy) {
    if (this.cursor < 0) {
      const [x, y] = this.camera.toWorld(this.camera.width / 2, this.camera.height / 2), middle = this.grid.cellAt(x, y);
      this.cursor = middle >= 0 ? middle : 0;
    } else this.cursor = this.grid.step(this.cursor, dx, dy);
    this.cursorPlace = undefined;
    this.camera.reveal(...this.grid.centre(this.cursor));
    this.pointedByKey();
  }
  pointedByKey() {
    this.keyboard = true;
    this.hovered = null;
    const e = this.cursorEvent();
    this.showPlace(e);
    this.pointedAt(e);
    if (this.penDown) this.tool.move?.(e);
    else if (!this.store.dead) this.tool.hover?.(e);
    this.showUnder(this.cursor, e.place);
    this.stage.moved();
  }

  // -- what the keys ask for --------------------------------------------------------------------------------------------

  withCursor(action) {
    if (this.store.dead) return;
    if (this.keyboard || !this.hovered) {
      if (this.cursor < 0) this.moveCursor(0, 0);
      action(this.cursorEvent());
    } else action(this.hovered);
    this.stage.redraw(2);
  }
  /** Space: a press of the tool at the hex cursor; tools that drag begin with one and end with the next. */
  press(ev) {
    if (this.store.dead) return;
    if (!this.keyboard && this.hovered) this.cursorPlace = this.hovered.place || undefined;
    if (this.cursor < 0 || (!this.keyboard && this.hovered?.cell >= 0)) this.cursor = this.hovered?.cell >= 0 ? this.hovered.cell : this.cursor;
    if (this.cursor < 0) this.moveCursor(0, 0);
    this.keyboard = true;
    const e = this.cursorEvent(ev);
    this.lastPress = [e.x, e.y];
    if (this.penDown) {
      this.penDown = false;
      this.tool.up?.(e);
    } else if (!this.barred) {
      this.tool.down?.(e);
      if (this.tool.drags) this.penDown = true;
      else this.tool.up?.(e);
    }
    this.showUnder(this.cursor);
    this.stage.redraw(2);
  }
  cancel() {
    // What lies uppermost goes first: a window over the map, then what is being drawn.
    if (this.frame.closePopups()) return;
    this.picking = null;
    this.penDown = false;
    (this.tool.escape || this.tool.cancel)?.call(this.tool);
    this.stage.redraw(2);
  }
  undo() {
    if (this.pressed !== undefined || this.penDown) {
      // In the middle of a stroke or a drag it is this that is taken back, and not what was done before.
      this.pressed = undefined;
      this.penDown = false;
      this.tool.cancel?.();
    } else if (!this.tool.undoStep?.()) this.store.undo();
    this.stage.redraw(2);
  }
  remove(e) {
    if (this.tool.remove?.(e) || this.store.catalogue.scenario) return; // the map of a scenario is not drawn on
    const found = this.featureAt(e.x, e.y, ["marker", "name", "road", "crest", "contour"]);
    if (found) this.store.apply({ op: "batch", title: `Remove ${found.kind}`, edits: [{ op: "delete", collection: "features", id: found.id }] });
  }
  turnSide(by) {
    if (this.cursor < 0) this.moveCursor(0, 0);
    this.keyboard = true;
    for (let i = 0; i < 6; i++) {
      this.cursorSide = (this.cursorSide + (by > 0 ? 1 : 5)) % 6;
      if (this.grid.neighbour(this.cursor, this.cursorSide) >= 0) break;
    }
    this.tool.hover?.(this.cursorEvent());
    this.showUnder(this.cursor);
    this.stage.redraw(2);
  }
  stepTerrain(by) {
    const ids = this.store.catalogue.terrains.map((t) => t.id);
    this.set("terrain", ids[(ids.indexOf(this.options.terrain) + by + ids.length) % ids.length]);
    this.frame.say(this.store.terrainName(this.options.terrain));
  }

  showUnder(cell, place = null) {
    const side = this.tool.words?.() || "";
    if (this.under === cell && this.underPlace === place && cell !== undefined && this.underRevision === this.store.revision && this.underSide === side) return;
    this.under = cell;
    this.underPlace = place;
    this.underSide = side;
    this.underRevision = this.store.revision;
    this.frame.showUnder(cell, side, place);
  }

  /** Topmost feature of some kinds at a world position. */
  featureAt(x, y, kinds) {
    let best = null, least = Infinity;
    for (const id of this.store.featureBoxes.meeting(x, y, x, y)) {
      const { record, points } = this.store.features.get(id);
      if (!kinds.includes(record.kind) || this.stage.layers.locked(record.kind)) continue;
      const away = awayFrom(record, points, x, y);
      if (away < least && away < 0.36) { least = away; best = record; }
    }
    return best;
  }

  drawAbove(ctx) {
    const sight = this.tools.get("sight");
    if (sight?.keeps && sight !== this.tool) sight.draw(ctx, this.camera, true); // a fixed line stays while the map is drawn on
    this.tool.draw?.(ctx, this.camera);
    if (this.keyboard && this.cursor >= 0) drawCursor(ctx, this);
    if (this.ping && drawPing(ctx, this)) this.stage.redraw(2);
  }

  /** What tests and measurements look at. */
  hook() {
    const view = this;
    return {
      view, store: this.store, camera: this.camera, stats: this.stage.stats, stage: this.stage,
      get frames() { return view.stage.stats.frames; },
      get tool() { return view.tool.id; },
      get first() { return view.stage.firstPicture - view.born; },
      get idle() { return !view.tool.stub && !view.stage.request && !view.store.pending.length && !view.store.link.waiting.length; },
      hexToScreen(cell) {
        const box = view.frame.area.getBoundingClientRect(), [px, py] = view.camera.toScreen(...view.grid.centre(cell));
        return { x: box.left + px / view.dpr, y: box.top + py / view.dpr };
      },
      labelToScreen(label) { return this.hexToScreen(view.store.labels.cell(label)); },
      pixel(layer, x, y) {
        const box = view.frame.area.getBoundingClientRect(), canvas = view.stage.canvases[layer];
        return [...canvas.getContext("2d").getImageData(Math.round((x - box.left) * view.dpr), Math.round((y - box.top) * view.dpr), 1, 1).data];
      },
    };
  }
}

function defaultTerrain(store) {
  const ids = store.catalogue.terrains.map((t) => t.id);
  return ids[1] || ids[0];
}

function awayFrom(record, points, x, y) {
  if (record.kind === "name") {
    const size = record.size || 0.35;
    return Math.max(Math.abs(x - points[0][0]) - size * 0.32 * record.text.length, Math.abs(y - points[0][1]) - size * 0.5, 0);
  }
  if (points.length === 1) return Math.hypot(x - points[0][0], y - points[0][1]);
  let least = Infinity;
  for (let i = 1; i < points.length; i++) least = Math.min(least, segmentDistance(x, y, points[i - 1], points[i]));
  return least;
}
