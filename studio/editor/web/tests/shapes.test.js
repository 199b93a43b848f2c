// Geometry of the tools for lines and areas: rings of hexes, snapping, guesses.
import test from "node:test";
import assert from "node:assert/strict";

import { Grid } from "../src/grid.js";
import { area, figuresOf, inside, insertedCorner, movedCorners, withoutCorner } from "../src/parts/shapes/figures.js";
import { ringsOf } from "../src/parts/shapes/hexes.js";
import { Snapper, crossingOf, finePoints, footOf, onEdge } from "../src/parts/shapes/snap.js";

const geometry = (orientation = "flat") => ({ columns: 8, rows: 8, orientation, stagger: "odd", hex_width: orientation === "flat" ? 2 / Math.sqrt(3) : 1, hex_height: orientation === "flat" ? 1 : 2 / Math.sqrt(3), frame: orientation === "flat" ? [0, 0, 6000, 4080] : [0, 0, 4080, 6000] });

function storeOf(records, grid = new Grid(geometry())) {
  const listeners = {};
  return {
    grid, features: new Map(records.map((record) => [record.id, { record }])), labels: { cell: () => -1 }, catalogue: { area_types: [] },
    on(name, act) { listeners[name] = act; },
    put(record) { this.features.set(record.id, { record }); listeners.features({ ids: [record.id] }); },
    drop(id) { this.features.delete(id); listeners.features({ ids: [id] }); },
  };
}
const square = (id, x0, y0, x1, y1, more = {}) => ({ kind: "area", id, type: "zone", outline: [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], holes: [], ...more });

for (const orientation of ["flat", "pointy"]) {
  test(`the ring around hexes follows their sides (${orientation})`, () => {
    const grid = new Grid(geometry(orientation)), middle = 3 * 8 + 3;
    const [one] = ringsOf([middle], grid);
    assert.equal(one.length, 6);
    const [x, y] = grid.centreLattice(middle);
    assert.deepEqual(new Set(one.map(String)), new Set(grid.offsets.map(([dx, dy]) => String([x + dx, y + dy]))));
    const rings = ringsOf(grid.disk(middle, 1).filter((cell) => cell !== middle), grid);
    assert.equal(rings.length, 2);
    const sizes = rings.map(area).sort((a, b) => a - b);
    assert.equal(sizes[0], -area(one)); // the hole goes round the other way
    assert.equal(sizes[1], 7 * area(one));
    assert.equal(ringsOf([0, 63], grid).length, 2);
  });
}
test("hexes that the map's edge cuts end there", () => {
  const grid = new Grid({ ...geometry(), frame: [480, 240, 5520, 3840], half: ["top", "left"] });
  const [ring] = ringsOf([0], grid);
  for (const [x, y] of ring) assert.ok(x >= 480 && y >= 240);
  assert.ok(Math.abs(area(ring)) > 0);
});

test("the foot on an edge is one of its own lattice points where it has some near", () => {
  assert.deepEqual(footOf(300, 101, [0, 0], [960, 0], [1, 1]), [300, 0]);
  const at = footOf(300, 190, [0, 0], [960, 480], [0.001, 0.001]);
  assert.ok(onEdge(at, [0, 0], [960, 480]));
  const [x, y] = footOf(300, 190, [0, 0], [961, 479], [1, 1]); // no lattice point between its ends
  assert.ok(Number.isInteger(x) && Number.isInteger(y));
  assert.deepEqual(footOf(-50, 0, [0, 0], [10, 0], [1, 1]), [0, 0]);
});
test("edges cross between their ends only", () => {
  assert.deepEqual(crossingOf([0, 0], [10, 10], [0, 10], [10, 0]), [5, 5]);
  assert.equal(crossingOf([0, 0], [10, 10], [10, 10], [20, 0]), null);
  assert.equal(crossingOf([0, 0], [10, 0], [0, 5], [10, 5]), null);
});

