"""Messages of the region tool, without a browser: what they change, what they refuse, what they answer."""

from __future__ import annotations

import json

import pytest

import studio
from studio.editor import MapEditor


class Talk:
    """An editor with what it sent."""

    def __init__(self, document):
        self.editor, self.said = MapEditor(document), []
        self.editor.send = lambda content, buffers=None: self.said.append(content)

    def tell(self, **message):
        self.said.clear()
        self.editor._on_message(self.editor, {"client": "c", **message}, [])
        return {one["type"]: one for one in self.said}


@pytest.fixture
def document():
    found = studio.new_map("armageddon_war", columns=12, rows=10)
    found.paint(["0303", "0304"], terrain="marsh")
    found.paint("0303", level=1)
    found.set_side("0303", "0304", "fence")
    found.add("road", path=["0303", "0304"])
    return found


@pytest.fixture
def talk(document):
    made = Talk(document)
    yield made
    made.editor.close()


def cells(document, *labels):
    return [document.labels.cell(label) for label in labels]


def test_copy_answers_with_text_and_paste_is_one_step_with_an_ack(document, talk):
    chosen = cells(document, "0303", "0304")
    answer = talk.tell(type="region_copy", cells=chosen, anchor=chosen[0])["region"]
    assert answer["client"] == "c"
    assert answer["said"] == "2 hexes, 1 feature"
    assert json.loads(answer["text"])["studio"] == "region"
    assert len(document.history) == 4
    target = document.labels.cell("0707")
    answers = talk.tell(type="region_paste", seq=1, at=target, turn=0, mirror="", text=answer["text"])
    assert answers["patch"]["ack"] == {"client": "c", "seq": 1}
    assert answers["tell"]["text"] == "Paste: 2 hexes and 1 feature"
    assert len(document.history) == 5
    assert document.features["road-2"].path == ("0707", "0708")
    # Without a text: what was copied last, by any editor of this kernel.
    other = Talk(studio.new_map("armageddon_war", columns=5, rows=5))
    assert other.tell(type="region_read", text="", float=True)["region"]["float"]
    other.editor.close()


def test_move_cut_and_their_titles(document, talk):
    before, chosen = document.to_text(), cells(document, "0303", "0304")
    about = {"cells": chosen, "anchor": chosen[0], "seq": 1}
    assert "tell" in talk.tell(type="region_move", at=document.labels.cell("0606"), **about)
    assert document.history[-1] == "Move 2 hexes"
    assert document.features["road-1"].path == ("0606", "0607")
    document.undo()
    talk.tell(type="region_move", at=chosen[0], turn=2, **about)
    assert document.history[-1] == "Turn 2 hexes"
    document.undo()
    talk.tell(type="region_move", at=chosen[0], mirror="top-bottom", **about)
    assert document.history[-1] == "Mirror 2 hexes"
    document.undo()
    talk.tell(type="region_cut", title="Cut", **about)
    assert document.history[-1] == "Cut 2 hexes"
    assert not document.features
    assert not document.model.sides
    document.undo()
    assert document.to_text() == before


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"type": "region_paste", "at": 5, "text": "<b>"}, "no region of a map"),
        ({"type": "region_paste", "at": 10**9, "text": ""}, "choose hexes of this map"),
        ({"type": "region_paste", "at": "x", "text": ""}, "not understood"),
        ({"type": "region_move", "at": 0, "cells": [], "anchor": 0}, "no hexes"),
        ({"type": "region_move", "at": 0, "cells": [1], "anchor": -7}, "choose hexes of this map"),
        ({"type": "region_move", "at": 0, "cells": [1], "anchor": 1, "mirror": "inside-out"}, "not understood"),
        ({"type": "region_cut", "cells": [10**12]}, "choose hexes of this map"),
        ({"type": "region_copy", "cells": "all"}, "not understood"),
        ({"type": "region_read", "text": "[" * 5000}, "no region of a map"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(message, why, document, talk):
    before = document.to_text()
    answers = talk.tell(seq=3, **message)
    assert why in answers["error"]["message"]
    assert document.to_text() == before
    assert answers["snapshot"]["ack"] == {"client": "c", "seq": 3}  # the guess of the browser is taken back


def test_a_region_of_another_game_is_refused_before_anybody_aims(document, talk):
    chosen = cells(document, "0303")
    text = talk.tell(type="region_copy", cells=chosen, anchor=chosen[0])["region"]["text"]
    other = Talk(studio.new_map("phantom_fury", columns=5, rows=5))
    assert "has no terrain marsh" in other.tell(type="region_read", text=text)["error"]["message"]
    other.editor.close()
    pointy = Talk(studio.new_map("armageddon_war", columns=5, rows=5, orientation="pointy"))
    assert "flat hexes" in pointy.tell(type="region_read", text=text)["error"]["message"]
    pointy.editor.close()


def test_cells_may_come_packed_and_hostile_ones_are_refused(document, talk):
    chosen, before = cells(document, "0303", "0304"), document.to_text()
    packed = {"runs": False, "numbers": chosen}
    answer = talk.tell(type="region_copy", cells=packed, anchor=chosen[0])["region"]
    assert answer["said"] == "2 hexes, 1 feature"
    row = {"runs": True, "numbers": [chosen[0], 2]}
    assert talk.tell(type="region_copy", cells=row, anchor=chosen[0])["region"]["said"].startswith("2 hexes")
    for numbers in ([0, 4_000_000_000], [0, 2**70], [5], [5, -3], [-4, 2], [119, 2], [0, 0], []):
        answers = talk.tell(type="region_cut", seq=9, cells={"runs": True, "numbers": numbers}, title="Empty")
        assert "error" in answers
        assert "choose hexes of this map" in answers["error"]["message"]
    for cells_ in ({"numbers": ["x"]}, {"runs": True}, "0303", None, [1.5]):
        assert "error" in talk.tell(type="region_cut", seq=9, cells=cells_, title="Empty")
    assert document.to_text() == before
