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
    const g = this.store.grid, [c0, r0, c1, r1] = g.range(...box), { places } = this.store;
    const shades = {}, has = { [HINDERED]: false, [BLOCKED]: false };
    for (const code of [HINDERED, BLOCKED]) shades[code] = new Path2D();
    const trace = (path, points) => {
      points.forEach(([x, y], i) => path[i ? "lineTo" : "moveTo"](x * scale, y * scale));
      path.closePath();
    };
    let n = 0;
    ctx.save();
    g.clip(ctx, scale); // half hexes at the edge end at the frame, and so does their shade
    for (let r = r0; r <= r1; r++) {
      for (let c = c0; c <= c1; c++) {
        const code = this.plane[r * g.columns + c], path = shades[code];
        if (!path || !g.hasAt(c, r)) continue;
        has[code] = true;
        const x = g.cx(c, r), y = g.cy(c, r);
        trace(path, g.shape.map(([dx, dy]) => [x + dx, y + dy]));
        if (++n % 300 === 0) yield;
      }
    }
    for (const place of places.list) {
      const code = this.plane[place.number], rings = shades[code] && places.outline(place);
      if (!rings) continue;
      has[code] = true;
      rings.forEach((ring) => trace(shades[code], ring));
    }
    if (has[HINDERED]) {
      ctx.fillStyle = "rgba(90,70,20,0.22)";
      ctx.fill(shades[HINDERED], "evenodd");
      this.texture(ctx, shades[HINDERED], box, scale, false);
    }
    yield;
    if (has[BLOCKED]) {
      ctx.fillStyle = "rgba(24,28,38,0.46)";
      ctx.fill(shades[BLOCKED], "evenodd");
      this.texture(ctx, shades[BLOCKED], box, scale, true);
    }
    ctx.restore();
    return this.signs(ctx, box, scale) || has[HINDERED] || has[BLOCKED];
  }

  /** Places without an outline carry a ring: solid where seen, dashed where hindered, dark and struck out where not. */
  signs(ctx, [x0, y0, x1, y1], scale) {
    let any = false;
    for (const { number, kind, u, v, r: size } of this.store.places.list) {
      const code = this.plane[number], r = size * 1.2;
      if (!code || kind === "area" || u + r < x0 || u - r > x1 || v + r < y0 || v - r > y1) continue;
      any = true;
      ctx.beginPath();
      ctx.arc(u * scale, v * scale, r * scale, 0, 7);
      if (code === BLOCKED) {
        ctx.fillStyle = "rgba(24,28,38,0.6)";
        ctx.fill();
        ctx.moveTo((u - r * 0.7) * scale, (v + r * 0.7) * scale);
        ctx.lineTo((u + r * 0.7) * scale, (v - r * 0.7) * scale);
      }
      ctx.setLineDash(code === HINDERED ? [4, 3] : []);
      ctx.lineWidth = Math.max(1.5, scale * 0.05);
      ctx.strokeStyle = code === BLOCKED ? "#14161c" : code === HINDERED ? "#E69F00" : "#009E73";
      ctx.stroke();
    }
    ctx.setLineDash([]);
    return any;
  }

  texture(ctx, path, [x0, y0, x1, y1], scale, hatched) {
    const [l, t, r, b] = [x0 * scale, y0 * scale, x1 * scale, y1 * scale], gap = Math.max(6, Math.min(14, scale * 0.22));
    ctx.save();
    ctx.clip(path, "evenodd");
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
