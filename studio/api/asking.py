"""Questions about a map: distances, comparisons with another ruling, a still of the map to ask while it is drawn on."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from studio.api.compare import compare_rulesets

if TYPE_CHECKING:
    from studio.api.compare import Comparison
    from studio.api.map import Map
    from studio.rules import Ruleset

__all__ = ["MapAsking"]


class MapAsking:
    """What a map can be asked beside its rules, and what takes long."""

    lock: Any
    model: Any
    ruleset: Ruleset
    survey: Any

    def distance(self, a: str, b: str) -> int:
        """Return how many hexes one hex lies from another one: 0 for itself, 1 for its neighbours.

        Parameters
        ----------
        a, b : str
            Labels of hexes.

        Raises
        ------
        LabelError
            When the map has no such hex.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=7, rows=5)
        >>> desert.distance("0202", "0504"), desert.distance("0202", "0202")
        (3, 0)
        """
        distance: int = self.model.grid.distance(self.model.labels.cell(a), self.model.labels.cell(b))
        return distance

    def compare(self, other: str | Ruleset, **asked: Any) -> Comparison:
        """Compare the verdicts of the map's own game with those of another, or of another reading of its rules.

        Parameters
        ----------
        other : str or Ruleset
            The other game; the map's own for two readings of its rules.
        **asked
            ``terrain``, ``labels``, ``options_a``, ``options_b``, ``conditions`` and ``progress``, as for
            :func:`studio.compare_rulesets`.

        Raises
        ------
        GridError, LabelError, UnknownNameError, UnsupportedError, ScenarioRuleError
            As :func:`studio.compare_rulesets` does.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=7, rows=5)
        >>> _ = desert.paint(["0402", "0403"], terrain="light_woods")
        >>> desert.compare("armageddon_war", options_b={"border_rule": "per_border"}, labels="0103").differing_count
        2
        """
        map_: Any = self
        return compare_rulesets(map_, map_.ruleset, other, **asked)

    def still(self) -> Map:
        """Return the map as it is now, with a drawing of its own, for a long question in a thread.

        It has no file, no journal and no history; edits of the one do not change the other.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=5, rows=4)
        >>> before = desert.still()
        >>> _ = desert.paint("0302", terrain="rough")
        >>> before.sight("0301", "0304").status, desert.sight("0301", "0304").status
        ('clear', 'blocked')
        """
        with self.lock:
            model = copy.copy(self.model)
            model.terrain, model.levels = self.model.terrain.copy(), self.model.levels.copy()
            model.sides, model.features = dict(self.model.sides), dict(self.model.features)
            made: Map = type(self)(model, ruleset=self.ruleset)  # type: ignore[call-arg, assignment]
            made.survey = self.survey.of_features(model)
        return made
