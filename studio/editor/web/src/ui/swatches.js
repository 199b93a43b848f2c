// Small pictures of what the palettes offer, drawn by the same hand as the map.

import { drawHexFill, drawHexMarks, drawMarker, drawRoad, drawSide } from "../look.js";

function canvas(view, width, height, draw) {
  const el = document.createElement("canvas"), { dpr } = view;
  el.width = Math.round(width * dpr);
  el.height = Math.round(height * dpr);
  Object.assign(el.style, { width: `${width}px`, height: `${height}px` });
  el.className = "wgs-swatch";
  el.setAttribute("aria-hidden", "true");
  const ctx = el.getContext("2d");
  ctx.scale(dpr, dpr);
  draw(ctx);
  return el;
}

export function hexSwatch(view, id) {
  const { grid, store } = view, tall = 30, wide = Math.min(40, tall * grid.w), unit = wide / grid.w;
  return canvas(view, wide + 2, unit + 2, (ctx) => {
    const path = new Path2D();
    ctx.translate(wide / 2 + 1, unit / 2 + 1);
    grid.shape.forEach(([x, y], i) => path[i ? "lineTo" : "moveTo"](x * unit, y * unit));
    path.closePath();
    ctx.save();
    ctx.clip(path);
    drawHexFill(ctx, store.style, id, 0, path, unit);
    drawHexMarks(ctx, store.style, id, 3, 3, 0, 0, wide, unit, Array(6).fill(id), { pointy: !grid.flat });
    ctx.restore();
    ctx.lineWidth = 1;
    ctx.strokeStyle = "rgba(40,36,30,0.65)";
    ctx.stroke(path);
  });
}

export function sideSwatch(view, id) {
  return canvas(view, 34, 26, (ctx) => {
    ctx.fillStyle = "#efe9d8";
    ctx.fillRect(0, 0, 34, 26);
    drawSide(ctx, view.store.style, id, [4, 13], [30, 13], 46);
  });
}

export function roadSwatch(view, surface) {
  return canvas(view, 34, 26, (ctx) => {
    ctx.fillStyle = "#efe9d8";
    ctx.fillRect(0, 0, 34, 26);
    drawRoad(ctx, view.store.style, [[2, 17], [17, 12], [32, 9]], surface, 40);
  });
}

export function markerSwatch(view, type) {
  return canvas(view, 30, 30, (ctx) => {
    ctx.fillStyle = "#efe9d8";
    ctx.fillRect(0, 0, 30, 30);
    drawMarker(ctx, view.store.style, type, 15, 15, 42);
  });
}
