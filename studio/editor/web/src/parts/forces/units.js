// The tool for units: place them from the roster, move, copy, turn, hide, take off; by pointer and by keys.

import { ACCENT, outlineCells, stroke } from "../../above.js";
import { palette } from "./palette.js";

const FAR = 5; // pixels that a press may move before it is a drag

export class UnitsTool {
  constructor(view) {
    Object.assign(this, {
      view, id: "units", title: "Units", cursor: "default", armed: null, lifted: null, box: null, over: null, target: "", side: "", part: "", filter: "",
      keys: [["Click", "choose a counter; of a stack, fan it out"], ["Drag", "move; with Ctrl copy"], ["Space", "pick up, put down; place the chosen type"], ["R, Shift+R", "turn the chosen units"], ["H", "hidden, or in the open"], ["Delete", "off the map; once off, out of the scenario (Shift+Delete at once)"], ["Enter", "fields of the chosen unit"], ["N", "next counter of the stack"], ["Esc", "let go; choose nothing"]],
    });
  }
  /** Space begins to carry, and the next one puts down; a type of the palette is placed at once. */
  get drags() { return !!this.lifted; }
  get layer() { return this.view.forces; }
  get forces() { return this.layer.forces; }
  get s() { return this.view.camera.scale; }

  // -- what is chosen -----------------------------------------------------------------------------------------------------

  get chosen() { return [...this.view.selection].filter((id) => this.forces.units.has(id)); }
  choose(ids) {
    this.view.choose(ids);
    this.say();
  }
  say() {
    const units = this.chosen.map((id) => this.forces.units.get(id));
    if (units.length === 1) this.view.frame.say(`${units[0].words}${units[0].at ? `, ${units[0].at}` : ""}`, true);
    else if (units.length) this.view.frame.say(`${units.length} units chosen`, true);
  }
  /** The formation that new units join: the one chosen in the palette, else the first. */
  get formation() {
    const { sides } = this.forces, side = sides.find((one) => one.id === this.side) || sides[0], part = side?.formations.find((one) => one.id === this.part) || side?.formations[0];
    return side && part ? { side, part, n: sides.indexOf(side) } : null;
  }
  arm(type) {
    this.armed = this.armed === type ? null : type;
    this.target = "";
    this.ghost = null;
    for (const chip of this.view.frame.panel.tool.querySelectorAll("[data-type]")) chip.setAttribute("aria-pressed", String(chip.dataset.type === this.armed));
    if (this.armed) this.view.frame.say(`${this.forces.names[type] || type}: click where it goes`, true);
  }

  // -- pointer ------------------------------------------------------------------------------------------------------------

  down(e) {
    const { layer } = this;
    if (this.lifted) return;
    const hit = e.keyboard ? this.atCursor(e) : layer.hit(e.x, e.y);
    if (this.armed && !(e.keyboard && e.ctrl)) {
      this.press = { e, place: true };
      return;
    }
    if (!hit) {
      layer.fan("");
      this.press = { e, hit: null, keep: e.ctrl || e.shift };
      if (!e.keyboard) this.box = { x0: e.x, y0: e.y, x1: e.x, y1: e.y, moved: false };
      return;
    }
    const was = this.view.selection.has(hit.unit.id);
    if (hit.all) this.choose(hit.stack.units.map((unit) => unit.id));
    else if (!was && !e.ctrl && !e.shift) this.choose([hit.unit.id]);
    this.press = { e, hit, was, ids: this.view.selection.has(hit.unit.id) ? this.chosen : [hit.unit.id] };
    if (e.keyboard) this.lift(e, this.press.ids, e.ctrl);
  }
  move(e) {
    const { press } = this;
    if (this.lifted) {
      this.carry(e);
      return;
    }
    if (!press || Math.hypot(e.px - press.e.px, e.py - press.e.py) < FAR) return;
    if (press.hit && !this.view.store.readonly) {
      this.lift(press.e, press.ids, e.ctrl);
      this.carry(e);
    } else if (this.box) Object.assign(this.box, { x1: e.x, y1: e.y, moved: true });
  }
  up(e) {
    const { press, lifted, box } = this;
    this.press = this.box = null;
    if (lifted) {
      if (lifted.type || e.keyboard || lifted.moved) this.drop(e);
      return;
    }
    if (!press) return;
    if (press.place) this.place(e);
    else if (press.hit) this.clicked(press, e);
    else if (box?.moved) this.within(box, press.keep);
    else if (!press.keep) this.choose([]);
  }
  clicked({ hit, was }, e) {
    this.over = null; // the counters of a fan are elsewhere now
    if (hit.all) return;
    if (e.ctrl || e.shift) {
      const ids = this.chosen;
      this.choose(was ? ids.filter((id) => id !== hit.unit.id) : [...new Set([...ids, hit.unit.id])]);
    } else {
      this.choose([hit.unit.id]);
      this.layer.fan(hit.stack.units.length > 1 && this.layer.fanned !== hit.stack.label ? hit.stack.label : this.layer.fanned === hit.stack.label ? hit.stack.label : "");
    }
  }
  within({ x0, y0, x1, y1 }, keep) {
    const ids = keep ? this.chosen : [], [a, b] = [Math.min(x0, x1), Math.max(x0, x1)], [c, d] = [Math.min(y0, y1), Math.max(y0, y1)];
    for (const stack of this.forces.stacks.values()) if (stack.x >= a && stack.x <= b && stack.y >= c && stack.y <= d) ids.push(...stack.units.map((unit) => unit.id));
    this.choose([...new Set(ids)]);
  }
  atCursor(e) {
    const stack = this.forces.stacks.get(e.label);
    if (!stack) return null;
    const unit = stack.units.find((one) => this.view.selection.has(one.id)) || stack.units[stack.units.length - 1];
    return { unit, stack, x: stack.x, y: stack.y };
  }

