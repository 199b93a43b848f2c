// A spatial index: boxes in world units hashed into squares of 16 hexes, so that only what is in sight is looked at.

const SIZE = 16;

export class BoxIndex {
  constructor() {
    this.boxes = new Map();
    this.squares = new Map();
  }
  get count() { return this.boxes.size; }
  box(id) { return this.boxes.get(id); }

  set(id, box) {
    this.delete(id);
    this.boxes.set(id, box);
    for (const key of squaresOf(box)) {
      if (!this.squares.has(key)) this.squares.set(key, new Set());
      this.squares.get(key).add(id);
    }
  }
  delete(id) {
    const box = this.boxes.get(id);
    if (!box) return;
    for (const key of squaresOf(box)) this.squares.get(key)?.delete(id);
    this.boxes.delete(id);
  }
  /** Ids whose boxes meet a box, in the order they were added. */
  meeting(x0, y0, x1, y1) {
    const found = new Set();
    for (const key of squaresOf([x0, y0, x1, y1])) {
      for (const id of this.squares.get(key) || []) {
        const b = this.boxes.get(id);
        if (b[0] <= x1 && b[2] >= x0 && b[1] <= y1 && b[3] >= y0) found.add(id);
      }
    }
    return found;
  }
}

function* squaresOf([x0, y0, x1, y1]) {
  for (let y = Math.floor(y0 / SIZE); y <= Math.floor(y1 / SIZE); y++) {
    for (let x = Math.floor(x0 / SIZE); x <= Math.floor(x1 / SIZE); x++) yield y * 65536 + x;
  }
}
