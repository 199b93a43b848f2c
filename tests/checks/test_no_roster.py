"""Scenarios of games without a roster: checked as far as the map goes, with one word about it, and handed over."""

from pathlib import Path

import pytest

import studio
from studio.cli.main import main
from studio.model import Force, Formation, MapUse, SetUp, UnitRecord
from studio.rules import Ruleset
from tests.checks.makers import MAKERS, SOURCES


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every game for one whose roster the studio does not know."""
    monkeypatch.setattr(Ruleset, "has_scenario", property(lambda _: False))
    # Not what the game would remember of itself beyond this test.
    monkeypatch.setattr(Ruleset, "ratings", property(lambda rules: dict(rules.catalogue.ratings)))


def scenario(folder: Path, game: str, at: tuple[str, str], where: tuple[str, str]) -> studio.Scenario:
    map_ = MAKERS[game]()
    map_.save(folder / f"{game}.map.json")
    made = studio.new_scenario(map_, title="Two sides")
    made.model.document.sources = [studio.model.Source(title=SOURCES[0]["title"])]
    made.model.document.forces = [
        Force(
            id=f"side-{number}",
            name=f"Side {number}",
            formations=[
                Formation(
                    id=f"f{number}",
                    name="All",
                    where=SetUp(hexes=(around,)),
                    units=[UnitRecord(id=f"u{number}", type="squad", at=label)],
                )
            ],
        )
        for number, (label, around) in enumerate(zip(at, where, strict=True), 1)
    ]
    return made


@pytest.mark.parametrize(
    ("game", "at", "where"),
    [
        ("district", ("1 C", "2 C"), ("1 C", "2")),
        ("town", ("1.1", "0407"), ("1.1", "0407")),
        ("valley", ("0101", "0404"), ("0101", "0404")),
    ],
)
@pytest.mark.usefixtures("without")
def test_they_are_checked_and_handed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, at: tuple[str, str], where: tuple[str, str]
) -> None:
    made = scenario(tmp_path, game, at, where)
    (only,) = made.check()
    assert (only.rule, only.severity) == ("scenario.roster", "warning")
    assert "no roster" in only.message
    bundle = studio.open_bundle(made.export(tmp_path / "out.bundle.zip", preview=False))
    assert bundle.manifest["title"]
    file = tmp_path / "two.scenario.json"
    made.save(file)
    assert main(["check", str(file)]) == 0
    assert "scenario.roster" in capsys.readouterr().out


@pytest.mark.usefixtures("without")
def test_places_that_are_not_there_are_named(tmp_path: Path) -> None:
    made = scenario(tmp_path, "district", ("1 Z", "2 C"), ("1 C", "77"))
    rules = {(one.rule, one.at) for one in made.check().errors}
    assert ("scenario.references", "side-1/f1/u1") in rules
    assert ("scenario.references", "side-2/f2/where") in rules


@pytest.mark.usefixtures("without")
def test_what_is_in_an_area_out_of_play_is_out_with_it(tmp_path: Path) -> None:
    made = scenario(tmp_path, "district", ("1 C", "2 C"), ("1 C", "2"))
    made.model.document.map = MapUse(file=made.document.map.file, out_of_play=("1",))
    assert ("scenario.in_play", "side-1/f1/u1") in {(one.rule, one.at) for one in made.check().errors}


def test_a_game_with_a_roster_says_nothing_of_it() -> None:
    root = Path(__file__).parents[2]
    held = studio.open_scenario(root / "scenarios" / "armageddon-01.scenario.json", recover_unsaved=False)
    assert held.ruleset.has_scenario
    assert "scenario.roster" not in {one.rule for one in held.check()}
