// Control points: click a point of the picture, then the hex or corner that it is; drag or nudge points to correct them.
// Points are known by name. What is moved here is shown at once and told to Python, whose fit follows.

import { at, back } from "./affine.js";
import { drawLoupe, drawPlace, drawPoints } from "./marks.js";

const NEAR = 12; // screen pixels around a point that are the point
const CORNER = 0.2; // of a hex: as near to a corner, the corner is meant
const REST = 600; // ms after the last nudge until it becomes a step

export class BackdropTool {
  constructor(view) {
    Object.assign(this, { view, id: "backdrop", chosen: null, fresh: null, held: null, drag: null });
    view.unsubscribe.push(
      view.store.on("backdrop", () => this.followed()),
      view.store.on("scan_point", ({ message }) => this.told(message)),
    );
  }
  get state() { return this.view.store.backdrop; }
  get points() { return this.state.points || []; }
  get layer() { return this.view.stage.scan; }
  /** Points stay where they are: the map says so, or the layer is locked or hidden in this view. */
  get locked() { return this.state.locked || this.view.stage.layers.locked("backdrop"); }

  // -- places on the picture and on the map ---------------------------------------------------------------------------

  pixelAt(x, y) {
    const [wide, high] = this.state.size, [px, py] = at(back(this.state.affine), x, y);
    return [Math.max(0, Math.min(wide, px)), Math.max(0, Math.min(high, py))];
  }
  inPicture(x, y) {
    const [px, py] = at(back(this.state.affine), x, y);
    return px >= 0 && py >= 0 && px <= this.state.size[0] && py <= this.state.size[1];
  }
  /** Where a point is on the picture now: as it is being moved, else as Python has it. */
  pixelOf(point) { return this.held?.name === point.name ? this.held.pixel : point.pixel; }
  find(name) { return this.points.find((point) => point.name === name); }

  hit(e) {
    const { camera, dpr } = this.view;
    let best = null, least = NEAR * dpr;
    for (const point of this.points) {
      const [x, y] = camera.toScreen(...at(this.state.affine, ...this.pixelOf(point))), away = Math.hypot(x - e.px, y - e.py);
      if (away < least) { least = away; best = point; }
    }
    return best;
  }
  /** The place of the map that a position means: {label, x, y} or {point, x, y}; null off the map. */
  target(e) {
    const { grid, store } = this.view;
    if (!e) return null;
    if (e.cell >= 0 && !e.keyboard) {
      const ends = grid.corners(e.cell), n = ends.findIndex(([x, y]) => Math.hypot(x - e.x, y - e.y) < CORNER);
      if (n >= 0) {
        const [X, Y] = grid.centreLattice(e.cell), [dx, dy] = grid.offsets[n];
        return { point: [X + dx, Y + dy], x: ends[n][0], y: ends[n][1], words: `corner of ${store.labels.of(e.cell)}` };
      }
    }
    if (e.place?.label) return { label: e.place.label, x: e.place.x ?? e.x, y: e.place.y ?? e.y, words: e.place.label };
    if (e.cell < 0) return null;
    const [x, y] = grid.centre(e.cell), label = store.labels.of(e.cell);
    return { label, x, y, words: label };
  }

  // -- telling Python ---------------------------------------------------------------------------------------------------

  send(what, detail) { this.view.store.request("scan_edit", { do: what, ...detail }); }
  told({ client, name }) {
    if (client && client !== this.view.store.client) return;
    if (name === null) this.held = null;
    else this.choose(name, true);
    this.view.stage.redraw(2);
  }
  followed() {
    if (this.held && !this.drag && !this.timer) this.held = null;
    if (this.chosen && !this.find(this.chosen) && this.points.length) this.chosen = null;
    this.view.stage.redraw(2);
  }
  choose(name, quiet = false) {
    this.settle();
    if (this.chosen === name) return;
    this.chosen = name;
    this.view.frame.desk.act("backdrop", "chosen", { name });
    const point = name && this.find(name);
    if (point && !quiet) this.say(`Point ${name}, ${point.at}. Arrows nudge it by a pixel, Shift by 10.`);
  }
  say(text) { this.view.frame.say(text, true); }

  /** What was moved becomes a step. */
  settle() {
    clearTimeout(this.timer);
    this.timer = 0;
    const { held } = this, point = held && this.find(held.name);
    if (!point || held.sent) return;
    held.sent = true;
    if (held.pixel[0] === point.pixel[0] && held.pixel[1] === point.pixel[1]) this.held = null;
    else this.send("move", { name: held.name, pixel: held.pixel });
  }
  place(target) {
    const { fresh } = this;
    this.fresh = null;
    this.view.frame.say("");
    this.send("add", { pixel: fresh.pixel, ...(target.label !== undefined ? { label: target.label } : { point: target.point }) });
  }
  ask() {
    this.say("Which place is it? Click the hex (near a corner: the corner), or type its label; Enter takes the one that is shown; Esc gives up");
  }

  // -- pointer ----------------------------------------------------------------------------------------------------------

