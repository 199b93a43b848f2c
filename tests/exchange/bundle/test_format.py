"""The format: what bundles of every game hold, a reader written from its page alone, and old bundles and documents."""

from __future__ import annotations

import io
import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

import studio
from studio.errors import GridError
from studio.files import read_map, read_scenario
from studio.files.bundle import bundle_bytes
from studio.files.reader import Bundle, read_bundle
from studio.files.schemas import FOLDER as SCHEMAS
from studio.model import Distance, Formation, MapUse, ScenarioModel, SetUp, SpecialRules, UnitRecord
from studio.rules import get_ruleset, ruleset_ids
from studio.rules.areas import ScenarioAreas
from studio.survey import Survey
from tests.exchange.bundle.corpus import FOLDER
from tests.exchange.bundle.plain_reader import Unsound, read
from tests.exchange.bundle.valid import VALID, field, map_bundle, skirmish, small
from tests.project.tree import ROOT

GAMES = {
    "armageddon-01": "armageddon_war",
    "tactics-04": "modern_tactics",
    "phantom-fury": "phantom_fury",
    "urban-day": "urban_operations",
    "ignorant-armies": "ignorant_armies",
}
OLD = Path(__file__).parent / "old"


def valid(name: str) -> bytes:
    return (FOLDER / "valid" / f"{name}.bundle.zip").read_bytes()


@cache
def scenario(name: str) -> Any:
    return studio.open_scenario(ROOT / "scenarios" / f"{name}.scenario.json", recover_unsaved=False)


@cache
def exported(name: str) -> Bundle:
    opened = scenario(name)
    data = bundle_bytes(
        map_model=opened.map.model,
        scenario_model=opened.model,
        survey=opened.map.survey,
        ruleset=opened.ruleset,
    )
    return read_bundle(io.BytesIO(data))


def small_bundle(**changes: Any) -> Bundle:
    return read_bundle(io.BytesIO(map_bundle(field(), skirmish(**changes))))


# -- schemas -----------------------------------------------------------------------------------------------------------


