"""The rules by which hexes became what they are, kept in the record so that it can say later why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from studio.exchange.geography.spec import LevelRule, TerrainClass

if TYPE_CHECKING:
    from studio.exchange.geography.work import Work

__all__ = ["Ruling", "rulings_of"]


class Ruling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule of the specification, as it was when the map was made.

    Parameters
    ----------
    name : str
        Of a class of terrain the name of its shares, ``terrain:source``; else ``base``, ``water`` or ``levels``.
    terrain : str
        What it makes of a hex; empty where that is not one terrain.
    says : str
        What it asks for, in words.
    share : float or None
        Part of a hex that is enough; None where no share is asked.
    """

    name: str
    terrain: str = ""
    says: str = ""
    share: float | None = None


def rulings_of(work: Work) -> Iterator[Ruling]:
    """Yield the rules that decide on terrain and levels: classes in the order of their priority, base, water, levels.

    Parameters
    ----------
    work : Work
    """
    from studio.exchange.geography.ground.terrain import share_names

    spec = work.spec
    for name, rule in zip(share_names(work), spec.terrain.classes, strict=True):
        yield Ruling(name=name, terrain=rule.terrain, says=_asked(rule), share=rule.share)
    yield Ruling(name="base", terrain=spec.terrain.base or work.model.terrain_ids[0])
    if "water" in work.shares:
        yield Ruling(name="water", says=f"{spec.water.sea} or {spec.water.lake}", share=spec.water.share)
    if spec.levels is not None:
        yield Ruling(name="levels", says=_breaks(spec.levels))


def _asked(rule: TerrainClass) -> str:
    """Return what a class of terrain asks for.

    Examples
    --------
    >>> _asked(TerrainClass(terrain="mountains", source="heights", above=700, relief=600, within=5000))
    'heights from 700 m, with 600 m of relief within 5000 m'
    >>> _asked(TerrainClass(terrain="woods", source="cover", values=("4", "5")))
    'cover of 4, 5'
    """
    if rule.values:
        return f"{rule.source} of {', '.join(rule.values)}"
    bounds = [
        *([] if rule.above is None else [f"from {rule.above:g} m"]),
        *([] if rule.below is None else [f"below {rule.below:g} m"]),
    ]
    if rule.relief:
        bounds.append(f"{', ' * bool(bounds)}with {rule.relief:g} m of relief within {rule.within:g} m")
    if bounds:
        return f"{rule.source} {' '.join(bounds)}".replace(" ,", ",")
    return f"outside of {rule.source}" if rule.outside else rule.source


def _breaks(rule: LevelRule) -> str:
    """Return how levels follow from heights.

    Examples
    --------
    >>> _breaks(LevelRule(source="heights", breaks=(100, 200), by="most"))
    '1 from 100 m, 2 from 200 m by most pixels of heights'
    """
    by = {"mean": "the mean", "most": "most pixels", "highest": "the highest pixel"}[rule.by]
    steps = ", ".join(f"{level} from {metres:g} m" for level, metres in enumerate(rule.breaks, 1))
    return f"{steps} by {by} of {rule.source}"
