"""What another program did to a map: rows that were read, laid over the map that was written, and told in words."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

import msgspec

from studio.errors import DocumentError, EditError, Fault, StudioError
from studio.exchange.common.drawn import KINDS, Drawn, record_of
from studio.exchange.common.ground import listed
from studio.model import Feature, MapModel, ScenarioDocument
from studio.model.featurecheck import check_fit
from studio.rules import Ruleset
from studio.survey import Survey

__all__ = ["place_units", "put_features", "put_sides"]

_FEATURES = msgspec.json.Decoder(Feature)


def put_features(
    model: MapModel,
    ruleset: Ruleset,
    rows: Iterable[Drawn],
    said: Container[str],
    source: str,
    *,
    slack: float = 1.0,
) -> list[str]:
    """Give a map the features that were read.

    Parameters
    ----------
    model : MapModel
        With the features as they were written; they are replaced.
    ruleset : Ruleset
    rows : iterable of Drawn
    said : container of str
        Kinds that the file speaks of: of these, features that are not among the rows are taken away.
    source : str
        The file, for errors.
    slack : float
        Lattice units by which a point may be off.

    Returns
    -------
    list of str
        What was changed, added and taken away, in words.

    Raises
    ------
    DocumentError
        With every row that cannot be a feature.
    """
    survey = Survey(model, ruleset.survey_scheme)
    before = dict(model.features)
    after = {name: one for name, one in before.items() if _kind(one) not in said}
    faults: list[Fault] = []
    changed: list[str] = []
    added: list[str] = []
    fresh: list[Drawn] = []
    for row in rows:
        known = before.get(row.id)
        if row.id in after or not row.id or (known is not None and _kind(known) != row.kind):
            fresh.append(row)
            continue
        feature = _made(survey, row, known, faults, slack)
        if feature is not None:
            after[row.id] = feature
            if known is None:
                added.append(row.id)
            elif feature != known:
                changed.append(row.id)
    for row in fresh:  # last, so that none of them takes the id of one that was written
        name = _new_id(row.kind, after, before)
        feature = _made(survey, row._replace(id=name), None, faults, slack)
        if feature is not None:
            after[name] = feature
            added.append(name)
    for feature in after.values():
        if feature is not before.get(feature.id):
            _check(model, after, feature, faults)
    if faults:
        raise DocumentError(source, faults)
    model.features = after
    gone = [name for name in before if name not in after]
    told = (("changed", changed), ("new", added), ("taken away", gone))
    return [f"features {what}: {listed(names)}" for what, names in told if names]


def _kind(feature: Feature) -> str:
    return str(type(feature).__struct_config__.tag)


def _made(survey: Survey, row: Drawn, known: Feature | None, faults: list[Fault], slack: float) -> Any:
    try:
        record = record_of(survey, row, known, slack=slack)
        made = msgspec.convert(record, Feature)
    except (msgspec.ValidationError, StudioError) as error:
        remedy = "mend its fields or its shape in the program that drew it"
        faults.append(Fault("$", f"no {row.kind}: {error}", remedy, row.id or row.kind))
        return None
    return made


def _check(model: MapModel, features: Mapping[str, Feature], feature: Feature, faults: list[Fault]) -> None:
    class Fitted:
        grid, labels = model.grid, model.labels

        def __init__(self) -> None:
            self.features = dict(features)

    try:
        check_fit(Fitted(), feature)
    except EditError as error:
        faults.append(Fault("$", str(error), "mend it in the program that drew it", feature.id))


def _new_id(kind: str, *taken: Container[str]) -> str:
    number = 1
    while any(f"{kind}-{number}" in names for names in taken):
        number += 1
    return f"{kind}-{number}"


def put_sides(model: MapModel, found: Mapping[tuple[int, int], tuple[str, ...]]) -> list[str]:
    """Give a map the hexsides that were read, all of them; return what is other than before, in words."""
    before = model.sides
    model.sides = {key: tuple(sorted(set(kinds))) for key, kinds in sorted(found.items()) if kinds}
    label = model.labels.label
    other = [key for key in sorted({*before, *model.sides}) if before.get(key) != model.sides.get(key)]
    return [f"hexsides changed: {listed(f'{label(a)}/{label(b)}' for a, b in other)}"] if other else []


def place_units(scenario: ScenarioDocument, places: Mapping[str, str]) -> tuple[ScenarioDocument, list[str]]:
    """Return a scenario with units at other places, and what was moved, in words.

    Parameters
    ----------
    scenario : ScenarioDocument
    places : mapping of str to str
        Label by the id of the unit; an empty one leaves the place to the player.
    """
    moved: list[str] = []

    def unit_at(unit: Any) -> Any:
        at = places.get(unit.id, unit.at)
        if at == unit.at:
            return unit
        moved.append(f"{unit.id} to {at or 'no place'}")
        return msgspec.structs.replace(unit, at=at)

    forces = [
        msgspec.structs.replace(
            force,
            formations=tuple(
                msgspec.structs.replace(part, units=tuple(map(unit_at, part.units))) for part in force.formations
            ),
        )
        for force in scenario.forces
    ]
    if not moved:
        return scenario, []
    return msgspec.structs.replace(scenario, forces=forces), [f"units moved: {listed(moved)}"]


assert set(KINDS) == {str(kind.__struct_config__.tag) for kind in KINDS.values()}
