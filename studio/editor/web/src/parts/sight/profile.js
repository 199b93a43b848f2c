// The ground under a sight line, seen from the side: levels as steps, what stands on them, the line above. The figures are Python's.

import { VERDICT } from "../../above.js";

const HEIGHT = 92, LEFT = 16, PAD = 8;

export function drawProfile(canvas, view, result) {
  const side = result?.side, { dpr } = view, width = canvas.parentElement?.clientWidth || 200;
  canvas.hidden = !side;
  if (!side) return;
  const { low, high, cap, steps, walls, eyes } = side;
  Object.assign(canvas, { width: Math.round(width * dpr), height: Math.round(HEIGHT * dpr) });
  Object.assign(canvas.style, { width: `${width}px`, height: `${HEIGHT}px` });
  const ctx = canvas.getContext("2d"), ink = getComputedStyle(canvas).color, x = (t) => LEFT + t * (width - LEFT - PAD), y = (level) => 4 + (HEIGHT - 6) * (1 - (Math.min(level, high) - low) / (high - low));
  const box = (t, u, from, to, fill, alpha = 1) => {
    ctx.globalAlpha = alpha;
    ctx.fillStyle = fill;
    ctx.fillRect(x(t), y(to), Math.max(0.5, x(u) - x(t) + 0.4), y(from) - y(to));
    ctx.globalAlpha = 1;
  };
  ctx.scale(dpr, dpr);
  ctx.font = "10px sans-serif";
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (let level = Math.ceil(low), step = Math.ceil((high - low) / 7); level <= high; level += step) {
    ctx.fillStyle = ink;
    ctx.globalAlpha = 0.75;
    ctx.fillText(String(level), LEFT - 5, y(level));
    box(0, 1, level, level + 0.02, ink, 0.3);
  }
  steps.forEach(({ enter, leave, level, top, tint, body }, i) => {
    const own = i === 0 || i === steps.length - 1, ground = body ? 0 : level, tall = body ? Math.max(top, level) : top;
    box(enter, leave, low, ground, tint);
    // The terrain of the ends themselves hides nothing.
    if (tall > ground) box(enter, leave, ground, Math.min(tall, cap), "#5b5148", own ? 0.25 : 0.7);
    ctx.fillStyle = "rgba(60,44,24,0.8)";
    ctx.fillRect(x(enter), y(ground), x(leave) - x(enter), 1.2);
  });
  for (const [t, top] of walls) box(t - 0.008, t + 0.008, 0, top, "#2b2620");
  const [a, b] = eyes.map(y), stop = result.status === "blocked" ? result.stop ?? 1 : 1, at = (t) => [x(t), a + (b - a) * t];
  const part = (from, to, colour, dash) => {
    ctx.strokeStyle = colour;
    ctx.setLineDash(dash);
    ctx.beginPath();
    ctx.moveTo(...at(from));
    ctx.lineTo(...at(to));
    ctx.stroke();
    ctx.setLineDash([]);
  };
  ctx.lineWidth = 2;
  ctx.lineCap = "round";
  if (stop < 1) part(stop, 1, "#8a8d92", [1, 4]);
  part(0, stop, VERDICT[result.status], result.status === "hindered" ? [6, 4] : []);
  ctx.fillStyle = ink;
  ctx.textAlign = "center";
  ctx.font = "bold 10px sans-serif";
  if (stop < 1) ctx.fillText("✕", ...at(stop));
  ctx.fillText("A", x(0) + 4, a - 7);
  ctx.fillText("B", x(1) - 4, b - 7);
}
