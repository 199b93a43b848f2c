"""What the words of a scenario call things: units by the roster of its game, terrain and features by its map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.model import ScenarioDocument
from studio.model.wording import Names
from studio.rules.roster import roster_of
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["scenario_names"]


def scenario_names(document: ScenarioDocument, ruleset: Ruleset, survey: Survey | None = None) -> Names:
    """Return what things of a scenario are called in words.

    Parameters
    ----------
    document : ScenarioDocument
    ruleset : Ruleset
        Gives the names of kinds of units and of terrain.
    survey : Survey, optional
        Gives the names of the features of the map.
    """
    roster = roster_of(ruleset, document)
    return Names(
        document,
        types={name: kind.name for name, kind in roster.items()},
        terrain={name: terrain.name for name, terrain in ruleset.terrains.items()},
        features={**_kinds(ruleset), **(_features(survey) if survey is not None else {})},
    )


def _kinds(ruleset: Ruleset) -> dict[str, str]:
    """Return kinds of features with their article."""
    found = {}
    for table in (ruleset.area_types, ruleset.place_types, ruleset.wall_types, ruleset.link_types):
        found.update({name: _one(kind.name.lower()) for name, kind in table.items()})
    return {"road": "a road", "crest": "a crest", "marker": "a marker", **found}


def _one(name: str) -> str:
    return (
        f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"
        if name and not name.startswith(("a ", "an ", "the "))
        else name
    )


def _features(survey: Survey) -> dict[str, str]:
    called = {one.id: str(getattr(one, "name", "")) for one in survey.model.features.values()}
    return {name: text for name, text in called.items() if text}
