"""The district of a Phantom Fury map: which zones, street sections and boxes are next to each other, and by what.

What is Adjacent comes from the drawing: areas that share a border for a positive length, less the stretches that a
continuous line closes. Contact in a corner is no border. Areas go by their ids here, so that two zones with one name
stay two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

import msgspec

from studio.model import Area, Link, Place, Point, natural_key
from studio.rules.lists import common_corner
from studio.rules.phantom_fury.kinds import SOLID, BorderParts
from studio.survey import Border, Survey
from studio.survey.stretches import Segment

__all__ = ["NO_CONTROL", "OFF_ZONES", "OPEN", "OUT_OF_PLAY", "District", "Misplaced", "Passage"]

OFF_ZONES = frozenset({"reinforcements", "mission_space", "exit"})
"""Types of the places that are printed off the zones and are no boxes: nothing fires from or at them."""

OUT_OF_PLAY = "out_of_play"
"""Tag of zones and street sections that no unit enters (12.4.1)."""

NO_CONTROL = "no_control"
"""Tag of zones that neither side controls, and so of none that units are in, such as zone 27 (4.1.4)."""

OPEN = frozenset({"open", NO_CONTROL})
"""Tags of zones that fire passes over by target symbols only, such as zone 27 (11.1.1)."""

_RUINED = frozenset({"second_story", "rooftop"})


class Passage(msgspec.Struct, frozen=True):
    """Two Adjacent locations.

    Attributes
    ----------
    a, b : str
        Their labels: boxes or street sections.
    by : {"arrow", "door", "roof", "street", "section"}
        An arrow within a zone (4.2.2); the same door or roof entry symbol in two Adjacent zones (4.2.2); a street
        section and a box with a door entry symbol beside it (4.3.1.1); two street sections with a common side.
    link : str
        Id of the link, empty where the borders decide.
    one_way : bool
        From a to b only.
    """

    a: str
    b: str
    by: Literal["arrow", "door", "roof", "street", "section"]
    link: str = ""
    one_way: bool = False


class Misplaced(msgspec.Struct, frozen=True):
    """A link that the game cannot read, and why."""

    link: str
    text: str


class District:
    """Zones, street sections and boxes of one state of a map.

    Parameters
    ----------
    survey : Survey

    Attributes
    ----------
    areas : dict of str to Area
        Zones and street sections by id, in the natural order of their labels.
    boxes : dict of str to Place
        Boxes by label.
    off_zones : dict of str to Place
        Places that are no boxes by label: reinforcement boxes, spaces of missions, exits.
    """

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        found = [area for area in survey.features_of(Area) if area.type in ("zone", "street")]
        found.sort(key=lambda area: (natural_key(area.name or area.id), natural_key(area.id)))
        self.areas: dict[str, Area] = {area.id: area for area in found}
        self._order = {area_id: at for at, area_id in enumerate(self.areas)}
        self.boxes: dict[str, Place] = {}
        self.off_zones: dict[str, Place] = {}
        for place in survey.features_of(Place):
            (self.off_zones if place.type in OFF_ZONES else self.boxes).setdefault(place.name, place)
        self._ids: dict[str, str] = {}
        self.named: dict[str, list[str]] = defaultdict(list)
        for area in found:
            label = area.name or area.id
            self.named[label].append(area.id)
            self._ids.setdefault(label, area.id)
        for area in found:
            self._ids.setdefault(area.id, area.id)

    # -- names -----------------------------------------------------------------------------------------------------

    @property
    def zones(self) -> list[str]:
        """Ids of the zones, in order."""
        return [area_id for area_id, area in self.areas.items() if area.type == "zone"]

    @property
    def streets(self) -> list[str]:
        """Ids of the street sections, in order."""
        return [area_id for area_id, area in self.areas.items() if area.type == "street"]

    def is_zone(self, area_id: str) -> bool:
        """Tell a zone from a street section."""
        return self.areas[area_id].type == "zone"

    def id_of(self, label: str) -> str | None:
        """Return the id of the zone or street section with a label; of several the first, None without any."""
        return self._ids.get(label)

    def label(self, area_id: str) -> str:
        """Return the label of an area; its id where another area has the same name before it."""
        name = self.areas[area_id].name or area_id
        return name if self._ids[name] == area_id else area_id

    def spoken(self, area_id: str) -> str:
        """Return what players call an area, such as ``zone 3``."""
        return f"{'zone' if self.is_zone(area_id) else 'street section'} {self.label(area_id)}"

    def sorted(self, area_ids: Iterable[str]) -> list[str]:
        """Return areas in the natural order of their labels."""
        return sorted(area_ids, key=self._order.__getitem__)

    # -- borders (4.1.1, 4.3.1.1) ----------------------------------------------------------------------------------

    @cached_property
    def touching(self) -> dict[str, dict[str, tuple[Segment, ...]]]:
        """Adjacent areas of every area, with the open stretches of the border that they share."""
        found: dict[str, dict[str, tuple[Segment, ...]]] = {area_id: {} for area_id in self.areas}
        parts = BorderParts(self.survey)
        for border in self._drawn:
            stretches = parts(self.areas[border.a], self.areas[border.b], border.segments)
            open_ = tuple(piece for stretch in stretches if stretch.kind != SOLID for piece in stretch.segments)
            if open_:
                found[border.a][border.b] = found[border.b][border.a] = open_
        return found

    @property
    def _drawn(self) -> Iterator[Border]:
        return (border for border in self.survey.borders if border.a in self.areas and border.b in self.areas)

    @cached_property
    def closed(self) -> frozenset[frozenset[str]]:
        """Pairs of areas that share a border, but all of it is a continuous line."""
        return frozenset(frozenset((one.a, one.b)) for one in self._drawn if one.b not in self.touching[one.a])

    def corner(self, a: str, b: str) -> Point | None:
        """Return the first point in which two areas meet that share no border, None where they do not meet."""
        if b in self.touching[a] or frozenset((a, b)) in self.closed:
            return None
        return common_corner(self.areas[a], self.areas[b])

    @cached_property
    def _beside(self) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
        zones: dict[str, frozenset[str]] = {}
        streets: dict[str, frozenset[str]] = {}
        for area_id, others in self.touching.items():
            zones[area_id] = frozenset(other for other in others if self.is_zone(other))
            streets[area_id] = frozenset(others) - zones[area_id]
        return zones, streets

    def zones_beside(self, area_id: str) -> frozenset[str]:
        """Return the zones that are Adjacent to a zone (4.1.1) or to a street section (4.3.1.1)."""
        return self._beside[0][area_id]

    def streets_beside(self, area_id: str) -> frozenset[str]:
        """Return the street sections that are Adjacent to a zone or to a street section (4.3.1.1)."""
        return self._beside[1][area_id]

    def common_streets(self, a: str, b: str) -> list[str]:
        """Return the street sections that are Adjacent to both areas, in order."""
        return self.sorted(self.streets_beside(a) & self.streets_beside(b))

    def neighbouring(self, zone: str) -> frozenset[str]:
        """Return the zones that are Neighbouring to a zone: beside one street section with it, not Adjacent (4.1.2)."""
        across = frozenset[str]().union(*(self.zones_beside(street) for street in self.streets_beside(zone)))
        return across - self.zones_beside(zone) - {zone}

    def blocks(self) -> list[list[str]]:
        """Return the blocks (4.4): zones that hang together by their borders, each block in order."""
        left, found = dict.fromkeys(self.zones), []
        while left:
            block, pending = set[str](), [next(iter(left))]
            while pending:
                zone = pending.pop()
                if zone in left:
                    del left[zone]
                    block.add(zone)
                    pending += self.zones_beside(zone)
            found.append(self.sorted(block))
        return found

    # -- target symbols (4.1.2.1, 4.3.1.2) -------------------------------------------------------------------------

    @cached_property
    def targets(self) -> dict[str, tuple[str, ...]]:
        """Zones that the target symbol of each zone or street section names, in the order of the print."""
        links = [link for link in self.survey.features_of(Link) if link.type == "line_of_fire"]
        links.sort(key=lambda link: (link.order, natural_key(link.id)))
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for link in links:
            if not self._why_no_line(link):
                found[self._ids[link.a]][self._ids[link.b]] = None
        return {area_id: tuple(named) for area_id, named in found.items()}

    def _why_no_line(self, link: Link) -> str:
        """Return why a link is no line of fire, empty when it is one."""
        for label in (link.a, link.b):
            if label not in self._ids:
                return f"{label} is no zone or street section"
        if not self.is_zone(self._ids[link.b]):
            return f"it names street section {link.b}, but target symbols name zones"
        return f"it leads from {link.a} to itself" if self._ids[link.a] == self._ids[link.b] else ""

    def misplaced(self) -> list[Misplaced]:
        """Return the links that the game cannot read: target symbols, arrows, entry symbols, egress routes."""
        found = []
        for link in self.survey.features_of(Link):
            if link.type == "line_of_fire":
                why = self._why_no_line(link)
            elif link.type in ("arrow", "door", "roof"):
                why = self._why_no_passage(link)
            elif link.type == "egress":
                why = self._why_no_route(link)
            else:
                continue
            if why:
                found.append(Misplaced(link.id, f"{link.type} from {link.a} to {link.b}: {why}"))
        return found

    def _why_no_route(self, link: Link) -> str:
        """Return why a link is no egress route (4.1.7, 13.6.6), empty when it is one."""
        a, b = self._ids.get(link.a), self._ids.get(link.b)
        if a is None or not self.is_zone(a):
            return f"{link.a} is no zone"
        if b == a:
            return "it leads from a zone to itself; off the map it leads to an exit"
        out = self.off_zones.get(link.b)
        if (b is None or not self.is_zone(b)) and (out is None or out.type != "exit"):
            return f"{link.b} is neither a zone nor an exit"
        return ""

    # -- boxes (4.2) -----------------------------------------------------------------------------------------------

    def home(self, box: Place) -> str | None:
        """Return the id of the zone that a box belongs to, None without any."""
        return box.within if box.within in self.areas and self.is_zone(box.within) else None

    def out_of_play(self, area_id: str) -> bool:
        """Tell whether no unit may enter a zone or street section (12.4.1)."""
        return OUT_OF_PLAY in self.areas[area_id].tags

    def shut(self, area_id: str) -> bool:
        """Tell whether no unit is ever in an area: it is out of play (12.4.1), or neither side controls it (4.1.4).

        Every zone in play is under control of one side. Open ground without buildings (11.1.1) is about fire alone.
        """
        return self.out_of_play(area_id) or NO_CONTROL in self.areas[area_id].tags

    def _marked(self, kind: str) -> frozenset[str]:
        """Return the labels of the locations with a marker."""
        label = self.survey.directory.label
        return frozenset(label(number) for number in self.survey.cells_with_marker(kind))

    @property
    def fury(self) -> frozenset[str]:
        """Ids of the zones with a 'Phantom Fury' marker (13.4.3.2)."""
        return frozenset(self._ids[label] for label in self._marked("phantom_fury") if label in self._ids)

    def fortified(self, zone: str) -> bool:
        """Tell whether a zone is fortified: tagged so, or activated as a strong point (4.1.5)."""
        return "fortified" in self.areas[zone].tags or self.label(zone) in self._marked("activated_strong_point")

    def rubble(self) -> frozenset[str]:
        """Return the labels of the boxes that no longer exist: 2, 2' and R of a ruins zone (4.1.6)."""
        marked = self._marked("rubble")
        return frozenset(
            label
            for label, box in self.boxes.items()
            if box.type in _RUINED
            and (label in marked or ((home := self.home(box)) is not None and self.label(home) in marked))
        )

    @cached_property
    def doors(self) -> frozenset[str]:
        """Labels of the boxes with a door entry symbol: at an end of a ``door`` link, or tagged ``door``."""
        linked = {label for link in self.survey.features_of(Link) if link.type == "door" for label in (link.a, link.b)}
        return frozenset(label for label, box in self.boxes.items() if label in linked or "door" in box.tags)

    def _why_no_passage(self, link: Link) -> str:
        """Return why a link joins no two Adjacent locations, empty when it does."""
        # A door that leads to the street marks the box at its other end; the borders say which sections it opens on.
        ends = [label for label in (link.a, link.b) if not (link.type == "door" and self._is_street(label))]
        for label in ends:
            if label not in self.boxes or self.home(self.boxes[label]) is None:
                return f"{label} is no box of a zone"
        if len(ends) < 2:
            return "" if ends else "a door entry symbol stands in a box"
        a, b = (self.home(self.boxes[label]) for label in ends)
        if link.type == "arrow":
            return "" if a == b else "an arrow joins two boxes of one zone"
        if a is None or b is None or b not in self.touching[a]:
            return "entry symbols join boxes of two Adjacent zones, and these are not"
        return ""

    def _is_street(self, label: str) -> bool:
        return label in self._ids and not self.is_zone(self._ids[label])

    def passages(self) -> list[Passage]:
        """Return every pair of Adjacent locations (4.2.2, 4.3.1.1): boxes and street sections."""
        return [*self._linked(), *self._by_borders()]

    def _linked(self) -> Iterator[Passage]:
        for link in self.survey.features_of(Link):
            boxes = link.a in self.boxes and link.b in self.boxes
            if not boxes or self._why_no_passage(link):
                continue
            if link.type == "arrow":
                yield Passage(link.a, link.b, "arrow", link.id, link.one_way)
            elif link.type == "door":
                yield Passage(link.a, link.b, "door", link.id)
            elif link.type == "roof":
                yield Passage(link.a, link.b, "roof", link.id)

    def _by_borders(self) -> Iterator[Passage]:
        for label in sorted(self.doors, key=natural_key):
            home = self.home(self.boxes[label])
            for street in self.sorted(self.streets_beside(home)) if home else ():
                yield Passage(self.label(street), label, "street")
        for a, b in self._street_pairs():
            yield Passage(self.label(a), self.label(b), "section")

    def _street_pairs(self) -> Iterator[tuple[str, str]]:
        for street in self.streets:
            for other in self.sorted(self.streets_beside(street)):
                if self._order[street] < self._order[other]:
                    yield street, other

    # -- snipers (11.4) --------------------------------------------------------------------------------------------

    def sniper_zones(self, area_id: str) -> list[str]:
        """Return the zones whose units count in a Sniper Attack on a squad in a zone or a street section.

        In a zone these are the Adjacent and Neighbouring ones (11.4.1); target symbols make zones Neighbouring for Fire
        Combat only (4.1.2.1). In a street section they are those beside it and those that its target symbol names
        (11.4.2), which count as Adjacent when it is crossed (4.3.1.2).
        """
        if self.is_zone(area_id):
            return self.sorted(self.zones_beside(area_id) | self.neighbouring(area_id))
        return self.sorted(self.zones_beside(area_id) | set(self.targets.get(area_id, ())))
