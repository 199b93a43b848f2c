// The ink of one store: display lists as Python sent them, and what has changed on the map since.

import { bytesOf } from "../../store.js";
import { InkList } from "./list.js";

const inks = new WeakMap();
/** Kinds of features that are drawn by ink. */
export const INKED = new Set(["area", "wall", "aperture", "place", "link", "dot", "marker"]);

export function inkOf(store) {
  if (!inks.has(store)) inks.set(store, new Ink(store));
  return inks.get(store);
}

class Ink {
  constructor(store) {
    Object.assign(this, { store, map: new InkList(), overlays: new Map(), there: false });
    this.stale = new Map(); // id of a feature -> revision from which on its ink is right, Infinity as long as that is not known
    store.on("ink", ({ message, buffers }) => this.take(message, bytesOf(buffers[0])));
    store.on("overlay", ({ message, buffers }) => this.overlay(message, buffers.map(bytesOf)));
    store.on("features", ({ ids }) => this.changed(ids));
    this.right = -1; // revision of the map whose drawing is shown
    store.on("revision", () => this.settle());
    // An answer that brings no revision of its own settles its guesses too; it is read to its end first.
    store.on("pending", () => queueMicrotask(() => this.settle()));
    store.on("reset", (resized) => this.reset(resized));
    this.ask();
  }
  ask() { this.store.ask("ink", { client: this.store.client }); }

  reset(resized) {
    // A map of other hexes: nothing is where it was.
    if (!resized) return;
    this.there = false;
    this.map.clear();
    this.map.number = -1; // what builds on the drawing before, and is on its way, has nothing to build on
    this.overlays.clear();
    this.stale.clear();
    this.right = -1;
    this.ask();
  }

  take(message, bytes) {
    const { store } = this, boxes = this.map.take(message, bytes);
    if (!boxes) {
      this.ask();
      return;
    }
    if (!message.last) return this.boxes.push(...boxes);
    const first = !this.there;
    this.there = true;
    this.right = message.revision;
    boxes.push(...this.boxes.splice(0), ...this.righted());
    store.emit("inked", first ? [[-Infinity, -Infinity, Infinity, Infinity]] : boxes);
  }
  /** Forget the changes that the drawing shows already; returns the boxes where it is seen again. */
  righted() {
    const boxes = [];
    for (const [id, revision] of this.stale) {
      if (revision > this.right) continue;
      this.stale.delete(id);
      const box = this.store.featureBoxes.box(id);
      boxes.push(...(box ? [box] : []), ...this.map.boxesOf(id));
    }
    return boxes;
  }
  boxes = [];

  overlay({ name, above, parts }, buffers) {
    this.overlays.delete(name);
    if (parts) {
      const list = new InkList(true);
      parts.forEach((part, i) => list.take(part, buffers[i]));
      this.overlays.set(name, { list, above });
    }
    this.store.emit("answered");
  }

  /** Features changed, here or elsewhere: their old ink is not shown any more, a sketch is until the new one is there. */
  changed(ids) {
    const old = new Set(), { features } = this.store;
    for (const id of ids) {
      if (!this.map.owned.has(id) && !INKED.has(features.get(id)?.record.kind)) continue;
      this.stale.set(id, Infinity);
      old.add(id);
    }
    const boxes = [...old].flatMap((id) => this.map.boxesOf(id));
    if (boxes.length) this.store.emit("inked", boxes);
    this.settle();
  }
  /** What Python has answered is right from the revision on that it told; its ink may have come before the answer, or never changed. */
  settle() {
    if (!this.stale.size) return;
    const { store } = this, mine = store.claims().ids;
    for (const [id, revision] of this.stale) if (revision === Infinity && !mine.has(id)) this.stale.set(id, store.revision);
    const boxes = this.there ? this.righted() : [];
    if (boxes.length) store.emit("inked", boxes);
  }
}
