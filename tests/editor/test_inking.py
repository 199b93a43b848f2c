"""Ink of the editor in Python: drawn in a thread on a copy, sent when asked, kept current, never silently stale."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import studio
from studio.draw import draw_exposure
from studio.draw.ink import ink_of_answer
from studio.editor import MapEditor
from studio.editor.inking import PAUSE
from tests.editor.fake import FakeMap


class Heard:
    """An editor whose messages are kept."""

    def __init__(self, document: Any) -> None:
        self.document, self.editor = document, MapEditor(document)
        self.messages: list[tuple[dict[str, Any], list[Any]]] = []
        self.editor.send = lambda content, buffers=None: self.messages.append((content, list(buffers or [])))

    def say(self, **message: Any) -> None:
        self.editor._on_message(self.editor, message, [])

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [content for content, _ in self.messages if content["type"] == kind]

    def settled(self) -> None:
        until = time.monotonic() + 20
        while not self.editor.inking.settled and time.monotonic() < until:
            time.sleep(0.005)
        assert self.editor.inking.settled


@pytest.fixture
def town() -> Any:
    made = studio.new_map("urban_operations", columns=10, rows=8)
    made.add("wall", type="outer_wall", line=[(960, 960), (1920, 960)])
    heard = Heard(made)
    yield heard
    heard.editor.close()
    made.close()


def test_nothing_is_drawn_until_a_page_asks(town: Heard) -> None:
    town.document.add("wall", type="outer_wall", line=[(960, 1920), (1920, 1920)])
    time.sleep(0.2)
    assert town.editor.inking.settled and not town.of("ink")
    town.say(type="ink", client="a")
    town.settled()
    (first,) = town.of("ink")
    assert first["base"] == 0 and first["last"] and first["revision"] == town.document.revision
    assert set(first["owners"]) == {"wall-1", "wall-2"}


def test_changes_in_a_row_are_drawn_once_and_only_what_is_new_travels(town: Heard) -> None:
    town.say(type="ink", client="a")
    town.settled()
    sent = len(town.messages)
    for n in range(5):
        town.document.add("wall", type="outer_wall", line=[(2400, 960 + 240 * n), (3360, 960 + 240 * n)])
    town.settled()
    fresh = [(content, buffers) for content, buffers in town.messages[sent:] if content["type"] == "ink"]
    ((message, buffers),) = fresh
    assert message["base"] == 1 and message["owners"] == [f"wall-{n}" for n in range(2, 7)]
    assert not message["groups"] and len(buffers[0]) < 600
    # An undo takes it away again; a page that asks gets the whole.
    town.document.undo()
    town.settled()
    assert town.of("ink")[-1]["base"] == 2
    town.say(type="ink", client="b")
    town.settled()
    assert town.of("ink")[-1]["base"] == 0


def test_the_page_hears_that_its_ink_is_right_when_nothing_looks_different(town: Heard) -> None:
    town.say(type="ink", client="a")
    town.settled()
    town.document.paint("0101", terrain=town.document.model.terrain_ids[1])
    town.document.add("name", text="Square", at=(4800, 2400))
    town.settled()
    last = town.of("ink")[-1]
    assert last["revision"] == town.document.revision and not last["groups"] and not last["owners"]


def test_terrain_strokes_are_not_drawn_where_ink_does_not_tell_of_terrain() -> None:
    made = studio.new_map("armageddon_war", columns=10, rows=8)
    heard = Heard(made)
    heard.say(type="ink", client="a")
    heard.settled()
    sent = len(heard.of("ink"))
    made.paint("0303", terrain="dense_woods")
    assert heard.editor.inking.settled
    # It hears that its ink is right all the same: sketches of what was changed before are over then.
    # Many strokes hear it once.
    for label in ("0304", "0305", "0306"):
        made.paint(label, terrain="dense_woods")
    time.sleep(3 * PAUSE)
    told = heard.of("ink")[sent:]
    assert [one["revision"] for one in told] == [made.revision] and not told[0]["groups"] + told[0]["words"]
    sent += 1
    made.add(
        "marker",
        type="smoke" if "smoke" in made.ruleset.marker_types else next(iter(made.ruleset.marker_types)),
        at="0404",
    )
    heard.settled()
    assert len(heard.of("ink")) == sent + 1
    heard.editor.close()
    made.close()


def test_drawing_holds_neither_the_lock_nor_messages(town: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    from studio.draw import ink

    under_way, go_on = threading.Event(), threading.Event()
    real = ink.ink_of_map

    def slow(*about: Any, **options: Any) -> Any:
        under_way.set()
        assert go_on.wait(10)
        return real(*about, **options)

    monkeypatch.setattr(ink, "ink_of_map", slow)
    town.say(type="ink", client="a")
    assert under_way.wait(10)
    # Edits and questions are answered while it draws, and it draws the map as it was.
    before = town.document.revision
    town.document.add("wall", type="outer_wall", line=[(960, 1920), (1920, 1920)])
    town.say(type="hello", client="b", complete=False, revision=0)
    assert town.of("snapshot") and town.document.lock.acquire(timeout=1)
    town.document.lock.release()
    go_on.set()
    town.settled()
    first, second = town.of("ink")
    assert first["revision"] == before and first["owners"] == ["wall-1"]
    assert second["revision"] == town.document.revision and second["owners"] == ["wall-2"]


def test_a_fault_is_told_once_and_later_ink_comes_again(town: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    from studio.draw import ink

    town.say(type="ink", client="a")
    town.settled()
    with monkeypatch.context() as broken:
        broken.setattr(ink, "ink_of_map", lambda *_, **__: 1 / 0)
        for n in range(2):
            town.document.add("wall", type="outer_wall", line=[(2400, 960 + 480 * n), (3360, 960 + 480 * n)])
            town.settled()
    (fault,) = town.of("error")
    assert "cannot be drawn in full: ZeroDivisionError" in fault["message"] and "Traceback" in fault["traceback"]
    town.document.add("wall", type="outer_wall", line=[(960, 2880), (1920, 2880)])
    town.settled()
    assert town.of("ink")[-1]["owners"] == ["wall-2", "wall-3", "wall-4"]


def test_answers_are_laid_over_and_sent_again_to_a_page_that_opens(town: Heard) -> None:
    desert = studio.new_map("armageddon_war", columns=8, rows=6)
    answer = ink_of_answer(draw_exposure, desert, desert.exposure(["0202"]))
    town.editor.overlay("exposure", answer, above=False)
    (laid,) = town.of("overlay")
    assert laid["name"] == "exposure" and laid["above"] is False and len(laid["parts"]) == 1
    town.say(type="ink", client="a")
    assert len(town.of("overlay")) == 2
    town.editor.overlay("exposure", None)
    town.editor.overlay("exposure", None)
    assert town.of("overlay")[-1]["parts"] is None and len(town.of("overlay")) == 3


def test_a_closed_editor_draws_no_more_and_is_let_go(town: Heard) -> None:
    town.say(type="ink", client="a")
    town.settled()
    town.editor.close()
    sent = len(town.messages)
    town.editor.inking.refresh()
    time.sleep(0.2)
    assert len(town.messages) == sent


def test_a_map_of_a_ruleset_without_a_survey_is_drawn_too() -> None:
    heard = Heard(FakeMap(8, 6))
    heard.say(type="ink", client="a")
    heard.settled()
    assert heard.of("ink")[-1]["base"] == 0 and not heard.of("error")
    heard.editor.close()


def test_a_drawing_that_fails_half_way_does_not_end_the_ink(town: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    town.say(type="ink", client="a")
    town.settled()
    real, faults = town.editor.send, []
    monkeypatch.setattr(threading, "excepthook", faults.append)

    def broken(content: Any, buffers: Any = None) -> None:
        if content["type"] == "ink":
            raise RuntimeError("the page is gone")
        real(content, buffers)

    town.editor.send = broken
    town.document.add("wall", type="outer_wall", line=[(960, 1920), (1920, 1920)])
    town.settled()
    assert len(faults) == 1
    town.editor.send = real
    town.document.add("wall", type="outer_wall", line=[(960, 2880), (1920, 2880)])
    town.settled()
    # What was lost shows by its number, and the page asks for the whole.
    assert town.of("ink")[-1]["base"] == 2
    town.say(type="ink", client="a")
    town.settled()
    assert town.of("ink")[-1]["base"] == 0 and len(town.of("ink")[-1]["owners"]) == 3


def test_findings_have_their_numbers_on_the_map(town: Heard) -> None:
    for y in (960, 1920):
        town.document.add("wall", type="outer_wall", line=[(2400, y), (2400, y), (2880, y)])
    town.say(type="panel_open", panel="findings", open=True)
    town.say(type="panel", panel="findings", action="check")

    def signs() -> list[dict[str, Any]]:
        until = time.monotonic() + 20
        while not town.of("overlay") and time.monotonic() < until:
            time.sleep(0.01)
        return town.of("overlay")

    (shown,) = signs()
    assert shown["name"] == "findings" and {word[3] for part in shown["parts"] for word in part["words"]} >= {"1", "2"}
    town.messages.clear()
    town.say(type="panel", panel="findings", action="clear")
    (gone,) = signs()
    assert gone["name"] == "findings" and gone["parts"] is None
