"""Counters: every type of every game has one, states show by shape, and pictures of scenarios hold them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.draw.counterfaces import QUALITIES, SIDE_COLORS, STATES, Counters
from studio.draw.countericons import FIGURES, SIGNS, THINGS
from studio.draw.counterpen import FIELD, vertices_of
from studio.draw.counters import bearing, spot_of
from studio.draw.sites import sites_of
from studio.model import UnitRecord
from studio.rules import get_ruleset, ruleset_ids

ROOT = Path(__file__).parents[2]
GAMES = [name for name in ruleset_ids() if get_ruleset(name).has_scenario]


@pytest.mark.parametrize("game", GAMES)
def test_every_type_has_a_face_of_its_own_kind(game: str) -> None:
    counters = Counters.of(get_ruleset(game))
    for name, kind in counters.roster.items():
        face = counters.face(counters.of_type(name, 0, SIDE_COLORS[0]))
        assert face.words, name
        for mark in face.marks:
            points, codes = vertices_of(mark.path)
            assert len(points) == len(codes)
            assert (points > -60).all(), name
            assert (points < FIELD + 60).all(), name
        marker = getattr(kind, "kind", "") == "marker"
        other = counters.face(counters.of_type(name, 1, SIDE_COLORS[1]))
        shapes = [[mark.path for mark in one.marks] for one in (face, other)]
        assert (shapes[0] == shapes[1]) == marker, name  # sides differ by shape, not by colour alone


@pytest.mark.parametrize("game", GAMES)
def test_the_tables_name_signs_that_there_are(game: str) -> None:
    table = Counters.of(get_ruleset(game)).table
    for words in table.signs.values():
        first, *rest = words.split()
        if first in ("figure", "thing"):
            assert rest[0] in {"figure": FIGURES, "thing": THINGS}[first], words
        elif first != "text":
            assert all(word in SIGNS or word[0] == "=" for word in (rest if first == "plain" else [first, *rest])), (
                words
            )


def test_states_and_qualities_show_in_the_shapes() -> None:
    counters = Counters.of(get_ruleset("modern_tactics"))
    plain = UnitRecord(id="a", type="us.rifle")

    def seen(unit: UnitRecord) -> Any:
        face = counters.face(counters.of_unit(unit, 0, "#0072b2"))
        return (
            [mark.path for mark in face.marks],
            [mark.dash for mark in face.marks],
            [word.text for word in face.words],
        )

    looks = [seen(plain)]
    looks += [seen(UnitRecord(id="a", type="us.rifle", status=(status,))) for status in STATES]  # type: ignore[arg-type]
    looks += [seen(UnitRecord(id="a", type="us.rifle", quality=quality)) for quality in QUALITIES]  # type: ignore[arg-type]
    looks += [seen(UnitRecord(id="a", type="us.rifle", count=3))]
    looks += [seen(UnitRecord(id="a", type="us.rifle", figures={"firepower": 9}))]
    assert len({repr(look) for look in looks}) == len(looks)


def test_bearings_go_round_by_sixty_degrees() -> None:
    for orientation, sides in (
        ("flat", ("N", "NE", "SE", "S", "SW", "NW")),
        ("pointy", ("NE", "E", "SE", "SW", "W", "NW")),
    ):
        turns = [bearing(side, orientation) % 360 for side in sides]
        assert {(b - a) % 360 for a, b in zip(turns, [*turns[1:], turns[0]], strict=True)} == {60}


@pytest.mark.parametrize("name", ["phantom-fury", "urban-1", "tactics-1"])
def test_counters_stand_in_their_place(name: str) -> None:
    import shapely

    made = studio.open_map(ROOT / "maps" / f"{name}.map.json", recover_unsaved=False)
    sites = sites_of(made)
    scale = np.array(made.grid.scale)
    for place in sites.directory.of("area"):
        spot = spot_of(sites, place.number)
        shape = shapely.transform(made.survey.polygon(place.feature), lambda points: points * scale)
        assert shape.buffer(1e-6).contains(shapely.Point(spot.x, spot.y)), place.label
        assert 0.3 <= spot.size <= 0.68


def pixels(axes: Any) -> np.ndarray:
    figure = axes.figure
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)


@pytest.mark.parametrize("file", sorted((ROOT / "scenarios").glob("*.scenario.json")), ids=lambda file: file.stem)
def test_pictures_of_the_shipped_scenarios(file: Path) -> None:
    scenario = studio.open_scenario(file, recover_unsaved=False)
    options: dict[str, Any] = {"hex_px": 24, "key": False}
    whole = pixels(scenario.plot(**options))
    bare = pixels(scenario.plot(**options, units=False, areas=False, objectives=False, notes=False))
    assert whole.shape == bare.shape
    on_map = [unit for unit in scenario.units_of() if unit.at]
    changed = (whole != bare).any(axis=2).mean()
    assert (changed > 0.0005) == bool(on_map or scenario.document.forces)
    keyed = scenario.plot(hex_px=24)
    words = " ".join(text.get_text() for axes in keyed.figure.axes for text in axes.texts)
    assert all(force.name in words for force in scenario.document.forces)


def test_areas_entries_objectives_and_notes_are_drawn() -> None:
    scenario = studio.open_scenario(ROOT / "scenarios" / "armageddon-01.scenario.json", recover_unsaved=False)
    before = pixels(scenario.plot(hex_px=20, key=False))
    scenario.place("rebel.technical", "U9", formation="rebels", hidden=True)
    scenario.add_objective("isil", 3, hexes="V9")
    scenario.add_note("T9", "The well of the village")
    after = scenario.plot(hex_px=20, key=False)
    image = pixels(after)
    for label, differs in (("U9", True), ("V9", True), ("T9", True), ("AA12", False)):
        x, y = scenario.map.grid.to_map(*scenario.map.grid.centre(scenario.map.labels.cell(label)))
        px, py = after.transData.transform((x, y))
        part = (slice(int(image.shape[0] - py) - 9, int(image.shape[0] - py) + 9), slice(int(px) - 9, int(px) + 9))
        assert (image[part] != before[part]).any() == differs, label
    with pytest.raises(TypeError, match="unknown option 'unit'"):
        scenario.plot(unit=False)
    assert scenario.plot(findings=True).figure is not None
