"""What one location sees, as light and shade on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.keyed import begin_keyed, finish_keyed
from studio.draw.options import called
from studio.draw.picture import Picture, style_of
from studio.draw.regions import Regions
from studio.draw.sites import sites_of
from studio.draw.states import State, mark_start, mark_states
from studio.draw.style import Style, mix
from studio.draw.subject import map_points
from studio.draw.washes import DARK, Entry, border, diagonals, fill, specks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_field_of_view", "shade"]

_CLEAR, _HINDERED, _BLOCKED = 1, 2, 3


@called("plot_field_of_view")
def draw_field_of_view(
    map: Any, view: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw a field of view: what is seen in the light, hindered dotted in amber, blocked dark and hatched.

    Hexes and drawn areas are shaded by their outlines. The sign of a place that has none is tinted and ringed: in the
    colour of a clear line where it is seen, amber where hindered, dark where not.

    Parameters
    ----------
    map : studio.Map
    view : FieldOfView
        What `Map.field_of_view` answered: its ``codes`` and where it looks from.
    ax : matplotlib.axes.Axes, optional
        Draw here, without the key below the map.
    hex_px : float, optional
        Height of a hex in pixels.
    style : Style or str, optional

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    StyleError
        When the ruleset has no style.
    """
    sites = sites_of(map, view)
    look, codes = style_of(map, style), np.asarray(view.codes).ravel()
    title, entries = f"Field of view of {view.start}", _entries(look, codes)
    bare = [place for place in sites.others() if place.kind in ("place", "road")]
    noun = " or ".join(sorted({place.kind for place in bare}))
    entries += _place_entries(look, codes[[place.number for place in bare]], noun)
    picture = begin_keyed(sites, look, title, entries, ax=ax, hex_px=hex_px)
    regions = Regions(sites)
    for code, paint in ((_BLOCKED, shade), (_HINDERED, _dim)):
        region = regions.path(np.flatnonzero(codes == code))
        if region is not None:
            paint(picture, region)
    _rim(picture, codes[: sites.grid.cells])
    states = _states(look)
    mark_states(picture, regions, [(state, np.flatnonzero(codes == code)) for code, state in states.items()])
    mark_start(picture, regions, view.start)
    return finish_keyed(picture, title, entries, ax)


def _entries(style: Style, codes: Any) -> list[Entry]:
    """Return the samples of the key, with the numbers of locations."""
    found = {code: int((codes == code).sum()) for code in (_CLEAR, _HINDERED, _BLOCKED)}
    entries = [Entry(f"seen ({found[_CLEAR]})", style.ground)]
    if found[_HINDERED]:
        entries.append(Entry(f"hindered ({found[_HINDERED]})", style.verdicts["hindered"].color, 0.5, ".."))
    return [*entries, Entry(f"not seen ({found[_BLOCKED]})", style.blind, 0.6, "////")]


def _place_entries(style: Style, codes: Any, noun: str) -> list[Entry]:
    """Return the samples for the signs of places, and the discs of roads, in the states that there are."""
    words = {_CLEAR: "seen", _HINDERED: "hindered", _BLOCKED: "not seen"}
    return [
        Entry(f"{noun} {words[code]}", mix("#ffffff", state.tint.lower(), state.strength), ring=state.ring)
        if "place" in noun
        else Entry(f"{noun} {words[code]}", state.tint, disc=True)
        for code, state in _states(style).items()
        if (codes == code).any()
    ]


def shade(picture: Picture, region: Any) -> None:
    """Darken and hatch a region that is not seen."""
    fill(picture, region, picture.style.blind, 0.54)
    diagonals(picture, region, 0.24, "#000000", 0.5, max(0.5, 20 * picture.line_scale))


def _dim(picture: Picture, region: Any) -> None:
    fill(picture, region, picture.style.verdicts["hindered"].color, 0.3)
    specks(picture, region, "#7a5200", 0.75)


def _rim(picture: Picture, codes: Any) -> None:
    """Draw the border between the hexes that are seen and those that are not."""
    grid = picture.subject.grid
    table = grid.neighbour_table
    seen = np.flatnonzero((codes == _CLEAR) | (codes == _HINDERED))
    other = table[seen]
    edge = (other >= 0) & (codes[np.maximum(other, 0)] == _BLOCKED)
    shape = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
    corners = grid.centres[seen][:, None, :] + shape[None, :, :]
    ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)[edge]
    border(picture, list(map_points(grid, ends.reshape(-1, 2)).reshape(-1, 2, 2)))


def _states(style: Style) -> dict[int, State]:
    """Return how places and roads show what is seen of them."""
    clear, hindered = style.verdicts["clear"].color, style.verdicts["hindered"].color
    return {
        _CLEAR: State(clear, 0, clear),
        _HINDERED: State(hindered, 450, hindered, "half"),
        _BLOCKED: State(style.blind, 700, DARK, "cross"),
    }
