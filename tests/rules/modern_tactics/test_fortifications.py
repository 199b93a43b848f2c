"""Markers of the battlefield: where they may be placed (13.2 to 13.6), and one a hex (13.0)."""

from __future__ import annotations

from pathlib import Path

import pytest

import studio
from studio.rules.modern_tactics.scenario import can_stand, stacking_groups, unit_type

MAP = Path(__file__).parents[3] / "maps" / "tactics-1.map.json"


@pytest.fixture(scope="module")
def village() -> studio.Map:
    return studio.open_map(MAP, recover_unsaved=False)


def cells(village: studio.Map, terrain: str, *, road: bool) -> list[int]:
    model, survey = village.model, village.survey
    return [
        cell
        for cell in range(model.grid.cells)
        if survey.directory.exists(cell)
        and model.terrain_at(cell) == terrain
        and survey.has_road(cell) == road
        and survey.directory.location(cell).kind == "hex"
    ]


@pytest.mark.parametrize("name", ["mines", "bunker", "wire", "trench", "foxholes"])
def test_none_of_these_in_structures(village: studio.Map, name: str) -> None:
    kind = unit_type(f"field.{name}")
    houses = cells(village, "structure", road=False)
    assert len(houses) > 50
    assert not any(can_stand(kind, village.survey, cell) for cell in houses)
    assert all(can_stand(kind, village.survey, cell) for cell in cells(village, "crops", road=False))


def test_roadblocks_on_roads_only(village: studio.Map) -> None:
    kind = unit_type("field.roadblock")
    assert all(can_stand(kind, village.survey, cell) for cell in cells(village, "open", road=True))
    assert not any(can_stand(kind, village.survey, cell) for cell in cells(village, "open", road=False))


def test_an_improvised_device_goes_anywhere(village: studio.Map) -> None:
    kind = unit_type("field.ied")
    assert all(can_stand(kind, village.survey, cell) for cell in cells(village, "structure", road=False))


def test_one_a_hex() -> None:
    assert stacking_groups(unit_type("field.wire")) == (("markers of the battlefield", 1),)
    assert stacking_groups(unit_type("field.civilians")) == ()