  // -- carrying -----------------------------------------------------------------------------------------------------------

  /** Take units, or a type of the palette, off their place: they follow the pointer until they are put down. */
  lift(e, ids, copy = false) {
    const first = this.forces.units.get(ids[ids.length - 1]), spot = first?.at ? this.forces.spot(first.at) : null;
    this.lifted = { ids, copy, x: e.x, y: e.y, dx: spot && !e.keyboard ? spot.x - e.x : 0, dy: spot && !e.keyboard ? spot.y - e.y : 0, size: spot?.size || 0.68, from: first?.at || "", moved: false };
    if (!copy) this.layer.hide(ids);
    this.view.frame.area.style.cursor = "grabbing";
  }
  liftType(type) { this.lifted = { type, ids: [], x: 0, y: 0, dx: 0, dy: 0, size: 0.68, from: "", moved: false, outside: true }; }
  carry(e) {
    const { lifted } = this;
    Object.assign(lifted, { x: e.x, y: e.y, moved: true, outside: false });
    if (!lifted.type && e.ctrl !== lifted.copy && !e.keyboard) {
      lifted.copy = e.ctrl;
      this.layer.hide(e.ctrl ? [] : lifted.ids);
    }
    this.target = e.label;
    this.ask();
  }
  ask() {
    const { lifted, target } = this, { formation } = this;
    if (!target) return undefined;
    if (lifted?.ids.length) return target === lifted.from ? "" : this.forces.why(target, { ids: lifted.ids });
    const type = lifted?.type || this.armed;
    return type && formation ? this.forces.why(target, { unit_type: type, side: formation.side.id }) : "";
  }
  drop(e) {
    const { lifted } = this, label = e.label;
    this.letGo();
    if (lifted.outside) return;
    if (!label) {
      if (lifted.ids.length && !lifted.copy) this.takeOff(lifted.ids);
    } else if (lifted.type) this.place(e, lifted.type);
    else if (lifted.copy) this.forces.request("copy", { ids: lifted.ids, at: label });
    else if (label !== lifted.from || lifted.ids.length > 1) this.moveTo(lifted.ids, label);
  }
  letGo() {
    this.lifted = this.press = null;
    this.target = "";
    this.layer.hide([]);
    this.view.penDown = false;
    this.view.frame.area.style.cursor = this.cursor;
    this.view.stage.redraw(2);
  }
  moveTo(ids, label) {
    const changes = new Map(ids.map((id) => [id, { ...this.forces.units.get(id), at: label, by: "" }]));
    this.forces.request("move", { ids, at: label }, changes);
    this.layer.fan("");
  }
  place(e, type = this.armed) {
    const { formation } = this, label = e.label;
    if (!formation) {
      this.view.frame.say("Add a side and a formation first: in the panel Order of battle");
      return;
    }
    if (!label) return;
    const id = this.forces.freeId(), unit = { id, type, side: formation.n, formation: formation.part.id, at: label, count: 1, facing: "", face: `type ${type}`, by: "", words: this.forces.names[type] || type };
    const face = this.forces.face(type, formation.side.id);
    if (face) this.forces.faces.set(unit.face, face);
    this.forces.request("place", { unit_type: type, at: label, formation: formation.part.id, force: formation.side.id }, new Map([[id, unit]]));
  }
  /** Off the map: the player places them. What is off already leaves the scenario. */
  takeOff(ids, away = false) {
    const units = ids.map((id) => this.forces.units.get(id)).filter(Boolean), on = units.filter((unit) => unit.at);
    this.layer.fan("");
    if (away || !on.length) {
      this.forces.request("remove", { ids }, new Map(ids.map((id) => [id, null])));
      this.choose([]);
    } else this.forces.request("move", { ids: on.map((unit) => unit.id), at: "" }, new Map(on.map((unit) => [unit.id, { ...unit, at: "" }])));
  }

