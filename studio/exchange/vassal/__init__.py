"""VASSAL: modules to play a map or a scenario on, and saved games with everything in its place."""

from __future__ import annotations

from pathlib import Path

import msgspec

from studio.exchange.content import Content, Pictures, Written

__all__ = ["VassalOptions", "write"]


class VassalOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a VASSAL module is made.

    Parameters
    ----------
    hex_px : float
        Height of a hex on the board in pixels; 0 for 96, or less where the map is large.
    regions : bool
        Name every place by itself, also where VASSAL could number the hexes.
    save : bool
        Write a saved game beside the module of a scenario, with everything as it stands at the start.
    """

    hex_px: float = 0.0
    regions: bool = False
    save: bool = True


def write(content: Content, target: Path, *, options: VassalOptions | None = None, pictures: Pictures) -> Written:
    """Write a module, with a saved game beside it where there is a scenario; or the saved game alone.

    Parameters
    ----------
    content : Content
    target : Path
        ``NAME.vmod``, or ``NAME.vsav`` for the saved game alone, which is played with the module of the same scenario.
    options : VassalOptions, optional
    pictures : Pictures

    Returns
    -------
    Written

    Raises
    ------
    UnsupportedError
        When the board would be too large, or a saved game is wanted without a scenario.
    SaveError
        When a file cannot be written; an older one is whole.
    """
    from studio.exchange.vassal.making import make
    from studio.files.store import write_atomic

    made = make(content, options or VassalOptions(), pictures, only_save=target.suffix.lower() == ".vsav")
    files = []
    for suffix, data in made.files:
        file = target.with_suffix(suffix)
        write_atomic(file, data)
        files.append(file)
    return Written(tuple(files), made.notes)
