"""Answers about sight beside the map: who looks, what they see, under which ruling, and compared with which other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.editor.overlays import OverlayDrawer
from studio.editor.panels.comparing import SHOWN, ComparingPanel
from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, row, rows, text
from studio.editor.panels.ruling import condition_fields, option_fields, read_condition, read_option
from studio.editor.work import Progress
from studio.errors import EditError, StudioError, nearest

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = ["SightPanel"]

QUICK = 5_000
"""Locations times observers up to which an answer follows every change at once; longer ones are asked for."""

_KINDS = (("exposure", "How many see each location"), ("dead_ground", "What nobody sees"))


class _Found(NamedTuple):
    """An answer, with the state that it was made from, the kind of question, and the still, if one was asked."""

    state: Any
    kind: str
    still: Any
    answer: Any


class SightPanel(ComparingPanel):
    """Exposure, dead ground and comparisons of rulings."""

    id = "sight"
    title = "Who sees what"
    tools = ("sight",)
    for_readers = True

    def __init__(self, editor: MapEditor) -> None:
        super().__init__(editor)
        self.observers: list[str] = []
        self._kind = "exposure"
        self._answer: Any = None
        self._stamp: Any = None
        self._under: Any = None
        self._picture = OverlayDrawer(editor, "exposure")

    @classmethod
    def fits(cls, editor: MapEditor) -> bool:
        """Tell whether the game has lines of sight."""
        return bool(editor.document.ruleset.has_sight) and hasattr(editor.document, "exposure")

    # -- what is shown -----------------------------------------------------------------------------------------------

    def nodes(self) -> list[Node]:
        """Return the observers with what they see, the ruling, and the comparison."""
        self._follow()
        return [
            *self._lookers(),
            *self._seen(),
            group("What holds", self._ruling(), name="holds"),
            group(
                "Compare with another ruling", self._comparing(), name="compare", open=self.inquiry.rival is not None
            ),
        ]

    def _lookers(self) -> list[Node]:
        found = [hint("Shift+click on the map, or Q at the cursor, adds one that looks; again takes it away.")]
        lines = [
            row(label, sign="◆", note="takes it away", action="observe", values={"label": label})
            for label in self.observers
        ]
        if lines:
            found.append(rows(lines, label="Those that look"))
        found.append(field("observer", "Add", "", action="add", suggestions=self._suggestions()))
        choices = self._forces()
        if choices:
            found.append(
                field("force", "All units of", "", kind="choice", choices=[("", "…"), *choices], action="force")
            )
        found.append(field("kind", "Show", self._kind, kind="choice", choices=_KINDS, action="kind"))
        found.append(
            buttons(
                button("show", "Show on the map", primary=True, disabled=not self.observers),
                button("clear", "Clear", disabled=not self.observers),
            )
        )
        return found

    def _forces(self) -> list[tuple[str, str]]:
        scenario = self.inquiry.scenario
        forces = () if scenario is None else scenario.document.forces
        return [(force.id, force.name) for force in forces if self._standing(force)]

    def _standing(self, force: Any) -> list[str]:
        """Return the labels of the locations with units of a force, each once."""
        directory = self._map.survey.directory
        units = (unit.at for formation in force.formations for unit in formation.units if unit.at)
        return [label for label in dict.fromkeys(units) if directory.find(label) is not None]

    def _seen(self) -> list[Node]:
        if self._answer is None:
            return []
        answer, total = self._answer, len(self._map.survey.directory.numbers)
        noun = "locations" if self._map.survey.directory.others else "hexes"
        stale = self._stamp != self._state()
        found = [hint("Changed since then: press Show again.")] if stale else []
        if self._kind == "dead_ground":
            unseen = int(answer.mask.sum())
            found.append(
                text(f"Nobody sees {unseen} of {total} {noun}, in {int(answer.regions.max(initial=0))} regions.")
            )
            numbers = np.flatnonzero(answer.mask)
            by_size = np.argsort(answer.regions[numbers], kind="stable")
            lines = [(n, f"region {int(answer.regions[n])}") for n in numbers[by_size].tolist()]
        else:
            counts = answer.counts
            tally = Counter(counts[counts >= 0].tolist())
            found.append(text(f"{answer.seen_count} of {total} {noun} are seen."))
            words = [f"by {seen}: {tally[seen]}" for seen in sorted(tally, reverse=True) if seen]
            found.append(hint(", ".join([*words, f"by none: {tally.get(0, 0)}"])))
            order = np.argsort(-counts, kind="stable")
            lines = [(n, f"seen by {int(counts[n])}") for n in order.tolist() if counts[n] > 0]
        found.append(self._table(lines))
        return found

    def _table(self, lines: list[tuple[int, str]]) -> Node:
        directory = self._map.survey.directory
        known = [(n, words) for n, words in lines if n < len(directory)]
        listed = [row(directory.label(n), words, go=directory.dot(n)) for n, words in known[:SHOWN]]
        more = [row(f"… and {len(known) - SHOWN} more")] if len(known) > SHOWN else []
        return group(f"{len(known)} locations", [rows([*listed, *more], label="Locations")], name="table")

    def _ruling(self) -> list[Node]:
        asked, map_ = self.inquiry, self._map
        readings = option_fields(map_.ruleset, asked.options, "option")
        found = [
            *condition_fields(map_, asked),
            group(f"Readings of the rules ({len(readings)})", readings, name="readings"),
        ]
        scenario = asked.scenario
        if scenario is not None:
            sides = [("", "any")] + [(force.id, force.name) for force in scenario.document.forces]
            found.insert(
                0, field("side", "The side that looks", asked.side, kind="choice", choices=sides, action="side")
            )
            found.insert(
                0, hint("The special rules of the scenario hold; what is chosen here holds in this editor only.")
            )
        if asked.chosen or asked.held or asked.side:
            found.append(buttons(button("reset", "As it was")))
        return found

    # -- answers -----------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Make a short answer anew when the map or the ruling has changed; take a long one off the map."""
        under = self._state()[1:]
        if self._under not in (None, under):
            self.editor.tell("ask")  # such as the special rules of a scenario, whose map stays as it is
        self._under = under
        if self._answer is not None and self._stamp != self._state():
            directory = self._map.survey.directory
            self.observers = [label for label in self.observers if directory.find(label) is not None]
            if self.observers and self._quick:
                self._hold(self._ask())
            else:
                self._picture.clear()
        if self._compared is not None and self._compared_stamp != self._comparing_state():
            self._differing.clear()

    @property
    def _quick(self) -> bool:
        return len(self._map.survey.directory) * len(self.observers) <= QUICK

    def _ask(self, progress: Progress | None = None) -> _Found:
        """Ask: the map itself, or, where there is progress to be told, a still of it, so that it can be drawn on."""
        with self._map.lock:
            state, kind, asked, observers = self._state(), self._kind, self.inquiry.asked, list(self.observers)
            ground = self.inquiry.ground
            still = None if progress is None and ground is self._map else ground.still()
        map_ = self._map if still is None else still
        question = map_.dead_ground if kind == "dead_ground" else map_.exposure
        return _Found(state, kind, still, question(observers, progress=progress, **asked))

    def _hold(self, found: _Found) -> None:
        """Keep an answer and draw it, unless another kind has been chosen meanwhile."""
        from studio.draw import draw_dead_ground, draw_exposure

        if found.kind != self._kind:
            return
        self._stamp, self._answer = found.state, found.answer
        if found.state == self._state():
            draw = draw_dead_ground if found.kind == "dead_ground" else draw_exposure
            self._picture.show(draw, found.answer, found.still)
        else:
            self._picture.clear()

    def _run(self) -> None:
        """Ask, with a bar where it takes long."""
        if not self.observers:
            self._answer = None
            self._picture.clear()
            return
        if self._quick:
            self._hold(self._ask())
            return

        def done(found: Any) -> None:
            self._hold(found)
            self.editor.desk.refresh(self.id)

        self.editor.work("Who sees what", self._ask, done)

    # -- actions -----------------------------------------------------------------------------------------------------

    def do_observe(self, values: dict[str, Any]) -> None:
        """Add one that looks, or take it away."""
        label = self._label(values["label"])
        if label in self.observers:
            self.observers.remove(label)
        else:
            self.observers.append(label)
        self._run()

    def do_add(self, values: dict[str, Any]) -> None:
        """Add one that looks, by its label, or several with commas between them."""
        for part in str(values["value"]).split(","):
            if part.strip():
                label = self._label(part)
                if label not in self.observers:
                    self.observers.append(label)
        self._run()

    def do_force(self, values: dict[str, Any]) -> None:
        """Let all units of a force look, from where they stand."""
        scenario = self.inquiry.scenario
        for force in () if scenario is None else scenario.document.forces:
            if force.id == values["value"]:
                self.observers = self._standing(force)
                self._run()

    def do_kind(self, values: dict[str, Any]) -> None:
        """Choose what is shown.

        Raises
        ------
        EditError
            When there is no such answer.
        """
        known = [name for name, _ in _KINDS]
        if values["value"] not in known:
            msg = f"no answer {values['value']!r}; {nearest(str(values['value']), known)}"
            raise EditError(msg)
        self._kind, self._answer = str(values["value"]), None
        self._run()

    def do_show(self, _values: dict[str, Any]) -> None:
        """Ask anew."""
        self._run()

    def do_clear(self, _values: dict[str, Any]) -> None:
        """Take away those that look, and the picture."""
        self.observers.clear()
        self._run()

    def _changed(self) -> None:
        """Ask everything anew under the ruling that holds now: the line, the view, and what is short."""
        try:
            _ = self.inquiry.conditions
        finally:
            self.editor.tell("ask")

    def do_option(self, values: dict[str, Any]) -> None:
        """Choose a reading of a rule."""
        asked = self.inquiry
        name, value = read_option(self._map.ruleset, values)
        default = self._map.ruleset.options(asked.in_force)[name]
        asked.chosen = {key: old for key, old in asked.chosen.items() if key != name}
        if value != default:
            asked.chosen[name] = value
        self._changed()

    def do_condition(self, values: dict[str, Any]) -> None:
        """Set what holds at the moment."""
        asked, before = self.inquiry, dict(self.inquiry.held)
        name, value = read_condition(self._map, values)
        asked.held = {key: old for key, old in before.items() if key != name}
        if value:
            asked.held[name] = value
        try:
            asked.ground.judge(asked.options, asked.conditions)
        except StudioError:
            asked.held = before  # what the game refuses must not spoil every answer after it
            raise
        self._changed()

    def do_side(self, values: dict[str, Any]) -> None:
        """Choose the force that looks."""
        self.inquiry.side = str(values["value"])
        self._changed()

    def do_reset(self, _values: dict[str, Any]) -> None:
        """Choose nothing: the defaults hold, or what the scenario says."""
        asked = self.inquiry
        asked.chosen, asked.held, asked.side = {}, {}, ""
        self._changed()
