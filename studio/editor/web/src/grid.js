// Hex geometry. A cell is row * columns + column of the raw rectangle; the lattice is the one of studio.grid: whole
// numbers, x right, y down. "World" units are what the camera scales: a hex is 1 world unit high.

const STEP = 480, LINE = 720, HALF = 240;
// Axial steps to the six neighbours, clockwise from north (flat-top) or north-east (pointy); corner n and n + 1 end side n.
const DIRECTIONS = {
  flat: [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0]],
  pointy: [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]],
};
const CORNERS = {
  flat: [[-HALF, -HALF], [HALF, -HALF], [STEP, 0], [HALF, HALF], [-HALF, HALF], [-STEP, 0]],
  pointy: [[0, -STEP], [HALF, -HALF], [HALF, HALF], [0, STEP], [-HALF, HALF], [-HALF, -HALF]],
};

export class Grid {
  constructor(geometry, present = null) {
    const { columns, rows, orientation, stagger, hex_width: width, hex_height: height } = geometry;
    Object.assign(this, { columns, rows, stagger });
    this.flat = orientation === "flat";
    this.even = stagger === "even" ? 1 : 0;
    this.size = columns * rows;
    this.present = present && present.length === this.size ? present : null;
    this.frame = geometry.frame;
    this.cut = (geometry.half || []).length > 0;
    this.directions = DIRECTIONS[orientation];
    this.offsets = CORNERS[orientation];
    // World units per lattice unit; width of a hex in world units.
    this.w = width / height;
    this.kx = this.w / (this.flat ? 2 * STEP : STEP);
    this.ky = 1 / (this.flat ? STEP : 2 * STEP);
    // Corner offsets in world units.
    this.shape = this.offsets.map(([x, y]) => [x * this.kx, y * this.ky]);
    const f = this.frame;
    const world = ([x0, y0, x1, y1]) => [x0 * this.kx, y0 * this.ky, x1 * this.kx, y1 * this.ky];
    this.bounds = world(f);
    // Of a map of several sheets: the playing area of each, the lines around them, and those where they meet.
    this.areas = geometry.sheets ? geometry.sheets.map(world) : [this.bounds];
    const line = (points) => points.map(([x, y]) => [x * this.kx, y * this.ky]);
    this.border = (geometry.border || [[[f[0], f[1]], [f[2], f[1]], [f[2], f[3]], [f[0], f[3]]]]).map(line);
    this.seams = (geometry.seams || []).map(line);
  }

  col(cell) { return cell % this.columns; }
  row(cell) { return (cell / this.columns) | 0; }
  has(cell) { return cell >= 0 && cell < this.size && (!this.present || this.present[cell] === 1); }
  hasAt(c, r) { return c >= 0 && r >= 0 && c < this.columns && r < this.rows && (!this.present || this.present[r * this.columns + c] === 1); }
  shifted(line) { return (line & 1) ^ this.even; }

  /** Centre on the lattice. */
  X(c, r) { return this.flat ? STEP + LINE * c : HALF + STEP * c + HALF * this.shifted(r); }
  Y(c, r) { return this.flat ? HALF + STEP * r + HALF * this.shifted(c) : STEP + LINE * r; }
  /** Centre in world units. */
  cx(c, r) { return this.X(c, r) * this.kx; }
  cy(c, r) { return this.Y(c, r) * this.ky; }
  centre(cell) { const c = this.col(cell), r = this.row(cell); return [this.cx(c, r), this.cy(c, r)]; }
  centreLattice(cell) { const c = this.col(cell), r = this.row(cell); return [this.X(c, r), this.Y(c, r)]; }
  corners(cell) { const [x, y] = this.centre(cell); return this.shape.map(([dx, dy]) => [x + dx, y + dy]); }

