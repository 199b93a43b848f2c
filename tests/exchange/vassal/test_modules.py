"""Modules and saved games, read back: every place bears its own name, every counter lies where it should."""

from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import studio
from studio.errors import UnsupportedError
from studio.exchange.vassal import VassalOptions, write
from studio.exchange.vassal.archive import Images
from studio.exchange.vassal.pieces import Piece, encode
from studio.exchange.vassal.track import TRACK, turn_names
from studio.grid import Axis, LabelScheme
from studio.model import Force, Formation, MapUse, ScenarioDocument, Source, Trigger, UnitRecord
from tests.exchange.vassal.reading import (
    Module,
    NoPaint,
    content_of,
    decode,
    opened,
    read_piece,
    save_texts,
    saved_pieces,
    wanted_places,
)

SCENARIOS = [
    "armageddon-01",
    "armageddon-13",
    "tactics-04",
    "tactics-13",
    "phantom-fury",
    "urban-day",
    "ignorant-armies",
    "practice-front",
]


def written(tmp_path: Path, document, **options) -> tuple[Module, Path]:
    """Write a map or a scenario without paint, and read the module back."""
    scenario = document if document.kind == "scenario" else None
    map_ = document._shown if scenario else document
    content = content_of(map_, scenario.document if scenario else None)
    target = tmp_path / "x.vmod"
    write(content, target, options=VassalOptions(**options), pictures=NoPaint(map_))
    return Module(target), target


def with_units(map_, units, **fields):
    """A scenario of one side with some units, never saved."""
    part = Formation(id="part", name="Part", units=tuple(units))
    force = Force(id="red", name="Red", formations=(part,))
    document = ScenarioDocument(ruleset=map_.ruleset.id, map=MapUse(file="x"), **{"forces": [force], **fields})
    return content_of(map_, document)


def read_back(tmp_path: Path, content, map_) -> tuple[Module, Path, tuple[str, ...]]:
    target = tmp_path / "x.vmod"
    made = write(content, target, pictures=NoPaint(map_))
    return Module(target), target, made.notes


# -- names of places -------------------------------------------------------------------------------------------------


def own_map(**fields):
    return studio.new_map("armageddon_war", **fields)


def joined(*, edge: str, turned: bool = False):
    down = LabelScheme(columns=Axis(pad=2, descending=True), rows=Axis(pad=2, descending=True))
    first = own_map(columns=10, rows=8, half=("right",), labels=down, title="West")
    second = own_map(
        columns=10 if turned else 11, rows=8, stagger="even", half=("left", "right"), labels=down, title="East"
    )
    return studio.join_maps(first, second, edge=edge, turned=turned, prefixes=("", "E "))


MAPS = {
    **{file.name.split(".")[0]: None for file in sorted(Path("maps").glob("*.map.json"))},
    "slanted": lambda: own_map(columns=20, rows=12, labels=LabelScheme(slant=1)),
    "slanted up": lambda: own_map(columns=20, rows=12, labels=LabelScheme(slant=-1, rows=Axis(pad=2, start=20))),
    "AB after AA": lambda: own_map(columns=30, rows=9, labels=LabelScheme.lettered(doubled=False)),
    "pointy, counted from below": lambda: own_map(
        columns=20,
        rows=12,
        orientation="pointy",
        stagger="even",
        labels=LabelScheme(columns=Axis(pad=2), rows=Axis(pad=2, descending=True)),
    ),
    "short, half, row first": lambda: own_map(
        columns=21,
        rows=12,
        stagger="even",
        short=True,
        half=("top", "bottom"),
        labels=LabelScheme(columns=Axis(style="doubled_letters"), rows=Axis(), order="row_first", separator="."),
    ),
    "joined": lambda: joined(edge="right"),
    "apart": lambda: joined(edge="apart"),
    "turned": lambda: joined(edge="right", turned=True),
}


