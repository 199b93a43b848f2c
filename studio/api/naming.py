"""What callers name on a map: features by id or label, locations, labels; and records made of what they give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from studio.api.document import Document
from studio.errors import EditError, LabelError, nearest, shortened
from studio.grid import HexGrid, Labels
from studio.model import Area, Feature, MapModel, Place
from studio.model.topology import label_fault
from studio.rules import Ruleset
from studio.survey import Survey

__all__ = ["MapNaming"]


class MapNaming(Document):
    """A map by its names."""

    model: MapModel
    ruleset: Ruleset
    survey: Survey

    @property
    def grid(self) -> HexGrid:
        """The hex grid."""
        return self.model.grid

    @property
    def labels(self) -> Labels:
        """The labels, bound to the grid."""
        return self.model.labels

    @property
    def features(self) -> dict[str, Feature]:
        """Features by id."""
        return self.model.features

    # -- what a game allows ------------------------------------------------------------------------------------------

    def _known_label(self) -> str:
        """Return the label of a location of the map, for examples; of a hex where it has none."""
        numbers = self.survey.directory.numbers
        return self.survey.directory.label(int(numbers[0])) if len(numbers) else self.labels.label(0)

    def _allow_label(self, record: Mapping[str, Any]) -> None:
        """Refuse a new label of a location that could not stand in a list."""
        kind, name = record["kind"], record.get("name", "")
        located = kind == "place" or (kind == "area" and self.ruleset.area_types[record["type"]].location)
        old = getattr(self.features.get(record["id"]), "name", None) if "id" in record else None
        fault = label_fault(name) if located and name != old else ""
        if fault:
            msg = f"{kind} {record.get('id', '')}: the label {shortened(name)} {fault}; give it another name"
            raise EditError(msg)

    def _known(self, what: str, name: Any, known: Iterable[str]) -> None:
        if not isinstance(name, str) or name not in known:
            msg = f"{self.ruleset.title} has no {what} {shortened(name)}; {nearest(str(name), known)}"
            raise EditError(msg)

    def _allow_levels(self, values: Iterable[Any], what: str) -> None:
        low, high = self.ruleset.levels
        for value in values:
            if isinstance(value, int) and not low <= value <= high:
                msg = f"{what}: level {value}; {self.ruleset.title} has the levels {low} to {high}"
                raise EditError(msg)

    # -- what callers give -------------------------------------------------------------------------------------------

    def _several(self, what: str, values: Any) -> list[Any]:
        if isinstance(values, str) or not isinstance(values, Iterable):
            msg = f"{what}: got {shortened(values)}; give several, as a list"
            raise EditError(msg)
        return list(values)

    def _ids(self, what: str, names: Any) -> list[str]:
        """Return the ids of features that are named by their ids or by the labels of areas and places."""
        listed = [names] if isinstance(names, str) else self._several(what, names)
        parts = [feature for feature in self.features.values() if isinstance(feature, Area | Place)]
        found = []
        for name in listed:
            if isinstance(name, str) and name in self.features:
                found.append(name)
                continue
            named = [feature.id for feature in parts if feature.name == name]
            if len(named) != 1:
                known = [*self.features, *(feature.name for feature in parts if feature.name)]
                shown = shortened(name)
                why = f"several are called {shown}: {', '.join(named)}; name one by its id" if named else ""
                why = why or f"no feature has the id or the label {shown}; {nearest(str(name), known)}"
                msg = f"{what}: {why}"
                raise EditError(msg)
            found.append(named[0])
        return list(dict.fromkeys(found))

    def _checked(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record as it is put: points of labels, lists of single texts, the id of what it is part of."""
        record.setdefault("id", self.model.new_id(str(record.get("kind", "feature"))))
        if record.get("kind") in ("name", "place") and isinstance(record.get("at"), str):
            record["at"] = list(self.grid.centre(self.labels.cell(record["at"])))
        for name in ("tags", "also"):
            if isinstance(record.get(name), str):
                record[name] = [record[name]]
        around = record.get("within")
        if isinstance(around, str) and around and around not in self.features:
            named = [one.id for one in self.features.values() if isinstance(one, Area) and one.name == around]
            record["within"] = named[0] if len(named) == 1 else around
        if record.get("kind") == "marker":
            self._check_places(record)
        return {name: _plain(value) for name, value in record.items()}

    def _check_places(self, record: Mapping[str, Any]) -> None:
        """Refuse a marker on what is neither a location nor anything else that is drawn, with what there is."""
        also = record.get("also", ())
        drawn = {
            label for one in self.features.values() if isinstance(one, Area | Place) for label in (one.id, one.name)
        }
        for label in (record.get("at"), *(also if isinstance(also, list | tuple) else ())):
            if isinstance(label, str) and label not in drawn and self.labels.find(label) is None:
                try:
                    self.survey.directory.number(label)
                except LabelError as error:
                    msg = f"{record['id']}: {error}"
                    raise EditError(msg) from error


def _plain(value: Any) -> Any:
    """Return a value as a record holds it: lists for tuples and arrays, plain numbers for those of NumPy.

    A coordinate that was reckoned as a float and is whole is that whole number.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, list | tuple):
        return value
    return [int(one) if isinstance(one, float) and one.is_integer() else _plain(one) for one in value]
