// Draws the scan on the ground canvas: over the ground with its opacity, or under it while the tints are thinned by as much.
// What is in sight is put together once a camera position, so that a stroke of the brush costs one copy.

import { blank } from "../../layers/tiles.js";
import { after, at, back, growth, scaled, use } from "./affine.js";
import { tilesOf } from "./tiles.js";

const STILL = 120; // ms without a change of zoom before squares are asked for

export class ScanLayer {
  constructor(view) {
    Object.assign(this, { view, tiles: tilesOf(view.store), sheet: null, made: "" });
    this.again = () => view.stage.redraw(0, 2);
    this.tiles.listeners.add(this.again);
    this.refresh();
  }
  get state() { return this.view.store.backdrop; }
  /** How this view shows the layer, on top of what the map says of it. */
  get own() { return this.view.stage.layers.at("backdrop"); }
  get shown() { return !!(this.state.file && this.state.visible && this.state.sha256) && this.own.shown; }
  get opacity() { return this.state.opacity * this.own.alpha; }

  /** The record of the scan is another one. */
  refresh() {
    const { stage, frame } = this.view, { state, tiles } = this;
    if ((state.sha256 || "") !== tiles.sha) tiles.clear(state.sha256 || "");
    // Over or under the terrain is what the map says, until somebody turns it about in this view.
    if (state.file && this.under !== !!state.under) {
      this.under = !!state.under;
      stage.layers.set("backdrop", { below: this.under });
      frame.panel.showLayers();
    }
    this.thinned();
    stage.redraw(0, 2);
  }
  /** The tints are thinned for what lies under them. */
  thinned() {
    const { stage } = this.view, fade = this.shown && this.own.below ? this.opacity : 0;
    if (this.fade === fade) return;
    this.fade = fade;
    stage.layers.fade = fade ? this : null;
    stage.groundTiles.clear();
  }

  // -- tints over the scan let it show through; what comes on top of them, such as woods and hexsides, does not ----------

  /** All that was painted so far. */
  thin(ctx) {
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalCompositeOperation = "destination-in";
    ctx.fillStyle = `rgba(0,0,0,${1 - this.fade})`;
    ctx.fillRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    ctx.restore();
  }
  /** One hex, before its tint is painted anew. */
  punch(ctx, path) {
    ctx.globalCompositeOperation = "destination-out";
    ctx.fill(path);
    Object.assign(ctx, { globalCompositeOperation: "source-over", globalAlpha: 1 - this.fade });
  }

  /** From pixels of the picture to device pixels. */
  toScreen(camera = this.view.camera) {
    const s = camera.scale;
    return after([s, 0, -Math.round(camera.ox), 0, s, -Math.round(camera.oy)], this.state.affine);
  }

  draw(ctx, under) {
    this.thinned();
    if (!this.shown || this.own.below !== under) return;
    const { camera, stage } = this.view, { width, height } = stage.canvases[0], to = this.toScreen(camera);
    const [a, b, c, d, e, f] = to, made = [width, height, a, b, d, e, this.tiles.version].join();
    const dx = c - this.left, dy = f - this.top;
    if (made !== this.made || Math.abs(dx) >= width || Math.abs(dy) >= height) {
      if (this.sheet?.width !== width || this.sheet?.height !== height) this.sheet = blank(width, height);
      this.missing = this.renew(to, [0, 0, width, height]);
    } else if (dx || dy) this.shift(to, dx, dy, width, height);
    Object.assign(this, { made, left: c, top: f });
    if (this.missing) this.ask(camera);
    ctx.globalAlpha = under ? 1 : this.opacity;
    ctx.drawImage(this.sheet, 0, 0);
    ctx.globalAlpha = 1;
  }

  /** Paint a part of the sheet anew. */
  renew(to, [x0, y0, x1, y1]) {
    const ctx = this.sheet.getContext("2d");
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(x0, y0, x1 - x0, y1 - y0);
    ctx.beginPath();
    ctx.rect(x0, y0, x1 - x0, y1 - y0);
    ctx.clip();
    const missing = this.paint(ctx, to, [x0, y0, x1, y1]);
    ctx.restore();
    return missing;
  }
  /** The map was moved by whole pixels: what is there moves along, and only what came into sight is painted. */
  shift(to, dx, dy, width, height) {
    const ctx = this.sheet.getContext("2d");
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalCompositeOperation = "copy";
    ctx.drawImage(this.sheet, dx, dy);
    ctx.globalCompositeOperation = "source-over";
    const parts = [dx > 0 ? [0, 0, dx, height] : [width + dx, 0, width, height], dy > 0 ? [0, 0, width, dy] : [0, height + dy, width, height]];
    for (const box of parts) {
      if (box[2] <= box[0] || box[3] <= box[1]) continue;
      const missing = this.renew(to, box);
      if (missing) this.missing = [...(this.missing || []), ...missing];
    }
  }

