// Where a terrain's marks stand in a hex: whole numbers only, the same list as studio/draw/marks.py makes, function by
// function (a test compares them). Thousandths of a hex's height from its centre, x right, y down, a regular flat-top hex;
// sides count clockwise from the top, corner i lies between side i and the next.

export const VARIANTS = 8;
const NORMALS = [[0, -1000], [866, -500], [866, 500], [0, 1000], [-866, 500], [-866, -500]];
const CORNERS = [[289, -500], [577, 0], [289, 500], [-289, 500], [-577, 0], [-289, -500]];
const MIDS = [[0, -500], [433, -250], [433, 250], [0, 500], [-433, 250], [-433, -250]];
const AXES = [90, -30, 30, 90, -30, 30];
const SINE = Array.from({ length: 360 }, (_, i) => Math.floor(1000 * Math.sin((i * Math.PI) / 180) + 0.5));

const div = (a, b) => Math.floor(a / b);
const isqrt = (n) => Math.floor(Math.sqrt(n));
const flat = (points) => points.flat();

export function hash3(a, b, k) {
  let h = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b) ^ Math.imul(k + 1, 0xc2b2ae35);
  h ^= h >>> 16;
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** What a hex's marks depend on: [variant, same, off, roads, ends]; sides are bits 0 to 5. */
export function markKey(style, terrain, col, row, neighbours, roads = 0, ends = 0) {
  const { joins, patch, marks: kinds } = style.terrain[terrain], scattered = (m) => m.recipe === "scatter";
  let same = 0, off = 0;
  for (let i = 0; i < 6; i++) {
    const other = neighbours[i];
    if (other === null || other === undefined) off |= 1 << i;
    else if (other === terrain || joins.includes(other)) same |= 1 << i;
  }
  // Leave out what changes nothing, so that many hexes share one pattern.
  if (!patch && kinds.every((m) => scattered(m) && m.alone)) same = off = 0;
  if (!kinds.some((m) => m.recipe === "rows" || (scattered(m) && m.clear_road))) roads = 0;
  if (!kinds.some((m) => m.recipe === "channel")) ends = 0;
  return [hash3(col, row, 0) % VARIANTS, same, off, roads, ends];
}

export function marks(style, terrain, col, row, neighbours, roads = 0, ends = 0) {
  return place(style, terrain, markKey(style, terrain, col, row, neighbours, roads, ends));
}

export function place(style, terrain, key) {
  const look = style.terrain[terrain], [variant, same, off] = key, out = [];
  let salt = 0;
  for (const ch of terrain) salt += ch.codePointAt(0);
  salt *= 8;
  if (look.patch) out.push([-1, "patch", flat(patchOutline(look.patch, variant, salt, same | off))]);
  look.marks.forEach((recipe, index) => {
    const args = [recipe, index, key, salt + index + 1];
    if (recipe.recipe === "scatter") out.push(...scatter(style, ...args));
    else if (recipe.recipe === "rows") out.push(...rows(...args));
    else if (recipe.recipe === "fields") out.push(...fields(...args, look.patch || { inset: 0, wobble: 0 }));
    else out.push(...channel(...args));
  });
  return out;
}

const cos = (degrees) => SINE[(((degrees + 90) % 360) + 360) % 360];
const sin = (degrees) => SINE[((degrees % 360) + 360) % 360];

function toSide(x, y, side) {
  const [nx, ny] = NORMALS[side];
  return 500 - div(x * nx + y * ny, 1000);
}

function nearest(x, y, sides) {
  let best = sides ? Infinity : 1000;
  for (let i = 0; i < 6; i++) if ((sides >> i) & 1) best = Math.min(best, toSide(x, y, i));
  return best;
}

function onRoad(x, y, roads, clear) {
  for (let i = 0; i < 6; i++) {
    if (!((roads >> i) & 1)) continue;
    const [mx, my] = MIDS[i], along = x * mx + y * my;
    let square;
    if (along <= 0) square = x * x + y * y;
    else if (along >= 250000) square = (x - mx) * (x - mx) + (y - my) * (y - my);
    else square = div(Math.abs(x * my - y * mx), 500) ** 2;
    if (square < clear * clear) return true;
  }
  return false;
}

