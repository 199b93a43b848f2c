// Small drawings of the topmost canvas: outlines, cursors, sight lines. Two strokes each, so that they show on any ground.

export const VERDICT = { clear: "#009E73", hindered: "#E69F00", blocked: "#D55E00", waiting: "#6b6f76" };
export const ACCENT = "#0072B2";

/** Outline of the union of cells: only the sides to cells outside of it. */
export function outlineCells(ctx, grid, camera, cells, { colour = "#ffffff", width = 2, fill = null } = {}) {
  const set = cells instanceof Set ? cells : new Set(cells), s = camera.scale;
  if (fill) {
    ctx.beginPath();
    for (const cell of set) {
      grid.corners(cell).forEach(([x, y], i) => ctx[i ? "lineTo" : "moveTo"](x * s - camera.ox, y * s - camera.oy));
      ctx.closePath();
    }
    ctx.fillStyle = fill;
    ctx.fill();
  }
  ctx.beginPath();
  for (const cell of set) {
    const ends = grid.corners(cell);
    for (let d = 0; d < 6; d++) {
      if (set.has(grid.neighbour(cell, d))) continue;
      const p = ends[d], q = ends[(d + 1) % 6];
      ctx.moveTo(p[0] * s - camera.ox, p[1] * s - camera.oy);
      ctx.lineTo(q[0] * s - camera.ox, q[1] * s - camera.oy);
    }
  }
  ctx.lineCap = "round";
  ctx.lineWidth = width + 2.5;
  ctx.strokeStyle = "rgba(20,20,20,0.55)";
  ctx.stroke();
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke();
}

/** The keyboard's hex cursor: corner brackets, so that it differs from hover by shape. */
export function drawCursor(ctx, view) {
  const at = view.cursorPlace;
  if (at) {
    ctx.beginPath();
    ctx.arc(...view.camera.toScreen(at.u ?? at.x, at.v ?? at.y), Math.max(9, view.camera.scale * 0.24), 0, 7);
    ctx.setLineDash([5, 4]);
    stroke(ctx, 3, "#ffffff", 6, "rgba(0,0,0,0.75)");
    ctx.setLineDash([]);
  }
  const { grid, camera } = view, s = camera.scale, ends = grid.corners(view.cursor).map(([x, y]) => [x * s - camera.ox, y * s - camera.oy]);
  ctx.beginPath();
  ends.forEach((p, i) => {
    const a = ends[(i + 5) % 6], b = ends[(i + 1) % 6];
    ctx.moveTo(p[0] + (a[0] - p[0]) * 0.3, p[1] + (a[1] - p[1]) * 0.3);
    ctx.lineTo(p[0], p[1]);
    ctx.lineTo(p[0] + (b[0] - p[0]) * 0.3, p[1] + (b[1] - p[1]) * 0.3);
  });
  stroke(ctx, 3, "#ffffff", 6, "rgba(0,0,0,0.75)");
}

/** A shrinking ring that shows where a search led; true as long as it moves. */
export function drawPing(ctx, view) {
  const age = (performance.now() - view.ping.start) / 900, [x, y] = view.camera.toScreen(...view.ping.at);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (age >= 1.6) {
    view.ping = null;
    return false;
  }
  ctx.beginPath();
  ctx.arc(x, y, view.camera.scale * (calm ? 0.7 : 0.6 + 1.6 * Math.max(0, 1 - age)), 0, 7);
  stroke(ctx, 3, ACCENT, 6, "rgba(255,255,255,0.85)");
  return true;
}

export function stroke(ctx, width, colour, halo, haloColour) {
  ctx.lineCap = ctx.lineJoin = "round";
  const dash = ctx.getLineDash();
  ctx.setLineDash([]);
  ctx.lineWidth = halo;
  ctx.strokeStyle = haloColour;
  ctx.stroke();
  ctx.setLineDash(dash);
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke();
}

