"""The scan in pictures: each hex shows its own colour of the scan, over the ground or in place of its tints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.files.pictures import PictureFileError
from tests.editor.scans import colour, draw


def pixels_of(axes: Any) -> Any:
    axes.figure.canvas.draw()
    return np.asarray(axes.figure.canvas.buffer_rgba())[:, :, :3].astype(int)


def at(axes: Any, picture: Any, game: Any, label: str, dy: float = 0.0) -> Any:
    x, y = game.grid.to_map(*game.grid.centre(game.labels.cell(label)))
    u, v = axes.transData.transform((x, y + dy * game.grid.hex_height))
    return picture[picture.shape[0] - 1 - int(v), int(u)]


LABELS = ["0101", "0405", "1101", "1209", "0109", "0704"]


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_each_hex_shows_its_part_of_the_scan(tmp_path: Path, orientation: Any) -> None:
    game = studio.new_map("armageddon_war", columns=12, rows=9, orientation=orientation)
    scan = draw(game.grid, game.labels, tmp_path / "scan.png", turn=3.0, shear=0.05, squash=0.9)
    game.set_backdrop(scan.path, scan.points("0101", "1201", "0109", "1209"), opacity=1)
    axes = game.plot(backdrop=True, labels=False, hex_px=40)
    picture = pixels_of(axes)
    for label in LABELS:
        assert np.abs(at(axes, picture, game, label, 0.2) - colour(game.labels.cell(label))).max() <= 3
    plain = pixels_of(game.plot(labels=False, hex_px=40))
    assert plain.shape == picture.shape
    assert (np.abs(plain - picture).max(axis=2) > 8).mean() > 0.5


def test_opacity_mixes_scan_and_ground(tmp_path: Path) -> None:
    game = studio.new_map("armageddon_war", columns=12, rows=9)
    scan = draw(game.grid, game.labels, tmp_path / "scan.png")
    game.set_backdrop(scan.path, scan.points("0101", "1201", "0109", "1209"))
    shown = {}
    for opacity in (0.0, 0.5, 1.0):
        game.set_backdrop(scan.path, opacity=opacity)
        shown[opacity] = pixels_of(game.plot(backdrop=True, labels=False, hex_px=40)).astype(float)
    mixed = (shown[0.0] + shown[1.0]) / 2
    # Lines and frame lie above all of them alike; the rest is the mean of the two.
    assert np.median(np.abs(shown[0.5] - mixed)) <= 1
    assert np.abs(shown[0.0] - pixels_of(game.plot(labels=False, hex_px=40))).max() <= 1


@pytest.mark.parametrize("hex_px", [40, 4])
def test_under_the_ground_the_scan_takes_the_place_of_tints_only(tmp_path: Path, hex_px: float) -> None:
    game = studio.new_map("armageddon_war", columns=12, rows=9)
    game.paint("0405", terrain="dense_woods")
    scan = draw(game.grid, game.labels, tmp_path / "scan.png")
    game.set_backdrop(scan.path, scan.points("0101", "1201", "0109", "1209"), opacity=1, layer="under")
    axes = game.plot(backdrop=True, labels=False, hex_px=hex_px)
    picture, plain = pixels_of(axes), pixels_of(game.plot(labels=False, hex_px=hex_px))
    for label in ("0101", "1209", "0704"):
        assert np.abs(at(axes, picture, game, label) - colour(game.labels.cell(label))).max() <= 60
        assert np.abs(at(axes, plain, game, label) - colour(game.labels.cell(label))).max() > 20
    if hex_px > 10:
        assert np.abs(at(axes, picture, game, "0405") - at(axes, plain, game, "0405")).max() <= 40


def test_a_large_scan_is_reduced_and_lies_where_it_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from studio.draw import backdrop

    monkeypatch.setattr(backdrop, "_MOST", 40_000)
    game = studio.new_map("armageddon_war", columns=12, rows=9)
    scan = draw(game.grid, game.labels, tmp_path / "scan.png")
    game.set_backdrop(scan.path, scan.points("0101", "1201", "0109", "1209"), opacity=1)
    axes = game.plot(backdrop=True, labels=False, hex_px=40)
    picture = pixels_of(axes)
    for label in LABELS:
        assert np.abs(at(axes, picture, game, label) - colour(game.labels.cell(label))).max() <= 25


def test_a_map_without_a_scan_says_so() -> None:
    game = studio.new_map("armageddon_war", columns=4, rows=4)
    with pytest.raises(PictureFileError, match="set_backdrop"):
        game.plot(backdrop=True)
