"""Findings on a picture: a number at each point, the list beside."""

from pathlib import Path

from matplotlib.colors import to_hex
from msgspec.structs import replace

from studio.draw import save_picture
from tests.checks.makers import change, town


def texts(axes: object) -> list[str]:
    return [text.get_text() for text in axes.texts]  # type: ignore[attr-defined]


def test_every_finding_has_its_number_at_its_point_and_its_line_in_the_list(tmp_path: Path) -> None:
    map_ = town()
    map_.set("sources", [])
    change(map_, "door-1", at=(1720, 995))
    change(map_, "gap", arrows=())
    found = map_.check()
    axes = map_.plot(findings=True)
    placed = {text.get_text(): text.get_position() for text in axes.texts if text.get_zorder() == 36}
    assert set(placed) == {str(number) for number, one in enumerate(found, 1) if one.point is not None}
    for number, one in enumerate(found, 1):
        if one.point is not None:
            assert placed[str(number)] == tuple(map_.grid.to_map(*one.point))
    (panel,) = [other for other in axes.figure.axes if other is not axes]
    written = " ".join(texts(panel))
    assert "2 errors, 1 warning" in written
    assert all(one.at in written for one in found)
    assert written.count("can be repaired") == len(found.repairs) == 1
    save_picture(axes, tmp_path / "findings.png")
    assert (tmp_path / "findings.png").stat().st_size > 10_000


def test_findings_close_together_share_a_sign_and_others_are_drawn_as_given() -> None:
    map_ = town()
    change(map_, "door-1", arrows=())
    (one,) = map_.check()
    axes = map_.plot(findings=[one, one, one, one], around="1.1")
    assert "1, 2, 3 …" in texts(axes)


def test_a_long_list_says_how_many_are_left_out_and_no_findings_are_said_too() -> None:
    map_ = town()
    change(map_, "door-1", arrows=())
    (one,) = map_.check()
    (panel,) = map_.plot(findings=[one] * 90).figure.axes[1:]
    assert any("more" in text for text in texts(panel))
    (panel,) = map_.plot(findings=[]).figure.axes[1:]
    assert texts(panel) == ["no findings"]


def test_part_of_the_map_and_axes_of_ones_own() -> None:
    from matplotlib.figure import Figure

    map_ = town()
    change(map_, "gap", arrows=())
    elsewhere = map_.plot(findings=True, around="0808")
    assert "1" not in texts(elsewhere)
    own = Figure(figsize=(6, 6)).add_subplot()
    assert map_.plot(findings=True, ax=own) is own
    assert len(own.figure.axes) == 1
    assert "1" in texts(own)


def test_notes_are_hollow_and_counted_apart() -> None:
    map_ = town()
    change(map_, "door-1", arrows=())
    (fault,) = map_.check()
    note = replace(fault, severity="note")
    axes = map_.plot(findings=[note])
    (panel,) = [other for other in axes.figure.axes if other is not axes]
    assert "0 errors, 0 warnings, 1 note" in texts(panel)
    (sign,) = [text for text in axes.texts if text.get_zorder() == 36]
    assert to_hex(sign.get_bbox_patch().get_facecolor()) == "#ffffff"
    both = map_.plot(findings=[note, fault])
    (worst,) = [text for text in both.texts if text.get_zorder() == 36]
    assert to_hex(worst.get_bbox_patch().get_facecolor()) == "#b3261e"