function patchOutline(patch, variant, salt, join) {
  const out = [], { inset, wobble } = patch;
  for (let i = 0; i < 6; i++) {
    const [x, y] = CORNERS[i], here = (join >> i) & 1, after = (join >> ((i + 1) % 6)) & 1, [nx, ny] = CORNERS[(i + 1) % 6];
    if (here && after) out.push([div(x * 1010, 1000), div(y * 1010, 1000), 1]);
    else if (here || after) {
      const [ox, oy] = here ? CORNERS[(i + 5) % 6] : [nx, ny];
      const px = x + div((ox - x) * inset, 500), py = y + div((oy - y) * inset, 500);
      out.push([div(px * 1010, 1000), div(py * 1010, 1000), 1]);
    } else out.push([div(x * (500 - inset), 500), div(y * (500 - inset), 500), 0]);
    if (!after) {
      for (const part of [1, 2]) {
        const swing = (hash3(variant, salt, 2 * i + part) % (2 * wobble + 1)) - wobble;
        const px = div(x * (3 - part) + nx * part, 3), py = div(y * (3 - part) + ny * part, 3);
        out.push([div(px * (500 - inset + swing), 500), div(py * (500 - inset + swing), 500), 0]);
      }
    }
  }
  return out;
}

function scatter(style, recipe, index, key, salt) {
  const [variant, same, off, roads] = key, out = [], edges = recipe.alone ? 63 : 63 & ~(same | off), [low, high] = recipe.size;
  style.slots[recipe.slots].forEach(([sx, sy], k) => {
    let h = hash3(variant, salt, 3 * k);
    const span = 2 * recipe.jitter + 1;
    const x = sx + (h % span) - recipe.jitter, y = sy + ((h >>> 12) % span) - recipe.jitter;
    h = hash3(variant, salt, 3 * k + 1);
    let size = low + (h % (high - low + 1)), keep = recipe.keep;
    const near = nearest(x, y, edges);
    // Where the map ends nothing sticks out of it.
    if (near < recipe.edge || nearest(x, y, off) < div(size, 2)) return;
    if (near < recipe.thin) {
      const share = div((near - recipe.edge) * 1000, recipe.thin - recipe.edge);
      keep = div(keep * (400 + div(share * 600, 1000)), 1000);
      size = div(size * (650 + div(share * 350, 1000)), 1000);
    }
    if ((h >>> 12) % 1000 >= keep) return;
    if (recipe.clear_road && onRoad(x, y, roads, recipe.clear_road + div(size, 4))) return;
    h = hash3(variant, salt, 3 * k + 2);
    const glyph = recipe.glyphs[h % recipe.glyphs.length];
    const turn = recipe.turn[0] + ((h >>> 8) % (recipe.turn[1] - recipe.turn[0] + 1));
    out.push([index, glyph, x, y, size, turn, (h >>> 20) % recipe.colors.length]);
  });
  return out;
}

function rows(recipe, index, key, salt) {
  const [variant, , , roads] = key;
  let angle = recipe.angle + (hash3(variant, salt, 0) % (2 * recipe.swing + 1)) - recipe.swing;
  if (roads) angle = AXES[[0, 1, 2, 3, 4, 5].find((i) => (roads >> i) & 1)];
  const c = cos(angle), s = sin(angle), [wide, high] = recipe.pitch, out = [];
  const reachU = div(640, wide) + 1, reachV = div(640, high) + 1;
  for (let j = -reachV; j <= reachV; j++) {
    for (let i = -reachU; i <= reachU; i++) {
      let v = j * high;
      if (roads) {
        if (j === 0) continue;
        const sign = j > 0 ? 1 : -1;
        v = sign * (recipe.clear_road + div(recipe.size[1], 8)) + (j - sign) * high;
      }
      const k = ((j + 16) * 64 + i + 16) * 2 + 1;
      out.push(...stand(recipe, index, key, salt, k, [i * wide + (j & 1) * div(wide, 3), v], [angle, c, s]));
    }
  }
  return out;
}

