"""Where a road may well end: in towns of any kind, and at sources of supply; elsewhere it is told."""

from __future__ import annotations

from typing import Any

import pytest

import studio


def ends(made: Any) -> list[str]:
    return [finding.at for finding in made.check() if finding.rule == "map.road_end"]


def test_roads_end_in_towns_and_cities() -> None:
    made = studio.new_map("ignorant_armies", columns=7, rows=7).paint("0303", terrain="city")
    made.add("marker", type="town", at="0503")
    made.add("road", path=["0303", "0403", "0503"])
    assert ends(made) == []
    made.add("road", path=["0305", "0405", "0505"])
    assert sorted(ends(made)) == ["0305", "0505"]


@pytest.mark.parametrize("source", ["terrain", "markers"])
def test_roads_end_at_sources_of_a_game_of_ones_own(source: str, tmp_path: Any) -> None:
    named = {"terrain": "depot", "markers": "dump"}[source]
    file = tmp_path / "mine.ruleset.toml"
    file.write_text(
        'id = "mine"\ntitle = "Mine"\nlevels = [0, 1]\nfeatures = ["road", "marker"]\nsight = false\n'
        '[movers.foot]\nname = "Foot"\n[terrain.clear]\nname = "Clear"\nchar = "."\nmove = { foot = 1 }\n'
        '[terrain.depot]\nname = "Depot"\nchar = "d"\nmove = { foot = 1 }\n[markers.dump]\nname = "Dump"\n'
        f'[supply]\nmover = "foot"\nsources = {{ {source} = ["{named}"] }}\n',
        encoding="utf-8",
    )
    made = studio.new_map(studio.load_ruleset(file), columns=7, rows=7).paint("0303", terrain="depot")
    made.add("marker", type="dump", at="0503")
    made.add("road", path=["0303", "0403", "0503"])
    assert ends(made) == (["0503"] if source == "terrain" else ["0303"])
