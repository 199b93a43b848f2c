// How what is being drawn and chosen looks: outlines, handles, the sign of what was snapped to, numbers at the pointer.

import { ACCENT, VERDICT, stroke } from "../../above.js";

const FONT = '"DejaVu Sans", Arial, sans-serif';

/** Trace rings and lines given in lattice points. */
export function trace(ctx, view, strands) {
  const { kx, ky } = view.grid, { camera } = view;
  ctx.beginPath();
  for (const { points, closed } of strands) {
    points.forEach(([x, y], i) => ctx[i ? "lineTo" : "moveTo"](...camera.toScreen(x * kx, y * ky)));
    if (closed) ctx.closePath();
  }
}
export function outline(ctx, view, strands, { colour = ACCENT, width = 2.5, fill = null, dash = null, halo = "rgba(255,255,255,0.9)" } = {}) {
  const d = view.dpr;
  trace(ctx, view, strands);
  if (fill) { ctx.fillStyle = fill; ctx.fill("evenodd"); }
  if (dash) ctx.setLineDash(dash.map((n) => n * d));
  stroke(ctx, width * d, colour, (width + 2.5) * d, halo);
  ctx.setLineDash([]);
}
const screen = (view, [x, y]) => view.camera.toScreen(x * view.grid.kx, y * view.grid.ky);

/** A corner: a square; where several features share it, one with a point in it. */
export function cornerHandle(ctx, view, at, { shared = false, hot = false, first = false } = {}) {
  const d = view.dpr, [x, y] = screen(view, at), r = (hot ? 6 : 4.5) * d;
  ctx.beginPath();
  if (first) ctx.arc(x, y, r + d, 0, 7);
  else ctx.rect(x - r, y - r, 2 * r, 2 * r);
  ctx.fillStyle = hot ? ACCENT : "#ffffff";
  ctx.fill();
  ctx.lineWidth = 2 * d;
  ctx.strokeStyle = hot ? "#ffffff" : ACCENT;
  ctx.stroke();
  if (shared) {
    ctx.beginPath();
    ctx.arc(x, y, 1.8 * d, 0, 7);
    ctx.fillStyle = hot ? "#ffffff" : ACCENT;
    ctx.fill();
  }
}
/** The middle of an edge: a small plus in a ring, a press of which makes a corner. */
export function middleHandle(ctx, view, at, hot = false) {
  const d = view.dpr, [x, y] = screen(view, at), r = (hot ? 6 : 4) * d;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = hot ? ACCENT : "rgba(255,255,255,0.92)";
  ctx.fill();
  ctx.lineWidth = 1.4 * d;
  ctx.strokeStyle = hot ? "#ffffff" : ACCENT;
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x - r * 0.5, y); ctx.lineTo(x + r * 0.5, y);
  ctx.moveTo(x, y - r * 0.5); ctx.lineTo(x, y + r * 0.5);
  ctx.stroke();
}

/** What a corner went to, each kind by its shape. */
export function snapSign(ctx, view, hit) {
  if (!hit || hit.kind === "free" || hit.kind === "straight") return;
  const d = view.dpr, [x, y] = screen(view, hit.at), r = 8 * d, line = (...points) => { points.forEach(([u, v], i) => ctx[i ? "lineTo" : "moveTo"](x + u * r, y + v * r)); };
  if (hit.edge) outline(ctx, view, [{ points: hit.edge, closed: false }], { colour: "#CC79A7", width: 2, halo: "rgba(255,255,255,0.6)" });
  ctx.beginPath();
  if (hit.kind === "vertex") { line([-1, -1], [1, -1], [1, 1], [-1, 1]); ctx.closePath(); } else if (hit.kind === "own") ctx.arc(x, y, r * 1.2, 0, 7);
  else if (hit.kind === "crossing") { line([-1, -1], [1, 1]); line([1, -1], [-1, 1]); } else if (hit.kind === "edge") { line([0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]); ctx.closePath(); } else if (hit.kind === "corner") { line([0, -1.2], [1.1, 0.8], [-1.1, 0.8]); ctx.closePath(); } else if (hit.kind === "side") { line([-1.1, -0.5], [1.1, -0.5]); line([-1.1, 0.5], [1.1, 0.5]); } else if (hit.kind === "centre") { ctx.arc(x, y, r, 0, 7); line([-0.4, 0], [0.4, 0]); line([0, -0.4], [0, 0.4]); } else if (hit.kind === "frame") { line([-1, 1], [-1, -1], [1, -1]); }
  stroke(ctx, 2 * d, "#CC79A7", 4.5 * d, "rgba(255,255,255,0.95)");
}

/** Words in a small plate beside a screen point. */
export function plate(ctx, view, px, py, text, tone = "#22262c") {
  const d = view.dpr, { width, height } = ctx.canvas;
  ctx.font = `600 ${12 * d}px ${FONT}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  const w = ctx.measureText(text).width + 12 * d, h = 20 * d, x = Math.max(2, Math.min(width - w - 2, px + 16 * d)), y = Math.max(2, Math.min(height - h - 2, py + 16 * d));
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.fillStyle = "rgba(255,255,255,0.95)";
  ctx.fill();
  ctx.lineWidth = d;
  ctx.strokeStyle = tone;
  ctx.stroke();
  ctx.fillStyle = tone;
  ctx.fillText(text, x + 6 * d, y + h / 2 + d * 0.5);
}
/** Where something was refused: a cross in a ring. */
export function troubleSign(ctx, view, at) {
  const d = view.dpr, [x, y] = screen(view, at), r = 11 * d;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.moveTo(x - r * 0.5, y - r * 0.5); ctx.lineTo(x + r * 0.5, y + r * 0.5);
  ctx.moveTo(x + r * 0.5, y - r * 0.5); ctx.lineTo(x - r * 0.5, y + r * 0.5);
  stroke(ctx, 2.5 * d, VERDICT.blocked, 6 * d, "rgba(255,255,255,0.95)");
}
/** Ticks of a contour on its higher side: `left` of the way it runs, or not. */
export function ticks(ctx, view, points, left) {
  const { kx, ky } = view.grid, { camera } = view, gap = 14 * view.dpr, size = 6 * view.dpr;
  ctx.beginPath();
  for (let i = 1; i < points.length; i++) {
    const [px, py] = camera.toScreen(points[i - 1][0] * kx, points[i - 1][1] * ky), [qx, qy] = camera.toScreen(points[i][0] * kx, points[i][1] * ky), length = Math.hypot(qx - px, qy - py);
    if (length < 4) continue;
    const ux = (qx - px) / length, uy = (qy - py) / length, [nx, ny] = left ? [uy, -ux] : [-uy, ux];
    for (let t = gap / 2; t < length; t += gap) {
      ctx.moveTo(px + ux * t, py + uy * t);
      ctx.lineTo(px + ux * t + nx * size, py + uy * t + ny * size);
    }
  }
  stroke(ctx, 2 * view.dpr, "#7a4a1f", 4 * view.dpr, "rgba(255,255,255,0.8)");
}
/** "2.35 hexes, 60°": the way between two lattice points; the angle from the right, counter-clockwise. */
export function measure(view, p, q) {
  const { kx, ky } = view.grid, dx = (q[0] - p[0]) * kx, dy = (q[1] - p[1]) * ky, length = Math.hypot(dx, dy);
  const angle = Math.round(((Math.atan2(-dy, dx) * 180) / Math.PI + 360) * 10) / 10 % 360;
  return length ? `${length.toFixed(2)} hexes · ${angle % 1 ? angle.toFixed(1) : angle}°` : "";
}
