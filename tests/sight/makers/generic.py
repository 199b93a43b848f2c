"""Random games of a designer's own, and random maps of them."""

from typing import Any

import msgspec
import numpy as np

from studio.grid import HexGrid, LabelScheme
from studio.model import MapModel, Marker
from studio.rules import Ruleset
from studio.rules.catalogue import Catalogue
from studio.rules.generic.settings import SETTINGS

__all__ = ["draw_options", "game", "make", "random_map"]

CHARACTERS = ".wWtoh"


def game(sight: dict[str, Any] | bool | None = None, **tables: Any) -> Ruleset:
    """Return a game with terrain and markers of every effect and several heights."""
    terrain = {
        "clear": {"name": "Clear", "char": ".", "sight": "open"},
        "wood": {"name": "Wood", "char": "w", "sight": "block"},
        "forest": {"name": "Forest", "char": "W", "sight": "block", "height": 2},
        "town": {"name": "Town", "char": "t", "sight": "hinder"},
        "orchard": {"name": "Orchard", "char": "o", "sight": "hinder", "height": 2},
        "hedges": {"name": "Hedges", "char": "h", "sight": "hinder", "height": 999},
    }
    raw = {
        "id": "own_game",
        "title": "A game of one's own",
        "levels": (-1, 3),
        "features": ("marker", "name", "road"),
        "terrain": terrain,
        "markers": {
            "smoke": {"name": "Smoke", "sight": "block", "height": 999},
            "wreck": {"name": "Wreck", "sight": "hinder"},
            "flag": {"name": "Flag"},
        },
        "sides": {
            "wall": {"name": "Wall", "sight": "block"},
            "hedge": {"name": "Hedge", "sight": "hinder"},
            "high_hedge": {"name": "High hedge", "sight": "hinder", "height": 2},
            "river": {"name": "River"},
        },
        "sight": {} if sight is None else sight,
        **tables,
    }
    return Ruleset(msgspec.convert(raw, Catalogue))


RULES = game()


def draw_options(rng: np.random.Generator) -> dict[str, Any]:
    """Return options of which each is drawn at random, small numbers only."""
    chosen: dict[str, Any] = {}
    for name, setting in SETTINGS.items():
        if rng.random() < 0.35:
            values = setting.values[:5] if len(setting.values) > 5 else setting.values
            chosen[name] = values[int(rng.integers(len(values)))]
    return RULES.options(chosen)


def random_map(rng: np.random.Generator, columns: int, rows: int, **grid: Any) -> MapModel:
    """Return a map with everything that bears on sight, strewn at random; how much of it is random, too."""
    made = HexGrid(columns=columns, rows=rows, **grid)
    model = MapModel(RULES.id, made, LabelScheme.ccrr(pad=3), RULES.terrain_characters)
    share = np.array([0.0, 2.0, 1.0, 2.0, 1.0, 0.5]) * (rng.random(6) < 0.7)
    share = share / max(share.sum(), 1.0) * rng.choice([0.05, 0.2, 0.4])
    share[0] = 1 - share.sum()
    model.terrain[:] = rng.choice(len(share), size=model.terrain.shape, p=share)
    if rng.random() < 0.7:
        levels = rng.choice([-1, 1, 1, 1, 2, 3], size=model.levels.shape)
        model.levels[:] = levels * (rng.random(model.levels.shape) < rng.choice([0.1, 0.4, 0.9]))
    cells = np.flatnonzero(made.present)
    for number in range(int(rng.integers(0, 1 + columns * rows // 12))):
        at = model.labels.label(int(rng.choice(cells)))
        kind = str(rng.choice(["smoke", "wreck", "flag"]))
        model.features[f"m{number}"] = Marker(id=f"m{number}", type=kind, at=at)
    if rng.random() < 0.6:
        often = rng.choice([0.05, 0.2, 0.6])
        for cell in cells.tolist():
            for other in made.neighbours(cell):
                if cell < other and rng.random() < often:
                    kinds = rng.choice(["wall", "hedge", "high_hedge", "river"], size=int(rng.integers(1, 3)))
                    model.sides[cell, other] = tuple(sorted(set(kinds.tolist())))
    return model


def make(rng: np.random.Generator, columns: int, rows: int) -> tuple[MapModel, Ruleset]:
    """Return a random map and its game, with a random ``[sight]`` table."""
    chosen = draw_options(rng)
    return random_map(rng, columns, rows), game(dict(chosen))
