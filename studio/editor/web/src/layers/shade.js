// The field of view as light and shade: what is seen stays light; hindered hexes carry dots, blocked ones are dark and hatched.

const HINDERED = 2, BLOCKED = 3;
// Pixels of the far view, as bytes A B G R.
const BACK = { [HINDERED]: 0x4d14465a, [BLOCKED]: 0x8c261c18 };

export class ShadePainter {
  constructor(store) {
    Object.assign(this, { store, least: 6, plane: null });
  }
  box() { return this.store.grid.bounds; }
  tint(cell) { return this.plane ? BACK[this.plane[cell]] || 0 : 0; }

  *paint(ctx, box, scale) {
    if (!this.plane) return false;
    const g = this.store.grid, [c0, r0, c1, r1] = g.range(...box);
    const shades = { [HINDERED]: new Path2D(), [BLOCKED]: new Path2D() }, has = { [HINDERED]: false, [BLOCKED]: false };
    let n = 0;
    ctx.save();
    g.clip(ctx, scale); // half hexes at the edge end at the frame, and so does their shade
    for (let r = r0; r <= r1; r++) {
      for (let c = c0; c <= c1; c++) {
        const path = shades[this.plane[r * g.columns + c]];
        if (!path || !g.hasAt(c, r)) continue;
        has[this.plane[r * g.columns + c]] = true;
        const x = g.cx(c, r), y = g.cy(c, r);
        g.shape.forEach(([dx, dy], i) => path[i ? "lineTo" : "moveTo"]((x + dx) * scale, (y + dy) * scale));
        path.closePath();
        if (++n % 300 === 0) yield;
      }
    }
    if (has[HINDERED]) {
      ctx.fillStyle = "rgba(90,70,20,0.22)";
      ctx.fill(shades[HINDERED]);
      this.texture(ctx, shades[HINDERED], box, scale, false);
    }
    yield;
    if (has[BLOCKED]) {
      ctx.fillStyle = "rgba(24,28,38,0.46)";
      ctx.fill(shades[BLOCKED]);
      this.texture(ctx, shades[BLOCKED], box, scale, true);
    }
    ctx.restore();
    return has[HINDERED] || has[BLOCKED];
  }

  texture(ctx, path, [x0, y0, x1, y1], scale, hatched) {
    const [l, t, r, b] = [x0 * scale, y0 * scale, x1 * scale, y1 * scale], gap = Math.max(6, Math.min(14, scale * 0.22));
    ctx.save();
    ctx.clip(path);
    ctx.beginPath();
    if (hatched) {
      // Lines x + y = k * gap, the same in every tile.
      for (let k = Math.floor((l + t) / gap); k <= (r + b) / gap; k++) {
        ctx.moveTo(k * gap - t, t);
        ctx.lineTo(k * gap - b, b);
      }
      ctx.strokeStyle = "rgba(10,12,20,0.55)";
      ctx.lineWidth = Math.max(1, gap * 0.12);
      ctx.stroke();
    } else {
      for (let j = Math.floor(t / gap); j <= b / gap; j++) {
        for (let i = Math.floor(l / gap); i <= r / gap; i++) {
          const x = (i + (j & 1) / 2) * gap;
          ctx.moveTo(x + gap * 0.13, j * gap);
          ctx.arc(x, j * gap, gap * 0.13, 0, 7);
        }
      }
      ctx.fillStyle = "rgba(120,70,0,0.75)";
      ctx.fill();
    }
    ctx.restore();
  }
}
