"""Clouds on a map: markers with a tail downwind, as edits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from studio.errors import EditError, LabelError, nearest
from studio.model import Batch, Edit, Marker, Put

if TYPE_CHECKING:
    from studio.rules import Ruleset
    from studio.survey import Survey

__all__ = ["cloud_record", "turning"]


def cloud_record(
    ruleset: Ruleset, survey: Survey, type: str, at: str, wind: str, options: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the record of a marker with its tail downwind, without an id.

    Raises
    ------
    UnknownNameError
        When the game has no clouds, or its grid no such wind.
    EditError
        When the game has no such marker, or it has no tail.
    LabelError
        When the map has no such location.
    """
    rule = ruleset.clouds
    kinds = [name for name, kind in ruleset.marker_types.items() if kind.cloud]
    if type not in kinds:
        msg = f"add_cloud: got the type {type!r}; {ruleset.title} has {', '.join(kinds)}; {nearest(str(type), kinds)}"
        raise EditError(msg)
    also = rule.covered(survey, at, wind, ruleset.options(options))
    return {"kind": "marker", "type": type, "at": at, "also": list(also)}


def turning(ruleset: Ruleset, survey: Survey, wind: str, options: Mapping[str, Any] | None) -> Edit | None:
    """Return the edit that turns all clouds of a map downwind, None where none turns.

    Raises
    ------
    UnknownNameError
        When the game has no clouds, or its grid no such wind.
    EditError
        When the head of a cloud lies nowhere on the map.
    """
    rule, force = ruleset.clouds, ruleset.options(options)
    rule.cloud_hexes(survey.grid, -1, wind, force["cloud_shape"])  # refuses a wind that there is not
    puts: list[Edit] = []
    for marker in survey.features_of(Marker):
        kind = ruleset.marker_types.get(marker.type)
        if kind is None or not kind.cloud:
            continue
        try:
            also = rule.covered(survey, marker.at, wind, force)
        except LabelError as error:
            msg = f"turn_clouds: {marker.id}: {error}"
            raise EditError(msg) from error
        if also != marker.also:
            turned = msgspec.structs.replace(marker, also=also)
            puts.append(Put(collection="features", record=msgspec.to_builtins(turned)))
    return Batch(title=f"Turn clouds to {wind}", edits=puts) if puts else None
