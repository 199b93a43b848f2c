// Plain drawings of what is not in ink yet, at once: whoever draws never waits for Python. Colours are those of the style.

import { drawMarker } from "../../look.js";
import { INKED } from "./store.js";

/** The look of a type: its own, that of the longest name that it holds, or the default; as in studio/draw/shapes.py. */
export function lookedUp(table, kind) {
  if (table[kind]) return table[kind];
  const held = Object.keys(table).filter((name) => kind.includes(name)).sort((a, b) => b.length - a.length);
  return table[held[0]] || table.default || {};
}

export function* sketch(ctx, ink, box, scale, layers, hidden) {
  const { store, stale, there } = ink, found = [];
  if (there && !stale.size) return false;
  for (const id of store.featureBoxes.meeting(...box)) {
    const entry = store.features.get(id);
    if (entry && INKED.has(entry.record.kind) && id !== hidden && (!there || stale.has(id)) && layers.shown(entry.record.kind)) found.push(entry);
  }
  // Large things below small ones.
  const order = ["area", "wall", "link", "dot", "aperture", "place", "marker"];
  found.sort((a, b) => order.indexOf(a.record.kind) - order.indexOf(b.record.kind) || size(b) - size(a));
  ctx.save();
  store.grid.clip(ctx, scale, 0, 0, true);
  for (const [n, entry] of found.entries()) {
    ctx.globalAlpha = layers.alpha(entry.record.kind);
    draw(ctx, store, entry, scale);
    if (n % 20 === 19) yield;
  }
  ctx.restore();
  return found.length > 0;
}

function size({ points }) {
  let x0 = Infinity, x1 = -Infinity;
  for (const [x] of points) { x0 = Math.min(x0, x); x1 = Math.max(x1, x); }
  return x1 - x0;
}

function draw(ctx, store, { record, points }, scale) {
  const { style, grid } = store, { kind, type } = record, unit = scale / 1000, px = ([x, y]) => [x * scale, y * scale];
  const trace = (list, closed) => {
    list.forEach((p, i) => ctx[i ? "lineTo" : "moveTo"](...px(p)));
    if (closed) ctx.closePath();
  };
  const stroke = (color, width) => {
    ctx.strokeStyle = color || "#4a4038";
    ctx.lineWidth = Math.max(1, width * unit);
    ctx.stroke();
  };
  ctx.lineJoin = "miter";
  ctx.lineCap = "butt";
  ctx.setLineDash([]);
  ctx.beginPath();
  if (kind === "area") {
    const look = lookedUp(style.areas, type), { globalAlpha } = ctx;
    trace(points, true);
    for (const hole of record.holes || []) trace(hole.map(([x, y]) => [x * grid.kx, y * grid.ky]), true);
    ctx.fillStyle = look.fill || "#d8cbb4";
    // Roads and hexsides that run over the floor stay to be seen.
    ctx.globalAlpha *= look.fill ? 0.7 * (look.opacity ?? 1000) / 1000 : 0.25;
    ctx.fill("evenodd");
    ctx.globalAlpha = globalAlpha;
    stroke(look.edge || look.shared?.color, look.width ?? 30);
  } else if (kind === "wall") {
    const look = lookedUp(style.walls, type);
    trace(points);
    if (look.casing) stroke(look.casing, look.casing_width);
    stroke(look.color, look.width ?? 44);
  } else if (kind === "link") {
    const look = lookedUp(style.links, type);
    if (look.shape === "none" || points.length < 2) return;
    trace(points);
    stroke(look.color, look.width ?? 16);
  } else if (kind === "aperture") {
    const look = lookedUp(style.apertures, type), [x, y] = points[0];
    for (const [label] of record.arrows || []) {
      const to = store.pointAt(label);
      if (!to) continue;
      const far = Math.hypot(to[0] - x, to[1] - y) || 1, length = (look.length ?? 330) / 1000;
      trace([[x, y], [x + ((to[0] - x) / far) * length, y + ((to[1] - y) / far) * length]]);
    }
    ctx.rect(...px([x - 0.04, y - 0.04]), 0.08 * scale, 0.08 * scale);
    stroke(look.color || "#c4161c", look.width ?? 46);
  } else if (kind === "marker") drawMarker(ctx, style, type, ...px(points[0]), scale);
  else {
    const look = kind === "dot" ? { ...style.dots, fill: style.dots.color, edge: style.dots.halo } : lookedUp(style.places, type), [x, y] = px(points[0]), r = ((look.size ?? 260) * unit) / 2, w = Math.max(r, ((look.wide || 0) * unit) / 2);
    if (["square", "box", "tray", "exit"].includes(look.shape)) ctx.rect(x - w, y - r, 2 * w, 2 * r);
    else ctx.arc(x, y, r, 0, 7);
    ctx.fillStyle = look.fill || "#ffffff";
    ctx.fill();
    stroke(look.edge || "#1d1a17", look.width ?? 22);
  }
}
