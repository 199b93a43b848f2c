// Draws map things on a canvas by the same style (JSON of studio.draw.style) and the same marks as the matplotlib pictures.
// Points are [x, y] in pixels; hexH is the height of a hex in pixels. Lengths of a style are thousandths of it.

import { markKey, place } from "./marks.js";

const SPRITES = 1500; // pictures of whole hexes kept per style
const SPRITE_PX = 110; // hexes larger than this are drawn as curves each time
// Where our sides (flat top, clockwise from north, x and y swapped for a pointy top) stand in the grid's clockwise order.
const POINTY = [4, 3, 2, 1, 0, 5];
// Tints for terrains that a style does not know, as in studio/draw/style.py.
const SPARE = ["#d7c3a5", "#b7c4a1", "#c9b3c4", "#a9bfc9", "#d8b38f", "#c4cf9d", "#bfae8e", "#a8b7a0"];
const caches = new WeakMap();

function cacheOf(style) {
  let cache = caches.get(style);
  if (!cache) caches.set(style, (cache = { plans: new Map(), sprites: new Map(), glyphs: new Map(), tints: new Map(), uses: new Map() }));
  return cache;
}

/** Mix thousandths of a colour into another. */
export function mix(a, b, share) {
  const part = (i) => Math.floor((parseInt(a.slice(i, i + 2), 16) * (1000 - share) + parseInt(b.slice(i, i + 2), 16) * share) / 1000);
  return "#" + [1, 3, 5].map((i) => part(i).toString(16).padStart(2, "0")).join("");
}

function tone(color, n) { return n ? mix(color, n < 0 ? "#000000" : "#ffffff", Math.abs(n)) : color; }

function tinted(style, color, level) {
  const tint = level && levelTint(style, level);
  return tint ? mix(color, tint, style.levels.strength) : color;
}
/** Tint of a level, of the nearest that has one. */
export function levelTint(style, level) {
  const known = Object.keys(style.levels.tints).map(Number).filter((n) => n > 0 === level > 0).sort((a, b) => a - b);
  return known.length ? style.levels.tints[known.reduce((best, n) => (Math.abs(n - level) < Math.abs(best - level) ? n : best))] : "";
}

/** Colour of a hex: its terrain's tint under its level's; the bare ground where the terrain is drawn as a patch or bed. */
function ground(style, terrainId, level, hexH) {
  const { tints } = cacheOf(style), full = hexH >= style.zoom.full, id = `${terrainId} ${level} ${full}`;
  let color = tints.get(id);
  if (color) return color;
  const look = style.terrain[terrainId];
  const bare = full && look && (look.patch || look.marks.some((m) => m.recipe === "channel"));
  const spare = SPARE[[...terrainId].reduce((sum, ch) => sum + ch.codePointAt(0), 0) % SPARE.length];
  color = tinted(style, bare ? style.ground : look ? look.tint : spare, level);
  tints.set(id, color);
  return color;
}

/** Flat tint. Give hexH where marks follow: then the bare ground is painted where a terrain brings a patch of its own. */
export function drawHexFill(ctx, style, terrainId, level, path, hexH = 0) {
  ctx.fillStyle = ground(style, terrainId, level, hexH);
  ctx.fill(path);
}

/**
 * Marks of a hex in full detail. `neighbours`: six terrain ids in the grid's clockwise order, null where the map ends.
 * `level` tints the ground patch; `bare` leaves it out. `roads`, `ends`: bit i is set where a road, or the open end of a wadi, crosses side i (the grid's order).
 */
