// The forces of a scenario as Python last told them, with what somebody has just done on top until Python answers.

export class Forces {
  constructor(store) {
    Object.assign(this, { store, ready: false, revision: 0, sides: [], truth: new Map(), faces: new Map(), names: {}, palette: [], spots: {}, facings: [], objectives: [], notes: [], guesses: [], paletteFaces: new Map(), whys: new Map() });
    this.stops = [
      store.on("forces", ({ message }) => this.told(message)),
      store.on("forces_palette", ({ message }) => this.painted(message)),
      store.on("forces_why", ({ message }) => this.answered(message)),
      store.on("pending", () => this.settle()),
      store.on("reset", () => this.ask()),
    ];
    this.ask();
  }
  ask() { this.store.ask("forces_state", {}); }

  // -- what Python tells ------------------------------------------------------------------------------------------------

  told(message) {
    if (message.whole) {
      this.truth.clear();
      this.faces.clear();
      this.paletteFaces.clear();
      this.asked = null;
      this.ready = true;
    }
    for (const [number, face] of message.faces || []) this.faces.set(number, face);
    for (const unit of message.units || []) this.truth.set(unit.id, unit);
    for (const id of message.gone || []) this.truth.delete(id);
    Object.assign(this.names, message.names || {});
    for (const name of ["sides", "palette", "spots", "facings", "limit", "objectives", "notes", "length", "unit"]) if (message[name] !== undefined) this[name] = message[name];
    this.whys.clear();
    this.changed();
  }
  changed() {
    this.revision += 1;
    this.known = this.sorted = null;
    this.store.emit("units");
  }

  // -- what somebody does -----------------------------------------------------------------------------------------------

  /** Ask Python for a change. changes: what units are to look like until it answers, by id; null for those that go. */
  request(action, values, changes = new Map()) {
    if (this.store.dead || this.store.readonly) return;
    this.store.request("forces", { action, values });
    if (!changes.size) return;
    this.guesses.push({ seq: this.store.seq, changes });
    this.changed();
  }
  settle() {
    const waiting = new Set(this.store.pending.map((one) => one.seq)), left = this.guesses.filter((one) => waiting.has(one.seq));
    if (left.length === this.guesses.length) return;
    this.guesses = left;
    this.changed();
  }

  // -- what there is ----------------------------------------------------------------------------------------------------

  get units() {
    if (!this.known) {
      this.known = this.guesses.length ? new Map(this.truth) : this.truth;
      for (const { changes } of this.guesses) for (const [id, unit] of changes) {
        if (unit) this.known.set(id, unit);
        else this.known.delete(id);
      }
    }
    return this.known;
  }
  /** The stacks of the map: {label, x, y, size, units}, by the label of their place. */
  get stacks() { return this.sort().stacks; }
  /** What is carried by others, or still to be placed, by the id of its formation. */
  get trays() { return this.sort().trays; }
  sort() {
    if (this.sorted) return this.sorted;
    const stacks = new Map(), trays = new Map();
    for (const unit of this.units.values()) {
      if (!unit.at) {
        if (trays.has(unit.formation)) trays.get(unit.formation).push(unit);
        else trays.set(unit.formation, [unit]);
        continue;
      }
      let stack = stacks.get(unit.at);
      if (!stack) {
        const spot = this.spot(unit.at);
        if (!spot) continue;
        stacks.set(unit.at, (stack = { label: unit.at, ...spot, units: [] }));
      }
      stack.units.push(unit);
    }
    return (this.sorted = { stacks, trays });
  }
  /** Where counters stand in a place; null where the map has none of that name. */
  spot(label) {
    const { labels, grid } = this.store, there = this.spots[label], cell = there ? -1 : labels.cell(label);
    if (there) return { x: there[0], y: there[1], size: there[2] };
    if (cell < 0) return null;
    const [x, y] = grid.centre(cell);
    return { x, y: y + 0.06, size: 0.68 };
  }
  color(side) { return this.sides[side]?.color || "#777777"; }
  formation(id) {
    for (const side of this.sides) for (const part of side.formations) if (part.id === id) return { side, part };
    return null;
  }
  freeId() {
    let n = 1;
    while (this.units.has(`new:${n}`)) n++;
    return `new:${n}`;
  }

  // -- counters of the palette ------------------------------------------------------------------------------------------

  /** The counter of a type in the colours of a side; undefined until Python has sent them. */
  face(type, side) {
    if (!this.paletteFaces.has(side) && this.asked !== side) {
      this.asked = side;
      this.store.ask("forces_palette", { side });
    }
    return this.paletteFaces.get(side)?.[type];
  }
  painted({ side, faces }) {
    this.paletteFaces.set(side, faces);
    this.store.emit("units", "palette");
  }

  // -- may it stand there? ----------------------------------------------------------------------------------------------

  /** Why units may not stand in a place: "" where they may, undefined until Python has answered. */
  why(at, { ids = [], unit_type = "", side = "" }) {
    const key = JSON.stringify([at, ids, unit_type, side]);
    if (!this.whys.has(key)) {
      this.whys.set(key, undefined);
      this.pendingWhy = key;
      this.store.ask("forces_why", { at, ids, unit_type, side });
    }
    return this.whys.get(key);
  }
  answered({ at, ids, unit_type, side, why }) {
    this.whys.set(JSON.stringify([at, ids || [], unit_type || "", side || ""]), why);
    // A question that a newer one replaced was never answered: it is asked anew when the pointer comes back.
    for (const [key, found] of this.whys) if (found === undefined && key !== this.pendingWhy) this.whys.delete(key);
    this.store.emit("units", "why");
  }
}

/** The forces of a store: one for all its views. */
export function forcesOf(store) { return (store.forces ||= new Forces(store)); }
