"""The map as a scenario plays on it: sight, movement, standing, areas and pictures agree with a map painted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import studio
from studio.errors import EditError, LabelError, UnknownNameError
from studio.model import Formation, Put, Road, SetField, SetUp, SpecialRules
from studio.rules import get_ruleset
from studio.rules.played import changes_ground, closed_places, model_as_played
from studio.sight import Conditions
from tests.paths.units import force, scenario, unit

GAMES = ("armageddon_war", "modern_tactics", "ignorant_armies", "urban_operations")
SIZE = 6
LABELS = [f"{column:02}{row:02}" for column in range(1, SIZE + 1) for row in range(1, SIZE + 1)]


def board(game: str, terrain: list[int], *, roads: tuple[tuple[str, ...], ...] = ()) -> studio.Map:
    """A map of a game, each hex with a terrain by its number."""
    land = studio.new_map(game, columns=SIZE, rows=SIZE)
    names = land.terrain_ids
    for label, number in zip(LABELS, terrain, strict=True):
        land.paint(label, terrain=names[number % len(names)])
    for path in roads:
        land.add("road", path=list(path), surface="paved")
    return land


def by_hand(land: studio.Map, special: SpecialRules) -> studio.Map:
    """The same map with everything painted that the special rules say."""
    made = land.still()
    for label in LABELS:
        was = land.model.terrain_at(land.labels.cell(label))
        made.paint(label, terrain=special.terrain_at.get(label, special.terrain_overrides.get(was, was)))
    if special.road_surface:
        for one in list(made.model.features.values()):
            if isinstance(one, Road):
                record = {**msgspec.to_builtins(one), "surface": special.road_surface}
                made.apply(Put(collection="features", record=record))
    return made


def asked(land: studio.Map, game: str) -> dict[str, Any]:
    """What a map answers about everything: terrain, sight from some hexes, ways of every mover."""
    rules, found = get_ruleset(game), {"terrain": land.terrain.tolist(), "roads": land.survey.roads}
    starts = [label for label in ("0101", "0303", "0605") if land.survey.directory.find(label) is not None]
    if rules.has_sight:
        found["sight"] = [land.field_of_view(label).plane.tolist() for label in starts]
    found["ways"] = [
        {name: str(cost) for name, cost in land.reach(label, mover=mover, points=4).costs.items()}
        for mover in rules.movers
        for label in starts
        if game != "ignorant_armies" or mover == "ground"
    ]
    return found


@st.composite
def rules_of_a_scenario(draw: st.DrawFn, game: str) -> SpecialRules:
    names = [name for name, one in get_ruleset(game).terrains.items() if one.playable]
    name = st.sampled_from(names)
    overrides = draw(st.dictionaries(name, name, max_size=3))
    places = draw(st.dictionaries(st.sampled_from(LABELS), name, max_size=4))
    surface = draw(st.sampled_from(["", "paved", "unpaved"]))
    return SpecialRules(terrain_overrides=overrides, terrain_at=places, road_surface=surface)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["armageddon_war", "modern_tactics"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_it_answers_as_a_map_painted_by_hand(game: str, data: st.DataObject) -> None:
    playable = [n for n, one in enumerate(get_ruleset(game).terrains.values()) if one.playable]
    terrain = data.draw(st.lists(st.sampled_from(playable), min_size=len(LABELS), max_size=len(LABELS)))
    special = data.draw(rules_of_a_scenario(game))
    land = board(game, terrain, roads=(("0101", "0102", "0103", "0104"), ("0201", "0302", "0402")))
    before = asked(land, game)
    made = scenario(land, special=special)
    assert asked(made.played, game) == asked(by_hand(land, special), game)
    assert asked(land, game) == before
    assert (made.played is land) == (not changes_ground(special))


def test_a_scenario_that_changes_nothing_plays_on_its_map() -> None:
    land = board("armageddon_war", [0] * len(LABELS))
    made = scenario(land, special=SpecialRules(closed=("0303",), smoke=("0202",)))
    assert made.played is land
    assert model_as_played(land.model, made.document.special) is land.model


def test_overrides_hold_all_at_once() -> None:
    """What was rough counts as clear, what was clear as dunes; a hex with a terrain of its own as that."""
    land = studio.new_map("armageddon_war", columns=3, rows=3).paint("0101", terrain="rough")
    special = SpecialRules(
        terrain_overrides={"rough": "clear", "clear": "dunes"}, terrain_at={"0303": "marsh", "0202": "rough"}
    )
    found = scenario(land, special=special).played
    at = {label: found.model.terrain_at(found.labels.cell(label)) for label in ("0101", "0102", "0303", "0202")}
    assert at == {"0101": "clear", "0102": "dunes", "0303": "marsh", "0202": "rough"}


def test_it_is_made_anew_when_the_map_or_the_rules_change() -> None:
    land = studio.new_map("armageddon_war", columns=5, rows=5)
    made = scenario(land, special=SpecialRules(terrain_overrides={"rough": "dense_urban"}))
    first = made.played
    assert made.played is first
    land.paint("0203", terrain="rough")
    second = made.played
    assert second is not first
    assert second.model.terrain_at(second.labels.cell("0203")) == "dense_urban"
    made.apply(SetField(field="title", value="Other"))
    assert made.played is second
    made.apply(SetField(field="special", value={"terrain_at": {"0203": "marsh"}}))
    assert made.played.model.terrain_at(made.played.labels.cell("0203")) == "marsh"
    made.undo()
    assert made.played.model.terrain_at(made.played.labels.cell("0203")) == "dense_urban"


def test_it_cannot_be_drawn_on() -> None:
    made = scenario(
        studio.new_map("armageddon_war", columns=3, rows=3), special=SpecialRules(terrain_at={"0101": "rough"})
    )
    with pytest.raises(EditError, match=r"change scenario\.map, or the special rules"):
        made.played.paint("0101", terrain="clear")


def test_what_the_special_rules_name_wrongly_is_said_and_spoils_nothing_else() -> None:
    land = studio.new_map("armageddon_war", columns=3, rows=3)
    wrong = scenario(
        land, force("a", unit("u", "us.humvee", "0101")), special=SpecialRules(terrain_overrides={"rough": "mud"})
    )
    with pytest.raises(UnknownNameError, match="terrain_overrides: unknown terrain 'mud'"):
        wrong.sight("0101", "0103")
    assert wrong.why_not("us.humvee", "0102", force="a") == ""
    assert "scenario.special_rules" in {found.rule for found in wrong.check()}
    lost = scenario(land, special=SpecialRules(terrain_at={"0909": "rough"}))
    with pytest.raises(LabelError):
        _ = lost.played
    assert lost.plot() is not None


# -- every question ----------------------------------------------------------------------------------------------------


def test_sight_goes_by_it() -> None:
    """Light woods that count as clear block nothing; a hex that counts as rough does. A what-if still goes over it."""
    land = studio.new_map("armageddon_war", columns=5, rows=5).paint("0303", terrain="light_woods")
    cleared = scenario(land, special=SpecialRules(terrain_overrides={"light_woods": "clear"}))
    assert (land.sight("0301", "0305").status, cleared.sight("0301", "0305").status) == ("blocked", "clear")
    assert cleared.field_of_view("0301").status("0305") == "clear"
    rough = scenario(land, special=SpecialRules(terrain_at={"0203": "rough"}))
    assert (land.sight("0201", "0205").status, rough.sight("0201", "0205").status) == ("clear", "blocked")
    what_if = Conditions(terrain_overrides={"rough": "clear"})
    assert rough.played.sight("0201", "0205", conditions=what_if).status == "clear"
    assert (
        land.sight("0301", "0305", conditions=Conditions(terrain_overrides={"light_woods": "clear"})).status == "clear"
    )


def test_movement_and_standing_go_by_it() -> None:
    """Armageddon War 14: urban hexes that count as rough are closed to vehicles but for roads."""
    land = studio.new_map("armageddon_war", columns=5, rows=5).paint(["0202", "0203", "0303"], terrain="light_urban")
    land.add("road", path=["0301", "0302", "0303", "0304"], surface="paved")
    side = force("us", unit("tank", "isil.t_72m", "0201"), unit("foot", "us.infantry", "0302"))
    plain = scenario(land, side)
    made = scenario(
        land, side, special=SpecialRules(terrain_overrides={"light_urban": "rough", "dense_urban": "rough"})
    )
    assert {"0202", "0303"} <= set(plain.reach("tank", 6).labels)
    assert "0202" not in made.reach("tank", 6).labels
    assert made.route("tank", "0202").text != plain.route("tank", "0202").text
    assert made.why_not("isil.t_72m", "0202", force="us") == "T-72M cannot enter rough"
    assert made.why_not("isil.t_72m", "0303", force="us") == ""
    assert plain.why_not("isil.t_72m", "0202", force="us") == ""
    assert made.why_not("us.infantry", "0202", force="us") == ""


def test_roads_have_the_surface_of_the_scenario() -> None:
    """Modern Tactics, Playbook 1: half a point along a paved road, a whole one along an unpaved one."""
    land = studio.new_map("modern_tactics", columns=5, rows=6)
    land.add("road", path=["0301", "0302", "0303", "0304", "0305"], surface="paved")
    side = force("us", unit("car", "us.humvee", "0301", facing="S"))
    plain = scenario(land, side)
    made = scenario(land, side, special=SpecialRules(road_surface="unpaved"))
    assert (str(plain.route("car", "0305").cost), str(made.route("car", "0305").cost)) == ("2", "4")


def test_closed_places_are_shut_to_units() -> None:
    """Armageddon War 7 and 8: hexes that cannot be entered."""
    land = studio.new_map("armageddon_war", columns=5, rows=5)
    side = force("us", unit("tank", "isil.t_72m", "0301"))
    made = scenario(land, side, special=SpecialRules(closed=("0302", "0201", "0401")))
    assert closed_places(made.document, land.survey) == {land.labels.cell(label) for label in ("0302", "0201", "0401")}
    assert made.why_not("isil.t_72m", "0302", force="us") == "nothing may enter it in this scenario"
    assert "0302" not in made.reach("tank", 8).labels
    assert "0302" in scenario(land, side).reach("tank", 8).labels
    assert closed_places(scenario(land, special=SpecialRules(closed=("0909",))).document, land.survey) == frozenset()


def test_areas_go_by_it() -> None:
    land = studio.new_map("armageddon_war", columns=4, rows=4).paint("0202", terrain="light_urban")
    part = Formation(id="part", name="Part", where=SetUp(terrain=("dense_urban",)))
    side = studio.model.Force(id="us", name="US", formations=(part,))
    made = scenario(land, side, special=SpecialRules(terrain_overrides={"light_urban": "dense_urban"}))
    assert made.area("part") == ["0202"]
    assert scenario(land, side).area("part") == []


def test_supply_goes_by_it() -> None:
    """Ignorant Armies: the ground between a unit and its source of supply is that of the scenario."""
    land = studio.new_map("ignorant_armies", columns=5, rows=5)
    side = force("iraq", unit("own", "iraq.infantry", "0303"))
    made = scenario(land, side, force("iran"), special=SpecialRules(terrain_at={"0101": "city"}))
    assert made.situation.survey is made.played.survey
    assert made.supply("iraq").survey is made.played.survey
    made.plot_supply("iraq")


def test_pictures_and_bundles_show_it(tmp_path: Path) -> None:
    """The picture of the scenario is that of a map painted by hand; the sight table of its bundle that of `played`."""
    land = studio.new_map("armageddon_war", columns=5, rows=5, title="Board").paint("0303", terrain="light_woods")
    special = SpecialRules(terrain_overrides={"light_woods": "rough"}, terrain_at={"0101": "marsh"})
    made = scenario(land, special=special)
    painted = land.still().paint("0303", terrain="rough").paint("0101", terrain="marsh")
    shown, wanted, plain = (tmp_path / name for name in ("a.png", "b.png", "c.png"))
    studio.draw.save_picture(made.plot(), shown)
    studio.draw.save_picture(scenario(painted).plot(), wanted)
    studio.draw.save_picture(scenario(land).plot(), plain)
    assert shown.read_bytes() == wanted.read_bytes()
    assert shown.read_bytes() != plain.read_bytes()
    sides = force("us", unit("a", "us.infantry", "0202")), force("isil", unit("b", "isil.militia", "0505"))
    cleared = scenario(land, *sides, special=SpecialRules(terrain_overrides={"light_woods": "clear"}))
    cleared.document.sources = land.model.sources = [studio.model.Source(title="Test")]
    bundle = studio.open_bundle(cleared.export(tmp_path / "x.bundle.zip", preview=False))
    table, plain_table = cleared.played.sight_table(), land.sight_table()
    held = {(a, b): bundle.sight(a, b) for a, b, _ in table.rows()}
    assert held == {(a, b): status for a, b, status in table.rows()}
    assert held != {(a, b): status for a, b, status in plain_table.rows()}


def test_closed_places_show_in_the_picture(tmp_path: Path) -> None:
    """Hatched, with a word in the key; not where what is in play is left out."""
    land = studio.new_map("armageddon_war", columns=5, rows=5)
    plain, shut = scenario(land), scenario(land, special=SpecialRules(closed=("0302", "0201")))
    files = [tmp_path / f"{n}.png" for n in range(4)]
    for file, (made, in_play) in zip(files, [(plain, True), (shut, True), (plain, None), (shut, None)], strict=True):
        studio.draw.save_picture(made.plot(in_play=in_play), file)
    a, b, c, d = (file.read_bytes() for file in files)
    assert a != b
    assert c == d
    words = {text.get_text() for axes in shut.plot().figure.axes for text in axes.texts}
    assert "nothing may enter" in words