/** What is at a place, with a line around it: a hex, an area, a sign, or any line ({line: points in world units}). */
export function markPlace(ctx, view, place, look = {}) {
  const { grid, camera, store } = view;
  if (place.kind === "hex") {
    outlineCells(ctx, grid, camera, [place.cell], look);
    return;
  }
  const rings = place.line ? [place.line] : store.places.outline(place), { colour = "#ffffff", width = 2 } = look;
  ctx.beginPath();
  for (const ring of rings || []) {
    ring.forEach((p, i) => ctx[i ? "lineTo" : "moveTo"](...camera.toScreen(...p)));
    if (!place.line) ctx.closePath();
  }
  if (!rings) ctx.arc(...camera.toScreen(place.u, place.v), Math.max(7, camera.scale * place.r * 1.25), 0, 7);
  stroke(ctx, width, colour, width + 2.5, "rgba(20,20,20,0.55)");
}
export function openRing(ctx, x, y, radius, colour = "#1f2430") {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 7);
  stroke(ctx, 2, colour, 4, "#ffffff");
}

/**
 * A sight line along screen points. verdict: "waiting", "apart" (nothing connects the ends) or a status; stop: where it is
 * blocked, 0..1. Clear is solid, hindered dashed, blocked ends in a cross and goes on grey and dotted.
 */
export function drawSightLine(ctx, way, verdict, stop, unit) {
  const [p, q] = [way[0], way[way.length - 1]], blocked = verdict === "blocked", apart = verdict === "apart", width = Math.max(3, Math.min(6, unit * 0.1));
  const end = blocked || apart ? [p[0] + (q[0] - p[0]) * stop, p[1] + (q[1] - p[1]) * stop] : null;
  ctx.save();
  if (end) {
    line(ctx, apart ? way : [end, q]);
    ctx.setLineDash([0.1, width * 2.2]);
    stroke(ctx, width * 0.8, "#8a8d92", width + 1.5, "rgba(255,255,255,0.45)");
  }
  if (!apart) {
    line(ctx, end ? [p, end] : way);
    ctx.setLineDash(verdict === "hindered" ? [width * 3, width * 2.2] : verdict === "waiting" ? [width, width * 2] : []);
    stroke(ctx, width, VERDICT[verdict] || VERDICT.waiting, width + 3.5, "rgba(255,255,255,0.9)");
  }
  ctx.setLineDash([]);
  if (end) {
    const r = Math.max(7, Math.min(14, unit * 0.2)), [x, y] = end;
    ctx.beginPath();
    ctx.moveTo(x - r, y - r); ctx.lineTo(x + r, y + r);
    ctx.moveTo(x + r, y - r); ctx.lineTo(x - r, y + r);
    stroke(ctx, width, VERDICT.blocked, width + 4, "#ffffff");
  }
  ctx.restore();
}
function line(ctx, points) {
  ctx.beginPath();
  points.forEach((p, i) => ctx[i ? "lineTo" : "moveTo"](...p));
}

/** A word over a point. */
export function drawTag(ctx, x, y, text, colour) {
  ctx.font = '700 14px "DejaVu Sans", Arial, sans-serif';
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  const wide = ctx.measureText(text).width + 12;
  ctx.fillStyle = colour;
  ctx.fillRect(x - wide / 2, y - 11, wide, 22);
  ctx.fillStyle = "#ffffff";
  ctx.fillText(text, x, y + 1);
}

/** A numbered disc (contacts), or a lettered one (the two ends). */
export function drawDisc(ctx, x, y, text, radius, colour, ink = "#ffffff") {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 7);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.lineWidth = 2;
  ctx.strokeStyle = "#ffffff";
  ctx.stroke();
  ctx.fillStyle = ink;
  ctx.font = `700 ${Math.round(radius * 1.25)}px "DejaVu Sans", Arial, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(text, x, y + radius * 0.06);
}
