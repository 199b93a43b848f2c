"""The pictures of ``docs/gallery.md``, and some of answers: ``python -m tests.draw.gallery`` makes them anew."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import studio
from studio.draw import save_picture

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"

LARGEST = 250_000
"""Bytes of a picture."""

SCENES: dict[str, Callable[[], Any]] = {}


def scene(make: Callable[[], Any]) -> Callable[[], Any]:
    """Enter a picture in the gallery under the name of its function."""
    SCENES[f"gallery-{make.__name__.replace('_', '-')}.png"] = make
    return make


def shipped(name: str) -> Any:
    return studio.open_map(ROOT / "maps" / f"{name}.map.json", recover_unsaved=False)


def point(made: Any, label: str, dx: int = 0, dy: int = 0) -> list[int]:
    x, y = made.grid.centre(made.labels.cell(label))
    return [x + dx, y + dy]


def box(made: Any, label: str, left: int, top: int, right: int, bottom: int) -> list[list[int]]:
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    return [point(made, label, *corner) for corner in corners]


# -- Phantom Fury ----------------------------------------------------------------------------------------------------


@scene
def district() -> Any:
    return shipped("phantom-fury").plot(hex_px=40)


@scene
def zones() -> Any:
    return shipped("phantom-fury").plot(around=["26", "28", "40"], margin=0.5, hex_px=88)


@scene
def start_zones() -> Any:
    made = shipped("phantom-fury")
    for label in ("1", "2", "3"):
        made.add("marker", type="activated_start_zone", at=label)
    for kind, label in (("dragon_eye", "Dragon Eye 0"), ("super_cobra", "Super Cobra 1")):
        made.add("marker", type=kind, at=label)
    x0, y0, x1, _ = made.grid.frame
    left, top = made.grid.to_map(x0, y0)
    right = made.grid.to_map(x1, 0)[0]
    return made.plot(extent=(left + 1.2, top + 0.5, min(right, left + 12.5), top + 7.4), hex_px=82)


# -- Urban Operations ------------------------------------------------------------------------------------------------


@scene
def town() -> Any:
    return shipped("urban-1").plot(around=["12.6", "29.8", "20.4", "22.14"], margin=1.2, hex_px=50)


@scene
def arcs_of_fire() -> Any:
    return shipped("urban-1").plot(around=["13.1", "29.4", "2815"], margin=2.5, hex_px=58, arcs=["29.4", "13.1"])


@scene
def sectors() -> Any:
    return shipped("urban-1").plot(around=["6.1", "9.2"], margin=1.2, hex_px=62, arcs=True)


@scene
def clouds() -> Any:
    made = shipped("urban-1")
    made.add_cloud("toxic_cloud", "0404", wind="N")
    made.add_cloud("smoke", "0606", wind="SE")
    made.add_cloud("wreck", "1305", wind="NE", options={"cloud_shape": "wedge"})
    counters = {
        "fortified": "7.2", "barricade": "0805", "ied_uxo": "0905", "toxic_waste": "1005",
        "civilian_population": "0503", "at_mine": "1104", "unknown_counter": "0604", "vehicle": "0704",
    }  # fmt: skip
    for kind, label in counters.items():
        made.add("marker", type=kind, at=label)
    return made.plot(around=["0403", "7.4", "11.1"], margin=1.4, hex_px=66)


@scene
def underground() -> Any:
    return shipped("urban-1").plot(around=["U1.1", "U2.6"], margin=1.5, hex_px=58)


# -- Modern Tactics --------------------------------------------------------------------------------------------------


@scene
def hills() -> Any:
    return shipped("tactics-2").plot(around=["W10", "GG10", "DD17"], margin=1.5, hex_px=64)


@scene
def structures() -> Any:
    """Everything that is drawn freely, on a small map of its own."""
    made = studio.new_map("modern_tactics", columns=11, rows=8, half=("top", "bottom", "left", "right"))
    made.add("area", type="structure", outline=box(made, "0202", -230, -110, 60, 100))
    made.add("area", type="structure", level=1, outline=box(made, "0402", -260, -130, 200, 620))
    made.add("area", type="ruins", outline=box(made, "0205", -260, -120, 220, 130))
    made.paint(["0205"], terrain="ruins").paint(["0202", "0402", "0403", "0404"], terrain="structure")
    made.add("area", type="structure", outline=box(made, "0404", -330, -130, -80, 110))
    path = ["0205", "0305", "0404", "0505", "0604", "0705", "0804"]
    line = [point(made, label, 60 if label == "0404" else 0, 60 if label == "0404" else 0) for label in path]
    made.add("road", path=path, line=line, surface="unpaved")
    made.add("area", type="compound", outline=box(made, "0802", -700, -330, 700, 330))
    made.add("area", type="structure", outline=box(made, "0802", 220, -270, 500, -60))
    made.add("dot", at="0702", point=point(made, "0702", 300, 60))
    made.add("dot", at="0902", point=point(made, "0902", 330, 0))
    made.add("wall", type="high_wall", line=[point(made, "0606", -480, 200), point(made, "0606", 700, 200)])
    for a, b in (("0506", "0507"), ("0506", "0605"), ("0506", "0606")):
        made.set_side(a, b, "low_wall")
    for a, b in (("0906", "0907"), ("0906", "1006"), ("0906", "1005")):
        made.set_side(a, b, "hedge")
    made.paint(["0207", "0307", "0407", "0507"], level=-1)
    made.paint(["1003", "1004", "1005", "1006", "1007"], terrain="wadi")
    made.add("area", type="hill", level=1, outline=_round(made, "0806", 900, 450))
    made.add("area", type="hill", level=2, outline=_round(made, "0806", 380, 190))
    return made.plot(hex_px=84)


def _round(made: Any, label: str, wide: int, high: int) -> list[list[int]]:
    import math

    turns = [math.tau * n / 16 for n in range(16)]
    return [point(made, label, round(wide * math.cos(turn)), round(high * math.sin(turn))) for turn in turns]


# -- Armageddon War --------------------------------------------------------------------------------------------------


@scene
def desert() -> Any:
    return shipped("armageddon-1").plot(around=["X5", "U9", "R3"], margin=2, hex_px=64)


# -- pictures of answers, for other pages -----------------------------------------------------------------------------


def sight_urban() -> Any:
    made = shipped("urban-1")
    return made.plot_sight(made.sight("29 roof", "2210"))


def sight_zones() -> Any:
    made = shipped("phantom-fury")
    return made.plot_sight(made.sight("17", "46"))


def view_rooms() -> Any:
    made = shipped("urban-1")
    return made.plot_field_of_view(made.field_of_view("13.1"), hex_px=21)


def supply() -> Any:
    front = studio.open_scenario(ROOT / "scenarios" / "practice-front.scenario.json", recover_unsaved=False)
    return front.plot_supply("iraq", hex_px=36)


def made_of(name: str) -> Any:
    return studio.import_geography(ROOT / "maps" / "geography" / name / f"{name}.geography.toml")


def geography() -> Any:
    return made_of("iran-iraq").plot(hex_px=18)


def geography_fit() -> Any:
    return made_of("iran-iraq").plot_fit(hex_px=22)


def geography_confidence() -> Any:
    return made_of("iran-iraq").plot_confidence(hex_px=22)


def geography_town() -> Any:
    return made_of("helsinki").plot(hex_px=9)


ANSWERS: dict[str, Callable[[], Any]] = {
    "geography.png": geography,
    "geography-confidence.png": geography_confidence,
    "geography-fit.png": geography_fit,
    "geography-town.png": geography_town,
    "supply.png": supply,
    "sight-urban.png": sight_urban,
    "sight-zones.png": sight_zones,
    "view-rooms.png": view_rooms,
}


def png(axes: Any) -> bytes:
    """Return a picture as PNG, with 256 colours where it would be too large for a page with all of them."""
    from PIL import Image

    buffer, small = io.BytesIO(), io.BytesIO()
    save_picture(axes, buffer, kind=".png")
    if len(buffer.getvalue()) <= LARGEST:
        return buffer.getvalue()
    Image.open(buffer).convert("RGB").quantize(256, kmeans=2).save(small, format="PNG", optimize=True)
    return small.getvalue()


def main(names: list[str]) -> None:
    every = SCENES | ANSWERS
    for name in names or every:
        (PICTURES / name).write_bytes(png(every[name]()))
        print(name, (PICTURES / name).stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1:])