  // -- hover, keys --------------------------------------------------------------------------------------------------------

  hover(e) {
    if (this.lifted && e) {
      this.carry(e);
      return;
    }
    this.over = e ? (e.keyboard ? this.atCursor(e) : this.layer.hit(e.x, e.y)) : null;
    this.target = this.armed && e ? e.label : "";
    this.ghost = e && this.armed ? { x: e.x, y: e.y } : null;
    if (this.armed) this.ask();
    this.view.frame.area.style.cursor = this.over && !this.armed ? "grab" : this.cursor;
  }
  words() {
    if (this.target) {
      const why = this.ask();
      return why === undefined ? `${this.target}: …` : why ? `✕ ${this.target}: ${why}` : `✓ ${this.target}`;
    }
    return this.over ? this.over.unit.words : "";
  }
  key(ev) {
    const { key } = ev, ids = this.chosen, shut = this.view.store.readonly;
    if (key === "Delete" || key === "Backspace") {
      if (ids.length && !shut) this.takeOff(ids, ev.shiftKey);
      return true;
    }
    switch (key.toLowerCase()) {
      case "r":
        if (ids.length && !shut) this.turn(ids, ev.shiftKey ? -1 : 1);
        return true;
      case "h":
        if (ids.length && !shut) this.forces.request("hide", { ids });
        return true;
      case "n": this.next(); return true;
      default: return false;
    }
  }
  turn(ids, steps) {
    const { facings } = this.forces;
    if (!facings.length) {
      this.view.frame.say("Units of this game face no hexside");
      return;
    }
    const changes = new Map();
    for (const id of ids) {
      const unit = this.forces.units.get(id), now = facings.indexOf(unit.facing);
      changes.set(id, { ...unit, facing: facings[now < 0 ? 0 : (now + steps + 6) % 6] });
    }
    this.forces.request("turn", { ids, steps }, changes);
  }
  /** The next counter of the stack of the chosen unit, or of the one under the cursor. */
  next() {
    const first = this.forces.units.get(this.chosen[0]), e = this.view.cursor >= 0 ? this.view.cursorEvent() : null;
    const stack = this.forces.stacks.get(first?.at || e?.label);
    if (!stack) return;
    const at = stack.units.findIndex((unit) => unit.id === first?.id);
    this.choose([stack.units[(at + 1) % stack.units.length].id]);
    if (stack.units.length > 1) this.layer.fan(stack.label);
  }
  finish(e) {
    if (this.lifted) {
      this.drop(e);
      return;
    }
    if (!this.chosen.length) {
      const hit = e.keyboard ? this.atCursor(e) : this.layer.hit(e.x, e.y);
      if (hit) this.choose([hit.unit.id]);
    }
    if (!this.chosen.length) return;
    this.view.frame.desk.open("unit");
    this.view.frame.panel.el.querySelector('[data-panel="unit"] input, [data-panel="unit"] select')?.focus();
  }
  remove() { return true; } // the keys have done it
  cancel() {
    if (this.lifted) this.letGo();
    else if (this.armed) this.arm(this.armed);
    else if (this.layer.fanned) this.layer.fan("");
    else if (this.view.selection.size) this.choose([]);
    this.press = this.box = null;
    this.target = "";
  }
  enter() { this.layer.active = this; }
  leave() {
    this.over = this.ghost = null;
    this.layer.fan("");
    this.armed = null;
  }
  refresh(what) { if (what === "selection") this.repaint?.(); }

  // -- drawing ------------------------------------------------------------------------------------------------------------