  ask(camera) {
    clearTimeout(this.timer);
    if (performance.now() - camera.zoomed >= STILL) this.tiles.want(this.missing);
    else this.timer = setTimeout(() => this.again(), STILL);
  }

  /** Paint what there is of the picture within a box; the squares that are missing, null when none is. */
  paint(ctx, to, [x0, y0, x1, y1]) {
    const { tiles, state } = this;
    if (!tiles.size) return [];
    const { side, levels } = tiles, first = state.size[0] / tiles.size[0], unit = growth(to) * first;
    const level = Math.max(0, Math.min(levels - 1, Math.floor(Math.log2(1 / unit) + 0.3))), k = 2 ** level;
    const m = after(to, scaled(first * k)), from = back(m), missing = [];
    const wide = tiles.size[0] / k, high = tiles.size[1] / k, corners = [[x0, y0], [x1, y0], [x0, y1], [x1, y1]].map(([x, y]) => at(from, x, y));
    const low = (n) => Math.max(0, Math.floor(Math.min(...corners.map((p) => p[n])) / side)), top = (n, most) => Math.min(Math.ceil(most / side) - 1, Math.floor(Math.max(...corners.map((p) => p[n])) / side));
    const middle = at(from, (x0 + x1) / 2, (y0 + y1) / 2);
    use(ctx, m);
    ctx.imageSmoothingEnabled = unit * k < 4; // close by, the pixels themselves are what one wants to see
    for (let j = low(1); j <= top(1, high); j++) {
      for (let i = low(0); i <= top(0, wide); i++) {
        if (!tiles.has(level, i, j)) missing.push([level, i, j]);
        this.square(ctx, level, i, j, Math.min(side, wide - i * side), Math.min(side, high - j * side));
      }
    }
    const away = ([, i, j]) => (i + 0.5 - middle[0] / side) ** 2 + (j + 0.5 - middle[1] / side) ** 2;
    return missing.length ? missing.sort((a, b) => away(a) - away(b)) : null;
  }

  /** One square; of a coarser level as long as it has not come. */
  square(ctx, level, i, j, w, h) {
    const { tiles } = this, { side } = tiles;
    for (let up = 0; level + up < tiles.levels; up++) {
      const bitmap = tiles.get(level + up, i >> up, j >> up);
      if (!bitmap) continue;
      const f = 2 ** -up, sx = (i % 2 ** up) * side * f, sy = (j % 2 ** up) * side * f;
      // One pixel more than its own, or the background shines through between two squares.
      const sw = Math.min((w + 1) * f, bitmap.width - sx), sh = Math.min((h + 1) * f, bitmap.height - sy);
      if (sw > 0 && sh > 0) ctx.drawImage(bitmap, sx, sy, sw, sh, i * side, j * side, sw / f, sh / f);
      return;
    }
  }

  /** Far tints under way: thinned as the exact ones are, and never below them, where both would add up. True when it saw to that. */
  tinted(ctx) {
    const { stage, camera } = this.view, { fade } = this;
    if (!fade) return false;
    const { groundTiles: ground } = stage, exact = ground.now.scale === camera.scale && camera.scale >= stage.terrain.least;
    if (!exact && camera.scale >= stage.terrain.least && ground.now.tiles.size) return true;
    ctx.save();
    if (exact) {
      if (ground.before) { ctx.restore(); return true; }
      ctx.beginPath();
      for (const { i, j, stale } of ground.missing(camera)) if (!stale) ctx.rect(i * 256 - Math.round(camera.ox), j * 256 - Math.round(camera.oy), 256, 256);
      ctx.clip();
    }
    ctx.globalAlpha *= 1 - fade;
    stage.drawBackdrop(ctx, stage.backdrop);
    ctx.restore();
    return true;
  }
}