function stand(recipe, index, key, salt, k, spot, [angle, c, s]) {
  const [variant, same, off, roads] = key;
  let h = hash3(variant, salt, k);
  const span = 2 * recipe.jitter + 1;
  const u = spot[0] + (h % span) - recipe.jitter, v = spot[1] + ((h >>> 10) % span) - recipe.jitter;
  const x = div(u * c - v * s, 1000), y = div(u * s + v * c, 1000);
  if ((h >>> 20) % 1000 >= recipe.keep || nearest(x, y, 63 & ~(same | off)) < recipe.edge) return [];
  if (nearest(x, y, same) < recipe.seam || nearest(x, y, off) < recipe.seam) return [];
  if (onRoad(x, y, roads, recipe.clear_road)) return [];
  h = hash3(variant, salt, k + 1);
  const [low, high] = recipe.size, size = low + (h % (high - low + 1));
  const turn = angle + (recipe.quarter ? 90 * ((h >>> 8) % 4) : 0);
  return [[index, recipe.glyphs[(h >>> 12) % recipe.glyphs.length], x, y, size, turn, (h >>> 20) % recipe.colors.length]];
}

function fields(recipe, index, key, salt, patch) {
  const [variant, same, off] = key, outline = patchOutline(patch, variant, salt - index - 1, same | off);
  let h = hash3(variant, salt, 0);
  const cut = h % 4, odd = (h >>> 4) % 2, spokes = cut < 3 ? [cut, cut + 3] : [odd, odd + 2, odd + 4];
  const starts = cornerStarts(same | off);
  const centre = [((h >>> 8) % 161) - 80, ((h >>> 16) % 161) - 80], out = [];
  spokes.forEach((spoke, n) => {
    const first = starts[spoke];
    let last = starts[spokes[(n + 1) % spokes.length]];
    if (last <= first) last += outline.length;
    const ring = [];
    for (let i = first; i <= last; i++) ring.push(outline[i % outline.length].slice(0, 2));
    h = hash3(variant, salt, n + 1);
    const colour = h % recipe.colors.length, turn = (spoke + ((h >>> 8) % 2)) % 6;
    ring.push(centre);
    out.push([index, "field", colour, flat(ring)]);
    const p = CORNERS[turn], q = CORNERS[(turn + 1) % 6];
    for (const line of furrows(ring, [q[0] - p[0], q[1] - p[1]], recipe.row_pitch)) out.push([index, "crop", colour, line]);
  });
  return out;
}

function cornerStarts(join) {
  const starts = [];
  let n = 0;
  for (let i = 0; i < 6; i++) {
    starts.push(n);
    n += (join >> ((i + 1) % 6)) & 1 ? 1 : 3;
  }
  return starts;
}

function furrows(ring, along, pitch) {
  const length = isqrt(along[0] * along[0] + along[1] * along[1]);
  const nx = div(-along[1] * 1000, length), ny = div(along[0] * 1000, length);
  const offsets = ring.map(([x, y]) => div(x * nx + y * ny, 1000)), top = Math.max(...offsets), out = [];
  for (let at = Math.min(...offsets) + div(pitch, 2); at < top; at += pitch) {
    const cuts = [];
    ring.forEach(([x, y], i) => {
      const j = (i + 1) % ring.length, a = offsets[i] - at, b = offsets[j] - at;
      if (a < 0 === b < 0) return;
      const t = div(a * 1000, a - b);
      cuts.push([x + div((ring[j][0] - x) * t, 1000), y + div((ring[j][1] - y) * t, 1000)]);
    });
    cuts.sort((p, q) => p[0] * along[0] + p[1] * along[1] - q[0] * along[0] - q[1] * along[1]);
    for (let i = 0; i + 1 < cuts.length; i += 2) {
      const [x0, y0] = cuts[i], [x1, y1] = cuts[i + 1], run = isqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));
      if (run <= 110) continue;
      const dx = div((x1 - x0) * 28, run), dy = div((y1 - y0) * 28, run);
      out.push([x0 + dx, y0 + dy, x1 - dx, y1 - dy]);
    }
  }
  return out;
}

