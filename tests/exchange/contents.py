"""Maps and scenarios of every game as exporters get them, random small maps, and the programs that must read them."""

import os
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from studio.errors import GridError
from studio.exchange.content import Content
from studio.files import read_map, read_scenario
from studio.grid import Axis, HexGrid, LabelScheme
from studio.model import Area, Contour, Dot, Georeference, MapModel, Marker, Name, Place, Road, ScenarioDocument, Wall
from studio.rules import Ruleset, get_ruleset, load_ruleset
from studio.rules.roster import roster_of
from studio.survey import Survey
from tests.project.tree import ROOT

GAMES = [
    ("armageddon-1", "armageddon-01"),
    ("armageddon-2", ""),
    ("tactics-1", "tactics-01"),
    ("tactics-3", ""),
    ("phantom-fury", "phantom-fury"),
    ("urban-1", "urban-day"),
    ("practice-front", "practice-front"),
]
"""A map with a scenario, or without one, of every game."""

OWN = """
id = "{id}"
title = "A game of one's own"
levels = [-3, 5]
features = ["road", "crest", "contour", "name", "marker", "area", "place", "wall", "aperture", "link", "dot"]
sight = false
[terrain.clear]
name = "Clear"
char = "."
[terrain.woods]
name = "Light Woods"
char = "w"
[terrain.lake]
name = "Lake"
char = "~"
[sides.river]
name = "River"
[sides.bridge]
name = "Bridge"
[markers.smoke]
name = "Smoke"
[areas.house]
name = "House"
location = true
[areas.field]
name = "Field"
[places.roof]
name = "Roof"
[walls.fence]
name = "Fence"
"""


@cache
def own_game() -> Ruleset:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "exchange_own.ruleset.toml"
        path.write_text(OWN.format(id="exchange_own"), encoding="utf-8")
        return load_ruleset(path)


@cache
def content_of(name: str, scenario: str = "") -> Content:
    model = read_map(ROOT / "maps" / f"{name}.map.json")
    ruleset = get_ruleset(model.ruleset)
    document: ScenarioDocument | None = None
    if scenario:
        document = read_scenario(ROOT / "scenarios" / f"{scenario}.scenario.json").document
    roster = roster_of(ruleset, document) if document is not None else {}
    return Content(model, Survey(model, ruleset.survey_scheme), ruleset, document, roster)


def content(model: MapModel, ruleset: Ruleset | None = None) -> Content:
    rules = ruleset or own_game()
    return Content(model, Survey(model, rules.survey_scheme), rules)


def own_map(**grid: Any) -> MapModel:
    rules = own_game()
    return MapModel(rules.id, HexGrid(**grid), LabelScheme(), rules.terrain_characters, title="Own")


def program(name: str) -> str:
    """Return the path of a program; without it the test is skipped, or fails where it is said to be there."""
    found = shutil.which(name)
    if found is None:
        say = pytest.fail if name in os.environ.get("STUDIO_TESTS_NEED", "").split() else pytest.skip
        say(f"{name} is not installed; bash .ci/need {name} installs it")
    return str(found)


# -- random maps -------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
SCHEMES = st.sampled_from(
    [
        LabelScheme(),
        LabelScheme.lettered(),
        LabelScheme.lettered(staggered_start=0),
        LabelScheme(columns=Axis(pad=2, start=0), rows=Axis(pad=2, descending=True), order="row_first", separator="."),
        LabelScheme(slant=-1, separator="/"),
    ]
)


@st.composite
def grids(draw: Any, most: int = 6) -> HexGrid:
    sizes = st.integers(1, most)
    edges = st.lists(st.sampled_from(["top", "bottom", "left", "right"]), unique=True, max_size=2)
    while True:
        try:
            return HexGrid(
                columns=draw(sizes),
                rows=draw(sizes),
                orientation=draw(st.sampled_from(["flat", "pointy"])),
                stagger=draw(st.sampled_from(["odd", "even"])),
                short=draw(st.booleans()),
                half=tuple(draw(edges)),
            )
        except GridError:
            continue


@st.composite
def maps(draw: Any) -> Content:
    """A small map with everything that a map can have, its texts as odd as texts can be."""
    rules, grid = own_game(), draw(grids())
    try:
        model = MapModel(rules.id, grid, draw(SCHEMES), rules.terrain_characters, title=draw(TEXTS))
    except GridError:
        model = MapModel(rules.id, grid, LabelScheme(separator=":"), rules.terrain_characters, title=draw(TEXTS))
    cells = [cell for cell in range(grid.cells) if grid.has(cell)]
    for cell in cells:
        model.terrain.flat[cell] = draw(st.integers(0, 2))
        model.levels.flat[cell] = draw(st.integers(-3, 5))
    for cell in draw(st.lists(st.sampled_from(cells), max_size=4, unique=True)):
        for other in grid.neighbours(cell)[:1]:
            kinds = draw(st.lists(st.sampled_from(["river", "bridge"]), min_size=1, unique=True))
            model.sides[min(cell, other), max(cell, other)] = tuple(sorted(kinds))
    x0, y0, x1, y1 = grid.frame
    points = st.tuples(st.integers(x0, x1), st.integers(y0, y1))
    label = model.labels.label
    walk = [draw(st.sampled_from(cells))]
    while len(walk) < 4 and grid.neighbours(walk[-1]):
        walk.append(draw(st.sampled_from(grid.neighbours(walk[-1]))))
    rings = st.lists(points, min_size=3, max_size=5, unique=True)
    dot = draw(st.sampled_from(cells))
    features: list[Any] = [
        Road(id="road-1", path=tuple(map(label, walk)), surface="unpaved", name=draw(TEXTS)),
        Road(id="road-2", path=(label(walk[0]),)),
        Road(id="road-3", path=tuple(map(label, walk)), line=tuple(draw(st.lists(points, min_size=2, max_size=4)))),
        Name(
            id="name-1", text=draw(TEXTS), at=draw(points), size=draw(st.floats(0.1, 3)), angle=draw(st.floats(-90, 90))
        ),
        Marker(id="marker-1", type="smoke", at=label(dot), also=(label(walk[0]),)),
        Area(id="house-1", type="house", outline=tuple(draw(rings)), level=2, tags=("a", "b:c")),
        Area(id="field-1", type="field", outline=tuple(draw(rings)), holes=(tuple(draw(rings)),), name=draw(TEXTS)),
        Place(id="place-1", type="roof", name=draw(TEXTS) or "roof", at=draw(points), within="house-1"),
        Wall(id="wall-1", type="fence", line=tuple(draw(st.lists(points, min_size=2, max_size=5)))),
        Contour(id="contour-1", level=3, line=tuple(draw(st.lists(points, min_size=2, max_size=5)))),
        Dot(id="dot-1", at=label(dot), point=grid.centre(dot)),
    ]
    for feature in draw(st.lists(st.sampled_from(features), unique_by=lambda one: one.id)):
        model.features[feature.id] = feature
    model.notes = draw(TEXTS)
    if draw(st.booleans()):
        model.georeference = Georeference(crs="EPSG:32638", affine=(900.0, 40.0, 6e5, 35.0, -870.0, 3.6e6))
    return content(model, rules)


def without(document: Any, *fields: str) -> Any:
    """Return a document without what a format cannot say."""
    empty = {"notes": "", "sources": [], "backdrop": None, "features": [], "georeference": None}
    return msgspec.structs.replace(document, **{name: empty[name] for name in fields})
