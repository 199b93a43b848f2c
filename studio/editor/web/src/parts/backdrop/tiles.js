// The squares of the scan that have come so far: one collection a map, shared by its views.

const MOST = 200; // squares in memory, a megabyte each
const PATIENCE = 15_000; // ms after which a square is asked for again
const AT_ONCE = 24; // squares in one question

const caches = new WeakMap();

export function tilesOf(store) {
  if (!caches.has(store)) caches.set(store, new Tiles(store));
  return caches.get(store);
}

class Tiles {
  constructor(store) {
    Object.assign(this, { store, found: new Map(), asked: new Map(), listeners: new Set(), version: 0 });
    this.clear("");
    store.on("scan", ({ message, buffers }) => this.take(message, buffers));
  }
  clear(sha) {
    for (const bitmap of this.found.values()) bitmap.close?.();
    this.found.clear();
    this.asked.clear();
    Object.assign(this, { sha, size: null, levels: 0, side: 0 });
    this.version += 1;
  }

  /** A square, and that it is in use. */
  get(level, i, j) {
    const id = key(level, i, j), bitmap = this.found.get(id);
    if (bitmap) {
      this.found.delete(id);
      this.found.set(id, bitmap);
    }
    return bitmap;
  }
  has(level, i, j) { return this.found.has(key(level, i, j)); }

  /** Ask for squares [level, i, j], the first first; without any, for what there is. */
  want(list) {
    const now = performance.now(), fresh = (id) => now - (this.asked.get(id) ?? -Infinity) > PATIENCE;
    const tiles = list.filter((tile) => fresh(key(...tile))).slice(0, AT_ONCE);
    if (list.length ? !tiles.length : !fresh("start")) return;
    tiles.forEach((tile) => this.asked.set(key(...tile), now));
    if (!list.length) this.asked.set("start", now);
    this.store.link.post({ type: "scan", client: this.store.client, sha256: this.sha, tiles });
  }

  async take({ sha256, size, levels, tile, tiles }, buffers) {
    if (sha256 !== this.sha) return; // of a picture that was changed for another meanwhile
    Object.assign(this, { size, levels, side: tile });
    const bitmaps = await Promise.all(tiles.map((_, n) => createImageBitmap(new Blob([buffers[n]])).catch(() => null)));
    if (sha256 !== this.sha) return;
    tiles.forEach((one, n) => { if (bitmaps[n]) this.found.set(key(...one), bitmaps[n]); });
    for (const [id, bitmap] of this.found) {
      if (this.found.size <= MOST) break;
      this.found.delete(id);
      this.asked.delete(id);
      bitmap.close?.();
    }
    this.version += 1;
    this.listeners.forEach((tell) => tell());
  }
}

function key(level, i, j) { return `${level} ${i} ${j}`; }
