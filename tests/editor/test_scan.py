"""The scan in the editor's messages: its record, its squares, the setting of points, and the panel."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import studio
from studio.editor import MapEditor, pyramid, scan
from studio.editor.protocol import PART
from studio.editor.pyramid import TILE, Pyramid
from tests.editor.scans import Known, draw

FOUR = ("0101", "1201", "0109", "1209")


class Talk:
    """An editor whose messages are kept."""

    def __init__(self, document: Any, **options: Any) -> None:
        self.document, self.sent = document, []
        self.editor = MapEditor(document, **options)
        self.editor.send = lambda content, buffers=None: self.sent.append((content, list(buffers or [])))

    def say(self, **message: Any) -> None:
        self.editor._on_message(self.editor, message, [])

    def edit(self, do: str, **detail: Any) -> None:
        self.say(type="scan_edit", client="c", seq=1, do=do, **detail)

    def take(self, kind: str) -> list[Any]:
        found = [(content, buffers) for content, buffers in self.sent if content["type"] == kind]
        self.sent = [one for one in self.sent if one[0]["type"] != kind]
        return found

    def act(self, action: str, **values: Any) -> None:
        self.say(type="panel", panel="backdrop", client="c", action=action, values=values)

    def nodes(self) -> list[Any]:
        return self.editor.desk["backdrop"].nodes()

    def words(self) -> str:
        return repr(self.nodes())


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[tuple[Talk, Known]]:
    game = studio.new_map("armageddon_war", columns=12, rows=9)
    game.save(tmp_path / "m.map.json")
    found = Talk(game), draw(game.grid, game.labels, tmp_path / "scan.png")
    yield found
    found[0].editor.close()


def test_pages_get_the_record_when_they_open_and_whenever_it_changes(talk: tuple[Talk, Known]) -> None:
    one, known = talk
    assert one.editor.get_state()["backdrop"] == {}
    one.document.paint("0101", terrain="marsh")
    one.document.set_backdrop(known.path, known.points(*FOUR), opacity=0.3)
    time.sleep(0.1)
    news = [content["backdrop"] for content, _ in one.take("patch") if "backdrop" in content]
    assert len(news) == 1
    state = news[0]
    assert state == one.editor.get_state()["backdrop"]
    assert (state["opacity"], state["under"], state["visible"], state["picture"]) == (0.3, False, True, "")
    a, b, c, d, e, f = state["affine"]
    for point in state["points"]:
        x, y = point["pixel"]
        kx, ky = (value / one.document.grid.hex_height for value in one.document.grid.scale)
        assert (a * x + b * y + c, d * x + e * y + f) == pytest.approx((point["place"][0] * kx, point["place"][1] * ky))
    one.document.paint("0102", terrain="marsh")
    one.document.undo(), one.document.undo()
    time.sleep(0.1)
    assert [content.get("backdrop") for content, _ in one.take("patch") if "backdrop" in content] == [{}]
    one.document.redo()
    time.sleep(0.1)
    one.document.set("labels", studio.LabelScheme.lettered())
    time.sleep(0.1)
    (snapshot,) = [content["state"]["backdrop"] for content, _ in one.take("snapshot")]
    assert snapshot["points"][0]["at"] == "A1"


def test_squares_cover_every_level_and_are_small_messages(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    image = Image.fromarray(rng.integers(0, 255, (1800, 2600, 3), dtype=np.uint8))
    made = Pyramid(image)
    assert (made.size, made.levels) == ((2600, 1800), 4)
    assert len(made.tiles([(3, 0, 0), (3, 0, 0), (9, 0, 0)])) == 1
    for level in range(made.levels):
        wide, high = (-(-side // 2**level) for side in made.size)
        across, down = -(-wide // TILE), -(-high // TILE)
        tiles = made.tiles([(level, i, j) for i in range(across + 1) for j in range(down + 1)])
        assert len(tiles) == across * down
        for (_, i, j), data in tiles:
            square = Image.open(io.BytesIO(data))
            assert square.size == (min(TILE + 1, wide - i * TILE), min(TILE + 1, high - j * TILE))
    # Noise is the worst there is to code: everything at once still goes in messages below 4 MB.
    sent: list[Any] = []
    fake: Any = type("Fake", (), {"send": lambda _, content, buffers: sent.append((content, buffers))})()
    every = [(0, i, j) for i in range(6) for j in range(4)]
    scan._send(fake, "x", made, every)
    assert len(sent) > 1
    assert all(sum(map(len, buffers)) <= PART for _, buffers in sent)
    assert [tuple(tile) for content, _ in sent for tile in content["tiles"]] == every


def test_a_transparent_scan_stays_transparent() -> None:
    image = Image.new("RGBA", (700, 40), (200, 10, 10, 0))
    (_, data), *_ = Pyramid(image).tiles([(0, 0, 0)])
    assert Image.open(io.BytesIO(data)).getpixel((5, 5))[3] == 0


def test_squares_are_sent_when_asked_for(talk: tuple[Talk, Known], monkeypatch: pytest.MonkeyPatch) -> None:
    one, known = talk
    one.document.set_backdrop(known.path)
    one.say(type="scan", tiles=[])
    ((content, buffers),) = one.take("scan")
    levels = content["levels"]
    assert content["tiles"] == [[levels - 1, 0, 0]] and len(buffers) == 1
    one.say(type="scan", tiles=[[0, 0, 0], [0, 1, 0], [0, 99, 0]])
    ((content, buffers),) = one.take("scan")
    assert content["tiles"] == [[0, 0, 0], [0, 1, 0]]
    square = Image.open(io.BytesIO(buffers[0])).convert("RGB")
    x, y = map(int, known.of("0202"))
    assert np.abs(np.subtract(square.getpixel((x, y)), Image.open(known.path).getpixel((x, y)))).max() < 12
    one.say(type="scan", tiles="all")
    assert "not a list of squares" in one.take("error")[0][0]["message"]
    # A large one is read in a thread, with a bar.
    monkeypatch.setattr(scan, "SMALL", 10)
    monkeypatch.setattr(pyramid, "_MADE", {})
    one.say(type="scan", tiles=[])
    for thread in threading.enumerate():
        if thread.name == "Reading the scan":
            thread.join()
    assert one.take("work")[-1][0]["state"] == "done"
    assert len(one.take("scan")) == 1


def test_viewers_see_the_scan_and_change_nothing(talk: tuple[Talk, Known]) -> None:
    one, known = talk
    one.document.set_backdrop(known.path, known.points(*FOUR))
    viewer = Talk(one.document, readonly=True)
    viewer.say(type="scan", tiles=[])
    assert viewer.take("scan")
    viewer.edit("remove", name="1")
    assert "for looking only" in viewer.take("error")[0][0]["message"]
    assert len(one.document.model.backdrop.points) == 4
    viewer.editor.close()


def test_points_are_added_moved_and_removed_one_step_each(talk: tuple[Talk, Known]) -> None:
    one, known = talk
    game = one.document
    one.edit("add", pixel=[1, 2], label="0101")
    assert "choose a picture" in one.take("error")[0][0]["message"]
    game.set_backdrop(known.path)
    for label in FOUR[:3]:
        one.edit("add", pixel=list(known.of(label)), label=label)
    corner = game.grid.corners(game.labels.cell("1209"))[1]
    one.edit("add", pixel=list(known.of_point(corner)), point=list(corner))
    assert [content["name"] for content, _ in one.take("scan_point")] == [None, "1", "2", "3", "4"]
    assert all(residual.pixels < 0.01 for residual in game.backdrop.fit().residuals)
    x, y = known.of("1201")
    one.edit("move", name="2", pixel=[x + 3, y - 2])
    one.edit("move", name="2", pixel=[x + 3, y - 2])  # the same again is no step
    assert game.backdrop.fit().rms > 0.5
    one.edit("remove", name="2")
    one.edit("add", pixel=[-50, 10**9], label="0605")  # the free name again, and kept on the picture
    point = game.model.backdrop.point("2")
    assert point.at == "0605" and point.pixel == (0.0, float(game.model.backdrop.size[1]))
    assert game.history[1:] == [
        "Add control point 1 at 0101",
        "Add control point 2 at 1201",
        "Add control point 3 at 0109",
        f"Add control point 4 at {corner[0]}, {corner[1]}",
        "Move control point 2",
        "Remove control point 2",
        "Add control point 2 at 0605",
    ]
    while game.undo() is not None:
        pass
    assert game.backdrop is None


def test_what_cannot_be_done_is_said_and_answered(talk: tuple[Talk, Known]) -> None:
    one, known = talk
    game = one.document
    game.set_backdrop(known.path, known.points(*FOUR))
    before = game.to_text()
    for detail, words in (
        ({"do": "add", "pixel": [1, 2], "label": "9999"}, "9999"),
        ({"do": "add", "pixel": [1, 2], "label": "0101"}, "control point 1 is at 0101 already"),
        ({"do": "add", "pixel": [1, 2], "point": ["a", 2]}, "give a label"),
        ({"do": "add", "pixel": "here", "label": "0202"}, "give x and y"),
        ({"do": "move", "name": "7", "pixel": [1, 2]}, "there are 1, 2, 3, 4"),
        ({"do": "remove", "name": "x" * 10_000}, "there are 1, 2, 3, 4"),
    ):
        one.sent.clear()
        one.say(type="scan_edit", client="c", seq=9, **detail)
        assert words in one.take("error")[0][0]["message"]
        assert one.take("scan_point")[0][0]["name"] is None
        assert one.take("patch")[0][0]["ack"] == {"client": "c", "seq": 9}
    game.set_backdrop(known.path, locked=True)
    one.edit("remove", name="1")
    assert "locked" in one.take("error")[0][0]["message"]
    game.undo()
    assert game.to_text() == before


def test_the_panel_leads_from_the_file_to_the_fit(talk: tuple[Talk, Known], tmp_path: Path) -> None:
    one, known = talk
    game = one.document
    (field,) = [node for node in one.nodes() if node["t"] == "field"]
    assert field["list"] == ["scan.png"]
    one.act("file", value="scam.png")
    assert "did you mean 'scan.png'" in one.take("error")[0][0]["message"]
    one.act("file", value=" scan.png ")
    assert game.backdrop.record.file == "scan.png"
    assert "Not fitted yet" in one.words()
    for label in FOUR:
        one.edit("add", pixel=list(known.of(label)), label=label)
    assert "'Fits'" in one.words() and "turned +0.70°, sheared +1.50 %" in one.words()
    one.act("choose", name="3")
    assert [content["name"] for content, _ in one.take("scan_point")][-1] == "3"
    x, y = known.of("0109")
    one.act("pixel", id="x", value=x + 30)
    one.act("pixel", id="y", value="?")
    assert "give a number" in one.take("error")[0][0]["message"]
    assert game.model.backdrop.point("3").pixel == pytest.approx((x + 30, y), abs=0.01)
    table = next(node for node in one.nodes() if node["t"] == "rows")["rows"]
    (worst,) = [line for line in table if line.get("note") == "worst"]
    assert worst["sign"] == "▲" and worst["tone"] == "warning"
    one.act("label", value="0108")
    assert game.model.backdrop.point("3").at == "0108"
    one.act("remove_point")
    assert len(game.model.backdrop.points) == 3
    one.act("look", id="opacity", value=2)
    one.act("look", id="layer", value="under")
    one.act("look", id="locked", value=True)
    one.act("look", id="visible", value=False)
    record = game.model.backdrop
    assert (record.opacity, record.layer, record.locked, record.visible) == (1.0, "under", True, False)
    assert game.history[-4:] == [
        "Set opacity of the backdrop",
        "Set layer of the backdrop",
        "Set locked of the backdrop",
        "Clear visible of the backdrop",
    ]
    one.act("look", id="layer", value="beside")
    assert "layer" in one.take("error")[0][0]["message"]
    known.path.unlink()
    assert "there is no such picture" in one.words()
    one.act("remove")
    assert game.backdrop is None and "trace it" in one.words()


def test_the_panel_offers_the_shape_of_the_scans_hexes(tmp_path: Path) -> None:
    game = studio.new_map("armageddon_war", columns=12, rows=9)
    game.save(tmp_path / "m.map.json")
    known = draw(game.grid, game.labels, tmp_path / "scan.png", squash=0.9)
    one = Talk(game)
    game.set_backdrop(known.path, known.points(*FOUR))
    assert f"Make hexes {game.grid.width * 0.9:.3f} wide" in one.words()
    one.act("hexes")
    assert game.grid.width / game.grid.hex_height == pytest.approx(0.9 * 2 / 3**0.5)
    assert "wide'" not in one.words()
    assert [content["state"]["geometry"]["hex_width"] for content, _ in one.take("snapshot")] == [game.grid.width]
    one.editor.close()


def test_the_panel_sets_what_it_shows_and_nothing_else(talk: tuple[Talk, Known]) -> None:
    one, known = talk
    game = one.document
    game.set_backdrop(known.path, known.points(*FOUR))
    before = game.to_text()
    for name, value in (
        ("file", "/etc/passwd"),
        ("points", []),
        ("opacity", "much"),
        ("opacity", float("nan")),
        ("layer", "beside"),
        ("visible", 1),
        (["layer"], "over"),
        (None, None),
    ):
        one.say(type="panel", panel="backdrop", action="look", values={"id": name, "value": value})
        assert one.take("error"), name
        assert game.to_text() == before
    one.say(type="panel", panel="backdrop", action="look", values={"id": "layer", "value": "under"})
    assert game.model.backdrop.layer == "under"