  ready() {
    if (!this.state.file) {
      this.view.frame.desk.open("backdrop");
      this.say("Choose a picture in the panel Backdrop first");
    } else if (this.state.locked) this.say("The points are locked; the panel Backdrop unlocks them");
    else if (this.locked) this.say("That layer is locked or hidden: see Layers");
    else return true;
    return false;
  }
  down(e) {
    const found = this.state.file && !this.fresh ? this.hit(e) : null;
    if (found && this.locked) this.choose(found.name);
    if (!this.ready()) return;
    if (this.fresh) {
      const target = this.target(e);
      if (target) this.place(target);
      else this.say("That is off the map; click a hex");
    } else if (e.keyboard) {
      // The place is the hex of the cursor; where it is on the picture is then corrected with the arrows.
      if (e.cell >= 0) this.send("add", { pixel: this.pixelAt(e.x, e.y), label: this.target(e).label });
    } else if (found) {
      this.choose(found.name);
      const [x, y] = at(this.state.affine, ...this.pixelOf(found));
      this.drag = { name: found.name, dx: x - e.x, dy: y - e.y, from: [e.px, e.py] };
    } else if (this.inPicture(e.x, e.y)) {
      this.choose(null);
      this.drag = { name: null, dx: 0, dy: 0, from: [e.px, e.py], pixel: this.pixelAt(e.x, e.y), moved: true };
    } else this.say("That is off the picture");
  }
  move(e) {
    const { drag } = this;
    if (!drag) return;
    if (!drag.moved && Math.hypot(e.px - drag.from[0], e.py - drag.from[1]) < 3 * this.view.dpr) return;
    drag.moved = true;
    drag.pixel = this.pixelAt(e.x + drag.dx, e.y + drag.dy);
    if (drag.name) this.held = { name: drag.name, pixel: drag.pixel };
  }
  up(e) {
    const { drag } = this;
    this.drag = null;
    if (!drag) return;
    if (drag.name) {
      if (drag.moved) this.settle();
    } else {
      this.fresh = { pixel: drag.pixel };
      this.hovered = null;
      this.ask();
    }
  }
  hover(e) { this.hovered = e; }

  // -- keys -------------------------------------------------------------------------------------------------------------

  arrows(dx, dy, ev) {
    const point = this.chosen && !this.fresh && !ev.altKey && this.find(this.chosen);
    if (!point || this.locked) return false;
    if (!this.held || this.held.name !== point.name || this.held.sent) this.held = { name: point.name, pixel: this.pixelOf(point) };
    const by = ev.shiftKey ? 10 : 1, [x, y] = this.held.pixel, [wide, high] = this.state.size;
    this.held.pixel = [Math.max(0, Math.min(wide, x + dx * by)), Math.max(0, Math.min(high, y + dy * by))];
    this.say(`Point ${point.name} at pixel ${this.held.pixel.map((v) => v.toFixed(1)).join(", ")}`);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.settle(); this.view.stage.redraw(2); }, REST);
    this.view.stage.redraw(2);
    return true;
  }
  key(ev) {
    if (this.fresh && ev.key.length === 1 && /[\p{L}\p{N}]/u.test(ev.key) && !ev.altKey) {
      const [px, py] = this.view.camera.toScreen(...at(this.state.affine, ...this.fresh.pixel)), { dpr, frame } = this.view;
      frame.askText(px / dpr, py / dpr, ev.key, (text) => { if (text.trim() && this.fresh) this.place({ label: text.trim() }); }, "Label of the place");
      const input = document.activeElement;
      if (input?.tagName === "INPUT") input.setSelectionRange(ev.key.length, ev.key.length);
      return true;
    }
    if ((ev.key === "[" || ev.key === "]") && this.points.length) {
      const names = this.points.map((point) => point.name), n = names.indexOf(this.chosen), by = ev.key === "]" ? 1 : -1;
      const name = names[(n < 0 ? (by > 0 ? 0 : names.length - 1) : n + by + names.length) % names.length];
      this.choose(name);
      this.view.camera.reveal(...at(this.state.affine, ...this.find(name).pixel));
      this.view.afterMove();
      return true;
    }
    return false;
  }
  /** Enter: a new point takes the place that is shown. */
  finish(e) {
    const target = this.fresh && this.target(e);
    if (target) this.place(target);
  }
  cancel() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.drag || (this.held && !this.held.sent)) {
      this.drag = null;
      this.held = null;
    } else if (this.fresh) {
      this.fresh = null;
      this.view.frame.say("");
    } else this.choose(null);
  }
  remove(e) {
    const point = this.find(this.chosen) || this.hit(e);
    if (!point || !this.ready()) return true;
    this.held = null;
    this.send("remove", { name: point.name });
    this.choose(null);
    return true;
  }
  undoStep() {
    if (!this.fresh) {
      this.settle();
      return false;
    }
    this.fresh = null;
    return true;
  }
  leave() {
    this.settle();
    this.drag = this.fresh = null;
  }

  // -- what is seen -----------------------------------------------------------------------------------------------------

  panel(build) {
    build.hint("Click a point of the picture, then the hex or the corner of one that it is. Four points or more show how well it fits.");
    build.hint("Keys: Space sets a point for the hex of the cursor, arrows nudge the chosen one by a pixel (Shift: 10), [ ] choose the previous or next, Delete removes, Esc lets go.");
  }
  words() {
    const e = this.hovered;
    if (!e || !this.state.file || !this.inPicture(e.x, e.y)) return "";
    return `pixel ${this.pixelAt(e.x, e.y).map((v) => v.toFixed(0)).join(", ")}`;
  }
  draw(ctx) {
    if (!this.state.file) return;
    const { view, layer, drag, fresh } = this;
    drawPoints(ctx, this);
    if (fresh) {
      const target = this.target(this.hovered || (view.keyboard && view.cursor >= 0 ? view.cursorEvent() : null));
      drawPlace(ctx, this, fresh.pixel, target);
    }
    const looked = drag?.moved ? drag.pixel : this.timer && this.held ? this.held.pixel : null;
    if (looked && layer?.shown) drawLoupe(ctx, this, looked);
  }
}

