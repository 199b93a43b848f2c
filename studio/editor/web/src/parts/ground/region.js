// The region tool: choose hexes; copy, cut, paste, move, turn and mirror them with all that is drawn in them; paint, raise and
// lower them. What floats shows its terrain at once; Python does the rest and says what did not fit.

import { ACCENT } from "../../above.js";
import { packCells } from "../../link.js";
import { h } from "../../ui/dom.js";
import { count, drawLasso } from "./paint.js";
import { Piece, pieceOf } from "./piece.js";
import { Cover, flood, regionOf, spread, within, WIDE } from "./shapes.js";

const MARK = /^\s*\{\s*"studio"\s*:\s*"region"/;
const MOST = 100_000; // hexes that are lifted, copied or turned at once
const WAYS = [["rectangle", "Box"], ["lasso", "Lasso"], ["patch", "Patch"]];

export const REGION_KEYS = [
  ["Space", "begin and end a selection; put down what floats"],
  ["Shift, Alt", "held at the start of a selection: add to it, take from it"],
  ["Ctrl+A", "choose the whole map"],
  ["Ctrl+C, X, V", "copy, cut, paste; also from map to map"],
  [", .", "turn by 60°, left and right"],
  ["X, Shift+X", "mirror left and right, top and bottom"],
  ["PgUp, PgDn", "raise, lower the region"],
  ["Delete", "empty the region"],
];

/** Cells for a message: those in a row as first and count. */
function packed(cells) {
  const { runs, bytes } = packCells(cells);
  return { runs, numbers: [...bytes] };
}

export class Region {
  constructor(view) {
    Object.assign(this, { view, id: "region", drags: true, cursor: "cell", keys: REGION_KEYS, way: "rectangle", features: true, points: [], preview: [], over: null, float: null, cover: new Cover(), second: new Cover() });
  }
  get drags() { return !this.float; }
  set drags(_) { /* what floats is put down by one press */ }
  get region() { return regionOf(this.view); }
  get cells() { return [...this.region]; }
  get anchor() {
    const { grid } = this.view;
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity, best = -1, least = Infinity;
    for (const cell of this.region) {
      const [x, y] = grid.centre(cell);
      x0 = Math.min(x0, x); y0 = Math.min(y0, y); x1 = Math.max(x1, x); y1 = Math.max(y1, y);
    }
    for (const cell of this.region) {
      const [x, y] = grid.centre(cell), away = (2 * x - x0 - x1) ** 2 + (2 * y - y0 - y1) ** 2;
      if (away < least || (away === least && cell < best)) [best, least] = [cell, away];
    }
    return best;
  }

  // -- choosing -------------------------------------------------------------------------------------------------------

  choose(cells, how = "new") {
    const region = new Set(how === "new" ? cells : this.region);
    if (how === "more") for (const cell of cells) region.add(cell);
    if (how === "less") for (const cell of cells) region.delete(cell);
    this.view.region = region;
    this.changed();
  }
  changed() {
    this.preview = [];
    this.stale = null;
    this.view.frame.showOptions();
    this.view.frame.say(this.region.size ? `${count(this.region.size)} chosen` : "Nothing chosen");
    this.view.stage.redraw(2);
  }
  down(e) {
    if (this.float) {
      this.place(e);
      return;
    }
    this.how = e.shift ? "more" : e.alt ? "less" : "new";
    if (this.how === "new" && !e.keyboard && this.region.has(e.cell)) {
      this.lift = { cell: e.cell, from: [e.px, e.py] };
      return;
    }
    if (e.cell < 0 && this.way !== "lasso") return;
    this.from = e.cell;
    this.points = [[e.x, e.y]];
    this.path = new Set(e.keyboard ? [e.cell] : []);
    this.preview = this.between(e);
  }
  move(e) {
    this.over = e;
    if (this.lift && Math.hypot(e.px - this.lift.from[0], e.py - this.lift.from[1]) > 5) {
      if (!this.tooMany()) this.float = { piece: pieceOf(this.view.store, this.cells, this.lift.cell), turn: 0, mirror: "", gone: new Set(this.region), anchor: this.lift.cell, dragged: true };
      this.lift = null;
    }
    if (!this.points.length) return;
    if (e.keyboard && e.cell >= 0) for (const cell of this.view.grid.line(this.view.grid.cellAt(...this.points[this.points.length - 1]), e.cell)) this.path.add(cell);
    this.points.push([e.x, e.y]);
    this.stale = e;
  }
  between(e) {
    const { grid, store } = this.view;
    if (this.way === "lasso") return [...new Set([...within(grid, this.points), ...this.path])];
    if (this.way === "patch") return e.cell >= 0 ? flood(grid, e.cell, store.planes.terrain) : [];
    return e.cell >= 0 ? grid.rectangle(this.from, e.cell) : this.preview;
  }
  up(e) {
    if (this.float?.dragged) {
      this.place(e);
      return;
    }
    if (this.lift) this.choose([]);
    else if (this.points.length) {
      const cells = this.between(e);
      this.choose(cells.length || e.cell < 0 ? cells : [e.cell], this.how);
    }
    this.lift = null;
    this.points = [];
  }
  hover(e) { this.over = e; }
  leave() { this.over = null; }
  /** Esc: what floats goes first, then what is being drawn, then the region. */
  escape() {
    if (this.float) this.view.frame.say(this.float.gone ? "Left where it was" : "Not pasted");
    else if (!this.points.length && !this.lift && this.region.size) this.choose([]);
    this.cancel();
  }
  cancel() {
    this.float = this.lift = this.stale = null;
    this.points = [];
    this.preview = [];
    if (this.view.tool === this) this.view.frame.showOptions();
  }

  // -- keys -------------------------------------------------------------------------------------------------------------

  key(ev) {
    const pick = { ",": () => this.turn(5), ".": () => this.turn(1), x: () => this.mirror("left-right"), X: () => this.mirror("top-bottom"), PageUp: () => this.raise(1), PageDown: () => this.raise(-1), Delete: () => this.empty(), Backspace: () => this.empty() }[ev.key];
    if (!pick || (!this.float && !this.region.size)) return false;
    pick();
    this.view.stage.redraw(2);
    return true;
  }
  control(ev) {
    if (ev.key.toLowerCase() !== "a") return false;
    const { grid } = this.view;
    const all = [];
    for (let cell = 0; cell < grid.size; cell++) if (grid.has(cell)) all.push(cell);
    this.choose(all);
    return true;
  }
  finish(e) { if (this.float && e) this.place(e); }

  // -- what floats --------------------------------------------------------------------------------------------------------

  turn(by) {
    if (this.float) {
      // Mirrored first, then turned: turning to the right stays to the right.
      this.float.turn = (this.float.turn + by) % 6;
    } else this.inPlace(by, "");
  }
  mirror(how) {
    if (!this.float) return this.inPlace(0, how);
    // A mirror after a turn is a mirror before the opposite turn; two mirrors are half a turn or none.
    const { float } = this, before = float.mirror;
    float.turn = (6 - float.turn) % 6;
    float.mirror = before ? "" : how;
    if (before && before !== how) float.turn = (float.turn + 3) % 6;
  }
  /** Too many hexes to be lifted, copied or turned in one go, which the status line says. */
  tooMany() {
    const many = this.region.size > MOST;
    if (many) this.view.frame.say(`${count(this.region.size)} are too many to move or copy at once; choose ${MOST.toLocaleString("en")} at most`);
    return many;
  }
  inPlace(turn, mirror) {
    if (this.view.barred || this.tooMany()) return;
    const anchor = this.anchor;
    this.float = { piece: pieceOf(this.view.store, this.cells, anchor), turn, mirror, gone: new Set(this.region), anchor };
    this.place({ cell: anchor });
  }
  /** Put down what floats: its terrain shows at once. */
  place(e) {
    const { store, frame, grid } = this.view, { float } = this;
    if (this.view.barred) {
      if (float.dragged) this.float = null;
      return;
    }
    if (!e || e.cell < 0) {
      frame.say("Click a hex of the map");
      if (float.dragged) this.float = null;
      return;
    }
    const { piece, turn, mirror, gone, anchor } = float, { edit, hexes } = piece.edits(store, e.cell, turn, mirror, gone);
    this.float = null;
    if (!hexes) {
      frame.say("The whole region would fall off the map");
      return;
    }
    if (gone && e.cell === anchor && !turn && !mirror) return;
    const about = { at: e.cell, turn, mirror, features: this.features };
    if (gone) store.request("region_move", { ...about, cells: packed([...gone]), anchor }, edit);
    else store.request("region_paste", { ...about, text: float.text }, edit);
    const [q, r] = grid.axial(e.cell);
    this.saidOf = null;
    this.view.region = new Set(piece.placed(turn, mirror).hexes.map(([u, v]) => grid.fromAxial(q + u, r + v)).filter((cell) => cell >= 0));
    frame.showOptions();
    this.view.showUnder(e.cell);
  }
  copy(cut = false) {
    if (!this.region.size) {
      this.view.frame.say("Choose a region first");
      return;
    }
    if (this.tooMany() || (cut && this.view.barred)) return;
    this.view.store.link.post({ type: "region_copy", client: this.view.store.client, cells: packed(this.cells), anchor: this.anchor, features: this.features });
    if (cut) this.empty("Cut");
  }
  /** Float what was copied: of this map, or the text of another. */
  paste(text = "") { this.view.store.link.post({ type: "region_read", client: this.view.store.client, text, float: true }); }
  /** Python read a region: keep it for the clipboard, or let it float. */
  answer({ text, said, float }) {
    const { frame, store, grid, stage } = this.view;
    if (float) {
      this.float = { piece: new Piece(JSON.parse(text), grid.flat), turn: 0, mirror: "", gone: null, text };
      if (this.view.tool !== this) this.view.select(this.id);
      if (this.view.cursor < 0 && !this.view.hovered) this.view.moveCursor(0, 0);
      frame.showOptions();
      frame.say(`${said}: click where it goes; comma and point turn it, X mirrors it`);
    } else {
      const told = `${said} copied`;
      Object.assign(this, { held: text, heldOf: this.region, heldAt: store.revision });
      frame.say(told);
      const written = navigator.clipboard?.writeText?.(text);
      if (!written) frame.say(`${told}, for maps of this kernel; Ctrl+C again for others`);
      else written.catch(() => { if (!store.dead) frame.say(`${told}, for maps of this kernel; Ctrl+C again for others`); });
    }
    stage.redraw(2);
  }

  // -- what is done with the region at once ------------------------------------------------------------------------------

  empty(title = "Empty") {
    const { store } = this.view, cells = this.cells, held = this.region;
    if (!cells.length || this.view.barred) return;
    const edits = [{ op: "paint", plane: "terrain", cells, values: [store.terrainIds[0]] }, { op: "paint", plane: "levels", cells, values: [0] }];
    for (const { a, b } of store.sides.values()) if (held.has(a) && held.has(b)) edits.push({ op: "set_side", a, b, kinds: [] });
    store.request("region_cut", { cells: packed(cells), features: this.features, title }, { op: "batch", edits });
  }
  raise(by) {
    const { store } = this.view, [low, high] = store.catalogue.levels;
    this.level(by > 0 ? "Raise region" : "Lower region", (cell) => Math.max(low, Math.min(high, store.planes.levels[cell] + by)));
  }
  level(title, value) {
    if (this.view.barred) return;
    const { store } = this.view, cells = this.cells.filter((cell) => value(cell) !== store.planes.levels[cell]);
    if (cells.length) store.apply({ op: "batch", title, edits: [{ op: "paint", plane: "levels", cells, values: cells.map(value) }] });
    this.view.frame.say(`${title}: ${count(cells.length)}`);
  }
  paint() {
    if (this.view.barred) return;
    const { store, options } = this.view, name = store.terrainName(options.terrain), index = store.terrainIds.indexOf(options.terrain), cells = this.cells.filter((cell) => store.planes.terrain[cell] !== index);
    if (cells.length) store.apply({ op: "batch", title: `Paint ${name.toLowerCase()}`, edits: [{ op: "paint", plane: "terrain", cells, values: [options.terrain] }] });
    this.view.frame.say(`${name}: ${count(cells.length)}`);
  }

  // -- on the screen ------------------------------------------------------------------------------------------------------

  words() {
    if (!this.float || !this.over || this.over.cell < 0) return this.region.size ? `region of ${count(this.region.size)}` : "";
    const { store } = this.view, { piece, turn, mirror } = this.float, id = `${this.over.cell} ${turn} ${mirror}`;
    if (this.saidOf !== id) [this.saidOf, this.off] = [id, piece.off(store, this.over.cell, turn, mirror)];
    return this.off ? `${count(this.off)} would fall off the map` : `${count(piece.hexes.length)} fit`;
  }
  draw(ctx, camera) {
    const { grid } = this.view, { float } = this;
    const lasso = this.way === "lasso" ? this.points : [], wide = lasso.length > 2 && spread(grid, lasso) > WIDE;
    if (this.stale) this.preview = wide ? [] : this.between(this.stale);
    this.stale = null;
    this.cover.set(grid, this.region);
    this.cover.draw(ctx, camera, { colour: ACCENT, fill: "rgba(0,114,178,0.16)" });
    this.second.set(grid, this.preview);
    this.second.draw(ctx, camera, { fill: this.how === "less" ? "rgba(213,94,0,0.25)" : "rgba(255,255,255,0.35)" });
    drawLasso(ctx, camera, lasso, wide);
    const e = this.view.keyboard || !this.over ? this.view.cursor : this.over.cell;
    if (float && e >= 0) float.piece.draw(ctx, this.view, ...grid.centre(e), float.turn, float.mirror);
  }
  panel(build) {
    const { options, store, frame } = this.view, some = this.region.size > 0, [low, high] = store.catalogue.levels;
    const row = (...items) => build.tool.append(h("div.wgs-row.wgs-tight", {}, ...items.map(([label, title, act, off]) => h("button.wgs-plain", { type: "button", title, "aria-label": title, "data-action": title, disabled: !!off, onclick: () => { act(); this.view.stage.redraw(2); } }, label))));
    const loose = !some && !this.float;
    build.choice("By", WAYS, this.way, (way) => { this.way = way; frame.showOptions(); });
    row(["All", "Choose the whole map", () => this.control({ key: "a" })], ["None", "Choose nothing", () => this.choose([]), !some]);
    build.heading(this.float ? "What floats" : "The region");
    row(["Copy", "Copy the region", () => this.copy(), !some], ["Cut", "Cut the region", () => this.copy(true), !some], ["Paste", "Paste a region", () => this.paste()]);
    row(["↶ 60°", "Turn to the left", () => this.turn(5), loose], ["↷ 60°", "Turn to the right", () => this.turn(1), loose], ["⇋", "Mirror left and right", () => this.mirror("left-right"), loose], ["⥮", "Mirror top and bottom", () => this.mirror("top-bottom"), loose]);
    build.check("With what is drawn in it", this.features, (on) => { this.features = on; }, "Roads, names, markers, places that lie in it");
    if (low < high) {
      row(["Raise", "Raise the region", () => this.raise(1), !some], ["Lower", "Lower the region", () => this.raise(-1), !some], [`Set to ${options.level}`, "Set the level of the region", () => this.level(`Set level ${options.level}`, () => options.level), !some]);
      build.number("Level", options.level, low, high, (value) => this.view.set("level", value));
    }
    row([`Paint ${store.terrainName(options.terrain).toLowerCase()}`, "Paint the region", () => this.paint(), !some], ["Empty", "Empty the region", () => this.empty(), !some]);
    build.palette();
    build.hint("Drag to choose hexes (Shift adds, Alt takes away); drag the region to move it. A point drawn between hexes may shift by half a unit of the lattice when turned.");
  }
}

/** The system's clipboard, while somebody works on this map: regions go from map to map as text. */
export function clipboard(view) {
  const tool = () => view.tools.get("region"), here = () => view.host.contains(document.activeElement) && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) && !view.store.dead && !view.frame.dialog;
  const take = (ev, cut) => {
    if (!here() || view.tool !== tool() || !tool().region.size || String(getSelection())) return;
    ev.preventDefault();
    // A page without the right to write to the clipboard can still answer the keys: the text is there the second time.
    const { held, heldOf, heldAt, region } = tool();
    if (!cut && held && heldOf === region && heldAt === view.store.revision) {
      ev.clipboardData.setData("text/plain", held);
      view.frame.say("Copied, for maps of any notebook");
    } else tool().copy(cut);
  };
  const listen = {
    copy: (ev) => take(ev, false), cut: (ev) => take(ev, true),
    paste: (ev) => {
      const text = ev.clipboardData.getData("text/plain");
      if (!here() || (view.tool !== tool() && !MARK.test(text))) return;
      ev.preventDefault();
      tool().paste(MARK.test(text) ? text : "");
    },
  };
  for (const [name, act] of Object.entries(listen)) document.addEventListener(name, act);
  view.unsubscribe.push(
    () => { for (const [name, act] of Object.entries(listen)) document.removeEventListener(name, act); },
    view.store.on("region", ({ message }) => message.client === view.store.client && tool().answer(message)),
  );
}
