// Paints the ground: tints, marks and the lines of the grid. What it looks like is look.js' business.

import { drawHexFill, drawHexGround, drawHexMarks } from "../look.js";
import { drawContours, drawLevels, drawShading, heightsIn } from "./relief.js";
import { blank } from "./tiles.js";

const LINES = 9; // px a hex from which the grid is drawn
const SLICE = 2; // ms of painting without a pause
export const OVER_FLOORS = 5, OVER_GROUND = 6; // zorders of studio/draw: of the lines of the hexes, and of heights
const CONTOURS = 10; // px a hex from which contours and slopes are drawn

export class TerrainPainter {
  constructor(store, layers) {
    Object.assign(this, { store, layers, least: 6, tints: new Map(), paths: new Map() });
  }
  box() { return this.store.grid.bounds; }

  /** Flat tint of a terrain at a level, as the bytes of a pixel. */
  tint(cell) {
    const { terrain, levels } = this.store.planes, id = (terrain[cell] << 8) | (levels[cell] & 255);
    let value = this.tints.get(id);
    if (value === undefined) {
      const ctx = (this.probe ||= blank(4, 4).getContext("2d", { willReadFrequently: true }));
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.clearRect(0, 0, 4, 4);
      const path = new Path2D();
      path.rect(-2, -2, 8, 8);
      drawHexFill(ctx, this.store.style, this.store.terrainAt(cell), levels[cell], path);
      value = new Uint32Array(ctx.getImageData(1, 1, 1, 1).data.buffer)[0];
      this.tints.set(id, value);
    }
    return value;
  }

  /** Outline of a hex around the origin; grown by half a pixel so that no seam shows between two of one tint. */
  outline(scale, grow) {
    const id = `${scale} ${grow}`;
    if (!this.paths.has(id)) {
      if (this.paths.size > 40) this.paths.clear();
      const path = new Path2D(), g = this.store.grid, f = 1 + (2 * grow) / scale;
      g.shape.forEach(([x, y], i) => path[i ? "lineTo" : "moveTo"](x * scale * f, y * scale * f));
      path.closePath();
      this.paths.set(id, path);
    }
    return this.paths.get(id);
  }

  clipFrame(ctx, scale) {
    this.store.grid.clip(ctx, scale);
  }

  *paint(ctx, box, scale) {
    ctx.save();
    this.clipFrame(ctx, scale);
    const cells = this.cellsIn(box, 1);
    const heights = heightsIn(this.store, box);
    const { layers } = this, terrain = layers.at("terrain"), relief = layers.at("contour");
    const rounded = heights && relief.shown ? () => drawLevels(ctx, this.store, heights, scale) : null;
    if (terrain.shown) yield* this.cover(ctx, cells, scale, rounded, rounded && scale >= CONTOURS ? () => drawShading(ctx, this.store, heights, box, scale) : null);
    if (terrain.alpha < 1) this.fade(ctx, box, scale, terrain.alpha);
    // The lines of the hexes run over some floors and under others, those of heights over all of them.
    yield* layers.ink(ctx, box, scale, 0, OVER_FLOORS);
    if (scale >= LINES && layers.shown("grid")) {
      this.lines(ctx, cells, scale);
      yield;
    }
    yield* layers.ink(ctx, box, scale, OVER_FLOORS, OVER_GROUND);
    ctx.globalAlpha = relief.alpha;
    if (heights && scale >= CONTOURS && relief.shown) drawContours(ctx, this.store, heights, scale);
    ctx.restore();
    return cells.length > 0;
  }

  /** Make all that is painted so far more or less see-through. */
  fade(ctx, [x0, y0, x1, y1], scale, alpha) {
    ctx.save();
    ctx.globalCompositeOperation = "destination-in";
    ctx.globalAlpha = alpha;
    ctx.fillRect(x0 * scale, y0 * scale, (x1 - x0) * scale, (y1 - y0) * scale);
    ctx.restore();
  }

