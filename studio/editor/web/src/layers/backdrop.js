// The whole map as a bitmap of 1 x 2 pixels a hex (2 x 1 for pointy hexes): half a hex of stagger is one whole pixel.
// It is cut into squares so that a stroke on a huge map uploads little.

import { blank } from "./tiles.js";

const SQUARE = 512;

export class Backdrop {
  /** colour(cell) -> [r, g, b, a] */
  constructor(grid, colour) {
    Object.assign(this, { grid, colour, squares: new Map() });
    this.width = grid.flat ? grid.columns : 2 * grid.columns + 1;
    this.height = grid.flat ? 2 * grid.rows + 1 : grid.rows;
    const data = new Uint32Array(this.width * this.height);
    this.data = data;
    for (let cell = 0; cell < grid.size; cell++) this.plot(cell);
    for (let y = 0; y < this.height; y += SQUARE) for (let x = 0; x < this.width; x += SQUARE) this.upload(x, y);
  }

  plot(cell) {
    const g = this.grid, c = cell % g.columns, r = (cell / g.columns) | 0;
    const value = g.has(cell) ? this.colour(cell) : 0;
    if (g.flat) {
      const at = (2 * r + g.shifted(c)) * this.width + c;
      this.data[at] = value;
      this.data[at + this.width] = value;
    } else {
      const at = r * this.width + 2 * c + g.shifted(r);
      this.data[at] = value;
      this.data[at + 1] = value;
    }
  }

  upload(x, y) {
    const w = Math.min(SQUARE, this.width - x), h = Math.min(SQUARE, this.height - y), id = `${x},${y}`;
    if (!this.squares.has(id)) this.squares.set(id, { x, y, w, h, canvas: blank(w, h) });
    const image = new ImageData(w, h), out = new Uint32Array(image.data.buffer);
    for (let j = 0; j < h; j++) out.set(this.data.subarray((y + j) * this.width + x, (y + j) * this.width + x + w), j * w);
    this.squares.get(id).canvas.getContext("2d").putImageData(image, 0, 0);
  }

  update(cells) {
    const g = this.grid, dirty = new Set();
    if (cells.length > 250 * this.squares.size) {
      // So much that all of it goes to the screen: no need to ask where.
      for (const cell of cells) this.plot(cell);
      for (const { x, y } of this.squares.values()) this.upload(x, y);
      return;
    }
    for (const cell of cells) {
      this.plot(cell);
      const c = cell % g.columns, r = (cell / g.columns) | 0;
      const x = g.flat ? c : 2 * c + g.shifted(r), y = g.flat ? 2 * r + g.shifted(c) : r;
      for (const [dx, dy] of [[0, 0], g.flat ? [0, 1] : [1, 0]]) dirty.add(`${Math.floor((x + dx) / SQUARE) * SQUARE},${Math.floor((y + dy) / SQUARE) * SQUARE}`);
    }
    // A square that goes to the screen anew costs as much as some hundred single pixels.
    if (cells.length < 250 * dirty.size) this.stamp(cells);
    else for (const id of dirty) this.upload(...id.split(",").map(Number));
  }

  /** A few cells: single pixels instead of whole squares. */
  stamp(cells) {
    const g = this.grid;
    for (const cell of cells) {
      const c = cell % g.columns, r = (cell / g.columns) | 0;
      const x = g.flat ? c : 2 * c + g.shifted(r), y = g.flat ? 2 * r + g.shifted(c) : r;
      const v = this.data[y * this.width + x];
      for (const [px, py] of [[x, y], g.flat ? [x, y + 1] : [x + 1, y]]) {
        const square = this.squares.get(`${Math.floor(px / SQUARE) * SQUARE},${Math.floor(py / SQUARE) * SQUARE}`);
        const ctx = square.canvas.getContext("2d");
        ctx.clearRect(px - square.x, py - square.y, 1, 1);
        ctx.fillStyle = `rgba(${v & 255},${(v >> 8) & 255},${(v >> 16) & 255},${(v >>> 24) / 255})`;
        ctx.fillRect(px - square.x, py - square.y, 1, 1);
      }
    }
  }

  draw(ctx, camera) {
    const g = this.grid, s = camera.scale, ox = Math.round(camera.ox), oy = Math.round(camera.oy);
    // One pixel is three quarters of a hex across the lines and half a hex along them.
    const ux = (g.flat ? 720 * g.kx : 240 * g.kx) * s, uy = (g.flat ? 240 * g.ky : 720 * g.ky) * s;
    const x0 = (g.flat ? 120 * g.kx : 0) * s - ox, y0 = (g.flat ? 0 : 120 * g.ky) * s - oy;
    ctx.save();
    ctx.imageSmoothingEnabled = s < 2.5;
    ctx.imageSmoothingQuality = "low";
    for (const { x, y, w, h, canvas } of this.squares.values()) {
      const left = x0 + x * ux, top = y0 + y * uy, wide = w * ux, high = h * uy;
      if (left > camera.width || top > camera.height || left + wide < 0 || top + high < 0) continue;
      // Only the visible part, so that a close view of a large map stays cheap.
      const sx = Math.max(0, Math.floor(-left / ux)), sy = Math.max(0, Math.floor(-top / uy));
      const ex = Math.min(w, Math.ceil((camera.width - left) / ux)), ey = Math.min(h, Math.ceil((camera.height - top) / uy));
      if (ex <= sx || ey <= sy) continue;
      // Whole device pixels, or a seam shows between two squares.
      const x1 = Math.round(left + sx * ux), y1 = Math.round(top + sy * uy);
      ctx.drawImage(canvas, sx, sy, ex - sx, ey - sy, x1, y1, Math.round(left + ex * ux) - x1, Math.round(top + ey * uy) - y1);
    }
    ctx.restore();
  }
}
