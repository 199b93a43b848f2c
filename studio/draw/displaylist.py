"""A picture as a list of what to draw: the artists of matplotlib's axes as paths in thousandths of a hex, and texts.

Only what the painters of `studio.draw` use is understood; anything else is an error, not a gap in the picture.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.draw.recording import Note, Pattern, note_of
from studio.draw.subject import Floats
from studio.draw.varints import varint, zigzag
from studio.errors import StudioError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GRAIN", "DisplayList", "Group", "InkError", "Scale", "Stroke", "Words", "convert", "css_of"]

GRAIN = 2000
"""Steps of a coordinate to the height of a hex."""

_LEAST = 83  # hundredths of a pixel that a line is wide at least: 0.6 points
_PX = 100 / 72  # pixels a point, at 100 to the inch


class InkError(StudioError, TypeError):
    """An artist that cannot be turned into an instruction for a canvas."""


class Group(NamedTuple):
    """What many paths have in common.

    Parameters
    ----------
    layer : str
        Which layer of the editor it belongs to.
    zorder : float
    face, edge : str
        Colours as ``#rrggbb`` or ``#rrggbbaa``, "" for none.
    alpha : int
        Thousandths.
    width, least : int
        Width of the edge in hundredths of a thousandth of a hex's height, and what it is at least, in hundredths of a
        pixel.
    dash : tuple of int
        Dashes and gaps in the unit of `width`.
    cap, join : str
        As a canvas names them.
    low, high : float
        Height of a hex in pixels from which, and below which, it shows; `high` 0 without bound.
    pattern : tuple
        Kind, pitch and phase of a pattern within the paths, in steps of `GRAIN`; () for none.
    mark : tuple
        Size of a mark in thousandths of a hex's height, and what it is at least, in hundredths of a pixel; () for paths
        that are as large as they are.
    """

    layer: str
    zorder: float
    face: str = ""
    edge: str = ""
    alpha: int = 1000
    width: int = 0
    least: int = _LEAST
    dash: tuple[int, ...] = ()
    cap: str = "butt"
    join: str = "miter"
    low: float = 0.0
    high: float = 0.0
    pattern: tuple[Any, ...] = ()
    mark: tuple[int, ...] = ()


class Stroke(NamedTuple):
    """A path: the feature it belongs to, its anchor in steps of `GRAIN`, and its pieces.

    A piece is its shape, ready to travel (see `studio.draw.inkwire`), and where that begins, from the anchor.
    """

    owner: str
    x: int
    y: int
    pieces: tuple[tuple[bytes, int, int], ...]


class Words(NamedTuple):
    """A text that stays a text.

    Parameters
    ----------
    layer, zorder
        As of a group.
    text : str
    x, y : int
        Its anchor in steps of `GRAIN`.
    size, least : int
        Size of the letters in hundredths of a thousandth of a hex's height, and at least, in hundredths of a pixel.
    middle : (int, int)
        From the anchor to the middle of the text and to its base line, in thousandths of the size; y down.
    wide : int
        Width, in thousandths of the size.
    font : str
        Style and weight, and the families, as CSS has it without the size.
    color, halo : str
    halo_width : int
        In hundredths of a thousandth of a hex's height.
    angle : float
        Counter-clockwise, in degrees.
    box : tuple
        "" , fill, edge, width (hundredths of a pixel) and the box around the text in thousandths of the size; "round"
        for a disc; () for none.
    alpha : int
    owner : str
    low, high : float
        As of a group.
    """

    layer: str
    zorder: float
    text: str
    x: int
    y: int
    size: int
    least: int
    middle: tuple[int, int]
    wide: int
    font: str
    color: str
    halo: str = ""
    halo_width: int = 0
    angle: float = 0.0
    box: tuple[Any, ...] = ()
    alpha: int = 1000
    owner: str = ""
    low: float = 0.0
    high: float = 0.0


class DisplayList:
    """What to draw: strokes by their group, and texts, in the order in which they are drawn.

    Attributes
    ----------
    groups : dict of Group to list of Stroke
    words : list of Words
    """

    def __init__(self) -> None:
        self.groups: dict[Group, list[Stroke]] = {}
        self.words: list[Words] = []

    def __len__(self) -> int:
        return sum(map(len, self.groups.values())) + len(self.words)

    def settle(self) -> DisplayList:
        """Put all in the order of the zorders; what came first stays first."""
        self.groups = dict(sorted(self.groups.items(), key=lambda item: item[0].zorder))
        self.words.sort(key=lambda words: words.zorder)
        return self


class Scale(NamedTuple):
    """How a recording measures.

    Parameters
    ----------
    px : float
        Height of a hex in pixels, at 100 to the inch.
    high : float
        Height of a hex in map units.
    """

    px: float
    high: float

    def width(self, points: float) -> int:
        """Return points in hundredths of a thousandth of a hex's height."""
        return round(points * _PX / self.px * 100_000)

    def steps(self, value: float) -> int:
        """Return map units in steps of `GRAIN`."""
        return round(value / self.high * GRAIN)