@pytest.mark.parametrize("name", MAPS)
def test_every_place_bears_its_own_name(tmp_path, name):
    """A counter on every place of a map: the board calls the pixel what the map calls the place."""
    map_ = opened(name, "map") if MAPS[name] is None else MAPS[name]()
    directory = map_.survey.directory
    labels = [directory.label(number) for number in directory.numbers.tolist()]
    units = [UnitRecord(id=f"u{n}", type="x", at=label) for n, label in enumerate(labels)]
    module, target, notes = read_back(tmp_path, with_units(map_, units), map_)
    for laid in (module.laid(), list(saved_pieces(target.with_suffix(".vsav"), module))):
        on_map = [one for one in laid if one.board != TRACK]
        assert Counter(one.location for one in on_map) == Counter(labels)
        assert {one.piece.name for one in on_map} == {"x"}
    assert not [note for note in notes if "another name" in note]


@pytest.mark.parametrize("regions", [False, True])
def test_printed_counts_are_numbered_by_vassal_and_others_are_named(tmp_path, regions):
    """D0 stands beside A1 on these maps: the grid can say that; with `regions` every hex is named all the same."""
    module, _ = written(tmp_path, opened("tactics-3", "map"), regions=regions)
    (board,) = module.map_boards
    assert (board.numbers is None) == regions
    assert len(board.regions) == (135 if regions else 0)


def test_four_thousand_named_hexes(tmp_path):
    map_ = own_map(columns=100, rows=40, labels=LabelScheme(slant=1))
    module, _ = written(tmp_path, map_)
    (board,) = module.map_boards
    assert len(board.regions) == 4000
    at = np.array([(one.x, one.y) for one in board.regions])
    assert board.names_at(at) == map_.labels.all()
    assert max(board.picture.width, board.picture.height) <= 14_000


def test_counters_do_not_drift_on_a_wide_map(tmp_path):
    """Hexes of 71.45 x 61.85 pixels: the middle of 4008 is worked out here by hand."""
    map_ = own_map(columns=40, rows=20, hex_width=71.45, hex_height=61.85)
    content = with_units(map_, [UnitRecord(id="u", type="x", at="4008"), UnitRecord(id="v", type="x", at="0101")])
    target = tmp_path / "x.vmod"
    write(content, target, options=VassalOptions(hex_px=61.85), pictures=NoPaint(map_))
    first, last = sorted((one.x, one.y) for one in Module(target).laid() if one.board != TRACK)
    assert abs(last[0] - first[0] - 39 * 0.75 * 71.45) <= 1
    assert abs(last[1] - first[1] - 7.5 * 61.85) <= 1
    (board,) = Module(target).map_boards
    assert abs(board.numbers.dx - 0.75 * 71.45) < 1e-9
    assert abs(board.numbers.dy - 61.85) < 1e-9


def test_half_hexes_and_layers_have_boards_of_their_own(tmp_path):
    module, _ = written(tmp_path, opened("urban-day"))
    assert [window.get("mapName") for window in module.windows] == ["Town quarter (surface)", "Underground", TRACK]
    assert [window.get("launch") for window in module.windows] == ["false", "true", "true"]


def test_places_with_one_dot_are_set_apart(tmp_path):
    """A road beside a structure shares the dot of its hex; counters on the one must not count as on the other."""
    map_ = opened("tactics-4", "map")
    units = [UnitRecord(id="a", type="x", at="N7"), UnitRecord(id="b", type="x", at="N7 road")]
    module, _, _ = read_back(tmp_path, with_units(map_, units), map_)
    (ax, ay), (bx, by) = ((one.x, one.y) for one in module.laid() if one.board != TRACK)
    assert 20 <= np.hypot(ax - bx, ay - by) <= 40


