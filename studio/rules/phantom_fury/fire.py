"""Die roll modifiers of fire combat (11.2.1) that the place and the kind of the target bring, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from studio.rules.phantom_fury.district import District
from studio.sight import Reason
from studio.survey import Location

__all__ = ["TARGETS", "fire_modifiers"]

TARGETS = ("guerillas", "martyrs", "suspect")
"""Kinds of target (``Conditions.to_kind``): 'Guerillas' and 'Martyrs' units, and 'Suspect' markers."""


def fire_modifiers(
    district: District, start: str, end: Location, zone: str, kind: str, figures: Mapping[str, int | str]
) -> Iterator[tuple[int, Reason]]:
    """Yield the modifiers of the die roll, the higher the worse for the firer.

    Parameters
    ----------
    district : District
    start : str
        Id of the zone or street section of the firer.
    end : Location
        Box or zone of the target; what depends on the box is left out for a whole zone.
    zone : str
        Id of the target's zone.
    kind : str
        One of ``TARGETS``.
    figures : mapping
        The modifiers of the catalogue.
    """

    def modifier(name: str, rule: str, at: str, text: str) -> tuple[int, Reason]:
        figure = int(figures[name])
        return figure, Reason(rule, at, "modifier", f"{at}: {text}, {figure:+d} {figures['unit']}")

    label = district.label(zone)
    if kind == "suspect":
        yield modifier("suspect", "11.2.1", end.label, "'Suspect' marker")
    elif "holy" in district.areas[zone].tags:
        yield modifier("holy_zone", "11.2.1", label, "'Insurgents' unit in the mosque")
    else:
        fortified = district.fortified(zone)
        if end.kind == "place" and end.type != "rooftop":
            yield modifier("below_rooftop", "11.2.1", end.label, "'Insurgents' unit not on a rooftop")
        if fortified:
            yield modifier("fortified_zone", "11.2.1", label, "'Insurgents' unit in a fortified zone")
        elif kind == "martyrs":
            yield modifier("martyrs", "11.2.1", label, "'Martyrs' unit in a normal zone")
    if district.is_zone(start) and district.fury.intersection({start, *district.sniper_zones(start)}):
        at = district.label(start)
        yield modifier("phantom_fury", "13.4.3.2", at, "'Phantom Fury' in it or in an Adjacent or Neighbouring zone")