def convert(
    found: DisplayList, ax: Axes, artists: Iterable[Any], scale: Scale, layer: Any, least: Any = None
) -> DisplayList:
    """Add artists to a display list.

    Parameters
    ----------
    found : DisplayList
    ax : Axes
    artists : iterable of matplotlib.artist.Artist
    scale : Scale
    layer : callable
        Returns the layer of an artist.
    least : callable, optional
        Returns the pixels that a length in points of an artist is at least, by the artist and the name of the length
        ("width", "size", "font"); that of thin lines otherwise.

    Raises
    ------
    InkError
        When an artist is of a kind that no painter used before.
    """
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    kinds: tuple[tuple[type[Any], Any], ...] = (
        (Collection, _collection),
        (Line2D, _line),
        (Patch, _patch),
        (Text, _text),
    )
    for artist in artists:
        if not artist.get_visible():
            continue
        turn = next((one for kind, one in kinds if isinstance(artist, kind)), None)
        if turn is None:
            msg = f"ink: {type(artist).__name__} cannot be drawn on a canvas; use paths, lines, patches or texts"
            raise InkError(msg)
        turn(found, ax, artist, scale, layer(artist), least or (lambda *_: 0.0))
    return found


# -- collections -----------------------------------------------------------------------------------------------------


def _collection(found: DisplayList, ax: Axes, artist: Any, scale: Scale, layer: str, least: Any) -> None:
    if artist.get_hatch() or len(artist.get_offsets()) > 1:
        msg = f"ink: {type(artist).__name__} with a hatch or offsets; give each path its place instead"
        raise InkError(msg)
    faces, edges = (_colors(colors) for colors in (artist.get_facecolor(), artist.get_edgecolor()))
    widths, dashes = list(artist.get_linewidth()) or [0.0], list(artist.get_linestyle()) or [(0, None)]
    pattern = getattr(artist, "ink_pattern", None)
    whole, floor = note_of(artist), least(artist, "width")
    for n, path in enumerate(artist.get_paths()):
        own = note_of(path)
        each = whole[n] if whole is not None and not isinstance(whole, Note) else whole
        note = _joined(own if isinstance(own, Note) else None, each)
        width = widths[n % len(widths)]
        edge = edges[n % len(edges)] if edges and width else ""
        face = faces[n % len(faces)] if faces else ""
        if not face and not edge:
            continue
        line = _line_of(scale, width, dashes[n % len(dashes)][1], floor) if edge or pattern else {}
        key = Group(
            layer,
            round(float(artist.get_zorder()), 4),
            face[:7],
            "" if pattern else edge[:7],
            round(1000 * _alpha(face or edge)),
            cap=_CAPS[artist.get_capstyle() or "butt"] if edge else "butt",
            join=artist.get_joinstyle() or "miter",
            low=round(note.low, 1),
            high=0.0 if math.isinf(note.high) else round(note.high, 1),
            pattern=_pattern(scale, pattern),
            **line,
        )
        stroke = stroke_of(scale, path, note.owner)
        if stroke is not None:
            found.groups.setdefault(key, []).append(stroke)


_CAPS = {"butt": "butt", "round": "round", "projecting": "square"}


def _joined(own: Note | None, whole: Note | None) -> Note:
    if own is None or whole is None:
        return own or whole or Note()
    return Note(own.owner or whole.owner, max(own.low, whole.low), min(own.high, whole.high))


def _pattern(scale: Scale, pattern: Pattern | None) -> tuple[Any, ...]:
    if pattern is None:
        return ()
    # Exact in thousandths of a step: a pitch is repeated a hundred times.
    pitch, phase = (round(value / scale.high * GRAIN, 3) for value in (pattern.pitch, pattern.phase))
    return (pattern.kind, pitch, phase)


def _line_of(scale: Scale, points: float, dash: Any, floor: float) -> dict[str, Any]:
    lengths = tuple(scale.width(length) for length in dash) if dash else ()
    return {"width": scale.width(points), "least": round(100 * floor) or _LEAST, "dash": lengths}


