"""The inspector: what is chosen on the map, field by field; the hex under the cursor; and the map itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from studio.editor.fields import change, common_fields, kind_of, shown
from studio.editor.panels.inspect_map import MapFields
from studio.editor.panels.nodes import Node, button, buttons, field, group, heading, hint, row, rows, text
from studio.editor.panels.panel import Panel
from studio.errors import StudioError
from studio.model import (
    Aperture,
    Area,
    Dot,
    Feature,
    Link,
    Marker,
    Place,
    SetSide,
    feature_points,
)

__all__ = ["InspectPanel"]

_CUT = 60
"""Characters of a name that headings show."""

_LISTED = 60
_OFFERED = 300
_BESIDE = (480, 240)
"""Half a hex to the right and down on the lattice, where copies go."""

_TITLES = {
    "type": "Type", "name": "Name", "text": "Text", "level": "Level", "within": "Part of", "dot": "Dot", "at": "At",
    "surface": "Surface", "size": "Size (hexes)", "angle": "Angle", "order": "Order", "one_way": "One way",
    "open": "Open", "path": "Path", "also": "Also covers", "id": "Id", "into": "Belongs to", "a": "From", "b": "To",
    "arrow_1": "Arrow 1", "arrow_2": "Arrow 2", "point": "Dot at", "tags": "Other tags",
}  # fmt: skip


def cut(words: str, most: int = _CUT) -> str:
    """Return a text that is short enough for a line."""
    words = " ".join(words.split())
    return words if len(words) <= most else f"{words[: most - 1]}…"


class InspectPanel(Panel):
    """What is chosen, to be read and changed."""

    id = "inspect"
    title = "Inspector"
    tools = ("select",)

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self._faults: dict[str, tuple[Any, str]] = {}
        self._about: tuple[str, ...] = ()
        self.cell, self.direction = -1, -1
        self._map = MapFields(editor)

    @property
    def _document(self) -> Any:
        return self.editor.document

    def _chosen(self) -> list[Feature]:
        features = self._document.model.features
        return [features[name] for name in self.editor.selected if name in features]

    # -- nodes -------------------------------------------------------------------------------------------------------

    def nodes(self) -> list[Node]:
        """Return the fields of what is chosen, or of the map; and of the hex under the cursor."""
        chosen = self._chosen()
        about = (*(one.id for one in chosen), str(self.cell))
        if about != self._about:
            self._faults, self._about = {}, about
        nodes = self._of_features(chosen) if chosen else []
        if self._document.grid.has(self.cell):
            nodes.append(
                group(f"Hex {self._document.labels.label(self.cell)}", self._of_hex(), open=not chosen, name="hex")
            )
        if not chosen:
            if self.cell < 0:
                nodes.append(hint("Choose something on the map, or click a hex."))
            nodes.append(group("Map", self._map.nodes(), name="map"))
        return nodes

    def _of_features(self, chosen: list[Feature]) -> list[Node]:
        one = chosen[0] if len(chosen) == 1 else None
        nodes = [heading(cut(self._title(one)) if one is not None else f"{len(chosen)} chosen")]
        if one is None:
            counted = Counter(self._kind_words(feature) for feature in chosen)
            nodes.append(text(", ".join(f"{count} × {name}" for name, count in counted.items())))
        for name in common_fields(chosen):
            nodes += self._field(chosen, name)
        if one is not None:
            nodes += self._meaning(one)
        nodes.append(self._buttons(chosen))
        return nodes

    def _title(self, feature: Feature) -> str:
        name = getattr(feature, "name", "") or getattr(feature, "text", "") or feature.id
        return f"{self._kind_words(feature)} {name}"

    def _kind_words(self, feature: Feature) -> str:
        types = self._document.ruleset.drawn_types(kind_of(feature))
        known = types.get(getattr(feature, "type", ""))
        words = known.name if known is not None else kind_of(feature)
        return f"{words[:1].upper()}{words[1:]}"

    def _field(self, chosen: Sequence[Feature], name: str) -> list[Node]:
        if name == "tags":
            return self._tags(chosen)
        values = [shown(self._document, one, name) for one in chosen]
        same = all(value == values[0] for value in values)
        value, note = (values[0], None) if same else (None, "different values; what you set here holds for all")
        kind: str = "text"
        more: dict[str, Any] = {}
        if name in ("type", "surface"):
            options = self._types(chosen[0]) if name == "type" else [("paved", "Paved"), ("unpaved", "Unpaved")]
            if value not in dict(options):
                options = [(str(value or ""), str(value or "(different)")), *options]
                value = str(value or "")
            kind, more = "choice", {"choices": options}
        elif name in ("open", "one_way"):
            kind = "check"
        elif name in ("level", "order", "size", "angle"):
            kind, more = "number", self._limits(name)
        elif name in ("within", "into", "a", "b") or (name == "at" and isinstance(chosen[0], Marker)):
            more = {"suggestions": self._offered(name)}
        elif name in ("path", "also") or (isinstance(value, str) and (len(value) > _CUT or "\n" in value)):
            kind = "area"
        return [self._node(name, self._label(chosen[0], name), value, kind=kind, note=note, **more)]

    def _label(self, feature: Feature, name: str) -> str:
        if name == "name" and any(one.feature == feature.id for one in self._document.survey.directory.others):
            return "Label"
        return "Hex" if name == "at" and isinstance(feature, Dot) else _TITLES[name]

    def _node(
        self, name: str, label: str, value: Any, *, note: str | None = None, kind: str = "text", **more: Any
    ) -> Node:
        kept = self._faults.get(name)
        if kept is not None:
            return field(name, label, kept[0], kind=kind, fault=cut(kept[1], 600), **more)
        return field(name, label, value, kind=kind, hint=note, **more)

    def _limits(self, name: str) -> dict[str, Any]:
        low, high = (
            self._document.ruleset.levels
            if name == "level"
            else {"order": (0, 1000), "size": (0.01, 20), "angle": (-360, 360)}[name]
        )
        return {"low": low, "high": high, "step": {"size": 0.05, "angle": 1}.get(name, 1)}

    def _types(self, feature: Feature) -> list[tuple[str, str]]:
        return [(key, one.name) for key, one in self._document.ruleset.drawn_types(kind_of(feature)).items()]

    def _offered(self, name: str) -> list[str]:
        """Return what is offered while somebody types: areas, or locations that are no hexes."""
        if name == "within":
            known = [one.name or one.id for one in self._document.model.features.values() if isinstance(one, Area)]
        else:
            known = [one.label for one in self._document.survey.directory.others]
        return [label for label in known if len(label) <= 200][:_OFFERED]

    def _tags(self, chosen: Sequence[Feature]) -> list[Node]:
        """Return a box for every tag that the game knows of these types, and a line for what it does not know."""
        tags = [set(getattr(one, "tags", ())) for one in chosen]
        types = [self._document.ruleset.drawn_types(kind_of(one)).get(getattr(one, "type", "")) for one in chosen]
        known = {
            key: tag
            for key, tag in (types[0].tags if types[0] else {}).items()
            if all(t and key in t.tags for t in types)
        }
        nodes = []
        for key, tag in known.items():
            words = f"{key.strip(':')}: {tag.name}"
            if key.endswith(":"):
                found = {
                    next((one.removeprefix(key) for one in sorted(some) if one.startswith(key)), "") for some in tags
                }
                nodes.append(
                    self._node(
                        f"tag:{key}", key.strip(":").capitalize(), found.pop() if len(found) == 1 else "", note=tag.name
                    )
                )
            else:
                nodes.append(self._node(f"tag:{key}", words, all(key in some for some in tags), kind="check"))
        if len(chosen) == 1 and (types[0] is None or tags[0] - {tag for tag in tags[0] if types[0].tag(tag)}):
            nodes.append(
                self._node("tags", "All tags", ", ".join(sorted(tags[0])), note="some of them the game does not know")
            )
        return nodes

    # -- what it means -------------------------------------------------------------------------------------------------

    def _meaning(self, feature: Feature) -> list[Node]:
        survey, lines = self._document.survey, []
        place = next((one for one in survey.directory.others if one.feature == feature.id), None)
        if place is not None:
            label = f"location {cut(place.label)}" + (
                f", in hex {self._document.labels.label(place.cell)}" if place.cell >= 0 else ""
            )
            lines.append(f"{label[:1].upper()}{label[1:]}, level {place.level}.")
            beside = survey.joined.get(place.label, [])
            lines.append(f"{len(beside)} neighbours: {cut(', '.join(beside), 160)}." if beside else "No neighbours.")
            sides = [one for one in survey.boundaries if place.label in (one.a, one.b)]
            kinds = Counter(kind for one in sides for kind in one.kinds)
            if kinds:
                names = self._document.ruleset.border_kinds
                told = ", ".join(
                    f"{count} {names[kind].name.lower() if kind in names else kind}" for kind, count in kinds.items()
                )
                lines.append(f"Borders: {told}.")
        elif isinstance(feature, Area):
            lines.append("Drawn only: no location.")
        if isinstance(feature, Area):
            corners = len(feature.outline) + sum(map(len, feature.holes))
            lines.append(f"{corners} corners" + (f", {len(feature.holes)} holes." if feature.holes else "."))
            inside = len(self._within(feature))
            lines += [f"{inside} feature{'s' * (inside != 1)} within."] if inside else []
        if isinstance(feature, Aperture):
            lines.append(f"An opening of {cut(feature.into)}; its arc of fire is set with the tool Opening.")
        if isinstance(feature, Link | Marker):
            ends = (feature.a, feature.b) if isinstance(feature, Link) else (feature.at, *feature.also)
            lines += [f"{cut(label)} is no location." for label in ends if survey.directory.find(label) is None]
        return [hint(" ".join(lines))] if lines else []

    def _within(self, feature: Feature) -> list[str]:
        """Return the ids of what is part of an area, at any depth, and of the openings of those locations."""
        found: dict[str, None] = {}
        todo = [feature.id]
        parts = [one for one in self._document.model.features.values() if isinstance(one, Area | Place) and one.within]
        while todo:
            around = todo.pop()
            for one in parts:
                if one.within == around and one.id not in found and one.id != feature.id:
                    found[one.id] = None
                    todo.append(one.id)
        return list(found)

    def _buttons(self, chosen: list[Feature]) -> Node:
        items = [button("go", "Go there", disabled=self._where(chosen[0]) is None)]
        copied = [one for one in chosen if not isinstance(one, Dot)]
        items.append(button("duplicate", "Duplicate", title="A copy beside it, as one step", disabled=not copied))
        items.append(button("delete", "Delete", title="Remove from the map; Ctrl+Z brings it back"))
        if any(isinstance(one, Area) and self._within(one) for one in chosen):
            items.append(button("inside", "Choose what is within"))
        if len(chosen) > 1:
            items.append(button("first", "Choose the first only"))
        return buttons(*items)

    def _where(self, feature: Feature) -> tuple[float, float] | None:
        points = [point for _, point in feature_points(feature)]
        if not points:
            labels = (
                getattr(feature, "a", None),
                getattr(feature, "b", None),
                getattr(feature, "at", None),
                *getattr(feature, "path", ()),
            )
            numbers = [self._document.survey.directory.find(label) for label in labels if isinstance(label, str)]
            points = [self._document.survey.directory.dot(number) for number in numbers if number is not None]
        if not points:
            return None
        return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))

    # -- the hex under the cursor --------------------------------------------------------------------------------------

    def _of_hex(self) -> list[Node]:
        document, cell = self._document, self.cell
        rules, model = document.ruleset, document.model
        terrains = [(name, terrain.name) for name, terrain in rules.terrains.items()]
        low, high = rules.levels
        nodes = [
            field("terrain", "Terrain", model.terrain_at(cell), kind="choice", choices=terrains, action="hex"),
            field("level", "Level", model.level_at(cell), kind="number", low=low, high=high, step=1, action="hex"),
        ]
        other = document.grid.neighbour(cell, self.direction) if self.direction >= 0 else None
        if other is not None and rules.side_kinds:
            nodes.append(heading(f"Side towards {document.labels.label(other)}"))
            kinds = document.survey.side_kinds(cell, other)
            nodes += [
                field(name, kind.name, name in kinds, kind="check", action="side")
                for name, kind in rules.side_kinds.items()
            ]
        here = self._here(cell)
        lines = [row(cut(self._title(one)), action="choose", values={"ids": [one.id]}) for one in here[:_LISTED]]
        if lines:
            nodes.append(rows(lines, label="In this hex"))
        return nodes

    def _here(self, cell: int) -> list[Feature]:
        """Return what is set in a hex, and the areas over it."""
        label, grid, found = self._document.labels.label(cell), self._document.grid, []
        for one in self._document.model.features.values():
            named = (
                getattr(one, "at", None),
                getattr(one, "a", None),
                getattr(one, "b", None),
                *getattr(one, "path", ()),
            )
            point = getattr(one, "at", None)
            inside = isinstance(point, tuple) and grid.cell_at(*grid.to_map(*point)) == cell
            if label in named or inside or (isinstance(one, Area) and cell in self._document.survey.area_cells(one.id)):
                found.append(one)
        return found

    # -- actions -------------------------------------------------------------------------------------------------------

    def do_set(self, values: dict[str, Any]) -> None:
        """Change a field of what is chosen; a fault is said at the field."""
        name, value = str(values["id"]), values["value"]
        if self._map.owns(name):
            self._map.set(name, value)
            return
        chosen = self._chosen()
        if not chosen:
            return
        self._faults.pop(name, None)
        try:
            change(self._document, chosen, name, value)
        except StudioError as error:
            self._faults[name] = (value, str(error))
            return
        if name == "id":
            self._choose([str(value)])

    def _choose(self, ids: list[str]) -> None:
        self.editor.selected = tuple(ids)
        self.editor.tell("choose", ids=ids)

    def do_choose(self, values: dict[str, Any]) -> None:
        """Choose features by id."""
        self._choose([str(name) for name in values["ids"] if name in self._document.model.features])

    def do_first(self, _values: dict[str, Any]) -> None:
        """Choose the first of several."""
        self._choose([one.id for one in self._chosen()[:1]])

    def do_inside(self, _values: dict[str, Any]) -> None:
        """Choose all that is within."""
        self._choose(list(dict.fromkeys(name for one in self._chosen() for name in self._within(one))))

    def do_go(self, _values: dict[str, Any]) -> None:
        """Bring what is chosen into sight."""
        for one in self._chosen()[:1]:
            point = self._where(one)
            if point is not None:
                self.editor.tell("goto", point=point)

    def do_delete(self, _values: dict[str, Any]) -> None:
        """Remove what is chosen, as one step."""
        ids = [one.id for one in self._chosen()]
        if ids:
            self._document.erase(ids)
            self._choose([])

    def do_duplicate(self, _values: dict[str, Any]) -> None:
        """Put a copy of each beside it, as one step, and choose the copies."""
        ids = [one.id for one in self._chosen() if not isinstance(one, Dot)]
        if ids:
            self._choose(list(self._document.duplicate(ids, *_BESIDE)))

    def do_hex(self, values: dict[str, Any]) -> None:
        """Change terrain or level of the hex under the cursor."""
        model = self._document.model
        if values["id"] == "terrain" and values["value"] != model.terrain_at(self.cell):
            self._document.paint(self._label_here, terrain=str(values["value"]))
        elif values["id"] == "level" and values["value"] != model.level_at(self.cell):
            self._document.paint(self._label_here, level=int(values["value"] or 0))

    @property
    def _label_here(self) -> str:
        return str(self._document.labels.label(self.cell))

    def point_at(self, cell: int, direction: int) -> None:
        """Note which hex, and which of its sides, somebody pointed at."""
        if (cell, direction) != (self.cell, self.direction):
            self.cell, self.direction = cell, direction
            self.editor.desk.refresh(self.id)

    def do_side(self, values: dict[str, Any]) -> None:
        """Set or clear what runs on the side under the cursor."""
        other = self._document.grid.neighbour(self.cell, self.direction)
        kinds = set(self._document.survey.side_kinds(self.cell, other))
        kinds = kinds | {str(values["id"])} if values["value"] else kinds - {str(values["id"])}
        self._document.apply(SetSide(a=self.cell, b=other, kinds=tuple(sorted(kinds))))

    def do_source(self, values: dict[str, Any]) -> None:
        """Add or remove a source of the map."""
        self._map.source(values)
