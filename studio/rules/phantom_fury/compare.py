"""Adjacent and Neighbouring zones and target symbols as drawn, for comparing them with lists kept by hand (4.1.1-2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from studio.rules.lists import Disagreements, Relation, ZoneLists, compare_lists
from studio.rules.phantom_fury.district import District
from studio.survey import Survey

__all__ = ["DrawnZones", "compare_adjacency"]


class DrawnZones:
    """Zones of a district, by their labels.

    Parameters
    ----------
    district : District
    """

    mutual: frozenset[Relation] = frozenset({"adjacent", "neighbouring"})  # a symbol is printed in one of two zones
    rules: Mapping[Relation, str] = {"adjacent": "4.1.1", "neighbouring": "4.1.2", "targets": "4.1.2.1"}

    def __init__(self, district: District) -> None:
        self.district, self.named = district, district.named

    @cached_property
    def zones(self) -> dict[str, str]:
        """Ids of the zones by label."""
        return {self.district.label(zone): zone for zone in self.district.zones}

    def related(self, label: str, relation: Relation) -> set[str]:
        """Return the labels of the zones that stand in a relation to one."""
        zone, district = self.zones[label], self.district
        if relation == "adjacent":
            found = district.zones_beside(zone)
        elif relation == "neighbouring":
            found = district.neighbouring(zone)
        else:
            found = frozenset(district.targets.get(zone, ()))
        return set(map(district.label, found))

    def why(self, a: str, b: str, relation: Relation) -> str:
        """Return why two zones are related, as what follows their names."""
        if relation == "adjacent":
            return "share a border"
        if relation == "neighbouring":
            streets = self.district.common_streets(self.zones[a], self.zones[b])
            return f"are both beside street section {', '.join(map(self.district.label, streets))}"
        return "are joined by the target symbol of the first"

    def why_not(self, a: str, b: str, relation: Relation) -> str:
        """Return why the second zone is not related to the first, as a clause."""
        district, one, other = self.district, self.zones[a], self.zones[b]
        if a == b:
            return "that is the zone itself"
        if relation == "targets":
            return "no target symbol drawn in it names that zone"
        if relation == "neighbouring":
            if other in district.zones_beside(one):
                return "they share a border: Adjacent, so not Neighbouring"
            return "no street section is beside both"
        if frozenset((one, other)) in district.closed:
            return "all of their border is a continuous line"
        corner = district.corner(one, other)
        if corner is not None:
            return f"they meet at a corner only, at {corner[0]}, {corner[1]}"
        return "they share no border"


def compare_adjacency(survey: Survey, given: Mapping[str, ZoneLists]) -> Disagreements:
    """Compare what is drawn with a list; see :func:`studio.rules.lists.compare_lists`.

    Parameters
    ----------
    survey : Survey
    given : mapping of str to ZoneLists
        By the label of the zone.
    """
    return compare_lists(DrawnZones(District(survey)), given)
