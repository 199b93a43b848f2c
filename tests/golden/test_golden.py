"""What the studio says of chosen lines of sight has not changed unseen."""

import difflib

import pytest

from studio.rules import get_ruleset, ruleset_ids
from tests.golden import games, text_of, written


def test_every_game_with_lines_of_sight_has_its_explanations() -> None:
    assert {game for game in ruleset_ids() if getattr(get_ruleset(game).sight, "HAS_SIGHT", True)} <= set(games())
    assert all(written(game).exists() for game in games())


@pytest.mark.parametrize("game", games())
def test_the_explanations_are_those_that_were_read(game: str) -> None:
    before, now = written(game).read_text(encoding="utf-8"), text_of(game)
    difference = difflib.unified_diff(before.splitlines(), now.splitlines(), "as written", "as said now", lineterm="")
    assert now == before, "\n".join(["read the difference, then `make golden`:", *difference])


@pytest.mark.parametrize("game", games())
def test_every_explanation_is_about_its_own_line(game: str) -> None:
    parts = text_of(game).split("\n== ")[1:]
    titles = [part.splitlines()[0] for part in parts]
    assert len(set(titles)) == len(titles) >= 10
    assert {part.splitlines()[1].split(": ")[1].split()[0] for part in parts} >= {"clear", "blocked"}
