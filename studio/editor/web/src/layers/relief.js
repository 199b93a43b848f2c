// Heights on the sheet, as studio.draw.relief draws them: slopes lit from the north-west, and contours rounded and drawn in a
// little from the lower hexes. All of it is local, so that a tile needs only the hexes around it.

import { levelTint } from "../look.js";
import { blank, TILE } from "./tiles.js";

const MARGIN = 4; // hexes around a tile that its contours depend on
const SAMPLES = 8; // of the shading to a hex height

/** Level of every hex around a box, null when all of them are flat ground; dry beds count as 0, their banks are drawn already. */
export function heightsIn(store, [x0, y0, x1, y1]) {
  const g = store.grid, [c0, r0, c1, r1] = g.range(x0 - MARGIN, y0 - MARGIN, x1 + MARGIN, y1 + MARGIN), { levels, terrain } = store.planes, dry = dryOf(store);
  let low = 0, high = 0;
  const at = (cell) => (levels[cell] < 0 && dry.has(terrain[cell]) ? 0 : levels[cell]), cells = [];
  for (let r = r0; r <= r1; r++) {
    for (let c = c0; c <= c1; c++) {
      if (!g.hasAt(c, r)) continue;
      const cell = r * g.columns + c, level = at(cell);
      cells.push(cell);
      if (level < low) low = level;
      if (level > high) high = level;
    }
  }
  return low === 0 && high === 0 ? null : { at, cells, low, high };
}

function dryOf(store) {
  const looks = store.style.terrain, dry = new Set();
  store.terrainIds.forEach((id, i) => { if (looks[id]?.marks.some((m) => m.recipe === "channel" && m.hachure)) dry.add(i); });
  return dry;
}

/** Light and shade over a tile. */
export function drawShading(ctx, store, heights, [x0, y0, x1, y1], scale) {
  const g = store.grid, look = store.style.levels, per = Math.min(SAMPLES, scale / 4), step = 1 / per, radius = Math.max(1, Math.round(per * 0.3));
  const pad = 3 * radius + 2, nx = Math.ceil((x1 - x0) / step) + 2 * pad, ny = Math.ceil((y1 - y0) / step) + 2 * pad;
  // The samples of all tiles lie on one lattice, so that no seam shows.
  const ox = (Math.floor(x0 / step) - pad + 0.5) * step, oy = (Math.floor(y0 / step) - pad + 0.5) * step;
  let field = new Float32Array(nx * ny);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const cell = g.cellAt(ox + i * step, oy + j * step);
      field[j * nx + i] = cell < 0 ? 0 : heights.at(cell);
    }
  }
  for (let k = 0; k < 3; k++) field = blur(field, nx, ny, radius);
  const image = new ImageData(nx, ny), bright = bytesOf(look.light), dark = bytesOf(look.shade);
  for (let j = 1; j < ny - 1; j++) {
    for (let i = 1; i < nx - 1; i++) {
      const n = j * nx + i, slope = ((field[n + 1] - field[n - 1] + field[n + nx] - field[n - nx]) / 2) * per;
      const light = Math.tanh(slope * 0.75), ink = light >= 0 ? bright : dark;
      image.data.set([ink[0], ink[1], ink[2], Math.abs(light) * look.relief * 0.255], n * 4);
    }
  }
  const small = blank(nx, ny);
  small.getContext("2d").putImageData(image, 0, 0);
  ctx.save();
  ctx.beginPath();
  ctx.rect(x0 * scale, y0 * scale, TILE, TILE);
  ctx.clip();
  // Only on hexes, not on the table around them.
  const land = new Path2D();
  for (const cell of heights.cells) {
    if (heights.at(cell) === 0 && g.neighbours(cell).every((n) => heights.at(n) === 0)) continue;
    g.corners(cell).forEach(([x, y], i) => land[i ? "lineTo" : "moveTo"](x * scale, y * scale));
    land.closePath();
  }
  ctx.clip(land);
  ctx.imageSmoothingEnabled = true;
  ctx.drawImage(small, (ox - step / 2) * scale, (oy - step / 2) * scale, nx * step * scale, ny * step * scale);
  ctx.restore();
}

function bytesOf(color) { return [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)); }

function blur(field, nx, ny, radius) {
  const along = (source, count, stride, lines, jump) => {
    const out = new Float32Array(source.length), wide = 2 * radius + 1;
    for (let line = 0; line < lines; line++) {
      const at = (k) => source[line * jump + Math.max(0, Math.min(count - 1, k)) * stride];
      let sum = 0;
      for (let k = -radius; k <= radius; k++) sum += at(k);
      for (let k = 0; k < count; k++) {
        out[line * jump + k * stride] = sum / wide;
        sum += at(k + radius + 1) - at(k - radius);
      }
    }
    return out;
  };
  return along(along(field, nx, 1, ny, nx), ny, nx, nx, 1);
}

/** Contours of all levels but those that the designer drew by hand. */
export function drawContours(ctx, store, heights, scale) {
  const look = store.style.levels, path = new Path2D();
  for (let level = heights.low; level <= heights.high; level++) {
    // The contour below a depression is the upper level's.
    if (level === 0 || store.drawnLevels.has(level > 0 ? level : level + 1)) continue;
    const inside = (cell) => (level > 0 ? heights.at(cell) >= level : heights.at(cell) <= level);
    for (const chain of chains(store.grid, heights.cells, inside)) trace(path, round(chain, look.inset / 1000), chain.off, chain.closed, scale);
  }
  ctx.save();
  ctx.lineJoin = ctx.lineCap = "round";
  ctx.strokeStyle = look.contour;
  const { globalAlpha } = ctx;
  ctx.globalAlpha = 0.22 * globalAlpha;
  ctx.lineWidth = Math.max(1.5, (look.contour_width * 3.6 * scale) / 1000);
  ctx.stroke(path);
  ctx.globalAlpha = (scale < 12 ? 0.6 : 1) * globalAlpha;
  ctx.lineWidth = Math.max(0.7, (look.contour_width * scale) / 1000);
  ctx.stroke(path);
  ctx.restore();
}

