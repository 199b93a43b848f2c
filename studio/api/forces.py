"""The order of battle of a scenario as people make it: forces, formations, set-up areas, entry hexes, arrival turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count as counting
from typing import Any

import msgspec

from studio.api.forcenames import plain
from studio.api.units import ScenarioUnits
from studio.errors import EditError, nearest
from studio.model import Batch, Delete, Edit, Force, Formation, Put, SetField, SetUp
from studio.model.wording import describe_area
from studio.paths.state import several
from studio.rules.areas import ScenarioAreas

__all__ = ["ScenarioForces", "describe_area", "known_fields", "lists"]

_LISTED = frozenset(
    {"hexes", "terrain", "edges", "sheets", "features", "without", "without_terrain", "without_features"}
    | {"same_edge_as", "other_edge_than", "other_hex_than", "unit_types", "of", "out_of_play"}
)
"""Fields that hold several names, for which one alone will do."""

_OF_FORCE = tuple(name for name in Force.__struct_fields__ if name not in ("id", "formations"))
_OF_FORMATION = tuple(name for name in Formation.__struct_fields__ if name not in ("id", "units", "where"))


class ScenarioForces(ScenarioUnits):
    """A scenario whose order of battle can be made."""

    # -- forces ------------------------------------------------------------------------------------------------------

    def add_force(self, name: str, *, force_id: str = "", color: str = "", set_up_order: int = 0) -> str:
        """Add a side; return its id.

        Parameters
        ----------
        name : str
        force_id : str
            Made of the name otherwise.
        color : str
            Of its counters, such as ``#0072b2``; chosen by its place among the forces otherwise.
        set_up_order : int
            Sides set up one after another; behind the others by default.

        Raises
        ------
        EditError
            When the id is taken or a value wrong.
        """
        known = [force.id for force in self.document.forces]
        made = force_id or _slug(name, known)
        if made in known:
            msg = f"add_force {name!r}: the scenario has a force {made!r}; give another force_id"
            raise EditError(msg)
        order = set_up_order or 1 + max((force.set_up_order for force in self.document.forces), default=0)
        record = {"id": made, "name": name, "color": color, "set_up_order": order}
        self._step(f"Add force {name}", [Put(collection="forces", record=record)])
        return made

    def change_force(self, force: str, **fields: Any) -> None:
        """Change the name, colour, notes or place in the order of set-up of a side.

        Raises
        ------
        UnknownNameError
            When the scenario has no such force.
        EditError
            When a field is unknown or its value wrong.
        """
        owner = self._force(force)
        self._set(f"Change {owner.name}", f"forces/{owner.id}", fields, _OF_FORCE, owner)

    def remove_force(self, force: str) -> None:
        """Take a side out of the scenario with all its units.

        Raises
        ------
        UnknownNameError
            When the scenario has no such force.
        """
        owner = self._force(force)
        self._step(f"Remove force {owner.name}", [Delete(collection="forces", id=owner.id)])

    # -- formations --------------------------------------------------------------------------------------------------

    def add_formation(
        self, force: str, name: str, *, formation_id: str = "", arrival_turn: int = 0, **fields: Any
    ) -> str:
        """Add a formation to a side; return its id.

        Parameters
        ----------
        force : str
            Id or name of the side.
        name : str
        formation_id : str
            Made of the name otherwise.
        arrival_turn : int
            Turn or activation in which it enters; 0 when it sets up before the first.
        **fields
            Other fields of :class:`studio.model.Formation`, such as ``notes``.

        Raises
        ------
        UnknownNameError
            When the scenario has no such force.
        EditError
            When the id is taken or a value wrong.
        """
        owner = self._force(force)
        known = [part.id for one in self.document.forces for part in one.formations]
        made = formation_id or _slug(name, known)
        if made in known:
            msg = f"add_formation {name!r}: the scenario has a formation {made!r}; give another formation_id"
            raise EditError(msg)
        record = {"id": made, "name": name, **fields}
        if arrival_turn:
            record.update(arrival="enter", arrival_turn=arrival_turn)
        known_fields(f"formation {made}", fields, (*_OF_FORMATION, "where"))
        self._step(f"Add formation {name}", [Put(collection=f"forces/{owner.id}/formations", record=lists(record))])
        return made

    def change_formation(self, formation: str, *, force: str = "", **fields: Any) -> None:
        """Change the name, activation markers, printed totals or notes of a formation; its units stay.

        Raises
        ------
        UnknownNameError
            When the scenario has no such formation.
        EditError
            When a field is unknown or its value wrong.
        """
        owner, part = self._formation(formation, force)
        path = f"forces/{owner.id}/formations/{part.id}"
        self._set(f"Change {part.name}", path, fields, _OF_FORMATION, part)

    def remove_formation(self, formation: str, *, force: str = "") -> None:
        """Take a formation out of the scenario with its units.

        Raises
        ------
        UnknownNameError
            When the scenario has no such formation.
        """
        owner, part = self._formation(formation, force)
        self._step(f"Remove {part.name}", [Delete(collection=f"forces/{owner.id}/formations", id=part.id)])

    def arrive(self, formation: str, turn: int, *, force: str = "") -> None:
        """Let a formation enter during play: in this turn or activation; with 0 it sets up before the first.

        Raises
        ------
        UnknownNameError
            When the scenario has no such formation.
        EditError
            When the scenario is not so long.
        """
        owner, part = self._formation(formation, force)
        length, unit = self.document.length, self.document.length_unit
        if not isinstance(turn, int) or not 0 <= turn <= length:
            msg = f"{part.id} arrives in {unit} {turn!r}; allowed: 1 to {length}, or 0 to set up at the start"
            raise EditError(msg)
        fields = {"arrival": "enter", "arrival_turn": turn} if turn else {"arrival": "set_up", "arrival_turn": 1}
        title = f"Let {part.name} enter in {unit} {turn}" if turn else f"Let {part.name} set up at the start"
        self._set(title, f"forces/{owner.id}/formations/{part.id}", fields, _OF_FORMATION, part)

    # -- areas -------------------------------------------------------------------------------------------------------

    def area(self, formation: str, *, force: str = "") -> list[str]:
        """Return the labels of the places where a formation sets up, or enters.

        Raises
        ------
        UnknownNameError, LabelError
            When there is no such formation, or its area names what the map or the scenario does not have.
        ScenarioRuleError
            When areas are described by one another in a circle.
        """
        _, part = self._formation(formation, force)
        survey = self._shown.survey
        areas = ScenarioAreas(self.document, survey, self.ruleset, ground=self.play_ground)
        return [survey.directory.label(number) for number in areas.cells(part.where, part.id)]

    def set_up_area(
        self,
        formation: str,
        hexes: str | Iterable[str] | None = None,
        *,
        force: str = "",
        add: bool = False,
        take: bool = False,
        **conditions: Any,
    ) -> None:
        """Say where a formation sets up, or enters: the places that meet every condition.

        Parameters
        ----------
        formation : str
        hexes : str or iterable of str, optional
            Labels of hexes, zones or other places.
        force : str
            Where several formations are called alike.
        add, take : bool
            Add these places to those that are named already, or take them away from them.
        **conditions
            Other fields of :class:`studio.model.SetUp`: ``within``, ``terrain``, ``features``, ``edges``, ``sheets``,
            ``first_column`` to ``last_row``, ``without``, ``without_terrain``, ``without_features``, ``distances``
            (each a :class:`studio.model.Distance` or its fields as a dict), ``most_in_hex``, ``text`` and the rest. One
            name will do for a list of one. What is not given stays.

        Raises
        ------
        UnknownNameError, LabelError
            When there is no such formation or place.
        EditError
            When a condition is unknown or its value wrong.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> raid.set_up_area("rebels", ["U9", "V9"], within=0)
        >>> raid.area("rebels")
        ['U9', 'V9']
        """
        owner, part = self._formation(formation, force)
        known = tuple(name for name in SetUp.__struct_fields__ if name != "hexes")
        known_fields(f"area of {part.id}", conditions, known)
        where = {**plain(part.where), **lists(conditions)}
        if hexes is not None:
            named = list(dict.fromkeys(several(hexes)))
            for label in named:
                self._place_number(label)
            old = list(part.where.hexes)
            if add:
                named = [*old, *(label for label in named if label not in old)]
            elif take:
                named = [label for label in old if label not in set(named)]
            where["hexes"] = named
        path = f"forces/{owner.id}/formations/{part.id}/where"
        what = "entry" if part.arrival == "enter" else "set-up area"
        self._step(f"Change the {what} of {part.name}", [SetField(field=path, value=where)])

    def enter_at(
        self, formation: str, hexes: str | Iterable[str] = (), *, edges: str | Iterable[str] = (), turn: int = 1
    ) -> None:
        """Let a formation enter during play: by these hexes, or anywhere on these edges of the map.

        Raises
        ------
        UnknownNameError, LabelError
            When there is no such formation or hex.
        EditError
            When there is no such edge or turn.
        """
        owner, part = self._formation(formation)
        if not 1 <= turn <= self.document.length:
            msg = f"{part.id} enters in {self.document.length_unit} {turn}; allowed: 1 to {self.document.length}"
            raise EditError(msg)
        for label in several(hexes):
            self._place_number(label)
        path = f"forces/{owner.id}/formations/{part.id}"
        where = {**plain(part.where), "hexes": list(several(hexes)), "edges": list(several(edges)), "within": 0}
        edits: list[Edit] = [
            SetField(field=f"{path}/arrival", value="enter"),
            SetField(field=f"{path}/arrival_turn", value=turn),
            SetField(field=f"{path}/where", value=where),
        ]
        self._step(f"Let {part.name} enter in {self.document.length_unit} {turn}", edits)

    # -- what all of them need ---------------------------------------------------------------------------------------

    def _step(self, title: str, edits: list[Edit]) -> None:
        self.apply(Batch(title=title, edits=edits))

    def _set(
        self, title: str, path: str, fields: Mapping[str, Any], known: Iterable[str], record: Force | Formation | Any
    ) -> None:
        """Set fields of a record, those that change."""
        known_fields(path, fields, known)
        old = plain(record)
        edits: list[Edit] = [
            SetField(field=f"{path}/{name}", value=value)
            for name, value in lists(fields).items()
            if old.get(name) != value
        ]
        if edits:
            self._step(title, edits)


def known_fields(what: str, fields: Iterable[str], known: Iterable[str]) -> None:
    """Refuse fields that a record does not have.

    Raises
    ------
    EditError
        When one is unknown.
    """
    for name in fields:
        if name not in known:
            msg = f"{what}: no field {name!r}; {nearest(name, known)}"
            raise EditError(msg)


def lists(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as records hold them: lists for tuples, a list for a single label, plain data for records."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if name in _LISTED and isinstance(value, str):
            found[name] = [value]
        elif isinstance(value, msgspec.Struct):
            found[name] = plain(value)
        else:
            found[name] = list(value) if isinstance(value, tuple | set | frozenset) else value
    return found


def _slug(name: str, known: Iterable[str]) -> str:
    """Return an id made of a name that is none of those known."""
    words = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name.lower())
    stem = "-".join(part for part in words.split("-") if part)[:60] or "force"
    taken = set(known)
    if stem not in taken:
        return stem
    return next(made for n in counting(2) if (made := f"{stem}-{n}") not in taken)
