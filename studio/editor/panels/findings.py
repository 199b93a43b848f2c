"""What the checks find, beside the map: a press leads to the place, a button mends what can be mended."""

from __future__ import annotations

from typing import Any

from studio.checks import tally
from studio.editor.overlays import OverlayDrawer
from studio.editor.panels.nodes import Node, button, buttons, field, hint, row, rows, text
from studio.editor.panels.panel import Panel
from studio.editor.work import Progress
from studio.errors import EditError

__all__ = ["FindingsPanel"]

SHOWN = 300
"""Findings that are listed; the numbers of all are told."""

_SIGNS = {"error": "✕", "warning": "△", "note": "○"}


class FindingsPanel(Panel):
    """The findings of the last check."""

    id = "findings"
    title = "Findings"
    for_readers = True

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self._found: list[Any] | None = None
        self._revision = -1
        self._filter = "all"
        self._signs = OverlayDrawer(editor, "findings")

    def nodes(self) -> list[Node]:
        """Return the findings as lines, with their remedies and the buttons that mend."""
        found = self._found
        stale = found is not None and self._revision != self._stamp()
        items = [
            button("check", "Check again" if found is not None else "Check", primary=found is None or stale),
            button(
                "repair",
                "Mend what can be mended",
                disabled=not self._mendable(),
                title=None if self._mendable() else "Nothing that was found can be mended in one way only",
            ),
        ]
        if found:
            items.append(button("clear", "Clear", title="Forget the findings and take their signs off the map"))
        top = buttons(*items)
        if found is None:
            return [top, hint("Looks through the whole drawing for what players and engines would stumble over.")]
        head = text(tally(found) + "; press one to go there." if found else "Nothing found: fit for use.")
        nodes = [top, head]
        if stale:
            nodes.append(hint("Changed since then: check again."))
        there = {one.severity for one in found}
        if len(there) > 1:
            kinds = [("error", "Errors"), ("warning", "Warnings"), ("note", "Notes")]
            choices = [("all", "All"), *(kind for kind in kinds if kind[0] in there)]
            nodes.append(field("filter", "Show", self._filter, kind="choice", choices=choices, action="filter"))
        shown = self._shown()
        nodes.append(rows([self._line(n, one) for n, one in enumerate(shown[:SHOWN], 1)], label="Findings"))
        if len(shown) > SHOWN:
            nodes.append(hint(f"… and {len(shown) - SHOWN} more; mend these first."))
        for number, one in enumerate(shown[:SHOWN]):
            if one.repair is not None and not self.editor.readonly:
                label = f"Mend: {one.repair.title}"
                nodes.append(buttons(button("mend", label, values={"number": number}, disabled=stale)))
        return nodes

    def _shown(self) -> list[Any]:
        return [one for one in self._found or () if self._filter in ("all", one.severity)]

    def _sign(self) -> None:
        """Write the numbers of the lines on the map, where they have a place."""
        from studio.draw import draw_findings

        shown = self._shown()[:SHOWN]
        if any(one.point is not None for one in shown):
            self._signs.show(draw_findings, shown)
        else:
            self._signs.clear()

    def _line(self, number: int, one: Any) -> Node:
        """Return the line of a finding; it begins with the number that its sign on the map has."""
        sign, at = _SIGNS[one.severity], one.at
        where = " / ".join(at) if isinstance(at, list | tuple) else str(at)
        return row(
            f"{number}  {where}: {one.message}", sign=sign, note=one.remedy, go=self._point(one), tone=one.severity
        )

    def _point(self, one: Any) -> tuple[float, float] | None:
        """Return where on the lattice a finding is: its own point, else the middle of what it names."""
        if one.point is not None:
            return (float(one.point[0]), float(one.point[1]))
        model = self.editor.document.model
        named = one.at if isinstance(one.at, list | tuple) else (one.at,)
        points = []
        for name in named:
            cell = model.labels.find(str(name))
            if cell is not None:
                points.append(model.grid.centre(cell))
        if not points:
            return None
        return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))

    def _stamp(self) -> int:
        editor = self.editor
        return int(editor.document.revision) + (0 if editor.subject is editor.document else editor.subject.revision)

    def _map(self) -> Any:
        if self.editor.readonly:
            msg = "this view of the map is for looking only; map.edit() shows the editor, which can mend"
            raise EditError(msg)
        return self.editor.document

    def _mendable(self) -> bool:
        repairs = any(one.repair is not None for one in self._found or ())
        return repairs and not self.editor.readonly and hasattr(self.editor.document, "repair")

    # -- actions -----------------------------------------------------------------------------------------------------

    def do_check(self, _values: dict[str, Any]) -> None:
        """Check the document; a long check has a bar."""

        def job(_progress: Progress) -> tuple[int, list[Any]]:
            with self.editor.document.lock:
                return self._stamp(), list(self.editor.subject.check())

        def done(result: tuple[int, list[Any]]) -> None:
            self._revision, self._found = result
            with self.editor.document.lock:
                self._sign()
            self.editor.desk.refresh(self.id)

        cells = self.editor.document.model.grid.cells
        if cells > 20_000:
            self.editor.work("Checking", job, done)
        else:
            done(job(lambda _done, _total: None))

    def do_filter(self, values: dict[str, Any]) -> None:
        """Show errors, warnings or notes only."""
        self._filter = str(values["value"])
        self._sign()

    def do_clear(self, _values: dict[str, Any]) -> None:
        """Forget the findings."""
        self._found = None
        self._signs.clear()

    def do_mend(self, values: dict[str, Any]) -> None:
        """Make the repair of one finding, as one step, and check again."""
        shown = self._shown()
        self._map().repair(shown[int(values["number"])])
        self.do_check({})

    def do_repair(self, _values: dict[str, Any]) -> None:
        """Mend all that can be mended without asking."""
        self._map().repair()
        self.do_check({})
