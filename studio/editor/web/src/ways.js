// Where a road runs: through hex centres and on to the map's edge, over bridges. The same as studio/draw/subject.py and
// lines.py. `grid` is the editor's Grid; points are in world units (hex heights).

/** The side by which a road that ends in a hex leaves the map: the one most nearly straight on, or -1. */
export function wayOut(grid, end, before) {
  const came = before === undefined ? -1 : grid.direction(before, end);
  if (came < 0) return -1;
  return [0, 1, 5].map((turn) => (came + turn) % 6).find((d) => grid.neighbour(end, d) < 0) ?? -1;
}

function leave(grid, end, before) {
  const side = wayOut(grid, end, before);
  if (side < 0) return [];
  const c = grid.centre(end), corners = grid.corners(end), p = corners[side], q = corners[(side + 1) % 6];
  const m = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  // Where the frame cuts the hexes at the edge it cuts the road as well: run on beyond it.
  return [grid.cut ? [2 * m[0] - c[0], 2 * m[1] - c[1]] : m];
}

/** Points of a road through cells. */
export function roadLine(grid, cells) {
  const centres = cells.map((cell) => grid.centre(cell));
  if (cells.length < 2) return centres;
  return [...leave(grid, cells[0], cells[1]), ...centres, ...leave(grid, cells[cells.length - 1], cells[cells.length - 2])];
}

/** Decks of the bridges of a road: [[p, q], ...] for drawBridge. */
export function bridges(style, grid, cells, terrainAt) {
  const points = roadLine(grid, cells), found = [], half = style.lines.bridge.length / 2000;
  const start = cells.length > 1 ? leave(grid, cells[0], cells[1]).length : 0;
  cells.forEach((cell, n) => {
    if (!style.terrain[terrainAt(cell)]?.bridged) return;
    const i = n + start, a = points[Math.max(0, i - 1)], b = points[Math.min(points.length - 1, i + 1)], c = points[i];
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
    if (length) found.push([[c[0] - (dx / length) * half, c[1] - (dy / length) * half], [c[0] + (dx / length) * half, c[1] + (dy / length) * half]]);
  });
  return found;
}