def _colors(values: Any) -> list[str]:
    return [css_of(value) for value in np.asarray(values).reshape(-1, 4).tolist()]


def css_of(color: Any) -> str:
    """Return a colour as ``#rrggbbaa``, "" for one that is not seen."""
    from matplotlib.colors import to_hex, to_rgba

    rgba = to_rgba(color)
    return "" if not rgba[3] else str(to_hex(rgba, keep_alpha=True))


def _alpha(color: str) -> float:
    return int(color[7:9], 16) / 255 if color else 1.0


def stroke_of(scale: Scale, path: Any, owner: str, anchor: Floats | None = None) -> Stroke | None:
    """Return a path in map units as a stroke: each piece by its shape, which many have in common; None for nothing.

    Parameters
    ----------
    scale : Scale
    path : matplotlib.path.Path
    owner : str
    anchor : array of shape (2,), optional
        The point around which it grows; its first vertex otherwise.
    """
    vertices = np.asarray(path.vertices, dtype=float) / scale.high * GRAIN
    codes = path.codes
    if codes is None:
        codes = np.full(len(vertices), 2, dtype=np.uint8)
        codes[:1] = 1
    codes = np.asarray(codes, dtype=np.uint8)
    # Nothing comes after a stop.
    stops = np.flatnonzero(codes == 0)
    if len(stops):
        vertices, codes = vertices[: stops[0]], codes[: stops[0]]
    starts = np.flatnonzero(codes == 1)
    if not len(starts) or not np.isfinite(vertices).all():
        return None
    base = vertices[starts[0]] if anchor is None else anchor / scale.high * GRAIN
    x, y = (int(value) for value in np.rint(base))
    pieces = []
    for first, last in zip(starts.tolist(), [*starts[1:].tolist(), len(codes)], strict=True):
        if last - first < 2:
            continue
        origin = vertices[first]
        steps = np.rint(vertices[first + 1 : last] - origin).astype(np.int64)
        ox, oy = (int(value) for value in np.rint(origin - base))
        pieces.append((_shape(codes[first + 1 : last].tobytes(), steps.tobytes()), ox, oy))
    return Stroke(owner, x, y, tuple(pieces)) if pieces else None


_OPS = {2: (0, 1), 3: (1, 2), 4: (2, 3), 79: (3, 1)}  # code of matplotlib: (ours, vertices it takes)


@functools.lru_cache(maxsize=20_000)
def _shape(codes: bytes, steps: bytes) -> bytes:
    """Return the rest of a subpath after its start: runs of lines, curves and closings, then the steps between points.

    Parameters
    ----------
    codes : bytes
        Those of matplotlib, without that of the start.
    steps : bytes
        Points from the start; int64, shape (n, 2).
    """
    runs: list[list[int]] = []
    points: list[tuple[int, int]] = []
    n, listed, places = 0, list(codes), np.frombuffer(steps, dtype=np.int64).reshape(-1, 2).tolist()
    while n < len(listed):
        op, takes = _OPS[listed[n]]
        if op != 3:
            points += [(x, y) for x, y in places[n : n + takes]]
        if runs and runs[-1][0] == op and op != 3:
            runs[-1][1] += 1
        else:
            runs.append([op, 1])
        n += takes
    out = bytearray()
    varint(out, len(runs))
    for op, count in runs:
        varint(out, count * 4 + op)
    px = py = 0
    for x, y in points:
        varint(out, zigzag(x - px))
        varint(out, zigzag(y - py))
        px, py = x, y
    return bytes(out)


# -- patches, lines and marks ----------------------------------------------------------------------------------------


def _patch(found: DisplayList, ax: Axes, artist: Any, scale: Scale, layer: str, least: Any) -> None:
    if artist.get_hatch():
        msg = f"ink: {type(artist).__name__} with a hatch; lay a pattern instead"
        raise InkError(msg)
    face, edge = css_of(artist.get_facecolor()), css_of(artist.get_edgecolor())
    edge = edge if artist.get_linewidth() else ""
    path = artist.get_patch_transform().transform_path(artist.get_path())
    note = note_of(artist)
    note = note if isinstance(note, Note) else Note()
    stroke = stroke_of(scale, path, note.owner)
    if stroke is None or not (face or edge):
        return
    line = _line_of(scale, artist.get_linewidth(), None, least(artist, "width")) if edge else {}
    key = Group(
        layer,
        round(float(artist.get_zorder()), 4),
        face[:7],
        edge[:7],
        round(1000 * _alpha(face or edge)),
        cap=_CAPS[artist.get_capstyle()] if edge else "butt",
        join=artist.get_joinstyle(),
        low=round(note.low, 1),
        **line,
    )
    found.groups.setdefault(key, []).append(stroke)


