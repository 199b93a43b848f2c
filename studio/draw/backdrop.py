"""The scan of a map in matplotlib, laid on the map by its control points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.files.pictures import PictureFileError, read_picture
from studio.grid.fitting import Affine
from studio.survey.backdrop import placement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DrawnScan", "draw_scan", "fade_fills", "scan_of"]

_MOST = 40_000_000  # pixels of a scan in a picture
_UNDER, _OVER = 0.5, 4.3  # zorders: below the tints (1), and over the signs of terrain (4) but under what is drawn
_TINTS = 1


class DrawnScan(NamedTuple):
    """A scan as pictures draw it.

    Attributes
    ----------
    pixels : array of uint8, shape (height, width, 3 or 4)
        Reduced where the picture is large.
    size : (width, height)
        Of the picture in its file.
    affine : tuple of 6 floats
        From pixels of the file to map units.
    opacity : float
    under : bool
    """

    pixels: Any
    size: tuple[int, int]
    affine: Affine
    opacity: float
    under: bool


def scan_of(map: Any) -> DrawnScan:
    """Return the scan of a map.

    Raises
    ------
    PictureFileError
        When the map has none, or its picture is missing, broken or too large.
    """
    scan = getattr(map, "backdrop", None)
    path = getattr(scan, "path", None)
    if path is None:
        msg = "plot: the map has no backdrop; map.set_backdrop(path, points=...) lays one under it"
        raise PictureFileError(msg)
    record = map.model.backdrop
    image, _ = read_picture(path, most=_MOST)
    affine = placement(map.survey, record).affine
    return DrawnScan(np.asarray(image), record.size, affine, record.opacity, record.layer == "under")


def draw_scan(ax: Axes, scan: DrawnScan) -> None:
    """Draw a scan: under the tints of the ground (zorder 0.5), or over the signs of terrain (4.3)."""
    from matplotlib.image import AxesImage
    from matplotlib.transforms import Affine2D

    wide, high = scan.size
    a, b, c, d, e, f = scan.affine
    picture = AxesImage(
        ax,
        extent=(0, wide, high, 0),
        origin="upper",
        interpolation="bilinear",
        zorder=_UNDER if scan.under else _OVER,
    )
    picture.set_data(scan.pixels)
    picture.set_alpha(None if scan.under else scan.opacity)
    picture.set_transform(Affine2D(np.array([[a, b, c], [d, e, f], [0, 0, 1]])) + ax.transData)
    picture.set_clip_path(ax.patch)
    ax.add_artist(picture)


def fade_fills(ax: Axes, scan: DrawnScan) -> None:
    """Let a scan show through the tints that were drawn over it."""
    if scan.under:
        for artist in (*ax.collections, *ax.images):
            if artist.get_zorder() == _TINTS:
                artist.set_alpha(1 - scan.opacity)
