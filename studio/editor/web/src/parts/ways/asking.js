// One question at a time: while Python works on one, only the newest of those that came meanwhile is kept.

const LOST = 8000; // ms after which an answer is no longer waited for

export class Asking {
  /** type: of the question and of its answer. */
  constructor(store, type) {
    Object.assign(this, { store, type, open: -Infinity, next: null });
    this.stop = store.on(type, () => this.answered());
  }
  ask(detail) {
    if (this.store.dead) return;
    if (performance.now() - this.open < LOST) {
      this.next = detail;
      return;
    }
    this.open = performance.now();
    this.store.link.post({ type: this.type, client: this.store.client, ...detail });
  }
  answered() {
    this.open = -Infinity;
    const { next } = this;
    this.next = null;
    if (next) this.ask(next);
  }
}

/** The label of what an event points at: a location that is drawn, else the hex; "" off the map. */
export function labelOf(view, e) { return e?.label || (e && e.cell >= 0 ? view.store.labels.of(e.cell) : ""); }
