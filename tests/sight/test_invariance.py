"""Sight does not depend on where a map begins, which way up it lies, or what lies beyond the hexes between units."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.model import Aperture, Link, MapModel, Marker
from studio.rules import Ruleset
from studio.sight import STATUSES, Conditions, SightJudge
from studio.sight.trace import hex_trace
from studio.survey import Directory, Survey
from tests.sight.effort import random_maps
from tests.sight.maps import MAKERS, make_game
from tests.sight.transforms import added, cropped, joined, mirrored, pinned, rotated

HEX_GAMES = [game for game in MAKERS if game != "phantom_fury"]
SIZES = st.tuples(st.integers(2, 5), st.integers(2, 5))
SEEDS = st.integers(0, 10**6)
FEW = random_maps(12)

# Games in which the neighbours of a hex say what it is: the edge or the inside of a gully or a plateau (12.4). Off the
# map there are none, so that more rows may turn an inside into an edge; the maps have plain hexes all round instead.
BY_NEIGHBOURS = {"modern_tactics"}


class Judged:
    """A map with its judge and its locations."""

    def __init__(self, model: MapModel, ruleset: Ruleset, options: dict) -> None:
        self.survey = Survey(model, ruleset.survey_scheme)
        self.directory: Directory = self.survey.directory
        self.judge: SightJudge = ruleset.sight.judge(self.survey, options, Conditions())

    def field(self, number: int) -> np.ndarray:
        codes = self.judge.field(number)[0].ravel()
        return np.pad(codes, (0, len(self.directory) - codes.size))

    def meets_others(self, a: int, b: int, known: set[int]) -> bool:
        """Tell whether a line meets any hex but the known ones."""
        met = {cell for contact in self.judge.sighting(a, b).contacts for cell in contact.cells}
        return bool(met - known)


def drawn(game: str, seed: int, size: tuple[int, int]) -> tuple[np.random.Generator, MapModel, Ruleset, dict]:
    """Return a random map whose areas have their dots drawn, and readings of the rules."""
    rng = np.random.default_rng(seed)
    model, ruleset = make_game(game, rng, *size)
    for name, feature in list(model.features.items()):
        # A point on a border of hexes belongs to the hex with the lower cell, which is another one after a turn; and of
        # an opening in the very middle of its hex nothing says which way is out.
        if isinstance(feature, Aperture):
            held = hex_trace(model.grid, feature.at, feature.at)
            if not any(c.how == "through" and model.grid.centre(c.cells[0]) != feature.at for c in held):
                del model.features[name]
    directory = Survey(model, ruleset.survey_scheme).directory
    dots = {one.feature: one.dot for one in directory.of("area")}
    readings = {name: spec.values[int(rng.integers(len(spec.values)))] for name, spec in ruleset.option_specs.items()}
    return rng, pinned(model, dots), ruleset, ruleset.options(readings if rng.random() < 0.5 else {})


def numbers_in(before: Judged, after: Judged, places: dict[int, int]) -> dict[int, int]:
    """Return the number in the new map of every location of the old one that is left."""
    found = {}
    for number in before.directory.numbers.tolist():
        one = before.directory.location(number)
        if one.kind == "hex":
            if number in places:
                found[number] = places[number]
            continue
        label = one.label
        if one.kind == "road":
            label = after.directory.label(places[one.cell]) + " road"
        found[number] = after.directory.number(label)
    return found


def assert_same(
    before: Judged, after: Judged, places: dict[int, int], *, edges: bool, seed: int, label: Callable[[int], str]
) -> None:
    """Hold some fields of view equal among the locations that are left; at `edges` save for lines that meet new hexes.

    A line along the old edge, or between dots close to it, has hexes beside it now where there was nothing.
    """
    left = numbers_in(before, after, places)
    old, new = np.array(list(left)), np.array(list(left.values()))
    rng = np.random.default_rng(seed)
    for a in rng.permutation(old)[:8].tolist() if len(old) else []:
        there, here = before.field(a)[old], after.field(left[a])[new]
        for index in np.flatnonzero(there != here).tolist():
            b = int(old[index])
            assert edges and after.meets_others(left[a], left[b], set(places.values())), (
                f"{label(a)} to {label(b)}: {STATUSES[there[index]]}, then {STATUSES[here[index]]}\n"
                f"{before.judge.sighting(a, b)}\n{after.judge.sighting(left[a], left[b])}"
            )


@pytest.mark.parametrize("game", HEX_GAMES)
@pytest.mark.parametrize("turn", ["half a turn", "lines mirrored", "along lines mirrored"])
@given(seed=SEEDS, size=SIZES)
@FEW
def test_a_turned_map_has_the_same_verdicts(game: str, turn: str, seed: int, size: tuple[int, int]) -> None:
    _, model, ruleset, options = drawn(game, seed, size)
    made, places = rotated(model) if turn == "half a turn" else mirrored(model, across=turn == "lines mirrored")
    assert len(places) == int(model.grid.present.sum()) == int(made.grid.present.sum())
    before, after = Judged(model, ruleset, options), Judged(made, ruleset, options)
    assert_same(before, after, places, edges=False, seed=seed, label=before.directory.label)


@pytest.mark.parametrize("game", HEX_GAMES)
@given(seed=SEEDS, size=SIZES, more=st.tuples(*[st.integers(0, 3)] * 4))
@FEW
def test_rows_and_columns_at_any_edge_change_nothing(
    game: str, seed: int, size: tuple[int, int], more: tuple[int, int, int, int]
) -> None:
    _, model, ruleset, options = drawn(game, seed, size)
    _plain_edges(game, model)
    made, places = added(model, more[:2], more[2:])
    assert len(places) == int(model.grid.present.sum())
    before, after = Judged(model, ruleset, options), Judged(made, ruleset, options)
    assert_same(before, after, places, edges=True, seed=seed, label=before.directory.label)
    # Taken away again, the map is what it was.
    again, back = cropped(made, more[:2], more[2:])
    assert {cell: back[place] for cell, place in places.items()} == {cell: cell for cell in places}
    assert (again.terrain == model.terrain)[model.grid.present].all()
    assert (again.levels == model.levels)[model.grid.present].all()
    assert (again.sides, again.features, again.grid) == (model.sides, model.features, model.grid)
    assert_same(before, Judged(again, ruleset, options), {c: c for c in places}, edges=False, seed=seed, label=str)


@pytest.mark.parametrize("game", HEX_GAMES)
@given(seed=SEEDS, size=SIZES, between=st.integers(1, 3))
@FEW
def test_a_map_beside_another_has_the_verdicts_that_it_has_alone(
    game: str, seed: int, size: tuple[int, int], between: int
) -> None:
    # Hexes without anything keep hills and wadis of the two apart, which would be one if they met.
    rng, model, ruleset, options = drawn(game, seed, size)
    _plain_edges(game, model)
    other, _ = added(make_game(game, rng, *size)[0], (0, 0), (0, 0))
    if other.grid.orientation != model.grid.orientation or other.grid.short != model.grid.short:
        other, _ = rotated(model)
    many = model.grid.columns if model.grid.flat else model.grid.rows
    if (model.grid.shifted(0) ^ ((many + between) & 1)) != other.grid.shifted(0):
        between += 1
    _free_of_names(other)
    made, places = joined(model, other, between)
    before, after = Judged(model, ruleset, options), Judged(made, ruleset, options)
    assert_same(before, after, places, edges=True, seed=seed, label=before.directory.label)


def _plain_edges(game: str, model: MapModel) -> None:
    """Make the hexes at the edges of the map plain, in the games where it matters what lies beyond."""
    if game not in BY_NEIGHBOURS:
        return
    for cell in np.flatnonzero(model.grid.present).tolist():
        if len(model.grid.neighbours(cell)) < 6:
            model.terrain.flat[cell], model.levels.flat[cell] = 0, 0


def _free_of_names(model: MapModel) -> None:
    """Leave out what names locations by their labels: they are others in the joined map."""
    for name, feature in list(model.features.items()):
        if isinstance(feature, Link | Marker) or getattr(feature, "into", ""):
            del model.features[name]