test("snapping goes by kind, leaves out what moves, and is exact", () => {
  const store = storeOf([square("a", 1000, 1000, 2000, 1600), square("b", 2000, 1000, 2803, 1611)]), { grid } = store, { kx, ky } = grid;
  const view = { grid, store, options: {}, dpr: 1, camera: { scale: 100 } }, snapper = new Snapper(view, figuresOf(store));
  const find = (x, y, how) => snapper.find(x * kx, y * ky, how);
  assert.deepEqual(find(1010, 1010).at, [1000, 1000]);
  assert.equal(find(1010, 1010).kind, "vertex");
  assert.equal(find(1500, 1010).kind, "edge");
  assert.equal(find(1500, 1010).at[1], 1000);
  assert.equal(find(2000, 1300, { skip: new Set(["a", "b"]) }).kind !== "edge", true);
  assert.notEqual(find(1010, 1010, { without: new Set(["1000,1000"]) }).kind, "vertex");
  assert.deepEqual(find(1010, 1013, { alt: true }).at, [1010, 1013]);
  assert.equal(find(500, 500, { own: [[505, 505], [900, 505], [900, 800]] }).kind, "own");
  const straight = find(700, 520, { shift: true, last: [500, 505] });
  assert.deepEqual(straight.at, [700, 505]);
  for (const [x, y] of [[3, 3], [2400, 2333], [5999, 4079], [1712, 1203], [-40, -900]]) {
    const { at } = find(x, y);
    assert.ok(at.every(Number.isInteger));
    assert.ok(at[0] >= 0 && at[1] >= 0 && at[0] <= 6000 && at[1] <= 4080);
  }
  view.options.snapTo = new Set();
  assert.equal(find(1010, 1010).kind, "free");
});
test("a hex has thirteen points to go to", () => {
  const grid = new Grid(geometry()), points = finePoints(grid, 9);
  assert.equal(points.length, 13);
  assert.equal(new Set(points.map(({ at }) => String(at))).size, 13);
});

test("the index follows changes and finds the smallest area first", () => {
  const store = storeOf([square("big", 0, 0, 3000, 3000), square("small", 500, 500, 900, 900), { kind: "wall", id: "w", type: "x", line: [[500, 500], [900, 500]] }]), figures = figuresOf(store), { kx, ky } = store.grid;
  const under = (x, y) => figures.under(x * kx, y * ky, 0.02).map(({ id }) => id);
  assert.deepEqual(under(700, 700), ["small", "big"]);
  assert.deepEqual(under(700, 501), ["w", "small", "big"]);
  store.put(square("big", 0, 0, 600, 600));
  assert.deepEqual(under(700, 700), ["small"]);
  store.drop("small");
  assert.deepEqual(under(700, 700), []);
  assert.ok(!inside(square("h", 0, 0, 100, 100, { holes: [[[40, 40], [60, 40], [60, 60], [40, 60]]] }), 50, 50));
});
test("guesses move, insert and remove corners for everyone who has them", () => {
  const store = storeOf([square("a", 0, 0, 1000, 600), square("b", 1000, 0, 2000, 600), { kind: "wall", id: "w", type: "x", line: [[1000, 0], [1000, 600]] }]), figures = figuresOf(store);
  const moved = movedCorners(figures, new Map([["1000,600", [1100, 650]]]));
  assert.deepEqual(moved.map(({ id }) => id).sort(), ["a", "b", "w"]);
  for (const record of moved) assert.ok((record.outline || record.line).some((p) => String(p) === "1100,650"));
  assert.deepEqual(movedCorners(figures, new Map([["1000,600", [1100, 650]]]), new Set(["a"])).map(({ id }) => id), ["a"]);
  const made = insertedCorner(figures, [[1000, 0], [1000, 600]], [1000, 300]);
  assert.deepEqual(made.map(({ id }) => id).sort(), ["a", "b", "w"]);
  assert.deepEqual(made.find(({ id }) => id === "w").line, [[1000, 0], [1000, 300], [1000, 600]]);
  const less = withoutCorner(figures, [1000, 600]);
  assert.equal(less.find(({ id }) => id === "a").outline.length, 3);
  assert.equal(less.find(({ id }) => id === "w").line.length, 2); // too short: Python will refuse
});