function channel(recipe, index, key, salt) {
  const sides = openings(key), same = key[1], h = hash3(key[0], salt, 0), span = 2 * recipe.bend + 1, out = [], beds = [];
  let cx = (h % span) - recipe.bend, cy = ((h >>> 12) % span) - recipe.bend;
  if (sides.length < 2) {
    [cx, cy] = [div(cx, 2), div(cy, 2)];
    out.push([index, "pool", cx, cy]);
  }
  if (sides.length === 1) {
    const [mx, my] = MIDS[sides[0]];
    beds.push(curve([mx, my], [div(mx, 2), div(my, 2)], [cx + div(mx, 4), cy + div(my, 4)], [cx, cy]));
  }
  if (sides.length > 1) {
    const [a, b] = mainPair(sides), [ax, ay] = MIDS[a], [bx, by] = MIDS[b];
    [cx, cy] = [cx + div(ax + bx, 4), cy + div(ay + by, 4)];
    const tx = div((ax - bx) * 18, 100), ty = div((ay - by) * 18, 100);
    const first = curve([ax, ay], [div(ax, 2), div(ay, 2)], [cx + tx, cy + ty], [cx, cy]);
    beds.push([...first.slice(0, -1), ...curve([cx, cy], [cx - tx, cy - ty], [div(bx, 2), div(by, 2)], [bx, by])]);
    for (const i of sides) {
      if (i === a || i === b) continue;
      const [mx, my] = MIDS[i];
      beds.push(curve([mx, my], [div(mx, 2), div(my, 2)], [cx + div(mx, 8), cy + div(my, 8)], [cx, cy]));
    }
  }
  for (const bed of beds) out.push([index, "bed", flat(bed)]);
  for (let i = 0; i < 6; i++) {
    if ((same >> i) & 1 && (same >> ((i + 1) % 6)) & 1) {
      out.push([index, "wedge", flat([MIDS[i], CORNERS[i], MIDS[(i + 1) % 6], [cx, cy]])]);
    }
  }
  if (recipe.hachure) {
    for (const line of hachures(recipe, beds, key, salt)) out.push([index, "hachure", line]);
    if (sides.length < 2) for (const line of around(recipe, [cx, cy], sides)) out.push([index, "hachure", line]);
  }
  return out;
}

function openings([, same, off, , ends]) {
  const bits = same | ends, sides = [0, 1, 2, 3, 4, 5].filter((i) => (bits >> i) & 1);
  if (sides.length === 1) {
    const ahead = [3, 2, 4].map((turn) => (sides[0] + turn) % 6).find((i) => (off >> i) & 1);
    if (ahead !== undefined) sides.push(ahead);
  }
  return sides;
}

function mainPair(sides) {
  let best = 0, pair = [sides[0], sides[1]];
  sides.forEach((a, n) => {
    for (const b of sides.slice(n + 1)) {
      const turn = Math.min(b - a, 6 - b + a);
      if (turn > best) [best, pair] = [turn, [a, b]];
    }
  });
  return pair;
}

function curve(p, q, r, s) {
  const out = [];
  for (let i = 0; i < 9; i++) {
    const j = 8 - i, w = [j * j * j, 3 * i * j * j, 3 * i * i * j, i * i * i];
    out.push([0, 1].map((n) => div(p[n] * w[0] + q[n] * w[1] + r[n] * w[2] + s[n] * w[3], 512)));
  }
  return out;
}

function hachures(recipe, beds, key, salt) {
  const out = [], half = recipe.hachure_from;
  let count = 0;
  beds.forEach((bed, n) => {
    const others = beds.filter((_, m) => m !== n).flat();
    let walked = div(recipe.hachure_pitch, 2);
    for (let i = 0; i + 1 < bed.length; i++) {
      const [x0, y0] = bed[i], dx = bed[i + 1][0] - x0, dy = bed[i + 1][1] - y0, length = isqrt(dx * dx + dy * dy);
      while (length && walked <= length) {
        const x = x0 + div(dx * walked, length), y = y0 + div(dy * walked, length);
        for (const sign of [-1, 1]) {
          count += 1;
          const deep = div(recipe.hachure * (450 + (hash3(key[0], salt, 100 + count) % 800)), 1000);
          const nx = -dy * sign, ny = dx * sign, bx = x + div(nx * half, length), by = y + div(ny * half, length);
          if (others.every(([ox, oy]) => (bx - ox) * (bx - ox) + (by - oy) * (by - oy) >= half * half)) {
            out.push([bx, by, x + div(nx * (half - deep), length), y + div(ny * (half - deep), length)]);
          }
        }
        walked += recipe.hachure_pitch;
      }
      walked -= length;
    }
  });
  return out;
}

function around(recipe, [x, y], sides) {
  const out = [], near = recipe.hachure_from, far = near - recipe.hachure;
  for (let degrees = 0; degrees < 360; degrees += 24) {
    const c = cos(degrees), s = sin(degrees);
    if (!sides.length || c * MIDS[sides[0]][0] + s * MIDS[sides[0]][1] < 0) {
      out.push([x + div(c * near, 1000), y + div(s * near, 1000), x + div(c * far, 1000), y + div(s * far, 1000)]);
    }
  }
  return out;
}