export function drawHexMarks(ctx, style, terrainId, col, row, cx, cy, w, h, neighbours, options = {}) {
  const { level = 0, pointy = w < h, bare = false } = options;
  const ops = opsOf(style, terrainId, col, row, h, neighbours, pointy, options);
  if (!ops) return;
  const cache = cacheOf(style), id = `${ops.id}|${level}|${w}|${h}|${bare}`;
  // A picture of the hex is worth its making only for a pattern that comes again.
  const times = (cache.uses.get(id) || 0) + 1;
  cache.uses.set(id, times);
  if (cache.uses.size > 20000) cache.uses.clear();
  const list = bare ? ops.filter((op) => !op.patch) : ops;
  if (h <= SPRITE_PX && times > 2 && typeof OffscreenCanvas !== "undefined") sprite(ctx, style, list, id, terrainId, level, pointy, cx, cy, w, h);
  else draw(ctx, style, list, terrainId, level, cx, cy, w, h, pointy);
}

/** The ground patch alone; shade the slopes then, and draw the marks over them with the option `bare`. */
export function drawHexGround(ctx, style, terrainId, col, row, cx, cy, w, h, neighbours, options = {}) {
  const { level = 0, pointy = w < h } = options, ops = opsOf(style, terrainId, col, row, h, neighbours, pointy, options);
  if (ops) draw(ctx, style, ops.filter((op) => op.patch), terrainId, level, cx, cy, w, h, pointy);
}

function opsOf(style, terrainId, col, row, h, neighbours, pointy, { roads = 0, ends = 0 }) {
  if (h < style.zoom.marks || !style.terrain[terrainId]) return null;
  const turn = (bits) => POINTY.reduce((sum, side, i) => sum | (((bits >> side) & 1) << i), 0);
  const around = pointy ? POINTY.map((side) => neighbours[side]) : neighbours;
  const key = markKey(style, terrainId, col, row, around, pointy ? turn(roads) : roads, pointy ? turn(ends) : ends);
  return planOf(style, terrainId, key, pointy);
}

function sprite(ctx, style, ops, id, terrainId, level, pointy, cx, cy, w, h) {
  const { sprites } = cacheOf(style), wide = Math.ceil(w * 0.66), high = Math.ceil(h * 0.66);
  let picture = sprites.get(id);
  if (!picture) {
    if (sprites.size > SPRITES) sprites.clear();
    picture = new OffscreenCanvas(2 * wide, 2 * high);
    draw(picture.getContext("2d"), style, ops, terrainId, level, wide, high, w, h, pointy);
    sprites.set(id, picture);
  }
  ctx.drawImage(picture, Math.round(cx) - wide, Math.round(cy) - high);
}

function draw(ctx, style, ops, terrainId, level, cx, cy, w, h, pointy) {
  ctx.save();
  ctx.translate(cx, cy);
  ctx.scale(w / (pointy ? 1000 : 1155), h / (pointy ? 1155 : 1000));
  for (const op of ops) {
    if (h < op.fromPx || (op.patch && h < style.zoom.full)) continue;
    ctx.globalAlpha = op.opacity / 1000;
    if (op.fill) {
      ctx.fillStyle = op.patch ? tinted(style, op.fill, level) : op.fill;
      ctx.fill(op.path);
    }
    if (op.stroke) {
      ctx.strokeStyle = op.stroke;
      ctx.lineWidth = op.width;
      ctx.lineCap = op.cap;
      ctx.lineJoin = "round";
      ctx.stroke(op.path);
    }
  }
  ctx.restore();
}

