// What a view shows of the map: each layer is shown or hidden, more or less opaque, locked, and two lie under or over others.

const PLAIN = Object.freeze({ shown: true, alpha: 1, locked: false, below: false });
// Kinds of features that share a layer with others.
const LAYER = { wall: "border", side: "road", crest: "road", aperture: "sign", place: "sign", link: "sign", dot: "sign" };

export class Layers {
  constructor() {
    this.settings = { backdrop: { ...PLAIN, below: true } };
    this.paint = null; // paints ink, once its part is there: *paint(ctx, box, scale, from, to)
  }
  /** {shown, alpha, locked, below} of a layer, or of the layer of a kind of features. */
  at(kind) { return this.settings[LAYER[kind] || kind] || PLAIN; }
  shown(kind) { return this.at(kind).shown; }
  alpha(kind) { return this.at(kind).alpha; }
  /** Whether things of a kind must not be picked or changed: the user locked them, or does not see them. */
  locked(kind) { return this.at(kind).locked || !this.shown(kind); }
  set(id, change) { this.settings[id] = { ...this.at(id), ...change }; }
  *ink(ctx, box, scale, from, to) { if (this.paint) return yield* this.paint(ctx, box, scale, from, to); return false; }
}
