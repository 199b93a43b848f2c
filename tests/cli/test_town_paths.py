"""The command line about movement in towns: locations with labels of their own, and what the games ask for."""

import json
from pathlib import Path

import pytest

from studio.cli import main

MAPS = Path(__file__).parents[2] / "maps"


def answer(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    assert main([str(arg) for arg in args]) == 0
    return capsys.readouterr().out


def test_a_squad_in_the_district(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (MAPS / "phantom-fury.map.json", "1 C", "--mover", "usmc_squad", "--points", 4)
    state = ("--state", "controlled=1,2,3", "--state", "squads=2 R")
    out = answer(capsys, "reach", *asked, *state)
    assert "passed only" in out
    data = json.loads(answer(capsys, "reach", *asked, *state, "--json"))
    assert data["passed"] == ["2 R"]
    assert data["costs"]["2 1"] == 2
    route = ("route", asked[0], "1 C", "2 R", *asked[2:], *state)
    assert "no move ends there" in answer(capsys, *route)


def test_a_block_in_the_quarter(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("route", MAPS / "urban-1.map.json", "0121", "10 roof", "--mover", "foot", "--json")
    plain = json.loads(answer(capsys, *asked))
    with_ladder = json.loads(answer(capsys, *asked, "--state", "ladder"))
    assert plain["found"]
    assert with_ladder["cost"] < plain["cost"]
