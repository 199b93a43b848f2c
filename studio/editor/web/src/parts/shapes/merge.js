// Merge areas: click one, then those beside it; the first keeps its name. Two lines of one kind are joined the same way.

import { figuresOf } from "./figures.js";
import { titleOf } from "./snap.js";
import { outline, troubleSign } from "./sketching.js";
import { ask } from "./asking.js";

export class MergeTool {
  constructor(view) {
    this.view = view;
    this.figures = figuresOf(view.store);
    Object.assign(this, { id: "merge", title: "Merge", cursor: "crosshair", first: null, over: null, trouble: null });
  }
  enter() {
    const [id] = this.view.selection;
    this.first = id && this.fits(this.figures.get(id)) ? id : null;
  }
  fits(figure) { return !!figure?.strands.length && !this.view.stage.layers.locked(figure.record.kind); }
  found(e) {
    const all = this.figures.under(e.x, e.y, (6 * this.view.dpr) / this.view.camera.scale, (record) => !this.view.stage.layers.locked(record.kind)).filter((figure) => this.fits(figure));
    const kind = this.first && this.figures.get(this.first)?.record.kind;
    return all.find((figure) => figure.id !== this.first && (!kind || figure.record.kind === kind)) || all[0] || null;
  }
  down(e) {
    const figure = this.found(e);
    this.trouble = null;
    if (!figure) return;
    if (!this.first || figure.id === this.first || !this.figures.get(this.first)) {
      this.first = figure.id;
      this.view.choose([figure.id]);
      this.view.frame.say(`${titleOf(this.view.store, figure.record)}: now click what becomes part of it`);
      return;
    }
    const ids = [this.first, figure.id], before = this.first;
    ask(this.view, "join", { ids }, {
      touches: ids,
      done: (message) => {
        [this.first] = message.ids;
        this.view.choose(message.ids);
        this.view.frame.say("Merged; click the next one, or Esc");
      },
      refused: (message) => { this.first = before; this.trouble = message.point; },
    });
  }
  up() {}
  hover(e) { this.over = e ? this.found(e)?.id || null : null; }
  finish(e) { this.down(e); }
  cancel() {
    this.first = this.trouble = null;
    this.view.choose([]);
  }
  leave() { this.over = null; }
  words() {
    const figure = this.over && this.figures.get(this.over);
    return figure ? titleOf(this.view.store, figure.record) : "";
  }
  draw(ctx) {
    const { view } = this, first = this.first && this.figures.get(this.first), over = this.over && this.over !== this.first && this.figures.get(this.over);
    if (first) outline(ctx, view, first.strands, { fill: first.record.kind === "area" ? "rgba(0,114,178,0.2)" : null });
    if (over) outline(ctx, view, over.strands, { dash: [6, 5], fill: first && over.record.kind === "area" ? "rgba(0,114,178,0.12)" : null });
    if (this.trouble) troubleSign(ctx, view, this.trouble);
  }
  panel(build) { build.hint("Click the area that keeps its name, then one that borders on it. Doors and walls on the border between them go. Lines of one kind are joined at their nearest ends. Keys: arrows and Space; Esc begins anew."); }
}
