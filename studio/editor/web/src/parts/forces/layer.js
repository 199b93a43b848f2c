// What a scenario lays on the map: set-up areas, entries, objectives, units, notes. Drawn into one picture that is kept while
// nothing of it changes, so that hover and drag cost a single copy.

import { ACCENT } from "../../above.js";
import { forcesOf } from "./state.js";
import { Sprites, drawArrow } from "./sprites.js";

const SHOWN = 3, SHIFT = 0.075, PLAIN_PX = 9, FAN = 1.12, NAMES_PX = 16;
const OUT = { north: [0, -1], south: [0, 1], west: [-1, 0], east: [1, 0] };
const ARROW = [[-0.62, -0.09], [-0.12, -0.09], [-0.12, -0.24], [0.22, 0], [-0.12, 0.24], [-0.12, 0.09], [-0.62, 0.09]];

export class ForcesLayer {
  constructor(view) {
    Object.assign(this, { view, forces: forcesOf(view.store), sprites: new Sprites(), hidden: new Set(), fanned: "", stamp: "", rims: new WeakMap(), shown: { areas: true, units: true, objectives: true, notes: true } });
    this.picture = document.createElement("canvas");
    this.stop = this.forces.store.on("units", (what) => {
      if (what !== "why") this.touch();
      view.stage.redraw(2);
    });
  }
  touch() { this.stamp = ""; }
  hide(ids) {
    this.hidden = new Set(ids);
    this.touch();
  }
  fan(label) {
    if (this.fanned === label) return;
    this.fanned = label;
    this.touch();
    this.view.stage.redraw(2);
  }