# -- counters --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_counter_lies_where_the_scenario_says(tmp_path, name):
    scenario = opened(name)
    module, target = written(tmp_path, scenario)
    wanted = wanted_places(scenario.document)
    waiting, track = wanted.pop("", 0), bool(turn_names(scenario.document))
    for laid in (module.laid(), list(saved_pieces(target.with_suffix(".vsav"), module))):
        assert Counter(one.location for one in laid if one.board != TRACK) == wanted
        assert sum(one.board == TRACK for one in laid) == waiting + track
        assert all(one.location for one in laid)
    # The saved game holds the very counters of the module.
    slots = {slot.gpid: slot for slot in module.slots}
    for one in saved_pieces(target.with_suffix(".vsav"), module):
        slot = slots[one.piece.gpid]
        assert (one.piece.name, one.piece.traits, one.piece.states) == (slot.name, slot.traits, slot.states)


@pytest.mark.parametrize(("name", "kind"), [("armageddon-01", "scenario"), ("tactics-3", "map")])
def test_a_module_is_whole(tmp_path, name, kind):
    """Numbers of pieces are unique and below the next one; every picture that is used is there, and no other."""
    module, _ = written(tmp_path, opened(name, kind))
    gpids = [slot.gpid for slot in module.slots]
    assert len(set(gpids)) == len(gpids)
    assert max(gpids) < int(module.root.get("nextPieceSlotId"))
    used = {one.get("image") for one in module.root.iter("VASSAL.build.module.map.boardPicker.Board")}
    for slot in module.slots:
        used.add(slot.image)
        used |= {
            word for trait in slot.traits.values() for word in trait.replace(",", ";").split(";") if ".png" in word
        }
    assert {f"images/{file}" for file in used} == {file for file in module.names if file.startswith("images/")}
    pages = {one.get("fileName") for one in module.root.iter() if one.get("fileName")}
    assert pages <= set(module.names)


def test_every_kind_of_the_roster_is_there_to_take(tmp_path):
    scenario = opened("tactics-04")
    module, _ = written(tmp_path, scenario)
    panels = module.root.findall(".//VASSAL.build.widget.PanelWidget")
    names = {read_piece(slot.text).name for panel in panels for slot in panel}
    assert {kind.name for kind in scenario.ruleset.scenario.roster().values()} <= names
    assert [panel.get("entryName") for panel in panels][:2] == ["Insurgents", "Canadians"]
    assert {"Shaken", "Pinned"} <= names


def test_sides_turns_dice_and_words(tmp_path):
    scenario = opened("armageddon-01")
    module, _ = written(tmp_path, scenario)
    (roster,) = module.root.findall("VASSAL.build.module.PlayerRoster")
    assert [entry.text for entry in roster] == ["Rebels", "ISIL"]
    (turns,) = module.root.iter("VASSAL.build.module.turn.ListTurnLevel")
    assert turns.get("list").split(",") == [f"Activation {n}" for n in range(1, 17)]
    dice = [(one.get("nDice"), one.get("nSides")) for one in module.root.iter("VASSAL.build.module.DiceButton")]
    assert dice == [("1", "6"), ("2", "6")]
    assert b"What it says" in module.archive.read("scenario.html")


def test_help_names_the_sources_of_map_and_scenario_each_once(tmp_path):
    """In plain letters, since the engine reads pages of its help as Latin ones; a map has no window of charts."""
    map_ = own_map(columns=4, rows=3, title="Town")
    streets = {"title": "OpenStreetMap", "licence": "ODbL 1.0", "note": "© OpenStreetMap <contributors>"}
    map_.set("sources", [streets])
    book = Source(title="A book", licence="facts only")
    document = ScenarioDocument(ruleset=map_.ruleset.id, map=MapUse(file="x"), sources=[Source(**streets), book])
    for content, wanted in ((content_of(map_), []), (content_of(map_, document), ["Scenario"])):
        module, _, _ = read_back(tmp_path, content, map_)
        helps = [one.get("title") for one in module.root.iter("VASSAL.build.module.documentation.HelpFile")]
        charts = [one.get("chartName") for one in module.root.iter("VASSAL.build.widget.HtmlChart")]
        assert (helps, charts) == ([*wanted, "Sources"], wanted)
        page = module.archive.read("sources.html").decode("ascii")
        items = page.partition("<ul>")[2].partition("</ul>")[0]
        said = "<li>OpenStreetMap (ODbL 1.0). &#169; OpenStreetMap &lt;contributors&gt;.</li>"
        assert items == said + ("<li>A book (facts only).</li>" if wanted else "")


