"""Locations that are no hexes, as the browser is told of them: zones, rooms, roofs, boxes, roads beside a structure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from studio.draw.picture import style_of
from studio.draw.regions import Regions
from studio.draw.sites import sites_of
from studio.draw.symbols import place_look
from studio.model import Area, Change, Dot, Place, Road
from studio.survey import sheets_at

if TYPE_CHECKING:
    from studio.draw.style import Style
    from studio.editor.protocol import EditableMap
    from studio.survey import Directory, Location

__all__ = ["PlacesWatch", "closed_terrain", "places_of"]

_REACH = 160
"""How far one can miss a road that is a location, in thousandths of a hex height."""

_FLOORS = {-1: "underground", 0: "ground level"}


def places_of(document: EditableMap) -> list[dict[str, Any]]:
    """Return the locations of a map that are no hexes, in the order of their numbers.

    Parameters
    ----------
    document : EditableMap

    Returns
    -------
    list of dict
        ``label``, ``number``, ``kind`` (area, place or road), ``type``, ``id`` (of the feature, "" of a road), ``cell``
        (under its dot, -1 off all hexes), ``level``, ``dot`` (on the lattice: where lines of sight end) and ``text``:
        what it is, in words. Where there is something to say also ``within`` (id of the area that it is part of),
        ``spot`` (where its sign stands, if not at its dot) and ``reach`` (half the width and half the height of its
        sign, in thousandths of a hex height; an area has none).
    """
    survey = getattr(document, "survey", None)
    if survey is None or not survey.directory.others:
        return []
    look, spots = style_of(document, getattr(document, "style", None)), _road_spots(document, survey.directory)
    words = _Words(document, survey.directory)
    found = []
    for one in survey.directory.others:
        data: dict[str, Any] = {
            "label": one.label,
            "number": one.number,
            "kind": one.kind,
            "type": one.type,
            "id": one.feature,
            "cell": one.cell,
            "level": one.level,
            "dot": list(one.dot),
            "text": words.of(one),
        }
        known = {"within": one.within, "spot": spots.get(one.number), "reach": _reach(one, look)}
        found.append({**data, **{name: value for name, value in known.items() if value}})
    return found


def closed_terrain(document: EditableMap) -> list[str]:
    """Return the terrain whose hexes are no locations."""
    survey = getattr(document, "survey", None)
    return [] if survey is None else sorted(survey.scheme.unplayable)


def _reach(one: Location, style: Style) -> list[int] | None:
    if one.kind == "area":
        return None
    if one.kind == "road":
        return [_REACH, _REACH]
    look = place_look(style, one.type)
    return [max(look.wide, look.size) // 2, look.size // 2]


def _road_spots(document: EditableMap, directory: Directory) -> dict[int, list[int]]:
    """Return where the roads that are locations are pointed at, on the lattice, by number."""
    roads = directory.of("road")
    if not roads:
        return {}
    regions, scale = Regions(sites_of(document)), directory.grid.scale
    return {
        one.number: [round(float(value) / scale[axis]) for axis, value in enumerate(regions.spot(one.number))]
        for one in roads
    }


class _Words:
    """What a location is, in words: its kind, what it is part of, its floor and its sheet."""

    def __init__(self, document: EditableMap, directory: Directory) -> None:
        rules, self.directory = document.ruleset, directory
        self.kinds = {**rules.terrains, **rules.area_types, **rules.place_types}
        self.features = document.model.features
        self.sheets = document.model.sheets
        self.layered = len({sheet.layer for sheet in self.sheets}) > 1

    def of(self, one: Location) -> str:
        found = [self._kind(one), self._floor(one), self._sheet(one)]
        return ", ".join(part for part in found if part)

    def _named(self, type_: str) -> str:
        kind = self.kinds.get(type_)
        return (getattr(kind, "name", "") or type_.replace("_", " ")).lower()

    def _kind(self, one: Location) -> str:
        if one.kind == "road":
            return f"the road beside the {self._named(one.type)}"
        outer = self.features.get(one.within)
        # The halls of a building that is cut into zones have no number of their own.
        while isinstance(outer, Area) and not outer.name and outer.within:
            outer = self.features.get(outer.within)
        if not isinstance(outer, Area) or not outer.name:
            return self._named(one.type)
        return f"{self._named(one.type)} of {self._named(outer.type)} {outer.name}"

    def _floor(self, one: Location) -> str:
        if one.kind == "road" or (one.kind == "area" and one.level == 0):
            return ""
        return _FLOORS.get(one.level, f"level {one.level}")

    def _sheet(self, one: Location) -> str:
        numbers = sheets_at(self.directory.survey, one.number)
        if not numbers or not self.sheets:
            return ""
        sheet = self.sheets[numbers[0]]
        title = sheet.title or sheet.id
        return title if not self.layered or sheet.layer in title.lower() else f"{title} ({sheet.layer})"


class PlacesWatch:
    """Tells when the locations of a map have to be sent anew.

    Parameters
    ----------
    document : EditableMap
    """

    def __init__(self, document: EditableMap) -> None:
        self._document = document
        self._due = False
        self._told: list[dict[str, Any]] | None = None

    def note(self, change: Change) -> None:
        """Note a change that may have made, moved or renamed locations."""
        self._due = self._due or bool(getattr(change, "relabelled", False)) or self._touches(change)

    def _touches(self, change: Change) -> bool:
        survey = getattr(self._document, "survey", None)
        if survey is None:
            return False
        scheme, features = survey.scheme, self._document.model.features
        # A road in a hex has the hex's level; paint can make a hex a location, or none.
        if change.planes and (scheme.road_in or scheme.unplayable):
            return True
        after = (features.get(name) for name in change.features)
        return any(isinstance(one, Area | Place | Road | Dot) for one in (*change.before, *after))

    def news(self) -> list[dict[str, Any]] | None:
        """Return the locations where they are no longer those that were told last, else None."""
        if not self._due:
            return None
        self._due = False
        now = places_of(self._document)
        if now == self._told:
            return None
        self._told = now
        return now