def _line(found: DisplayList, ax: Axes, artist: Any, scale: Scale, layer: str, least: Any) -> None:
    from matplotlib.path import Path

    note = note_of(artist)
    note = note if isinstance(note, Note) else Note()
    owner = note.owner
    points = np.asarray(artist.get_xydata(), dtype=float)
    zorder, alpha = round(float(artist.get_zorder()), 4), 1.0 if artist.get_alpha() is None else artist.get_alpha()
    if artist.get_linestyle() not in ("None", "none", " ", "") and len(points) > 1:
        dash = artist._dash_pattern[1]
        cap, join = (
            (artist.get_dash_capstyle(), artist.get_dash_joinstyle())
            if dash
            else (artist.get_solid_capstyle(), artist.get_solid_joinstyle())
        )
        floor = least(artist, "width")
        stroke = stroke_of(scale, Path(points), owner)
        for color, points_wide, strength in _passes(artist, artist.get_color(), artist.get_linewidth(), alpha):
            extra = max(0.0, points_wide - artist.get_linewidth()) * _PX
            key = Group(
                layer,
                zorder,
                "",
                css_of(color)[:7],
                round(1000 * strength),
                cap=_CAPS[cap],
                join=join,
                low=round(note.low, 1),
                **_line_of(scale, points_wide, dash, floor + extra if floor else 0.0),
            )
            if stroke is not None:
                found.groups.setdefault(key, []).append(stroke)
    if artist.get_marker() not in ("None", "none", " ", "", None):
        _marks(found, artist, scale, (layer, zorder, alpha, note, least), points)


def _passes(artist: Any, color: Any, width: float, alpha: float) -> Iterator[tuple[Any, float, float]]:
    """Yield the strokes of a line with its path effects: colour, width in points, opacity."""
    from matplotlib.patheffects import Normal, Stroke

    for effect in artist.get_path_effects() or [Normal()]:
        if isinstance(effect, Stroke):
            told = effect._gc  # type: ignore[attr-defined]
            yield told.get("foreground", color), told.get("linewidth", width), told.get("alpha", alpha)
        else:
            yield color, width, alpha


def _marks(found: DisplayList, artist: Any, scale: Scale, about: tuple[Any, ...], points: Floats) -> None:
    """Add the marks of a line, each around its point."""
    from matplotlib.markers import MarkerStyle

    layer, zorder, alpha, note, least = about
    look = MarkerStyle(artist.get_marker(), artist.get_fillstyle())
    size, edge_wide = artist.get_markersize(), artist.get_markeredgewidth()
    unit = size * _PX / scale.px * scale.high
    edge = css_of(artist.get_markeredgecolor()) if edge_wide else ""
    parts: list[tuple[Any, Any, Any]] = [(look.get_path(), look.get_transform(), artist.get_markerfacecolor())]
    if look.get_alt_path() is not None:
        parts.append((look.get_alt_path(), look.get_alt_transform(), artist.get_markerfacecoloralt()))
    for path, transform, color in parts:
        face = css_of(color) if look.is_filled() else ""
        if not face and not edge:
            continue
        shape = transform.transform_path(path)
        key = Group(
            layer,
            zorder,
            face[:7],
            edge[:7],
            round(1000 * _alpha(face or edge) * alpha),
            cap=_CAPS[_name(look.get_capstyle())],
            join=_name(look.get_joinstyle()),
            low=round(note.low, 1),
            mark=(round(size * _PX / scale.px * 1000), round(100 * least(artist, "size"))),
            **(_line_of(scale, edge_wide, None, least(artist, "edge")) if edge else {}),
        )
        for at in points:
            # Marks are drawn upwards, maps downwards.
            placed = type(shape)(np.asarray(shape.vertices) * [unit, -unit] + at, shape.codes)
            stroke = stroke_of(scale, placed, note.owner, at)
            if stroke is not None:
                found.groups.setdefault(key, []).append(stroke)


def _name(style: Any) -> str:
    """Return the name of a way to end or join lines."""
    return str(getattr(style, "name", style))


# -- texts -----------------------------------------------------------------------------------------------------------


def _text(found: DisplayList, ax: Axes, artist: Any, scale: Scale, layer: str, least: Any) -> None:
    from studio.draw.inkwords import words_of

    words = words_of(ax, artist, scale, layer, least)
    if words is not None:
        found.words.append(words)
