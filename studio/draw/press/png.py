"""A page as a PNG of true size: the same marks as in a PDF, as pixels, with the dots per inch in the file."""

from __future__ import annotations

from typing import IO, Any

import numpy as np

from studio.draw.press.page import Page, Placed
from studio.draw.press.pictures import sampled
from studio.draw.press.plate import Box, Look, Mark, PictureMark, TextMark

__all__ = ["write_png"]

_INCH = 25.4


def write_png(out: IO[bytes], page: Page, *, dpi: int, credit: str = "") -> None:
    """Write a page as a PNG.

    Parameters
    ----------
    out : binary file
    page : Page
    dpi : int
        Dots per inch, which the file tells.
    credit : str
        Its sources, as texts "Source" and "Copyright" of the file.
    """
    from matplotlib.backends.backend_agg import RendererAgg
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    px = dpi / _INCH
    wide, high = round(page.wide * px), round(page.high * px)
    renderer: Any = RendererAgg(wide, high, dpi)  # type: ignore[no-untyped-call]
    renderer.clear()
    sheet = np.asarray(renderer.buffer_rgba())
    sheet[...] = 255
    for placed in page.placed:
        _Painting(renderer, placed, px, high, dpi).paint()
    texts = PngInfo()
    for key in ("Source", "Copyright") if credit else ():
        texts.add_text(key, credit)
    Image.fromarray(sheet[..., :3]).save(out, "PNG", dpi=(dpi, dpi), pnginfo=texts)


class _Painting:
    """Paints a plate with matplotlib's own painter of pixels.

    Parameters
    ----------
    renderer : RendererAgg
    placed : Placed
    px : float
        Pixels of a millimetre.
    high : int
        Of the page, in pixels.
    dpi : int
    """

    def __init__(self, renderer: Any, placed: Placed, px: float, high: int, dpi: int) -> None:
        from matplotlib.transforms import Affine2D

        self.renderer, self.placed, self.dpi, self.high = renderer, placed, dpi, high
        self.px = px * placed.scale
        # y goes up in the renderer.
        self.affine = Affine2D(
            np.array(
                [
                    [self.px, 0, placed.x * px],
                    [0, -self.px, high - placed.y * px],
                    [0, 0, 1],
                ]
            )
        )
        self._window = self._box(placed.window) if placed.window is not None else None
        self._clips: dict[int, Any] = {}

    def _box(self, window: Box) -> Any:
        from matplotlib.transforms import Bbox

        corners = self.affine.transform(np.reshape(window, (2, 2)))
        low, top = corners.min(axis=0), corners.max(axis=0)
        return Bbox(np.array([low, top]))

    def paint(self) -> None:
        """Paint all marks."""
        for _, _, mark in self.placed.plate.within(self.placed.window):
            if isinstance(mark, PictureMark):
                self._picture(mark)
                continue
            shape = mark.outline() if isinstance(mark, TextMark) else mark
            if shape is not None:
                self._path(shape)

    def _context(self, mark: Mark) -> Any:
        from matplotlib.path import Path
        from matplotlib.transforms import TransformedPath

        gc = self.renderer.new_gc()
        if self._window is not None:
            gc.set_clip_rectangle(self._window)
        clip = mark.clip
        if clip is not None:
            if id(clip) not in self._clips:
                path = Path(clip.points, np.asarray(clip.codes, dtype=np.uint8))
                self._clips[id(clip)] = TransformedPath(path, self.affine)
            gc.set_clip_path(self._clips[id(clip)])
        return gc

    def _path(self, mark: Any) -> None:
        from matplotlib.path import Path

        look: Look = mark.look
        gc = self._context(mark)
        path = Path(mark.points, np.asarray(mark.codes, dtype=np.uint8))
        if look.fill:
            gc.set_linewidth(0)
            gc.set_alpha(look.fill_alpha)
            self.renderer.draw_path(gc, path, self.affine, _rgba(look.fill, look.fill_alpha))
        if look.stroke:
            gc.set_foreground(_rgba(look.stroke, look.stroke_alpha), isRGBA=True)
            gc.set_alpha(look.stroke_alpha)
            points = self.px * 72 / self.dpi
            gc.set_linewidth(look.width * points)
            if look.dash:
                gc.set_dashes(look.offset * points, [one * points for one in look.dash])
            gc.set_capstyle(look.cap)
            gc.set_joinstyle(look.join)
            self.renderer.draw_path(gc, path, self.affine, None)
        gc.restore()

    def _picture(self, mark: PictureMark) -> None:
        """Paint a picture that lies straight; one that is turned, pixel by pixel as shapes would be, by its corners."""
        from PIL import Image

        a, b, c, d, e, f = mark.matrix
        corners = self.affine.transform(np.array([[e, f], [e + a, f + b], [e + c, f + d]]))
        x0, y0 = corners.min(axis=0) if not (b or c) else (0.0, 0.0)
        gc = self._context(mark)
        if b or c:
            pixels = self._turned(mark)
        else:
            found = sampled(mark, None, self.dpi)
            if found is None:
                return
            size = np.abs(corners[1, 0] - corners[0, 0]), np.abs(corners[2, 1] - corners[0, 1])
            fitted = Image.fromarray(found[0]).resize((max(1, round(size[0])), max(1, round(size[1]))))
            pixels = np.asarray(fitted.convert("RGBA"))
        self.renderer.draw_image(gc, round(x0), round(y0), np.ascontiguousarray(pixels[::-1]))
        gc.restore()

    def _turned(self, mark: PictureMark) -> Any:
        """Return a picture as it lies on the whole page."""
        from PIL import Image

        high, wide = mark.pixels.shape[:2]
        a, b, c, d, e, f = mark.matrix
        to_mm = np.array([[a / wide, c / high, e], [b / wide, d / high, f], [0, 0, 1]])
        page = self.affine.get_matrix() @ to_mm
        # From the pixels of the page, y down, back to those of the picture.
        down = np.array([[1, 0, 0], [0, -1, self.high], [0, 0, 1]])
        back = np.linalg.inv(down @ page)
        source = Image.fromarray(mark.pixels).convert("RGBA")
        canvas = np.asarray(self.renderer.buffer_rgba()).shape
        turned = source.transform(
            (canvas[1], canvas[0]), Image.Transform.AFFINE, tuple(back[:2].ravel()), Image.Resampling.BILINEAR
        )
        return np.asarray(turned)


def _rgba(color: str, alpha: float) -> tuple[float, float, float, float]:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue, alpha
