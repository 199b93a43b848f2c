// Ink: what studio/draw draws of the map and of answers, painted on the canvas as it is there, and the layers' panel.
// All views of a store share its ink; which layers are shown is a view's own.

import { TileLayer } from "../../layers/tiles.js";
import { showLayers } from "./layers.js";
import { paintInk } from "./paint.js";
import { sketch } from "./sketch.js";
import { inkOf } from "./store.js";

export const tools = [];
export { css } from "./layers.js";

const WRITTEN = 10; // zorder of studio/draw from which letters are written

/** An answer layer, under the signs of the map or over them. */
class AnswerPainter {
  constructor(ink, stage, below) { Object.assign(this, { ink, stage, layers: stage.layers, below, least: 0 }); }
  box() {
    const [x0, y0, x1, y1] = this.ink.store.grid.bounds;
    return [x0, y0, x1, y1];
  }
  *paint(ctx, box, scale) {
    let drawn = false;
    if (!this.layers.shown("answer")) return false;
    const swap = this.layers.at("answer").below, lists = [...this.ink.overlays.values()].filter(({ above }) => (swap || !above) === this.below);
    for (const { list } of lists) drawn = (yield* paintInk(ctx, this.ink, list, box, scale, 0, WRITTEN, this.layers)) || drawn;
    // Names and numbers stay to be read on washes, as in a picture.
    if (drawn && !this.below) yield* this.stage.features.paint(ctx, box, scale, true);
    for (const { list } of lists) drawn = (yield* paintInk(ctx, this.ink, list, box, scale, WRITTEN, Infinity, this.layers)) || drawn;
    return drawn;
  }
}

export function start(view) {
  const { stage, store } = view, ink = inkOf(store), { layers } = stage;
  stage.answers = [true, false].map((below) => new TileLayer(new AnswerPainter(ink, stage, below), { bytes: 32e6 }));
  layers.paint = function* (ctx, box, scale, from, to) {
    let drawn = yield* paintInk(ctx, ink, ink.map, box, scale, from, to, layers, stage.features.hidden);
    // What is not in ink yet is sketched where its ink will be uppermost.
    if (to === 10) drawn = (yield* sketch(ctx, ink, box, scale, layers, stage.features.hidden)) || drawn;
    return drawn;
  };
  const repaint = (boxes) => {
    for (const box of boxes) for (const tiles of [stage.groundTiles, stage.featureTiles]) tiles.spoil(box);
    stage.redraw(0, 1);
  };
  const answers = () => {
    for (const layer of stage.answers) layer.spoil([-Infinity, -Infinity, Infinity, Infinity]);
    stage.redraw(1);
  };
  view.unsubscribe.push(store.on("inked", repaint), store.on("answered", answers));
  view.frame.panel.showLayers = () => showLayers(view);
  view.frame.panel.showLayers();
  repaint([[-Infinity, -Infinity, Infinity, Infinity]]);
}
