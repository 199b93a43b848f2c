"""The turn track as a picture: boxes, counters, badges, day and night, the end; readable however long the game."""

import io
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import studio
from studio.draw import save_picture
from studio.draw.calendar_picture import MOST_BOXES, badge_numbers, draw_calendar
from studio.draw.calendar_track import BADGES
from studio.draw.picture import PictureError
from studio.model import Event, Force, Formation, MapUse, Period, ScenarioDocument, SetUp, Support, UnitRecord
from studio.model.calendar import calendar_rows
from studio.rules import get_ruleset


def scenario(length: int = 6, arrivals: int = 1, **fields: Any) -> Any:
    units = tuple(UnitRecord(id=f"u{n}", type=name) for n, name in enumerate(("us.rifle", "us.sergeant")))
    parts = [Formation(id="start", name="At the start", units=units)]
    parts += [
        Formation(id=f"p{n}", name=f"Group {n} from afar", arrival="enter", arrival_turn=2, units=units, where=SetUp())
        for n in range(arrivals)
    ]
    given = {
        "title": "Track",
        "ruleset": "modern_tactics",
        "map": MapUse(file="a.map.json"),
        "forces": [Force(id="us", name="US", formations=tuple(parts))],
        "length": length,
        **fields,
    }
    return SimpleNamespace(document=ScenarioDocument(**given), ruleset=get_ruleset("modern_tactics"))


def pixels(axes: Any) -> Any:
    target = io.BytesIO()
    save_picture(axes, target, kind=".png")
    return np.asarray(Image.open(target).convert("RGB")).astype(int)


def test_equal_scenarios_give_equal_bytes() -> None:
    found = []
    for _ in range(2):
        target = io.BytesIO()
        save_picture(draw_calendar(scenario()), target, kind=".svg")
        found.append(target.getvalue())
    assert found[0] == found[1]


def test_counters_of_who_arrives_are_in_the_box_of_the_turn() -> None:
    empty, full = pixels(draw_calendar(scenario(arrivals=0), columns=6)), pixels(draw_calendar(scenario(), columns=6))
    low = min(len(empty), len(full)) - 30
    # The set-up is 0.64 boxes high; the second box of the line below it has the new counters.
    top, box = int(0.66 * 150), 150
    where = np.abs(empty[top:low] - full[top:low]).sum(axis=2) > 60
    inside = where[40:, box + 6 : 2 * box - 6]
    beside = where[40:, 6 : box - 6]
    assert inside.sum() > 400 > 10 * beside.sum()


def test_night_is_dark_in_grey_too() -> None:
    periods = [Period(id="n", name="Night", first_turn=2, last_turn=2, light="night")]
    grey = pixels(draw_calendar(scenario(arrivals=0, periods=periods), columns=6, notes=False, key=False)).mean(axis=2)
    band = grey[int(0.64 * 150) + 6 : int(0.64 * 150) + 30]
    assert np.median(band[:, 160:290]) < 0.5 * np.median(band[:, 10:140])


@pytest.mark.parametrize(("length", "most"), [(24, 25), (50, 51), (10_000, MOST_BOXES)])
def test_long_games_stay_readable(length: int, most: int) -> None:
    events = [Event(id=f"e{n}", name=f"Event {n}", turn=n * 60 + 1) for n in range(166) if n * 60 < length]
    axes = draw_calendar(scenario(length, events=events))
    wide, high = axes.figure.get_size_inches()
    assert wide <= 16 and high < 40
    boxes = [row for row in calendar_rows(scenario(length, events=events).document) if row.turn > 0]
    assert min(len(boxes), MOST_BOXES) <= most + 1


def test_badges_have_a_number_and_a_shape_each() -> None:
    made = scenario(
        events=[Event(id="e", name="Rain", turn=2, last_turn=6, every=2)],
        support=[Support(id="s", kind="artillery"), Support(id="t", kind="artillery")],
    )
    numbers = badge_numbers(calendar_rows(made.document))
    assert numbers == {("support", "s"): 1, ("support", "t"): 2, ("event", "e"): 3}
    assert len(set(BADGES.values())) == len(BADGES)


def test_a_hundred_forces_fit() -> None:
    made = scenario()
    part = made.document.forces[0].formations
    made.document.forces = [Force(id=f"f{n}", name=f"F {n}", formations=part) for n in range(100)]
    wide, high = draw_calendar(made).figure.get_size_inches()
    assert wide < 16 and high < 20


def test_no_turns_and_no_forces() -> None:
    made = scenario(length=0)
    made.document.forces = []
    assert draw_calendar(made).figure.get_size_inches()[0] > 3


def test_too_few_columns_are_refused() -> None:
    with pytest.raises(PictureError, match="columns: got 2; allowed"):
        draw_calendar(scenario(), columns=2)


def test_the_calendar_of_a_scenario() -> None:
    raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
    calendar = raid.calendar()
    frame = calendar.to_frame()
    assert list(frame.loc[frame.kind == "arrival", "turn"]) == [1]
    assert len(frame) == sum(max(1, len(row.items)) for row in calendar.rows)
    assert calendar[1].name == "Activation 1" and len(calendar) == len(calendar.rows)
    assert "Saleh Militia" in str(calendar) and "Saleh Militia" in calendar._repr_html_()
    assert calendar.to_dict()["rows"][16]["items"][0]["kind"] == "end"
    assert calendar.plot(columns=4).get_xlim() == (0.0, 4.0)
    with pytest.raises(KeyError):
        calendar[99]
