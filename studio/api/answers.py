"""What a map can be asked: locations and sides, lines of sight, tables, exposure, findings."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import msgspec

from studio.api.redrawing import MapRedrawing
from studio.api.regions import MapRegions
from studio.errors import ScenarioRuleError, UnknownNameError, UnsupportedError, nearest, shortened
from studio.model import Batch, Change, Edit, Link, MapModel, Put
from studio.sight import Conditions, FieldOfView, Sighting, SightJudge, SightTable, make_table
from studio.sight.answers import DeadGround, Exposure, make_dead_ground, make_exposure
from studio.sight.layers import knows_layers, layered
from studio.sight.overrides import check_conditions, check_numbers

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from studio.checks import Finding, Findings
    from studio.rules.lists import Disagreements
    from studio.rules.phantom_fury.suggest import Proposal
    from studio.rules.urban_operations.effect_points import EffectPoints

__all__ = ["MapAnswers"]


class MapAnswers(MapRegions, MapRedrawing):
    """A drawing with the answers that the game gives about it."""

    def __init__(self, model: MapModel, **known: Any) -> None:
        super().__init__(model, **known)
        self._judges: dict[Any, SightJudge] = {}
        self._told_as: set[str] = set()  # what findings call the map, whose name may change

    def _follow(self, change: Change) -> Change:
        self._judges.clear()
        return super()._follow(change)

    @property
    def locations(self) -> GeoDataFrame:
        """Every location, indexed by label, as a GeoDataFrame; see :func:`studio.survey.tables.locations_frame`."""
        with self.lock:
            return self.survey.locations()

    @property
    def sides(self) -> GeoDataFrame:
        """Every side with something on it, and every border of an area with its kinds, as a GeoDataFrame of lines.

        See :func:`studio.survey.tables.sides_frame` for the columns, and ``ruleset.border_kinds`` for the kinds.
        """
        with self.lock:
            return self.survey.sides()

    def judge(self, options: Mapping[str, Any] | None = None, conditions: Conditions | None = None) -> SightJudge:
        """Return the sight judge for the map as it is now, with its options and conditions.

        Raises
        ------
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.
        """
        force = self.ruleset.options(options)
        conditions = conditions or Conditions()
        if isinstance(conditions, Conditions):
            check_numbers(conditions, self.survey.directory)
        try:
            checked = msgspec.json.encode(conditions)
            msgspec.json.decode(checked, type=Conditions)
        except (TypeError, msgspec.MsgspecError) as error:
            msg = f"conditions: got {conditions!r}; give a Conditions with values of its types: {error}"
            raise ScenarioRuleError(msg) from error
        if not isinstance(conditions, Conditions):
            msg = f"conditions: got a {type(conditions).__name__}; give a Conditions"
            raise ScenarioRuleError(msg)
        known = getattr(self.ruleset.sight, "CONDITIONS", None)
        if known is not None:
            check_conditions(self.ruleset.title, conditions, known)
        key = (tuple(sorted(force.items())), checked)
        if key not in self._judges:
            judge = self.ruleset.sight.judge(self.survey, force, conditions)
            self._judges[key] = judge if knows_layers(self.ruleset.sight) else layered(judge, self.survey)
        return self._judges[key]

    def sight(
        self,
        a: str,
        b: str,
        *,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
    ) -> Sighting:
        """Judge the line of sight from one location to another.

        Parameters
        ----------
        a, b : str
            Labels. The verdict is the same both ways, save with ``inner_zones="snipers"`` (Urban Operations 13.5.2)
            and ``target_symbols="as_printed"`` (Phantom Fury 4.1.2.1); the modifiers are those of fire from `a` to `b`.
        options : mapping, optional
            Readings of the rules to use instead of the defaults; ``studio rules`` lists them.
        conditions : Conditions, optional
            Smoke, haze, air units and the like.

        Returns
        -------
        Sighting

        Raises
        ------
        LabelError
            When a label is unknown.
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.
        """
        with self.lock:
            number = self.survey.directory.number
            return self.judge(options, conditions).sighting(number(a), number(b))

    def field_of_view(
        self,
        a: str,
        *,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
    ) -> FieldOfView:
        """Judge the lines of sight from one location to all others.

        Raises
        ------
        LabelError
            When the label is unknown.
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.
        """
        with self.lock:
            directory = self.survey.directory
            number = directory.number(a)
            codes, hindrances = self.judge(options, conditions).field(number)
            return FieldOfView(directory, number, codes, hindrances)

    def sight_table(
        self,
        *,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> SightTable:
        """Judge all pairs of locations.

        Parameters
        ----------
        options, conditions
            As for :meth:`sight`.
        progress : callable, optional
            Called with how much is done, and of how much.

        Raises
        ------
        GridError
            When the map is too large for a table; the error says what it would cost.
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.
        """
        with self.lock:
            return make_table(self.survey.directory, self.judge(options, conditions), progress)

    def exposure(
        self,
        units: str | Iterable[str],
        *,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Exposure:
        """Count how many of some locations see each location.

        Parameters
        ----------
        units : str or iterable of str
            Labels of the locations that look. Each sees its own location, too.
        options, conditions
            As for :meth:`sight`; the units are at the start of every line.
        progress : callable, optional
            Called with how many units are done, and of how many.

        Raises
        ------
        LabelError
            When a label is unknown or named twice, or there is none.
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=5, rows=5).paint("0302", terrain="rough")
        >>> found = desert.exposure(["0301", "0501"])
        >>> found.status("0304"), found.seers("0304")
        (1, [Seer(unit='0501', status='clear')])
        """
        with self.lock:
            return make_exposure(self.survey.directory, self.judge(options, conditions), units, progress)

    def dead_ground(
        self,
        units: str | Iterable[str],
        *,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> DeadGround:
        """Find the locations that none of some locations sees.

        Parameters
        ----------
        units, options, conditions, progress
            As for :meth:`exposure`.

        Raises
        ------
        LabelError
            When a label is unknown or named twice, or there is none.
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=5, rows=5).paint("0302", terrain="rough")
        >>> desert.dead_ground("0301")
        DeadGround(0301 sees nothing of 11 of 25 hexes in 1 region)
        """
        with self.lock:
            return make_dead_ground(self.survey.directory, self.judge(options, conditions), units, progress)

    def effect_points(self, a: str, b: str, *, fire: bool = False, **asked: Any) -> EffectPoints:
        """Count the effect points between two locations, step by step.

        Parameters
        ----------
        a, b : str
            Labels.
        fire : bool
            Count along the line of sight, as for fire; else along the most direct path.
        **asked
            ``options`` and ``conditions`` as for :meth:`sight`.

        Raises
        ------
        UnsupportedError
            When the game measures no distance in effect points; Urban Operations does (4.3.7.1).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`sight`.
        """
        with self.lock:
            judge, number = self.judge(**asked), self.survey.directory.number
            if not hasattr(judge, "effect_points"):
                msg = f"{self.ruleset.title} measures no distance in effect points; ask for map.grid.distance instead"
                raise UnsupportedError(msg)
            found: EffectPoints = judge.effect_points(number(a), number(b), fire=fire)
            return found

    def suggest_lines_of_fire(self, **measures: Any) -> list[Proposal]:
        """Propose target symbols from straight unobstructed views along the streets.

        Parameters
        ----------
        **measures
            ``options``, ``width``, ``window``, ``reach``, ``streets`` and ``progress``; see
            :func:`studio.rules.phantom_fury.suggest.suggest_lines_of_fire`.

        Returns
        -------
        list of Proposal
            Best first. :meth:`accept` puts those that please on the map.

        Raises
        ------
        UnsupportedError
            When the game has no target symbols (Phantom Fury has, 4.1.2.1), or there is no such measure.
        """
        with self.lock:
            offered = self._offered("suggest_lines_of_fire", "target symbols")
            allowed = list(inspect.signature(offered).parameters)[1:]
            for name, value in measures.items():
                if name not in allowed:
                    msg = f"suggest_lines_of_fire: got {name}={value!r}; {nearest(name, allowed)}"
                    raise UnsupportedError(msg)
            found: list[Proposal] = offered(self.survey, **measures)
            return found

    def accept(self, proposals: Iterable[Proposal]) -> list[str]:
        """Put proposed lines of fire on the map as one step; return the ids of the new links.

        Those that the map has already are not put there again.

        Raises
        ------
        UnsupportedError
            When the game has no target symbols, or something else than proposals is given.
        """
        with self.lock:
            links_for = self._offered("links_for", "target symbols")
            from studio.rules.phantom_fury.suggest import Proposal

            listed = list(proposals) if isinstance(proposals, Iterable) else [proposals]
            wrong = [one for one in listed if not isinstance(one, Proposal)]
            if wrong or isinstance(proposals, str):
                got = wrong[0] if wrong else proposals
                msg = f"accept: got {got!r}; give proposals of suggest_lines_of_fire()"
                raise UnsupportedError(msg)
            links = links_for(self.survey, listed)
            there = {(link.type, link.a, link.b) for link in self.survey.features_of(Link)}
            links = [link for link in links if (link.type, link.a, link.b) not in there]
            puts: list[Edit] = [Put(collection="features", record=msgspec.to_builtins(link)) for link in links]
            if puts:
                self.apply(Batch(title=f"Accept {len(puts)} lines of fire", edits=puts))
            return [link.id for link in links]

    def compare_adjacency(self, lists: Mapping[str, Any] | str | PathLike[str]) -> Disagreements:
        """Compare lists of what is next to what, kept by hand, with what the map shows.

        Parameters
        ----------
        lists : mapping or path
            ``{"3": ["2", "4"]}`` for what is adjacent; ``{"3": {"adjacent": [...], "neighbouring": [...], "targets":
            [...]}}`` for as much as is known; or the path of a CSV file with the columns zone, adjacent, neighbouring,
            targets. What the lists do not say is not compared.

        Returns
        -------
        Disagreements
            A list that prints as text, and as a table in a notebook; each names both zones and says why.

        Raises
        ------
        DocumentError
            When the lists cannot be read.
        UnsupportedError
            When no area of the map is a location, or the game has not what the lists tell.
        """
        with self.lock:
            return self.ruleset.compare_adjacency(self.survey, lists)

    def _offered(self, name: str, what: str) -> Callable[..., Any]:
        """Return something that only some games offer, from their sight module."""
        found = getattr(self.ruleset.sight, name, None)
        if found is None:
            msg = f"{self.ruleset.title} has no {what}"
            raise UnsupportedError(msg)
        offered: Callable[..., Any] = found
        return offered

    def check(self) -> Findings:
        """Check the map.

        Returns
        -------
        Findings
            Each with its place, its rule and its remedy, and where there is only one way to mend it, with the repair.
        """
        from studio.checks import check_map

        with self.lock:
            return self._own(check_map(self.survey, self.ruleset, file=self.name or self.title))

    def _own(self, findings: Findings) -> Findings:
        """Return findings about this map, marked so that they are not taken for those of another."""
        findings.about = self.serial
        self._told_as.add(self.name or self.title)
        return findings

    def repair(self, rule: str | Finding | Iterable[str | Finding] | None = None) -> Findings:
        """Make the repairs that findings offer, as one step; :meth:`undo` takes all of it back.

        Parameters
        ----------
        rule : str, Finding or several, optional
            Ids of checks, such as ``"map.borders_meet"``, or findings of :meth:`check`; everything by default.

        Returns
        -------
        Findings
            What was mended. A repair that would leave its fault, or bring another, is not made; a warning says why
            where the finding itself was given.

        Raises
        ------
        UnknownNameError
            When there is no such check.
        UnsupportedError
            When a finding offers no repair, or something else is given.

        Examples
        --------
        >>> import studio
        >>> town = studio.new_map("urban_operations", columns=4, rows=4)
        >>> town.set("sources", [{"title": "drawn here"}]).add("wall", type="outer_wall", line=[[0, 0], [9, 0], [9, 0]])
        'wall-1'
        >>> [finding.repair.title for finding in town.check()]
        ['Drop a repeated point of wall-1']
        >>> len(town.repair()), town.check()
        (1, [])
        """
        from studio.checks import CATALOGUE, Finding, plan_repairs

        listed = isinstance(rule, Iterable) and not isinstance(rule, str | Finding)
        given: list[Any] = [] if rule is None else list(rule) if listed else [rule]  # type: ignore[arg-type]
        for one in given:
            if isinstance(one, str) and one not in CATALOGUE:
                msg = f"repair: no check has the id {shortened(one)}; {nearest(one, CATALOGUE)}"
                raise UnknownNameError(msg)
            if not isinstance(one, str) and (not isinstance(one, Finding) or one.repair is None):
                msg = f"repair: got {shortened(one)}; give the id of a check, or a finding that offers a repair"
                raise UnsupportedError(msg)

        def wanted(finding: Finding) -> bool:
            return rule is None or finding.rule in given or finding in given

        with self.lock:
            plan = plan_repairs(self.survey, self.ruleset, wanted, self._allow, file=self.name or self.title)
            if plan.edit is not None:
                self.apply(plan.edit)
            for one in given:
                if not isinstance(one, str) and (why := plan.why_not(one)):
                    warnings.warn(f"repair: {one.at} [{one.rule}] is left as it is: {why}", stacklevel=2)
            return self._own(plan.mended)
