// Two fingers on the map: they move and zoom it, whatever the tool; what one of them had begun is given up.

export class Fingers {
  constructor(view) { Object.assign(this, { view, at: new Map(), pair: false }); }

  /** True when the event belongs to two fingers. */
  down(ev) {
    if (ev.pointerType !== "touch") return false;
    this.at.set(ev.pointerId, [ev.clientX, ev.clientY]);
    if (this.at.size !== 2) return this.pair;
    const { view } = this;
    this.pair = true;
    if (view.pressed !== undefined) view.tool.cancel?.();
    view.pressed = undefined;
    view.panning = null;
    return true;
  }
  move(ev) {
    if (!this.at.has(ev.pointerId)) return false;
    const before = this.span();
    this.at.set(ev.pointerId, [ev.clientX, ev.clientY]);
    if (!this.pair || !before) return this.pair;
    const { view } = this, after = this.span(), box = view.frame.area.getBoundingClientRect();
    view.pan((after.x - before.x) * view.dpr, (after.y - before.y) * view.dpr);
    if (before.far > 8) view.zoom(after.far / before.far, (after.x - box.left) * view.dpr, (after.y - box.top) * view.dpr);
    return true;
  }
  /** The last finger that is left draws nothing. */
  up(ev) {
    this.at.delete(ev.pointerId);
    const mine = this.pair;
    if (!this.at.size) this.pair = false;
    return mine;
  }
  span() {
    if (this.at.size !== 2) return null;
    const [[x, y], [u, v]] = [...this.at.values()];
    return { x: (x + u) / 2, y: (y + v) / 2, far: Math.hypot(u - x, v - y) };
  }
}
