"""Kinds of units of a designer's own, beside those of the game: added, changed, taken away; and what a kind costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from studio.api.scenario_records import ScenarioRecords
from studio.errors import EditError, UnknownNameError, nearest
from studio.model import OwnKind
from studio.rules.points import Cost, scale_cost

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["ScenarioKinds"]

_FIELDS = tuple(name for name in OwnKind.__struct_fields__ if name not in ("id", "name", "figures"))


class ScenarioKinds(ScenarioRecords):
    """A scenario that can bring its own kinds of units along."""

    @property
    def kinds(self) -> dict[str, Any]:
        """Kinds of units that the scenario can use, by id: those of the game, then its own.

        Returns
        -------
        dict of str to UnitKind
        """
        return dict(self.standing.roster)

    def kinds_frame(self, search: str = "") -> DataFrame:
        """Return the kinds of units that the scenario can use as a DataFrame, with what is known of each.

        Parameters
        ----------
        search : str
            Only kinds with this text in their id or name, such as ``us.`` or ``militia``.

        Returns
        -------
        pandas.DataFrame
            By id: ``name``, ``kind``, ``points`` and the figures that one of them has; NA where no text prints one.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> print(raid.kinds_frame("technical")[["name", "kind", "points"]])
                              name     kind  points
        id
        rebel.technical  Technical  vehicle       6
        """
        import pandas as pd

        wanted = search.casefold()
        found = [
            one for one in self.kinds.values() if wanted in one.id.casefold() or wanted in str(one.name).casefold()
        ]
        rows = [_figures(one) for one in found]
        names = dict.fromkeys(name for row in rows for name in row)
        shown = [name for name in names if any(row.get(name) for row in rows)]
        table = [
            [one.name, one.kind, *(row.get(name, 0) for name in shown)] for one, row in zip(found, rows, strict=True)
        ]
        index = pd.Index([one.id for one in found], name="id")
        frame = pd.DataFrame(table, columns=["name", "kind", *shown], index=index).astype(dict.fromkeys(shown, "Int64"))
        figures = [name for name in shown if name != "points"]
        frame[figures] = frame[figures].mask(frame[figures] == 0)
        return frame

    def add_kind(self, kind_id: str, name: str, *, like: str = "", **fields: Any) -> str:
        """Add a kind of unit of one's own; return its id.

        Parameters
        ----------
        kind_id : str
            As units name it, such as ``us.m1a5``.
        name : str
        like : str
            Kind of the game that it is like but for what is given; without it the kind is a new one.
        **fields
            ``kind``, ``role``, ``mover``, ``used_by``, ``transport``, ``stacks``, ``movement``, ``quantity``,
            ``points``, ``notes``, ``figures``; anything else is a figure of its counter, such as ``firepower=8``.

        Raises
        ------
        UnknownNameError
            When there is no kind that it could be like, or the game has no such mover.
        EditError
            When the id is taken, or a value is wrong.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> raid.add_kind("us.m1a5", "M1A5", like="us.m1a4", points=31)
        'us.m1a5'
        >>> raid.kinds["us.m1a5"].points, raid.kinds["us.m1a5"].kind
        (31, 'vehicle')
        """
        with self.lock:
            if kind_id in self.kinds:
                msg = f"{self.title}: there is a kind {kind_id!r} already; give another id, or change that one"
                raise EditError(msg)
            self._check_kind(kind_id, like, fields)
            return self.add_record("roster", {"id": kind_id, "name": name, "like": like, **_sorted(fields)})

    def change_kind(self, kind_id: str, **fields: Any) -> None:
        """Change a kind of unit of one's own; units of it change with it.

        Parameters
        ----------
        kind_id : str
        **fields
            ``name``, ``like`` and what :meth:`add_kind` takes; None gives a field back to what the kind is like.
            Figures that are not named stay.

        Raises
        ------
        UnknownNameError
            When the scenario has no such kind of its own, or as for :meth:`add_kind`.
        EditError
            When a value is wrong.
        """
        with self.lock:
            old = self._own_kind(kind_id)
            self._check_kind(kind_id, str(fields.get("like") or ""), fields)
            made = _sorted(fields, old.figures)
            defaults = {one.name: one.default for one in msgspec.structs.fields(OwnKind)}
            self.change_record("roster", kind_id, **{k: defaults[k] if v is None else v for k, v in made.items()})

    def remove_kind(self, kind_id: str) -> None:
        """Take a kind of unit of one's own away.

        Raises
        ------
        UnknownNameError
            When the scenario has no such kind of its own.
        EditError
            When units are of that kind, or another kind is like it.
        """
        with self.lock:
            self._own_kind(kind_id)
            used = [unit.id for unit in self.units_of() if unit.type == kind_id]
            used += [one.id for one in self.document.roster if one.like == kind_id]
            if used:
                more = f" and {len(used) - 5} more" if len(used) > 5 else ""
                msg = f"{kind_id}: {', '.join(used[:5])}{more} need it; give them another type first"
                raise EditError(msg)
            self.remove_record("roster", kind_id)

    def cost(self, kind_id: str) -> Cost:
        """Return what a counter costs by the scale of its game (Armageddon War 7.2), part by part.

        Parameters
        ----------
        kind_id : str
            Of the game or of one's own.

        Raises
        ------
        UnknownNameError
            When there is no such kind.
        UnsupportedError
            When the game has no scale of points.
        """
        with self.lock:
            self._check_type(kind_id)
            return scale_cost(self.ruleset, self.kinds[kind_id])

    def _own_kind(self, kind_id: str) -> OwnKind:
        own = {one.id: one for one in self.document.roster}
        if kind_id not in own:
            msg = f"{self.title}: no kind of its own {kind_id!r}; {nearest(str(kind_id), own)}"
            raise UnknownNameError(msg)
        return own[kind_id]

    def _check_kind(self, kind_id: str, like: str, fields: Mapping[str, Any]) -> None:
        known = [name for name in self.kinds if name != kind_id]
        if like and like not in known:
            msg = f"{kind_id}: no kind {like!r} that it could be like; {nearest(like, known)}"
            raise UnknownNameError(msg)
        mover = fields.get("mover")
        if mover and mover not in self.ruleset.movers:
            movers = list(self.ruleset.movers)
            msg = f"{kind_id}: unknown mover {mover!r} in {self.ruleset.title}; {nearest(str(mover), movers)}"
            raise UnknownNameError(msg)


def _figures(kind: Any) -> dict[str, int]:
    """Return the numbers of a kind, its points first."""
    plain = msgspec.structs.asdict(kind)
    numbers = {name: value for name, value in plain.items() if type(value) is int}
    return {"points": numbers.pop("points", 0), **numbers, **plain.get("figures", {})}


def _sorted(fields: Mapping[str, Any], figures: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Return fields of a kind, with what is no field of it among its figures; None takes a figure away."""
    if not isinstance(fields.get("figures") or {}, Mapping):
        msg = f"figures: got {fields['figures']!r}; allowed: numbers by name, such as {{'firepower': 8}}"
        raise EditError(msg)
    made = {name: value for name, value in fields.items() if name in ("name", *_FIELDS)}
    more = {name: value for name, value in fields.items() if name not in ("name", "figures", *_FIELDS)}
    both = {**(figures or {}), **(fields.get("figures") or {}), **more}
    return {**made, "figures": {name: value for name, value in both.items() if value is not None}}
