"""Overrides: each does what it says and touches nothing else; what was edited on a map comes back as overrides."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import DocumentError
from studio.exchange.common.ground import model_of, new_map
from studio.exchange.geography.overrides.applying import apply_overrides
from studio.exchange.geography.overrides.gathered import (
    differences,
    merged,
    not_carried,
    overrides_between,
    overrides_text,
    read_overrides,
)
from studio.exchange.geography.overrides.identity import NEW, described, is_still
from studio.exchange.geography.overrides.overdrawn import lay_drawn
from studio.exchange.geography.overrides.overriding import Applying, Entry
from studio.exchange.geography.places.areas import add_areas
from studio.exchange.geography.spec import CountryRule, Geography, GridRule, Override
from studio.exchange.geography.work import Report, Work
from studio.files.canonical import map_text
from studio.grid import HexGrid, LabelScheme
from studio.model import Area, MapDocument, MapModel, Marker, Name, Road
from studio.rules import get_ruleset

RULES = get_ruleset("ignorant_armies")
GRID = HexGrid(columns=8, rows=7)
LABELS = [f"{column:02}{row:02}" for row in range(1, 8) for column in range(1, 9)]
SIDES = [(cell, other) for cell in range(GRID.cells) for other in GRID.neighbours(cell) if cell < other]
COUNTRIES = CountryRule(source="countries", name="name", type="country", side="border")


def made(
    overrides: Sequence[Override] = (), *, file: Path | None = None, countries: CountryRule | None = COUNTRIES
) -> Work:
    """Return a small map as the steps before the overrides leave it, with the overrides applied."""
    spec = Geography(
        title="Delta",
        ruleset=RULES.id,
        crs="EPSG:32638",
        grid=GridRule(),
        countries=countries,
        overrides=tuple(overrides),
        overrides_file=file.name if file is not None else "",
    )
    model = new_map(RULES, GRID, LabelScheme(), title=spec.title)
    for cell in range(GRID.cells):
        model.terrain.flat[cell] = model.terrain_ids.index(("clear", "hills", "mountains")[cell * 7 % 3])
    for cell in (54, 55, 46):
        model.terrain.flat[cell] = model.terrain_ids.index("sea")
    country = ["" if model.terrain_at(cell) == "sea" else ("Iraq", "Iran")[cell % 8 > 3] for cell in range(GRID.cells)]
    for side in SIDES[10:60:7]:
        model.sides[side] = ("river",)
    model.features["town-a"] = Marker(id="town-a", type="town", at="0303")
    model.features["name-a"] = Name(id="name-a", text="Basra", at=(GRID.centre(18)[0], GRID.centre(18)[1] + 150))
    model.features["road-a"] = Road(id="road-a", path=("0101", "0102", "0103"))
    work = Work(spec, file.parent if file is not None else Path(), "delta.geography.toml", model, RULES, None, Report())  # type: ignore[arg-type]
    work.country = country if countries is not None else []
    add_areas(work, [0, 1, 8, 9, 10], "kurdish", "kurdish_area", "Kurdish area")
    apply_overrides(work)
    return work


def document(*overrides: Override) -> MapDocument:
    return made(overrides).model.to_document()


def cell_of(label: str) -> int:
    return LABELS.index(label)


def lines(work: Work, *kinds: str) -> list[str]:
    return [one.text for one in work.report.of(*kinds, step="overrides")]


# -- each field --------------------------------------------------------------------------------------------------------


def test_terrain_and_its_line_in_the_report():
    work = made([Override(hexes=("0202", "0203"), terrain="city", note="on the map of 1984")])
    assert [work.model.terrain_at(cell_of(one)) for one in ("0202", "0203")] == ["city", "city"]
    (entry,) = work.report.of("override")
    before = made().model
    assert (entry.step, entry.at) == ("overrides", ("0202", "0203"))
    for label in ("0202", "0203"):
        assert f"{before.terrain_at(cell_of(label))} to city" in entry.text
    assert entry.text.startswith("override 1: ")
    assert entry.text.endswith("(on the map of 1984)")


def test_levels_where_a_game_has_them():
    rules = get_ruleset("armageddon_war")
    model = new_map(rules, GRID, LabelScheme())
    spec = Geography(
        title="x", ruleset=rules.id, crs="EPSG:32638", grid=GridRule(), overrides=(Override(hexes=("0202",), level=2),)
    )
    work = Work(spec, Path(), "x", model, rules, None, Report())  # type: ignore[arg-type]
    apply_overrides(work)
    assert work.model.level_at(cell_of("0202")) == 2
    assert lines(work, "override") == ["override 1: level 0 to 2"]


def test_a_country_moves_its_outline_and_its_border():
    work = made([Override(hexes=("0504",), country="Iraq")])
    outline = {one.id: one.outline for one in made().model.features_of(Area)}
    changed = {one.id for one in work.model.features_of(Area) if outline[one.id] != one.outline}
    assert changed == {"iraq", "iran"}
    assert lines(work, "override") == ["override 1: country Iran to Iraq"]
    cell = cell_of("0504")
    for other in GRID.neighbours(cell):
        mixed = work.country[other] not in ("Iraq", "")
        assert ("border" in work.model.sides.get((min(cell, other), max(cell, other)), ())) == mixed


def test_a_hex_that_is_nobodys_has_no_border():
    work = made([Override(hexes=("0504",), country="")])
    assert work.country[cell_of("0504")] == ""
    assert lines(work, "override") == ["override 1: country Iran to nobody"]


@pytest.mark.parametrize(("change", "has"), [({"within": "kurdish"}, True), ({"out_of": "kurdish"}, False)])
def test_areas_are_drawn_anew_round_their_hexes(change, has):
    label = "0401" if has else "0202"
    work = made([Override(hexes=(label, "0201" if has else "0807"), **change)])
    areas = [one for one in work.model.features_of(Area) if one.type == "kurdish_area"]
    import shapely

    centre = shapely.Point(GRID.centre(cell_of(label)))
    assert any(shapely.Polygon(one.outline, one.holes).contains(centre) for one in areas) == has
    assert "1 of what it says was so already" in lines(work, "override")[0]
    assert {one.name for one in areas} == {"Kurdish area"}


def test_an_area_in_two_parts_is_one_for_overrides():
    apart = made([Override(hexes=("0707",), within="kurdish")])
    assert {one.id for one in apart.model.features_of(Area) if one.type == "kurdish_area"} == {"kurdish", "kurdish-2"}
    again = made([Override(hexes=("0707",), within="kurdish"), Override(hexes=("0707",), out_of="kurdish", note="no")])
    assert again.model.features == made().model.features


def test_the_last_hex_takes_the_area_away():
    work = made([Override(hexes=("0101", "0201", "0102", "0202", "0302"), out_of="kurdish")])
    assert "kurdish" not in work.model.features


def test_markers_names_and_features():
    work = made(
        [
            Override(hexes=("0404", "0303"), marker="town"),
            Override(hexes=("0303",), no_marker="town", name="Qurna"),
            Override(hexes=("0606",), name="Ahwaz"),
            Override(feature=Road(id="road-b", path=("0505", "0506")), delete="road-a"),
        ]
    )
    features = work.model.features
    assert [one.at for one in work.model.features_of(Marker)] == ["0404"]
    assert features["name-a"].text == "Qurna"
    new = next(one for one in work.model.features_of(Name) if one.text == "Ahwaz")
    assert GRID.cells_at([new.at])[0] == cell_of("0606")
    assert "road-a" not in features
    assert features["road-b"].path == ("0505", "0506")
    assert lines(work, "override")[3] == "override 4: road-a deleted, road-b drawn"


def test_sides_come_after_the_borders_of_countries():
    before = made().model.sides
    side = next(key for key, kinds in sorted(before.items()) if "border" in kinds)
    text = "|".join(LABELS[cell] for cell in side)
    work = made([Override(sides=(text,), remove=("border",), add=("river",))])
    assert work.model.sides[side] == ("river",)
    assert {key: kinds for key, kinds in work.model.sides.items() if key != side} == {
        key: kinds for key, kinds in before.items() if key != side
    }


def test_the_bar_may_be_a_mark_of_the_labels():
    scheme = LabelScheme(separator="|")
    model = new_map(RULES, GRID, scheme)
    override = Override(sides=("02|02|02|03",), add=("river",))
    spec = Geography(title="x", ruleset=RULES.id, crs="EPSG:32638", grid=GridRule(), overrides=(override,))
    work = Work(spec, Path(), "x", model, RULES, None, Report())  # type: ignore[arg-type]
    apply_overrides(work)
    assert work.model.sides == {(cell_of("0202"), cell_of("0203")): ("river",)}


def test_what_changes_nothing_says_so():
    plain = made().model
    work = made([Override(hexes=("0101",), terrain=plain.terrain_at(0), note="sure"), Override(delete="road-z")])
    assert not lines(work, "override")
    assert lines(work, "note") == [
        "override 1 changes nothing: all is so already (sure)",
        "override 2 changes nothing: all is so already; there is no feature 'road-z'",
    ]


def test_of_two_that_contradict_each_other_the_later_holds():
    work = made(
        [
            Override(hexes=("0101", "0202"), terrain="city"),
            Override(hexes=("0202",), terrain="marsh"),
            Override(sides=("0101|0102",), add=("river",)),
            Override(sides=("0101|0102",), remove=("river",)),
        ]
    )
    assert work.model.terrain_at(cell_of("0202")) == "marsh"
    assert (0, 8) not in work.model.sides
    found = [(one.at, one.text) for one in work.report.of("finding", step="overrides")]
    assert found == [
        (("0202",), "override 1 and override 2 say different things of the terrain; the later one holds"),
        (
            ("0101|0102",),
            "override 3 and override 4 say different things of the hexside kind river; the later one holds",
        ),
    ]


def test_a_country_that_no_data_name_is_a_finding():
    work = made([Override(hexes=("0101",), country="Irak")])
    assert "did you mean 'Iraq' or 'Iran'" in lines(work, "finding")[0] or "'Iraq'" in lines(work, "finding")[0]
    assert any(one.name == "Irak" for one in work.model.features_of(Area))


# -- faults ------------------------------------------------------------------------------------------------------------


def test_all_faults_are_told_at_once(tmp_path):
    file = tmp_path / "delta.overrides.json"
    file.write_bytes(overrides_text([Override(hexes=("0101",), marker="twon")]))
    wrong = [
        Override(hexes=("0101", "9999"), terrain="citty"),
        Override(hexes=("0101",), level=3),
        Override(sides=("0101|0303", "0101", "0101|99"), add=("rivr",)),
        Override(hexes=("0101",), within="kurdis"),
        Override(terrain="city"),
        Override(add=("river",)),
        Override(feature=Road(id="r", path=("0101", "0505"))),
        Override(feature=Marker(id="m", type="twn", at="0101")),
    ]
    with pytest.raises(DocumentError) as caught:
        made(wrong, file=file)
    told = {fault.path: str(fault) for fault in caught.value.faults}
    assert caught.value.file == "delta.geography.toml"
    assert "9999" in told["$.overrides[0].hexes[1]"]
    assert "did you mean 'city'" in told["$.overrides[0].terrain"]
    assert "allowed 0 to 0" in told["$.overrides[1].level"]
    assert "not adjacent (distance 3)" in told["$.overrides[2].sides[0]"]
    assert "two labels with a bar" in told["$.overrides[2].sides[1]"]
    assert "99" in told["$.overrides[2].sides[2]"]
    assert "did you mean 'river'" in told["$.overrides[2].add"]
    assert "did you mean 'kurdish'" in told["$.overrides[3].within"]
    assert "no hex" in told["$.overrides[4].terrain"]
    assert "no hexside" in told["$.overrides[5].add"]
    assert "not adjacent" in told["$.overrides[6].feature"]
    assert "did you mean 'town'" in told["$.overrides[7].feature.type"]
    assert "did you mean 'town'" in told["delta.overrides.json: $[0].marker"]
    assert len(told) == 13


def test_a_country_needs_countries():
    with pytest.raises(DocumentError, match="no countries"):
        made([Override(hexes=("0101",), country="Iraq")], countries=None)


def test_the_file_of_overrides(tmp_path):
    file = tmp_path / "x.overrides.json"
    work = made(file=file)
    assert "not there" in lines(work, "finding")[0]
    listed = [Override(hexes=("0101",), terrain="city"), Override(feature=Road(id="r", path=("0101",)))]
    file.write_bytes(overrides_text(listed))
    assert read_overrides(file) == listed
    assert made([Override(hexes=("0101",), terrain="marsh")], file=file).model.terrain_at(0) == "city"
    file.write_text(json.dumps([{"hexes": "0101", "terain": "city"}, {"feature": {"kind": "road"}}]), encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        made(file=file)
    paths = sorted({fault.path for fault in caught.value.faults})
    assert paths == ["$[0]", "$[0].hexes", "$[1].feature"]
    assert "terrain" in str(caught.value)
    for text in ("{}", "[", "[[1]]"):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(DocumentError):
            read_overrides(file)


# -- properties --------------------------------------------------------------------------------------------------------

labels = st.sampled_from(LABELS)
terrains = st.sampled_from(["clear", "city", "marsh", "sea"])
side_texts = st.sampled_from([f"{LABELS[a]}|{LABELS[b]}" for a, b in SIDES])
kinds = st.sampled_from(["river", "all_water", "border"])
single = st.one_of(
    st.builds(lambda h, t: Override(hexes=(h,), terrain=t), labels, terrains),
    st.builds(lambda h, c: Override(hexes=(h,), country=c), labels, st.sampled_from(["Iraq", "Iran", ""])),
    st.builds(lambda s, k: Override(sides=(s,), add=(k,)), side_texts, kinds),
    st.builds(lambda s, k: Override(sides=(s,), remove=(k,)), side_texts, kinds),
    st.builds(lambda h: Override(hexes=(h,), marker="town"), labels),
    st.builds(lambda h: Override(hexes=(h,), no_marker="town"), labels),
    st.builds(lambda h, n: Override(hexes=(h,), name=n), labels, st.sampled_from(["Basra", "Qom"])),
    st.builds(lambda h: Override(feature=Road(id="road-q", path=(h,))), labels),
    st.sampled_from([Override(delete="road-a"), Override(delete="name-a")]),
    st.builds(lambda h: Override(hexes=(h,), within="kurdish"), labels),
    st.builds(lambda h: Override(hexes=(h,), out_of="kurdish"), labels),
)


@given(st.lists(single, max_size=4), single, st.integers(0, 4))
def test_an_override_touches_nothing_but_what_it_names(others, one, at):
    """Two maps that differ in one override differ only at its hexes and sides, and in borders and outlines beside."""
    before = model_of(document(*others), RULES, "x")
    after = model_of(document(*others[:at], one, *others[at:]), RULES, "x")
    named = {cell_of(label) for label in one.hexes}
    changed = {cell for cell in range(GRID.cells) if before.terrain.flat[cell] != after.terrain.flat[cell]}
    assert changed <= (named if one.terrain else set())
    assert (before.levels == after.levels).all()
    _only_its_sides(before, after, one, named)
    ids = before.features.keys() | after.features.keys()
    other = {name for name in ids if before.features.get(name) != after.features.get(name)}
    for name in other:
        feature = after.features.get(name) or before.features[name]
        match feature:
            case Area(type="country"):
                assert one.country is not None
            case Area():
                assert one.within or one.out_of
            case Marker():
                assert one.marker or one.no_marker
                assert cell_of(feature.at) in named
            case Name():
                assert one.name or one.delete
                assert one.delete or GRID.cells_at([feature.at])[0] in named
            case Road():
                assert name in (one.delete, one.feature.id if one.feature else "")
    # The outlines of a country change only where the hex is: hexes that are not named stay inside or outside.
    for cell in set(range(GRID.cells)) - named:
        assert _areas_at(before, cell) == _areas_at(after, cell)


def _only_its_sides(before: MapModel, after: MapModel, one: Override, named: set[int]) -> None:
    sides = {tuple(cell_of(label) for label in text.split("|")) for text in one.sides}
    for key in before.sides.keys() | after.sides.keys():
        if before.sides.get(key) == after.sides.get(key):
            continue
        borders = {*before.sides.get(key, ())} ^ {*after.sides.get(key, ())}
        beside = borders == {"border"} and bool(named & set(key)) and one.country is not None
        assert key in sides or beside


def _areas_at(model: MapModel, cell: int) -> set[tuple[str, str]]:
    import shapely

    centre = shapely.Point(GRID.centre(cell))
    areas = model.features_of(Area)
    return {(one.type, one.name) for one in areas if shapely.Polygon(one.outline, one.holes).contains(centre)}


@st.composite
def edited(draw: Any, model: MapModel) -> MapModel:
    """Edit a map as a designer does, without any regard for what made it."""
    for label in draw(st.lists(labels, max_size=8)):
        model.terrain.flat[cell_of(label)] = model.terrain_ids.index(draw(terrains))
    for side in draw(st.lists(st.sampled_from(SIDES), max_size=8)):
        new = tuple(sorted(draw(st.sets(kinds))))
        model.sides.pop(side, None)
        if new:
            model.sides[side] = new
    for name in draw(st.lists(st.sampled_from(sorted(model.features)), max_size=3)):
        model.features.pop(name, None)
    for number in range(draw(st.integers(0, 3))):
        path = [draw(st.integers(0, GRID.cells - 1))]
        for _ in range(draw(st.integers(0, 4))):
            path.append(draw(st.sampled_from(GRID.neighbours(path[-1]))))
        name = f"road-{number}" if draw(st.booleans()) else "road-a"
        surface = draw(st.sampled_from(["paved", "unpaved"]))
        model.features[name] = Road(id=name, path=tuple(LABELS[cell] for cell in path), surface=surface)
    for number, label in enumerate(draw(st.lists(labels, max_size=3))):
        model.features[f"marker-{number}"] = Marker(id=f"marker-{number}", type="town", at=label)
        model.features[f"name-{number}"] = Name(id=f"name-{number}", text=draw(st.text(max_size=5)), at=(300, 300))
    if draw(st.booleans()):
        area = Area(id="iraq", type="country", outline=((0, 0), (900, 0), (900, 900)), name="Iraq")
        model.features["iraq"] = area
    return model


@given(st.data(), st.lists(single, max_size=4))
def test_what_was_edited_comes_back_as_overrides(data, given_before):
    base = document(*given_before)
    target = data.draw(edited(model_of(base, RULES, "x"))).to_document()
    gathered = overrides_between(base, target, RULES)
    assert map_text(document(*given_before, *gathered)) == map_text(target)
    assert gathered == overrides_between(base, target, RULES)
    # None is without effect, and none can be left out.
    assert overrides_between(target, target, RULES) == []
    assert not [one for one in made([*given_before, *gathered]).report.of("note") if "changes nothing" in one.text][
        len(given_before) :
    ]


@given(st.data(), st.lists(single, max_size=4))
def test_gathered_twice_into_one_file_is_what_was_edited_last(data, written):
    base = document(*written)
    first = data.draw(edited(model_of(base, RULES, "x"))).to_document()
    kept = merged(written, overrides_between(base, first, RULES))
    again = document(*kept)
    assert map_text(again) == map_text(first)
    second = data.draw(edited(model_of(again, RULES, "x"))).to_document()
    new = overrides_between(again, second, RULES)
    both = merged(kept, new)
    assert map_text(document(*both)) == map_text(second)
    # What was edited takes the place of what was said of the same hex or side before.
    assert _contradictions(both) <= _contradictions(written)


def _contradictions(overrides: Sequence[Override]) -> int:
    found = made(overrides).report.of("finding", step="overrides")
    planes = ("of the terrain", "of the hexside kind")
    return sum(len(one.at) for one in found if any(plane in one.text for plane in planes))


def test_hexes_of_one_terrain_are_one_override():
    base = document()
    model = model_of(base, RULES, "x")
    for label in ("0101", "0303", "0202"):
        model.terrain.flat[cell_of(label)] = model.terrain_ids.index("marsh")
    found = overrides_between(base, model.to_document(), RULES)
    assert found == [Override(hexes=("0101", "0202", "0303"), terrain="marsh")]
    assert differences(found) == "terrain of 3 hexes (0101, 0202, 0303)"
    assert merged([Override(hexes=("0505",), terrain="marsh")], found) == [
        Override(hexes=("0101", "0202", "0303", "0505"), terrain="marsh")
    ]


def test_a_marker_that_is_gone_is_named_by_its_hex():
    base = document(Override(hexes=("0505",), marker="town"))
    model = model_of(base, RULES, "x")
    del model.features["town-a"], model.features["town-0505"]
    found = overrides_between(base, model.to_document(), RULES)
    assert found == [Override(hexes=("0303", "0505"), no_marker="town")]
    assert differences(found) == "markers of 2 hexes (0303, 0505)"
    written = Override(hexes=("0505", "0606"), marker="town")
    assert merged([written], found) == [Override(hexes=("0606",), marker="town"), *found]
    # Two on one hex can only be told apart by their ids.
    model = model_of(base, RULES, "x")
    model.features["second"] = Marker(id="second", type="town", at="0303")
    twice = model.to_document()
    del model.features["town-a"]
    assert overrides_between(twice, model.to_document(), RULES) == [
        Override(delete="town-a", was="marker town at 0303")
    ]


def test_what_a_designer_wrote_stays_but_for_what_was_edited():
    old = [
        Override(hexes=("0101", "0102"), terrain="city", marker="town", note="harbour"),
        Override(sides=("0101|0102", "0202|0203"), add=("river", "border"), note="old bed"),
        Override(feature=Road(id="road-b", path=("0101",)), note="track"),
        Override(delete="road-a"),
    ]
    new = [
        Override(hexes=("0101",), terrain="clear"),
        Override(sides=("0101|0102",), remove=("river",)),
        Override(feature=Road(id="road-b", path=("0102",))),
        Override(feature=Road(id="road-a", path=("0102",))),
    ]
    assert merged(old, new) == [
        Override(hexes=("0101", "0102"), marker="town", note="harbour"),
        Override(hexes=("0102",), terrain="city", note="harbour"),
        Override(sides=("0202|0203",), add=("river", "border"), note="old bed"),
        Override(sides=("0101|0102",), add=("border",), note="old bed"),
        *new,
    ]


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        (Marker(id="a", type="town", at="0303"), "marker town at 0303"),
        (Road(id="a", path=("0101", "0102", "0103"), name="Old  road"), "road 'Old road' at 0102"),
        (Name(id="a", text="Basra", at=GRID.centre(18)), "name 'Basra' at 0303"),
        (Name(id="a", text="Off", at=(-9000, -9000)), "name 'Off'"),
    ],
)
def test_what_a_feature_was_and_still_is(feature, words):
    model = made().model
    assert described(model, feature) == words
    assert is_still(model, feature, words)
    assert is_still(model, feature, "")
    assert not is_still(model, feature, NEW)
    assert not is_still(model, feature, "area country 'Iraq' at 0303")


def test_a_feature_that_moved_a_little_is_the_same_one():
    model = made().model
    near, far = (Marker(id="a", type="town", at=at) for at in ("0404", "0707"))
    assert is_still(model, near, "marker town at 0303")
    assert not is_still(model, far, "marker town at 0303")
    assert not is_still(model, near, "marker town at 9999")


def grown(*overrides: Override) -> Work:
    """Return the map of data that have a road more, by which the ids of the others have shifted."""
    work = made()
    old = work.model.features
    old["road-b"] = Road(id="road-b", path=old["road-a"].path)
    old["road-a"] = Road(id="road-a", path=("0707", "0706"), name="New road")
    work.report.entries.clear()
    run = Applying(work, [Entry(one, f"$[{number}]", f"override {number + 1}") for number, one in enumerate(overrides)])
    run.find_hexes()
    for entry in run.entries:
        lay_drawn(run, entry)
    assert not run.faults
    run.report()
    return work


def test_an_id_that_is_another_features_now_is_left_alone():
    base = document()
    model = model_of(base, RULES, "x")
    model.features["road-a"] = Road(id="road-a", path=("0101", "0102"))
    (changed,) = overrides_between(base, model.to_document(), RULES)
    del model.features["road-a"]
    (deleted,) = overrides_between(base, model.to_document(), RULES)
    assert (changed.was, deleted.was) == ("road at 0102", "road at 0102")
    for one, does in ((changed, "changes"), (deleted, "deletes")):
        work = grown(one)
        assert work.model.features["road-a"].name == "New road"
        assert lines(work, "finding") == [
            f"override 1 {does} road-a, which was road at 0102 and is now road 'New road' at 0707; "
            "it is left alone: look where the other one is"
        ]
        assert lines(work, "override", "note") == []
        # Whoever writes overrides by hand means the id.
        plain = msgspec.structs.replace(one, was="")
        assert grown(plain).model.features.get("road-a") == plain.feature


def test_what_was_drawn_takes_no_feature_of_the_data_away():
    base = document()
    model = model_of(base, RULES, "x")
    model.features["road-b"] = drawn = Road(id="road-b", path=("0505", "0506"))
    (new,) = overrides_between(base, model.to_document(), RULES)
    assert new.was == NEW
    features = grown(new).model.features
    assert features["road-b"].path == ("0101", "0102", "0103")
    assert features["road-b-2"] == msgspec.structs.replace(drawn, id="road-b-2")
    assert lines(grown(new), "finding") == [
        "override 1 draws road-b, but the data have road at 0102 of that id; now road-b-2"
    ]


def test_what_lies_within_a_feature_that_was_renamed_goes_with_it():
    outline = ((0, 0), (900, 0), (900, 900))
    country, inner = (
        Area(id="iraq", type="country", outline=outline, name="Mine"),
        Area(id="inner", type="kurdish_area", outline=outline, within="iraq"),
    )
    features = grown(Override(feature=country, was=NEW), Override(feature=inner, was=NEW)).model.features
    assert features["iraq"].name == "Iraq"
    assert features["iraq-2"].name == "Mine"
    assert features["inner"].within == "iraq-2"


def test_a_feature_that_was_changed_and_is_gone_is_drawn_with_a_word():
    one = Override(feature=Road(id="road-z", path=("0101",)), was="road at 0101")
    work = grown(one)
    assert work.model.features["road-z"] == one.feature
    assert lines(work, "finding") == [
        "override 1 changes road-z, which is gone (road at 0101); it is drawn as it was edited"
    ]


def test_what_the_data_had_is_kept_from_edit_to_edit():
    first, second = (Road(id="road-a", path=path) for path in (("0101", "0102"), ("0202",)))
    old = [Override(feature=first, was="road at 0102"), Override(feature=Road(id="own", path=("0303",)), was=NEW)]
    assert merged(old, [Override(feature=second, was="road at 0101")]) == [
        old[1],
        Override(feature=second, was="road at 0102"),
    ]
    # What was drawn and is taken away again is in no data.
    assert merged(old, [Override(delete="own", was="road at 0303")]) == [old[0]]


def test_what_no_override_can_say():
    base = document()
    other = msgspec.structs.replace(base, title="Shatt", notes="seen")
    assert not_carried(base, other) == ["title", "notes"]
    assert overrides_between(base, other, RULES) == []
    for field, value in (("labels", LabelScheme.lettered()), ("ruleset", "armageddon_war")):
        with pytest.raises(DocumentError, match=field):
            overrides_between(base, msgspec.structs.replace(base, **{field: value}), RULES)
