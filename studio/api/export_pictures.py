"""Pictures for exports in the house look: boards, counters, markers, boxes; and the scenario's text as a plain page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.exchange.content import BoardPicture
from studio.model import UnitRecord

if TYPE_CHECKING:
    from studio.api.map import Map
    from studio.api.scenario import Scenario
    from studio.draw.canvas import Canvas
    from studio.draw.counterpen import Face

__all__ = ["ExportPictures"]

_NEUTRAL, _INK = "#8a8578", "#1d1a17"
_COUNTER = 0.68  # hex heights
_CLOSER = 1.5
_WITH_ARROW = 0.74  # of the picture, where the arrow of a facing stands beside the counter


class ExportPictures:
    """What the studio's painters draw for exporters.

    Parameters
    ----------
    map_ : Map
        As it is shown.
    scenario : Scenario, optional
    """

    def __init__(self, map_: Map, scenario: Scenario | None = None) -> None:
        from studio.draw.counterfaces import SIDE_COLORS, Counters, side_colors

        self.map, self.scenario = map_, scenario
        document = scenario.document if scenario is not None else None
        self._drawn: dict[Any, bytes] = {}
        self._canvases: dict[int, Canvas] = {}
        self._counters = Counters.of(map_.ruleset, document)
        if document is not None:
            self._sides = [force.id for force in document.forces]
            self._colors = side_colors(document.forces)
        else:
            roster = self._counters.roster
            self._sides = list(dict.fromkeys(one.partition(".")[0] for one in roster if "." in one))
            self._colors = [SIDE_COLORS[n % len(SIDE_COLORS)] for n in range(len(self._sides))]

    # -- tiles -------------------------------------------------------------------------------------------------------

    def tile(self, terrain: str, width: int, height: int) -> bytes:
        """Draw one hex of a terrain as a PNG of so many pixels, transparent around the hex."""
        from studio.draw.tiles import tile_png

        return tile_png(self.map.ruleset.id, terrain, width, height, orientation=self.map.grid.orientation)

    # -- boards ------------------------------------------------------------------------------------------------------

    def board(self, hex_px: float, *, sheet: str = "", layer: str = "") -> BoardPicture:
        """Draw the map with hexes so many pixels high, or one of its sheets, or the sheets of one of its layers.

        What is not in play is grey, and objectives fly their flags; units are left out.

        Parameters
        ----------
        hex_px : float
        sheet, layer : str
            Ids; the whole map without.
        """
        from studio.draw import draw_map, draw_scenario
        from studio.draw.picture import DPI, new_figure, style_of

        grid = self.map.grid
        x0, y0, x1, y1 = self._frame(sheet, layer)
        sx, sy = (step * hex_px / grid.hex_height for step in grid.scale)
        # Half a hex of margin, so that counters on the edge are whole, set so that the middles of hexes are on pixels.
        first = np.array(grid.centre(0)) - (x0, y0)
        left, top = (
            round(hex_px / 2 + at * step) - at * step for at, step in zip(first.tolist(), (sx, sy), strict=True)
        )
        wide, high = (x1 - x0) * sx, (y1 - y0) * sy
        width, height = round(left + wide + hex_px / 2), round(top + high + hex_px / 2)
        figure = new_figure(width, height, style_of(self.map, None).lines.margin_color)
        ax = figure.add_axes((left / width, 1 - (top + high) / height, wide / width, high / height))
        part: dict[str, Any] = {"extent": (*grid.to_map(x0, y0), *grid.to_map(x1, y1))} if sheet or layer else {}
        if self.scenario is None:
            draw_map(self.map, ax=ax, **part)
        else:
            draw_scenario(self.scenario, ax=ax, units=False, areas=False, notes=False, **part)
        assert figure.dpi == DPI
        return BoardPicture(_png(figure), width, height, left - x0 * sx, top - y0 * sy, sx, sy)

    def _frame(self, sheet: str, layer: str) -> tuple[int, int, int, int]:
        """Return the rectangle of the lattice that a board shows."""
        joint = self.map.grid.joint
        if joint is None or not (sheet or layer):
            return self.map.grid.frame
        boxes = [
            frame
            for frame, one in zip(joint.frames, self.map.model.sheets, strict=True)
            if (sheet in ("", one.id)) and (layer in ("", one.layer))
        ]
        low, high = np.array(boxes).min(axis=0), np.array(boxes).max(axis=0)
        return int(low[0]), int(low[1]), int(high[2]), int(high[3])

    # -- counters ----------------------------------------------------------------------------------------------------

    def counter(self, unit: UnitRecord, side: str, px: int) -> bytes:
        """Draw the counter of a unit of a side as a square PNG; one that faces a hexside has an arrow beside it."""
        place = self._sides.index(side) if side in self._sides else len(self._sides)
        look = self._counters.of_unit(unit, place, self._color(side))
        key = (look, unit.facing, px)
        if key not in self._drawn:
            self._drawn[key] = self._counter(self._counters.face(look), unit, px)
        return self._drawn[key]

    def _counter(self, face: Face, unit: UnitRecord, px: int) -> bytes:
        from studio.draw.counters import Standee, draw_counter

        canvas = self._canvas(px)
        wide = _COUNTER * (_WITH_ARROW if unit.facing else 1)
        middle = np.array([_COUNTER / 2, _COUNTER / 2])
        draw_counter(canvas, Standee(face, unit.facing), middle, wide, self.map.grid.orientation, 1)
        return _png(canvas.ax.figure)

    def marker(self, name: str, words: str, color: str, px: int) -> bytes:
        """Draw a square marker with a word on it as a PNG; `color` is one, or the id of a side with its own."""
        from studio.draw.counterpen import CounterPen
        from studio.draw.counters import Standee, draw_counter

        pen = CounterPen(_INK)
        pen.box(30, 30, 940, 940, round=70, fill=self._color(color), stroke=_INK, width=26)
        size = min(560, round(1300 / max(len(words), 2)))
        pen.word(words, 500, 500, size)
        canvas = self._canvas(px)
        middle = np.array([_COUNTER / 2, _COUNTER / 2])
        draw_counter(canvas, Standee(pen.face()), middle, _COUNTER, self.map.grid.orientation, 1)
        return _png(canvas.ax.figure)

    def _canvas(self, px: int) -> Any:
        """Return an empty canvas without a ground, on which a counter fills a square of so many pixels."""
        from studio.draw.canvas import Canvas
        from studio.draw.picture import DPI, new_figure, style_of

        if px not in self._canvases:
            ax = new_figure(px, px, "none").add_axes((0, 0, 1, 1))
            ax.set_xlim(0, _COUNTER)
            ax.set_ylim(_COUNTER, 0)
            ax.set_axis_off()
            hex_px = px / _COUNTER
            # Counters are looked at larger than they are: letters that are small yet are not left out.
            style, scale = style_of(self.map, None), hex_px * 72 / DPI / 1000
            self._canvases[px] = Canvas(ax, style, 0.001, hex_px * _CLOSER, scale)
        found: Any = self._canvases[px]
        for drawn in (*found.ax.patches, *found.ax.collections, *found.ax.lines, *found.ax.texts):
            drawn.remove()
        return found

    def _color(self, word: str) -> str:
        if word in self._sides:
            return self._colors[self._sides.index(word)]
        return word if word.startswith("#") else _NEUTRAL

    # -- boxes and words ---------------------------------------------------------------------------------------------

    def boxes(self, boxes: Sequence[tuple[int, int, int, int, str, str]], size: tuple[int, int]) -> bytes:
        """Draw boxes as a PNG of a size: each left, top, width, height in pixels, title, and colour or id of a side."""
        from matplotlib.patches import Rectangle

        from studio.draw.picture import DPI, new_figure, style_of

        figure = new_figure(*size, style_of(self.map, None).lines.margin_color)
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_xlim(0, size[0])
        ax.set_ylim(size[1], 0)
        ax.set_axis_off()
        high = min((round(box[3] / 4) for box in boxes), default=20)
        for left, top, wide, tall, title, color in boxes:
            band = self._color(color) if color else "#e9e1cc"
            ax.add_patch(Rectangle((left, top), wide, tall, facecolor="#fffdf6", edgecolor=_INK, linewidth=1.2))
            ax.add_patch(Rectangle((left, top), wide, high, facecolor=band, edgecolor=_INK, linewidth=1.2))
            ink = "#ffffff" if _is_dark(band) else _INK
            points = high * 0.5 * 72 / DPI
            ax.text(left + 5, top + high / 2, title, fontsize=points, color=ink, va="center", parse_math=False)
        return _png(figure)

    def page(self) -> str:
        """Write what the scenario says as plain HTML that old viewers show; "" without a scenario."""
        if self.scenario is None:
            return ""
        from studio.draw.brief import make_sheet

        sheet = make_sheet(self.scenario, pictures=False)
        head = f"<html><head><title>{escape(sheet.title)}</title></head><body><h1>{escape(sheet.title)}</h1>"
        lead = "".join(f"<p>{escape(text)}</p>" for text in (sheet.game, sheet.date, sheet.situation) if text)
        parts = [
            f"<h2>{escape(section.title)}</h2>" + "".join(map(_plain, section.blocks)) for section in sheet.sections
        ]
        return f"{head}{lead}{''.join(parts)}<p><i>{escape(sheet.footer)}</i></p></body></html>\n"


def _is_dark(color: str) -> bool:
    """Tell whether white letters are read better on a colour than dark ones."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    return 0.3 * red + 0.59 * green + 0.11 * blue < 0.55