@cache
def validator(name: str) -> Any:
    return jsonschema_rs.validator_for(json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8")))


@pytest.mark.parametrize("name", [name for name in VALID if name not in ("draft", "later-minor")])
def test_every_member_of_every_valid_bundle_fits_its_schema(name: str) -> None:
    members, _ = read(valid(name))
    for member, value in members.items():
        if member.endswith(".json"):
            validator(member.removesuffix(".json")).validate(value)


@pytest.mark.parametrize("name", GAMES)
def test_bundles_of_every_game_fit_the_schemas(name: str) -> None:
    bundle = exported(name)
    assert set(GAMES.values()) == set(ruleset_ids())
    assert bundle.manifest["ruleset"] == GAMES[name]
    for part in ("map", "scenario", "ruleset", "locations", "sides", "setup", "roster"):
        validator(part).validate(getattr(bundle, part))
    assert not validator("setup").is_valid({**(bundle.setup or {}), "units": [{"id": 3}]})
    assert not validator("steps").is_valid({"foot": [["1", 2]]})


# -- what is resolved --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_areas_of_the_bundle_are_those_of_the_scenario(name: str) -> None:
    opened, setup = scenario(name), exported(name).setup
    assert setup is not None
    survey = opened.played.survey
    areas, directory = ScenarioAreas(opened.document, survey, opened.ruleset), survey.directory
    for one in setup["formations"]:
        wanted = [directory.label(n) for n in areas.of_formation(one["id"]) if directory.exists(n)]
        assert setup["areas"][one["area"]]["labels"] == wanted
    records = {u.id: u for force in opened.document.forces for part in force.formations for u in part.units}
    assert [one["id"] for one in setup["units"]] == list(records)
    for one in setup["units"]:
        record = records[one["id"]]
        assert (one["type"], one["count"]) == (record.type, record.count)
        assert one["at"] == record.at or record.carried_by
        assert one["type"] in exported(name).roster
    entering = {one["id"]: one["arrival_turn"] for one in setup["formations"] if one["arrival"] == "enter"}
    for turn in setup["turns"]:
        for part in turn["arrivals"]:
            assert turn["turn"] >= entering[part]
    placed = [part for parts in setup["order"] for part in parts]
    assert sorted(placed) == sorted(one["id"] for one in setup["formations"] if one["arrival"] == "set_up")


@pytest.mark.parametrize("name", GAMES)
def test_steps_of_the_bundle_cost_what_the_game_says(name: str) -> None:
    opened, bundle = scenario(name), exported(name)
    counted = 0
    for mover in bundle.ruleset["movers"]:
        for location in bundle.locations[:: max(len(bundle.locations) // 40, 1)]:
            steps = dict(bundle.steps(location["label"], mover))
            for label, halves in steps.items():
                step = opened.played.step(
                    location["label"], label, mover=mover, options=opened.document.special.options
                )
                assert step.halves == halves, step
                counted += 1
            for label in location["neighbours"]:
                there = bundle.location(label)
                if label not in steps and there["in_play"] and not there["closed"]:
                    assert forbidden(opened, location["label"], label, mover), (location["label"], label)
    assert counted > 100


def forbidden(opened: Any, a: str, b: str, mover: str) -> bool:
    """Tell whether the game forbids a step, or knows none there."""
    try:
        return bool(opened.played.step(a, b, mover=mover, options=opened.document.special.options).halves is None)
    except GridError:
        return True


def test_a_scenario_on_changed_ground_is_in_the_bundle_as_it_is_played() -> None:
    special = SpecialRules(terrain_overrides={"woods": "scrub"}, terrain_at={"0101": "scrub"}, closed=("0401",))
    bundle = small_bundle(special=special)
    assert bundle.location("0101")["terrain"] == "scrub"
    assert {bundle.location(label)["terrain"] for label in ("0202", "0302")} == {"scrub"}
    assert bundle.location("0202")["enter_halves"] == {"foot": 2, "wheels": 4}
    shut = bundle.location("0401")
    assert (shut["closed"], shut["enter_halves"]) == (True, {"foot": None, "wheels": None})
    assert "0401" not in [label for label, _ in bundle.steps("0301", "foot")]
    assert bundle.map["terrain"]["rows"] == small_bundle().map["terrain"]["rows"]


def test_edges_and_out_of_play() -> None:
    bundle = small_bundle()
    assert bundle.location("0101")["edges"] == ["north", "west"]
    assert bundle.location("0202")["edges"] == []
    assert not bundle.location("0404")["in_play"]
    assert "0404" not in [label for label, _ in bundle.steps("0304", "foot")]


def test_an_area_that_depends_on_units_says_so() -> None:
    document = skirmish()
    red = document.forces[1]
    away = SetUp(distances=(Distance(units=("patrol",), least=3),), empty=True)
    far = Formation(id="far", name="Far", where=away, units=(UnitRecord(id="squad-9", type="squad"),))
    forces = [document.forces[0], msgspec.structs.replace(red, formations=(*red.formations, far))]
    setup = small_bundle(forces=forces).setup
    assert setup is not None
    unit = next(one for one in setup["units"] if one["id"] == "squad-9")
    area = setup["areas"][unit["area"]]
    assert (area["exact"], area["empty"]) == (False, True)
    assert area["distances"] == [{"units": ["squad-1", "squad-2"], "least": 3, "most": None, "direction": ""}]
    assert "0101" not in area["labels"]
    assert "0304" in area["labels"]


def test_own_kinds_are_merged_into_the_roster() -> None:
    roster = small_bundle().roster
    assert list(roster) == ["car", "crate", "squad"]
    assert (roster["squad"]["mover"], roster["squad"]["movement"], roster["squad"]["figures"]) == (
        "foot",
        4,
        {"firepower": 3},
    )
    setup = small_bundle().setup
    assert setup is not None
    riding = next(one for one in setup["units"] if one["id"] == "squad-3")
    assert (riding["movement"], riding["carried_by"], riding["name"]) == (3, "car-1", "Squad")


def test_a_map_alone_has_neither_roster_nor_set_up() -> None:
    bundle = read_bundle(io.BytesIO(map_bundle(field())))
    assert (bundle.setup, bundle.roster, bundle.scenario) == (None, {}, None)
    assert bundle.has_steps


def test_sides_of_hexes_out_of_play_stay_behind() -> None:
    made = studio.new_map("ignorant_armies", columns=4, rows=3).paint(["0101", "0102"], terrain="out_of_play")
    made.set_side("0101", "0102", "river").set_side("0102", "0103", "border").set_side("0202", "0303", "river")
    made.add("road", path=["0201", "0202"])
    bundle = read_bundle(io.BytesIO(map_bundle(made, sight=False)))
    assert {(side["a"], side["b"]) for side in bundle.sides} == {("0201", "0202"), ("0202", "0303")}


def test_markers_close_and_change_their_hexes() -> None:
    ruleset = get_ruleset("armageddon_war")
    tables = ruleset.to_bundle()["markers"]
    assert tables
    for name, marker in tables.items():
        assert set(marker["move_halves"]) == set(ruleset.movers)
        assert all(marker["move_halves"][mover] == ruleset.marker_cost(name, mover) for mover in ruleset.movers)


# -- a reader written from the page ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VALID)
def test_a_reader_written_from_the_page_reads_every_valid_bundle(name: str) -> None:
    data = valid(name)
    members, sight = read(data)
    bundle = read_bundle(io.BytesIO(data))
    assert members["map.json"] == bundle.map
    assert [place["label"] for place in members["locations.json"]] == [place["label"] for place in bundle.locations]
    assert len(members["sides.json"]) == len(bundle.sides)
    assert members.get("setup.json") == bundle.setup
    assert members.get("roster.json", {}) == bundle.roster
    if bundle.has_sight:
        labels = [place["label"] for place in bundle.locations][:30]
        assert [sight(a, b) for a in labels for b in labels] == [bundle.sight(a, b) for a in labels for b in labels]


def test_it_refuses_damage_too() -> None:
    data = small()
    for broken in (data[:-1], data.replace(b"squad-1", b"squad-7"), b"", b"x" + data):
        with pytest.raises(Unsound):
            read(broken)


# -- old bundles and documents -----------------------------------------------------------------------------------------


def test_a_bundle_from_before_1_0_is_upgraded() -> None:
    members, _ = read(valid("draft"))
    assert "minor" not in members["bundle.json"]
    assert "closed" not in members["locations.json"][0]
    bundle, today = read_bundle(io.BytesIO(valid("draft"))), read_bundle(io.BytesIO(valid("own-game")))
    assert (bundle.manifest["minor"], bundle.manifest["generator"]) == (0, {"name": "", "version": ""})
    assert (bundle.setup, bundle.roster, bundle.has_steps) == (None, {}, False)
    assert {key: value for key, value in bundle.locations[5].items() if key not in ("closed", "edges")} == {
        key: value for key, value in today.locations[5].items() if key not in ("closed", "edges")
    }
    assert (bundle.locations[0]["closed"], bundle.locations[0]["edges"]) == (False, [])


def test_a_bundle_of_a_later_minor_version_is_read_without_what_is_new() -> None:
    later, today = read_bundle(io.BytesIO(valid("later-minor"))), read_bundle(io.BytesIO(valid("own-game")))
    assert later.manifest["minor"] == 7
    assert later.locations == today.locations
    assert later.setup is not None
    assert later.setup["weather"] == {"wind": "NE"}


@pytest.mark.parametrize("name", sorted(path.name for path in OLD.glob("*.map.json")))
def test_the_first_maps_are_read_and_handed_over_today(name: str) -> None:
    text = (OLD / name).read_bytes()
    model = read_map(text, ruleset=get_ruleset(json.loads(text)["ruleset"]))
    assert model.title == json.loads(text)["title"]
    ruleset = get_ruleset(model.ruleset)
    data = bundle_bytes(
        map_model=model, scenario_model=None, survey=Survey(model, ruleset.survey_scheme), ruleset=ruleset
    )
    assert len(read_bundle(io.BytesIO(data)).locations) == int(model.grid.present.sum())


@pytest.mark.parametrize("name", sorted(path.name for path in OLD.glob("*.scenario.json")))
def test_the_first_scenarios_are_read_and_handed_over_today(name: str) -> None:
    text = (OLD / name).read_bytes()
    document = read_scenario(text).document
    plain = json.loads(text)
    assert [force.id for force in document.forces] == [force["id"] for force in plain["forces"]]
    ruleset = get_ruleset(document.ruleset)
    file = OLD / Path(plain["map"]["file"]).name
    model = read_map(file.read_bytes(), ruleset=ruleset)
    survey = Survey(model, ruleset.survey_scheme)
    bundle = read_bundle(
        io.BytesIO(
            bundle_bytes(map_model=model, scenario_model=ScenarioModel(document), survey=survey, ruleset=ruleset)
        )
    )
    assert bundle.setup is not None
    assert len(bundle.setup["units"]) == sum(len(p["units"]) for f in plain["forces"] for p in f["formations"])


def test_the_wheel_carries_readers_and_schemas() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert built["packages"] == ["studio"]
    assert not any(Path("studio/files").is_relative_to(part) for part in built["exclude"])
    names = {path.name for path in SCHEMAS.glob("*.json")}
    assert {f"{part}.schema.json" for part in ("bundle", "setup", "roster", "steps", "locations", "sides")} <= names
    page = (ROOT / "docs" / "bundle-format.md").read_text("utf-8")
    assert "`studio/files/schemas/*.schema.json`" in page
    assert MapUse(file="map.json").file in page
