// A piece of a map that floats over it: its hexes by axial steps from the anchor, mirrored and turned at will.

import { drawHexFill, drawSide } from "../../look.js";
import { moved } from "./shapes.js";

/** The piece that some cells of this map are, without what is drawn in them: of that Python knows. */
export function pieceOf(store, cells, anchor) {
  const { grid, planes, terrainIds } = store, [q0, r0] = grid.axial(anchor), held = new Set(cells);
  const axial = (cell) => { const [q, r] = grid.axial(cell); return [q - q0, r - r0]; };
  const hexes = [...held].map((cell) => [...axial(cell), planes.terrain[cell], planes.levels[cell]]);
  const sides = [...store.sides.values()].filter(({ a, b }) => held.has(a) || held.has(b)).map(({ a, b, kinds }) => [...axial(a), ...axial(b), kinds]);
  return new Piece({ terrains: terrainIds, hexes, sides, features: [] }, grid.flat);
}

export class Piece {
  constructor({ terrains, hexes, sides, features }, flat) {
    Object.assign(this, { terrains, hexes, sides, count: features.length, flat, paths: new Map() });
  }

  placed(turn, mirror) {
    const id = `${turn} ${mirror}`;
    if (this.placedAs !== id) {
      const place = (q, r) => moved(this.flat, turn, mirror, q, r);
      this.placedAs = id;
      this.paths = new Map();
      this.now = {
        hexes: this.hexes.map(([q, r, t, l]) => [...place(q, r), t, l]),
        sides: this.sides.map(([q, r, u, v, kinds]) => [...place(q, r), ...place(u, v), kinds]),
      };
    }
    return this.now;
  }

  /** What comes to lie on the map: an edit that is right but for what is drawn, and the number of hexes. */
  edits(store, at, turn, mirror, gone = null) {
    const { grid } = store, { hexes, sides } = this.placed(turn, mirror), [q0, r0] = grid.axial(at), cells = [], terrain = [], levels = [];
    const cellAt = (q, r) => grid.fromAxial(q0 + q, r0 + r), edits = [];
    for (const [q, r, t, l] of hexes) {
      const cell = cellAt(q, r);
      if (cell < 0) continue;
      cells.push(cell);
      terrain.push(this.terrains[t]);
      levels.push(l);
    }
    const held = new Set(cells), empty = (a, b) => gone?.has(a) && gone?.has(b), after = new Map();
    if (gone) {
      const bare = [...gone].filter((cell) => !held.has(cell));
      if (bare.length) edits.push({ op: "paint", plane: "terrain", cells: bare, values: [store.terrainIds[0]] }, { op: "paint", plane: "levels", cells: bare, values: [0] });
    }
    if (cells.length) edits.push({ op: "paint", plane: "terrain", cells, values: terrain }, { op: "paint", plane: "levels", cells, values: levels });
    for (const { a, b } of store.sides.values()) if (empty(a, b) || (held.has(a) && held.has(b))) after.set(`${a},${b}`, { a, b, kinds: [] });
    for (const [q, r, u, v, kinds] of sides) {
      const m = cellAt(q, r), n = cellAt(u, v), a = Math.min(m, n), b = Math.max(m, n);
      if (a < 0) continue;
      const there = (held.has(a) && held.has(b)) || empty(a, b) ? [] : store.kindsOf(a, b);
      after.set(`${a},${b}`, { a, b, kinds: [...new Set([...there, ...kinds])].sort() });
    }
    for (const side of after.values()) edits.push({ op: "set_side", ...side });
    return { edit: { op: "batch", edits }, hexes: cells.length };
  }

  /** How many hexes would fall off the map. */
  off({ grid }, at, turn, mirror) {
    const [q0, r0] = grid.axial(at);
    return this.placed(turn, mirror).hexes.reduce((n, [q, r]) => n + (grid.fromAxial(q0 + q, r0 + r) < 0), 0);
  }

  /** Flat tints and hexsides with the anchor at a place of the world. */
  draw(ctx, view, x, y, turn, mirror) {
    const { camera, store, grid, stage } = view, { hexes, sides } = this.placed(turn, mirror), s = camera.scale, [px, py] = camera.toScreen(x, y);
    const place = (q, r) => (this.flat ? [720 * q * grid.kx, (480 * r + 240 * q) * grid.ky] : [(480 * q + 240 * r) * grid.kx, 720 * r * grid.ky]);
    if (!this.paths.size) {
      this.outline = new Path2D();
      for (const [q, r, t, l] of hexes) {
        const id = `${t} ${l}`, [u, v] = place(q, r);
        if (!this.paths.has(id)) this.paths.set(id, { path: new Path2D(), terrain: this.terrains[t], level: l });
        for (const path of [this.paths.get(id).path, this.outline]) {
          grid.shape.forEach(([dx, dy], i) => path[i ? "lineTo" : "moveTo"](u + dx, v + dy));
          path.closePath();
        }
      }
    }
    ctx.save();
    ctx.translate(px, py);
    ctx.save();
    ctx.scale(s, s);
    ctx.globalAlpha = 0.82;
    for (const { path, terrain, level } of this.paths.values()) drawHexFill(ctx, store.style, terrain, level, path);
    ctx.globalAlpha = 0.5;
    ctx.lineWidth = 1.2 / s;
    ctx.strokeStyle = "#ffffff";
    ctx.stroke(this.outline);
    ctx.restore();
    if (s > 8 && sides.length < 3000 && stage.layers.shown("side")) {
      for (const [q, r, u, v, kinds] of sides) {
        const d = grid.directions.findIndex(([dq, dr]) => dq === u - q && dr === v - r), [ox, oy] = place(q, r);
        if (d < 0) continue;
        const [p, e] = [grid.shape[d], grid.shape[(d + 1) % 6]].map(([dx, dy]) => [(ox + dx) * s, (oy + dy) * s]);
        for (const kind of kinds) drawSide(ctx, store.style, kind, p, e, s);
      }
    }
    ctx.restore();
  }
}
