"""Reads modules and saved games of VASSAL back, by what the engine does with their texts; pictures without paint."""

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as Xml

import numpy as np

import studio
from studio.exchange.content import BoardPicture, Content
from studio.exchange.vassal.boards import Board, Region, Zone
from studio.exchange.vassal.numbering import AxisNumbers, HexNumbers
from studio.exchange.vassal.track import TRACK
from studio.rules.roster import roster_of

GRID = "VASSAL.build.module.map.boardPicker.board."


# -- pictures --------------------------------------------------------------------------------------------------------


class NoPaint:
    """Pictures that are a few bytes, different where they would look different."""

    def __init__(self, map_) -> None:
        self.map = map_

    def board(self, hex_px, *, sheet="", layer=""):
        grid = self.map.grid
        frames = [grid.frame]
        if layer:
            pairs = zip(grid.joint.frames, self.map.model.sheets, strict=True)
            frames = [frame for frame, one in pairs if one.layer == layer]
        (x0, y0), (x1, y1) = np.array(frames)[:, :2].min(axis=0), np.array(frames)[:, 2:].max(axis=0)
        sx, sy = (step * hex_px / grid.hex_height for step in grid.scale)
        size = round((x1 - x0) * sx + hex_px), round((y1 - y0) * sy + hex_px)
        return BoardPicture(f"board {layer}".encode(), *size, hex_px / 2 - x0 * sx, hex_px / 2 - y0 * sy, sx, sy)

    def counter(self, unit, side, px):
        return f"{unit.type} {side} {unit.count} {unit.status} {unit.quality} {unit.facing} {px}".encode()

    def marker(self, name, words, color, px):
        return f"marker {name} {words} {color} {px}".encode()

    def boxes(self, boxes, size):
        return f"boxes {boxes} {size}".encode()

    def page(self):
        return "<html><body>What it says</body></html>\n"


def content_of(map_, document=None) -> Content:
    ruleset = map_.ruleset
    if document is not None:
        roster = roster_of(ruleset, document)
    else:
        roster = ruleset.scenario.roster() if ruleset.has_scenario else {}
    return Content(map_.model, map_.survey, ruleset, document, roster)


def opened(name: str, kind: str = "scenario"):
    """A scenario or a map of the project by the name of its file."""
    return getattr(studio, f"open_{kind}")(f"{kind}s/{name}.{kind}.json", recover_unsaved=False)


# -- texts of the engine ---------------------------------------------------------------------------------------------


def decode(delimiter: str, text: str) -> list[str]:
    """Take apart what the engine joined: a backslash guards the next delimiter, quotes guard the ends."""
    parts, part, n = [], "", 0
    while n < len(text):
        if text.startswith("\\" + delimiter, n):
            part, n = part + delimiter, n + 2
        elif text[n] == delimiter:
            parts, part, n = [*parts, part], "", n + 1
        else:
            part, n = part + text[n], n + 1
    return [one[1:-1] if len(one) > 1 and one.startswith("'") and one.endswith("'") else one for one in [*parts, part]]


class Read(NamedTuple):
    """A piece as a module or a saved game has it."""

    id: str
    name: str
    image: str
    gpid: int
    traits: dict[str, str]
    states: dict[str, str]
    x: int
    y: int


def read_piece(text: str) -> Read:
    assert text.startswith("+/")
    piece, kind, state = decode("/", text[2:])
    traits, states = {}, {}
    while not kind.startswith("piece;"):
        (trait, kind), (its, state) = decode("\t", kind), decode("\t", state)
        traits[trait.partition(";")[0]], states[trait.partition(";")[0]] = trait, its
    _, _, _, image, name = decode(";", kind)
    _, x, y, gpid, _ = decode(";", state)
    return Read(piece, name, image, int(gpid), traits, states, int(x), int(y))


# -- modules ---------------------------------------------------------------------------------------------------------


class Laid(NamedTuple):
    """A piece on a board, the board's name for its pixel."""

    board: str
    x: int
    y: int
    location: str
    piece: Read


class Module:
    """A module read back from its archive."""

    def __init__(self, path: Path) -> None:
        self.archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
        self.names = self.archive.namelist()
        self.root = Xml.fromstring(self.archive.read("buildFile.xml"))
        self.windows = self.root.findall("VASSAL.build.module.Map")
        self.boards = {window.get("mapName"): read_board(window) for window in self.windows}

    @property
    def slots(self) -> list[Read]:
        return [read_piece(one.text) for one in self.root.iter("VASSAL.build.widget.PieceSlot")]

    @property
    def map_boards(self) -> list[Board]:
        return [board for name, board in self.boards.items() if name != TRACK]

    def laid(self) -> list[Laid]:
        """What lies on the boards when a new game begins."""
        found = []
        for window in self.windows:
            for stack in window.findall("VASSAL.build.module.map.SetupStack"):
                assert stack.get("useGridLocation") == "false"
                board = self.boards[stack.get("owningBoard")]
                x, y = int(stack.get("x")), int(stack.get("y"))
                (name,) = board.names_at(np.array([[x, y]]))
                found += [Laid(board.name, x, y, name, read_piece(slot.text)) for slot in stack]
        return found


