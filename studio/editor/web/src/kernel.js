// Whether the kernel behind the widget still lives, as far as its host lets a widget know.
//
// JupyterLab says so at once, by the status of the kernel and by the widget's channel; where neither can be seen, the kernel is
// asked when somebody comes back to the map after a while.

const ENDED = new Set(["restarting", "autorestarting", "dead", "terminating"]);
const QUIET = 20_000; // ms without a word from the kernel after which it is asked
const PATIENCE = 5_000; // ms that it may take to answer before the status line says so

export class Kernel {
  /** ended(why) is called once; silent(true|false) when a question stays unanswered, and when an answer comes after all. */
  constructor(model, { ended, silent, ask }) {
    Object.assign(this, { model, told: ended, silent, ask, over: false, heard: performance.now(), stops: [] });
    const end = (why) => () => this.end(why);
    this.hear("comm:close", end("closed"));
    this.hear("destroy", end("closed"));
    // The channel of the other models of this page ends with ours, and unlike ours they can be looked at.
    this.hear("comm_live_update", () => setTimeout(() => this.look()));
    this.kernel = kernelOf(model);
    if (this.kernel) {
      const status = (_, now) => ENDED.has(now) && this.end("kernel"), gone = end("kernel");
      this.join(this.kernel.statusChanged, status);
      this.join(this.kernel.disposed, gone);
      if (ENDED.has(this.kernel.status) || this.kernel.isDisposed) setTimeout(gone);
    }
    setTimeout(() => this.look());
  }
  hear(name, listener) {
    this.model.on(name, listener);
    this.stops.push(() => this.model.off(name, listener));
  }
  join(signal, slot) {
    if (!signal?.connect) return;
    signal.connect(slot);
    this.stops.push(() => signal.disconnect(slot));
  }
  look() {
    const layout = this.model.get("layout");
    if (layout && layout.comm_live === false) this.end("kernel");
  }
  end(why) {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.waiting);
    this.told(why);
  }
  answered() {
    this.heard = performance.now();
    clearTimeout(this.waiting);
    this.waiting = 0;
    this.silent(false);
  }
  /** Somebody turns to the map. */
  wanted() {
    if (this.over || this.kernel || this.waiting || performance.now() - this.heard < QUIET) return;
    this.ask();
    this.waiting = setTimeout(() => this.silent(true), PATIENCE);
  }
  close() {
    clearTimeout(this.waiting);
    this.over = true;
    this.stops.forEach((stop) => stop());
  }
}

function kernelOf(model) {
  try {
    return model.widget_manager?.kernel || null;
  } catch {
    return null; // a host that has none, or shows none
  }
}