  cellsIn([x0, y0, x1, y1], margin) {
    const g = this.store.grid, [c0, r0, c1, r1] = g.range(x0 - margin, y0 - margin, x1 + margin, y1 + margin), found = [];
    for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) if (g.hasAt(c, r)) found.push(r * g.columns + c);
    return found;
  }

  /** rounded: paints the tints of levels where hexes do not have them each; shade: the slopes, where they are seen. */
  *cover(ctx, cells, scale, rounded, shade) {
    const { store } = this, g = store.grid, { levels } = store.planes, path = this.outline(scale, 0.6), t = ctx.getTransform();
    let pause = performance.now() + SLICE;
    for (const cell of cells) {
      const [x, y] = g.centre(cell);
      ctx.setTransform(1, 0, 0, 1, t.e + x * scale, t.f + y * scale);
      drawHexFill(ctx, store.style, store.terrainAt(cell), rounded ? 0 : levels[cell], path, scale);
      if (performance.now() > pause) {
        yield;
        pause = performance.now() + SLICE;
      }
    }
    ctx.setTransform(t);
    if (rounded) {
      rounded();
      yield;
    }
    this.layers.fade?.thin(ctx);
    // Slopes are shaded over the ground and under what stands on it.
    const steps = scale < store.style.zoom.marks ? (shade ? [shade] : []) : shade ? [drawHexGround, shade, drawHexMarks] : [drawHexMarks];
    for (const step of steps) {
      if (step === shade) {
        yield;
        shade();
        yield;
        continue;
      }
      for (const cell of cells) {
        const c = g.col(cell), r = g.row(cell), around = g.around(cell).map((k) => (k < 0 ? null : store.terrainAt(k)));
        const options = { roads: store.roadBits(cell), ends: store.endBits(cell), level: levels[cell], pointy: !g.flat, bare: !!shade };
        // Whole pixels, so that two tiles that share a hex draw it alike, be it as a kept picture or anew.
        const x = Math.round(g.cx(c, r) * scale), y = Math.round(g.cy(c, r) * scale);
        step(ctx, store.style, store.terrainAt(cell), c, r, x, y, g.w * scale, scale, around, options);
        if (performance.now() > pause) {
          yield;
          pause = performance.now() + SLICE;
        }
      }
    }
  }

  lines(ctx, cells, scale) {
    const g = this.store.grid, look = this.store.style.lines;
    const inner = new Path2D(), outer = new Path2D(), shown = (cell) => this.store.outlined(cell);
    for (const cell of cells) {
      const ends = g.corners(cell), seen = shown(cell);
      for (let d = 0; d < 6; d++) {
        // Each side once: the hex with the smaller cell draws it, or whoever lies at the edge.
        const other = g.neighbour(cell, d);
        if ((other >= 0 && other < cell) || !(seen || (other >= 0 && shown(other)))) continue;
        const path = other < 0 ? outer : inner, p = ends[d], q = ends[(d + 1) % 6];
        path.moveTo(p[0] * scale, p[1] * scale);
        path.lineTo(q[0] * scale, q[1] * scale);
      }
    }
    ctx.save();
    ctx.strokeStyle = look.hex_color;
    ctx.lineCap = "round";
    for (const [path, width, alpha] of [[inner, 1, look.hex_opacity / 1000], [outer, 2, 0.8]]) {
      ctx.lineWidth = Math.max(0.42, (scale * look.hex_width * width) / 1000);
      ctx.globalAlpha = alpha * this.layers.alpha("grid");
      ctx.stroke(path);
    }
    ctx.restore();
  }

  /** Flat tints of some cells, at once: the marks follow when the tile is baked anew. */
  touch(ctx, cells, scale, [x0, y0, x1, y1]) {
    if (!this.layers.shown("terrain")) return;
    const { store } = this, g = store.grid, { levels } = store.planes, path = this.outline(scale, 0.4), t = ctx.getTransform(), shown = [];
    ctx.save();
    this.clipFrame(ctx, scale);
    for (const cell of cells) {
      const [x, y] = g.centre(cell);
      if (x < x0 - 1 || x > x1 + 1 || y < y0 - 1 || y > y1 + 1) continue;
      shown.push(cell);
      ctx.setTransform(1, 0, 0, 1, t.e + x * scale, t.f + y * scale);
      this.layers.fade?.punch(ctx, path);
      drawHexFill(ctx, store.style, store.terrainAt(cell), levels[cell], path);
      ctx.globalAlpha = 1;
    }
    ctx.setTransform(t);
    if (scale >= LINES && this.layers.shown("grid") && shown.length) this.lines(ctx, shown, scale);
    ctx.restore();
  }
}
