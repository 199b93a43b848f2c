// Which hexes lie in what somebody drew, and where hexes come to lie that are mirrored and turned.

/** Cells whose centre lies inside a polygon of world points. */
export function within(grid, points) {
  if (points.length < 3) return [];
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]), found = [];
  const [c0, r0, c1, r1] = grid.range(least(xs, -1), least(ys, -1), least(xs, 1), least(ys, 1));
  for (let r = r0; r <= r1; r++) {
    for (let c = c0; c <= c1; c++) if (grid.hasAt(c, r) && inside(points, grid.cx(c, r), grid.cy(c, r))) found.push(r * grid.columns + c);
  }
  return found;
}
function least(values, sign) { return values.reduce((best, v) => ((v - best) * sign > 0 ? v : best)); }
function inside(points, x, y) {
  let odd = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [xi, yi] = points[i], [xj, yj] = points[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

/** Axial steps mirrored, then turned clockwise by sixths, as studio/model/region.py does it. */
export function moved(flat, turn, mirror, q, r) {
  if (mirror) {
    const across = (mirror === "left-right") === flat;
    if (flat) [q, r] = across ? [-q, q + r] : [q, -q - r];
    else [q, r] = across ? [q + r, -r] : [-q - r, r];
  }
  for (let i = 0; i < turn; i++) [q, r] = [-r, q + r];
  return [q, r];
}
