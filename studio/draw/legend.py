"""A legend: a sample of each terrain and of each line that a map holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.areas import area_look, area_sample
from studio.draw.canvas import Canvas
from studio.draw.fixtures import aperture_sample, wall_sample
from studio.draw.links import link_sample
from studio.draw.shapes import TagSign, looked_up
from studio.draw.style import Style
from studio.draw.subject import kind_of
from studio.draw.symbols import place_look, place_sample, tag_sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.draw.picture import Picture

__all__ = ["LEGEND_PX", "draw_legend", "legend_parts", "painters", "swatch_of"]

LEGEND_PX = 236
_HEX_PX = 46.0


def draw_legend(picture: Picture) -> None:
    """Draw the legend in the room that a picture keeps to its right."""
    from studio.draw.picture import Picture as Inset

    style = picture.style
    titles, lines = legend_parts(picture)
    order = list(titles)
    left, top = picture.size[0] - LEGEND_PX, picture.margin
    room = picture.size[1] - 2 * picture.margin
    pitch = min(_HEX_PX + 12, room / max(1, len(order) + 0.62 * len(lines)))
    size = min(_HEX_PX, pitch * 0.86)
    for name in order:
        ax = picture.panel(left, top, size * 1.1547, size)
        swatch = swatch_of(style, name)
        centre = swatch.grid.to_map(*swatch.grid.centre(4))
        part = (centre[0] - 0.57735, centre[1] - 0.5, centre[0] + 0.57735, centre[1] + 0.5)
        Inset(swatch, style, ax=ax, extent=part).ground(labels=False, frame=False)
        _write(picture, left + size * 1.1547 + 12, top + size / 2, titles[name])
        top += pitch
    for title, paint in lines:
        ax = picture.panel(left, top, size * 1.1547, size * 0.5)
        ax.set_xlim(0, 1.1547)
        ax.set_ylim(0.5, 0)
        ax.axis("off")
        paint(ax, size * 72 / 100 / 1000)
        _write(picture, left + size * 1.1547 + 12, top + size / 4, title)
        top += pitch * 0.62


def legend_parts(picture: Picture) -> tuple[dict[str, str], list[tuple[str, Callable[[Axes, float], None]]]]:
    """Return what a legend tells of: the titles of the terrains, by id, and title and painter of each other thing.

    Parameters
    ----------
    picture : Picture
        Of the map.
    """
    subject, style = picture.subject, picture.style
    used = np.unique(subject.terrain.ravel()[np.flatnonzero(subject.grid.present.ravel())]).tolist()
    order = [name for name in style.terrain if name in {subject.terrain_ids[i] for i in used}]
    lines = _lines(picture)
    titles = {name: style.look(name).title for name in order}
    # A terrain of whole hexes and a shape drawn freely may have one name.
    doubled = set(titles.values()) & {title for title, _ in lines}
    titles = {name: f"{title} (hexes)" if title in doubled else title for name, title in titles.items()}
    return titles, [(f"{title} (drawn)" if title in doubled else title, paint) for title, paint in lines]


def _write(picture: Picture, x: float, y: float, text: str) -> None:
    wide, high = picture.size
    ink = picture.style.letters.name_ink
    picture.figure.text(x / wide, 1 - y / high, text, fontsize=9.5, color=ink, va="center")


def swatch_of(style: Any, name: str) -> Any:
    """Return a little map with one hex of a terrain in its middle; a river or wadi runs through."""
    from studio.draw.contact import Sample
    from studio.draw.parts import Channel
    from studio.grid import HexGrid

    ids = list(style.terrain)
    plane = np.full((3, 3), ids.index("clear") if "clear" in ids else ids.index(name), dtype=np.uint8)
    plane[1, 1] = ids.index(name)
    if any(isinstance(mark, Channel) for mark in style.look(name).marks):
        plane[2, 0] = plane[1, 2] = ids.index(name)
    levels = np.zeros((3, 3), dtype=np.int8)
    return Sample(grid=HexGrid(columns=3, rows=3), terrain=plane, terrain_ids=ids, levels=levels)


def _lines(picture: Picture) -> list[tuple[str, Callable[[Axes, float], None]]]:
    """Return a title and a painter for each kind of line and marker on the map."""
    from studio.draw.letters import draw_marker
    from studio.draw.lines import crest_sample, road_sample, side_sample
    from studio.draw.relief import contour_sample

    subject, style = picture.subject, picture.style
    found: list[tuple[str, Callable[[Axes, float], None]]] = []
    features = list(subject.features.values())
    for surface in sorted({f.surface for f in features if kind_of(f) == "road"}):
        found.append((f"{surface.capitalize()} road", lambda ax, s, n=surface: road_sample(ax, style, n, s)))  # type: ignore[misc]
    if subject.levels.any() or any(kind_of(f) == "contour" for f in features):
        found.append(("Contour", lambda ax, s: contour_sample(ax, style, s)))
    if any(kind_of(f) == "crest" for f in features):
        found.append(("Crest line", lambda ax, s: crest_sample(ax, style, s)))
    found += _ground_lines(picture)
    found += _dots(picture)
    for kind in sorted({kind for kinds in subject.sides.values() for kind in kinds}):
        title = kind.replace("_", " ").capitalize()
        found.append((title, lambda ax, s, n=kind: side_sample(ax, style, n, s)))  # type: ignore[misc]
    for kind in sorted({f.type for f in features if kind_of(f) == "marker"}):
        title = kind.replace("_", " ").capitalize()
        found.append((title, lambda ax, s, n=kind: draw_marker(_canvas(ax, style, s, 0.75), n, (0.577, 0.25))))  # type: ignore[misc]
    return found


def _dots(picture: Picture) -> list[tuple[str, Callable[[Axes, float], None]]]:
    """Return a title and a painter for the triangle of each level and for each dot that lines of sight go to."""
    from studio.draw.fixtures import dot_sample, hex_levels, triangle_sample, used_dots

    style = picture.style
    found: list[tuple[str, Callable[[Axes, float], None]]] = []
    used = set(hex_levels(picture.sites, style).values()) if style.triangles.colors else set()
    for level in sorted(used):
        if str(level) in style.triangles.colors:
            found.append((f"Hex of level {level}", lambda ax, s, n=level: triangle_sample(_canvas(ax, style, s), n)))  # type: ignore[misc]
    looks = [looked_up(style.areas, f.type) for f in picture.subject.features.values() if kind_of(f) == "area"]
    for color in dict.fromkeys(look.dot for look in looks if look is not None and look.dot):
        found.append(("Dot of a room", lambda ax, s, c=color: dot_sample(_canvas(ax, style, s), c)))  # type: ignore[misc]
    for name, color in used_dots(picture.sites, style).items():
        title = f"Dot of a hex: {style.look(name).title.lower()}" if name else "Dot of a hex"
        found.append((title, lambda ax, s, c=color: dot_sample(_canvas(ax, style, s), c)))  # type: ignore[misc]
    return found


def _ground_lines(picture: Picture) -> list[tuple[str, Callable[[Axes, float], None]]]:
    """Return a title and a painter for each type of area, wall, opening, place and link on the map."""
    found: list[tuple[str, Callable[[Axes, float], None]]] = []
    for kind, (table, paint) in painters(picture.style).items():
        for name in sorted({f.type for f in picture.subject.features.values() if kind_of(f) == kind}):
            look = looked_up(table, name)
            if kind == "link" and look is not None and look.shape == "none":
                continue
            title = look.title if look is not None and look.title else name.replace("_", " ").capitalize()
            found.append((title, lambda ax, s, p=paint, n=name: p(_canvas(ax, picture.style, s), n)))  # type: ignore[misc]
    titles = {title for title, _ in found}
    for tag, sign in _tag_signs(picture).items():
        title = tag.replace("_", " ").capitalize()
        if title not in titles:  # such as that of a link with the same symbol
            found.append((title, lambda ax, s, t=sign: tag_sample(_canvas(ax, picture.style, s), t)))  # type: ignore[misc]
    return found


def _tag_signs(picture: Picture) -> dict[str, TagSign]:
    """Return the signs of the tags of areas and places on the map, by tag."""
    found: dict[str, TagSign] = {}
    for feature in picture.subject.features.values():
        kind = kind_of(feature)
        if kind in ("area", "place"):
            look = (area_look if kind == "area" else place_look)(picture.style, feature.type)
            found |= {tag: look.tags[tag] for tag in feature.tags if tag in look.tags}
    return dict(sorted(found.items()))


def painters(style: Style) -> dict[str, tuple[Any, Callable[[Canvas, str], None]]]:
    """Return, by the kind of a drawn feature, the looks of its types and what draws a sample of one."""
    return {
        "area": (style.areas, area_sample),
        "wall": (style.walls, wall_sample),
        "aperture": (style.apertures, aperture_sample),
        "place": (style.places, place_sample),
        "link": (style.links, link_sample),
    }


def _canvas(ax: Axes, style: Style, line_scale: float, size: float = 1.0) -> Canvas:
    """Return a legend's box, where a hex is `size` high, as a canvas."""
    return Canvas(ax, style, size / 1000, 60, line_scale * size)
