// Paints what lies on the ground: contours, crest lines, hexsides, roads, markers, names and hex numbers.

import { drawBridge, drawContour, drawCrest, drawMarker, drawName, drawNumber, drawRoads, drawSide } from "../look.js";

const ORDER = ["contour", "crest", "side", "road", "marker", "number", "name"];

/** Pixels a hex from which its number is drawn. */
export function numbersFrom(style) { return style.zoom.numbers * 1.3; }

export class FeaturePainter {
  constructor(store, layers) {
    Object.assign(this, { store, layers, least: 0, hidden: null });
  }
  box() {
    const [x0, y0, x1, y1] = this.store.grid.bounds;
    return [x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5];
  }

  *paint(ctx, box, scale) {
    const { store } = this, groups = Object.fromEntries(ORDER.map((kind) => [kind, []]));
    for (const id of store.featureBoxes.meeting(...box)) {
      const entry = store.features.get(id), kind = entry.record.kind;
      if (groups[kind] && this.layers[kind] !== false && id !== this.hidden) groups[kind].push(entry);
    }
    if (this.layers.side !== false) for (const key of store.sideBoxes.meeting(...box)) groups.side.push(store.sides.get(key));
    const numbers = scale >= numbersFrom(store.style) && this.layers.number !== false;
    let drawn = false, n = 0;
    for (const kind of ORDER) {
      if (kind === "number" && numbers) drawn = this.numbers(ctx, box, scale) || drawn;
      if (kind === "road" && groups.road.length) {
        this.bridges(ctx, groups.road, scale);
        // All roads of the tile together: no casing may cross another road's bed.
        // A road that leaves the map ends at its frame.
        ctx.save();
        store.grid.clip(ctx, scale, 0, 0, true);
        drawRoads(ctx, store.style, groups.road.map(({ record, points }) => ({ surface: record.surface, points: points.map(([x, y]) => [x * scale, y * scale]) })), scale);
        ctx.restore();
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
  bridges(ctx, roads, scale) {
    const { store } = this, { style, grid } = store;
    if (scale < style.zoom.marks) return;
    for (const { record } of roads) {
      const cells = store.cellsOf(record), points = cells.map((cell) => grid.centre(cell));
      cells.forEach((cell, i) => {
        if (!style.terrain[store.terrainAt(cell)]?.bridged) return;
        const before = points[Math.max(0, i - 1)], next = points[Math.min(points.length - 1, i + 1)], [x, y] = points[i];
        const dx = next[0] - before[0], dy = next[1] - before[1], length = Math.hypot(dx, dy), half = style.lines.bridge.length / 2000;
        if (!length) return;
        drawBridge(ctx, style, [(x - (dx / length) * half) * scale, (y - (dy / length) * half) * scale], [(x + (dx / length) * half) * scale, (y + (dy / length) * half) * scale], scale);
      });
    }
  }

  draw(ctx, kind, entry, scale) {
    const { style } = this.store, px = ([x, y]) => [x * scale, y * scale];
    if (kind === "side") {
      for (const side of entry.kinds) drawSide(ctx, style, side, px(entry.p), px(entry.q), scale);
      return;
    }
    const { record } = entry, points = entry.points.map(px);
    if (!points.length) return;
    if (kind === "crest") drawCrest(ctx, style, points, scale);
    else if (kind === "contour") drawContour(ctx, style, points, record.level, scale);
    else if (kind === "marker") drawMarker(ctx, style, record.type, points[0][0], points[0][1], scale);
    else if (kind === "name") drawName(ctx, style, record, points[0][0], points[0][1], scale);
  }

  numbers(ctx, [x0, y0, x1, y1], scale) {
    const g = this.store.grid, { style, labels } = this.store, [c0, r0, c1, r1] = g.range(x0, y0, x1, y1);
    const rise = style.letters.number_place / 1000;
    for (let r = r0; r <= r1; r++) {
      for (let c = c0; c <= c1; c++) {
        if (!g.hasAt(c, r)) continue;
        const x = g.cx(c, r), [bx0, by0, bx1, by1] = g.areaAt(x, g.cy(c, r));
        let y = g.cy(c, r) + (g.flat ? 0 : 0.12); // a pointy hex is narrow at its top
        // In a half hex the number goes where the half is.
        if (g.cut && y + rise < by0) y = by0 + 0.12 - rise;
        if (g.cut && (y + rise > by1 || x <= bx0 || x >= bx1)) continue;
        drawNumber(ctx, style, labels.at(c, r), x * scale, y * scale, scale);
      }
    }
    return true;
  }
}