  axial(cell) {
    const c = this.col(cell), r = this.row(cell);
    return this.flat ? [c, r - ((c + this.even) >> 1)] : [c - ((r + this.even) >> 1), r];
  }
  fromAxial(q, r) {
    const line = this.flat ? q : r;
    const position = (this.flat ? r : q) + ((line + this.even) >> 1);
    const [c, row] = this.flat ? [line, position] : [position, line];
    return this.hasAt(c, row) ? row * this.columns + c : -1;
  }
  neighbour(cell, direction) {
    const [q, r] = this.axial(cell), [dq, dr] = this.directions[direction];
    return this.fromAxial(q + dq, r + dr);
  }
  /** Six entries, -1 where the map ends. */
  around(cell) { return this.directions.map((_, d) => this.neighbour(cell, d)); }
  neighbours(cell) { return this.around(cell).filter((n) => n >= 0); }
  direction(a, b) {
    const [qa, ra] = this.axial(a), [qb, rb] = this.axial(b);
    return this.directions.findIndex(([q, r]) => q === qb - qa && r === rb - ra);
  }
  distance(a, b) {
    const [qa, ra] = this.axial(a), [qb, rb] = this.axial(b), dq = qb - qa, dr = rb - ra;
    return (Math.abs(dq) + Math.abs(dr) + Math.abs(dq + dr)) / 2;
  }

  /** The two ends, in world units, of the side of two adjacent hexes; null when they are not adjacent. */
  sideEnds(a, b) {
    const d = this.direction(a, b);
    if (d < 0) return null;
    const [x, y] = this.centre(a), p = this.shape[d], q = this.shape[(d + 1) % 6];
    return [[x + p[0], y + p[1]], [x + q[0], y + q[1]]];
  }

  /** Cell at a world position, -1 off the map. Voronoi of regular hexes; squashed ones only scale an axis. */
  cellAt(x, y) {
    if (this.cut) {
      const slack = 0.02; // the centre of a half hex lies on the edge
      if (!this.areas.some((b) => x >= b[0] - slack && y >= b[1] - slack && x <= b[2] + slack && y <= b[3] + slack)) return -1;
    }
    const X = x / this.kx, Y = y / this.ky, across = this.flat ? X : Y, along = this.flat ? Y : X;
    const near = Math.round((across - STEP) / LINE);
    // A flat-top hex 960 x 480 on the lattice is 2/sqrt(3) x 1 in truth: distances across weigh (2 * 480 / sqrt 3 / 960)^2 = 1/3.
    let best = -1, least = Infinity;
    for (let line = near - 1; line <= near + 1; line++) {
      const position = Math.round((along - HALF - HALF * this.shifted(line)) / STEP);
      const dx = across - STEP - LINE * line, dy = along - HALF - STEP * position - HALF * this.shifted(line);
      const square = (dx * dx) / 3 + dy * dy;
      if (square < least) {
        least = square;
        const [c, r] = this.flat ? [line, position] : [position, line];
        best = this.hasAt(c, r) ? r * this.columns + c : -1;
      }
    }
    return best;
  }

  /** The side nearest to a world position within a hex: {a, b, direction, p, q} with a < b, or null. */
  sideAt(x, y, cell = this.cellAt(x, y)) {
    if (cell < 0) return null;
    let best = -1, least = Infinity;
    const ends = this.corners(cell);
    for (let d = 0; d < 6; d++) {
      if (this.neighbour(cell, d) < 0) continue;
      const away = segmentDistance(x, y, ends[d], ends[(d + 1) % 6]);
      if (away < least) { least = away; best = d; }
    }
    return best < 0 ? null : this.sideOf(cell, best);
  }
  sideOf(cell, direction) {
    const other = this.neighbour(cell, direction);
    if (other < 0) return null;
    const ends = this.corners(cell);
    return { a: Math.min(cell, other), b: Math.max(cell, other), cell, direction, p: ends[direction], q: ends[(direction + 1) % 6] };
  }

  /** Playing area around the centre of a hex: that of its sheet, or of all sheets that meet in it. */
  areaAt(x, y) {
    if (this.areas.length === 1) return this.bounds;
    const slack = 1e-6, held = this.areas.filter((b) => x >= b[0] - slack && y >= b[1] - slack && x <= b[2] + slack && y <= b[3] + slack);
    if (!held.length) return this.bounds;
    return [0, 1, 2, 3].map((i) => Math[i < 2 ? "min" : "max"](...held.map((b) => b[i])));
  }

  /** Cuts what is drawn at the edges of the playing area, where half hexes end there. */
  clip(ctx, scale, left = 0, top = 0, always = false) {
    if (!this.cut && !always) return;
    ctx.beginPath();
    for (const [x0, y0, x1, y1] of this.areas) ctx.rect(x0 * scale + left, y0 * scale + top, (x1 - x0) * scale, (y1 - y0) * scale);
    ctx.clip();
  }

