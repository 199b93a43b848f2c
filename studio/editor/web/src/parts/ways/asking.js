// One question at a time: while Python works on one, only the newest of those that came meanwhile is kept.

const LOST = 8000; // ms after which an answer is no longer waited for

export class Asking {
  /** type: of the question and of its answer; heard: what is done with an answer, unless a newer question waits. */
  constructor(view, type, heard) {
    Object.assign(this, { store: view.store, type, heard, open: -Infinity, next: null });
    view.unsubscribe.push(this.store.on(type, ({ message }) => this.answered(message)));
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
  answered(message) {
    if (message.client && message.client !== this.store.client) return;
    if (message.client) this.open = -Infinity;
    const { next } = this;
    this.next = null;
    if (next) this.ask(next);
    else this.heard?.(message);
  }
}

/** The location that an event means, null off the map; with Alt the next one that is stacked there, such as a roof. */
export function spotOf(view, e) {
  if (!e) return null;
  const { places } = view.store, all = e.keyboard ? [e.place || places.hex(e.cell)] : places.stack(e.x, e.y), place = (e.alt && all[1]) || all[0];
  return place ? { label: place.label, x: place.u ?? place.x, y: place.v ?? place.y, cell: e.cell } : null;
}
