"""Ink: what the painters draw as display lists, whole, of every shipped map; how it travels; texts stay texts."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import studio
from studio.draw import (
    draw_dead_ground,
    draw_exposure,
    draw_field_of_view,
    draw_findings,
    draw_interdiction,
    draw_sight,
    draw_supply,
)
from studio.draw.displaylist import GRAIN, DisplayList, Group, InkError, Scale, convert
from studio.draw.ink import _axes, _drawn, ink_of_answer, ink_of_map
from studio.draw.inkwire import InkSender
from studio.draw.picture import Picture, style_of
from studio.draw.recording import current, noted, owned, sizes
from studio.model import MapUse
from tests.draw.scenes import district, street, valley

MAPS = sorted((Path(__file__).parents[2] / "maps").glob("*.map.json"))
SCENARIOS = Path(__file__).parents[2] / "scenarios"


# -- what a browser makes of it --------------------------------------------------------------------------------------


class Reader:
    """The messages as a browser reads them: paths by number, with their groups and all their points."""

    def __init__(self) -> None:
        self.shapes: list[tuple[list[tuple[int, int]], np.ndarray]] = []
        self.owners, self.groups, self.items, self.number = [""], {}, {}, 0

    def take(self, message: dict[str, Any], data: bytes) -> None:
        if message["base"] == 0:
            self.__init__()  # type: ignore[misc]
        else:
            assert message["base"] == self.number
        self.number, self.data, self.at = message["number"], data, 0
        self.owners += message["owners"]
        for number, *values in message["groups"]:
            self.groups[number] = Group(*(tuple(v) if isinstance(v, list) else v for v in values))
        for _ in range(self.next()):
            runs = [divmod(self.next(), 4)[::-1] for _ in range(self.next())]
            count = sum((1, 2, 3, 0)[op] * times for op, times in runs)
            steps = [[self.signed(), self.signed()] for _ in range(count)]
            self.shapes.append((runs, np.cumsum(np.reshape(steps, (-1, 2)), axis=0)))
        x = y = 0
        for _ in range(self.next()):
            group, ids = self.groups[self.next()], []
            count, number = self.next(), 0
            for _ in range(count):
                number += self.next()
                ids.append(number)
            for number in ids:
                owner = self.owners[self.next()]
                x, y = x + self.signed(), y + self.signed()
                pieces, px, py = [], 0, 0
                for _ in range(self.next()):
                    shape = self.shapes[self.next()]
                    px, py = px + self.signed(), py + self.signed()
                    pieces.append((shape, px, py))
                self.items[number] = (group, owner, x, y, pieces)
        for number, *values in message["words"]:
            self.items[number] = ("words", *values)
        number = 0
        for _ in range(self.next()):
            number += self.next()
            del self.items[number]
        assert self.at == len(data)

    def next(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self) -> int:
        n = self.next()
        return -(n + 1) // 2 if n % 2 else n // 2


def points(item: Any) -> list[tuple[int, int]]:
    """All points of a path in steps, the starts of its pieces among them."""
    _, _, x, y, pieces = item
    found = []
    for (_, steps), px, py in pieces:
        found += [(x + px, y + py), *((x + px + int(a), y + py + int(b)) for a, b in steps)]
    return found


def read(sender: InkSender, ink: DisplayList, reader: Reader | None = None, **options: Any) -> Reader:
    reader = reader or Reader()
    for message, buffers in sender.messages(ink, **options):
        reader.take(message, buffers[0])
    return reader


def opened(path: Path) -> Any:
    return studio.open_map(path, recover_unsaved=False)


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.name.split(".")[0])
def test_every_artist_of_every_shipped_map_is_converted_and_arrives(path: Path) -> None:
    made = opened(path)
    ink = ink_of_map(made)
    reader = read(InkSender(), ink)
    assert len(reader.items) == len(ink)
    kinds = Counter(record.__struct_config__.tag for record in made.model.features.values())
    layers = Counter(group.layer for group in ink.groups)
    if kinds["area"]:
        assert layers["area"] and layers["border"]
    if kinds["aperture"] or kinds["place"]:
        assert layers["sign"]
    # Each path with the vertices that matplotlib has, none off by more than two steps of 2000 to a hex.
    expected = recorded_vertices(made)
    told: dict[Any, list[Any]] = {}
    for item in reader.items.values():
        if item[0] != "words" and not item[0].pattern:
            told.setdefault(item[0].zorder, []).append(points(item))
    assert {zorder: len(paths) for zorder, paths in told.items()} == {z: len(paths) for z, paths in expected.items()}
    for zorder, paths in told.items():
        apart = np.abs(np.sort(measures(paths), axis=0) - np.sort(measures(expected[zorder]), axis=0))
        assert apart.max() <= 2.5, zorder


def measures(paths: list[list[tuple[int, int]]]) -> np.ndarray:
    """Number of points, middle and extent of each path; shape (paths, 5)."""
    return np.array([[len(p), *np.mean(p, axis=0), *np.ptp(p, axis=0)] for p in map(np.asarray, paths)])


def recorded_vertices(made: Any) -> dict[float, list[list[tuple[int, int]]]]:
    """Read the paths off the axes once more, without the converter: vertices in steps, by zorder."""
    from matplotlib.collections import Collection

    from studio.draw.ink import _painters
    from studio.draw.recording import recorded
    from studio.draw.sites import sites_of

    ax = _axes(made.model, 100.0)
    with recorded():
        drawn = Picture(made.model, style_of(made, None), ax=ax, sites=sites_of(made))
        for _, paint in _painters(drawn, None):
            paint()
    found: dict[float, list[list[tuple[int, int]]]] = {}
    for artist in _drawn(ax):
        if not isinstance(artist, Collection) or hasattr(artist, "ink_pattern"):
            continue
        seen = len(artist.get_facecolor()) and artist.get_facecolor()[0][3] > 0
        seen = seen or (len(artist.get_edgecolor()) and artist.get_edgecolor()[0][3] > 0 and artist.get_linewidth()[0])
        for path in artist.get_paths() if seen else ():
            codes = path.codes if path.codes is not None else np.r_[1, np.full(len(path.vertices) - 1, 2)]
            kept = np.rint(path.vertices[codes != 79] / made.grid.hex_height * GRAIN).astype(int)
            found.setdefault(round(float(artist.get_zorder()), 4), []).append([tuple(p) for p in kept.tolist()])
    return found


def test_a_large_map_of_zones_takes_less_than_half_a_megabyte() -> None:
    ink = ink_of_map(opened(next(path for path in MAPS if "phantom" in path.name)))
    assert sum(len(buffer) for _, buffers in InkSender().messages(ink) for buffer in buffers) < 150_000
    patterns = [group.pattern[0] for group in ink.groups if group.pattern]
    assert {"slabs", "dots"} <= set(patterns)


def test_after_a_change_only_that_travels() -> None:
    made = opened(next(path for path in MAPS if "urban" in path.name))
    sender = InkSender()
    reader = read(sender, ink_of_map(made))
    before = set(reader.items)
    wall = next(f for f in made.model.features.values() if f.__struct_config__.tag == "wall")
    moved = {**msgspec.to_builtins(wall), "line": [[x + 30, y] for x, y in wall.line]}
    made.apply(studio.model.Put(collection="features", record=moved))
    ink = ink_of_map(made)
    letters = list(sender.messages(ink))
    assert sum(len(buffer) for _, buffers in letters for buffer in buffers) < 4000
    for message, buffers in letters:
        reader.take(message, buffers[0])
    fresh = [item for number, item in reader.items.items() if number not in before]
    assert 0 < len(fresh) < 40 and any(item[1] == wall.id for item in fresh)
    assert Counter(map(repr, (i[:4] for i in reader.items.values()))) == Counter(
        map(repr, (i[:4] for i in read(InkSender(), ink).items.values()))
    )
    assert list(sender.messages(ink)) == []
    again = read(sender, ink, whole=True)
    assert len(again.items) == len(ink)
    made.close()


def test_many_messages_make_one_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.draw.inkwire.MOST", 500)
    ink = ink_of_map(street())
    letters = list(InkSender().messages(ink))
    assert len(letters) > 2 and letters[0][0]["base"] == 0
    assert len(read(InkSender(), ink).items) == len(ink)


# -- whose it is, and when it shows ----------------------------------------------------------------------------------


def test_paths_belong_to_their_features() -> None:
    made = street()
    ink = ink_of_map(made)
    owners = {stroke.owner for strokes in ink.groups.values() for stroke in strokes}
    drawn = {
        record.id
        for record in made.model.features.values()
        if record.__struct_config__.tag in ("area", "wall", "aperture", "place", "marker")
    }
    assert drawn <= owners


def test_what_is_small_shows_only_where_it_can_be_seen() -> None:
    ink = ink_of_map(street())
    looks = {group for group in ink.groups if group.layer == "name"}
    assert looks and all(group.low >= 5 for group in looks)
    assert any(group.high for group in looks) and any(not group.high for group in looks)
    assert all(group.low >= 20 for group in ink.groups if group.pattern)


def test_notes_have_no_effect_outside_of_a_recording() -> None:
    with noted(low=9):
        assert current() is None
    assert list(owned([1, 2])) == [1, 2] and list(sizes(33.0, 14.0)) == [33.0]


def test_out_of_play_is_greyed() -> None:
    made = studio.new_map("armageddon_war", columns=6, rows=5)
    assert not len(ink_of_map(made))
    use = MapUse(file="a.map.json", hexes=("0101", "0202")) if "hexes" in MapUse.__struct_fields__ else None
    if use is not None:
        ink = ink_of_map(made, in_play=use)
        assert {group.layer for group in ink.groups} == {"play"}


# -- answers ---------------------------------------------------------------------------------------------------------


def answers() -> list[tuple[str, Any, Any, Any, dict[str, Any]]]:
    room, zones, hills = street(), district(), valley()
    desert = studio.new_map("armageddon_war", columns=14, rows=10).paint(["0504", "0505"], terrain="dense_woods")
    front = studio.open_scenario(SCENARIOS / "practice-front.scenario.json", recover_unsaved=False)
    return [
        ("sight", draw_sight, desert, desert.sight("0204", "0804"), {}),
        ("sight of rooms", draw_sight, room, room.sight("A.1", "0104"), {}),
        ("sight of zones", draw_sight, zones, zones.sight("14", "26"), {}),
        ("view", draw_field_of_view, desert, desert.field_of_view("0305"), {}),
        ("view of rooms", draw_field_of_view, room, room.field_of_view("A.1"), {}),
        ("exposure", draw_exposure, hills, hills.exposure(["0102", "0704"]), {}),
        ("dead ground", draw_dead_ground, desert, desert.dead_ground(["0305", "1105"]), {}),
        ("findings", draw_findings, room, list(room.check()), {}),
        ("supply", draw_supply, front, front.supply("iraq"), {}),
        ("interdiction", draw_interdiction, front, front.interdiction("iraq"), {}),
    ]


def test_answers_come_without_their_ground() -> None:
    for title, draw, subject, answer, options in answers():
        ink = ink_of_answer(draw, subject, answer, **options)
        reader = read(InkSender(), ink)
        assert len(reader.items) == len(ink), title
        assert {group.layer for group in ink.groups} <= {"answer"}, title
        if title != "findings":
            assert len(ink), title
        # Over the map only: washes, lines, marks; nothing of the ground's zorders.
        assert min((group.zorder for group in ink.groups), default=99) >= 9, title
        frame = getattr(subject, "map", subject).grid.frame
        assert frame is not None


def test_marks_and_lines_of_answers_have_their_least_sizes() -> None:
    desert = studio.new_map("armageddon_war", columns=14, rows=10)
    ink = ink_of_answer(draw_sight, desert, desert.sight("0204", "0804"))
    lines = [group for group in ink.groups if group.edge and not group.mark and group.zorder == 32]
    assert lines and min(group.least for group in lines) >= 300  # 2.2 points are three pixels
    labels = {words.text.strip(): words for words in ink.words}
    assert {"0204", "0804"} <= set(labels) and labels["0204"].least >= 700 and labels["0204"].box
    view = ink_of_answer(draw_field_of_view, desert, desert.field_of_view("0305"))
    marks = [group.mark for group in view.groups if group.mark]
    assert marks and all(size > 0 and least > 700 for size, least in marks)


def test_a_part_of_the_map_is_drawn_where_it_lies_on_the_whole() -> None:
    desert = studio.new_map("armageddon_war", columns=30, rows=20)
    ink = ink_of_answer(draw_sight, desert, desert.sight("2512", "2812"))
    x, _ = desert.grid.to_map(*desert.grid.centre(desert.labels.cell("2512")))
    ends = [stroke.x for group, strokes in ink.groups.items() if group.mark for stroke in strokes]
    assert min(abs(end - x / desert.grid.hex_height * GRAIN) for end in ends) <= 2


# -- texts and strangers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["<b>Bold</b> & co", "a $5$ \\alpha_2", "مفرق الطرق", "שלום", "x" * 3000])
def test_texts_stay_texts(text: str) -> None:
    made = studio.new_map("armageddon_war", columns=6, rows=5)
    ax = _axes(made.model, 64.0)
    x, y = made.grid.to_map(*made.grid.centre(8))
    ax.set(xlim=(0, 10), ylim=(10, 0))
    ax.text(
        x, y, text, fontsize=9, ha="left", va="top", bbox={"boxstyle": "round,pad=0.2"}, parse_math=False, zorder=33
    )
    ink = convert(DisplayList(), ax, _drawn(ax), Scale(64.0, made.grid.hex_height), lambda _: "answer")
    (words,) = ink.words
    assert words.text == text and words.wide > 0 and words.box[0] == "round"
    # To the right of the anchor and below it, as it is aligned.
    assert words.middle[0] == pytest.approx(words.wide / 2, abs=2) and words.middle[1] > 500
    (item,) = read(InkSender(), ink).items.values()
    assert item[3] == text


def test_unknown_artists_are_errors() -> None:
    made = studio.new_map("armageddon_war", columns=6, rows=5)
    ax = _axes(made.model, 64.0)
    ax.imshow(np.zeros((2, 2)))
    with pytest.raises(InkError, match="AxesImage cannot be drawn on a canvas"):
        convert(DisplayList(), ax, _drawn(ax), Scale(64.0, 1.0), lambda _: "answer")
    hatched = _axes(made.model, 64.0)
    hatched.bar([1], [2], hatch="//")
    with pytest.raises(InkError, match="hatch"):
        convert(DisplayList(), hatched, _drawn(hatched), Scale(64.0, 1.0), lambda _: "answer")


def test_recording_leaves_pictures_as_they_are() -> None:
    made = street()

    def shown() -> bytes:
        picture = Picture(made.model, style_of(made, None), hex_px=24)
        picture.ground()
        picture.figure.canvas.draw()
        return bytes(picture.figure.canvas.buffer_rgba())

    before = shown()
    ink_of_map(made)
    ink_of_answer(draw_sight, made, made.sight("A.1", "0104"))
    assert shown() == before


def test_figures_of_an_answer_are_there_at_every_size_at_which_a_picture_has_them() -> None:
    from studio.draw import draw_route

    made = studio.new_map("ignorant_armies", columns=8, rows=8)
    ink = ink_of_answer(draw_route, made, made.route("0101", "0606", mover="ground"))
    discs = [word for word in ink.words if word.text and word.zorder > 36]
    assert discs and all(word.low == 36 and word.least >= 500 for word in discs)
    # In smaller hexes they stand beside the line, never of less than 7 pixels.
    spans = {(group.low, group.high) for group in ink.groups if group.zorder == 9.8}
    assert min(low for low, _ in spans) < 9 and max(high for _, high in spans) == 36
    for low, high in spans:
        assert 0 < low < high <= 36


def test_names_of_any_letters_and_any_length_are_drawn() -> None:
    made = studio.new_map("phantom_fury", columns=6, rows=5)
    made.add("name", text="\u05e9\u05dc \U0001f468\u200d\U0001f469 \u200f$x^2$ \ufe0f", at=(2000, 1000), size=0.5)
    made.add("name", text="long " * 2000, at=(2000, 2000), size=0.5)
    zone = next(name for name, kind in made.ruleset.area_types.items() if kind.location)
    made.add("area", type=zone, name="Z" * 10_000, outline=[(960, 960), (1920, 960), (1920, 1920)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # matplotlib's font has no such letters
        ink_of_map(made)
        axes = made.plot()
    assert max(len(text.get_text()) for text in axes.texts) == 80
