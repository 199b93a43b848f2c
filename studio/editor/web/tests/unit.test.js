// Parts of the editor that need no browser.

import assert from "node:assert/strict";
import test from "node:test";
import { BoxIndex } from "../src/boxes.js";
import { Camera } from "../src/camera.js";
import { Grid } from "../src/grid.js";
import { Labels, labelsOf } from "../src/labels.js";
import { Link, packCells } from "../src/link.js";
import { flood, spread, within } from "../src/parts/ground/shapes.js";
import { wire } from "../src/store.js";

function gridOf(orientation, stagger, columns = 7, rows = 6, half = []) {
  const across = (n) => (n - 1) * 720 + 960, along = (n) => n * 480 + 240, flat = orientation === "flat";
  return new Grid({
    orientation, stagger, columns, rows, half, hex_width: flat ? 2 / Math.sqrt(3) : Math.sqrt(3) / 2, hex_height: 1,
    frame: flat ? [0, 0, across(columns), along(rows)] : [0, 0, along(columns), across(rows)],
  });
}
const KINDS = [["flat", "odd"], ["flat", "even"], ["pointy", "odd"], ["pointy", "even"]];

for (const [orientation, stagger] of KINDS) {
  test(`${orientation} ${stagger}: a centre is in its hex, corners are shared, neighbours are mutual`, () => {
    const grid = gridOf(orientation, stagger);
    for (let cell = 0; cell < grid.size; cell++) {
      assert.equal(grid.cellAt(...grid.centre(cell)), cell);
      for (let d = 0; d < 6; d++) {
        const other = grid.neighbour(cell, d);
        if (other < 0) continue;
        assert.equal(grid.neighbour(other, (d + 3) % 6), cell);
        assert.equal(grid.distance(cell, other), 1);
        const [p, q] = grid.sideEnds(cell, other), [u, v] = grid.sideEnds(other, cell);
        for (const i of [0, 1]) assert.ok(Math.abs(p[i] - v[i]) + Math.abs(q[i] - u[i]) < 1e-9);
        const side = grid.sideAt((p[0] + q[0]) / 2, (p[1] + q[1]) / 2);
        assert.deepEqual([side.a, side.b], [Math.min(cell, other), Math.max(cell, other)]);
      }
    }
  });

  test(`${orientation} ${stagger}: lines have no gaps, disks are what the distance says`, () => {
    const grid = gridOf(orientation, stagger);
    for (let a = 0; a < grid.size; a += 5) {
      for (let b = 0; b < grid.size; b++) {
        const line = grid.line(a, b);
        assert.equal(line[0], a);
        assert.equal(line[line.length - 1], b);
        assert.ok(line.length >= grid.distance(a, b) + 1 && line.length <= grid.distance(a, b) + 2);
        for (let i = 1; i < line.length; i++) assert.equal(grid.distance(line[i - 1], line[i]), 1);
      }
      const near = new Set(grid.disk(a, 2));
      for (let b = 0; b < grid.size; b++) assert.equal(near.has(b), grid.distance(a, b) <= 2);
    }
  });

  test(`${orientation} ${stagger}: the range of a box misses no hex`, () => {
    const grid = gridOf(orientation, stagger), box = [1.3, 1.1, 3.2, 3.4], [c0, r0, c1, r1] = grid.range(...box);
    for (let cell = 0; cell < grid.size; cell++) {
      const inside = grid.corners(cell).some(([x, y]) => x > box[0] && x < box[2] && y > box[1] && y < box[3]);
      const c = grid.col(cell), r = grid.row(cell);
      if (inside) assert.ok(c >= c0 && c <= c1 && r >= r0 && r <= r1, `cell ${cell}`);
    }
  });
}

test("absent hexes are nowhere", () => {
  const grid = gridOf("flat", "odd", 3, 3);
  grid.present = Uint8Array.from([1, 1, 1, 1, 1, 1, 1, 0, 1]);
  assert.equal(grid.cellAt(...grid.centre(7)), -1);
  assert.ok(!grid.neighbours(4).includes(7));
  assert.equal(grid.step(4, 0, 1), 4);
});

