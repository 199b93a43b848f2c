"""What a designer's own ruleset file must keep to beyond the form of a catalogue: it comes from anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from studio.errors import DocumentError, Fault, nearest
from studio.model import LEVEL_LIMITS, feature_kinds
from studio.rules.catalogue import Catalogue

__all__ = ["MAX_OWN_BYTES", "check_file", "own_faults"]

MAX_OWN_BYTES = 1_000_000
"""Largest file of a designer's own game; the largest that comes with the studio has 20 kB."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_NAME = re.compile(r"[a-z0-9_]{1,60}")


def check_file(path: Path) -> None:
    """Refuse what is no regular file of a sensible size, before it is read.

    Raises
    ------
    DocumentError
        When it is none.
    """
    if path.exists() and not path.is_file():
        raise DocumentError(str(path), [Fault("$", "is no regular file", "name a TOML file")])
    if path.is_file() and path.stat().st_size > MAX_OWN_BYTES:
        message = f"has {path.stat().st_size:,} bytes, allowed are {MAX_OWN_BYTES:,}"
        raise DocumentError(str(path), [Fault("$", message, "name the TOML file of a game")])


def own_faults(catalogue: Catalogue, shipped: list[str]) -> Iterator[Fault]:
    """Yield what is wrong with the catalogue of a designer's own game.

    Parameters
    ----------
    catalogue : Catalogue
    shipped : list of str
        Ids of the games that come with the studio.
    """
    if not _ID.fullmatch(catalogue.id):
        allowed = "letters, digits, underscores and hyphens, 100 at most"
        yield Fault("$.id", f"got {catalogue.id[:40]!r}, allowed: {allowed}", "choose a plain id")
    elif catalogue.id in shipped:
        message = f"{catalogue.id!r} is a game that comes with the studio"
        yield Fault("$.id", message, "choose an id of your own, or maps would open under the other game")
    for name in (field for field in catalogue.__struct_fields__ if field.endswith("_module")):
        if getattr(catalogue, name):
            # A file from anywhere must not name code to run.
            message = "a game of one's own names no module"
            yield Fault(f"$.{name}", message, "take it out; [sight] says how sight is judged")
    yield from _figures(catalogue)
    for kind in catalogue.features:
        if kind not in feature_kinds():
            yield Fault("$.features", f"unknown kind of feature {kind!r}", nearest(kind, feature_kinds()))
    for table in ("terrain", "sides", "markers", "movers", "areas", "places", "walls", "apertures", "links", "borders"):
        for name in getattr(catalogue, table):
            if not _NAME.fullmatch(name):
                message = f"got {name[:40]!r}, allowed: small letters, digits and underscores, 60 at most"
                yield Fault(f"$.{table}", message, "rename it")
    for name in catalogue.movers:
        seen, like = {name}, catalogue.movers[name].like
        while like in catalogue.movers and like not in seen:
            seen.add(like)
            like = catalogue.movers[like].like
        if like in seen:
            yield Fault(f"$.movers.{name}.like", "goes round in a circle", "name a mover with costs of its own")


def _figures(catalogue: Catalogue) -> Iterator[Fault]:
    low, high = catalogue.levels
    if not LEVEL_LIMITS[0] <= low <= 0 <= high <= LEVEL_LIMITS[1]:
        least, most = LEVEL_LIMITS
        message = f"got {low} to {high}, allowed: from {least} to 0 and from 0 to {most}"
        yield Fault("$.levels", message, "give the lowest level first; 0 is that of a new map")
    for name in ("stacking", "hex_metres"):
        value = getattr(catalogue, name)
        if value < 0:
            yield Fault(f"$.{name}", f"got {value}, allowed: whole numbers from 0", "0 says nothing about it")
