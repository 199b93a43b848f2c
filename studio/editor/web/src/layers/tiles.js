// A layer of 256-px tiles in device pixels. While the zoom changes, the last tiles are shown scaled; once it has been still
// for a while, exact ones are baked, a few milliseconds a frame, nearest to the middle first. Panning only moves tiles.

export const TILE = 256;
export const STILL = 90; // ms without a change of zoom before exact tiles are baked

export class TileLayer {
  /**
   * painter: { least: smallest scale that has tiles, box(): extent of the drawing in world units,
   *   *paint(ctx, box, scale): paints and yields where it may be interrupted, returns false when it drew nothing,
   *   touch(ctx, cells, scale): repaints just what some cells changed }
   */
  constructor(painter, { opaque = false, bytes = 48e6 } = {}) {
    Object.assign(this, { painter, opaque, most: Math.floor(bytes / (TILE * TILE * 4)) });
    this.now = { scale: 0, tiles: new Map() };
    this.before = null;
    this.job = null;
    this.baked = 0;
    this.use = 0;
  }

  clear() {
    this.now = { scale: 0, tiles: new Map() };
    this.before = null;
    this.job = null;
  }

  /** Keys of the tiles of a generation that a view shows. */
  span(camera, scale) {
    const f = scale / camera.scale, x0 = camera.ox * f, y0 = camera.oy * f, [bx0, by0, bx1, by1] = this.painter.box();
    const low = (v, b) => Math.floor(Math.max(v, b * scale) / TILE), high = (v, b) => Math.floor(Math.min(v, b * scale) / TILE);
    return [low(x0, bx0), low(y0, by0), high(x0 + camera.width * f, bx1), high(y0 + camera.height * f, by1)];
  }

  /** Draw what there is; true when tiles are missing. */
  draw(ctx, camera, time) {
    const still = time - camera.zoomed >= STILL;
    if (still && this.now.scale !== camera.scale) {
      if (this.now.tiles.size) this.before = this.now;
      this.now = { scale: camera.scale, tiles: new Map() };
      this.job = null;
    }
    const exact = this.now.scale === camera.scale;
    const missing = exact && camera.scale >= this.painter.least ? this.missing(camera) : [];
    if (!exact) this.blit(ctx, camera, this.now, true);
    else {
      if (missing.length && this.before) this.blit(ctx, camera, this.before, true);
      else this.before = null;
      this.blit(ctx, camera, this.now, false);
    }
    this.wanted = missing;
    return !exact || missing.length > 0;
  }

  blit(ctx, camera, generation, scaled) {
    if (!generation.scale) return;
    const f = camera.scale / generation.scale, [i0, j0, i1, j1] = this.span(camera, generation.scale);
    const ox = scaled ? camera.ox : Math.round(camera.ox), oy = scaled ? camera.oy : Math.round(camera.oy);
    this.use += 1;
    for (let j = j0; j <= j1; j++) {
      for (let i = i0; i <= i1; i++) {
        const tile = generation.tiles.get(key(i, j));
        if (!tile?.ready) continue;
        tile.used = this.use;
        if (!tile.canvas) continue;
        if (scaled) ctx.drawImage(tile.canvas, i * TILE * f - ox, j * TILE * f - oy, TILE * f, TILE * f);
        else ctx.drawImage(tile.canvas, i * TILE - ox, j * TILE - oy);
      }
    }
  }

  missing(camera) {
    const [i0, j0, i1, j1] = this.span(camera, camera.scale), found = [];
    const mx = (camera.ox + camera.width / 2) / TILE - 0.5, my = (camera.oy + camera.height / 2) / TILE - 0.5;
    for (let j = j0; j <= j1; j++) {
      for (let i = i0; i <= i1; i++) {
        const tile = this.now.tiles.get(key(i, j));
        if (!tile || !tile.ready || tile.stale) found.push({ i, j, away: (i - mx) ** 2 + (j - my) ** 2, stale: !!tile?.stale });
      }
    }
    return found.sort((a, b) => a.away - b.away);
  }

