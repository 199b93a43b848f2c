"""The panel of the size: rows and columns at each edge, cropped to a part; what would be lost is told before."""

from __future__ import annotations

import warnings
from typing import Any

from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, text
from studio.editor.panels.panel import Panel
from studio.errors import EditError, StudioError
from studio.grid import MAX_SIZE
from studio.model import Area, Resize, feature_cells, feature_points
from studio.model.sizing import crop_edit

__all__ = ["SizePanel"]

_EDGES = {"left": "columns on the left", "right": "columns on the right", "top": "rows at the top"}
_EDGES |= {"bottom": "rows at the bottom"}
_SHOWN = 12
"""Lines of what would be lost that are shown."""


class SizePanel(Panel):
    """The size of the map."""

    id = "size"
    title = "Size"

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self._edges = dict.fromkeys(_EDGES, 0)
        self._labels, self._terrain = "renumber", ""
        self._corner: tuple[int, int] | None = None  # a hex, and how often the hexes had moved when it was picked
        self._said: list[str] = []

    @classmethod
    def fits(cls, editor: Any) -> bool:
        """Tell whether the size of the document can change here: a map's, not a scenario's."""
        return hasattr(editor.document, "resize") and editor.document is editor.subject

    @property
    def _document(self) -> Any:
        return self.editor.document

    # -- what it shows -----------------------------------------------------------------------------------------------

    def nodes(self) -> list[Node]:
        """Return the numbers of each edge, what the change would do, and the ways to crop."""
        grid = self._document.model.grid
        if grid.parts:
            return [
                text(f"{grid.columns} x {grid.rows} hexes on {len(grid.parts)} sheets."),
                hint("The sheets fit each other at their edges: resize the single maps, and join them again."),
            ]
        return [
            text(f"{grid.columns} columns x {grid.rows} rows. To add at each edge:"),
            *(node for edge in _EDGES for node in self._edge(edge)),
            *self._choices(),
            *self._preview(),
            self._crop(),
        ]

    def _edge(self, edge: str) -> list[Node]:
        words = _EDGES[edge]
        label = f"{edge.capitalize()} ({words.split(' ', 1)[0]})"
        return [
            field(edge, label, self._edges[edge], kind="number", low=-MAX_SIZE, high=MAX_SIZE, step=1, action="edge"),
            buttons(
                button("less", "−", title=f"One of the {words} less", values={"edge": edge}),
                button("more", "+", title=f"One of the {words} more", values={"edge": edge}),
            ),
        ]

    def _choices(self) -> list[Node]:
        modes = [("renumber", "count anew"), ("keep", "each hex keeps its label")]
        found = [field("labels", "Labels", self._labels, kind="choice", choices=modes, action="choose")]
        if any(number > 0 for number in self._edges.values()):
            rules = self._document.ruleset
            terrains = [(key, str(value.name)) for key, value in rules.terrains.items()]
            new = self._terrain or next(iter(rules.terrain_characters))
            found.append(field("terrain", "New hexes", new, kind="choice", choices=terrains, action="choose"))
        return found

    def _preview(self) -> list[Node]:
        if not any(self._edges.values()):
            return [hint("A negative number removes. All that stays keeps its hex."), *map(hint, self._said)]
        try:
            report = self._resize(dry_run=True)
        except StudioError as error:
            return [text(f"⚠ {error}", tone="error"), buttons(button("clear", "Clear"))]
        first, *lost = report.lines()
        more = [hint(f"… and {len(lost) - _SHOWN} more")] if len(lost) > _SHOWN else []
        return [
            text(f"Then {report.columns} columns x {report.rows} rows. {first.partition(':')[0]}."),
            *([text("What would be lost:")] if report.losses else []),
            *(text(f"△ {line}", tone="error") for line in lost[:_SHOWN]),
            *more,
            buttons(button("apply", "Change the size", primary=True), button("clear", "Clear")),
        ]

    def _crop(self) -> Node:
        picked = self._corner is not None and self._corner[1] == self._moves
        words = "Pick the other corner" if picked else "Pick two corners"
        nodes = [
            hint("Sets the numbers above to the smallest frame around what is chosen."),
            buttons(
                button("pick", words),
                button("selection", "To the selection", disabled=not self.editor.selected),
            ),
        ]
        return group("Crop", nodes, open=picked, name="crop")

    @property
    def _moves(self) -> int:
        return int(getattr(self._document, "moves", (0,))[0])

    # -- what it does ------------------------------------------------------------------------------------------------

    def _resize(self, *, dry_run: bool) -> Any:
        new = self._terrain if any(number > 0 for number in self._edges.values()) else ""
        return self._document.resize(**self._edges, terrain=new or None, labels=self._labels, dry_run=dry_run)

    def do_edge(self, values: dict[str, Any]) -> None:
        """Set the number of one edge.

        Raises
        ------
        EditError
            When it is no whole number, or there is no such edge.
        """
        edge, number = str(values.get("id")), values.get("value")
        if edge not in _EDGES or isinstance(number, bool) or not isinstance(number, int | float) or number % 1:
            msg = f"size: got {number!r} for the {edge} edge; allowed are whole numbers, -{MAX_SIZE} to {MAX_SIZE}"
            raise EditError(msg)
        self._edges[edge] = max(-MAX_SIZE, min(MAX_SIZE, int(number)))

    def do_less(self, values: dict[str, Any]) -> None:
        """Take one from the number of an edge."""
        self.do_edge({"id": values.get("edge"), "value": self._edges.get(str(values.get("edge")), 0) - 1})

    def do_more(self, values: dict[str, Any]) -> None:
        """Add one to the number of an edge."""
        self.do_edge({"id": values.get("edge"), "value": self._edges.get(str(values.get("edge")), 0) + 1})

    def do_choose(self, values: dict[str, Any]) -> None:
        """Choose what becomes of the labels, or the terrain of new hexes."""
        if values["id"] == "labels":
            self._labels = "keep" if values["value"] == "keep" else "renumber"
        else:
            self._terrain = str(values["value"])

    def do_clear(self, _values: dict[str, Any]) -> None:
        """Set all numbers to nothing."""
        self._edges = dict.fromkeys(_EDGES, 0)
        self._corner, self._said = None, []

    def do_apply(self, _values: dict[str, Any]) -> None:
        """Change the size, and say what was lost."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the report says the same
            report = self._resize(dry_run=False)
        self.do_clear({})
        self._said = report.lines()
        self.editor.tell("say", text=self._said[0], client=self.editor.client)

    # -- cropping ----------------------------------------------------------------------------------------------------

    def do_pick(self, _values: dict[str, Any]) -> None:
        """Let somebody click on a corner of the part that stays."""
        words = "Click the other corner" if self._corner is not None else "Click one corner of the part that stays"
        self.editor.tell("pick", panel=self.id, action="corner", text=words, client=self.editor.client)

    def do_corner(self, values: dict[str, Any]) -> None:
        """Take a hex as a corner; the second one says the size.

        Raises
        ------
        EditError
            When there is no hex.
        """
        cell = values.get("cell")
        if not isinstance(cell, int) or not self._document.model.grid.has(cell):
            msg = "size: there is no hex; click a hex of the map"
            raise EditError(msg)
        if self._corner is None or self._corner[1] != self._moves:
            self._corner = (cell, self._moves)
            self.do_pick({})
            return
        cells, self._corner = [self._corner[0], cell], None
        self._crop_to(cells)

    def do_selection(self, _values: dict[str, Any]) -> None:
        """Crop to the features that are chosen.

        Raises
        ------
        EditError
            When none is chosen that lies on a hex.
        """
        model = self._document.model
        cells: set[int] = set()
        for name in self.editor.selected:
            feature = model.features.get(name)
            if feature is None:
                continue
            cells.update(feature_cells(model.labels, feature))
            if isinstance(feature, Area):
                cells.update(self._document.survey.area_cells(name))
            for _, point in feature_points(feature):
                cells.update(cell for cell in model.grid.cells_at([point]).tolist() if cell >= 0)
        if not cells:
            msg = "size: nothing that is chosen lies on a hex; choose features, or pick two corners"
            raise EditError(msg)
        self._crop_to(sorted(cells))

    def _crop_to(self, cells: list[int]) -> None:
        edit: Resize = crop_edit(self._document.model.grid, cells)
        self._edges = {edge: int(getattr(edit, edge)) for edge in _EDGES}
        self._said = [] if any(self._edges.values()) else ["The frame around these hexes is the map as it is."]