/** Marks turned into a few paths, one a colour and layer: [{path, fill, stroke, width, opacity, fromPx, cap}]. */
function planOf(style, terrainId, key, pointy) {
  const { plans } = cacheOf(style), id = `${terrainId}|${key}|${pointy}`;
  let ops = plans.get(id);
  if (ops) return ops;
  if (plans.size > 6000) plans.clear();
  const look = style.terrain[terrainId], found = new Map(), xy = pointy ? (x, y) => [y, x] : (x, y) => [x, y];
  const op = (order, values) => {
    const name = `${order} ${Object.values(values).join(" ")}`;
    if (!found.has(name)) found.set(name, { order, path: new Path2D(), opacity: 1000, fromPx: 0, cap: "round", ...values });
    return found.get(name).path;
  };
  for (const mark of place(style, terrainId, key)) {
    const [index, kind] = mark, recipe = look.marks[index];
    if (kind === "patch") outline(op(0, { fill: look.patch.color || look.tint, patch: true }), mark[2], xy);
    else if (recipe.recipe === "fields") field(op, look, recipe, mark, xy);
    else if (recipe.recipe === "channel") bed(op, recipe, mark, xy);
    else {
      const [, , x, y, size, degrees, colour] = mark, turned = pointy && recipe.recipe === "rows" ? 90 - degrees : degrees;
      const mean = (recipe.size[0] + recipe.size[1]) / 2;
      style.glyphs[kind].forEach((layer, n) => {
        const ink = (value) => value && tone(value === "mark" ? recipe.colors[colour] : value, layer.tone);
        const path = op((index + 1) * 20 + n, {
          fill: ink(layer.fill), stroke: ink(layer.stroke), width: (layer.width * mean) / 1000,
          opacity: layer.opacity, fromPx: Math.max(recipe.from_px, layer.from_px),
        });
        glyph(style, path, layer, ...xy(x, y), size, turned);
      });
    }
  }
  ops = [...found.values()].sort((a, b) => a.order - b.order);
  ops.id = id;
  plans.set(id, ops);
  return ops;
}

function outline(path, flat, xy) {
  const points = [];
  for (let i = 0; i < flat.length; i += 3) points.push([...xy(flat[i], flat[i + 1]), flat[i + 2]]);
  const middle = (p, q) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], count = points.length, last = points[count - 1];
  path.moveTo(...(points[0][2] ? points[0] : last[2] ? last : middle(last, points[0])).slice(0, 2));
  points.forEach((p, i) => {
    const next = points[(i + 1) % count];
    if (p[2]) path.lineTo(p[0], p[1]);
    else path.quadraticCurveTo(p[0], p[1], ...(next[2] ? next : middle(p, next)).slice(0, 2));
  });
  path.closePath();
}

function lines(path, flat, xy, close) {
  for (let i = 0; i < flat.length; i += 2) path[i ? "lineTo" : "moveTo"](...xy(flat[i], flat[i + 1]));
  if (close) path.closePath();
}

function field(op, look, recipe, [index, kind, colour, flat], xy) {
  const color = recipe.colors[colour], fromPx = recipe.from_px, order = (index + 1) * 20;
  if (kind === "field") lines(op(order, { fill: color, stroke: tone(look.tint, -220), width: 14, fromPx: Math.max(fromPx, 28) }), flat, xy, true);
  else lines(op(order + 1, { stroke: tone(color, recipe.row_tone), width: recipe.row_width, fromPx }), flat, xy);
}

function bed(op, recipe, [index, kind, ...rest], xy) {
  const order = (index + 1) * 20;
  if (kind === "hachure") {
    lines(op(order + 19, { stroke: recipe.hachure_color, width: recipe.hachure_width, fromPx: Math.max(recipe.from_px, 20) }), rest[0], xy);
    return;
  }
  recipe.strokes.forEach((stroke, n) => {
    const [sx, sy] = stroke.shift, moved = (x, y) => xy(x + sx, y + sy), fromPx = Math.max(recipe.from_px, stroke.from_px), { opacity } = stroke;
    if (kind === "bed") {
      lines(op(order + n, { stroke: stroke.color, width: stroke.width, opacity, fromPx, cap: "butt" }), rest[0], moved);
    } else if (kind === "pool") {
      const path = op(order + n, { fill: stroke.color, opacity, fromPx }), [x, y] = moved(...rest);
      path.moveTo(x + stroke.width / 2, y);
      path.arc(x, y, stroke.width / 2, 0, 7);
    } else if (n > 0) lines(op(order + n, { fill: stroke.color, opacity, fromPx }), rest[0], moved, true);
  });
}

