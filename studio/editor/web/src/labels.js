// Labels of hexes from the tables that Python sends (studio.grid.Labels.tables): the text of position p in line i, along
// the lines, is texts[base[i] + sign * p]; lines are columns of flat-top maps and rows of pointy ones.

/** Labels of a map: of one sheet, or of several, each of which names its own hexes with a prefix of its own. */
export function labelsOf(grid, tables) {
  return tables.sheets ? new SheetLabels(grid, tables) : new Labels(grid, tables);
}

export class Labels {
  constructor(grid, tables) {
    Object.assign(this, { grid, tables });
    const flat = tables.along === "row";
    this.across = flat ? tables.columns : tables.rows;
    this.along = flat ? tables.rows : tables.columns;
    this.flat = flat;
    // The text written first is the one across the lines?
    this.acrossFirst = (tables.order === "column_first") === flat;
    this.lineOf = new Map(this.across.map((text, i) => [text, i]));
    this.indexOf = new Map(this.along.map((text, i) => [text, i]));
    this.lenient = null;
  }

  at(c, r) {
    const { base, sign, separator } = this.tables, line = this.flat ? c : r, position = this.flat ? r : c;
    const across = this.across[line], along = this.along[base[line] + sign * position];
    return this.acrossFirst ? across + separator + along : along + separator + across;
  }
  of(cell) { return this.at(this.grid.col(cell), this.grid.row(cell)); }
  /** As it is written in its hex. */
  short(c, r) { return this.at(c, r); }

  /** Cell of an exact label, -1 when there is none. */
  cell(text) {
    const { separator, base, sign } = this.tables;
    for (let cut = 1; cut < text.length; cut++) {
      if (separator && !text.startsWith(separator, cut)) continue;
      const first = text.slice(0, cut), second = text.slice(cut + separator.length);
      const line = this.lineOf.get(this.acrossFirst ? first : second), index = this.indexOf.get(this.acrossFirst ? second : first);
      if (line === undefined || index === undefined) continue;
      const position = (index - base[line]) * sign, c = this.flat ? line : position, r = this.flat ? position : line;
      if (this.grid.hasAt(c, r) && this.at(c, r) === text) return r * this.grid.columns + c;
    }
    return -1;
  }

  /** Cell of a label as a person types it: case, blanks, separators and leading zeros do not matter; -1 when there is none. */
  find(text) {
    const exact = this.cell(String(text).trim());
    if (exact >= 0) return exact;
    if (!this.lenient) {
      this.lenient = new Map();
      for (let cell = 0; cell < this.grid.size; cell++) {
        if (this.grid.has(cell)) for (const form of forms(this.of(cell))) if (!this.lenient.has(form)) this.lenient.set(form, cell);
      }
    }
    for (const form of forms(text)) if (this.lenient.has(form)) return this.lenient.get(form);
    return -1;
  }
}

/** A sheet as it stands alone: what labels ask of a grid. A turned one has its hexes at the negative axial coordinates. */
class OwnGrid {
  constructor(joint, { size: [columns, rows], stagger, short, q, r, turned }) {
    Object.assign(this, { joint, columns, rows, short, q, r, sign: turned ? -1 : 1, flat: joint.flat, even: stagger === "even" ? 1 : 0 });
    this.size = columns * rows;
  }
  /** Short lines: those that are shifted have one hex fewer. */
  hasAt(c, r) {
    const line = this.flat ? c : r, position = this.flat ? r : c, shifted = (line & 1) ^ this.even;
    return c >= 0 && r >= 0 && c < this.columns && r < this.rows && position < (this.flat ? this.rows : this.columns) - (this.short && shifted ? 1 : 0);
  }
  /** Own column and row of a joint cell, null where the sheet has no such hex. */
  own(cell) {
    const [q, r] = this.joint.axial(cell), x = this.sign * (q - this.q), y = this.sign * (r - this.r), line = this.flat ? x : y;
    const position = (this.flat ? y : x) + ((line + this.even) >> 1), at = this.flat ? [line, position] : [position, line];
    return this.hasAt(...at) ? at : null;
  }
  joined(c, r) {
    const line = this.flat ? c : r, sheared = (this.flat ? r : c) - ((line + this.even) >> 1), [x, y] = this.flat ? [line, sheared] : [sheared, line];
    return this.joint.fromAxial(this.q + this.sign * x, this.r + this.sign * y);
  }
}

class SheetLabels extends Labels {
  constructor(grid, tables) {
    super(grid, tables.sheets[0]);
    this.sheets = tables.sheets.map((sheet) => {
      const alone = new OwnGrid(grid, sheet);
      return { prefix: sheet.prefix, grid: alone, labels: new Labels(alone, sheet) };
    });
  }
  of(cell, bare) {
    for (const { prefix, grid, labels } of this.sheets) {
      const at = grid.own(cell);
      if (at) return (bare ? "" : prefix) + labels.at(...at);
    }
    return "";
  }
  /** The titles of several sheets tell their prefixes. */
  short(c, r) { return this.of(r * this.grid.columns + c, this.sheets.length > 1); }
  at(c, r) { return this.of(r * this.grid.columns + c); }
  cell(text) {
    for (const { prefix, grid, labels } of this.sheets) {
      if (!text.startsWith(prefix)) continue;
      const own = labels.cell(text.slice(prefix.length));
      if (own >= 0) return grid.joined(own % grid.columns, (own / grid.columns) | 0);
    }
    return -1;
  }
}

/** Without separators; and without leading zeros, separators as points. */
function forms(text) {
  const plain = String(text).trim().toUpperCase().replace(/[\s.,:;_/-]+/g, ".");
  return [plain.replace(/\./g, ""), plain.replace(/(^|[^0-9])0+(?=[0-9])/g, "$1")];
}
