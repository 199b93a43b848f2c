// Counters as small pictures: each face is drawn once a size, and laid down wherever it stands.

const MOST = 900, WORDS = 5.5, FIELD = 1000;
const paths = new Map();

function pathOf(text) {
  let path = paths.get(text);
  if (!path) paths.set(text, (path = new Path2D(text)));
  return path;
}

/** Draw a face around a point, px device pixels wide. */
export function drawFace(ctx, [marks, words], x, y, px) {
  const s = px / FIELD;
  ctx.save();
  ctx.translate(x - px / 2, y - px / 2);
  ctx.scale(s, s);
  ctx.lineJoin = "round";
  for (const [text, fill, stroke, width, dash] of marks) {
    const path = pathOf(text);
    if (fill) {
      ctx.fillStyle = fill;
      ctx.fill(path);
    }
    if (stroke) {
      ctx.strokeStyle = stroke;
      ctx.lineWidth = Math.max(width, 0.6 / s);
      ctx.setLineDash(dash ? [dash, dash] : []);
      ctx.stroke(path);
    }
  }
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  for (const [text, wx, wy, size, color, bold] of words) {
    if (size * s < WORDS) continue;
    ctx.font = `${bold ? 700 : 400} ${size}px "DejaVu Sans", Verdana, Arial, sans-serif`;
    ctx.fillStyle = color;
    ctx.fillText(text, wx, wy + 0.36 * size, 950);
  }
  ctx.restore();
}

/** Pictures of faces, kept by face and size. */
export class Sprites {
  constructor() { this.kept = new Map(); }
  clear() { this.kept.clear(); }
  draw(ctx, key, face, x, y, px) {
    const size = Math.max(4, Math.round(px)), name = `${key} ${size}`;
    let sprite = this.kept.get(name);
    if (!sprite) {
      if (this.kept.size > MOST) this.kept.clear();
      sprite = document.createElement("canvas");
      // The block of wood stands out a little beyond the field.
      sprite.width = sprite.height = size + 4;
      drawFace(sprite.getContext("2d"), face, size / 2 + 2, size / 2 + 2, size);
      this.kept.set(name, sprite);
    }
    ctx.drawImage(sprite, Math.round(x - size / 2) - 2, Math.round(y - size / 2) - 2);
  }
}

const FLAT = { N: -90, NE: -30, E: 0, SE: 30, S: 90, SW: 150, W: 180, NW: -150 }, POINTY = { NE: -60, SE: 60, SW: 120, NW: -120 };

/** The arrow of the side that a counter faces, at its rim. */
export function drawArrow(ctx, facing, x, y, px, flat) {
  const angle = ((flat ? FLAT[facing] : POINTY[facing] ?? FLAT[facing]) * Math.PI) / 180, ux = Math.cos(angle), uy = Math.sin(angle), rim = 0.5 / Math.max(Math.abs(ux), Math.abs(uy));
  ctx.beginPath();
  for (const [a, b] of [[rim - 0.06, -0.22], [rim + 0.19, 0], [rim - 0.06, 0.22]]) ctx.lineTo(x + (a * ux - b * uy) * px, y + (a * uy + b * ux) * px);
  ctx.closePath();
  ctx.lineJoin = "round";
  ctx.fillStyle = "#1d1a17";
  ctx.strokeStyle = "#ffffff";
  ctx.lineWidth = Math.max(1, 0.03 * px);
  ctx.fill();
  ctx.stroke();
}