function commands(style, d) {
  const { glyphs } = cacheOf(style);
  let found = glyphs.get(d);
  if (!found) {
    found = [...d.matchAll(/([MLQCZ])([^MLQCZ]*)/g)].map(([, letter, rest]) => [letter, (rest.match(/-?\d+(\.\d+)?/g) || []).map(Number)]);
    glyphs.set(d, found);
  }
  return found;
}

/** Add one layer of a glyph to a path, turned clockwise and moved. */
function glyph(style, path, layer, x, y, size, degrees) {
  const f = size / 1000, a = (degrees * Math.PI) / 180, c = Math.cos(a) * f, s = Math.sin(a) * f;
  const ox = x + layer.shift[0] * f, oy = y + layer.shift[1] * f;
  for (const [letter, n] of commands(style, layer.d)) {
    const p = [];
    for (let i = 0; i < n.length; i += 2) p.push(n[i] * c - n[i + 1] * s + ox, n[i] * s + n[i + 1] * c + oy);
    if (letter === "M") path.moveTo(p[0], p[1]);
    else if (letter === "Z") path.closePath();
    else if (letter === "Q") for (let i = 0; i < p.length; i += 4) path.quadraticCurveTo(p[i], p[i + 1], p[i + 2], p[i + 3]);
    else if (letter === "C") for (let i = 0; i < p.length; i += 6) path.bezierCurveTo(...p.slice(i, i + 6));
    else for (let i = 0; i < p.length; i += 2) path.lineTo(p[i], p[i + 1]);
  }
}

// ---------------------------------------------------------------- lines

/** A smooth curve through points; closed when the last is the first. */
export function smooth(points, round = 1) {
  const path = new Path2D(), n = points.length;
  if (!n) return path;
  const closed = n > 3 && points[0][0] === points[n - 1][0] && points[0][1] === points[n - 1][1];
  const at = (i) => (closed ? points[(i + n - 1) % (n - 1)] : points[Math.max(0, Math.min(n - 1, i))]), f = round / 6;
  path.moveTo(...points[0]);
  for (let i = 0; i + 1 < n; i++) {
    const [a, p, q, b] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    path.bezierCurveTo(p[0] + (q[0] - a[0]) * f, p[1] + (q[1] - a[1]) * f, q[0] - (b[0] - p[0]) * f, q[1] - (b[1] - p[1]) * f, q[0], q[1]);
  }
  if (closed) path.closePath();
  return path;
}

function stroke(ctx, path, color, width, dash = [], cap = "round") {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
  ctx.lineCap = cap;
  ctx.lineJoin = "round";
  ctx.stroke(path);
  ctx.setLineDash([]);
}

function roadLook(style, surface) { return style.lines.roads[surface] || Object.values(style.lines.roads)[0]; }

/** Roads together, so that the casing of one never crosses the bed of another: [{points, surface}]. */
export function drawRoads(ctx, style, roads, hexH) {
  const unit = hexH / 1000, least = (w) => Math.max(0.6, w * unit);
  // Unpaved first: a paved road runs over its tracks.
  const order = roads.map((road) => ({ look: roadLook(style, road.surface), path: smooth(road.points) })).sort((a, b) => a.look.fill_width - b.look.fill_width);
  for (const { look, path } of order) {
    const cap = look.dash.length && hexH >= style.zoom.full ? "butt" : "round";
    stroke(ctx, path, look.casing, least(look.casing_width) + (hexH < style.zoom.full ? 0.6 : 0), cap === "butt" ? look.dash.map((d) => d * unit) : [], cap);
  }
  for (const { look, path } of order) stroke(ctx, path, look.fill, least(look.fill_width));
  for (const { look, path } of order) {
    if (look.centre && hexH >= 40) stroke(ctx, path, look.centre, look.centre_width * unit, look.centre_dash.map((d) => d * unit), "butt");
  }
}

export function drawRoad(ctx, style, points, surface, hexH) { drawRoads(ctx, style, [{ points, surface }], hexH); }

