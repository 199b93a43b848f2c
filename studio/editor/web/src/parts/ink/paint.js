// Paints display lists on tiles.

import { hash3 } from "../../marks.js";
import { GRAIN, pathOf } from "./list.js";

const LEAST_TEXT = 5; // px of letters
const SLICE = 1.5; // ms of painting without a pause

/** Paint what of a list lies in a box, by zorder from `from` on and below `to`; not what belongs to the feature `hidden`. */
export function* paintInk(ctx, ink, list, box, scale, from, to, layers, hidden = null) {
  const { stale, store } = ink, found = list.within(box).filter(([group]) => group.z >= from && group.z < to && layers.shown(group.layer) && scale >= group.low && (!group.high || scale < group.high));
  if (!found.length) return false;
  ctx.save();
  store.grid.clip(ctx, scale, 0, 0, true);
  let pause = performance.now() + SLICE;
  for (const [group, items] of found) {
    ctx.save();
    ctx.globalAlpha = (group.alpha / 1000) * layers.alpha(group.layer);
    if (group.text === undefined) setUp(ctx, group, scale, list.flexible);
    for (const item of items) {
      if (item.owner && (stale.has(item.owner) || item.owner === hidden)) continue;
      if (item.words) write(ctx, item, scale);
      else draw(ctx, group, item, box, scale);
      if (performance.now() > pause) {
        yield;
        pause = performance.now() + SLICE;
      }
    }
    ctx.restore();
  }
  ctx.restore();
  return true;
}

function setUp(ctx, group, scale, flexible) {
  const { face, edge, width, dash } = group, wide = Math.max(width / 1e5, group.least / 100 / scale);
  ctx.scale(scale, scale);
  ctx.fillStyle = face;
  ctx.strokeStyle = edge || face;
  ctx.lineWidth = wide;
  ctx.lineCap = group.cap;
  ctx.lineJoin = group.join;
  ctx.miterLimit = 4;
  ctx.setLineDash(dash.map((length) => (length / 1e5) * (flexible ? (wide * 1e5) / width : 1)));
}

function draw(ctx, { face, edge, pattern, mark }, item, box, scale) {
  const [x0, y0, x1, y1] = item.box;
  if ((x1 - x0) * scale < 1 && (y1 - y0) * scale < 1) return;
  const path = pathOf(item);
  if (pattern.length) {
    ctx.save();
    ctx.clip(path);
    repeat(ctx, pattern[0], pattern[1] / GRAIN, pattern[2] / GRAIN, [Math.max(x0, box[0]), Math.max(y0, box[1]), Math.min(x1, box[2]), Math.min(y1, box[3])]);
    ctx.restore();
    return;
  }
  if (mark.length) {
    const grow = Math.max(1, mark[1] / 100 / ((mark[0] / 1000) * scale)), { lineWidth } = ctx;
    ctx.save();
    ctx.translate(item.x / GRAIN, item.y / GRAIN);
    ctx.scale(grow, grow);
    ctx.lineWidth = lineWidth / grow;
  }
  if (face) ctx.fill(path);
  if (edge) ctx.stroke(path);
  if (mark.length) ctx.restore();
}

/** A pattern of floors or answers over a box, the same in all tiles: lines x + y, x - y or y = phase + k pitch, bits, specks. */
function repeat(ctx, kind, pitch, phase, [x0, y0, x1, y1]) {
  const steps = (a, b) => Array.from({ length: Math.max(0, Math.ceil((b - phase) / pitch) - Math.floor((a - phase) / pitch) + 1) }, (_, i) => Math.floor((a - phase) / pitch) + i);
  ctx.beginPath();
  const line = (a, b, c, d) => { ctx.moveTo(a, b); ctx.lineTo(c, d); };
  if (kind === "hatch" || kind === "cross" || kind === "rising") for (const k of steps(x0 + y0, x1 + y1)) line(phase + k * pitch - y0, y0, phase + k * pitch - y1, y1);
  if (kind === "cross" || kind === "falling") for (const k of steps(x0 - y1, x1 - y0)) line(phase + k * pitch + y0, y0, phase + k * pitch + y1, y1);
  if (kind === "planks" || kind === "slabs") for (const j of steps(y0, y1)) line(x0, j * pitch, x1, j * pitch);
  if (kind === "slabs") for (const j of steps(y0, y1)) for (const i of steps(x0, x1)) line((i + (j & 1) / 2) * pitch, j * pitch, (i + (j & 1) / 2) * pitch, (j + 1) * pitch);
  if (kind === "dots" || kind === "debris" || kind === "specks") {
    for (const j of steps(y0, y1)) for (const i of steps(x0, x1)) {
      const h = hash3(i & 65535, j & 65535, 11);
      if (kind === "specks") {
        ctx.moveTo(i * pitch + 0.032, j * pitch);
        ctx.arc(i * pitch, j * pitch, 0.032, 0, 7);
        continue;
      }
      const x = (i + (h % 100) / 140) * pitch, y = (j + ((h >>> 8) % 100) / 140) * pitch, debris = kind === "debris";
      const size = pitch * (debris ? 0.12 + ((h >>> 16) % 100) / 420 : 0.14), corners = debris ? 3 + ((h >>> 24) % 3) : 8;
      for (let n = 0; n < corners; n++) {
        const a = ((((h >>> 4) % 360) + (n * 360) / corners) * Math.PI) / 180;
        ctx[n ? "lineTo" : "moveTo"](x + size * Math.cos(a), y + size * Math.sin(a));
      }
    }
    ctx.fill();
  } else ctx.stroke();
}

/** A text that stays a text; its box and width are those that it has in a picture. */
function write(ctx, { words, x, y }, scale) {
  const size = Math.max((words.size / 1e5) * scale, words.least / 100);
  if (size < LEAST_TEXT) return;
  const em = (n) => (n / 1000) * size, [style, fonts] = words.font.split("|"), [mx, my] = words.middle;
  ctx.save();
  ctx.translate(x * scale, y * scale);
  ctx.rotate((-words.angle * Math.PI) / 180);
  if (words.box.length) plate(ctx, words.box, em);
  ctx.font = `${style} ${size}px ${fonts}`;
  ctx.textAlign = "center";
  ctx.lineJoin = "round";
  // A font of other widths than the picture's is squeezed into the room that there is.
  const wide = Math.max(em(words.wide) * 1.03, 1);
  if (words.halo) {
    ctx.strokeStyle = words.halo;
    ctx.lineWidth = Math.max(1.6, (words.haloWidth / 1e5) * scale);
    ctx.strokeText(words.text, em(mx), em(my), wide);
  }
  ctx.fillStyle = words.color;
  ctx.fillText(words.text, em(mx), em(my), wide);
  ctx.restore();
}

function plate(ctx, [kind, face, edge, width, x0, y0, x1, y1, alpha], em) {
  const { globalAlpha } = ctx, wide = em(x1 - x0), high = em(y1 - y0);
  ctx.globalAlpha *= alpha / 1000;
  ctx.beginPath();
  if (kind === "circle") ctx.arc(em(x0) + wide / 2, em(y0) + high / 2, wide / 2, 0, 7);
  else if (kind === "round") ctx.roundRect(em(x0), em(y0), wide, high, 0.2 * Math.min(wide, high));
  else ctx.rect(em(x0), em(y0), wide, high);
  if (face) {
    ctx.fillStyle = face;
    ctx.fill();
  }
  if (edge) {
    ctx.strokeStyle = edge;
    ctx.lineWidth = width / 100;
    ctx.stroke();
  }
  ctx.globalAlpha = globalAlpha;
}
