// Ink and the changes of features: whatever comes first, sketches end when the ink is right.
import test from "node:test";
import assert from "node:assert/strict";

import { inkOf } from "../src/parts/ink/store.js";
import { brief } from "../src/look.js";

const EMPTY = Uint8Array.from([0, 0, 0]);

function storeOf() {
  const listeners = new Map(), mine = new Set();
  return {
    mine, revision: 1, client: "a", grid: { bounds: [0, 0, 1, 1] }, features: new Map([["wall-1", { record: { kind: "wall", id: "wall-1" } }]]), featureBoxes: { box: () => [0, 0, 1, 1] },
    asked: 0, ask() { this.asked += 1; }, claims: () => ({ ids: mine }),
    on(name, act) { listeners.set(name, [...(listeners.get(name) || []), act]); },
    emit(name, about) { (listeners.get(name) || []).forEach((act) => act(about)); },
    ink(revision, base, number) { this.emit("ink", { message: { revision, base, number, last: true, owners: [], groups: [], words: [] }, buffers: [EMPTY] }); },
    patch(revision) { this.mine.clear(); this.revision = revision; this.emit("revision"); },
    guess(id) { this.mine.add(id); this.emit("features", { ids: [id] }); },
  };
}

test("a sketch ends with its ink, whether that comes after the answer or before it", () => {
  for (const first of ["answer", "ink"]) {
    const store = storeOf(), ink = inkOf(store);
    store.ink(1, 0, 1);
    store.guess("wall-1");
    assert.equal(ink.stale.get("wall-1"), Infinity);
    if (first === "answer") store.patch(2);
    else store.ink(2, 1, 2);
    assert.ok(ink.stale.has("wall-1"));
    const seen = [];
    store.on("inked", (boxes) => seen.push(...boxes));
    if (first === "answer") store.ink(2, 1, 2);
    else store.patch(2);
    assert.equal(ink.stale.size, 0);
    assert.ok(seen.length, "it is painted anew");
  }
});

test("a refused change shows its old ink again, for no new one comes", async () => {
  const store = storeOf(), ink = inkOf(store);
  store.ink(1, 0, 1);
  store.guess("wall-1");
  store.mine.clear(); // an answer without a revision of its own
  store.emit("pending");
  await null;
  assert.equal(ink.stale.size, 0);
});

test("older ink does not end the sketch of a later change", () => {
  const store = storeOf(), ink = inkOf(store);
  store.ink(1, 0, 1);
  store.guess("wall-1");
  store.patch(3);
  store.ink(2, 1, 2);
  assert.equal(ink.stale.get("wall-1"), 3);
  store.ink(3, 2, 3);
  assert.equal(ink.stale.size, 0);
});

test("a name that no map has room for is cut, between characters", () => {
  assert.equal(brief("Midlands"), "Midlands");
  const cut = brief("🏰".repeat(5000));
  assert.equal([...cut].length, 80);
  assert.ok(cut.endsWith("🏰…"));
});
