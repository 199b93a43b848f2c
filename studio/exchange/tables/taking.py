"""Reading tables of hexes, hexsides and units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from studio.errors import DocumentError, Fault, LabelError, StudioError, nearest, shortened
from studio.exchange.common.drawn import parted
from studio.exchange.common.files import refused
from studio.exchange.common.ground import Words, as_level, checked, known_game, model_of, new_map, set_plane
from studio.exchange.common.labelguess import Named, guess_scheme
from studio.exchange.content import Taken
from studio.exchange.tables.options import TableReading
from studio.exchange.tables.rows import FORMAT
from studio.exchange.tables.text import Row, Table, read_table
from studio.exchange.tables.units import take_units
from studio.grid import MAX_SIZE, HexGrid, LabelScheme
from studio.model import MapModel, Sheet
from studio.rules import Ruleset

__all__ = ["field_names", "take_tables"]

_NAMES = {
    "label": ("label", "hex", "hexlabel", "hexid", "hexnumber", "location", "coord", "coordinate", "id", "name"),
    "terrain": ("terrain", "terraintype", "type", "ground", "landcover"),
    "level": ("level", "height", "elevation", "altitude", "hill"),
    "column": ("column", "col", "x", "i"),
    "row": ("row", "y", "j"),
    "q": ("q",),
    "r": ("r",),
    "a": ("a", "hexa", "hex1", "from", "label1"),
    "b": ("b", "hexb", "hex2", "to", "label2"),
    "kinds": ("kinds", "kind", "side", "hexside", "sides", "type", "feature"),
}
"""What columns are called, the surest name first."""

_SIDE = ("a", "b", "kinds")
_MOST = 50  # faults that are listed


def field_names(table: Table, fields: Iterable[str], options: TableReading) -> dict[str, str]:
    """Return the header of each field that a table has.

    Raises
    ------
    DocumentError
        When the options name a column that it does not have.
    """
    folded = {"".join(mark for mark in name.casefold() if mark.isalnum()): name for name in reversed(table.headers)}
    found: dict[str, str] = {}
    for field in fields:
        chosen = options.headers.get(field)
        if chosen is not None:
            if chosen not in table.headers:
                raise refused(table.path, f"has no column {chosen!r}; {nearest(chosen, table.headers)}", "mend headers")
            found[field] = chosen
            continue
        for name in _NAMES.get(field, (field,)):
            if name in folded and folded[name] not in found.values():
                found[field] = folded[name]
                break
    return found


def take_tables(source: Path, options: TableReading) -> Taken:
    """Read a table and those beside it.

    Raises
    ------
    DocumentError
        When words or labels in it mean nothing; each with its line.
    """
    table = read_table(source, delimiter=options.delimiter)
    sides = field_names(table, _SIDE, options)
    hexes = field_names(table, ("label", "column", "row"), options)
    sides_only = len(sides) == len(_SIDE) and not hexes
    if sides_only and options.onto is None:
        raise refused(source, "is a table of hexsides, and there is no map for it", "give onto=, or the table of hexes")
    return _Taking(source, options).take(table, sides_only=sides_only)


class _Taking:
    def __init__(self, source: Path, options: TableReading) -> None:
        self.source, self.options = source, options
        self.notes: list[str] = []
        self.faults: list[Fault] = []
        self.hidden = 0
        self.padded = 0

    def take(self, table: Table, *, sides_only: bool) -> Taken:
        facts = {} if sides_only else self._facts()
        ruleset = self._game(facts)
        if sides_only:
            assert self.options.onto is not None
            model = model_of(self.options.onto, ruleset, self.source)
            self._sides(table, model, ruleset)
            return self._done(model, ruleset, None)
        names = field_names(table, ("label", "column", "row", "q", "r", "terrain", "level"), self.options)
        if "label" not in names and not {"column", "row"} <= set(names):
            known = ", ".join(table.headers[:20])
            message = f"has no column with labels, and none with columns and rows; it has {known}"
            raise refused(self.source, message, 'say which: headers={"label": "..."}')
        if "terrain" not in names and "level" not in names:
            message = f"has neither terrain nor levels; it has {', '.join(table.headers[:20])}"
            raise refused(self.source, message, 'say which: headers={"terrain": "..."}')
        model = self._map(table, names, facts, ruleset)
        self._hexes(table, names, model, ruleset)
        beside = self._beside("sides")
        if beside is not None:
            self._sides(beside, model, ruleset)
        units = self._beside("units")
        scenario = None
        if units is not None:
            scenario, more = take_units(units, self.options.scenario, model, ruleset, self._fault)
            self.notes += more
        return self._done(model, ruleset, scenario)

    def _done(self, model: MapModel, ruleset: Ruleset, scenario: Any) -> Taken:
        if self.faults:
            if self.hidden:
                self.faults.append(Fault("$", f"{self.hidden} more faults are not listed", "mend these first"))
            raise DocumentError(str(self.source), self.faults)
        if self.padded:
            self.notes.append(
                f"{self.padded} labels had lost their leading zeros, as in spreadsheets; they were put back"
            )
        return Taken(checked(model, ruleset, self.source), scenario, tuple(self.notes))

    def _fault(self, line: int, message: str, remedy: str, table: Path | None = None) -> None:
        if len(self.faults) >= _MOST:
            self.hidden += 1
            return
        where = f"line {line}" if table is None or table == self.source else f"{table.name}, line {line}"
        self.faults.append(Fault("$", message, remedy, where))

    # -- which map ---------------------------------------------------------------------------------------------------

    def _beside(self, what: str) -> Table | None:
        path = self.source.with_name(f"{self.source.stem}-{what}.csv")
        return read_table(path, delimiter=self.options.delimiter) if path.is_file() else None

    def _facts(self) -> dict[str, str]:
        """Return what the table of the map itself says, where there is one."""
        table = self._beside("map")
        if table is None or not {"key", "value"} <= set(table.headers):
            return {}
        found = {row.values.get("key", ""): row.values.get("value", "") for row in table.rows}
        return found if found.get("format") == FORMAT else {}

    def _game(self, facts: Mapping[str, str]) -> Ruleset:
        onto = self.options.onto
        name = onto.ruleset if onto is not None else self.options.ruleset or facts.get("ruleset", "")
        return known_game(name, self.source)

    def _map(self, table: Table, names: dict[str, str], facts: Mapping[str, str], ruleset: Ruleset) -> MapModel:
        if self.options.onto is not None:
            return model_of(self.options.onto, ruleset, self.source)
        title = self.options.title or facts.get("title", self.source.stem)
        if facts.get("grid"):
            try:
                grid = msgspec.json.decode(facts["grid"], type=HexGrid)
                scheme = msgspec.json.decode(facts.get("labels") or "{}", type=LabelScheme)
                sheets = msgspec.json.decode(facts.get("sheets") or "[]", type=list[Sheet])
            except (msgspec.DecodeError, StudioError, ValueError) as error:
                remedy = "export the map again, or delete that table"
                raise refused(self.source.with_name(f"{self.source.stem}-map.csv"), str(error), remedy) from error
            return new_map(ruleset, grid, scheme, title=title, sheets=sheets, source=self.source)
        grid, scheme = self._guessed(table, names)
        return new_map(ruleset, grid, scheme, title=title, source=self.source)

    def _guessed(self, table: Table, names: dict[str, str]) -> tuple[HexGrid, LabelScheme]:
        """Return the grid and the labels that a table of columns and rows, or of labels, tells."""
        options = self.options
        if not {"column", "row"} <= set(names):
            if options.labels is None or not (options.columns and options.rows):
                message = "has labels alone, which do not tell how large the map is"
                raise refused(
                    self.source, message, "give columns=, rows= and labels=, or onto=, or columns 'column', 'row'"
                )
            grid = self._grid(options.columns, options.rows, [])
            return grid, options.labels
        spots = [self._spot(row, names) for row in table.rows]
        known = [(row, spot) for row, spot in zip(table.rows, spots, strict=True) if spot is not None]
        if self.faults or not known:
            self.faults = self.faults or [Fault("$", "has no rows", "list the hexes")]
            raise DocumentError(str(self.source), self.faults)
        low = min(min(spot) for _, spot in known)
        columns = options.columns or max(spot[0] for _, spot in known) + 1
        rows = options.rows or max(spot[1] for _, spot in known) + 1
        if low < 0 or columns > MAX_SIZE or rows > MAX_SIZE:
            message = f"columns and rows go from {low} to {columns - 1} and {rows - 1}, allowed 0 to {MAX_SIZE - 1}"
            raise refused(self.source, message, "count them from 0")
        grid = self._grid(columns, rows, [(row, spot) for row, spot in known], names)
        if options.labels is not None:
            return grid, options.labels
        if "label" not in names:
            return grid, LabelScheme()
        named = [Named(*spot, row.values.get(names["label"], "").strip()) for row, spot in known]
        scheme = guess_scheme(grid, [one for one in named if one.label])
        if scheme is None:
            raise refused(self.source, "its labels follow no scheme that the studio knows", "give labels=")
        self.notes.append("the label scheme was found out from the labels")
        return grid, scheme

    def _grid(
        self, columns: int, rows: int, known: list[tuple[Row, tuple[int, int]]], names: Mapping[str, str] | None = None
    ) -> HexGrid:
        options = self.options
        tried = [options.stagger] if options.stagger else ["odd", "even"]
        grids = [
            HexGrid(columns=columns, rows=rows, orientation=options.orientation, stagger=stagger)  # type: ignore[arg-type]
            for stagger in tried
        ]
        if not names or not {"q", "r"} <= set(names):
            return grids[0]
        for grid in grids:
            if all(self._axial_fits(grid, row, spot, names) for row, spot in known):
                return grid
        return grids[0]

    @staticmethod
    def _axial_fits(grid: HexGrid, row: Row, spot: tuple[int, int], names: Mapping[str, str]) -> bool:
        q, r = (as_level(row.values.get(names[key], "")) for key in ("q", "r"))
        if q is None or r is None or not (spot[0] < grid.columns and spot[1] < grid.rows):
            return True
        return grid.axial(spot[1] * grid.columns + spot[0]) == (q, r)

    def _spot(self, row: Row, names: Mapping[str, str]) -> tuple[int, int] | None:
        """Return the raw column and row of a row."""
        numbers = [as_level(row.values.get(names[key], "")) for key in ("column", "row")]
        if None in numbers:
            got = " and ".join(shortened(row.values.get(names[key], "")) for key in ("column", "row"))
            self._fault(row.line, f"got column and row {got}", "write whole numbers, counted from 0")
            return None
        return numbers[0] or 0, numbers[1] or 0

    # -- what it says ------------------------------------------------------------------------------------------------

    def _hexes(self, table: Table, names: dict[str, str], model: MapModel, ruleset: Ruleset) -> None:
        words = Words("terrain", ruleset.terrains, self.options.mapping)
        terrain: dict[int, str] = {}
        levels: dict[int, int] = {}
        lines: dict[int, int] = {}
        for row in table.rows:
            cell = self._cell(row, names, model)
            if cell is None:
                continue
            if cell in lines:
                label = model.labels.label(cell)
                self._fault(row.line, f"{label} stands in line {lines[cell]} already", "list each hex once")
                continue
            lines[cell] = row.line
            word = row.values.get(names.get("terrain", ""), "").strip()
            if word:
                found = words.find(word)
                if found is None:
                    message = f"unknown terrain {shortened(word)}; {nearest(word, ruleset.terrains)}"
                    self._fault(row.line, message, "write one of these, or say what it means with mapping=")
                elif found:
                    terrain[cell] = found
            text = row.values.get(names.get("level", ""), "").strip()
            if text:
                level = as_level(text.replace(",", "."))
                if level is None or not ruleset.levels[0] <= level <= max(0, ruleset.levels[1]):
                    low, high = ruleset.levels
                    self._fault(
                        row.line, f"got level {shortened(text)}, allowed {low} to {high}", "write a whole number"
                    )
                else:
                    levels[cell] = level
        if self.faults:
            return
        set_plane(model, "terrain", terrain)
        set_plane(model, "levels", levels)
        left = int(model.grid.present.sum()) - len(lines)
        if left:
            how = "stay as they were" if self.options.onto is not None else f"became {model.terrain_ids[0]}"
            self.notes.append(f"{left} hexes are not in the table and {how}")

    def _cell(self, row: Row, names: Mapping[str, str], model: MapModel) -> int | None:
        label = row.values.get(names.get("label", ""), "").strip()
        if label:
            return self._labelled(label, model, row.line)
        if not {"column", "row"} <= set(names):
            self._fault(row.line, "has no label", "name the hex")
            return None
        spot = self._spot(row, names)
        grid = model.grid
        if spot is None:
            return None
        if not (0 <= spot[0] < grid.columns and 0 <= spot[1] < grid.rows and grid.present[spot[1], spot[0]]):
            self._fault(row.line, f"no hex at column {spot[0]}, row {spot[1]}", "columns and rows count from 0")
            return None
        return spot[1] * grid.columns + spot[0]

    def _labelled(self, label: str, model: MapModel, line: int, path: Path | None = None) -> int | None:
        """Return the hex with a label, with the zeros before it that a spreadsheet takes away."""
        found = model.labels.find(label)
        if found is None and label.isdigit():
            width = len(model.labels.label(int(model.grid.present.ravel().argmax())))
            found = model.labels.find(label.zfill(width)) if len(label) < width else None
            self.padded += found is not None
        if found is None and label != label.upper():
            found = model.labels.find(label.upper())
        if found is None:
            try:
                model.labels.cell(label)
            except LabelError as error:
                self._fault(line, str(error), "write the label as the map has it", path)
        return found

    def _sides(self, table: Table, model: MapModel, ruleset: Ruleset) -> None:
        names = field_names(table, ("a", "b", "kinds"), self.options)
        if len(names) < 3:
            message = f"needs columns a, b and kinds; it has {', '.join(table.headers[:20])}"
            raise refused(table.path, message, 'say which: headers={"kinds": "..."}')
        words = Words("hexside", ruleset.side_kinds, self.options.side_mapping)
        for row in table.rows:
            texts = [row.values.get(names[key], "").strip() for key in ("a", "b")]
            a, b = (self._labelled(text, model, row.line, table.path) for text in texts)
            if a is None or b is None:
                continue
            if model.grid.direction(a, b) is None:
                pair = f"{model.labels.label(a)} and {model.labels.label(b)}"
                self._fault(row.line, f"{pair} share no hexside", "name two adjacent hexes", table.path)
                continue
            kinds = []
            for word in parted(row.values.get(names["kinds"], "").replace(";", ",")):
                found = words.find(str(word))
                if found is None:
                    message = f"unknown hexside {shortened(word)}; {nearest(str(word), ruleset.side_kinds)}"
                    self._fault(row.line, message, "write one of these, or give side_mapping=", table.path)
                elif found:
                    kinds.append(found)
            key = (min(a, b), max(a, b))
            if kinds:
                model.sides[key] = tuple(sorted(set(kinds)))
            else:
                model.sides.pop(key, None)
        if table.path != self.source:
            self.notes.append(f"{table.path.name}: {len(table.rows)} hexsides")
