// Paints what lies on the ground: contours, crest lines, hexsides, roads, names and hex numbers, and ink between them.

import { drawBridge, drawContour, drawCrest, drawName, drawNumber, drawRoads, drawSide } from "../look.js";
import { OVER_GROUND } from "./terrain.js";

// From the lowest to the uppermost, as studio/draw has it by its zorders; a number is ink up to that zorder.
const ORDER = ["contour", "crest", "ford", "road", "side", 10, "number", 12, "name", Infinity], WRITTEN = ["number", "name"];

/** Pixels a hex from which its number is drawn. */
export function numbersFrom(style) { return style.zoom.numbers * 1.3; }

export class FeaturePainter {
  /** far: px a hex below which the ground has no tiles, so that its ink is painted here. */
  constructor(store, layers, far) {
    Object.assign(this, { store, layers, far, least: 0, hidden: null });
  }
  box() {
    const [x0, y0, x1, y1] = this.store.grid.bounds;
    return [x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5];
  }

  /** What is written lies over answers, so that it may be painted by itself. */
  *paint(ctx, box, scale, written = false) {
    const { store, layers } = this, groups = Object.fromEntries(ORDER.map((kind) => [kind, []])), { style } = store;
    for (const id of store.featureBoxes.meeting(...box)) {
      const entry = store.features.get(id), { kind } = entry.record;
      if (groups[kind] && layers.shown(kind) && id !== this.hidden) groups[kind].push(entry);
    }
    // What roads cross by bridges lies under them.
    if (layers.shown("side")) for (const key of store.sideBoxes.meeting(...box)) {
      const { p, q, kinds } = store.sides.get(key);
      for (const kind of kinds) groups[style.lines.sides[kind]?.bridged ? "ford" : "side"].push({ kind, p, q });
    }
    const numbers = scale >= numbersFrom(style) && layers.shown("number");
    let drawn = !written && scale < this.far && (yield* layers.ink(ctx, box, scale, 0, OVER_GROUND)), n = 0, below = OVER_GROUND;
    for (const kind of written ? WRITTEN : ORDER) {
      ctx.globalAlpha = 1;
      if (kind > 0) {
        drawn = (yield* layers.ink(ctx, box, scale, below, kind)) || drawn;
        below = kind;
        continue;
      }
      ctx.globalAlpha = layers.alpha(kind === "ford" ? "side" : kind);
      if (kind === "number" && numbers) drawn = this.numbers(ctx, box, scale) || drawn;
      if (kind === "road" && groups.road.length) {
        this.bridges(ctx, groups.road, scale, false);
        // All roads of the tile together: no casing may cross another road's bed.
        // A road that leaves the map ends at its frame.
        ctx.save();
        store.grid.clip(ctx, scale, 0, 0, true);
        drawRoads(ctx, style, groups.road.map(({ record, points }) => ({ surface: record.surface, points: points.map(([x, y]) => [x * scale, y * scale]) })), scale);
        ctx.restore();
        this.bridges(ctx, groups.road, scale, true);
        drawn = true;
        continue;
      }
      for (const entry of groups[kind]) {
        ctx.save();
        this.draw(ctx, kind, entry, scale);
        ctx.restore();
        drawn = true;
        if (++n % 40 === 0) yield;
      }
      yield;
    }
    return drawn;
  }

  /** Where a road runs through water or a dry bed. */
  bridges(ctx, roads, scale, sides) {
    const { store } = this, { style, grid } = store;
    const span = ([x, y], [px, py], [qx, qy]) => {
      const dx = qx - px, dy = qy - py, length = Math.hypot(dx, dy), half = style.lines.bridge.length / 2000, u = (dx / length) * half, v = (dy / length) * half;
      if (length) drawBridge(ctx, style, [(x - u) * scale, (y - v) * scale], [(x + u) * scale, (y + v) * scale], scale, sides);
    };
    for (const { record } of roads) {
      const cells = store.cellsOf(record), points = cells.map((cell) => grid.centre(cell));
      cells.forEach((cell, i) => {
        if (style.terrain[store.terrainAt(cell)]?.bridged) span(points[i], points[Math.max(0, i - 1)], points[Math.min(points.length - 1, i + 1)]);
        if (i && store.kindsOf(cells[i - 1], cell).some((kind) => style.lines.sides[kind]?.bridged)) span([(points[i][0] + points[i - 1][0]) / 2, (points[i][1] + points[i - 1][1]) / 2], points[i - 1], points[i]);
      });
    }
  }

  draw(ctx, kind, entry, scale) {
    const { style } = this.store, px = ([x, y]) => [x * scale, y * scale];
    if (entry.q) {
      drawSide(ctx, style, entry.kind, px(entry.p), px(entry.q), scale);
      return;
    }
    const { record } = entry, points = entry.points.map(px);
    if (!points.length) return;
    if (kind === "crest") drawCrest(ctx, style, points, scale);
    else if (kind === "contour") drawContour(ctx, style, points, record.level, scale);
    else if (kind === "name") drawName(ctx, style, record, points[0][0], points[0][1], scale);
  }

  numbers(ctx, [x0, y0, x1, y1], scale) {
    const g = this.store.grid, { style, labels } = this.store, [c0, r0, c1, r1] = g.range(x0, y0, x1, y1);
    const rise = style.letters.number_place / 1000;
    for (let r = r0; r <= r1; r++) {
      for (let c = c0; c <= c1; c++) {
        if (!g.hasAt(c, r) || !this.store.outlined(r * g.columns + c)) continue;
        const x = g.cx(c, r), [bx0, by0, bx1, by1] = g.areaAt(x, g.cy(c, r));
        let y = g.cy(c, r) + (g.flat ? 0 : 0.12); // a pointy hex is narrow at its top
        // In a half hex the number goes where the half is.
        if (g.cut && y + rise < by0) y = by0 + 0.12 - rise;
        if (g.cut && (y + rise > by1 || x <= bx0 || x >= bx1)) continue;
        drawNumber(ctx, style, labels.short(c, r), x * scale, y * scale, scale);
      }
    }
    return true;
  }
}
