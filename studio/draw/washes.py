"""What answers lay over a map: light and shade, hatching, dots, borders, numbers and keys, readable without colour."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from studio.draw.recording import Pattern, current, lay_pattern
from studio.draw.subject import Floats

if TYPE_CHECKING:
    from studio.draw.picture import Picture

__all__ = [
    "DARK",
    "KEY_PX",
    "Entry",
    "border",
    "diagonals",
    "draw_key",
    "figures",
    "fill",
    "key_room",
    "ramp",
    "specks",
    "star",
]

KEY_PX = 46
"""Height of the key below a map, in pixels."""

DARK = "#1d1a17"

_SCALE_PX = 90  # by so much the strip of a scale is longer than other samples

_BOLD_PX = 8.9  # width of a letter of a title

_RAMP = ("#fdf0cf", "#f3c969", "#E69F00", "#D55E00", "#7a2500")
"""From little to much: light to dark in grey as well, told apart by every colour vision."""


def ramp(share: float) -> str:
    """Return a colour from light to dark for a share from 0 to 1."""
    from studio.draw.style import mix

    at = min(max(share, 0.0), 1.0) * (len(_RAMP) - 1)
    low = min(int(at), len(_RAMP) - 2)
    return mix(_RAMP[low].lower(), _RAMP[low + 1].lower(), round((at - low) * 1000))


def fill(picture: Picture, region: Any, color: str, alpha: float, zorder: float = 9.3) -> None:
    """Lay a colour over a region."""
    from matplotlib.collections import PathCollection

    # A patch would be searched for its limits, curve by curve.
    wash = PathCollection([region], facecolors=color, edgecolors="none", alpha=alpha, zorder=zorder)
    picture.ax.add_collection(wash, autolim=False)


def diagonals(
    picture: Picture,
    region: Any,
    gap: float,
    color: str,
    alpha: float,
    width: float,
    way: Literal["/", "\\"] = "/",
) -> None:
    """Hatch a region with lines `gap` hex heights apart, unbroken from hex to hex."""
    from matplotlib.collections import LineCollection

    x0, y0, x1, y1 = picture.extent
    step, high = gap * picture.subject.grid.hex_height, y1 - y0
    if current() is not None:
        pattern = Pattern("rising", step, x0 + y0) if way == "/" else Pattern("falling", step, x0 - y1)
        lay_pattern(picture.ax, [region], pattern, color, width, 9.4, alpha)
        return
    lines = []
    for x in np.arange(x0 - high, x1, step):
        # Cut to the map's panel here: the clip path of the region takes the place of the panel's.
        first, last = max(0.0, x0 - x), min(high, x1 - x)
        foot, rise = (y1, -1) if way == "/" else (y0, 1)
        lines.append([(x + first, foot + rise * first), (x + last, foot + rise * last)])
    hatch = LineCollection(lines, colors=color, linewidths=width, alpha=alpha, zorder=9.4)
    hatch.set_clip_path(region, transform=picture.ax.transData)
    picture.ax.add_collection(hatch, autolim=False)


def specks(picture: Picture, region: Any, color: str, alpha: float) -> None:
    """Dot a region."""
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    x0, y0, x1, y1 = picture.extent
    unit = picture.subject.grid.hex_height
    if current() is not None:
        lay_pattern(picture.ax, [region], Pattern("specks", 0.22 * unit), color, 0, 9.4, alpha)
        return
    xs, ys = np.meshgrid(np.arange(x0, x1, 0.22 * unit), np.arange(y0, y1, 0.22 * unit))
    dot = Path.circle(radius=0.032 * unit)
    dots = [
        Path(np.asarray(dot.vertices) + np.array([x, y]), dot.codes)
        for x, y in zip(xs.ravel(), ys.ravel(), strict=True)
    ]
    spots = PathCollection(dots, facecolors=color, edgecolors="none", alpha=alpha, zorder=9.4)
    spots.set_clip_path(region, transform=picture.ax.transData)
    picture.ax.add_collection(spots, autolim=False)


def border(picture: Picture, lines: Sequence[Floats], dash: bool = False) -> None:
    """Draw lines in black on white, readable over everything (zorder 9.6)."""
    from matplotlib.collections import LineCollection

    if not len(lines):
        return
    for color, width, style in (("#ffffff", 70, "solid"), (DARK, 30, [(0, (3, 1.6))] if dash else "solid")):
        wide = max(0.6, width * picture.line_scale)
        picture.ax.add_collection(
            LineCollection(
                list(lines),
                colors=color,
                linewidths=wide,
                linestyles=style,
                capstyle="butt" if dash else "round",
                joinstyle="round",
                zorder=9.6,
            )
        )


def star(picture: Picture, at: Floats, color: str, size: float = 1.0) -> None:
    """Mark where one looks from."""
    px = picture.hex_px * 0.72 * size
    ax = picture.ax
    edge = max(1, 40 * picture.line_scale)
    ax.plot(at[0], at[1], "o", ms=max(9, 0.52 * px), mfc="#ffffff", mec=DARK, mew=edge, zorder=30)
    ax.plot(at[0], at[1], "*", ms=max(7, 0.42 * px), mfc=color, mec=DARK, mew=0.6, zorder=31)


def figures(picture: Picture, words: Sequence[tuple[Floats, str]], size: float, least_px: float) -> None:
    """Write figures at points, none in hexes of fewer pixels than `least_px` (zorder 9.8)."""
    from studio.draw.letters import draw_text

    if picture.hex_px < least_px:
        return
    height = max(size, 7.5 / picture.hex_px) * picture.subject.grid.hex_height
    with picture.batched() as canvas:
        for at, text in words:
            draw_text(canvas, text, at, height, DARK, 9.8, halo="#ffffff")


class Entry:
    """One sample of a key: its word, colour, strength and hatch.

    With a ring it is that of the sign of a place, as a disc that of a road. A sign stands in the sample like in a
    counter; a mark is a marker of matplotlib instead of the box, such as a star; a scale is a strip of all shades,
    those of `ramp` unless other ones are given. A stroke, ``-`` or ``--``, is a line.
    """

    def __init__(
        self,
        word: str,
        color: str,
        alpha: float = 1.0,
        hatch: str = "",
        *,
        line: bool = False,
        ring: str = "",
        disc: bool = False,
        sign: str = "",
        ink: str = "#ffffff",
        mark: str = "",
        scale: bool = False,
        shade: Callable[[float], str] = ramp,
        stroke: str = "",
    ) -> None:
        self.word, self.color, self.alpha, self.hatch = word, color, alpha, hatch
        self.line, self.ring, self.disc = line, ring, disc
        self.sign, self.ink, self.mark, self.stroke = sign, ink, mark, stroke
        self.scale, self.shade = scale, shade


def draw_key(picture: Picture, title: str, entries: Sequence[Entry]) -> None:
    """Write below the map what the signs mean, in the room that `key_room` keeps for it."""
    from matplotlib.patches import Circle, Rectangle

    wide, high = picture.size
    room = key_room(wide, title, entries)
    panel = picture.panel(0, high - room - 2, wide, room)
    panel.set_xlim(0, wide)
    panel.set_ylim(room, 0)
    panel.axis("off")
    ink = picture.style.letters.name_ink
    for n, line in enumerate(_title_lines(wide, title)):
        panel.text(26, 20 + 24 * n, line, fontsize=10, fontweight="bold", color=ink, va="center", parse_math=False)
    for (x, y), entry in zip(_places(wide, title, entries), entries, strict=True):
        shift = _SCALE_PX if entry.scale else 0
        if entry.scale:
            for n in range(24):
                strip = (x + n * (30 + shift) / 24, y - 11), (30 + shift) / 24, 22
                panel.add_patch(Rectangle(*strip, fc=entry.shade(n / 23), ec="none", alpha=entry.alpha))
            panel.add_patch(Rectangle((x, y - 11), 30 + shift, 22, fc="none", ec=DARK, lw=0.8))
        elif entry.stroke:
            panel.plot([x, x + 30], [y, y], entry.stroke, color=entry.color, lw=2.4)
        elif entry.mark:
            rim = "#ffffff" if entry.color.lower() == DARK else DARK
            panel.plot(x + 15, y, entry.mark, ms=13, mfc=entry.color, mec=rim, mew=0.9, clip_on=False)
        elif entry.disc:
            panel.add_patch(Circle((x + 15, y), 8, fc=entry.color, ec=DARK, lw=1.2))
        else:
            left, across = (x + 4, 22) if entry.ring else (x, 30)
            edge = 2.6 if entry.ring else 2.2 if entry.line else 0.8
            look: dict[str, Any] = {"ec": entry.ring or DARK, "lw": edge, "hatch": entry.hatch, "alpha": entry.alpha}
            panel.add_patch(Rectangle((left, y - 11), across, 22, fc=entry.color, **look))
        if entry.sign:
            panel.text(x + 15, y, entry.sign, fontsize=9, fontweight="bold", color=entry.ink, ha="center", va="center")
        panel.text(x + 38 + shift, y, entry.word, fontsize=9, color=ink, va="center", parse_math=False)


def key_room(wide: float, title: str, entries: Sequence[Entry]) -> float:
    """Return the height of a key in pixels."""
    return KEY_PX + (max((y for _, y in _places(wide, title, entries)), default=20) - 20)


def _title_lines(wide: float, title: str) -> list[str]:
    return textwrap.wrap(title, max(12, int((wide - 40) / _BOLD_PX))) or [""]


def _places(wide: float, title: str, entries: Sequence[Entry]) -> list[tuple[float, float]]:
    """Return where the samples of a key stand: behind a short title or below a long one, in as many lines as needed."""
    lines = _title_lines(wide, title)
    x, y = 50 + _BOLD_PX * len(lines[0]), 20.0
    if len(lines) > 1 or x > 0.6 * wide:
        x, y = 26.0, 20.0 + 24 * (len(lines) - 1) + 32
    found = []
    for entry in entries:
        need = 58 + 7.4 * len(entry.word) + (_SCALE_PX if entry.scale else 0)
        if x + need > wide and x > 26:
            x, y = 26.0, y + 32
        found.append((x, y))
        x += need
    return found
