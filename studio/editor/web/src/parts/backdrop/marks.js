// How control points look: numbered, the worst one square, with what is left over as an arrow; the loupe while one is moved.

import { after, at, growth } from "./affine.js";

const INK = "#10243e", HALO = "#ffffff", GOOD = "#1f6feb", WORST = "#c2410c", CHOSEN = "#ffd33d";
const SEEN = 14; // pixels of the screen that the longest arrow should have

/** How many times longer than they are arrows are drawn, so that they can be seen: 1, 2, 5, 10 and so on to 1000. */
export function exaggeration(tool) {
  const unit = growth(tool.layer.toScreen()) / tool.view.dpr, longest = Math.max(0, ...tool.points.map((point) => point.off || 0));
  if (longest < 0.01) return 0;
  return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((k) => longest * unit * k >= SEEN) || 1000;
}

export function drawPoints(ctx, tool) {
  const { view, state } = tool, { dpr } = view, to = tool.layer ? tool.layer.toScreen() : null;
  if (!to) return;
  const times = exaggeration(tool);
  ctx.save();
  ctx.font = `600 ${12 * dpr}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  for (const point of tool.points) {
    const pixel = tool.pixelOf(point), [x, y] = at(to, ...pixel), r = 7 * dpr, moved = tool.held?.name === point.name;
    if (x < -60 || y < -60 || x > ctx.canvas.width + 60 || y > ctx.canvas.height + 60) continue;
    if (point.off && times && !moved) arrow(ctx, x, y, ...at(to, pixel[0] + point.dx * times, pixel[1] + point.dy * times), dpr);
    const shape = () => {
      ctx.beginPath();
      if (point.worst) ctx.rect(x - r, y - r, 2 * r, 2 * r);
      else ctx.arc(x, y, r, 0, 7);
      // The very spot stays free.
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        ctx.moveTo(x + dx * 2.5 * dpr, y + dy * 2.5 * dpr);
        ctx.lineTo(x + dx * (r + 5 * dpr), y + dy * (r + 5 * dpr));
      }
    };
    twice(ctx, shape, tool.chosen === point.name ? CHOSEN : point.worst ? WORST : GOOD, dpr, tool.chosen === point.name ? 3 : 2);
    label(ctx, `${point.name}${point.place ? "" : " ?"}${point.worst ? " worst" : ""}`, x + r + 7 * dpr, y - r - 3 * dpr, dpr);
  }
  if (times > 1 && state.points.length > 3) label(ctx, `arrows ${times} times as long`, 10 * dpr, ctx.canvas.height - 14 * dpr, dpr);
  ctx.restore();
}

/** A new point, and the place of the map that it would be. */
export function drawPlace(ctx, tool, pixel, target) {
  const { dpr, camera, grid } = tool.view, [x, y] = at(tool.layer.toScreen(), ...pixel);
  ctx.save();
  ctx.font = `600 ${12 * dpr}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  twice(ctx, () => {
    ctx.beginPath();
    ctx.arc(x, y, 7 * dpr, 0, 7);
    ctx.moveTo(x - 12 * dpr, y);
    ctx.lineTo(x + 12 * dpr, y);
    ctx.moveTo(x, y - 12 * dpr);
    ctx.lineTo(x, y + 12 * dpr);
  }, CHOSEN, dpr, 2);
  if (target) {
    const [u, v] = camera.toScreen(target.x, target.y);
    twice(ctx, () => {
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(u, v);
      ctx.moveTo(u + 6 * dpr, v);
      ctx.arc(u, v, 6 * dpr, 0, 7);
      if (target.label !== undefined) {
        grid.shape.forEach(([dx, dy], n) => ctx[n ? "lineTo" : "moveTo"](u + dx * camera.scale, v + dy * camera.scale));
        ctx.closePath();
      }
    }, CHOSEN, dpr, 2);
    label(ctx, target.words, u + 10 * dpr, v - 12 * dpr, dpr);
  } else label(ctx, "which hex?", x + 14 * dpr, y - 12 * dpr, dpr);
  ctx.restore();
}

/** The picture around a pixel, enlarged, in the corner that is farthest from it. */
export function drawLoupe(ctx, tool, pixel) {
  const { layer, view } = tool, { dpr } = view, { width, height } = ctx.canvas, to = layer.toScreen(), [x, y] = at(to, ...pixel);
  const r = Math.min(80 * dpr, width / 4, height / 4), cx = x < width / 2 ? width - r - 12 * dpr : r + 12 * dpr, cy = y < height / 2 ? height - r - 12 * dpr : r + 12 * dpr;
  const k = Math.max(2, (6 * dpr) / growth(to));
  ctx.save();
  ctx.beginPath();
  ctx.arc(cx, cy, r, 0, 7);
  ctx.clip();
  ctx.fillStyle = "#fff";
  ctx.fillRect(cx - r, cy - r, 2 * r, 2 * r);
  const missing = layer.paint(ctx, after([k, 0, cx - k * x, 0, k, cy - k * y], to), [cx - r, cy - r, cx + r, cy + r]);
  if (missing) layer.tiles.want(missing);
  ctx.restore();
  ctx.save();
  twice(ctx, () => {
    ctx.beginPath();
    ctx.arc(cx, cy, r, 0, 7);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      ctx.moveTo(cx + dx * 5 * dpr, cy + dy * 5 * dpr);
      ctx.lineTo(cx + dx * r * 0.5, cy + dy * r * 0.5);
    }
  }, INK, dpr, 1.5);
  ctx.font = `600 ${11 * dpr}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  label(ctx, pixel.map((v) => v.toFixed(1)).join(", "), cx - 34 * dpr, cy + r * 0.72, dpr);
  ctx.restore();
}

function twice(ctx, shape, color, dpr, width) {
  for (const [ink, w] of [[HALO, width + 2.5], [color === CHOSEN ? INK : color, color === CHOSEN ? width + 1 : width], ...(color === CHOSEN ? [[color, width - 1]] : [])]) {
    shape();
    ctx.strokeStyle = ink;
    ctx.lineWidth = w * dpr;
    ctx.stroke();
  }
}
function label(ctx, text, x, y, dpr) {
  ctx.lineWidth = 4 * dpr;
  ctx.lineJoin = "round";
  ctx.strokeStyle = HALO;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = INK;
  ctx.fillText(text, x, y);
}
function arrow(ctx, x, y, u, v, dpr) {
  const turn = Math.atan2(v - y, u - x), wing = 6 * dpr;
  twice(ctx, () => {
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(u, v);
    for (const side of [-2.6, 2.6]) {
      ctx.moveTo(u, v);
      ctx.lineTo(u + wing * Math.cos(turn + side), v + wing * Math.sin(turn + side));
    }
  }, WORST, dpr, 1.8);
}
