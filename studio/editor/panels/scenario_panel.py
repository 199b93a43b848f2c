"""What the panels of scenarios have in common: they are there in an editor of a scenario only, and change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from studio.editor.panels.panel import Panel
from studio.errors import EditError
from studio.model import Force, Formation, ScenarioDocument

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = ["FormPanel", "ScenarioPanel", "labels_in", "shown_labels", "whole_number"]


class ScenarioPanel(Panel):
    """A panel of a scenario."""

    for_readers = True

    @classmethod
    def fits(cls, editor: MapEditor) -> bool:
        """Tell whether the editor is one of a scenario."""
        return editor.subject is not editor.document

    @property
    def scenario(self) -> Any:
        """The scenario."""
        return self.editor.subject

    @property
    def document(self) -> ScenarioDocument:
        """The scenario as its file holds it."""
        found: ScenarioDocument = self.editor.subject.document
        return found

    def parts(self) -> list[tuple[Force, Formation]]:
        """Return the formations with their forces, in order."""
        return [(force, part) for force in self.document.forces for part in force.formations]

    def point(self, label: str) -> tuple[float, float] | None:
        """Return where a place is, on the lattice; None where the map has none of that name."""
        directory = self.scenario.map.survey.directory
        number = directory.find(label) if label else None
        if number is None:
            return None
        x, y = directory.dot(number)
        return (float(x), float(y))

    def sides(self, nobody: str = "") -> list[tuple[str, str]]:
        """Return the forces to choose from, with a word for none before them where there is one."""
        return [*([("", nobody)] if nobody else []), *((force.id, force.name) for force in self.document.forces)]


class FormPanel(ScenarioPanel):
    """A panel with fields that are made from the types of records, see :mod:`studio.editor.panels.recordform`."""

    def change(self, name: str, value: Any) -> None:
        """Set the field with an id to a value; a record within a record is made, or with None taken away.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        raise NotImplementedError

    def do_put(self, values: dict[str, Any]) -> None:
        """Make a record within a record, such as what lets a formation enter."""
        self.change(str(values["id"]), "blank")

    def do_drop_record(self, values: dict[str, Any]) -> None:
        """Take such a record away."""
        self.change(str(values["id"]), None)


def labels_in(text: str) -> list[str]:
    """Return the labels in a typed list.

    Examples
    --------
    >>> labels_in("U9, V9,  City of Dez")
    ['U9', 'V9', 'City of Dez']
    """
    return [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]


def shown_labels(labels: tuple[str, ...]) -> str:
    """Return labels as a list to be typed in."""
    return ", ".join(labels)


def whole_number(value: Any, what: str) -> int:
    """Return a typed number.

    Raises
    ------
    EditError
        When it is none.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer():
        return int(value)
    msg = f"{what}: got {value!r}; allowed: a whole number"
    raise EditError(msg)
