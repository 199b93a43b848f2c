"""Records what matplotlib draws as marks on a plate, in millimetres: exact lines instead of pixels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backend_bases import RendererBase

from studio.draw.press.fonts import font_file, has_letters, text_width
from studio.draw.press.layers import layer_at
from studio.draw.press.plate import Clip, Look, PathMark, PictureMark, Plate, TextMark, codes_of
from studio.draw.press.tones import Inks, Tone, tone_of, toned_pixels
from studio.draw.said import Said, said_by
from studio.draw.subject import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["record"]

_HATCH = 72.0  # points of a tile of a hatch
_HALO = 0.1  # of the letters' size: what is wider surrounds them
_POINT_PX = 100 / 72


def record(
    ax: Axes, plate: Plate, *, mm: float, at: tuple[float, float] = (0.0, 0.0), inks: Inks = "full", layer: str = ""
) -> Plate:
    """Add what was drawn on axes to a plate.

    Parameters
    ----------
    ax : Axes
        Of a figure at 100 dots per inch.
    plate : Plate
    mm : float
        Millimetres of one pixel.
    at : (float, float)
        Where the upper left corner of the axes lies on the plate.
    inks : {"full", "safe", "grey", "saver"}
    layer : str
        All of it belongs to this one; by its zorder otherwise.

    Returns
    -------
    Plate
    """
    box = ax.get_window_extent()
    to_mm = np.array([[mm, 0.0, at[0] - box.x0 * mm], [0.0, -mm, at[1] + box.y1 * mm], [0.0, 0.0, 1.0]])
    recorder = _Recorder(plate, to_mm, mm, inks, box)
    for artist in _drawn(ax):
        recorder.layer = layer or layer_at(float(artist.get_zorder()))
        recorder.take(artist)
    return plate


def _drawn(ax: Axes) -> Iterable[Any]:
    """Return what is seen on axes, from below to above; not what belongs to all axes."""
    own = {id(artist) for artist in (*ax.spines.values(), ax.xaxis, ax.yaxis, ax.patch)}
    own |= {id(ax.title), id(ax._left_title), id(ax._right_title)}  # type: ignore[attr-defined]
    found = [artist for artist in ax.get_children() if id(artist) not in own and artist.get_visible()]
    return sorted(found, key=lambda artist: artist.get_zorder())


class _Recorder(RendererBase):
    """A renderer of matplotlib that writes marks.

    Parameters
    ----------
    plate : Plate
    to_mm : array of shape (3, 3)
        From pixels, y up, to millimetres on the plate.
    mm : float
        Millimetres of one pixel.
    inks : str
    box : Bbox
        Of the axes, in pixels.
    """

    def __init__(self, plate: Plate, to_mm: Floats, mm: float, inks: Inks, box: Any) -> None:
        super().__init__()
        self.plate, self.to_mm, self.mm, self.inks = plate, to_mm, mm, inks
        self.tone: Tone = tone_of(inks)
        self.layer = ""
        self.size = (box.x1, box.y1)
        self._halos: list[Any] = []
        self._clips: dict[Any, tuple[Any, Clip]] = {}

    # -- what matplotlib asks ----------------------------------------------------------------------------------------

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the size of the canvas in pixels."""
        return self.size

    def points_to_pixels(self, points: Any) -> Any:
        """Return points in pixels, of which there are 100 to the inch."""
        return points * _POINT_PX

    def flipy(self) -> bool:
        """Tell that y goes up."""
        return False

    # -- artists -----------------------------------------------------------------------------------------------------

    def take(self, artist: Any) -> None:
        """Record an artist."""
        from matplotlib.image import AxesImage
        from matplotlib.text import Text

        if isinstance(artist, AxesImage):
            self._picture(artist)
            return
        effects: list[Any] = list(artist.get_path_effects() or ()) if isinstance(artist, Text) else []
        self._halos = [one._gc for one in effects if "linewidth" in getattr(one, "_gc", {})]
        if effects:
            artist.set_path_effects([])
        try:
            artist.draw(self)
        finally:
            self._halos = []
            if effects:
                artist.set_path_effects(effects)

    def _picture(self, artist: Any) -> None:
        """Record a picture with its own pixels, whatever the dots of the paper are."""
        pixels = np.asarray(artist.to_rgba(artist.get_array(), bytes=True, norm=False), dtype=np.uint8)
        alpha = artist.get_alpha()
        if alpha is not None and np.ndim(alpha) == 0 and artist.get_array().shape[-1] == 3:
            pixels[..., 3] = round(255 * float(alpha))
        left, right, bottom, top = artist.get_extent()
        corners = np.array([[left, top], [right, top], [left, bottom]])
        placed = self._placed(corners, artist.get_transform())
        (e, f), (ax, ay), (cx, cy) = placed.tolist()
        smooth = artist.get_interpolation() != "nearest"
        matrix = (ax - e, ay - f, cx - e, cy - f, e, f)
        clip = self._box_clip(artist.axes.get_window_extent())
        self.plate.add(self.layer, PictureMark(toned_pixels(pixels, self.inks), matrix, smooth, clip))

    def _placed(self, points: Floats, transform: Any) -> Floats:
        if not transform.is_affine:
            points = transform.transform_non_affine(points)
            transform = transform.get_affine()
        whole = self.to_mm @ transform.get_matrix()
        return np.asarray(np.asarray(points, dtype=float) @ whole[:2, :2].T + whole[:2, 2])

    # -- paths -------------------------------------------------------------------------------------------------------

    def draw_path(self, gc: Any, path: Any, transform: Any, rgbFace: Any = None) -> None:
        """Record a path."""
        points = self._placed(np.asarray(path.vertices, dtype=float), transform)
        if len(points) < 2 or not np.isfinite(points).all():
            return
        look = self._look(gc, rgbFace)
        clip = self._clip(gc)
        if look.fill or look.stroke:
            words = said_by(path)
            mark = self._words(words, look, transform, clip) if words is not None else None
            self.plate.add(self.layer, mark or PathMark(points, codes_of(path), look, clip))
        if gc.get_hatch():
            self._hatch(gc, points, codes_of(path))

    def _look(self, gc: Any, face: Any) -> Look:
        width = float(gc.get_linewidth()) * _POINT_PX * self.mm
        edge = gc.get_rgb()
        fill = stroke = ""
        fill_alpha = stroke_alpha = 1.0
        if face is not None:
            fill_alpha = gc.get_alpha() if len(face) < 4 or gc.get_forced_alpha() else float(face[3])
            fill = self._color(face, fills=True) if fill_alpha > 0 else ""
        if width > 0:
            stroke_alpha = float(edge[3]) if len(edge) > 3 else gc.get_alpha()
            stroke = self._color(edge, fills=False) if stroke_alpha > 0 else ""
        offset, dash = gc.get_dashes()
        scale = _POINT_PX * self.mm
        lengths = tuple(round(float(one) * scale, 5) for one in dash) if dash is not None and stroke else ()
        return Look(
            fill,
            stroke,
            round(width, 5) if stroke else 0.0,
            lengths,
            round(float(offset or 0) * scale, 5) if lengths else 0.0,
            str(gc.get_capstyle()) if stroke else "butt",
            str(gc.get_joinstyle()) if stroke else "miter",
            round(float(fill_alpha), 4) if fill else 1.0,
            round(float(stroke_alpha), 4) if stroke else 1.0,
        )

    def _color(self, color: Any, *, fills: bool) -> str:
        red, green, blue = (round(255 * float(part)) for part in color[:3])
        return self.tone(f"#{red:02x}{green:02x}{blue:02x}", self.layer, fills)

    def _clip(self, gc: Any) -> Clip | None:
        path, affine = gc.get_clip_path()
        if path is not None:
            key = (id(path), affine.get_matrix().tobytes())
            if key not in self._clips:
                # The path is kept, so that no other one gets its place in memory.
                points = self._placed(np.asarray(path.vertices, dtype=float), affine)
                self._clips[key] = path, Clip(points, codes_of(path))
            return self._clips[key][1]
        return self._box_clip(gc.get_clip_rectangle())

    def _box_clip(self, box: Any) -> Clip | None:
        if box is None:
            return None
        key = tuple(np.round(box.extents, 6).tolist())
        if key not in self._clips:
            (left, low), (right, top) = box.get_points()
            corners = np.array([[left, low], [right, low], [right, top], [left, top], [left, low]])
            points = corners @ self.to_mm[:2, :2].T + self.to_mm[:2, 2]
            self._clips[key] = None, Clip(points, [1, 2, 2, 2, 79])
        return self._clips[key][1]

    def _hatch(self, gc: Any, points: Floats, codes: list[int]) -> None:
        """Record a hatch as lines cut to the path."""
        tile = gc.get_hatch_path()
        side = _HATCH * _POINT_PX * self.mm
        low, high = np.floor(points.min(axis=0) / side), np.ceil(points.max(axis=0) / side)
        color = self._color(gc.get_hatch_color(), fills=False)
        look = Look(color, color, float(gc.get_hatch_linewidth()) * _POINT_PX * self.mm)
        clip = Clip(points, codes)
        for column in range(int(low[0]), int(high[0])):
            for row in range(int(low[1]), int(high[1])):
                # y goes down on the plate.
                placed = (np.asarray(tile.vertices) * [1, -1] + [column, row + 1]) * side
                self.plate.add(self.layer, PathMark(placed, codes_of(tile), look, clip))

    # -- texts -------------------------------------------------------------------------------------------------------

    def _words(self, words: Said, look: Look, transform: Any, clip: Clip | None) -> TextMark | None:
        """Return the text of an outline, None where its font has not all of it."""
        font = font_file(words.fonts)
        if not has_letters(font, words.text):
            return None
        ends = np.array([[words.x, words.y], [words.x + words.size, words.y]])
        placed = self._placed(ends, transform)
        size = float(np.hypot(*(placed[1] - placed[0])))
        halo = bool(look.stroke) and look.width > _HALO * size
        wide = text_width(words.text, font) * size
        return TextMark(words.text, font, float(placed[0, 0]), float(placed[0, 1]), size, wide, look, 0.0, halo, clip)

    def draw_text(  # noqa: PLR0917
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, ismath: Any = False, mtext: Any = None
    ) -> None:
        """Record a text, its halo first."""
        from matplotlib.font_manager import findfont

        font = findfont(prop)
        size = prop.get_size_in_points() * _POINT_PX * self.mm
        spot = np.array([x, y]) @ self.to_mm[:2, :2].T + self.to_mm[:2, 2]
        wide = text_width(s, font) * size
        clip = self._clip(gc)
        alpha = gc.get_alpha()
        looks = [
            Look(
                stroke=self._color(_rgb(halo["foreground"]), fills=False),
                width=float(halo["linewidth"]) * _POINT_PX * self.mm,
                join="round",
            )
            for halo in self._halos
        ]
        for n, look in enumerate([*looks, Look(self._color(gc.get_rgb(), fills=True), fill_alpha=alpha)]):
            halo = n < len(looks)
            mark = TextMark(s, font, float(spot[0]), float(spot[1]), size, wide, look, float(angle), halo, clip)
            if has_letters(font, s) and not ismath:
                self.plate.add(self.layer, mark)
            else:
                outline = mark.outline()
                if outline is not None:
                    self.plate.add(self.layer, outline)


def _rgb(color: Any) -> Any:
    from matplotlib.colors import to_rgb

    return to_rgb(color)
