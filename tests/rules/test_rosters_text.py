"""Rosters and ratings against the texts: figures where they are printed, what scenarios name, limits of ratings."""

import json
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.cli import main
from studio.rules import get_ruleset, load_ruleset, ruleset_ids
from studio.rules.roster import FIGHTING

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.scenario.json"))


def figures(game: str, name: str, *fields: str) -> tuple[Any, ...]:
    kind = get_ruleset(game).scenario.unit_type(name)
    return tuple(getattr(kind, field) for field in fields)


def test_figures_of_armageddon_war() -> None:
    """1.31 (T-72M), 4.13 and 4.17 (BMP-2), 4.15 (T-72B1, Konkurs, Armata), 4.3 (militia, T-55), 6.0 (M1A4), 7.2."""
    fields = ("firepower", "range", "movement", "defence", "tech")
    assert figures("armageddon_war", "isil.t_72m", *fields) == (5, 0, 6, 3, "black")
    assert figures("armageddon_war", "isil.bmp_2", *fields) == (3, 4, 0, 1, "")
    assert figures("armageddon_war", "rebel.militia", *fields) == (3, 1, 0, 1, "green")
    assert figures("armageddon_war", "rebel.t_55a", *fields) == (4, 0, 0, 3, "green")
    assert figures("armageddon_war", "russia.t_14_armata", *fields) == (7, 9, 0, 4, "red")
    assert figures("armageddon_war", "russia.t_14_armata_low", *fields) == (7, 9, 0, 4, "black")
    assert figures("armageddon_war", "us.m1a4", "firepower", "defence") == (7, 4)
    assert figures("armageddon_war", "isil.t_72b1", "defence", "special_shield") == (3, True)
    assert figures("armageddon_war", "support.konkurs", "firepower", "attack", "second") == (6, "vehicle", "vehicle")
    assert figures("armageddon_war", "other.truck", "shield") == ("soft",)


def test_the_examples_of_armageddon_war_come_out() -> None:
    """4.15 and 4.161: firepower less defence, as the text counts the dice."""
    kind = get_ruleset("armageddon_war").scenario.unit_type
    armata, t_72b1, t_72m, t_55a, bmp = (
        kind(name) for name in ("russia.t_14_armata", "isil.t_72b1", "isil.t_72m", "rebel.t_55a", "isil.bmp_2")
    )
    militia = kind("rebel.militia")
    assert armata.firepower - t_72b1.defence == 4
    assert (t_72m.firepower - t_55a.defence, t_55a.firepower - t_72m.defence) == (2, 1)
    assert (t_55a.firepower - militia.defence, t_72m.firepower - militia.defence) == (3, 4)
    assert (bmp.firepower - militia.defence, militia.firepower - bmp.defence) == (2, 2)


def test_figures_of_modern_tactics() -> None:
    """9.1.1, 10.1, 10.3, 25.8, 26.1, 28.2, 30.1: the values that the examples reckon with."""
    game = "modern_tactics"
    assert figures(game, "us.rifle", "firepower", "reduced_firepower", "defence", "movement") == (5, 3, 4, 4)
    assert figures(game, "canadian.lav_iii", "firepower", "secondary_firepower", "defence", "flank_defence") == (
        4,
        2,
        6,
        5,
    )
    assert figures(game, "insurgent.fighters", "firepower", "defence") == (3, 3)
    assert figures(game, "insurgent.fanatics", "defence", "stealth") == (3, True)
    assert figures(game, "us.humvee", "flank_defence", "movement", "mover") == (2, 7, "wheeled")
    assert figures(game, "us.apache", "firepower", "range", "anti_tank") == (6, 6, 14)
    assert figures(game, "russian.t_72b", "anti_tank", "secondary_firepower") == (14, 2)
    flanks = [
        figures(game, f"{name}", "flank_defence")[0] for name in ("us.m1_abrams", "russian.t_90m", "russian.t_80u")
    ]
    assert flanks == [14, 12, 11]
    stealthy = {name for name, kind in get_ruleset(game).scenario.roster().items() if kind.stealth}
    assert stealthy == {
        "us.ranger", "canadian.jtf_2", "us.sniper", "canadian.sniper", "insurgent.sniper", "insurgent.fanatics",
    }  # fmt: skip


