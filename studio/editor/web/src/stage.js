// Three stacked canvases and one clock: terrain, features (with the field of view), and what lies above. Each is redrawn only
// when it changed; baking of exact tiles gets what is left of 6 ms a frame.

import { Backdrop } from "./layers/backdrop.js";
import { FeaturePainter } from "./layers/features.js";
import { Layers } from "./layers/layers.js";
import { ShadePainter } from "./layers/shade.js";
import { TerrainPainter } from "./layers/terrain.js";
import { TileLayer } from "./layers/tiles.js";

const BUDGET = 6; // ms of baking a frame
const REST = 60; // ms after a change of hexes in which the exact ground waits: a stroke under way needs the next frame
const LONG = 3000; // ms of changes after which it waits no more
const PATCH = 600; // cells of a stroke that are repainted within finished tiles; more of them are baked anew

export class Stage {
  constructor(store, camera, drawAbove, onReady) {
    Object.assign(this, { store, camera, drawAbove, onReady, ready: false, request: 0, painted: -Infinity, since: 0 });
    this.layers = new Layers();
    this.over = []; // painters on the topmost canvas, below the tool's own drawing
    this.answers = []; // tile layers of answers, each with `below`: whether it lies under the features
    this.canvases = ["ground", "features", "above"].map((name) => {
      const canvas = document.createElement("canvas");
      canvas.className = `wgs-canvas wgs-${name}`;
      canvas.setAttribute("aria-hidden", "true");
      return canvas;
    });
    this.contexts = this.canvases.map((canvas) => canvas.getContext("2d"));
    this.dirty = [true, true, true];
    this.stats = { frames: 0, ground: 0, features: 0, above: 0, times: [] };
    this.tick = (time) => this.frame(time);
    this.rebuild();
  }

  /** Everything anew: after a resync, or a change of style. */
  rebuild() {
    const { store, layers } = this;
    this.terrain = new TerrainPainter(store, layers);
    this.features = new FeaturePainter(store, layers, this.terrain.least);
    this.shade = new ShadePainter(store);
    this.groundTiles = new TileLayer(this.terrain, { bytes: 64e6 });
    this.featureTiles = new TileLayer(this.features, { bytes: 48e6 });
    this.shadeTiles = new TileLayer(this.shade, { bytes: 32e6 });
    this.backdrop = new Backdrop(store.grid, (cell) => this.terrain.tint(cell));
    this.shadow = null;
    this.answers.forEach((layer) => layer.clear());
    this.redraw(0, 1, 2);
  }

  redraw(...which) {
    for (const n of which) this.dirty[n] = true;
    if (!this.request) this.request = requestAnimationFrame(this.tick);
  }
  moved() { this.redraw(0, 1, 2); }

  setSize(width, height) {
    for (const canvas of this.canvases) {
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
    }
    this.redraw(0, 1, 2);
  }

  frame(time) {
    this.request = 0;
    const started = performance.now(), { camera, dirty } = this;
    if (camera.width < 2) return;
    let more = false;
    if (dirty[0]) more = this.drawGround(performance.now()) || more;
    if (dirty[1]) more = this.drawFeatures(performance.now()) || more;
    if (dirty[2]) this.drawTop();
    const until = Math.max(started + BUDGET, performance.now() + 2);
    // What somebody has just drawn comes before the ground below it.
    if (this.featureTiles.wanted?.some((tile) => tile.stale) && this.featureTiles.bake(camera, until)) dirty[1] = true;
    if ((started - this.painted > REST || started - this.since > LONG) && this.groundTiles.bake(camera, until)) dirty[0] = true;
    if (this.shade.plane && this.shadeTiles.bake(camera, until)) dirty[1] = true;
    for (const layer of [this.featureTiles, ...this.answers]) if (layer.bake(camera, until)) dirty[1] = true;
    const waiting = this.waits();
    if (waiting) {
      // The zoom is not still yet, or tiles are missing: come back.
      if (this.groundTiles.now.scale !== camera.scale) dirty[0] = dirty[1] = true;
    }
    this.stats.frames += 1;
    this.firstPicture ||= performance.now();
    this.stats.times.push([time, performance.now() - started]);
    if (this.stats.times.length > 600) this.stats.times.splice(0, 300);
    if (more || waiting || dirty[0] || dirty[1] || dirty[2]) {
      if (!this.request) this.request = requestAnimationFrame(this.tick);
    } else if (!this.ready) {
      this.ready = true;
      this.onReady();
    }
  }

  waits() {
    return [this.groundTiles, this.featureTiles, ...this.answers, ...(this.shade.plane ? [this.shadeTiles] : [])].some(
      (layer) => layer.now.scale !== this.camera.scale || layer.wanted?.length || layer.job);
  }