def _png(figure: Any) -> bytes:
    from studio.draw import save_picture

    buffer = io.BytesIO()
    save_picture(figure, buffer, kind=".png", credits=())
    return buffer.getvalue()


def _plain(block: Any) -> str:
    """Write a block of a sheet with the few tags that every viewer of HTML knows."""
    match type(block).__name__:
        case "Text":
            return f"<p>{escape(block.text)}</p>"
        case "Items":
            tag = "ol" if block.numbered else "ul"
            items = "".join(f"<li>{_headed(head, text)}</li>" for head, text in block.items)
            return f"<{tag}>{items}</{tag}>"
        case "Facts":
            return "".join(f"<p>{_headed(head, text)}</p>" for head, text in block.pairs)
        case "Table":
            rows = [f"<tr>{''.join(f'<th align=left>{escape(cell)}</th>' for cell in block.head)}</tr>"]
            rows += [f"<tr>{''.join(f'<td valign=top>{escape(cell)}</td>' for cell in row)}</tr>" for row in block.rows]
            title = f"<h3>{escape(block.title)}</h3>" if block.title else ""
            return f"{title}<table border=1 cellpadding=3>{''.join(rows)}</table>"
        case "SideHead":
            return "".join(f"<p>{escape(line)}</p>" for line in block.lines)
        case "FormationCard":
            lines = "".join(f"<p>{escape(line)}</p>" for line in block.lines)
            units = "".join(f"<li>{escape(line.text)}</li>" for line in block.units)
            return f"<h3>{escape(block.name)}</h3>{lines}<ul>{units}</ul>"
        case _:
            return ""


def _headed(head: str, text: str) -> str:
    return f"<b>{escape(head)}:</b> {escape(text)}" if head else escape(text)