def test_figures_of_the_other_games() -> None:
    """Ignorant Armies 2.4, 3.3, 10.17, 14.16; Urban Operations 4.3.6; Phantom Fury 5.1."""
    assert figures("ignorant_armies", "iraq.adnan", "attack", "defence", "movement", "steps") == (5, 7, 5, 2)
    assert figures("ignorant_armies", "iraq.infantry", "attack", "defence", "movement") == (2, 4, 2)
    assert figures("ignorant_armies", "iraq.corps_1", "support", "defence", "kind") == (4, 1, "hq")
    assert figures("ignorant_armies", "marker.iraqi_ssm", "quantity") == (6,)
    assert figures("urban_operations", "vehicle.t_72", "machine_guns", "main_gun") == ((6, 6, 7, 7), (0, 0, 0, 8, 8))
    assert figures("urban_operations", "vehicle.brdm_2", "machine_guns", "armour") == ((4, 4, 2), "armored")
    assert figures("phantom_fury", "marker.ammo", "quantity", "kind") == (4, "marker")


def test_markers_are_no_units() -> None:
    for name in ruleset_ids():
        for kind in get_ruleset(name).scenario.roster().values():
            assert (kind.kind in FIGHTING) == (kind.kind not in ("marker", "support_weapon")), kind.id
            if kind.kind == "marker":
                assert not kind.mover, kind.id


def test_tracked_and_wheeled_only_where_the_text_says_so() -> None:
    """Armageddon War: the text tells it of the T-72M (1.31) and of trucks."""
    movers = {
        name: kind.mover
        for name, kind in get_ruleset("armageddon_war").scenario.roster().items()
        if kind.kind == "vehicle" and kind.mover
    }
    assert movers == {"isil.t_72m": "tracked", "rebel.t_72m": "tracked", "other.truck": "wheeled"}


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.name.removesuffix(".scenario.json"))
def test_every_unit_of_every_scenario_is_in_its_roster(file: Path) -> None:
    document = studio.open_scenario(file, recover_unsaved=False).document
    ruleset = get_ruleset(document.ruleset)
    known = set(ruleset.scenario.roster()) | {one.id for one in document.roster}
    used = {unit.type for force in document.forces for part in force.formations for unit in part.units}
    used |= {one.type for one in document.cup} | {one.type for one in document.support if one.type}
    assert used <= known


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.name.removesuffix(".scenario.json"))
def test_every_rating_of_every_scenario_is_one_of_its_game(file: Path) -> None:
    document = studio.open_scenario(file, recover_unsaved=False).document
    specs = get_ruleset(document.ruleset).ratings
    rated = [("scenario", document.ratings)]
    rated += [("force", force.ratings) for force in document.forces]
    rated += [("formation", part.ratings) for force in document.forces for part in force.formations]
    for whose, ratings in rated:
        for name in ratings:
            assert name in specs, name
            assert whose in specs[name].of, name


@pytest.mark.parametrize("name", ruleset_ids())
def test_ratings_say_what_is_allowed(name: str) -> None:
    specs = get_ruleset(name).ratings
    assert specs
    for spec in specs.values():
        assert spec.title
        assert spec.text
        assert spec.section
        assert (spec.value == "choice") == bool(spec.values)
        assert spec.least is None or spec.most is None or spec.least < spec.most
    allowed = {spec.allowed for spec in get_ruleset("modern_tactics").ratings.values()}
    assert {"a number, 2 to 12", "dice or a number, 0 to 60"} <= allowed


def test_ratings_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "modern_tactics"]) == 0
    out = capsys.readouterr().out
    assert "ratings of scenarios, sides and formations" in out
    assert "morale_check         formation or force       a number, 2 to 12   [15.1, Playbook 5]" in out
    assert main(["rules", "phantom_fury", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ratings"]["strong_points"]["most"] == 4


def test_a_game_of_one_s_own_has_its_ratings(tmp_path: Path) -> None:
    file = tmp_path / "duel.ruleset.toml"
    file.write_text(
        'id = "duel"\ntitle = "Duel"\nlevels = [0, 1]\n[terrain.open]\nname = "Open"\nchar = "."\n'
        '[ratings.nerve]\ntitle = "Nerve"\nof = ["force"]\nleast = 1\nmost = 6\n',
        encoding="utf-8",
    )
    (spec,) = load_ruleset(file).ratings.values()
    assert (spec.title, spec.of, spec.allowed) == ("Nerve", ("force",), "a number, 1 to 6")