/** The bridge of a road over water, from p to q: its deck below the road, or its sides above it. */
export function drawBridge(ctx, style, p, q, hexH, sides = false) {
  const look = style.lines.bridge, unit = hexH / 1000, length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
  const ux = (q[0] - p[0]) / length, uy = (q[1] - p[1]) / length, half = (look.width * unit) / 2, flare = half * 0.7;
  const path = new Path2D(), deck = new Path2D();
  deck.moveTo(...p);
  deck.lineTo(...q);
  if (!sides) {
    stroke(ctx, deck, look.deck, look.width * unit, [], "butt");
    return;
  }
  for (const side of [-1, 1]) {
    const ox = -uy * half * side, oy = ux * half * side, fx = -uy * flare * side, fy = ux * flare * side;
    path.moveTo(p[0] + ox + fx - ux * flare, p[1] + oy + fy - uy * flare);
    path.lineTo(p[0] + ox, p[1] + oy);
    path.lineTo(q[0] + ox, q[1] + oy);
    path.lineTo(q[0] + ox + fx + ux * flare, q[1] + oy + fy + uy * flare);
  }
  stroke(ctx, path, look.color, Math.max(1, 26 * unit));
}

export function drawSide(ctx, style, kind, p, q, hexH) {
  const look = style.lines.sides[kind] || { color: "#5b4636", width: 60, tick: "none", halo: null }, unit = hexH / 1000;
  const line = new Path2D(), ticks = new Path2D(), dx = q[0] - p[0], dy = q[1] - p[1], length = Math.hypot(dx, dy) || 1;
  const breach = look.tick === "breach", part = (t) => [p[0] + dx * t, p[1] + dy * t];
  for (const [a, b] of breach ? [[0, 0.3], [0.7, 1]] : [[0, 1]]) {
    line.moveTo(...part(a));
    line.lineTo(...part(b));
  }
  if (look.tick !== "none" && hexH >= style.zoom.marks) {
    const count = Math.max(2, Math.round(length / (look.tick_pitch * unit))), r = (look.tick_size * unit) / 2, ux = dx / length, uy = dy / length;
    for (let i = 0; i < count; i++) {
      const t = (i + 0.5) / count, x = p[0] + dx * t, y = p[1] + dy * t;
      const gap = breach && i > 0 && i < count - 1, arms = gap ? [] : look.tick === "ramp" ? [[0, 1]] : [[1, 1], [1, -1]];
      for (const [a, b] of arms) {
        ticks.moveTo(x + (ux * a - uy * b) * r, y + (uy * a + ux * b) * r);
        ticks.lineTo(x - (ux * a - uy * b) * r, y - (uy * a + ux * b) * r);
      }
    }
  }
  if (look.halo) stroke(ctx, line, look.halo, look.halo_width * unit);
  const dash = (look.dash || []).map((d) => d * unit);
  stroke(ctx, line, look.color, Math.max(1, look.width * unit), dash, dash.length ? "butt" : "round");
  stroke(ctx, ticks, look.color, Math.max(0.8, look.width * unit * 0.9));
}

export function drawContour(ctx, style, points, level, hexH) {
  const { contour, contour_width: width } = style.levels, unit = hexH / 1000, path = smooth(points);
  ctx.save();
  ctx.globalAlpha *= 0.28;
  stroke(ctx, path, contour, Math.max(2, width * 4.2 * unit));
  ctx.restore();
  stroke(ctx, path, contour, Math.max(0.9, width * unit));
}

/** Corners of the stairs of a crest through hex centres. */
export function stairs(points) {
  const out = [];
  points.forEach((p, i) => {
    if (i) {
      const o = points[i - 1], x = (o[0] + p[0]) / 2;
      out.push([x, o[1]], [x, p[1]]);
    }
    out.push(p);
  });
  return out;
}

