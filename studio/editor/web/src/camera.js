// Where a view looks: scale in device pixels a world unit (a hex is 1 high), and the origin of the screen.

export const MAX_SCALE = 320;
const NEARLY = 0.75;

export class Camera {
  constructor(bounds) {
    this.bounds = bounds;
    this.scale = 24;
    this.ox = 0; // screen = world * scale - o
    this.oy = 0;
    this.width = 1;
    this.height = 1;
    this.zoomed = 0; // time of the last change of scale
  }

  get minScale() {
    const [x0, y0, x1, y1] = this.bounds;
    return Math.min(MAX_SCALE / 2, Math.min(this.width / (x1 - x0), this.height / (y1 - y0)) * 0.5);
  }
  toScreen(x, y) { return [x * this.scale - this.ox, y * this.scale - this.oy]; }
  toWorld(px, py) { return [(px + this.ox) / this.scale, (py + this.oy) / this.scale]; }
  visible() { return [...this.toWorld(0, 0), ...this.toWorld(this.width, this.height)]; }

  resize(width, height) {
    const [x, y] = this.toWorld(this.width / 2, this.height / 2);
    this.width = width;
    this.height = height;
    this.centreOn(x, y);
  }
  pan(dx, dy) {
    this.ox -= dx;
    this.oy -= dy;
    this.clamp();
  }
  zoom(factor, px, py, now) {
    const scale = Math.max(this.minScale, Math.min(MAX_SCALE, this.scale * factor));
    if (scale === this.scale) return;
    const [x, y] = this.toWorld(px, py);
    this.scale = scale;
    this.ox = x * scale - px;
    this.oy = y * scale - py;
    this.zoomed = now;
    this.clamp();
  }
  centreOn(x, y) {
    this.ox = Math.round(x * this.scale - this.width / 2);
    this.oy = Math.round(y * this.scale - this.height / 2);
    this.clamp();
  }
  /** Show the whole map; `readable`: a scale that is preferred when only the outermost part of the map is cut off by it. */
  fit(now, readable = 0, margin = 14) {
    const [x0, y0, x1, y1] = this.bounds;
    let scale = Math.min((this.width - 2 * margin) / (x1 - x0), (this.height - 2 * margin) / (y1 - y0));
    if (scale < readable && scale >= readable * NEARLY) scale = readable;
    this.scale = Math.max(this.minScale, Math.min(MAX_SCALE / 2, scale));
    this.zoomed = now;
    this.centreOn((x0 + x1) / 2, (y0 + y1) / 2);
  }
  shows(x, y) {
    const [px, py] = this.toScreen(x, y);
    return px >= 0 && py >= 0 && px <= this.width && py <= this.height;
  }
  /** Bring a world position into the middle half of the view when it lies outside it. */
  reveal(x, y) {
    const [px, py] = this.toScreen(x, y), mx = this.width * 0.1, my = this.height * 0.1;
    let dx = 0, dy = 0;
    if (px < mx) dx = mx - px; else if (px > this.width - mx) dx = this.width - mx - px;
    if (py < my) dy = my - py; else if (py > this.height - my) dy = this.height - my - py;
    if (dx || dy) this.pan(Math.round(dx), Math.round(dy));
  }
  /** The middle of the view never leaves the map, so that it cannot be lost. */
  clamp() {
    const [x0, y0, x1, y1] = this.bounds, s = this.scale;
    this.ox = Math.max(x0 * s - this.width / 2, Math.min(x1 * s - this.width / 2, this.ox));
    this.oy = Math.max(y0 * s - this.height / 2, Math.min(y1 * s - this.height / 2, this.oy));
  }
}
