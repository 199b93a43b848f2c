"""The map as a scenario plays on it, for every question that the scenario answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from studio.api.document import Document
from studio.errors import EditError, StudioError
from studio.model import Edit, MapModel, ScenarioModel
from studio.rules.played import changes_ground, model_as_played

if TYPE_CHECKING:
    from studio.api.map import Map
    from studio.rules import Ruleset

__all__ = ["ScenarioPlayed"]


class ScenarioPlayed(Document):
    """A scenario that knows its map as its special rules make it."""

    map: Map
    model: ScenarioModel
    ruleset: Ruleset
    _played: tuple[Any, Map] | None = None

    @property
    def played(self) -> Map:
        """The map as the scenario plays on it, to ask and to draw.

        It has the terrain and the roads that the special rules say; without such rules it is the map itself. It is made
        anew when the map or these rules change, and is not changed itself.

        Raises
        ------
        UnknownNameError
            When the special rules name a terrain that the game does not have.
        LabelError
            When they name a hex that the map does not have.

        Examples
        --------
        >>> import studio
        >>> holding = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> holding.played is holding.map
        True
        """
        special = self.model.document.special
        if not changes_ground(special):
            return self.map
        key = (self.map.survey.revision, special.terrain_overrides, special.terrain_at, special.road_surface)
        if self._played is None or self._played[0] != key:
            self._played = (key, _as_played(self.map, model_as_played(self.map.model, special)))
        return self._played[1]

    @property
    def _shown(self) -> Map:
        """The map as the scenario plays on it; as it is where the special rules are at fault, which checks tell."""
        try:
            return self.played
        except StudioError:
            return self.map


def _as_played(map_: Map, model: MapModel) -> Map:
    """Return a map that answers like another one, for a changed drawing of it, and cannot be changed."""
    from studio.api.map import Map

    class PlayedMap(Map):
        """A map as a scenario plays on it."""

        def _allow(self, edit: Edit) -> None:
            msg = f"{self.title}: the map as the scenario plays on it; change scenario.map, or the special rules"
            raise EditError(msg)

    made = PlayedMap(model, ruleset=map_.ruleset)
    made.lock = map_.lock
    made.name = map_.name
    return made
