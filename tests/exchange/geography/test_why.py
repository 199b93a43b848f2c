"""Why a hex of a map of geography is what it is: told at once, from the record later, and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import studio
from studio.cli import main
from studio.errors import LabelError, StudioError
from studio.exchange.geography.record import HexRecord, Record, read_record, record_text
from studio.exchange.geography.rulings import Ruling
from studio.exchange.geography.spec import Override, read_spec
from studio.exchange.geography.why import why
from tests.exchange.geography.delta import lay_delta


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("why")
    lay_delta(folder)
    return folder


@pytest.fixture(scope="module")
def made(folder: Path) -> studio.api.GeographyImport:
    marsh = Override(hexes=("0203",), terrain="marsh", note="As the old map has it.")
    spec = read_spec(folder / "delta.geography.toml")
    return studio.import_geography(
        msgspec.structs.replace(spec, overrides=(*spec.overrides, marsh)), folder / "delta.map.json", folder=folder
    )


def told(made: studio.api.GeographyImport, label: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for topic, text in made.why(label).lines:
        found.setdefault(topic, []).append(text)
    return found


def test_the_class_that_won_and_those_that_did_not(made):
    hills = next(one for one in made.record.hexes if one.won == "hills:heights" and not one.by)
    said = told(made, hills.label)
    share = hills.shares["hills:heights"]
    assert said["Ground"][0].startswith(f"hills won: {share:.1%} of the hex, ")
    assert "heights from" in said["Ground"][0]
    assert said["Heights"] == [f"{hills.mean:g} m in the mean, {hills.relief:g} m from its lowest to its highest point"]
    assert said["Country"] == [hills.country]
    plain = next(one for one in made.record.hexes if not one.won and not one.by and not one.shares.get("hills:heights"))
    assert told(made, plain.label)["Ground"] == [
        "clear, as no class covers its share of the hex",
        "nothing of hills in the hex",
    ]


def test_what_missed_and_what_comes_later():
    record = Record(
        title="Two",
        ruleset="ignorant_armies",
        crs="EPSG:32638",
        spec="",
        rules=(
            Ruling(name="marsh:wet", terrain="marsh", says="wet", share=0.4),
            Ruling(name="mountains:dem", terrain="mountains", says="dem from 900 m", share=0.5),
            Ruling(name="hills:dem", terrain="hills", says="dem from 300 m", share=0.5),
            Ruling(name="base", terrain="clear"),
            Ruling(name="levels", says="1 from 500 m by the mean of dem"),
        ),
        hexes=(
            HexRecord(
                label="A1",
                terrain="mountains",
                won="mountains:dem",
                shares={"marsh:wet": 0.399, "mountains:dem": 0.6, "hills:dem": 0.9},
                confidence=0.002,
            ),
        ),
        base=studio.new_map("ignorant_armies", columns=2, rows=2).model.to_document(),
    )
    found = why(record, " a1 ")
    assert found.sentences[:3] == [
        "mountains won: 60.0% of the hex, 50% is enough (dem from 900 m)",
        "marsh: 39.9% of the hex, 40% is asked (wet)",
        "hills: 90.0% of the hex, but that comes later in the list (dem from 300 m)",
    ]
    assert ("Level", "1 from 500 m by the mean of dem") in found.lines
    assert str(found).startswith("A1: mountains, 0% sure\n  Ground: mountains won")


def test_what_is_no_matter_of_the_ground(made):
    sea = told(made, "0108")
    assert sea["Terrain"] == ["sea by water, whatever the ground is"]
    assert sea["Water"] == ["100.0% of the hex (sea 100.0%); 50% makes it all water"]
    (city,) = (one.label for one in made.record.hexes if one.terrain == "city")
    said = told(made, city)
    assert said["Terrain"] == ["city by a town, whatever the ground is"]
    assert said["How sure"] == ["100 %: a town said so"]
    assert any("Basra lies" in text for text in said["Decided"])
    marsh = told(made, "0203")
    assert marsh["Terrain"] == ["marsh by an override, whatever the ground is"]
    assert marsh["Override"] == ["override 1: clear to marsh (As the old map has it.)"]


def test_a_line_that_names_many_hexes_is_told_of_its_sides_here(made):
    entry = next(one for one in made.record.of("decided") if one.step == "bridges")
    side = entry.at[0]
    here = told(made, side.split("|")[0])["Decided"]
    assert any(text.startswith(f"bridges: {side}") for text in here)


def test_the_record_says_it_later_and_what_was_edited_since(made, folder, tmp_path):
    for name in ("delta.map.json", "delta.geography.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    later = studio.geography_record(tmp_path / "delta.map.json")
    assert str(later.why("0203")) == str(made.why("0203"))
    assert (later.confidence, later.hex_table()) == (made.confidence, made.hex_table())
    assert later.report.findings == made.report.findings
    assert repr(later) == "GeographyRecord('Delta', 72 hexes)"
    map_ = studio.open_map(tmp_path / "delta.map.json")
    map_.paint("0203", terrain="hills")
    first = studio.geography_record(map_).why("0203").lines[0]
    assert first == ("Edited since", "hills on the map now; the import made it marsh")
    map_.close()


def test_a_record_without_rules_says_what_it_has(made):
    plain = json.loads(record_text(made.record))
    del plain["rules"]
    for one in plain["hexes"]:
        one.pop("won", None)
        one.pop("by", None)
    old = msgspec.convert(plain, type=Record)
    topics = [topic for topic, _ in why(old, "0203").lines]
    assert "Heights" in topics and "Override" in topics and "Ground" not in topics


def test_in_a_notebook_it_is_a_table_with_heads(made):
    html = made.why("0203")._repr_html_()
    assert html.count('<th scope="row"') == len(made.why("0203").lines)
    assert "<caption" in html and "0203: marsh, 100% sure" in html
    assert repr(made.why("0203")) == str(made.why("0203"))


@pytest.mark.parametrize("label", ["9999", "", "x" * 500])
def test_a_hex_that_is_none_is_refused(made, label):
    with pytest.raises(LabelError, match="no hex of Delta; its hexes run from 0101 to 0908"):
        made.why(label)


def test_a_map_without_record_is_refused(tmp_path):
    map_ = studio.new_map("ignorant_armies", columns=3, rows=3, title="Drawn")
    with pytest.raises(StudioError, match="has none yet"):
        studio.geography_record(map_)
    map_.save(tmp_path / "drawn.map.json")
    with pytest.raises(StudioError, match=r"no drawn.geography.json lies beside it. Remedy: "):
        studio.geography_record(map_)
    with pytest.raises(StudioError, match="no such file"):
        studio.geography_record(tmp_path / "gone.map.json")
    map_.close()


def test_the_command_line_says_the_same(made, folder, capsys):
    file = str(folder / "delta.map.json")
    assert main(["why", file, "0203", "0108"]) == 0
    assert capsys.readouterr().out.splitlines() == f"{made.why('0203')}\n{made.why('0108')}".splitlines()
    assert main(["why", file, "0203", "--json"]) == 0
    (data,) = json.loads(capsys.readouterr().out)["hexes"]
    assert data == made.why("0203").data()
    assert data["lines"][0] == {"about": "Terrain", "text": "marsh by an override, whatever the ground is"}
    assert main(["why", file, "0909"]) == 2
    assert "run from 0101 to 0908" in capsys.readouterr().err


def test_a_rule_says_what_it_asks(made, folder):
    record = read_record(folder / "delta.geography.json")
    assert record.rules == made.record.rules
    assert [one.name for one in record.rules] == ["hills:heights", "base", "water"]
    assert record.rules[0].says == "heights from 400 m"
