"""Pictures of findings: each with its number on the map, and the list beside."""

from __future__ import annotations

import math
import textwrap
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from studio.draw.badge import badge
from studio.draw.options import called
from studio.draw.parts import Verdict
from studio.draw.picture import Picture, style_of, subject_of
from studio.draw.recording import sizes
from studio.draw.sheets import draw_out_of_play, use_of
from studio.draw.sites import sites_of
from studio.draw.style import Style
from studio.draw.window import part_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_findings"]

LIST_PX = 430
_LINE_PX, _LETTERS = 16.0, 56
_APART_PX = 17.0  # signs that stand closer would cover each other
_ERROR = Verdict(color="#b3261e", line="solid", sign="✕")
_WARNING = Verdict(color="#9a6700", line="solid", sign="●")
_NOTE = Verdict(color="#3d5a80", line="solid", sign="○")
_LOOKS = {"error": _ERROR, "warning": _WARNING, "note": _NOTE}
_WORST_FIRST = (_ERROR, _WARNING, _NOTE)


@called("plot")
def draw_findings(
    map: Any,
    findings: Sequence[Any],
    *,
    ax: Axes | None = None,
    hex_px: float | None = None,
    labels: bool = True,
    style: Style | str | None = None,
    extent: tuple[float, float, float, float] | None = None,
    around: str | Sequence[str] | None = None,
    margin: float = 3.0,
    arcs: bool | str | Sequence[str] = False,
    in_play: Any = None,
) -> Axes:
    """Draw a map with a number at the point of each finding, and the list of them to the right.

    Errors are squares, warnings discs, notes hollow discs.

    Parameters
    ----------
    map : studio.Map
    findings : sequence of Finding
        As ``map.check()`` gives them. Those without a point are in the list alone.
    ax, hex_px, labels, style, extent, around, margin, arcs, in_play
        As for :func:`studio.draw.draw_map`; with `ax` there is no list.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UnknownNameError, StyleError, PictureError
        As for :func:`studio.draw.draw_map`.
    """
    sites = sites_of(map)
    picture = Picture(
        subject_of(map),
        style_of(map, style),
        ax=ax,
        hex_px=hex_px,
        extent=part_of(sites, extent, around, margin),
        panels=(LIST_PX if ax is None else 0, 0),
        sites=sites,
    )
    picture.ground(labels=labels, arcs=arcs)
    if in_play is not None:
        draw_out_of_play(picture.ax, sites.survey, use_of(in_play))
    _mark(picture, findings)
    if ax is None:
        _list(picture, findings)
    return picture.ax


def _look(finding: Any) -> Verdict:
    return _LOOKS[finding.severity]


def _mark(picture: Picture, findings: Sequence[Any]) -> None:
    """Write the numbers on the map; findings close together share a sign, that of the worst of them."""
    for px in sizes(picture.hex_px, 1.0):
        _mark_at(picture, findings, _APART_PX * picture.subject.grid.hex_height / px)


def _mark_at(picture: Picture, findings: Sequence[Any], apart: float) -> None:
    """Write the numbers, for signs that stand so far apart in map units."""
    together: dict[tuple[float, float], list[int]] = defaultdict(list)
    for number, finding in enumerate(findings):
        if finding.point is not None:
            here = picture.subject.grid.to_map(*finding.point)
            together[next((there for there in together if math.dist(here, there) < apart), here)].append(number)
    x0, y0, x1, y1 = picture.extent
    for (x, y), numbers in together.items():
        if x0 <= x <= x1 and y0 <= y <= y1:
            text = ", ".join(str(number + 1) for number in numbers[:3]) + (" …" if len(numbers) > 3 else "")
            look = min((_look(findings[number]) for number in numbers), key=_WORST_FIRST.index)
            badge(picture.ax, (x, y), text, look, 7.5)


def _list(picture: Picture, findings: Sequence[Any]) -> None:
    """Write the findings in the room to the right, as many as there is room for."""
    wide, high = picture.size
    from studio.checks import tally

    ink, left = picture.style.letters.name_ink, wide - LIST_PX + 6
    panel = picture.panel(left, 0, LIST_PX - 12, high)
    panel.set_xlim(0, LIST_PX - 12)
    panel.set_ylim(high, 0)
    panel.axis("off")
    head = tally(findings)
    top = picture.margin + 10
    panel.text(0, top, head if findings else "no findings", fontsize=10.5, fontweight="bold", color=ink, va="center")
    for number, finding in enumerate(findings):
        lines = textwrap.wrap(f"{finding.at}: {finding.message}", _LETTERS)[:4]
        if finding.repair is not None:
            lines.append("can be repaired")
        top += 1.5 * _LINE_PX
        if top + _LINE_PX * len(lines) > high - picture.margin - _LINE_PX and number + 1 < len(findings):
            panel.text(30, top, f"… and {len(findings) - number} more", fontsize=8.5, color=ink, va="center")
            return
        badge(panel, (10, top), str(number + 1), _look(finding), 7.5)
        for at, line in enumerate(lines):
            mend = finding.repair is not None and at == len(lines) - 1
            slant = "italic" if mend else "normal"
            panel.text(30, top + at * _LINE_PX, line, fontsize=8.5, color=ink, va="center", fontstyle=slant)
        top += (len(lines) - 1) * _LINE_PX