test("a flood stays within its terrain", () => {
  const grid = gridOf("flat", "odd", 5, 5), plane = new Uint8Array(25);
  for (let r = 0; r < 5; r++) plane[r * 5 + 2] = 1;
  assert.equal(flood(grid, 0, plane).length, 10);
  assert.equal(flood(grid, 2, plane).length, 5);
});

test("a lasso holds the hexes whose middle lies within, however it crosses itself", () => {
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (const [orientation, stagger, columns, rows] of [["flat", "odd", 9, 7], ["flat", "even", 1, 6], ["pointy", "odd", 7, 9], ["pointy", "even", 6, 1]]) {
    const grid = gridOf(orientation, stagger, columns, rows);
    for (let n = 0; n < 40; n++) {
      const points = Array.from({ length: 3 + (n % 6) }, () => [random() * 10 - 1, random() * 10 - 1]);
      const inside = (x, y) => points.reduce((odd, [xi, yi], i) => {
        const [xj, yj] = points[(i + points.length - 1) % points.length];
        return yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi ? !odd : odd;
      }, false);
      const right = Array.from({ length: grid.size }, (_, cell) => cell).filter((cell) => inside(...grid.centre(cell)));
      assert.deepEqual(within(grid, points).sort((a, b) => a - b), right);
    }
    assert.deepEqual(within(grid, [[0, 0], [1, 1]]), []);
    assert.ok(Math.abs(spread(grid, [[0, 0], [grid.w * 10, 0], [grid.w * 10, 10], [0, 10]]) - 400 / 3) < 1e-6);
  }
});

test("labels are written and found, also as people type them", () => {
  const grid = gridOf("flat", "odd", 12, 12), two = (n) => String(n).padStart(2, "0"), texts = Array.from({ length: 12 }, (_, i) => two(i + 1));
  const labels = new Labels(grid, { columns: texts, rows: texts, along: "row", base: Array(12).fill(0), sign: 1, order: "column_first", separator: "." });
  for (let cell = 0; cell < grid.size; cell++) assert.equal(labels.cell(labels.of(cell)), cell);
  assert.equal(labels.of(25), "02.03");
  assert.equal(labels.find("2.3"), 25);
  assert.equal(labels.find("0203"), 25);
  assert.equal(labels.find("nowhere"), -1);
});

test("descending rows and rows that come first", () => {
  const grid = gridOf("flat", "odd", 3, 4);
  const labels = new Labels(grid, { columns: ["A", "B", "C"], rows: ["1", "2", "3", "4"], along: "row", base: [3, 3, 3], sign: -1, order: "row_first", separator: "" });
  assert.equal(labels.of(0), "4A");
  assert.equal(labels.of(10), "1B");
  for (let cell = 0; cell < grid.size; cell++) assert.equal(labels.cell(labels.of(cell)), cell);
});

test("boxes are found where they are and no longer where they were", () => {
  const boxes = new BoxIndex();
  boxes.set("a", [0, 0, 1, 1]);
  boxes.set("b", [30, 30, 80, 31]);
  assert.deepEqual([...boxes.meeting(0.5, 0.5, 2, 2)], ["a"]);
  assert.deepEqual([...boxes.meeting(70, 29, 71, 40)], ["b"]);
  boxes.set("a", [100, 100, 101, 101]);
  assert.equal(boxes.meeting(0, 0, 5, 5).size, 0);
  boxes.delete("a");
  assert.equal(boxes.count, 1);
});

test("cells travel as runs when that is shorter", () => {
  assert.deepEqual(packCells([5, 4, 3, 9]), { runs: false, bytes: Uint32Array.from([3, 4, 5, 9]) });
  assert.deepEqual(packCells([5, 4, 3, 6, 7]), { runs: true, bytes: Uint32Array.from([3, 5]) });
  const buffers = [], sent = wire({ op: "batch", title: "t", edits: [{ op: "paint", plane: "terrain", cells: [2, 1, 3], values: ["x"] }] }, buffers);
  assert.deepEqual(sent.edits[0].cells, { buffer: 0, runs: true });
  assert.equal(buffers.length, 1);
});

