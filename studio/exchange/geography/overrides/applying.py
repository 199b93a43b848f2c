"""Overrides: the designer's last word on a map that was made of data. Each touches what it names and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from studio.errors import DocumentError, nearest
from studio.exchange.geography.overrides.gathered import read_overrides
from studio.exchange.geography.overrides.overdrawn import lay_drawn
from studio.exchange.geography.overrides.overriding import Applying, Entry
from studio.exchange.geography.places.nations import draw_countries
from studio.exchange.geography.work import Work

__all__ = ["apply_overrides"]


def apply_overrides(work: Work) -> None:
    """Do what the overrides say: those of the specification, then those of its file, in order.

    Countries come first; then their areas and borders are drawn, and all else that overrides say is laid over them: no
    other terrain moves a border, and a border that was taken away stays so. Of two overrides that contradict each other
    the later one holds.

    Parameters
    ----------
    work : Work

    Raises
    ------
    DocumentError
        With every override that names a hex, hexside, area, terrain, kind or marker that there is not.
    """
    applying = Applying(work, list(_entries(work)))
    applying.find_hexes()
    given: dict[int, str] = {}
    for entry in applying.entries:
        if entry.said.country is not None:
            _lay_country(applying, entry, entry.said.country)
            given |= dict.fromkeys((cell for _, cell in entry.hexes), entry.said.country)
    draw_countries(work, [cell for cell, country in given.items() if country])
    for entry in applying.entries:
        _lay_ground(applying, entry)
        lay_drawn(applying, entry)
    if applying.faults:
        raise DocumentError(work.name, applying.faults.all())
    applying.report()


def _entries(work: Work) -> Iterator[Entry]:
    """Yield the overrides of the specification and those of its file."""
    for number, one in enumerate(work.spec.overrides):
        yield Entry(one, f"$.overrides[{number}]", f"override {number + 1}")
    name = work.spec.overrides_file
    if not name:
        return
    file = work.folder / name
    if work.overrides is None and not file.exists():
        text = f"{name}, the file of overrides, is not there; it is made when a map that was edited is made anew"
        work.report.add("overrides", "finding", text)
        return
    for number, one in enumerate(read_overrides(file, work.overrides)):
        yield Entry(one, f"{name}: $[{number}]", f"override {number + 1} of {name}")


def _lay_ground(run: Applying, entry: Entry) -> None:
    """Give hexes their terrain and level."""
    one, model = entry.said, run.model
    if one.terrain and run.known(entry, "terrain", "terrain", one.terrain, model.terrain_ids):
        for label, cell in entry.hexes:
            run.set(entry, label, ("terrain", cell), model.terrain_at(cell), one.terrain, "")
            model.terrain.flat[cell] = model.terrain_ids.index(one.terrain)
    if one.level is not None and run.level_fits(entry, "level", one.level):
        for label, cell in entry.hexes:
            run.set(entry, label, ("level", cell), model.level_at(cell), one.level, "level ")
            model.levels.flat[cell] = one.level


def _lay_country(run: Applying, entry: Entry, country: str) -> None:
    rule = run.work.spec.countries
    if rule is None or not run.work.country:
        message = f"gives hexes to {country!r}, but the specification has no countries"
        run.faults.add(f"{entry.path}.country", message, "name their source in [countries], or use `within`")
        return
    names = {*run.work.country, *rule.names.values()} - {""}
    if country and country not in names:
        text = f"{entry.name} gives hexes to {country!r}, which no data name; {nearest(country, names)}"
        run.work.report.add("overrides", "finding", text, tuple(label for label, _ in entry.hexes))
    for label, cell in entry.hexes:
        old = run.work.country[cell]
        run.set(entry, label, ("country", cell), old or "nobody", country or "nobody", "country ")
        run.work.country[cell] = country
