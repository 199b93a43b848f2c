"""What a scenario is about, as people make it: objectives, victory, notes to places, the part of the map in play."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count as counting
from typing import Any

import msgspec

from studio.api.forcenames import plain
from studio.api.forces import ScenarioForces, known_fields, lists
from studio.errors import EditError, UnknownNameError, nearest
from studio.model import Condition, Delete, Edit, MapUse, Objective, PlaceNote, Put, SetField
from studio.paths.state import several

__all__ = ["ScenarioAims"]


class ScenarioAims(ScenarioForces):
    """A scenario whose objectives, notes and use of the map can be made."""

    # -- objectives --------------------------------------------------------------------------------------------------

    def add_objective(
        self,
        side: str,
        points: int,
        event: str = "hold",
        *,
        hexes: str | Iterable[str] = (),
        text: str = "",
        objective_id: str = "",
        **fields: Any,
    ) -> str:
        """Add something that earns victory points; return its id.

        Parameters
        ----------
        side : str
            Id of the force that earns them.
        points : int
        event : {"hold", "capture", "eliminate", "destroy", "exit", "loot_and_exit", "survive", "other"}
        hexes : str or iterable of str
            Labels of the places that it is about.
        text : str
            The condition in words.
        objective_id : str
            Made of the side and the event otherwise.
        **fields
            ``unit_types``, ``of``, ``terrain``, ``edges``, ``where``, ``measure``, ``most`` of
            :class:`studio.model.Objective`.

        Raises
        ------
        UnknownNameError, LabelError
            When there is no such force, unit type or place.
        EditError
            When a value is wrong.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> raid.add_objective("isil", 3, hexes="U9", text="Holding the village at the end.")
        'isil-hold-1'
        """
        known = [one.id for one in self.document.objectives]
        stem = f"{side}-{event}".replace("_", "-")
        made = objective_id or next(name for n in counting(1) if (name := f"{stem}-{n}") not in known)
        if made in known:
            msg = f"add_objective: the scenario has an objective {made!r}; give another objective_id"
            raise EditError(msg)
        record = {"id": made, "side": side, "points": points, "event": event, "hexes": several(hexes), "text": text}
        self._put_objective(f"Add objective {made}", {**record, **fields})
        return made

    def change_objective(self, objective: str, **fields: Any) -> None:
        """Change fields of an objective.

        Raises
        ------
        UnknownNameError, LabelError, EditError
            As :meth:`add_objective` does, and when there is no such objective.
        """
        old = _named("objective", self.document.objectives, objective, self.title)
        self._put_objective(f"Change objective {objective}", {**plain(old), **fields, "id": objective})

    def remove_objective(self, objective: str) -> None:
        """Take an objective away.

        Raises
        ------
        UnknownNameError
            When there is no such objective.
        """
        _named("objective", self.document.objectives, objective, self.title)
        self._step(f"Remove objective {objective}", [Delete(collection="objectives", id=objective)])

    def _put_objective(self, title: str, fields: dict[str, Any]) -> None:
        known_fields(f"objective {fields['id']}", fields, Objective.__struct_fields__)
        made = _made(f"objective {fields['id']}", lists(fields), Objective)
        self._check_force(f"objective {made.id}", made.side)
        for label in made.hexes:
            self._place_number(label)
        for name in made.unit_types:
            self._check_type(name)
        self._step(title, [Put(collection="objectives", record=plain(made))])

    def set_victory(self, side: str, *, margin: int | None = None, otherwise: str = "", text: str = "") -> None:
        """Say who wins when: a side, with so many victory points more than the other, who else, and in words.

        No side takes the condition away, unless it lists results: these stay.

        Raises
        ------
        UnknownNameError
            When there is no such force.
        """
        old = self.document.victory
        results = [plain(one) for one in old.results] if old is not None else []
        if not side and not results:
            if old is not None:
                self._step("Take the victory condition away", [SetField(field="victory", value=None)])
            return
        for one in (side, otherwise):
            if one:
                self._check_force("victory", one)
        totals = dict(old.printed_totals) if old is not None else {}
        fields = {"side": side, "margin": margin, "otherwise": otherwise, "text": text, "printed_totals": totals}
        made = _made("victory", {**fields, "results": results}, Condition)
        self._step("Change the victory condition", [SetField(field="victory", value=plain(made))])

    # -- notes -------------------------------------------------------------------------------------------------------

    def add_note(self, at: str, text: str, *, side: str = "", note_id: str = "") -> str:
        """Add a note to a place of the map; return its id.

        Parameters
        ----------
        at : str
            Label of a hex, zone or other place.
        text : str
        side : str
            Id of the force that it is for; for everybody by default.
        note_id : str
            One is made otherwise.

        Raises
        ------
        LabelError, UnknownNameError
            When there is no such place or force.
        """
        known = [one.id for one in self.document.place_notes]
        made = note_id or next(name for n in counting(1) if (name := f"note-{n}") not in known)
        self._put_note(f"Note at {at}", {"id": made, "at": at, "text": text, "side": side})
        return made

    def change_note(self, note: str, **fields: Any) -> None:
        """Change the place, text or side of a note.

        Raises
        ------
        UnknownNameError, LabelError, EditError
            As :meth:`add_note` does, and when there is no such note or field.
        """
        old = _named("note", self.document.place_notes, note, self.title)
        self._put_note(f"Change the note at {old.at}", {**plain(old), **fields, "id": note})

    def remove_note(self, note: str) -> None:
        """Take a note away.

        Raises
        ------
        UnknownNameError
            When there is no such note.
        """
        old = _named("note", self.document.place_notes, note, self.title)
        self._step(f"Remove the note at {old.at}", [Delete(collection="place_notes", id=note)])

    def _put_note(self, title: str, fields: dict[str, Any]) -> None:
        known_fields(f"note {fields['id']}", fields, PlaceNote.__struct_fields__)
        made = _made(f"note {fields['id']}", fields, PlaceNote)
        self._place_number(made.at)
        if made.side:
            self._check_force(f"note {made.id}", made.side)
        self._step(title, [Put(collection="place_notes", record=plain(made))])

    # -- the map -----------------------------------------------------------------------------------------------------

    def use_map(self, **fields: Any) -> None:
        """Say which part of the map is in play.

        Parameters
        ----------
        **fields
            ``first_column``, ``last_column``, ``first_row``, ``last_row``, ``out_of_play``, ``sheets`` of
            :class:`studio.model.MapUse`. What is not given stays.

        Raises
        ------
        EditError
            When a field is unknown or its value wrong.
        LabelError, UnknownNameError
            When the map has no such column, row, place or sheet.
        """
        from studio.survey import locations_in_play

        known_fields("use_map", fields, tuple(name for name in MapUse.__struct_fields__ if name != "file"))
        made = _made("use_map", {**plain(self.document.map), **lists(fields)}, MapUse)
        locations_in_play(self._shown.survey, made)
        edits: list[Edit] = [SetField(field="map", value=plain(made))]
        if made != self.document.map:
            self._step("Change the part in play", edits)

    def last_for(self, length: int, unit: str | None = None) -> None:
        """Say how many turns or activations the scenario lasts.

        Raises
        ------
        EditError
            When the number or the unit is wrong.
        """
        edits: list[Edit] = [SetField(field="length", value=length)]
        if unit is not None:
            edits.append(SetField(field="length_unit", value=unit))
        self._step("Change the length", edits)

    def begin_with(self, side: str) -> None:
        """Say which side acts first; none when it is drawn.

        Raises
        ------
        UnknownNameError
            When there is no such force.
        """
        if side:
            self._check_force("first side", side)
        self._step("Change who acts first", [SetField(field="first_side", value=side)])


def _named(what: str, records: Iterable[Any], name: str, title: str) -> Any:
    known = {record.id: record for record in records}
    if name not in known:
        msg = f"{title}: no {what} {name!r}; {nearest(str(name), known)}"
        raise UnknownNameError(msg)
    return known[name]


def _made(what: str, fields: dict[str, Any], kind: type[Any]) -> Any:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        msg = f"{what}: {error}"
        raise EditError(msg) from error
