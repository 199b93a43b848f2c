// Heights as a map shows them: rounded level regions in tints, contour lines, slopes lit from the north-west. The same as
// studio/draw/relief.py. `grid` is the editor's Grid; world units are hex heights, `scale` the pixels of one.

const SAMPLES = 6; // of the relief's picture to a hex height

/** Level of every cell; a dry bed below its surroundings counts as level 0, for its banks are drawn already. */
function heightsOf(style, grid, levels, terrainAt) {
  const dry = (id) => style.terrain[id]?.marks.some((m) => m.recipe === "channel" && m.hachure);
  return Int8Array.from(levels, (level, cell) => (!grid.has(cell) || (level < 0 && dry(terrainAt(cell))) ? 0 : level));
}

/** Outlines of the level regions, low before high: [{level, points, edge}]; edge[i]: point i to the next runs along the map's edge. */
export function levelRings(style, grid, levels, terrainAt) {
  const heights = heightsOf(style, grid, levels, terrainAt), found = [];
  let low = 0, high = 0;
  for (const level of heights) { low = Math.min(low, level); high = Math.max(high, level); }
  for (let level = low; level <= high; level++) {
    if (!level) continue;
    const inside = (cell) => grid.has(cell) && (level > 0 ? heights[cell] >= level : heights[cell] <= level);
    for (const chain of trace(grid, inside, heights.length)) found.push({ level, ...rounded(style, chain) });
  }
  return found;
}

function* trace(grid, inside, size) {
  const after = new Map(), key = (x, y) => x * 4194304 + y;
  for (let cell = 0; cell < size; cell++) {
    if (!inside(cell)) continue;
    const [cx, cy] = grid.centreLattice(cell), around = grid.around(cell);
    for (let d = 0; d < 6; d++) {
      if (around[d] >= 0 && inside(around[d])) continue;
      const [p, q] = [grid.offsets[d], grid.offsets[(d + 1) % 6]].map(([dx, dy]) => [cx + dx, cy + dy]);
      after.set(key(...p), { p, next: key(...q), off: around[d] < 0 });
    }
  }
  while (after.size) {
    const points = [], edge = [];
    let at = after.keys().next().value;
    while (after.has(at)) {
      const { p, next, off } = after.get(at);
      after.delete(at);
      points.push([p[0] * grid.kx, p[1] * grid.ky]);
      edge.push(off);
      at = next;
    }
    yield { points, edge };
  }
}

function rounded(style, { points, edge }) {
  const n = points.length, fixed = edge.map((e, i) => e || edge[(i + n - 1) % n]), at = (list, i) => list[(i + n) % n];
  let list = points;
  for (let pass = n < 8 ? 0 : n < 12 ? 1 : 2; pass > 0; pass--) {
    const old = list;
    list = old.map((p, i) => (fixed[i] ? p : [0, 1].map((k) => (at(old, i - 1)[k] + 2 * p[k] + at(old, i + 1)[k]) / 4)));
  }
  const inset = style.levels.inset / 1000;
  return {
    edge,
    points: list.map((p, i) => {
      if (fixed[i]) return p;
      const dx = at(list, i + 1)[0] - at(list, i - 1)[0], dy = at(list, i + 1)[1] - at(list, i - 1)[1], length = Math.hypot(dx, dy) || 1;
      return [p[0] - (dy / length) * inset, p[1] + (dx / length) * inset];
    }),
  };
}

const middle = (p, q) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];

function addRegion(path, { points, edge }, scale) {
  const n = points.length, px = (p) => [p[0] * scale, p[1] * scale];
  path.moveTo(...px(middle(points[n - 1], points[0])));
  points.forEach((p, i) => {
    const end = middle(p, points[(i + 1) % n]);
    if (edge[i] || edge[(i + n - 1) % n]) {
      path.lineTo(...px(p));
      path.lineTo(...px(end));
    } else path.quadraticCurveTo(...px(p), ...px(end));
  });
  path.closePath();
}

function addContour(path, ring, scale) {
  const { points, edge } = ring, n = points.length, px = (i) => [points[i % n][0] * scale, points[i % n][1] * scale];
  if (!edge.includes(true)) {
    addRegion(path, ring, scale);
    return;
  }
  for (let start = 0; start < n; start++) {
    if (edge[start] || !edge[(start + n - 1) % n]) continue;
    let last = start;
    while (!edge[last % n]) last += 1;
    path.moveTo(...px(start));
    for (let i = start + 1; i < last; i++) path.quadraticCurveTo(...px(i), ...(i + 1 < last ? middle(px(i), px(i + 1)) : px(last)));
    if (last === start + 1) path.lineTo(...px(last));
  }
}