  /** Bake until a point in time; true when something new can be shown. */
  bake(camera, until) {
    let fresh = false;
    while (performance.now() < until) {
      if (!this.job) {
        const next = this.wanted?.shift();
        if (!next || this.now.scale !== camera.scale) break;
        // The list may be of a moment when this one was still being baked.
        const known = this.now.tiles.get(key(next.i, next.j));
        if (known?.ready && !known.stale) continue;
        this.start(next.i, next.j);
      }
      const step = this.job.steps.next();
      if (!step.done) continue;
      const { tile, canvas } = this.job;
      tile.canvas = step.value === false ? null : canvas;
      tile.ready = true;
      tile.stale = this.job.again;
      this.job = null;
      this.baked += 1;
      fresh = true;
      this.evict();
    }
    return fresh;
  }

  start(i, j) {
    const id = key(i, j), scale = this.now.scale;
    let tile = this.now.tiles.get(id);
    if (!tile) this.now.tiles.set(id, (tile = { i, j, canvas: null, ready: false, stale: false, used: this.use }));
    const canvas = blank(TILE, TILE), ctx = canvas.getContext("2d", { alpha: !this.opaque });
    ctx.translate(-i * TILE, -j * TILE);
    const box = [i * TILE / scale, j * TILE / scale, (i + 1) * TILE / scale, (j + 1) * TILE / scale];
    this.job = { tile, canvas, ctx, steps: this.painter.paint(ctx, box, scale), again: false };
  }

  evict() {
    const { tiles } = this.now;
    if (tiles.size <= this.most) return;
    const oldest = [...tiles.entries()].filter(([, t]) => t.used < this.use).sort((a, b) => a[1].used - b[1].used);
    for (const [id] of oldest.slice(0, tiles.size - this.most)) tiles.delete(id);
  }

  /** Tiles of the current generation that meet a world box. */
  meeting([x0, y0, x1, y1]) {
    const s = this.now.scale, found = [];
    for (const tile of this.now.tiles.values()) {
      if (tile.i * TILE <= x1 * s && (tile.i + 1) * TILE >= x0 * s && tile.j * TILE <= y1 * s && (tile.j + 1) * TILE >= y0 * s) found.push(tile);
    }
    return found;
  }

  /** Something changed in a world box: what is off screen is thrown away, what is in sight is baked anew. */
  spoil(box) {
    this.before = null;
    for (const tile of this.meeting(box)) {
      tile.stale = true;
      if (this.job?.tile === tile) this.job.again = true;
    }
  }
  drop(box) {
    for (const tile of this.meeting(box)) {
      this.now.tiles.delete(key(tile.i, tile.j));
      if (this.job?.tile === tile) this.job = null;
    }
  }

  /** Show some changed cells at once, in what is baked and in what is being baked; exact tiles follow. */
  touch(cells, box) {
    this.before = null;
    const s = this.now.scale, paint = (tile, canvas) => {
      const ctx = canvas.getContext("2d", { alpha: !this.opaque });
      ctx.setTransform(1, 0, 0, 1, -tile.i * TILE, -tile.j * TILE);
      this.painter.touch(ctx, cells, s, [tile.i * TILE / s, tile.j * TILE / s, (tile.i + 1) * TILE / s, (tile.j + 1) * TILE / s]);
    };
    for (const tile of this.meeting(box)) {
      tile.stale = true;
      if (this.job?.tile === tile) {
        this.job.again = true;
        paint(tile, this.job.canvas);
      }
      if (tile.ready && tile.canvas) paint(tile, tile.canvas);
    }
  }
}

function key(i, j) { return j * 1048576 + i; }

export function blank(width, height) {
  if (typeof OffscreenCanvas !== "undefined") return new OffscreenCanvas(width, height);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}