  draw(ctx) {
    const { camera, selection } = this.view, { canvas } = ctx, stamp = [camera.scale, camera.ox, camera.oy, canvas.width, canvas.height, this.forces.revision, this.fanned, this.view.store.revision, selection.size && [...selection].join()].join();
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      if (this.picture.width !== canvas.width || this.picture.height !== canvas.height) Object.assign(this.picture, { width: canvas.width, height: canvas.height });
      const own = this.picture.getContext("2d");
      own.setTransform(1, 0, 0, 1, 0, 0);
      own.clearRect(0, 0, canvas.width, canvas.height);
      this.paint(own);
    }
    ctx.drawImage(this.picture, 0, 0);
  }

  paint(ctx) {
    const { forces, shown } = this;
    if (!forces.ready) return;
    if (shown.areas) {
      forces.sides.forEach((side, n) => side.formations.forEach((part) => { if (!part.turn) this.area(ctx, part, side.color, n); }));
      const taken = new Map();
      forces.sides.forEach((side) => side.formations.forEach((part) => { if (part.turn) this.entries(ctx, part, side.color, taken); }));
    }
    if (shown.units) this.stacks(ctx);
    if (shown.objectives) this.objectives(ctx);
    if (shown.notes) this.notes(ctx);
  }

  // -- areas --------------------------------------------------------------------------------------------------------------

  /** Lay out the shapes of an area: its hexes and its drawn places, in device pixels. */
  trace(ctx, { cells, places }) {
    const { grid, store, camera } = this.view, s = camera.scale, [x0, y0, x1, y1] = camera.visible();
    ctx.beginPath();
    for (const cell of cells) {
      const [x, y] = grid.centre(cell);
      if (x < x0 - 1 || x > x1 + 1 || y < y0 - 1 || y > y1 + 1) continue;
      grid.corners(cell).forEach(([u, v], i) => ctx[i ? "lineTo" : "moveTo"](u * s - camera.ox, v * s - camera.oy));
      ctx.closePath();
    }
    for (const label of places) {
      const place = store.places.byLabel(label), rings = place && store.places.outline(place);
      if (rings) for (const ring of rings) {
        ring.forEach(([u, v], i) => ctx[i ? "lineTo" : "moveTo"](u * s - camera.ox, v * s - camera.oy));
        ctx.closePath();
      } else if (place) {
        const [u, v] = camera.toScreen(place.u, place.v);
        ctx.moveTo(u + 0.3 * s, v);
        ctx.arc(u, v, 0.3 * s, 0, 7);
      }
    }
  }
  area(ctx, part, color, n) {
    if (!part.cells.length && !part.places.length) return;
    ctx.save();
    this.trace(ctx, part);
    const far = this.view.camera.scale < 6;
    ctx.globalAlpha = far ? 0.4 : 0.1;
    ctx.fillStyle = color;
    ctx.fill("evenodd");
    if (far) {
      ctx.restore();
      return;
    }
    ctx.globalAlpha = 0.75;
    ctx.fillStyle = this.hatch(ctx, color, n);
    ctx.fill("evenodd");
    ctx.globalAlpha = 1;
    this.trace(ctx, { cells: [], places: part.places });
    this.rim(ctx, part.cells);
    ctx.lineWidth = 5;
    ctx.strokeStyle = "#ffffff";
    ctx.stroke();
    ctx.setLineDash(n % 2 ? [10, 5] : []);
    ctx.lineWidth = 2.5;
    ctx.strokeStyle = color;
    ctx.stroke();
    ctx.restore();
    this.name(ctx, part.name, this.middle(part), color, -0.3);
  }
  /** Add the outline of a union of hexes: only the sides to hexes outside of it. */
  rim(ctx, cells) {
    const { grid } = this.view, { scale: s, ox, oy } = this.view.camera;
    if (!this.rims.has(cells)) {
      const set = new Set(cells), lines = [];
      for (const cell of set) {
        const ends = grid.corners(cell);
        for (let d = 0; d < 6; d++) if (!set.has(grid.neighbour(cell, d))) lines.push([...ends[d], ...ends[(d + 1) % 6]]);
      }
      this.rims.set(cells, lines);
    }
    for (const [a, b, c, d] of this.rims.get(cells)) {
      ctx.moveTo(a * s - ox, b * s - oy);
      ctx.lineTo(c * s - ox, d * s - oy);
    }
    ctx.lineCap = "round";
  }
  hatch(ctx, color, n) {
    const { camera } = this.view, gap = Math.max(7, Math.round((0.24 + 0.06 * (n >> 1)) * camera.scale)), tile = document.createElement("canvas");
    tile.width = tile.height = gap;
    const own = tile.getContext("2d");
    own.strokeStyle = color;
    own.lineWidth = Math.max(1, 0.036 * camera.scale);
    own.beginPath();
    for (const shift of [-gap, 0, gap]) {
      if (n % 2) { own.moveTo(shift, 0); own.lineTo(shift + gap, gap); } else { own.moveTo(shift, gap); own.lineTo(shift + gap, 0); }
    }
    own.stroke();
    const pattern = ctx.createPattern(tile, "repeat");
    pattern.setTransform(new DOMMatrix([1, 0, 0, 1, -(camera.ox % gap), -(camera.oy % gap)]));
    return pattern;
  }
  /** The place of an area nearest to its middle. */
  middle({ cells, places }) {
    const { grid, store } = this.view, spots = [...cells.slice(0, 400).map((cell) => grid.centre(cell)), ...places.map((label) => store.places.byLabel(label)).filter(Boolean).map((place) => [place.x, place.y])];
    if (!spots.length) return null;
    const x = spots.reduce((sum, p) => sum + p[0], 0) / spots.length, y = spots.reduce((sum, p) => sum + p[1], 0) / spots.length;
    return spots.reduce((best, p) => ((p[0] - x) ** 2 + (p[1] - y) ** 2 < (best[0] - x) ** 2 + (best[1] - y) ** 2 ? p : best));
  }
  name(ctx, text, at, color, dy) {
    const { camera } = this.view, s = camera.scale;
    if (!at || s < NAMES_PX) return;
    ctx.font = `700 ${Math.max(11, Math.round(0.26 * s))}px "DejaVu Sans", Verdana, Arial, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    ctx.lineWidth = 4;
    ctx.strokeStyle = "#ffffff";
    const [x, y] = camera.toScreen(at[0], at[1] + dy), said = text.length > 40 ? `${text.slice(0, 39)}…` : text;
    ctx.strokeText(said, x, y);
    ctx.fillStyle = color;
    ctx.fillText(said, x, y);
  }
  entries(ctx, part, color, taken) {
    const { grid, camera } = this.view, named = part.named.length > 0, all = part.entries, s = camera.scale;
    const chosen = named || all.length <= 8 ? all : Array.from({ length: 8 }, (_, n) => all[Math.round((n * (all.length - 1)) / 7)]);
    const spots = chosen.map(([cell, edges]) => {
      const [x, y] = grid.centre(cell), out = OUT[edges[0]] || [0, -1], way = [-out[0], -out[1]], across = [-way[1], way[0]], beside = 0.26 * (taken.get(cell) || 0);
      taken.set(cell, (taken.get(cell) || 0) + 1);
      ctx.beginPath();
      for (const [a, b] of ARROW) {
        const [u, v] = camera.toScreen(x + across[0] * beside + (a - 0.16) * way[0] + b * across[0], y + across[1] * beside + (a - 0.16) * way[1] + b * across[1]);
        ctx.lineTo(u, v);
      }
      ctx.closePath();
      ctx.lineJoin = "round";
      ctx.lineWidth = Math.max(1.5, 0.05 * s);
      ctx.strokeStyle = "#ffffff";
      ctx.stroke();
      ctx.fillStyle = color;
      ctx.fill();
      return [x, y];
    });
    if (spots.length) this.name(ctx, `${part.name}: ${this.forces.unit} ${part.turn}`, spots[spots.length >> 1], color, 0.42);
  }

  // -- units --------------------------------------------------------------------------------------------------------------

  stacks(ctx) {
    const { camera } = this.view, [x0, y0, x1, y1] = camera.visible(), plain = camera.scale * 0.68 < PLAIN_PX;
    if (plain) {
      this.specks(ctx);
      return;
    }
    let last = null;
    for (const stack of this.forces.stacks.values()) {
      if (stack.x < x0 - 1 || stack.x > x1 + 1 || stack.y < y0 - 1 || stack.y > y1 + 1) continue;
      if (stack.label === this.fanned) last = stack;
      else this.stack(ctx, stack);
    }
    if (last) this.stack(ctx, last); // over its neighbours
  }
  /** Far away: squares of the sides' colours with a dark rim, pixel by pixel: there may be thousands. */
  specks(ctx) {
    const { camera, dpr } = this.view, { scale, ox, oy } = camera, { width, height } = ctx.canvas, image = ctx.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
    const colors = this.forces.sides.map(({ color }) => (0xff000000 | (parseInt(color.slice(5, 7), 16) << 16) | (parseInt(color.slice(3, 5), 16) << 8) | parseInt(color.slice(1, 3), 16)) >>> 0), rim = 0xff171a1d;
    for (const { x, y, size, units } of this.forces.stacks.values()) {
      const px = Math.max(3 * Math.round(dpr), Math.round(size * scale)), u = Math.round(x * scale - ox - px / 2), v = Math.round(y * scale - oy - px / 2);
      if (u < 0 || v < 0 || u + px > width || v + px > height) continue;
      const fill = colors[units[units.length - 1].side] ?? 0xff777777;
      for (let j = 0; j < px; j++) {
        const row = (v + j) * width + u, edge = px > 3 && (j === 0 || j === px - 1);
        pixels.fill(edge ? rim : fill, row, row + px);
        if (px > 3 && !edge) pixels[row] = pixels[row + px - 1] = rim;
      }
    }
    const own = document.createElement("canvas");
    Object.assign(own, { width, height });
    own.getContext("2d").putImageData(image, 0, 0);
    ctx.drawImage(own, 0, 0);
  }
  /** Where each counter of a stack is, the lowest first: [unit, x, y, width], in world units. */
  places(stack) {
    const units = stack.units.filter((unit) => !this.hidden.has(unit.id));
    if (stack.label === this.fanned && units.length > 1) {
      const r = FAN * stack.size * Math.max(0.75, units.length / 6.5), first = units.length === 2 ? Math.PI : -Math.PI / 2;
      return units.map((unit, n) => {
        const angle = first + (n * 2 * Math.PI) / units.length;
        return [unit, stack.x + r * Math.cos(angle), stack.y + r * Math.sin(angle), stack.size];
      });
    }
    const shown = units.slice(-SHOWN), size = stack.size * (shown.length === 1 ? 1 : 0.9);
    return shown.map((unit, n) => {
      const shift = SHIFT * (n - (shown.length - 1) / 2) * size;
      return [unit, stack.x + shift, stack.y - shift, size];
    });
  }
  stack(ctx, stack) {
    const { camera, selection } = this.view, s = camera.scale, found = this.places(stack);
    if (stack.label === this.fanned && found.length > 1) this.ring(ctx, stack, found);
    for (const [unit, x, y, size] of found) {
      const [u, v] = camera.toScreen(x, y);
      this.counter(ctx, unit, u, v, size * s, selection.has(unit.id));
    }
    const count = stack.units.filter((unit) => !this.hidden.has(unit.id)).length;
    if (count > 1 && stack.label !== this.fanned) this.badge(ctx, stack, String(count));
  }
  counter(ctx, unit, x, y, px, chosen = false) {
    const face = this.forces.faces.get(unit.face);
    if (face) this.sprites.draw(ctx, unit.face, face, x, y, px);
    if (chosen) this.mark(ctx, x, y, px);
    if (unit.facing) drawArrow(ctx, unit.facing, x, y, px, this.view.grid.flat);
  }
  mark(ctx, x, y, px) {
    ctx.lineWidth = 5;
    ctx.strokeStyle = "#ffffff";
    ctx.strokeRect(x - px / 2 - 3, y - px / 2 - 3, px + 6, px + 6);
    ctx.lineWidth = 2.5;
    ctx.strokeStyle = ACCENT;
    ctx.setLineDash([6, 3]);
    ctx.strokeRect(x - px / 2 - 3, y - px / 2 - 3, px + 6, px + 6);
    ctx.setLineDash([]);
  }
  badge(ctx, { x, y, size }, text) {
    const { camera } = this.view, s = camera.scale * size, [u, v] = camera.toScreen(x - 0.5 * size, y + 0.5 * size), r = Math.max(6, 0.19 * s);
    ctx.beginPath();
    ctx.arc(u, v, r, 0, 7);
    ctx.fillStyle = "#ffffff";
    ctx.fill();
    ctx.lineWidth = Math.max(1, 0.028 * s);
    ctx.strokeStyle = "#1d1a17";
    ctx.stroke();
    ctx.fillStyle = "#1d1a17";
    ctx.font = `700 ${Math.round(r * 1.35)}px "DejaVu Sans", Arial, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(text, u, v + r * 0.06);
  }
  ring(ctx, stack, found) {
    const { camera } = this.view, [u, v] = camera.toScreen(stack.x, stack.y), far = Math.max(...found.map(([, x, y, size]) => Math.hypot(x - stack.x, y - stack.y) + 0.75 * size));
    ctx.beginPath();
    ctx.arc(u, v, far * camera.scale, 0, 7);
    ctx.fillStyle = "rgba(255,255,255,0.72)";
    ctx.fill();
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = "#1d1a17";
    ctx.stroke();
  }

  /** The counter at a world point, the uppermost one: {unit, stack, x, y}; null where there is none. */
  hit(x, y) {
    if (!this.shown.units) return null;
    const order = [...this.forces.stacks.values()].filter((stack) => Math.abs(stack.x - x) < 3.5 && Math.abs(stack.y - y) < 3.5);
    order.sort((a, b) => (b.label === this.fanned) - (a.label === this.fanned));
    for (const stack of order) {
      for (const [unit, u, v, size] of this.places(stack).reverse()) {
        if (Math.abs(x - u) <= size / 2 && Math.abs(y - v) <= size / 2) return { unit, stack, x: u, y: v };
      }
      // The middle of a fan stands for the whole of the stack.
      if (stack.label === this.fanned && Math.hypot(x - stack.x, y - stack.y) < stack.size * 0.5) return { unit: stack.units[stack.units.length - 1], stack, x: stack.x, y: stack.y, all: true };
    }
    return null;
  }

  // -- objectives and notes -------------------------------------------------------------------------------------------------

  objectives(ctx) {
    const { camera } = this.view, { forces } = this, held = new Map(), s = camera.scale, sides = new Map(forces.sides.map((side) => [side.id, side.color]));
    for (const one of forces.objectives) for (const label of one.hexes) {
      const spot = this.spot(label);
      if (!spot) continue;
      const n = held.get(label) || 0;
      held.set(label, n + 1);
      this.flag(ctx, ...camera.toScreen(spot[0] + 0.26, spot[1] - 0.1 + 0.3 * n), s, sides.get(one.side) || "#555555", String(one.points));
    }
  }
  spot(label) {
    const { store } = this.view, cell = store.labels.cell(label), place = cell < 0 && store.places.byLabel(label);
    return cell >= 0 ? store.grid.centre(cell) : place ? [place.u, place.v] : null;
  }
  flag(ctx, x, y, s, color, text) {
    const line = (points) => {
      ctx.beginPath();
      points.forEach(([a, b]) => ctx.lineTo(x + a * s, y + b * s));
    };
    ctx.lineJoin = ctx.lineCap = "round";
    ctx.strokeStyle = "#1d1a17";
    line([[0, -0.28], [0, 0.24]]);
    ctx.lineWidth = Math.max(1.5, 0.06 * s);
    ctx.stroke();
    line([[0, -0.28], [0.36, -0.2], [0.27, -0.12], [0.36, -0.02], [0, 0]]);
    ctx.closePath();
    ctx.fillStyle = color;
    ctx.fill();
    ctx.lineWidth = Math.max(1, 0.03 * s);
    ctx.stroke();
    if (s < NAMES_PX) return;
    ctx.fillStyle = "#ffffff";
    ctx.font = `700 ${Math.round(0.2 * s)}px "DejaVu Sans", Arial, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(text, x + 0.14 * s, y - 0.14 * s);
  }
  notes(ctx) {
    const { camera } = this.view, s = camera.scale;
    this.forces.notes.forEach((note, n) => {
      const spot = this.spot(note.at);
      if (!spot) return;
      const [x, y] = camera.toScreen(spot[0] - 0.3, spot[1] - 0.24);
      ctx.beginPath();
      for (const [a, b] of [[-0.12, -0.15], [0.06, -0.15], [0.12, -0.08], [0.12, 0.15], [-0.12, 0.15]]) ctx.lineTo(x + a * s, y + b * s);
      ctx.closePath();
      ctx.fillStyle = "#fff6c9";
      ctx.fill();
      ctx.lineWidth = Math.max(1, 0.022 * s);
      ctx.strokeStyle = "#1d1a17";
      ctx.stroke();
      if (s < NAMES_PX) return;
      ctx.fillStyle = "#1d1a17";
      ctx.font = `700 ${Math.round(0.19 * s)}px "DejaVu Sans", Arial, sans-serif`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillText(String(n + 1), x, y + 0.01 * s);
    });
  }
}