  draw(ctx, camera) {
    const { lifted, target } = this;
    if (target) this.spotlight(ctx, target, this.ask());
    if (this.over && !lifted && !this.armed) this.frame(ctx, camera, this.over);
    if (lifted && lifted.moved && !lifted.outside) this.carried(ctx, camera, lifted);
    else if (this.ghost && this.armed) this.ghostly(ctx, camera, this.ghost.x, this.ghost.y, this.armed, 0.55);
    if (this.box?.moved) {
      const [x, y] = camera.toScreen(this.box.x0, this.box.y0), [u, v] = camera.toScreen(this.box.x1, this.box.y1);
      ctx.fillStyle = "rgba(0,114,178,0.15)";
      ctx.fillRect(x, y, u - x, v - y);
      ctx.beginPath();
      ctx.rect(x, y, u - x, v - y);
      stroke(ctx, 1.5, ACCENT, 3.5, "rgba(255,255,255,0.8)");
    }
  }
  frame(ctx, camera, { x, y, stack }) {
    const [u, v] = camera.toScreen(x, y), px = stack.size * camera.scale + 4;
    ctx.beginPath();
    ctx.rect(u - px / 2, v - px / 2, px, px);
    stroke(ctx, 2, "#ffffff", 4, "rgba(0,0,0,0.6)");
  }
  carried(ctx, camera, { ids, type, copy, x, y, dx, dy, size }) {
    if (type) {
      this.ghostly(ctx, camera, x, y, type, 1);
      return;
    }
    const shown = ids.slice(-3), px = size * camera.scale;
    ctx.globalAlpha = copy ? 0.75 : 0.95;
    shown.forEach((id, n) => {
      const unit = this.forces.units.get(id), [u, v] = camera.toScreen(x + dx, y + dy), shift = (n - (shown.length - 1) / 2) * 0.075 * px;
      if (unit) this.layer.counter(ctx, unit, u + shift, v - shift, px);
    });
    ctx.globalAlpha = 1;
    if (copy || ids.length > 1) {
      const [u, v] = camera.toScreen(x + dx, y + dy), text = `${copy ? "+" : ""}${ids.length > 1 || copy ? ids.length : ""}`;
      ctx.font = '700 14px "DejaVu Sans", Arial, sans-serif';
      ctx.textAlign = "center";
      ctx.lineWidth = 4;
      ctx.strokeStyle = "#ffffff";
      ctx.strokeText(text, u + px / 2, v - px / 2);
      ctx.fillStyle = "#1d1a17";
      ctx.fillText(text, u + px / 2, v - px / 2);
    }
  }
  ghostly(ctx, camera, x, y, type, alpha) {
    const { formation } = this, face = formation && this.forces.face(type, formation.side.id), [u, v] = camera.toScreen(x, y);
    if (!face) return;
    ctx.globalAlpha = alpha;
    this.layer.sprites.draw(ctx, `${formation.side.id} ${type}`, face, u, v, 0.68 * camera.scale);
    ctx.globalAlpha = 1;
  }
  /** The place that units would be put in: told by its outline, a sign and, where they may not stand, by words. */
  spotlight(ctx, label, why) {
    const { view } = this, { store, camera, grid } = view, cell = store.labels.cell(label), place = store.places.byLabel(label), colour = why ? "#D55E00" : why === "" ? "#009E73" : "#6b6f76";
    if (place) {
      this.layer.trace(ctx, { cells: [], places: [label] });
      stroke(ctx, 3, colour, 6, "rgba(255,255,255,0.9)");
    } else if (cell >= 0) outlineCells(ctx, grid, camera, [cell], { colour, width: 3 });
    const spot = this.forces.spot(label);
    if (!spot || why === undefined) return;
    const [x, y] = camera.toScreen(spot.x, spot.y), text = why ? `✕ ${why}` : "✓", low = y + (0.5 * camera.scale + 16);
    ctx.font = '700 13px "DejaVu Sans", Verdana, Arial, sans-serif';
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    const wide = ctx.measureText(text).width + 14, left = Math.max(4, Math.min(ctx.canvas.width - wide - 4, x - wide / 2)), top = Math.min(ctx.canvas.height - 24, low - 11);
    ctx.fillStyle = why ? "#7a2500" : "#00583f";
    ctx.fillRect(left, top, wide, 22);
    ctx.fillStyle = "#ffffff";
    ctx.fillText(text, left + wide / 2, top + 12);
  }

  panel(build) { palette(this, build); }
}
