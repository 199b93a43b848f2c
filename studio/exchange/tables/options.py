"""What can be chosen when tables are written or read."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.grid import LabelScheme, Orientation, Stagger
from studio.model import MapDocument, ScenarioDocument

__all__ = ["TableOptions", "TableReading"]


class TableOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How tables are written.

    Parameters
    ----------
    excel : bool
        For spreadsheets that guess: a byte order mark, and labels such as 0101 and 1E5 as ``="0101"``, which stays what
        it is there. Plain text otherwise.
    """

    excel: bool = False


class TableReading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How tables are read.

    Parameters
    ----------
    ruleset : str
        Game of a map that no table names one for.
    title : str
    onto : MapDocument or None
        The map that the tables change; hexes that they do not list stay as they are.
    scenario : ScenarioDocument or None
        The scenario whose units the table of units places.
    headers : dict of str to str
        Which column of the table is which: ``{"terrain": "Gelände"}``.
    mapping : dict of str to str
        What words for terrain mean.
    side_mapping : dict of str to str
        What words for hexsides mean.
    delimiter : {"", ",", ";", "tab"}
        What parts the values; found out when empty.
    columns, rows : int
        Size of a new map; as far as the table goes when 0.
    orientation : {"flat", "pointy"}
    stagger : {"", "odd", "even"}
        Of a new map; found out from q and r when empty, else odd.
    labels : LabelScheme or None
        Of a new map; found out from the labels without it.
    """

    ruleset: str = ""
    title: str = ""
    onto: MapDocument | None = None
    scenario: ScenarioDocument | None = None
    headers: dict[str, str] = {}
    mapping: dict[str, str] = {}
    side_mapping: dict[str, str] = {}
    delimiter: Literal["", ",", ";", "tab"] = ""
    columns: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    rows: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    orientation: Orientation = "flat"
    stagger: Literal["", "odd", "even"] | Stagger = ""
    labels: LabelScheme | None = None
