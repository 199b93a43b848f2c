"""Several maps in one document: joined at their edges, laid apart and linked, or one turned by half a turn."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from fractions import Fraction
from numbers import Real
from typing import Any, Literal

import msgspec
import numpy as np

from studio.api.map import Map
from studio.errors import GridError, UnsupportedError, nearest, shortened
from studio.grid import MAX_SIZE, PrefixError, place, prefixes_to_try
from studio.model import MapModel, Sheet
from studio.model.joining import JoinNote, join_models, sheets_of, turned_model
from studio.model.sheets import PREFIX_WORDS

__all__ = ["JoinEdge", "JoinWarning", "join_maps", "turn_map"]

JoinEdge = Literal["right", "left", "top", "bottom", "apart"]
_EDGES = ("right", "left", "top", "bottom", "apart")
_SHOWN = 8
_ID_WORDS = "letters, digits and _ . : - that begin with a letter or digit"


class JoinWarning(UserWarning):
    """Two maps that were joined differ where they meet.

    Parameters
    ----------
    notes : list of JoinNote
        Every hex or side in which they differ; what the first map says holds.
    """

    def __init__(self, notes: list[JoinNote]) -> None:
        self.notes = notes
        more = f"; and {len(notes) - _SHOWN} more (all in .notes_on_opening)" if len(notes) > _SHOWN else ""
        super().__init__("; ".join(map(str, notes[:_SHOWN])) + more)


def join_maps(
    first: Map,
    second: Map,
    *,
    edge: JoinEdge = "right",
    turned: bool = False,
    shift: float = 0,
    names: tuple[str, str] = ("", ""),
    prefixes: tuple[str, str] = ("", ""),
    layer: str = "",
    gap: int = 1,
    title: str = "",
) -> Map:
    """Join two maps of one game in one document, each a sheet of it.

    Half hexes along the common edge merge into whole ones, whole hexes interlock. All that is drawn on the two maps
    goes along. Maps that were joined before can be joined again.

    Parameters
    ----------
    first, second : Map
        They stay as they are.
    edge : {"right", "left", "top", "bottom", "apart"}
        Edge of the first map at which the second lies. Apart is to the right of it behind columns of no hexes, for
        what is linked but not adjacent, such as the underground.
    turned : bool
        The second map lies turned by half a turn.
    shift : float
        How far the second map is moved along the edge, in hexes to the right or down; halves of a hex are allowed
        where the edge runs along the columns of flat-top hexes (rows of pointy ones).
    names : (str, str)
        Ids of the two sheets; of their titles by default. Maps that have sheets keep theirs.
    prefixes : (str, str)
        Text before the labels of each map, and of its zones and places, such as ``("", "B")``.
    layer : str
        Layer of the second map where it lies apart. By default it keeps its own, but one whose only layer the first
        map has as well lies ``underground``.
    gap : int
        Columns of no hexes between maps that lie apart, 1 or more.
    title : str
        Title of the joint map; both titles by default.

    Returns
    -------
    Map
        A new map, not saved yet. Where the maps differ in a hex that both have, the first holds; each such place is in
        ``notes_on_opening``, and a :class:`JoinWarning` names them.

    Raises
    ------
    UnsupportedError
        When the maps are of different games, or there is no such edge.
    GridError
        When the two edges do not fit (the message says what would), the maps overlap, the joint map is too large, or
        something else is given than is allowed.
    PrefixError
        When a label would name two hexes or places; the message says with which prefixes it would not.

    Examples
    --------
    >>> import studio
    >>> west = studio.new_map("armageddon_war", columns=4, rows=3, title="West")
    >>> east = studio.new_map("armageddon_war", columns=4, rows=3, title="East")
    >>> both = studio.join_maps(west, east, prefixes=("", "E"))
    >>> both.sight("0401", "E0101").status
    'clear'
    """
    _check(first, second, edge)
    own_names, own_prefixes = _pair("names", names), _pair("prefixes", prefixes)
    offset, columns = _shift(shift), _gap(gap, edge)
    _check_words(edge, turned, layer, title)
    placing = place(first.grid, second.grid, edge, turned=bool(turned), shift=offset, gap=columns)

    def join(before: tuple[str, str]) -> tuple[MapModel, list[JoinNote]]:
        one = _named(sheets_of(first.model), own_names[0], before[0], set())
        two = _named(sheets_of(second.model), own_names[1], before[1], {sheet.id for sheet in one})
        if edge == "apart":
            two = _on_layer(two, {sheet.layer for sheet in one}, layer)
        return join_models(
            first.model,
            second.model,
            placing,
            (one, two),
            prefixes=before,
            located=first.ruleset.survey_scheme.location_areas,
            title=title or f"{first.title} and {second.title}",
        )

    with first.lock, second.lock:
        try:
            model, notes = join(own_prefixes)
        except PrefixError as error:
            raise PrefixError(error.clash, _other_prefix(join, own_prefixes)) from error
    made = _made(model, first)
    made.notes_on_opening = tuple(map(str, notes))
    if notes:
        warnings.warn(JoinWarning(notes), stacklevel=2)
    return made


def turn_map(map_: Map) -> Map:
    """Return a map turned by half a turn: every hex keeps its label, and what is drawn turns with it.

    Parameters
    ----------
    map_ : Map
        It stays as it is.

    Returns
    -------
    Map
        A new map of one turned sheet, not saved yet; turned twice, the map is as it was.

    Raises
    ------
    UnsupportedError
        When it is no map.
    GridError
        When the turned map cannot be.

    Examples
    --------
    >>> import studio
    >>> desert = studio.new_map("armageddon_war", columns=4, rows=3)
    >>> turned = studio.turn_map(desert)
    >>> turned.labels.label(0), studio.turn_map(turned).labels.label(0)
    ('0403', '0101')
    """
    if not isinstance(map_, Map):
        msg = f"turn_map: got {type(map_).__name__}; give a map"
        raise UnsupportedError(msg)
    with map_.lock:
        return _made(turned_model(map_.model), map_)


def _made(model: MapModel, like: Map) -> Map:
    made = Map(model, ruleset=like.ruleset)
    made._start_journal()
    return made


def _check(first: Any, second: Any, edge: Any) -> None:
    for what, got in (("first", first), ("second", second)):
        if not isinstance(got, Map):
            msg = f"join_maps: {what} is a {type(got).__name__}; give two maps"
            raise UnsupportedError(msg)
    if edge not in _EDGES:
        msg = f"join_maps: edge {shortened(edge)}; {nearest(str(edge), _EDGES)}"
        raise UnsupportedError(msg)
    if first.ruleset.id != second.ruleset.id:
        msg = (
            f"{first.title!r} is a map for {first.ruleset.title}, {second.title!r} for {second.ruleset.title}; "
            "join maps of one game"
        )
        raise UnsupportedError(msg)


def _pair(what: str, got: Any) -> tuple[str, str]:
    """Return two texts, one a map."""
    if not isinstance(got, tuple | list) or len(got) != 2 or not all(isinstance(one, str) for one in got):
        msg = f"{what}: got {shortened(got)}; allowed: two texts, one for each map, such as ('', 'B')"
        raise GridError(msg)
    return got[0], got[1]


def _shift(shift: Any) -> Fraction:
    whole = isinstance(shift, Real) and not isinstance(shift, bool)
    if whole and abs(shift) <= MAX_SIZE:  # false for what is no number
        found = shift if isinstance(shift, Fraction) else Fraction(float(shift))
        if found.denominator <= 2:
            return found
    msg = f"shift: got {shortened(shift)}, allowed are whole and half hexes up to {MAX_SIZE}"
    raise GridError(msg)


def _gap(gap: Any, edge: str) -> int:
    if isinstance(gap, bool) or not isinstance(gap, int | np.integer) or not 1 <= gap <= MAX_SIZE:
        msg = f"gap: got {shortened(gap)}, allowed are 1 to {MAX_SIZE} columns between maps that lie apart"
        raise GridError(msg)
    if gap != 1 and edge != "apart":
        raise GridError(_APART_ONLY.format(what="gap", got=gap, edge=edge))
    return int(gap)


_APART_ONLY = "{what}: got {got!r} with edge={edge!r}; only maps with edge='apart' have it, so leave it off"


def _check_words(edge: str, turned: Any, layer: Any, title: Any) -> None:
    if not isinstance(turned, bool | np.bool_):
        msg = f"turned: got {shortened(turned)}; allowed: True, for half a turn, or False"
        raise GridError(msg)
    for what, got in (("layer", layer), ("title", title)):
        if not isinstance(got, str):
            msg = f"{what}: got {shortened(got)}; allowed is a text"
            raise GridError(msg)
    if layer and edge != "apart":
        raise GridError(_APART_ONLY.format(what="layer", got=layer, edge=edge))


def _other_prefix(join: Callable[[tuple[str, str]], Any], prefixes: tuple[str, str]) -> str:
    """Say with which prefixes two maps can be joined; each is tried."""
    for prefix in prefixes_to_try():
        try:
            join((prefixes[0], prefix))
        except GridError:
            continue
        return f"give the second map another prefix, such as {prefix!r}: prefixes={(prefixes[0], prefix)!r}"
    return "give both maps prefixes that no label begins with"


def _named(sheets: tuple[Sheet, ...], name: str, prefix: str, taken: set[str]) -> tuple[Sheet, ...]:
    """Return sheets with ids that are not taken and, before what they have, a further prefix."""
    found: list[Sheet] = []
    for sheet in sheets:
        alone = len(sheets) == 1
        wanted = name if name and alone else _slug(sheet.title) if sheet.id == "map" and alone else sheet.id
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}", wanted):
            msg = f"names: got {shortened(wanted)}; allowed: {_ID_WORDS}"
            raise GridError(msg)
        number, free = 1, wanted
        while free in taken:
            number += 1
            free = f"{wanted[:90]}-{number}"
        taken.add(free)
        record = {**msgspec.to_builtins(sheet), "id": free, "prefix": prefix + sheet.prefix}
        try:
            found.append(msgspec.convert(record, Sheet))
        except msgspec.ValidationError as error:
            msg = f"prefixes: got {shortened(prefix)}; allowed are {PREFIX_WORDS}"
            raise GridError(msg) from error
    return tuple(found)


def _slug(title: str) -> str:
    found = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-")
    return found or "map"


def _on_layer(sheets: tuple[Sheet, ...], others: set[str], layer: str) -> tuple[Sheet, ...]:
    """Return sheets on the layer asked for; without one, those of one layer that the other map has lie underground."""
    own = {sheet.layer for sheet in sheets}
    if not layer and (len(own) > 1 or not own <= others):
        return sheets
    record = [{**msgspec.to_builtins(sheet), "layer": layer or "underground"} for sheet in sheets]
    try:
        return tuple(msgspec.convert(one, Sheet) for one in record)
    except msgspec.ValidationError as error:
        msg = f"layer: got {shortened(layer)}; allowed: {_ID_WORDS}"
        raise GridError(msg) from error