test("a link sends at most thirty messages a second and drops questions that are overtaken", async () => {
  const sent = [], link = new Link({ send: (content, _, buffers) => sent.push([content, buffers]) });
  for (let i = 0; i < 20; i++) link.post({ type: "sight", i }, [], true);
  link.post({ type: "edit" }, [new Uint32Array(2)]);
  assert.equal(sent.length, 1);
  await new Promise((done) => setTimeout(done, 80));
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[1][0].messages.map((m) => m.type), ["sight", "edit"]);
  assert.equal(sent[1][0].messages[0].i, 19);
});

test("a link splits what would be too long", async () => {
  const sent = [], link = new Link({ send: (_, __, buffers) => sent.push(buffers.reduce((n, b) => n + b.byteLength, 0)) });
  link.post({ type: "first" });
  for (let i = 0; i < 5; i++) link.post({ type: "edit" }, [new Uint8Array(2_500_000)]);
  await new Promise((done) => setTimeout(done, 250));
  assert.ok(sent.every((n) => n <= 6_000_000));
  assert.equal(sent.reduce((n, m) => n + m, 0), 12_500_000);
});

test("zooming keeps the place under the pointer, fitting shows the whole map", () => {
  const camera = new Camera([0, 0, 20, 12]);
  camera.resize(800, 600);
  camera.fit(0);
  const before = camera.toWorld(300, 200);
  camera.zoom(1.7, 300, 200, 0);
  const after = camera.toWorld(300, 200);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
  camera.fit(0);
  const [x0, y0, x1, y1] = camera.visible();
  assert.ok(x0 <= 0 && y0 <= 0 && x1 >= 20 && y1 >= 12);
});

test("hexes of a joint map are named by their sheets, turned ones too", () => {
  const two = ["01", "02", "03", "04"], own = { columns: two.slice(0, 3), rows: two.slice(0, 2), along: "row", base: [0, 0, 0], sign: 1, order: "column_first", separator: "" };
  const sheet = { ...own, size: [3, 2], stagger: "odd", short: false, turned: false };
  // Two maps of 3 x 2 hexes whose half hexes merge in the third column; the second one's first column is that one.
  const grid = gridOf("flat", "odd", 5, 2);
  grid.present = null;
  const labels = labelsOf(grid, { sheets: [{ ...sheet, prefix: "", q: 0, r: 0 }, { ...sheet, prefix: "B", q: 2, r: -1 }] });
  assert.deepEqual(Array.from({ length: 5 }, (_, c) => labels.at(c, 0)), ["0101", "0201", "0301", "B0201", "B0301"]);
  assert.equal(labels.cell("B0101"), labels.cell("0301"));
  assert.equal(labels.find("b 0202"), 8);
  assert.equal(labels.cell("B0401"), -1);
  for (let cell = 0; cell < 10; cell++) assert.equal(labels.cell(labels.of(cell)), cell);
  // Turned by half a turn where it lies: its last hex comes first.
  const turned = labelsOf(gridOf("flat", "even", 3, 2), { sheets: [{ ...sheet, prefix: "T", q: 2, r: 0, turned: true }] });
  assert.equal(turned.of(0), "T0302");
  assert.equal(turned.cell("T0101"), 5);
});

test("the playing area of a joint map is that of its sheets", () => {
  const grid = gridOf("flat", "odd", 7, 4, ["right"]), frame = grid.areas[0];
  assert.equal(grid.areas.length, 1);
  const apart = new Grid({
    orientation: "flat", stagger: "odd", columns: 7, rows: 4, half: ["right"], hex_width: 2 / Math.sqrt(3), hex_height: 1,
    frame: [0, 0, 5280, 2160], sheets: [[0, 0, 1440, 2160], [3600, 0, 5280, 2160]], border: [[[0, 0], [1440, 0], [1440, 2160], [0, 2160]]], seams: [],
  });
  assert.equal(apart.areas.length, 2);
  assert.equal(apart.cellAt(...apart.centre(0)), 0);
  assert.equal(apart.cellAt(...apart.centre(3)), -1);
  assert.ok(frame[2] > 0);
  apart.present = Uint8Array.from({ length: 28 }, (_, cell) => (cell % 7 < 2 || cell % 7 > 4 ? 1 : 0));
  assert.equal(apart.step(8, 1, 0), 12); // over the gap
  assert.equal(apart.step(12, -1, 0), 8);
  assert.equal(apart.step(13, 1, 0), 13);
});
