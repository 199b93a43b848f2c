"""Tags of areas and places: each type says which it may have, and what they mean."""

from pathlib import Path

import pytest

import studio
from studio.cli import main
from studio.model import Area, Place
from studio.rules import get_ruleset, ruleset_ids

MAPS = sorted((Path(__file__).parents[2] / "maps").glob("*.map.json"))


def test_a_tag_is_found_by_its_name_or_by_how_it_begins() -> None:
    zone = get_ruleset("phantom_fury").area_types["zone"]
    fortified = zone.tag("fortified")
    assert fortified is not None
    assert fortified.section == "4.1.5"
    assert zone.tag("door") is None
    room = get_ruleset("urban_operations").area_types["room"]
    assert room.tag("room:hall") is room.tags["room:"]
    assert room.tag("room") is None
    assert room.tag("hall:room") is None


@pytest.mark.parametrize("game", ruleset_ids())
def test_every_tag_says_what_it_means_and_where_it_stands(game: str) -> None:
    rules = get_ruleset(game)
    for kind in (*rules.area_types.values(), *rules.place_types.values()):
        for name, tag in kind.tags.items():
            assert len(tag.name) > 10, name
            assert tag.section, name


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_every_tag_of_a_shipped_map_is_known(path: Path) -> None:
    made = studio.open_map(path, recover_unsaved=False)
    for feature in made.features.values():
        if isinstance(feature, Area | Place):
            kinds = made.ruleset.area_types if isinstance(feature, Area) else made.ruleset.place_types
            assert all(kinds[feature.type].tag(tag) for tag in feature.tags), feature.id


def test_the_list_of_a_game_has_its_tags(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "phantom_fury"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.split()[:1] == ["courtyard"])
    assert lines[at + 1].split()[:2] == ["tag", "door"]
    assert "4.3.1.1" in lines[at + 1]
    assert lines[at + 2].split()[:2] == ["tag", "entry"]
