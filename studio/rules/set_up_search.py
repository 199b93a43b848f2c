"""The search for a set-up: flows for what fits by number, and a search over what numbers do not tell.

Every try puts the counters into places by flows, layer after layer: what distances are measured from comes first. Where
a try breaks a condition, at least one of the counters that take part in that stands elsewhere in every set-up there is;
the search tries each of them in turn. So it finds a set-up if there is one, as long as its tries last.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from studio.rules.set_up_choices import Choices
from studio.rules.set_up_flow import Fit, Limits, Load, Misfit, fit
from studio.rules.set_up_loads import Mask, Places, SetUpLoads
from studio.rules.set_up_task import Piece, SetUpTask

__all__ = ["Failure", "SetUpSearch", "Spent"]

Rule = tuple[str, int]

TRIES = 1000
"""Tries until the search gives up."""

_SCATTERED = 10  # placements by chance, counter after counter, until a fitting one is dealt out instead
_GUESSES = 30
_FEW = 20


class Spent(Exception):
    """The tries are used up."""


class Failure(NamedTuple):
    """Why a set-up cannot be.

    Attributes
    ----------
    kind : {"nowhere", "no_ground", "room", "few", "apart"}
        No place in the area; none there where it can stand; too little room; too few counters for what each place must
        hold; or what is there leaves no other place.
    pieces : tuple of Piece
    places : tuple of int
    number, room : int
    """

    kind: str
    pieces: tuple[Piece, ...]
    places: tuple[int, ...] = ()
    number: int = 0
    room: int = 0


class _Bounds(NamedTuple):
    """What a branch of the search has decided on single places."""

    caps: Mapping[Rule, int]
    lows: Mapping[Rule, int]

    def with_cap(self, key: str, place: int, most: int) -> _Bounds:
        return _Bounds({**self.caps, (key, place): max(0, most)}, self.lows)

    def with_low(self, key: str, place: int, least: int) -> _Bounds:
        return _Bounds(self.caps, {**self.lows, (key, place): least})


class SetUpSearch(SetUpLoads):
    """Looks for places for the counters of a task.

    Parameters
    ----------
    task : SetUpTask
    rng : random.Random, optional
        Chooses among equal places; the first ones otherwise.
    """

    def __init__(self, task: SetUpTask, rng: random.Random | None = None) -> None:
        super().__init__(task)
        self.rng = rng
        self.tries = 0
        self.failure: Failure | None = None
        self._seen: set[tuple[frozenset[tuple[Rule, int]], frozenset[tuple[Rule, int]]]] = set()

    # -- the search ----------------------------------------------------------------------------------------------------

    def run(self) -> Places | None:
        """Return a place for each counter, None where there is no set-up; ``failure`` says why.

        Raises
        ------
        Spent
            When the search gave up before it knew.
        """
        every = [piece for layer in self._layers for piece in layer] if len(self._layers) > 1 else []
        loads, members = self._loads(every, {}, as_wanted=True)
        found = fit(loads, Limits(self.task.used, self._first_caps(), {})) if loads else None
        if isinstance(found, Misfit):
            self._note(found, members)
            return None
        spent = False
        choices = Choices(self.task, self._wanted, self.rng)
        for narrow in choices:
            self._narrow = narrow
            self._base.clear()
            self._seen.clear()
            try:
                placed = self._attempt(_Bounds(self._first_caps(), {}))
            except Spent:
                spent = True
                continue
            if placed is not None:
                return placed
        if spent or choices.spent:
            raise Spent
        return None

    def scatter(self, rng: random.Random) -> Places | None:
        """Return a place by chance for each counter, one after the other; None where that led nowhere a few times."""
        ways = list(itertools.islice(Choices(self.task, self._wanted, rng), _SCATTERED))
        for number in range(_SCATTERED if ways else 0):
            self._narrow = ways[number % len(ways)]
            self._base.clear()
            found = self._scattered(rng)
            if found is not None and self._ways_out(found, _Bounds({}, {})) is None:
                return found
        return None

    def _scattered(self, rng: random.Random) -> Places | None:
        placed: Places = {}
        held: dict[tuple[str, int], int] = defaultdict(int, self.task.used)
        for layer in self._layers:
            masks = self._masks(layer, placed, as_wanted=False)
            open_to = {id(mask): np.flatnonzero(mask).tolist() for mask in masks}
            counters = [
                (piece, open_to[id(mask)])
                for piece, mask in zip(layer, masks, strict=True)
                for _ in range(piece.number)
            ]
            rng.shuffle(counters)
            counters.sort(key=lambda one: len(one[1]) < _FEW, reverse=True)  # those with little choice first
            for piece, places in counters:
                place = _any_of(places, piece, held, rng)
                if place is None:
                    return None
                placed.setdefault(piece.id, []).append(place)
        return placed

    def _first_caps(self) -> dict[Rule, int]:
        """Return the room that is left where counters of the same group are placed already."""
        caps: dict[Rule, int] = {}
        for piece in self.task.pieces:
            if piece.where.most_in_hex:
                for place, number in self.task.placed_of(piece.group).items():
                    caps[self._keys[piece.id], place] = max(0, piece.where.most_in_hex - number)
        return caps

    def _attempt(self, bounds: _Bounds) -> Places | None:
        """Try with what is decided, then with each way out of what goes wrong."""
        stack = [bounds]
        while stack:
            now = stack.pop()
            known = (frozenset(now.caps.items()), frozenset(now.lows.items()))
            if known in self._seen:
                continue
            self._seen.add(known)
            if self.tries >= TRIES:
                raise Spent
            self.tries += 1
            found, ways = self._try(now)
            if ways is None:
                return found
            stack += reversed(ways)
        return None

    def _try(self, bounds: _Bounds) -> tuple[Places, list[_Bounds] | None]:
        """Place everything once; return the ways out where something is wrong, None where nothing is."""
        placed: Places = {}
        used = dict(self.task.used)
        for number, layer in enumerate(self._layers):
            loads, members = self._loads(layer, placed)
            found = self._fit(loads, used, bounds, number)
            if isinstance(found, Misfit):
                self._note(found, members)
                hopeless = bool(number) and isinstance(self._alone(layer, bounds), Misfit)
                return placed, [] if hopeless else self._moves(found, members, placed, bounds)
            for pieces, load, places in zip(members, loads, found, strict=True):
                start = 0
                if self.rng is not None:
                    self.rng.shuffle(places)
                for piece in pieces:
                    placed[piece.id] = places[start : start + piece.number]
                    start += piece.number
                for place in places:
                    for limit, _ in load.chain:
                        used[limit, place] = used.get((limit, place), 0) + 1
        return placed, self._ways_out(placed, bounds)

    def _fit(
        self, loads: list[Load], used: Mapping[tuple[str, int], int], bounds: _Bounds, number: int
    ) -> list[list[int]] | Misfit:
        limits = Limits(used, bounds.caps, bounds.lows)
        if number + 1 < len(self._layers) and loads:
            # First where nobody who comes later wants to be.
            later = np.zeros_like(loads[0].mask)
            for mask in {id(mask): mask for mask in self._wanted_by(self._layers[number + 1 :])}.values():
                later |= mask
            kept = {id(load.mask): load.mask & ~later for load in loads}
            aside = [load._replace(mask=kept[id(load.mask)]) for load in loads]
            if later.any() and all(load.mask.any() for load in aside):
                found = fit(aside, limits, self.rng)
                if not isinstance(found, Misfit):
                    return found.places
        last = fit(loads, limits, self.rng) if loads else None
        return [] if last is None else last if isinstance(last, Misfit) else last.places

    def _wanted_by(self, layers: Sequence[Sequence[Piece]]) -> list[Mask]:
        return [self._wanted(piece) for layer in layers for piece in layer]

    def _alone(self, layer: Sequence[Piece], bounds: _Bounds) -> Fit | Misfit:
        """Put a layer into places as if nobody had been placed before it."""
        loads, _ = self._loads(layer, {}, as_wanted=True)
        return fit(loads, Limits(self.task.used, bounds.caps, bounds.lows))

    # -- what goes wrong -----------------------------------------------------------------------------------------------

    def _note(self, found: Misfit, members: Sequence[Sequence[Piece]]) -> None:
        """Keep why the first try failed, before anything was decided: that is what a player can understand."""
        if self.failure is not None:
            return
        pieces = tuple(piece for number in found.loads for piece in members[number])
        places = tuple(found.places.tolist())
        kind = "few" if found.group else "room"
        if not places and pieces:
            first = pieces[0]
            kind = "apart" if self._wanted(first).any() else "no_ground" if self._area(first).any() else "nowhere"
            if kind == "no_ground":
                places = tuple(np.flatnonzero(self._area(first)).tolist())
        self.failure = Failure(kind, pieces, places, found.number, found.room)

    def _moves(
        self,
        found: Misfit,
        members: Sequence[Sequence[Piece]],
        placed: Places,
        bounds: _Bounds,
    ) -> list[_Bounds]:
        """Return the ways to make room in a layer: one of those placed before, that matter to it, is elsewhere."""
        pieces = [piece for number in found.loads for piece in members[number]]
        named = set().union(*(self._counted[piece.id] for piece in pieces)) if pieces else set()
        wanted = np.zeros(len(self.task.survey.directory), dtype=bool)
        for piece in pieces:
            wanted |= self._wanted(piece)
        limits = {limit for piece in pieces for limit, _ in piece.chain}
        there: dict[Rule, int] = defaultdict(int)
        for name, places in placed.items():
            other = self.pieces[name]
            shares = any(limit in limits for limit, _ in other.chain)
            near = shares or any(self.task.apart(piece, other) for piece in pieces[:1])
            for place in places:
                if name in named or (near and wanted[place]):
                    there[self._keys[name], place] = 0
        counts = self._counts(placed)
        return [bounds.with_cap(key, place, counts[key, place] - 1) for key, place in there]

    def _counts(self, placed: Places) -> dict[Rule, int]:
        found: dict[Rule, int] = defaultdict(int)
        for name, places in placed.items():
            for place in places:
                found[self._keys[name], place] += 1
        return found

    def _ways_out(self, placed: Places, bounds: _Bounds) -> list[_Bounds] | None:
        """Return the ways out of the first condition that is broken, None where none is."""
        counts = self._counts(placed)
        for check in (self._against_groups, self._against_others, self._against_areas):
            ways = check(placed, counts, bounds)
            if ways is not None:
                return ways
        return None

    def _against_groups(self, placed: Places, counts: Mapping[Rule, int], bounds: _Bounds) -> list[_Bounds] | None:
        """Find a place, or a part of an area, that holds too many or too few of a group with several limits."""
        groups: dict[str, list[Piece]] = defaultdict(list)
        for name in placed:
            groups[self.pieces[name].group].append(self.pieces[name])
        for pieces in groups.values():
            where, keys = pieces[0].where, {self._keys[piece.id] for piece in pieces}
            if not (where.most_in_hex or where.least_in_hex or where.most_in_area):
                continue
            own = {rule: number for rule, number in counts.items() if rule[0] in keys}
            totals: dict[int, int] = defaultdict(int)
            for (_, place), number in own.items():
                totals[place] += number
            many = self._too_many(pieces[0], own, totals)
            if many:
                return [bounds.with_cap(key, place, number - 1) for (key, place), number in many.items()]
            for place in np.flatnonzero(self._area(pieces[0])).tolist() if where.least_in_hex else ():
                if totals[place] < where.least_in_hex:
                    return [bounds.with_low(key, place, own.get((key, place), 0) + 1) for key in sorted(keys)]
        return None

    def _too_many(self, piece: Piece, own: Mapping[Rule, int], totals: Mapping[int, int]) -> dict[Rule, int]:
        """Return the counters of a group in the first place, or part of its area, that holds too many of them."""
        where = piece.where
        over: list[set[int]] = []
        if where.most_in_hex:
            over += [{place} for place, total in totals.items() if total > where.most_in_hex]
        if where.most_in_area and where.features:
            for _, mask in self.task.areas.areas.features.each(where.features):
                inside = {place for place in totals if mask[place]}
                if sum(totals[place] for place in inside) > where.most_in_area:
                    over.append(inside)
        return {rule: number for rule, number in own.items() if over and rule[1] in over[0]}

    def _against_others(self, placed: Places, counts: Mapping[Rule, int], bounds: _Bounds) -> list[_Bounds] | None:
        """Find two that may not be in one place."""
        del counts
        by_place: dict[int, dict[tuple[str, ...], Piece]] = defaultdict(dict)
        for name, places in placed.items():
            piece = self.pieces[name]
            if self.task.keeps_out(piece):
                key = (self._keys[name], str(piece.fights))
                for place in places:
                    by_place[place][key] = piece
        for place, pieces in by_place.items():
            some = list(pieces.values())
            for number, one in enumerate(some):
                for other in some[:number]:
                    if self.task.apart(one, other):
                        return [bounds.with_cap(self._keys[each.id], place, 0) for each in (one, other)]
        return None

    def _against_areas(self, placed: Places, counts: Mapping[Rule, int], bounds: _Bounds) -> list[_Bounds] | None:
        """Find a counter that is not in its area, now that all others have their places."""
        there = {name: tuple(places) for name, places in placed.items()}
        alike: dict[tuple[object, ...], Mask] = {}
        for name, places in placed.items():
            piece, counted, key = self.pieces[name], self._counted[name], self._keys[name]
            if not counted:
                continue
            knotted = piece.group in self._knotted
            look = self._look(piece)
            if not knotted and look not in alike:
                alike[look] = self.task.mask(piece, there)
            for place in dict.fromkeys(places):
                area = self.task.mask(piece, there, own=place) if knotted else alike[look]
                if not area[place]:
                    rules = [(key, place)]
                    rules += [(self._keys[other], at) for other in sorted(counted) for at in there.get(other, ())]
                    return [bounds.with_cap(one, at, counts[one, at] - 1) for one, at in dict.fromkeys(rules)]
        return None


def _any_of(places: Sequence[int], piece: Piece, held: dict[tuple[str, int], int], rng: random.Random) -> int | None:
    """Choose one of some places that has room for a counter, each as likely, and take that room."""
    limits = [*piece.chain, (f"of {piece.group}", piece.where.most_in_hex)]

    def roomy(place: int) -> bool:
        return all(held[name, place] < most for name, most in limits if most)

    for _ in range(_GUESSES if places else 0):
        place = places[rng.randrange(len(places))]
        if roomy(place):
            break
    else:
        left = [place for place in places if roomy(place)]
        if not left:
            return None
        place = rng.choice(left)
    for name, _ in limits:
        held[name, place] += 1
    return place