/** Tint the level regions; fill the hexes below with level 0 then. */
export function drawLevels(ctx, style, rings, scale) {
  ctx.save();
  for (const level of [...new Set(rings.map((ring) => ring.level))].sort((a, b) => Math.abs(a) - Math.abs(b))) {
    const path = new Path2D(), known = Object.keys(style.levels.tints).map(Number).filter((n) => n > 0 === level > 0);
    if (!known.length) continue;
    for (const ring of rings) if (ring.level === level) addRegion(path, ring, scale);
    const near = known.reduce((best, n) => (Math.abs(n - level) < Math.abs(best - level) ? n : best));
    ctx.globalAlpha = (style.levels.strength / 1000) * (Math.abs(level) === 1 ? 1 : 0.75);
    ctx.fillStyle = style.levels.tints[near];
    ctx.fill(path);
  }
  ctx.restore();
}

/** Draw contours from the rings, but for the levels (a Set) whose contours the designer drew by hand. */
export function drawContours(ctx, style, rings, scale, byHand = new Set()) {
  const path = new Path2D(), { contour, contour_width: width } = style.levels;
  for (const ring of rings) if (!byHand.has(ring.level > 0 ? ring.level : ring.level + 1)) addContour(path, ring, scale);
  ctx.save();
  ctx.lineJoin = ctx.lineCap = "round";
  ctx.strokeStyle = contour;
  ctx.globalAlpha = 0.22;
  ctx.lineWidth = (width * 3.6 * scale) / 1000;
  ctx.stroke(path);
  ctx.globalAlpha = 1;
  ctx.lineWidth = Math.max(0.9, (width * scale) / 1000);
  ctx.stroke(path);
  ctx.restore();
}

/** Shade the slopes in a world box; false when the ground there is level. */
export function drawRelief(ctx, style, grid, levels, terrainAt, [x0, y0, x1, y1], scale) {
  const step = 1 / SAMPLES, pad = 7, i0 = Math.floor(x0 / step) - pad, j0 = Math.floor(y0 / step) - pad;
  const nx = Math.ceil(x1 / step) + pad - i0, ny = Math.ceil(y1 / step) + pad - j0, dry = new Map();
  let field = new Float32Array(nx * ny), flat = true;
  const [bx0, by0, bx1, by1] = grid.bounds, inside = (v, a, b) => Math.max(a + 0.01, Math.min(b - 0.01, v));
  const height = (cell) => {
    if (cell < 0 || !levels[cell]) return 0;
    if (levels[cell] > 0) return levels[cell];
    const id = terrainAt(cell);
    if (!dry.has(id)) dry.set(id, style.terrain[id]?.marks.some((m) => m.recipe === "channel" && m.hachure));
    return dry.get(id) ? 0 : levels[cell];
  };
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const level = height(grid.cellAt(inside((i0 + i + 0.5) * step, bx0, bx1), inside((j0 + j + 0.5) * step, by0, by1)));
      field[j * nx + i] = level;
      if (level !== field[0]) flat = false;
    }
  }
  if (flat) return false;
  const radius = Math.round(SAMPLES * 0.3);
  for (let pass = 0; pass < 3; pass++) field = blur(blur(field, nx, ny, radius, 1, nx), nx, ny, radius, nx, 1);
  const wide = nx - 2 * (pad - 1), high = ny - 2 * (pad - 1), image = new ImageData(wide, high), rgb = (c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16));
  const light = rgb(style.levels.light), shade = rgb(style.levels.shade);
  for (let j = 0; j < high; j++) {
    for (let i = 0; i < wide; i++) {
      const k = (j + pad - 1) * nx + i + pad - 1, slope = ((field[k + 1] - field[k - 1] + field[k + nx] - field[k - nx]) / 2) * SAMPLES;
      const value = Math.tanh(slope * 0.75), color = value >= 0 ? light : shade;
      image.data.set([...color, Math.abs(value) * style.levels.relief * 0.255], (j * wide + i) * 4);
    }
  }
  const canvas = typeof OffscreenCanvas === "undefined" ? Object.assign(document.createElement("canvas"), { width: wide, height: high }) : new OffscreenCanvas(wide, high);
  canvas.getContext("2d").putImageData(image, 0, 0);
  ctx.save();
  ctx.imageSmoothingEnabled = true;
  ctx.drawImage(canvas, (i0 + pad - 1) * step * scale, (j0 + pad - 1) * step * scale, wide * step * scale, high * step * scale);
  ctx.restore();
  return true;
}

/** Box blur along one axis: neighbours are `stride` apart, lines of them start `across` apart; edges repeat. */
function blur(field, nx, ny, radius, stride, across) {
  const out = new Float32Array(field.length), count = stride === 1 ? nx : ny, linesOf = stride === 1 ? ny : nx, width = 2 * radius + 1;
  for (let line = 0; line < linesOf; line++) {
    const start = line * across, at = (i) => field[start + Math.max(0, Math.min(count - 1, i)) * stride];
    let sum = 0;
    for (let i = -radius; i <= radius; i++) sum += at(i);
    for (let i = 0; i < count; i++) {
      out[start + i * stride] = sum / width;
      sum += at(i + radius + 1) - at(i - radius);
    }
  }
  return out;
}
