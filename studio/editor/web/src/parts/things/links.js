// Links: two locations that belong together, such as stairs, arrows between boxes, lines of fire, egress routes.

import { ACCENT, stroke } from "../../above.js";
import { ThingTool } from "./base.js";
import { lineOf, spotOf } from "./spots.js";

export class LinkTool extends ThingTool {
  constructor(view) {
    super(view, { id: "link", lies: "link", title: "Link", letter: "j", icon: "link", oneWay: false, ranked: null, text: "", a: "", b: "" });
  }
  list() { return this.game.links; }
  get ordered() { return this.ranked ?? !!this.list().find((one) => one.id === this.type())?.ordered; }

  down(e) {
    if (!e.label || !this.type()) return;
    if (!this.a) {
      const found = this.at(e);
      if (found && !e.keyboard && !e.place) {
        this.view.choose([found.id]);
        return;
      }
      this.a = this.from = e.label;
      this.begun = !e.keyboard;
      this.changed();
    } else this.join(e.label);
  }
  move(e) { this.hover(e); }
  up(e) {
    if (this.begun && this.a && e.label && e.label !== this.a) this.join(e.label);
    this.begun = false;
  }
  hover(e) {
    this.tip = e ? { label: e.label, at: e.label ? spotOf(this.store, e.label) || [e.x, e.y] : [e.x, e.y] } : null;
    this.over = e && !this.a ? this.at(e) : null;
  }
  join(b) {
    const a = this.a;
    if (!a || !b || a === b) return;
    this.a = "";
    const record = {
      kind: "link", id: this.store.freeId("link"), type: this.type(), a, b, one_way: this.oneWay, order: this.ordered ? -1 : 0, text: this.text,
    };
    this.request("put_link", { record }, { ...record, order: Math.max(0, record.order) });
    this.view.choose([record.id]);
    this.view.frame.say(`${this.typeName()}: ${this.said(a)} to ${this.said(b)}`);
    this.changed();
  }
  finish(e) { if (this.a && e?.label && e.label !== this.a) this.join(e.label); }
  cancel() {
    this.a = "";
    this.begun = false;
    this.changed();
  }
  leave() { this.a = ""; this.over = this.tip = null; }
  draw(ctx) {
    const entry = this.over && this.store.features.get(this.over.id), line = entry ? lineOf(this.store, entry) : [];
    const from = this.a && spotOf(this.store, this.a), ends = from && this.tip ? [from, this.tip.at] : line;
    if (ends.length === 2) {
      ctx.beginPath();
      ctx.moveTo(...this.screen(ends[0]));
      ctx.lineTo(...this.screen(ends[1]));
      stroke(ctx, 3, ACCENT, 6, "rgba(255,255,255,0.9)");
      if (from && this.oneWay) this.head(ctx, ends);
    }
    if (from) this.spot(ctx, from);
    if (this.tip?.label) {
      this.ring(ctx, this.tip.at, 0.16);
      this.caption(ctx, this.tip.label, this.tip.at);
    }
  }
  head(ctx, [p, q]) {
    const [px, py] = this.screen(p), [x, y] = this.screen(q), turn = Math.atan2(y - py, x - px);
    ctx.beginPath();
    for (const side of [-0.4, 0.4]) {
      ctx.moveTo(x, y);
      ctx.lineTo(x - 14 * Math.cos(turn + side), y - 14 * Math.sin(turn + side));
    }
    stroke(ctx, 3, ACCENT, 6, "rgba(255,255,255,0.9)");
  }
  panel(build) {
    this.types(build, "Link", this.list(), this.chip("links", "#0072b2"));
    this.check(build, "One way, from A to B", this.oneWay, (on) => { this.oneWay = on; });
    this.check(build, "In order: the next number from A", this.ordered, (on) => { this.ranked = on; });
    this.field(build, "Written at it", this.text, (value) => { this.text = value; });
    // Rooms that lie above each other cannot be pointed at both: by label.
    this.field(build, "From A", this.a, (value) => { this.a = value.trim(); this.changed(); }, { "data-id": "link-a" });
    this.field(build, "To B", "", (value) => { this.b = value.trim(); }, { "data-id": "link-b", oninput: (ev) => { this.b = ev.target.value.trim(); } });
    this.button(build, "Join A and B", () => this.join(this.b), { "data-action": "join" });
    build.hint("Press on A and drag to B, or click A and then B; Space and Enter at the cursor do the same. Stairs between floors: by label. Delete removes the link under the pointer, Esc gives up.");
  }
}
