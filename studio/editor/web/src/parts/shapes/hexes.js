// Areas of whole hexes: the rings around a set of cells, on the lattice.

/** Rings [[x, y], ...] around cells, outer ones clockwise on the screen and holes the other way; corners kept within the frame. */
export function ringsOf(cells, grid) {
  const set = cells instanceof Set ? cells : new Set(cells), next = new Map(), [x0, y0, x1, y1] = grid.frame, key = (p) => `${p[0]},${p[1]}`;
  for (const cell of set) {
    const [x, y] = grid.centreLattice(cell);
    for (let d = 0; d < 6; d++) {
      if (set.has(grid.neighbour(cell, d))) continue;
      const a = grid.offsets[d], b = grid.offsets[(d + 1) % 6], p = [x + a[0], y + a[1]], q = [x + b[0], y + b[1]];
      next.set(key(p), [p, q]); // three hexes meet in a corner: one edge at most leaves it
    }
  }
  const rings = [];
  while (next.size) {
    const ring = [];
    let [at] = next.keys();
    while (next.has(at)) {
      const [p, q] = next.get(at);
      next.delete(at);
      ring.push([Math.max(x0, Math.min(x1, p[0])), Math.max(y0, Math.min(y1, p[1]))]);
      at = key(q);
    }
    rings.push(tidy(ring));
  }
  return rings.filter((ring) => ring.length > 2);
}
/** Without corners that follow themselves or lie on a straight line. */
function tidy(ring) {
  let kept = ring.filter((p, i) => { const q = ring[(i + ring.length - 1) % ring.length]; return p[0] !== q[0] || p[1] !== q[1]; });
  for (let n = -1; n !== kept.length;) {
    n = kept.length;
    kept = kept.filter((p, i) => {
      const a = kept[(i + kept.length - 1) % kept.length], b = kept[(i + 1) % kept.length];
      return (p[0] - a[0]) * (b[1] - a[1]) !== (p[1] - a[1]) * (b[0] - a[0]);
    });
  }
  return kept;
}
