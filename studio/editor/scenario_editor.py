"""The editor of scenarios: the map with the units on it; what is drawn, undone and saved is the scenario."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from studio.editor import forces as forces_module
from studio.editor.forcesfeed import ForcesFeed
from studio.editor.panels import SCENARIO_PANELS
from studio.editor.widget import PAUSE, MapEditor
from studio.model import Change

if TYPE_CHECKING:
    from studio.editor.panels import Panel
    from studio.editor.requests import Handler

__all__ = ["ScenarioEditor"]


class ScenarioEditor(MapEditor):
    """A scenario in a notebook cell: units, set-up areas, objectives and notes on the map, by pointer and keys.

    The scenario is the truth, the widget shows it: what cells change shows at once, and what is done by pointer are
    steps of the scenario's history. The map is shown as it is, and is not drawn on.

    Parameters
    ----------
    scenario : studio.Scenario
    readonly : bool
        For looking and asking only.

    Attributes
    ----------
    feed : ForcesFeed
        What the browser is told of the scenario.

    Examples
    --------
    >>> import studio
    >>> studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False).edit()
    ScenarioEditor('Scenario 1: Holding action')
    """

    scenario = traitlets.Bool(True).tag(sync=True)
    panel_kinds: ClassVar[tuple[type[Panel], ...]] = SCENARIO_PANELS

    def __init__(self, scenario: Any, *, readonly: bool = False) -> None:
        self._scenario = scenario
        self.feed = ForcesFeed(scenario)
        super().__init__(scenario.map, readonly=readonly)
        self.inking.in_play = scenario
        me = weakref.ref(self)

        def changed(change: Change) -> None:
            editor = me()
            if editor is not None:
                editor._scenario_changed(change)

        self._unfollow: Callable[[], None] = scenario.on_change(changed)

    @property
    def subject(self) -> Any:
        """The scenario: its steps are undone, and it is saved."""
        return self._scenario

    def close(self) -> None:
        """Stop following the scenario and its map, and take the widget away."""
        unfollow = getattr(self, "_unfollow", None)  # none where it could not be made
        if unfollow is not None:
            unfollow()
        super().close()

    def __repr__(self) -> str:
        shut = ", read-only" if self.readonly else ""
        return f"ScenarioEditor({self._scenario.title!r}{shut})"

    def _state(self) -> dict[str, Any]:
        state = super()._state()
        state["catalogue"]["scenario"] = True
        return state

    # -- following ---------------------------------------------------------------------------------------------------

    def _scenario_changed(self, change: Change) -> None:
        """Follow a change of the scenario, whoever made it; called with its lock held, which is the map's too."""
        self.feed.note(change)
        edit: Any = change.edit
        if "map" in forces_module.fields_of(edit):
            self.inking.refresh()
        self._patch.changes += 1
        self._due()

    def _changed(self, change: Change) -> None:
        if change.features or change.removed or change.relabelled:
            self.feed.stale()
        super()._changed(change)

    def _due(self) -> None:
        """Send what has changed: at once when it was quiet, else a moment later; after a message at its end."""
        self.desk.refresh()
        if self._answering == threading.get_ident():
            return
        wait = self._sent_at + PAUSE - time.monotonic()
        if wait <= 0 and self._timer is None:
            self._flush()
        elif self._timer is None:
            self._timer = threading.Timer(wait, self._flush_later)
            self._timer.daemon = True
            self._timer.start()

    @property
    def more_handlers(self) -> Mapping[str, Handler]:
        """What answers the messages of scenarios."""
        return forces_module.HANDLERS

    def _flush(self) -> None:
        # Before the patch: that one answers the request, whose guess is over then.
        news = self.feed.news()
        if news is not None:
            self.send(news)
        super()._flush()
