// Messages to Python: at most one in 33 ms; what waits meanwhile travels together; a newer question replaces an older one.

const PAUSE = 33; // ms between two messages
const MOST = 6_000_000; // bytes of buffers in one message; the server closes the socket above 10 MiB

export class Link {
  constructor(model, clock = () => performance.now()) {
    Object.assign(this, { model, clock, waiting: [], last: -Infinity, timer: 0, sent: 0, bytes: 0 });
  }

  /** Queue a message. `replaces`: a waiting message of the same kind is dropped first. */
  post(message, buffers = [], replaces = false) {
    if (this.stopped) return;
    message = { ...message, ...this.stamp?.() };
    if (replaces) this.waiting = this.waiting.filter((w) => w.message.type !== message.type);
    this.waiting.push({ message, buffers });
    const due = this.last + PAUSE - this.clock();
    if (due <= 0 && !this.timer) this.flush();
    else if (!this.timer) this.timer = setTimeout(() => { this.timer = 0; this.flush(); }, Math.max(1, due));
  }

  stop() {
    this.stopped = true;
    this.waiting = [];
    clearTimeout(this.timer);
  }

  flush() {
    if (!this.waiting.length) return;
    const messages = [], buffers = [];
    let size = 0;
    while (this.waiting.length) {
      const next = this.waiting[0], bytes = next.buffers.reduce((n, b) => n + b.byteLength, 0);
      if (messages.length && size + bytes > MOST) break;
      this.waiting.shift();
      messages.push({ ...next.message, buffers: buffers.length });
      buffers.push(...next.buffers);
      size += bytes;
    }
    this.last = this.clock();
    this.sent += 1;
    this.bytes += size;
    try {
      this.model.send({ type: "many", messages }, undefined, buffers);
    } catch (error) {
      this.broken?.(error); // the kernel behind the widget is gone
    }
    if (this.waiting.length && !this.timer) this.timer = setTimeout(() => { this.timer = 0; this.flush(); }, PAUSE);
  }
}

/** Cells as bytes: runs (first, count) when that is shorter, else one number each; uint32, little endian. */
export function packCells(cells) {
  const sorted = Uint32Array.from(cells).sort();
  const runs = [];
  for (let i = 0; i < sorted.length;) {
    let n = 1;
    while (i + n < sorted.length && sorted[i + n] === sorted[i] + n) n++;
    runs.push(sorted[i], n);
    if (runs.length >= sorted.length) break;
    i += n;
  }
  return runs.length < sorted.length ? { runs: true, bytes: Uint32Array.from(runs) } : { runs: false, bytes: sorted };
}