  /** Raw rectangle [c0, r0, c1, r1] (inclusive) of the cells whose hexes may meet a world box. */
  range(x0, y0, x1, y1) {
    const w = this.flat ? (LINE * this.kx) : this.w, h = this.flat ? 1 : LINE * this.ky;
    const clamp = (v, top) => Math.max(0, Math.min(top, v));
    return [
      clamp(Math.floor(x0 / w) - 1, this.columns - 1), clamp(Math.floor(y0 / h) - 1, this.rows - 1),
      clamp(Math.ceil(x1 / w), this.columns - 1), clamp(Math.ceil(y1 / h), this.rows - 1),
    ];
  }

  /** Cells within a distance, as a brush of size radius + 1 covers them. */
  disk(cell, radius) {
    const [q, r] = this.axial(cell), found = [];
    for (let dq = -radius; dq <= radius; dq++) {
      for (let dr = Math.max(-radius, -dq - radius); dr <= Math.min(radius, -dq + radius); dr++) {
        const other = this.fromAxial(q + dq, r + dr);
        if (other >= 0) found.push(other);
      }
    }
    return found;
  }

  /** Cells from a to b, both included, each adjacent to the next: the straight line, or a way around what is off the map. */
  line(a, b) {
    const n = this.distance(a, b), [qa, ra] = this.axial(a), [qb, rb] = this.axial(b);
    for (const nudge of [1e-6, -1e-6]) {
      const found = [];
      for (let i = 0; i <= n; i++) {
        const t = n ? i / n : 0, q = qa + (qb - qa) * t + nudge, r = ra + (rb - ra) * t + 2 * nudge, s = -q - r;
        let rq = Math.round(q), rr = Math.round(r);
        const rs = Math.round(s), dq = Math.abs(rq - q), dr = Math.abs(rr - r), ds = Math.abs(rs - s);
        if (dq > dr && dq > ds) rq = -rr - rs; else if (dr > ds) rr = -rq - rs;
        found.push(this.fromAxial(rq, rr));
      }
      if (!found.includes(-1)) return found;
    }
    return this.walk(a, b);
  }
  walk(a, b) {
    const found = [a], seen = new Set(found), goal = this.centre(b);
    const away = (cell) => this.distance(cell, b) + Math.hypot(this.centre(cell)[0] - goal[0], this.centre(cell)[1] - goal[1]) / 1000;
    while (found[found.length - 1] !== b) {
      const next = this.neighbours(found[found.length - 1]).filter((cell) => !seen.has(cell)).sort((m, k) => away(m) - away(k))[0];
      if (next === undefined) return found;
      seen.add(next);
      found.push(next);
    }
    return found;
  }

  /** Cells of the raw rectangle spanned by two cells. */
  rectangle(a, b) {
    const [c0, c1] = [this.col(a), this.col(b)].sort((m, n) => m - n), [r0, r1] = [this.row(a), this.row(b)].sort((m, n) => m - n);
    const found = [];
    for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) if (this.hasAt(c, r)) found.push(r * this.columns + c);
    return found;
  }

  /** Step of the keyboard's hex cursor: dx, dy in raw columns and rows, kept on the map; gaps between sheets are stepped over. */
  step(cell, dx, dy) {
    let c = this.col(cell), r = this.row(cell);
    c = Math.max(0, Math.min(this.columns - 1, c + dx));
    r = Math.max(0, Math.min(this.rows - 1, r + dy));
    while (!this.hasAt(c, r)) {
      c += Math.sign(dx);
      r += Math.sign(dy);
      if (c < 0 || r < 0 || c >= this.columns || r >= this.rows || !(dx || dy)) return cell;
    }
    return r * this.columns + c;
  }
}

export function segmentDistance(x, y, [px, py], [qx, qy]) {
  const dx = qx - px, dy = qy - py, length = dx * dx + dy * dy;
  const t = length ? Math.max(0, Math.min(1, ((x - px) * dx + (y - py) * dy) / length)) : 0;
  return Math.hypot(x - px - t * dx, y - py - t * dy);
}