  drawGround(time) {
    const ctx = this.contexts[0], { camera } = this, { width, height } = this.canvases[0];
    this.dirty[0] = false;
    this.stats.ground += 1;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, width, height);
    this.scan?.draw(ctx, true);
    const { shown, alpha } = this.layers.at("terrain");
    const whole = camera.scale >= this.terrain.least && this.groundTiles.now.scale === camera.scale && !this.groundTiles.missing(camera).some((t) => !t.stale);
    ctx.globalAlpha = alpha;
    if (!whole && shown && !this.scan?.tinted(ctx)) this.drawBackdrop(ctx, this.backdrop);
    ctx.globalAlpha = 1;
    const more = this.groundTiles.draw(ctx, camera, time);
    this.scan?.draw(ctx, false);
    this.drawBorder(ctx);
    return more;
  }

  drawBorder(ctx) {
    const { camera } = this, { border, seams } = this.store.grid, look = this.store.style.lines;
    const trace = (lines, closed) => {
      ctx.beginPath();
      for (const line of lines) {
        line.forEach(([x, y], i) => ctx[i ? "lineTo" : "moveTo"](...camera.toScreen(x, y).map(Math.round)));
        if (closed) ctx.closePath();
      }
      ctx.stroke();
    };
    ctx.strokeStyle = look.frame_color;
    ctx.lineWidth = Math.max(1, (look.frame_width * camera.scale) / 1000);
    trace(border, true);
    if (!seams.length) return;
    ctx.lineWidth = Math.max(1, ctx.lineWidth / 3);
    ctx.setLineDash([4 * ctx.lineWidth, 3 * ctx.lineWidth]);
    trace(seams, false);
    ctx.setLineDash([]);
  }

  drawBackdrop(ctx, backdrop) {
    const g = this.store.grid;
    ctx.save();
    const [left, top] = this.camera.toScreen(0, 0);
    g.clip(ctx, this.camera.scale, left, top);
    backdrop.draw(ctx, this.camera);
    ctx.restore();
  }

  drawFeatures(time) {
    const ctx = this.contexts[1], { camera } = this, { width, height } = this.canvases[1];
    this.dirty[1] = false;
    this.stats.features += 1;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, width, height);
    let more = false;
    const answers = (below) => this.answers.forEach((layer) => { if (layer.painter.below === below) more = layer.draw(ctx, camera, time) || more; });
    answers(true);
    more = this.featureTiles.draw(ctx, camera, time) || more;
    answers(false);
    if (this.shade.plane) {
      const exact = this.shadeTiles.now.scale === camera.scale && camera.scale >= this.shade.least && !this.shadeTiles.missing(camera).length;
      if (!exact) this.drawBackdrop(ctx, this.shadow);
      if (exact || this.shadeTiles.now.scale !== camera.scale) more = this.shadeTiles.draw(ctx, camera, time) || more;
      else {
        // Shade is translucent: exact tiles over the far picture would darken twice, so they wait until all are there.
        this.shadeTiles.wanted = camera.scale >= this.shade.least ? this.shadeTiles.missing(camera) : [];
        more = this.shadeTiles.wanted.length > 0 || more;
      }
    }
    return more;
  }

  drawTop() {
    const ctx = this.contexts[2], { width, height } = this.canvases[2];
    this.dirty[2] = false;
    this.stats.above += 1;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, width, height);
    this.over.forEach((painter) => painter.draw(ctx));
    this.drawAbove(ctx);
  }

  // -- changes --------------------------------------------------------------------------------------------------------

  cellsChanged(cells) {
    const now = performance.now();
    if (now - this.painted > REST) this.since = now;
    this.painted = now;
    this.backdrop.update(cells);
    const g = this.store.grid;
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    for (const cell of cells) {
      const x = g.cx(cell % g.columns, (cell / g.columns) | 0), y = g.cy(cell % g.columns, (cell / g.columns) | 0);
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
    }
    const box = [x0 - 2, y0 - 2, x1 + 2, y1 + 2];
    if (cells.length <= PATCH) this.groundTiles.touch(cells, box);
    else this.groundTiles.drop(box); // the backdrop shows the stroke until they are there
    this.redraw(0);
  }
  sidesChanged(sides) {
    const cells = sides.flat();
    // Dry beds open towards some sides.
    if (this.store.style.terrain.wadi && cells.some((cell) => this.store.terrainAt(cell) === "wadi")) this.cellsChanged(cells);
    for (const [a, b] of sides) {
      const [x, y] = this.store.grid.centre(a), [u, v] = this.store.grid.centre(b);
      this.featureTiles.spoil([Math.min(x, u) - 1, Math.min(y, v) - 1, Math.max(x, u) + 1, Math.max(y, v) + 1]);
    }
    this.redraw(1);
  }
  /** `ground`: cells whose marks keep clear of what changed. */
  featuresChanged(boxes, ground = [], relief = false) {
    if (relief) this.groundTiles.clear();
    if (ground.length) this.cellsChanged([...new Set(ground)]);
    boxes.forEach((box) => this.featureTiles.spoil(box));
    this.redraw(1);
  }
  /** change: {shown, alpha, locked, below}, or some of them. */
  setLayer(id, change) {
    this.layers.set(id, change);
    if ("locked" in change) return;
    for (const layer of [this.groundTiles, this.featureTiles, ...this.answers]) layer.spoil([-Infinity, -Infinity, Infinity, Infinity]);
    this.redraw(0, 1, 2);
  }
  setShade(plane) {
    this.shade.plane = plane;
    this.shadeTiles.clear();
    this.shadow = plane ? new Backdrop(this.store.grid, (cell) => this.shade.tint(cell)) : null;
    this.redraw(1);
  }
  stop() { cancelAnimationFrame(this.request); }
}
