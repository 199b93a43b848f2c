"""A scan for the browser: squares of it at several resolutions, each coded once and sent when it comes into sight."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from studio.files.pictures import read_picture

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MOST", "SMALL", "TILE", "Pyramid", "Tile", "made", "pyramid_of"]

TILE = 512
"""Side of a square in pixels of its level; each has one more pixel to the right and below, so that no seam shows."""
MOST = 100_000_000
"""Most pixels of the finest level: a sheet of 84 x 59 cm at 300 dots an inch is finer by nothing."""
SMALL = 6_000_000
"""Pixels up to which a scan is cut up at once, in a tenth of a second or two."""
_QUALITY = 85
_KEPT = 2

Tile = tuple[int, int, int]
"""Level (0 the finest), column and row of a square."""

_LOCK = threading.Lock()
_MADE: dict[str, Pyramid] = {}


class Pyramid:
    """The squares of one picture.

    Parameters
    ----------
    image : PIL.Image.Image
        The finest level, ``RGB`` or ``RGBA``.
    progress : callable, optional
        Called with how many levels are done, and of how many.

    Attributes
    ----------
    size : (width, height)
        Of the finest level.
    levels : int
        Each has half the resolution of the one before; the last is one square.
    """

    def __init__(self, image: Image, progress: Callable[[int, int], None] | None = None) -> None:
        self.size: tuple[int, int] = image.size
        self.levels = 1
        while max(self.size) > TILE << (self.levels - 1):
            self.levels += 1
        self._tiles: dict[Tile, bytes] = {}
        for level in range(self.levels):
            if progress is not None:
                progress(level, self.levels)
            for column, row in _squares(image.size):
                box = (column * TILE, row * TILE, (column + 1) * TILE + 1, (row + 1) * TILE + 1)
                part = image.crop((*box[:2], min(box[2], image.width), min(box[3], image.height)))
                self._tiles[level, column, row] = _coded(part)
            if level + 1 < self.levels:
                image = image.reduce(2)

    def state(self) -> dict[str, object]:
        """Return what the browser needs to ask for squares."""
        return {"size": list(self.size), "levels": self.levels, "tile": TILE}

    def tiles(self, wanted: Iterable[Tile]) -> list[tuple[Tile, bytes]]:
        """Return the squares of a list that there are, each as JPEG, or as PNG where it is transparent."""
        return [(tile, self._tiles[tile]) for tile in dict.fromkeys(wanted) if tile in self._tiles]

    @property
    def bytes(self) -> int:
        """How much the squares take."""
        return sum(map(len, self._tiles.values()))


def _squares(size: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for row in range((size[1] + TILE - 1) // TILE):
        for column in range((size[0] + TILE - 1) // TILE):
            yield column, row


def _coded(part: Image) -> bytes:
    buffer = io.BytesIO()
    if part.mode == "RGBA":
        part.save(buffer, "PNG", compress_level=3)
    else:
        part.save(buffer, "JPEG", quality=_QUALITY, subsampling=0)
    return buffer.getvalue()


def made(sha256: str) -> Pyramid | None:
    """Return the squares of a picture if they are there already."""
    with _LOCK:
        return _MADE.get(sha256)


def pyramid_of(
    path: str | os.PathLike[str], sha256: str, progress: Callable[[int, int], None] | None = None
) -> Pyramid:
    """Return the squares of a picture; those of the last two pictures are kept.

    Parameters
    ----------
    path : path
    sha256 : str
        Of the file, by which the squares are known.
    progress : callable, optional
        Called with how many levels are done, and of how many.

    Raises
    ------
    PictureFileError
        When the picture cannot be read.
    """
    found = made(sha256)
    if found is None:
        found = Pyramid(read_picture(path, most=MOST).image, progress)
        with _LOCK:
            _MADE[sha256] = found
            while len(_MADE) > _KEPT:
                del _MADE[next(iter(_MADE))]
    return found
