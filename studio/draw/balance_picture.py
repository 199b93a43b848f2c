"""How strong the sides of a scenario are, as bars: a bar a side, a part of it a formation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from studio.draw.counterfaces import side_colors
from studio.draw.picture import DPI, new_figure
from studio.draw.plain import style_for
from studio.draw.style import mix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_balance"]

_WIDE, _BAR, _FRAME = 760, 64, 76  # pixels
_CHAR = 6.2  # pixels that a letter of a label takes
_LATER, _MAYBE = "////", "...."


def draw_balance(balance: Any, *, ax: Axes | None = None) -> Axes:
    """Draw a bar a side: each part a formation with its points, hatched where it comes later, dotted where it may not.

    Parameters
    ----------
    balance : studio.api.balance.Balance
    ax : matplotlib.axes.Axes, optional
        Draw here; a figure of its own otherwise.

    Returns
    -------
    matplotlib.axes.Axes
    """
    style = style_for(balance.ruleset, [])
    sides, ink = balance.sides, style.letters.ink
    if ax is None:
        figure = new_figure(_WIDE, _FRAME + _BAR * max(1, len(sides)), "#ffffff")
        high = figure.get_figheight() * DPI
        ax = figure.add_axes((0.17, 44 / high, 0.8, 1 - _FRAME / high))
    longest = max([1, *(side.points for side in sides)])
    ax.set_xlim(0, 1.08 * longest)
    ax.set_ylim(len(sides) - 0.45, -0.55)
    px = ax.get_window_extent().width / ax.figure.dpi * DPI / (1.08 * longest)
    for row, side in enumerate(sides):
        _bar(ax, row, side, _color(balance.document, side), ink, px)
    ax.set_yticks(range(len(sides)), [_short(side.name) for side in sides], parse_math=False)
    ax.tick_params(labelsize=8, length=2, color=ink, labelcolor=ink)
    hatched = any(one.turn > 1 or not one.certain for side in sides for one in side.counted)
    words = "; hatched: comes later, dotted: may not come" if hatched else ""
    ax.set_xlabel(balance.measure + words, fontsize=8, color=ink)
    ax.set_title(balance.document.title, fontsize=9, color=ink, loc="left", pad=4, parse_math=False)
    ax.grid(axis="x", color="#9aa5a3", lw=0.5, alpha=0.5)
    ax.set_axisbelow(True)
    for name, spine in ax.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(ink)
    return ax


def _color(document: Any, side: Any) -> str:
    colors = side_colors(document.forces)
    return next(colors[n] for n, force in enumerate(document.forces) if force.id in side.forces)


def _bar(ax: Axes, row: int, side: Any, color: str, ink: str, px: float) -> None:
    start = 0
    for n, one in enumerate(side.counted):
        fill = mix(color.lower(), "#ffffff", 350 + 250 * (n % 2))
        hatch = _MAYBE if not one.certain else _LATER if one.turn > 1 else None
        ax.barh(row, one.points, 0.62, left=start, color=fill, edgecolor="#ffffff", lw=1, hatch=hatch, zorder=2)
        words = f"{one.name} {one.points}" if len(one.name) * _CHAR < one.points * px - 24 else str(one.points)
        if one.points and len(words) * _CHAR < one.points * px:
            under = {"boxstyle": "round,pad=0.15", "fc": fill, "ec": "none"} if hatch else None
            ax.text(
                start + one.points / 2, row, words, ha="center", va="center", fontsize=7.5, color=ink, zorder=3,
                parse_math=False, bbox=under,
            )  # fmt: skip
        start += one.points
    if side.breaks_at:
        ax.plot([side.breaks_at] * 2, [row - 0.42, row + 0.42], color="#b3261e", lw=1.6, ls=(0, (3, 2)), zorder=4)
        at = (side.breaks_at, row - 0.43)
        ax.annotate(f"breaks at {side.breaks_at}", at, fontsize=6.5, color="#b3261e", va="bottom", ha="center")
    ax.text(start, row, f" {start}", ha="left", va="center", fontsize=8.5, fontweight="bold", color=ink)


def _short(name: str, most: int = 18) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