export function drawCrest(ctx, style, points, hexH) {
  const look = style.lines.crest, unit = hexH / 1000, path = new Path2D(), shift = look.width * unit * 0.45;
  stairs(points).forEach(([x, y], i) => path[i ? "lineTo" : "moveTo"](x, y));
  ctx.save();
  ctx.globalAlpha *= look.opacity / 1000;
  ctx.translate(shift, shift);
  stroke(ctx, path, look.shade, look.width * unit, [], "butt");
  ctx.translate(-1.6 * shift, -1.6 * shift);
  stroke(ctx, path, look.light, look.width * unit * 0.8, [], "butt");
  ctx.restore();
}

// ---------------------------------------------------------------- letters and markers

function font(style, size, fonts, weight = "") { return `${weight} ${size}px ${fonts.map((f) => `"${f}"`).join(", ")}, sans-serif`; }

function halo(ctx, text, x, y, color, width, ink) {
  ctx.lineJoin = "round";
  ctx.lineWidth = width;
  ctx.strokeStyle = color;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = ink;
  ctx.fillText(text, x, y);
}

/** A text as it is written on the map: one that no map has room for is cut, as in studio/draw/letters.py. */
export function brief(text) { return text.length > 80 ? `${[...text.slice(0, 160)].slice(0, 79).join("")}…` : text; }
/** A place name: feature.size is the letters' size in hex heights, feature.angle degrees counter-clockwise. */
export function drawName(ctx, style, feature, x, y, hexH) {
  const look = style.letters, size = (feature.size || look.name_size / 1000) * hexH;
  if (size < 5) return;
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate((-(feature.angle || 0) * Math.PI) / 180);
  ctx.font = font(style, size, look.name_fonts, "italic bold");
  ctx.textAlign = "center";
  halo(ctx, brief(feature.text), 0, 0.38 * size, look.halo, Math.max(2, (look.name_halo * hexH * 2) / 1000), look.name_ink);
  ctx.restore();
}

/** The number of a hex, at its top; (x, y) is the hex's centre. */
export function drawNumber(ctx, style, text, x, y, hexH, pointy = false) {
  if (hexH < style.zoom.numbers) return;
  const look = style.letters, size = Math.max(6.5, (look.number_size * hexH) / 1000);
  ctx.save();
  ctx.font = font(style, size, look.fonts);
  ctx.textAlign = "center";
  const high = y + (look.number_place * hexH * (pointy ? 0.74 : 1)) / 1000 + 0.36 * size, { globalAlpha } = ctx;
  ctx.lineJoin = "round";
  ctx.lineWidth = Math.max(1.1, 0.28 * size);
  ctx.globalAlpha *= 0.6;
  ctx.strokeStyle = look.halo;
  ctx.strokeText(text, x, high);
  ctx.globalAlpha = globalAlpha * (look.number_opacity / 1000);
  ctx.fillStyle = look.ink;
  ctx.fillText(text, x, high);
  ctx.restore();
}

export function drawMarker(ctx, style, type, x, y, hexH) {
  const name = style.markers[type], size = 0.62 * hexH;
  ctx.save();
  if (!name) {
    // A marker without an icon still shows: a plain counter with its first letter.
    const r = size * 0.36;
    ctx.fillStyle = style.letters.halo;
    ctx.strokeStyle = style.letters.ink;
    ctx.lineWidth = Math.max(1, hexH * 0.02);
    ctx.fillRect(x - r, y - r, 2 * r, 2 * r);
    ctx.strokeRect(x - r, y - r, 2 * r, 2 * r);
    ctx.font = font(style, r * 1.3, style.letters.fonts, "bold");
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillStyle = style.letters.ink;
    ctx.fillText(type.slice(0, 1).toUpperCase(), x, y);
  }
  for (const layer of name ? style.glyphs[name] : []) {
    const path = new Path2D();
    glyph(style, path, layer, x, y, size, 0);
    ctx.globalAlpha = layer.opacity / 1000;
    if (layer.fill) {
      ctx.fillStyle = tone(layer.fill, layer.tone);
      ctx.fill(path);
    }
    if (layer.stroke) stroke(ctx, path, tone(layer.stroke, layer.tone), (layer.width * size) / 1000);
  }
  ctx.restore();
}
