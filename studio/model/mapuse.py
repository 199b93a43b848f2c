"""What of a map a scenario uses."""

from __future__ import annotations

import msgspec

from studio.errors import ScenarioRuleError, shortened, texts_of

__all__ = ["MapUse"]


class MapUse(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The map of a scenario and the part of it that is in play.

    Parameters
    ----------
    file : str
        Path of the map's file, relative to the scenario's own.
    first_column, last_column, first_row, last_row : str
        Part in play, named by the printed text of its columns and rows; empty for no limit. On a map of several
        sheets they are those of the one sheet in play.
    out_of_play : tuple of str
        Single locations that are not in play: hexes, zones, whatever has a label.
    sheets : tuple of str
        Ids of the sheets in play, on a map of several; all of them when empty.

    Raises
    ------
    ScenarioRuleError
        When a field is of another type.
    """

    file: str
    first_column: str = ""
    last_column: str = ""
    first_row: str = ""
    last_row: str = ""
    out_of_play: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("file", "first_column", "last_column", "first_row", "last_row"):
            if not isinstance(getattr(self, name), str):
                msg = f"MapUse: got {name}={shortened(getattr(self, name))}; allowed: a text, such as '1'"
                raise ScenarioRuleError(msg)
        for name in ("out_of_play", "sheets"):
            got = getattr(self, name)
            if isinstance(got, str) or texts_of(got) is None:
                msg = f"MapUse: got {name}={shortened(got)}; allowed: several texts, such as ('a', 'b')"
                raise ScenarioRuleError(msg)
