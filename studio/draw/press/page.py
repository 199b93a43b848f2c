"""Pages: plates placed on paper."""

from __future__ import annotations

from typing import NamedTuple

from studio.draw.press.plate import Box, Plate

__all__ = ["Page", "Placed"]


class Placed(NamedTuple):
    """A plate on a page.

    Parameters
    ----------
    plate : Plate
    x, y : float
        Where the plate's corner (0, 0) lies on the page, in millimetres.
    scale : float
    window : (left, top, right, bottom), optional
        What of the plate is seen, in its own millimetres.
    """

    plate: Plate
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    window: Box | None = None


class Page(NamedTuple):
    """A page.

    Parameters
    ----------
    wide, high : float
        In millimetres.
    placed : tuple of Placed
        From below to above.
    title : str
        For the outline of the document.
    trim, bleed : (left, top, right, bottom), optional
        What is left when the page is cut, and how far the picture goes on beyond it.
    """

    wide: float
    high: float
    placed: tuple[Placed, ...]
    title: str = ""
    trim: Box | None = None
    bleed: Box | None = None