def test_a_map_of_nobody_has_no_help(tmp_path):
    map_ = own_map(columns=4, rows=3)
    module, _, _ = read_back(tmp_path, content_of(map_), map_)
    assert not [name for name in module.names if name.endswith(".html")]


def test_who_enters_waits_in_the_box_of_the_turn(tmp_path):
    map_ = own_map(columns=6, rows=6)
    unit = UnitRecord(id="u", type="isil.bmp_3m", count=2)
    late = Formation(id="late", name="Late", units=(unit,), arrival="enter", arrival_turn=3)
    when = Trigger(kind="roll", first_turn=2)
    rolled = Formation(
        id="rolled", name="Rolled", units=(msgspec.structs.replace(unit, id="w"),), arrival="enter", when=when
    )
    pool = Formation(id="pool", name="Pool", units=(msgspec.structs.replace(unit, id="v"),), arrival="pool")
    force = Force(id="red", name="Red", formations=(late, rolled, pool))
    content = with_units(map_, [], forces=[force], length=4, turn_names=("dawn", "day", "dusk, night", ""))
    module, _, _ = read_back(tmp_path, content, map_)
    found = Counter((one.piece.name, one.location) for one in module.laid())
    assert found == {
        ("Turn", "Turn 1: dawn"): 1,
        ("BMP-3M", "Turn 2: day"): 2,
        ("BMP-3M", "Turn 3: dusk, night"): 2,
        ("BMP-3M", "Red: Pool, in the pool"): 2,
    }
    (turns,) = module.root.iter("VASSAL.build.module.turn.ListTurnLevel")
    assert decode(",", turns.get("list")) == ["Turn 1: dawn", "Turn 2: day", "Turn 3: dusk, night", "Turn 4"]


def test_what_is_carried_lies_on_its_carrier(tmp_path):
    map_ = own_map(columns=6, rows=6)
    units = [
        UnitRecord(id="gun", type="gun", carried_by="squad"),
        UnitRecord(id="squad", type="squad", carried_by="truck", count=2),
        UnitRecord(id="truck", type="truck", at="0203"),
        UnitRecord(id="loop", type="loop", carried_by="pool"),
        UnitRecord(id="pool", type="pool", carried_by="loop"),
    ]
    module, _, _ = read_back(tmp_path, with_units(map_, units), map_)
    on_map = [(one.location, one.piece.name) for one in module.laid() if one.board != TRACK]
    assert on_map == [("0203", "truck"), ("0203", "gun"), ("0203", "squad"), ("0203", "squad")]
    assert Counter(one.piece.name for one in module.laid())["loop"] == 1


def test_hidden_units_are_masked_and_reduced_ones_turned(tmp_path):
    map_ = studio.new_map("modern_tactics", columns=6, rows=6, labels=LabelScheme.lettered())
    units = [
        UnitRecord(id="a", type="us.rifle", at="A1", status=("hidden",)),
        UnitRecord(id="b", type="us.rifle", at="A2", status=("reduced",)),
        UnitRecord(id="c", type="us.rifle", at="A3", status=("shaken",)),
    ]
    module, _, _ = read_back(tmp_path, with_units(map_, units), map_)
    pieces = {one.location: one.piece for one in module.laid() if one.board != TRACK}
    assert pieces["A1"].states["obs"] == "Red;"
    assert pieces["A2"].states["obs"] == "null;"
    assert [pieces[at].states["emb2"] for at in ("A1", "A2", "A3")] == ["1", "2", "1"]
    # Front and back of the plain ones are the same pictures; the shaken one shows it.
    assert pieces["A1"].image == pieces["A2"].image != pieces["A3"].image
    assert pieces["A1"].states["mark"] == "Red,Part"


