"""Scenarios that follow their map: when its hexes move or are renamed, every label in the scenario goes along."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from studio.api.document import Document
from studio.errors import EditError
from studio.model import Batch, Change, Moved, ScenarioDocument, ScenarioModel, describe
from studio.model.following import follow

if TYPE_CHECKING:
    from studio.api.map import Map

__all__ = ["FOLLOWS", "ScenarioFollowing"]

FOLLOWS = "Follow the map: "
"""How the titles of steps begin that a scenario makes because its map changed."""


class ScenarioFollowing(Document):
    """A scenario that goes along with its map.

    The step by which it does so belongs to the step of the map: they are taken back and made again together.
    """

    map: Map
    model: ScenarioModel

    def _follow_map(self) -> None:
        """Listen to the map from now on."""
        # By number of the own step: the map's step, and whether it was done or taken back.
        self._steps_of_map: dict[int, tuple[int, bool]] = {}
        self._formers: dict[int, tuple[ScenarioDocument, ScenarioDocument]] = {}
        self._followed: Change | None = None
        me = weakref.ref(self)

        def changed(change: Change) -> None:
            scenario = me()
            if scenario is None:
                stop()
            else:
                scenario._map_changed(change)

        stop = self.map.on_change(changed)

    def _map_changed(self, change: Change) -> None:
        moved = change.moved
        if moved is None:
            return
        what, step = self.map._history.last
        done, title = what != "undo", FOLLOWS + describe(change.edit)
        history = self._history
        if self._belongs(history.mark, (step, not done), title if not done else ""):
            found = history.undo()
        elif self._belongs(history.next_mark, (step, done), ""):
            found = history.redo()
        else:
            found = self._go_along(moved, step, done, title)
        self._followed = found
        if found is not None:
            self._follow(found)

    def _belongs(self, mark: int, wanted: tuple[int, bool], title: str) -> bool:
        """Tell whether an own step goes with a step of the map; those of an ended session are known by their title."""
        if mark in self._steps_of_map:
            return self._steps_of_map[mark] == wanted
        return bool(mark and title) and self._history.steps[-1] == title

    def _go_along(self, moved: Moved, step: int, done: bool, title: str) -> Change | None:
        before = self.model.to_document()
        edits = follow(before, moved, None if done else self._formers.pop(step, None)).edits
        change = self._history.apply(Batch(title=title, edits=edits)) if edits else None
        if done:
            self._formers[step] = (before, self.model.to_document())
        if change is None:
            return None
        self._steps_of_map[self._history.mark] = (step, done)
        return change

    def _losses_by(self, moved: Moved) -> list[str]:
        """Return what the scenario loses on the way; refuse what would give a part of it another meaning."""
        found = follow(self.model.to_document(), moved)
        faults = found.faults
        if faults:
            more = f" and {len(faults) - 6} more" if len(faults) > 6 else ""
            msg = (
                f"the scenario {self.title!r} cannot follow: {'; '.join(faults[:6])}{more}. Remedy: change these first"
            )
            raise EditError(msg)
        return found.notes

    def undo(self) -> Change | None:
        """Take the last step back; one that followed the map together with that step of the map.

        Raises
        ------
        EditError
            When the map was changed since; its later steps come first.
        """
        with self.lock:
            return self._with_map(back=True) if self._is_tied(self._history.mark) else super().undo()

    def redo(self) -> Change | None:
        """Make the last undone step again; one that followed the map together with that step of the map.

        Raises
        ------
        EditError
            When the map was changed since.
        """
        with self.lock:
            return self._with_map(back=False) if self._is_tied(self._history.next_mark) else super().redo()

    def _is_tied(self, mark: int) -> bool:
        """Tell whether an own step goes with one of the map."""
        steps = self._history.steps
        return mark in self._steps_of_map or bool(mark and mark == self._history.mark and steps[-1].startswith(FOLLOWS))

    def _with_map(self, *, back: bool) -> Change | None:
        """Let the map take its part of a step back or make it again, which takes the own part along."""
        history, theirs = self._history, self.map._history
        mark = history.mark if back else history.next_mark
        if mark in self._steps_of_map:
            step, done = self._steps_of_map[mark]
            undo = done == back
            possible = (theirs.mark if undo else theirs.next_mark) == step
        else:
            undo, possible = True, bool(theirs.steps) and history.steps[-1] == FOLLOWS + theirs.steps[-1]
        if not possible:
            msg = (
                f"{self.title}: this step followed the map, which was changed or saved since; take back the later "
                "steps of the map first (scenario.map.undo())"
            )
            raise EditError(msg)
        self._followed = None
        if undo:
            self.map.undo()
        else:
            self.map.redo()
        return self._followed