def read_board(window: Xml.Element) -> Board:
    (board,) = window.iter("VASSAL.build.module.map.boardPicker.Board")
    (setup,) = window.iter("setup")
    assert setup.text.split("\t") == [f"{board.get('name')}BoardPicker", board.get("name"), "0", "0"]
    size = int(board.get("width")), int(board.get("height"))
    zoned = board.find(GRID + "ZonedGrid")
    inner = zoned if zoned is not None else board
    zones = tuple(read_zone(one) for one in inner.findall(GRID + "mapgrid.Zone"))
    picture = BoardPicture(b"", *size, 0.0, 0.0, 1.0, 1.0)
    numbers, regions = read_numbers(inner, size), read_regions(inner)
    return Board(name=board.get("name"), picture=picture, zones=zones, numbers=numbers, regions=regions)


def read_zone(zone: Xml.Element) -> Zone:
    path = tuple(tuple(map(int, pair.split(","))) for pair in zone.get("path").split(";"))
    low, high = np.array(path).min(axis=0), np.array(path).max(axis=0)
    numbers, regions = read_numbers(zone, tuple((high - low).tolist())), read_regions(zone)
    shown = zone.get("locationFormat")
    assert shown.endswith("$gridLocation$" if numbers is not None or regions else "$name$")
    return Zone(zone.get("name"), path, regions, numbers, shown.removesuffix("$gridLocation$").replace("$name$", ""))


def read_regions(parent: Xml.Element) -> tuple[Region, ...]:
    grid = parent.find(GRID + "RegionGrid")
    found = [] if grid is None else grid.findall(GRID + "Region")
    return tuple(Region(one.get("name"), int(one.get("originx")), int(one.get("originy"))) for one in found)


def read_numbers(parent: Xml.Element, size: tuple[int, int]) -> HexNumbers | None:
    grid = parent.find(GRID + "HexGrid")
    if grid is None:
        return None
    (names,) = grid
    sideways = grid.get("sideways") == "true"
    down = [names.get("hDescend") == "true", names.get("vDescend") == "true"]
    if sideways:
        down.reverse()
    across, along = (
        AxisNumbers(names.get(f"{a}Type"), int(names.get(f"{a}Leading")), int(names.get(f"{a}Off")), down[n])
        for n, a in enumerate("hv")
    )
    measures = int(grid.get("x0")), int(grid.get("y0")), float(grid.get("dx")), float(grid.get("dy"))
    stagger, first = names.get("stagger") == "true", names.get("first") == "H"
    return HexNumbers(*measures, *size, across, along, sideways, stagger, first, names.get("sep"))


# -- saved games -----------------------------------------------------------------------------------------------------


def save_texts(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        hidden = archive.read("savedGame")
        assert archive.namelist() == ["savedGame", "savedata", "moduledata"]
    assert hidden.startswith(b"!VCSK")
    key, data = int(hidden[5:7], 16), bytes.fromhex(hidden[7:].decode("ascii"))
    texts = bytes(byte ^ key for byte in data).decode("utf-8").split("\x1b")
    assert (texts[0], texts[-1]) == ("begin_save", "end_save")
    return texts[1:-1]


def saved_pieces(path: Path, module: Module) -> Iterator[Laid]:
    """What a saved game lays on the boards of its module."""
    pieces = {}
    for text in save_texts(path):
        if re.match(r"\+/\d+/stack/", text):
            _, _, state = decode("/", text[2:])
            board, x, y, *ids, layer = decode(";", state)
            assert layer == "@@-1"
            (name,) = module.boards[board].names_at(np.array([[int(x), int(y)]]))
            yield from (Laid(board, int(x), int(y), name, pieces.pop(one)) for one in ids)
        elif text.startswith("+/"):
            piece = read_piece(text)
            pieces[piece.id] = piece
    assert not pieces, "every piece lies in a stack"


# -- what a scenario wants -------------------------------------------------------------------------------------------


def wanted_places(document) -> Counter:
    """How many counters have to lie at each label; "" off the map. What is carried is where its carrier is."""
    units = {unit.id: unit for force in document.forces for part in force.formations for unit in part.units}
    found: Counter = Counter()
    for unit in units.values():
        at = unit
        while not at.at and at.carried_by:
            at = units[at.carried_by]
        found[at.at] += unit.count
    return found