/** Tints of the level regions, rounded, low before high. What lies beyond the hexes around the tile counts as the map's edge. */
export function drawLevels(ctx, store, heights, scale) {
  const { style, grid } = store, look = style.levels, known = new Set(heights.cells), levels = [];
  for (let level = heights.low; level <= heights.high; level++) if (level) levels.push(level);
  ctx.save();
  for (const level of levels.sort((a, b) => Math.abs(a) - Math.abs(b))) {
    const path = new Path2D(), inside = (cell) => known.has(cell) && (level > 0 ? heights.at(cell) >= level : heights.at(cell) <= level);
    for (const chain of chains(grid, heights.cells, inside, known)) {
      const points = round(chain, look.inset / 1000).map(([x, y]) => [x * scale, y * scale]), n = points.length, off = (i) => chain.off[i] || chain.off[(i + n - 1) % n];
      const middle = (i) => [(points[i][0] + points[(i + 1) % n][0]) / 2, (points[i][1] + points[(i + 1) % n][1]) / 2];
      path.moveTo(...middle(n - 1));
      for (let i = 0; i < n; i++) {
        if (!off(i)) path.quadraticCurveTo(...points[i], ...middle(i));
        else {
          path.lineTo(...points[i]);
          path.lineTo(...middle(i));
        }
      }
      path.closePath();
    }
    ctx.fillStyle = levelTint(style, level);
    ctx.globalAlpha = (look.strength / 1000) * (Math.abs(level) === 1 ? 1 : 0.75);
    ctx.fill(path);
  }
  ctx.restore();
}

/** Runs of hexsides around a region, clockwise: {points, off: whether a piece runs along the map's edge, closed}. */
function* chains(grid, cells, inside, known = null) {
  const after = new Map(), targets = new Set();
  for (const cell of cells) {
    if (!inside(cell)) continue;
    const c = grid.col(cell), r = grid.row(cell), X = grid.X(c, r), Y = grid.Y(c, r);
    for (let d = 0; d < 6; d++) {
      const other = grid.neighbour(cell, d);
      if (other >= 0 && inside(other)) continue;
      const p = grid.offsets[d], q = grid.offsets[(d + 1) % 6], to = (X + q[0]) * 65536 * 32 + Y + q[1];
      after.set((X + p[0]) * 65536 * 32 + Y + p[1], { to, off: other < 0 || (!!known && !known.has(other)), x: (X + p[0]) * grid.kx, y: (Y + p[1]) * grid.ky, u: (X + q[0]) * grid.kx, v: (Y + q[1]) * grid.ky });
      targets.add(to);
    }
  }
  const follow = (start) => {
    const points = [], off = [];
    let key = start, edge = after.get(start), last = null;
    while (edge) {
      after.delete(key);
      points.push([edge.x, edge.y]);
      off.push(edge.off);
      last = edge;
      key = edge.to;
      edge = after.get(key);
    }
    const closed = key === start;
    if (!closed) points.push([last.u, last.v]);
    return { points, off, closed };
  };
  // Chains that begin at the border of what we know come first, or a loop would start in their middle.
  for (const start of [...after.keys()]) if (after.has(start) && !targets.has(start)) yield follow(start);
  for (const start of [...after.keys()]) if (after.has(start)) yield follow(start);
}

function round({ points, off, closed }, inset) {
  const n = points.length, before = (i) => (closed ? (i + n - 1) % n : Math.max(0, i - 1)), next = (i) => (closed ? (i + 1) % n : Math.min(n - 1, i + 1));
  const fixed = points.map((_, i) => !!off[i] || !!off[before(i)]), times = !closed || n >= 12 ? 2 : n >= 8 ? 1 : 0;
  for (let k = 0; k < times; k++) {
    points = points.map((p, i) => (fixed[i] ? p : [0, 1].map((a) => (points[before(i)][a] + 2 * p[a] + points[next(i)][a]) / 4)));
  }
  return points.map((p, i) => {
    if (fixed[i]) return p;
    const dx = points[next(i)][0] - points[before(i)][0], dy = points[next(i)][1] - points[before(i)][1], length = Math.hypot(dx, dy) || 1;
    return [p[0] - (dy / length) * inset, p[1] + (dx / length) * inset];
  });
}

/** Quadratic curves from middle to middle, without the pieces along the map's edge. */
function trace(path, points, off, closed, scale) {
  const n = points.length, px = points.map(([x, y]) => [x * scale, y * scale]), middle = (p, q) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  if (closed && !off.some(Boolean)) {
    path.moveTo(...middle(px[n - 1], px[0]));
    for (let i = 0; i < n; i++) path.quadraticCurveTo(...px[i], ...middle(px[i], px[(i + 1) % n]));
    path.closePath();
    return;
  }
  const pieces = closed ? n : n - 1, first = closed ? off.findIndex((o, i) => !o && off[(i + n - 1) % n]) : 0;
  if (first < 0) return;
  let open = false;
  for (let k = 0; k < pieces; k++) {
    const i = (first + k) % n, j = (i + 1) % n;
    if (off[i]) {
      open = false;
      continue;
    }
    if (!open) path.moveTo(...px[i]);
    else path.quadraticCurveTo(...px[i], ...middle(px[i], px[j]));
    if (!open) path.lineTo(...middle(px[i], px[j]));
    open = true;
    if (k === pieces - 1 || off[j]) path.lineTo(...px[j]);
  }
}