def test_a_unit_without_a_place_waits_and_is_told_of(tmp_path):
    map_ = own_map(columns=6, rows=6)
    units = [UnitRecord(id="lost", type="x", at="9999"), UnitRecord(id="many", type="x", at="0101", count=900)]
    module, _, notes = read_back(tmp_path, with_units(map_, units), map_)
    assert Counter(one.location for one in module.laid() if one.piece.name != "Turn") == {
        "Red: Part, sets up": 1,
        "0101": 1,
    }
    assert [note for note in notes if note.startswith(("lost:", "many:"))] == [
        "lost: its place '9999' is none on this map; it waits beside it.",
        "many: 900 counters are one piece with their number on it.",
    ]


# -- files -----------------------------------------------------------------------------------------------------------


def test_the_same_content_gives_the_same_bytes(tmp_path):
    scenario = opened("phantom-fury")
    _, target = written(tmp_path, scenario)
    first = target.read_bytes(), target.with_suffix(".vsav").read_bytes()
    written(tmp_path, scenario)
    assert first == (target.read_bytes(), target.with_suffix(".vsav").read_bytes())


def test_a_saved_game_alone_is_that_of_the_module(tmp_path):
    scenario = opened("practice-front")
    _, target = written(tmp_path, scenario)
    both = target.with_suffix(".vsav").read_bytes()
    alone = tmp_path / "alone.vsav"
    content = content_of(scenario._shown, scenario.document)
    made = write(content, alone, pictures=NoPaint(scenario._shown))
    assert made.files == (alone,)
    assert alone.read_bytes() == both
    assert save_texts(alone)[-1] == "SETUP_STACK\t"
    _, target = written(tmp_path, scenario, save=False)
    with pytest.raises(UnsupportedError, match="needs a scenario"):
        write(content_of(scenario.map), alone, pictures=NoPaint(scenario.map))


def test_boards_that_would_be_too_large_are_refused(tmp_path):
    huge = own_map(columns=1500, rows=1500)
    with pytest.raises(UnsupportedError, match="more than a board can hold"):
        write(content_of(huge), tmp_path / "x.vmod", pictures=NoPaint(huge))
    small = own_map(columns=5, rows=5)
    for px in (3, 1e9, float("nan")):
        with pytest.raises(UnsupportedError, match="hex_px"):
            write(content_of(small), tmp_path / "x.vmod", options=VassalOptions(hex_px=px), pictures=NoPaint(small))
    assert not list(tmp_path.iterdir())


def test_equal_pictures_are_kept_once():
    images = Images()
    assert [images.add("Tank", b"a"), images.add("Tank", b"b"), images.add("Car", b"a")] == [
        "tank.png",
        "tank-2.png",
        "tank.png",
    ]
    assert images.add("‽", b"c") == "picture.png"


WORDS = st.text(alphabet="ab;/\t,\\' é", max_size=8)


@given(st.sampled_from([";", "/", "\t", ","]), st.lists(WORDS, min_size=1, max_size=4))
def test_joined_texts_come_apart_again(delimiter, words):
    """Blanks aside from a text that ends in a backslash before a delimiter, which quotes guard."""
    assert decode(delimiter, encode(delimiter, words)) == words


@given(WORDS, WORDS, st.booleans())
def test_pieces_come_back_from_their_texts(name, mark, turned):
    piece = Piece(name, "a.png", "b.png", turned, "m.png", "", (("Side", mark),))
    read = read_piece(piece.text(7, piece="3", x=4, y=5))
    assert (read.name, read.image, read.gpid, read.x, read.y) == (" ".join(name.split()), "a.png", 7, 4, 5)
    assert read.states["emb2"] == ("2" if turned else "1")
    assert list(read.traits) == ["obs", "delete", "clone", "emb2", "mark"]
