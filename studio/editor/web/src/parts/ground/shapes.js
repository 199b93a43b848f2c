// Which hexes lie in what somebody drew, and where hexes come to lie that are mirrored and turned.

import { Backdrop } from "../../layers/backdrop.js";

/** Steps to the six neighbours in columns and rows, of the even lines of hexes and of the odd ones. */
function stepsOf(grid) {
  return [0, 1].map((odd) => grid.directions.map(([dq, dr]) => {
    const [along, across] = grid.flat ? [dr, dq] : [dq, dr], shift = ((odd + across + grid.even) >> 1) - ((odd + grid.even) >> 1);
    return grid.flat ? [across, along + shift] : [along + shift, across];
  }));
}

/** Connected cells with the same value of a plane; a million of them in a blink. */
export function flood(grid, cell, plane) {
  const { columns, rows, present } = grid, value = plane[cell], seen = new Uint8Array(grid.size), found = [cell], steps = stepsOf(grid);
  seen[cell] = 1;
  for (let i = 0; i < found.length; i++) {
    const c = found[i] % columns, r = (found[i] / columns) | 0;
    for (const [dc, dr] of steps[(grid.flat ? c : r) & 1]) {
      const u = c + dc, v = r + dr, n = v * columns + u;
      if (u < 0 || v < 0 || u >= columns || v >= rows || seen[n] || plane[n] !== value || (present && present[n] !== 1)) continue;
      seen[n] = 1;
      found.push(n);
    }
  }
  return found;
}

/** Cells whose centre lies inside a polygon of world points: by lines of hexes, each between the edges that it crosses. */
export function within(grid, points) {
  if (points.length < 3) return [];
  const { flat, columns } = grid, found = [], lines = flat ? columns : grid.rows, places = flat ? grid.rows : columns;
  const across = (line) => (flat ? grid.cx(line, 0) : grid.cy(0, line)), first = across(0), gap = lines > 1 ? across(1) - first : 1;
  const crossings = new Map();
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [a, b] = [points[j], points[i]].map(([x, y]) => (flat ? [x, y] : [y, x])), [low, high] = a[0] < b[0] ? [a[0], b[0]] : [b[0], a[0]];
    for (let line = Math.max(0, Math.floor((low - first) / gap)); line < lines && across(line) < high; line++) {
      const at = across(line);
      if (at < low) continue;
      if (!crossings.has(line)) crossings.set(line, []);
      crossings.get(line).push(a[1] + ((b[1] - a[1]) * (at - a[0])) / (b[0] - a[0]));
    }
  }
  for (const [line, cuts] of [...crossings].sort((a, b) => a[0] - b[0])) {
    cuts.sort((a, b) => a - b);
    const start = flat ? grid.cy(line, 0) : grid.cx(0, line), step = (flat ? grid.cy(line, 1) : grid.cx(1, line)) - start;
    for (let k = 0; k + 1 < cuts.length; k += 2) {
      for (let n = Math.max(0, Math.ceil((cuts[k] - start) / step)); n < places && start + n * step < cuts[k + 1]; n++) {
        const [c, r] = flat ? [line, n] : [n, line];
        if (grid.hasAt(c, r)) found.push(r * columns + c);
      }
    }
  }
  return found;
}

export const WIDE = 50_000; // hexes of a lasso from which it is not worked out again at every frame

/** About how many hexes a polygon of world points holds. */
export function spread({ w, flat, ky }, points) {
  let twice = 0;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) twice += points[j][0] * points[i][1] - points[i][0] * points[j][1];
  return Math.abs(twice) / 2 / (flat ? 0.75 * w : w * 720 * ky);
}

/** The hexes that are chosen; none any more once hexes have moved or were renamed. */
export function regionOf(view) {
  if (!view.region || view.regionAt !== view.store.moves) Object.assign(view, { region: new Set(), regionAt: view.store.moves });
  return view.region;
}

const LOOPS = 40_000; // sides of hexes around a region that are drawn as lines

/** What is seen of many cells: their outline and a tint, made once and drawn at every position of the camera. */
export class Cover {
  /** cells: an array or a set, which nobody changes afterwards. */
  set(grid, cells) {
    if (this.cells === cells && this.grid === grid) return;
    Object.assign(this, { grid, cells, path: null, far: null });
    const count = cells.length ?? cells.size;
    if (!count) return;
    const { columns, rows } = grid, mask = new Uint8Array(grid.size), steps = stepsOf(grid), { offsets } = grid, next = new Map();
    for (const cell of cells) mask[cell] = 1;
    const key = (x, y) => (y + 1000) * 1e7 + x + 1000;
    // At a corner three hexes meet: one side at most leads on from it, when the region lies to the right.
    for (const cell of cells) {
      const c = cell % columns, r = (cell / columns) | 0, some = steps[(grid.flat ? c : r) & 1];
      for (let d = 0; d < 6; d++) {
        const u = c + some[d][0], v = r + some[d][1];
        if (u >= 0 && v >= 0 && u < columns && v < rows && mask[v * columns + u]) continue;
        const X = grid.X(c, r), Y = grid.Y(c, r), p = offsets[d], q = offsets[(d + 1) % 6];
        next.set(key(X + p[0], Y + p[1]), [X + q[0], Y + q[1]]);
        if (next.size > LOOPS) {
          this.far = new Backdrop(grid, (one) => (mask[one] ? 0x66ffffff : 0));
          return;
        }
      }
    }
    this.path = new Path2D();
    while (next.size) {
      const [start, first] = next.entries().next().value;
      let [x, y] = first, at = key(x, y);
      next.delete(start);
      this.path.moveTo(x * grid.kx, y * grid.ky);
      while (next.has(at)) {
        const to = next.get(at);
        next.delete(at);
        [x, y] = to;
        at = key(x, y);
        this.path.lineTo(x * grid.kx, y * grid.ky);
      }
      this.path.closePath();
    }
  }
  draw(ctx, camera, { colour = "#ffffff", width = 2, fill = null } = {}) {
    if (this.far) this.far.draw(ctx, camera);
    if (!this.path) return;
    const s = camera.scale;
    ctx.save();
    ctx.translate(-camera.ox, -camera.oy);
    ctx.scale(s, s);
    if (fill) {
      ctx.fillStyle = fill;
      ctx.fill(this.path);
    }
    ctx.lineCap = ctx.lineJoin = "round";
    for (const [ink, wide] of [["rgba(20,20,20,0.55)", width + 2.5], [colour, width]]) {
      ctx.strokeStyle = ink;
      ctx.lineWidth = wide / s;
      ctx.stroke(this.path);
    }
    ctx.restore();
  }
}

/** Axial steps mirrored, then turned clockwise by sixths, as studio/model/region.py does it. */
export function moved(flat, turn, mirror, q, r) {
  if (mirror) {
    const across = (mirror === "left-right") === flat;
    if (flat) [q, r] = across ? [-q, q + r] : [q, -q - r];
    else [q, r] = across ? [q + r, -r] : [-q - r, r];
  }
  for (let i = 0; i < turn; i++) [q, r] = [-r, q + r];
  return [q, r];
}
