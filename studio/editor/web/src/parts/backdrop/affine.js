// Affines as [a, b, c, d, e, f]: x' = a x + b y + c, y' = d x + e y + f.

export const at = ([a, b, c, d, e, f], x, y) => [a * x + b * y + c, d * x + e * y + f];

/** First q, then p. */
export function after([a, b, c, d, e, f], [p, q, r, s, t, u]) {
  return [a * p + b * s, a * q + b * t, a * r + b * u + c, d * p + e * s, d * q + e * t, d * r + e * u + f];
}
export function back([a, b, c, d, e, f]) {
  const det = a * e - b * d;
  return [e / det, -b / det, (b * f - c * e) / det, -d / det, a / det, (c * d - a * f) / det];
}
export const scaled = (k) => [k, 0, 0, 0, k, 0];
/** How much longer lines get, on an average. */
export const growth = ([a, b, , d, e]) => Math.sqrt(Math.abs(a * e - b * d));
export const use = (ctx, [a, b, c, d, e, f]) => ctx.setTransform(a, d, b, e, c, f);
