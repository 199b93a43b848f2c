"""A scanned map is skewed and no grid fits: the scan is fitted by control points, and tells how well."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import studio
from studio.api import export_bundle
from studio.api.document import RecoveredWarning
from studio.errors import EditError, LabelError
from studio.files.pictures import PictureFileError
from studio.grid import FitError
from studio.model import Georeference
from studio.model.edits import Resize
from tests.editor.scans import Known, draw


def new_map(tmp_path: Path, **grid: Any) -> Any:
    made = studio.new_map("armageddon_war", **{"columns": 12, "rows": 9, **grid})
    made.save(tmp_path / "m.map.json")
    return made


@pytest.fixture
def skewed(tmp_path: Path) -> tuple[Any, Known]:
    """Return a map and its scan, sheared by 1.5 % and turned by 0.7 degrees."""
    made = new_map(tmp_path)
    return made, draw(made.grid, made.labels, tmp_path / "scan.png")


def test_four_points_fit_a_skewed_scan_to_less_than_a_pixel_everywhere(skewed: tuple[Any, Known]) -> None:
    game, scan = skewed
    rounded = {label: (round(x), round(y)) for label, (x, y) in scan.points("0101", "1201", "0109", "1209").items()}
    game.set_backdrop(scan.path, rounded, opacity=0.6)
    fit = game.backdrop.fit()
    assert [one.name for one in fit.residuals] == ["1", "2", "3", "4"]
    assert all(one.pixels < 1 for one in fit.residuals)
    assert fit.rms < 1
    assert fit.fit.turn == pytest.approx(0.7, abs=0.1)
    assert fit.fit.shear == pytest.approx(0.015, abs=0.002)
    # Not only where points are: every hex lies where the scan has it.
    for cell in range(game.grid.cells):
        place = game.grid.to_map(*game.grid.centre(cell))
        assert np.hypot(*np.subtract(fit.fit.to_picture(*place), scan.pixel(*place))) < 1
    assert "1 0101:" in str(fit) and "px" in str(fit)
    assert not [one for one in game.check() if one.rule.startswith("map.backdrop")]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    turn=st.floats(-20, 20),
    shear=st.floats(-0.1, 0.1),
    squash=st.floats(0.7, 1.4),
    orientation=st.sampled_from(["flat", "pointy"]),
    stagger=st.sampled_from(["odd", "even"]),
    width=st.sampled_from([0.0, 71.45]),
)
def test_any_scan_fits_by_hexes_and_corners(
    tmp_path: Path, turn: float, shear: float, squash: float, orientation: Any, stagger: Any, width: float
) -> None:
    game = studio.new_map(
        "armageddon_war", columns=7, rows=6, orientation=orientation, stagger=stagger, hex_width=width,
        hex_height=61.85 if width else 1.0,
    )  # fmt: skip
    scale = 0.5 if width else 30
    shape = {"turn": turn, "shear": shear, "squash": squash, "scale": scale, "shift": (400, 300)}
    scan = draw(game.grid, game.labels, tmp_path / "s.png", **shape)
    corner = game.grid.corners(game.labels.cell("0606"))[2]
    places = {**scan.points("0101", "0701", "0106"), corner: scan.of_point(corner)}
    wide, high = size_of(scan)
    places = {place: (min(max(x, 0), wide), min(max(y, 0), high)) for place, (x, y) in places.items()}
    game.set_backdrop(scan.path, places)
    fit = game.backdrop.fit()
    if all(0 < x < wide and 0 < y < high for x, y in places.values()):
        assert fit.rms < 1e-6
        assert fit.fit.shear == pytest.approx(shear, abs=1e-6)
        assert fit.squash == pytest.approx(squash, rel=1e-6)


def size_of(scan: Known) -> tuple[int, int]:
    from studio.files.pictures import picture_facts

    return picture_facts(scan.path).size


def test_a_squashed_grid_is_taken_over_from_the_scan(tmp_path: Path) -> None:
    game = new_map(tmp_path)
    scan = draw(game.grid, game.labels, tmp_path / "scan.png", squash=71.45 / 61.85 / game.grid.width * 1.05)
    game.set("georeference", Georeference(crs="EPSG:32637", affine=(100.0, 0.0, 5e5, 0.0, -100.0, 3e6)))
    corner = game.grid.frame[2:]
    x, y = game.grid.to_map(*corner)
    distances = game.grid.distances(0).copy()
    game.set_backdrop(scan.path, scan.points("0101", "1201", "0109", "1209", "0605"))
    before = game.to_text()
    fit = game.backdrop.fit()
    assert fit.hex_size == pytest.approx((71.45 / 61.85 * 1.05 * 60, 60))
    assert fit.column_step == pytest.approx(0.75 * 71.45 / 61.85 * 1.05)
    assert abs(fit.column_step - 0.866) > 0.02
    game.fit_hexes_to_backdrop()
    assert game.grid.width / game.grid.hex_height == pytest.approx(71.45 / 61.85 * 1.05)
    assert game.survey.grid is game.grid
    after = game.backdrop.fit()
    assert after.squash == pytest.approx(1)
    assert after.rms < 1e-6
    assert (game.grid.distances(0) == distances).all()
    # The same hexes lie at the same places of the world.
    u, v = game.grid.to_map(*corner)
    a, b, c, d, e, f = game.model.georeference.affine
    assert (a * u + b * v + c, d * u + e * v + f) == pytest.approx((100 * x + 5e5, -100 * y + 3e6))
    game.undo()
    assert game.to_text() == before


def test_wrong_points_are_named_and_found_by_the_check(skewed: tuple[Any, Known]) -> None:
    game, scan = skewed
    points = scan.points("0101", "1201", "0109", "1209", "0605", "0303")
    x, y = points["0605"]
    game.set_backdrop(scan.path, {**points, "0605": (x + 40, y)})
    assert game.backdrop.fit().outlier == "5"
    (found,) = [one for one in game.check() if one.rule == "map.backdrop_fit"]
    assert found.severity == "warning" and found.at == "0605"
    assert "control point 5 at 0605 is" in found.message
    assert found.point == game.grid.centre(game.labels.cell("0605"))


@pytest.mark.parametrize(
    ("labels", "words"),
    [((), "no control point"), (("0101", "0301", "0901"), "lie on one line"), (("0101", "0101"), "")],
)
def test_points_that_fix_nothing_are_refused_and_the_map_works_on(
    skewed: tuple[Any, Known], labels: tuple[str, ...], words: str
) -> None:
    game, scan = skewed
    game.set_backdrop(scan.path, scan.points(*labels))
    if words:
        with pytest.raises(FitError, match=words):
            game.backdrop.fit()
    assert bool([one for one in game.check() if one.rule == "map.backdrop_fit"]) == bool(labels and words)
    assert words in game.backdrop._repr_html_()
    game.plot(backdrop=True)


def test_points_mistaken_for_each_other_are_found(skewed: tuple[Any, Known]) -> None:
    game, scan = skewed
    points = scan.points("0101", "1201", "0109")
    points["1201"], points["0109"] = points["0109"], points["1201"]
    game.set_backdrop(scan.path, points)
    assert any("mirrored" in one.message for one in game.check())


def test_what_cannot_be_a_point_is_refused_with_words(skewed: tuple[Any, Known]) -> None:
    game, scan = skewed
    before = game.to_text()
    for points, kind, words in (
        ({"9999": (1, 1)}, LabelError, "9999"),
        ({"0101": (1, 10**6)}, EditError, "allowed 0 to"),
        ({"0101": "ab"}, EditError, "give points="),
        ({(1.5, 2): (1, 1)}, EditError, "for a place"),
        ([("0101", 1, 2)], EditError, "give points="),
        ({"0101": (float("nan"), 2)}, EditError, "got pixel nan"),
    ):
        with pytest.raises(kind, match=words):
            game.set_backdrop(scan.path, points)
    with pytest.raises(EditError, match="opacity"):
        game.set_backdrop(scan.path, opacity=7)
    with pytest.raises(EditError, match="layer"):
        game.set_backdrop(scan.path, layer="beside")
    assert game.to_text() == before
    for call in (game.remove_backdrop, game.fit_hexes_to_backdrop):
        with pytest.raises(EditError, match="set_backdrop"):
            call()


def test_steps_journal_and_file(skewed: tuple[Any, Known], tmp_path: Path) -> None:
    game, scan = skewed
    clean = game.to_text()
    game.set_backdrop(scan.path, scan.points("0101", "1201", "0109", "1209"))
    first = game.to_text()
    game.set_backdrop(scan.path, opacity=0.25, layer="under", locked=True)
    assert len(game.backdrop.record.points) == 4  # the points of the same picture stay
    assert (game.backdrop.record.opacity, game.backdrop.record.locked) == (0.25, True)
    last = game.to_text()
    assert game.history == ["Add backdrop", "Set backdrop"]
    game.undo()
    assert game.to_text() == first
    game.undo()
    assert game.to_text() == clean and game.backdrop is None
    game.redo(), game.redo()
    game.close()  # unsaved: the journal keeps it
    with pytest.warns(RecoveredWarning):
        again = studio.open_map(tmp_path / "m.map.json")
    assert again.to_text() == last
    again.save()
    assert studio.open_map(tmp_path / "m.map.json").to_text() == last
    again.remove_backdrop()
    assert again.to_text() == clean


def test_the_picture_is_found_from_wherever_the_map_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = studio.new_map("armageddon_war", columns=5, rows=4)
    scan = draw(game.grid, game.labels, tmp_path / "scan.png")
    game.set_backdrop("scan.png", scan.points("0101", "0501", "0104"))
    assert game.backdrop.record.file == "scan.png" and game.backdrop.fault == ""
    (tmp_path / "maps" / "deep").mkdir(parents=True)
    game.save(tmp_path / "maps" / "deep" / "m.map.json")
    assert game.backdrop.record.file == "../../scan.png" and game.backdrop.fault == ""
    opened = studio.open_map(tmp_path / "maps" / "deep" / "m.map.json")
    assert opened.backdrop.fault == "" and opened.backdrop.path.resolve() == scan.path
    while game.undo() is not None:
        pass
    game.redo()
    assert game.backdrop.fault == ""  # the step names it as it was called then
    game.save(tmp_path / "m.map.json")
    assert game.backdrop.record.file == "scan.png"


def test_a_missing_broken_or_other_picture_is_a_finding_and_no_obstacle(
    skewed: tuple[Any, Known], tmp_path: Path
) -> None:
    game, scan = skewed
    game.set_backdrop(scan.path, scan.points("0101", "1201", "0109"))
    game.save()
    whole = scan.path.read_bytes()

    def finding(opened: Any) -> str:
        return " ".join(one.message for one in opened.check() if one.rule == "map.backdrop_file")

    assert finding(game) == ""
    os.utime(scan.path, ns=(1, 1))
    assert finding(game) == ""
    for data, words in ((whole[:-30] + b"x" * 30, "was changed"), (b"no picture", "no picture that can be read")):
        scan.path.write_bytes(data)
        opened = studio.open_map(tmp_path / "m.map.json", recover_unsaved=False)
        assert words in finding(opened)
        opened.paint("0101", terrain="marsh")
    scan.path.unlink()
    opened = studio.open_map(tmp_path / "m.map.json", recover_unsaved=False)
    assert "there is no such picture" in finding(opened)
    assert opened.backdrop.fit().rms < 1
    opened.paint("0101", terrain="marsh")
    opened.set("labels", studio.LabelScheme.lettered())
    assert opened.backdrop.record.points[0].at == "A1"
    opened.save()
    with pytest.raises(PictureFileError, match="no such picture"):
        opened.plot(backdrop=True)
    with pytest.raises(PictureFileError, match="no such picture"):
        opened.set_backdrop(tmp_path / "scan.png")
    opened.plot()


def test_zones_and_dots_are_places_too(tmp_path: Path) -> None:
    game = studio.new_map("phantom_fury", columns=8, rows=8)
    game.add("area", type="zone", name="Z9", outline=[[0, 0], [1920, 0], [1920, 960], [0, 960]], dot=[960, 500])
    scan = draw(game.grid, game.labels, tmp_path / "scan.png")
    corner = (1440, 2400)
    corners = {point: scan.of_point(point) for point in (corner, (3600, 240))}
    game.set_backdrop(scan.path, {"Z9": scan.of_point((960, 500)), **corners})
    assert game.backdrop.fit().rms < 1e-6
    game.remove("Z9")
    assert [point.name for point in game.backdrop.fit().lost] == ["1"]
    assert any("no place of the map is called" in one.message for one in game.check())


def test_bundles_go_out_without_the_scan(skewed: tuple[Any, Known], tmp_path: Path) -> None:
    game, scan = skewed
    game.set("sources", [{"title": "drawn for the tests"}])
    game.set_backdrop(scan.path, scan.points("0101", "1201", "0109"))
    export_bundle(game, None, tmp_path / "out.zip", sight=False, preview=False)
    with zipfile.ZipFile(tmp_path / "out.zip") as bundle:
        assert b"backdrop" not in bundle.read("map.json")


def test_a_map_that_grows_or_shrinks_keeps_every_hex_on_the_scan(skewed: tuple[Any, Known]) -> None:
    game, scan = skewed
    corner = game.grid.corners(game.labels.cell("0605"))[2]
    places = {**scan.points("0202", "1102", "0208", "1108"), corner: scan.of_point(corner)}
    game.set_backdrop(scan.path, places)
    before, fit = game.to_text(), game.backdrop.fit()
    game.apply(Resize(left=3, top=2, right=-1))
    after = game.backdrop.fit()
    assert after.rms == pytest.approx(fit.rms, abs=1e-9)
    cell = game.grid.cell(1 + 3, 1 + 2)  # once 0202
    assert after.fit.to_picture(*game.grid.to_map(*game.grid.centre(cell))) == pytest.approx(scan.of("0202"), abs=0.1)
    game.undo()
    assert game.to_text() == before
