// The ground under a sight line, seen from the side: levels as steps, terrain as a band of its tint, the line above.

import { drawHexFill } from "../look.js";
import { VERDICT } from "../above.js";

const HEIGHT = 74, LEFT = 16, PAD = 8;

export function drawProfile(canvas, view, result) {
  const steps = result?.profile || [], { dpr, store } = view, width = canvas.parentElement?.clientWidth || 200;
  canvas.hidden = steps.length < 2;
  if (canvas.hidden) return;
  canvas.width = Math.round(width * dpr);
  canvas.height = Math.round(HEIGHT * dpr);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${HEIGHT}px`;
  const ctx = canvas.getContext("2d"), ink = getComputedStyle(canvas).color;
  ctx.scale(dpr, dpr);
  const levels = steps.map((s) => s.level), low = Math.min(0, ...levels), high = Math.max(low + 2, ...levels), room = HEIGHT - 2 * PAD - 8;
  const x = (t) => LEFT + t * (width - LEFT - PAD), y = (level) => PAD + room - ((level - low) / (high - low)) * room, base = HEIGHT - 2;
  ctx.font = "10px sans-serif";
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (let level = low; level <= high; level++) {
    ctx.globalAlpha = 0.75;
    ctx.fillStyle = ink;
    ctx.fillText(String(level), LEFT - 5, y(level));
    ctx.globalAlpha = 0.16;
    ctx.fillRect(LEFT, y(level) - 0.5, width - LEFT - PAD, 1);
  }
  ctx.globalAlpha = 1;
  for (const { enter, leave, level, terrain } of steps) {
    const path = new Path2D(), left = x(enter), wide = Math.max(0.5, x(leave) - left + 0.4);
    path.rect(left, y(level), wide, base - y(level));
    drawHexFill(ctx, store.style, terrain, 0, path);
    ctx.fillStyle = "rgba(60,44,24,0.75)";
    ctx.fillRect(left, y(level), wide, 1.2);
  }
  const a = y(levels[0]) - 4, b = y(levels[levels.length - 1]) - 4, stop = result.status === "blocked" && typeof result.stop === "number" ? result.stop : 1;
  const at = (t) => [x(t), a + (b - a) * t];
  ctx.lineWidth = 2;
  ctx.lineCap = "round";
  const part = (from, to, colour, dash) => {
    ctx.strokeStyle = colour;
    ctx.setLineDash(dash);
    ctx.beginPath();
    ctx.moveTo(...at(from));
    ctx.lineTo(...at(to));
    ctx.stroke();
    ctx.setLineDash([]);
  };
  if (stop < 1) part(stop, 1, "#8a8d92", [1, 4]);
  part(0, stop, VERDICT[result.status] || VERDICT.waiting, result.status === "hindered" ? [6, 4] : []);
  if (stop < 1) {
    const [cx, cy] = at(stop);
    ctx.beginPath();
    for (const s of [-1, 1]) {
      ctx.moveTo(cx - 4, cy - 4 * s);
      ctx.lineTo(cx + 4, cy + 4 * s);
    }
    ctx.stroke();
  }
  ctx.fillStyle = ink;
  ctx.textAlign = "center";
  ctx.font = "bold 10px sans-serif";
  ctx.fillText("A", at(0)[0] + 3, a - 6);
  ctx.fillText("B", at(1)[0] - 3, b - 6);
}
