"""Counters to places: whether, and how, counters fit into places that hold so many; exact, by a maximum flow.

Places that all counters see alike count as one with all of their room, so that large maps make small networks.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Fit", "Limits", "Load", "Misfit", "fit"]

_MANY = 1 << 28
_LOOKED = 50  # loads without room whose companions are looked for

Ints = NDArray[np.int64]


class Load(NamedTuple):
    """Counters that are alike.

    Attributes
    ----------
    number : int
        How many.
    mask : array of bool, shape (places,)
        Where they may be.
    chain : tuple of (str, int)
        Limits that they count towards in each place, the innermost first: all that counts towards one counts towards
        those behind it.
    name : str
        What limits of single places are about: all loads of that name.
    group : str
        What ``least`` and ``most`` are about: together with all loads of the same group and chain.
    least, most : int
        Of the group in each place of its area; 0 for no limit.
    area : array of bool, shape (places,), or None
        Places that must hold ``least``; those of the mask where it is None.
    parts : array of int, shape (places,), or None
        Part of the area of each place, -1 for none; each holds ``most_in_part`` at most.
    most_in_part : int
    """

    number: int
    mask: NDArray[np.bool_]
    chain: tuple[tuple[str, int], ...] = ()
    name: str = ""
    group: str = ""
    least: int = 0
    most: int = 0
    area: NDArray[np.bool_] | None = None
    parts: Ints | None = None
    most_in_part: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """Group and innermost limit: what ``least`` and ``most`` hold for."""
        return self.group, self.chain[0][0] if self.chain else ""


class Limits(NamedTuple):
    """What single places hold beside what the loads say.

    Attributes
    ----------
    used : mapping of (limit, place) to int
        Room that is taken already.
    caps, lows : mapping of (name of loads, place) to int
        Most and fewest counters there.
    """

    used: Mapping[tuple[str, int], int] = {}
    caps: Mapping[tuple[str, int], int] = {}
    lows: Mapping[tuple[str, int], int] = {}


class _Own(NamedTuple):
    """Counters of loads of one name in one kind of place."""

    name: tuple[str, str, str]
    kind: int


class _Inner(NamedTuple):
    """Counters of one group and limit in one kind of place."""

    of: tuple[str, str]
    kind: int


class Fit(NamedTuple):
    """Where the counters are: one list of places a load."""

    places: list[list[int]]


class Misfit(NamedTuple):
    """Why they do not fit.

    Attributes
    ----------
    loads : tuple of int
        Loads that have too little room together.
    places : array of int
        All places where they may be.
    number, room : int
        How many counters they are, and how many of these fit in.
    group : str
        Group whose places must hold more than there is, where that is why.
    """

    loads: tuple[int, ...]
    places: Ints
    number: int
    room: int
    group: str = ""


def fit(loads: Sequence[Load], limits: Limits | None = None, rng: random.Random | None = None) -> Fit | Misfit:
    """Put counters into places, or tell which of them cannot be.

    Parameters
    ----------
    loads : sequence of Load
    limits : Limits, optional
    rng : random.Random, optional
        Chooses among equal places; without it the first ones are taken.

    Returns
    -------
    Fit or Misfit
        Exact where a group counts towards one chain of limits only; else ``most`` and ``least`` hold for each chain
        of it by itself.
    """
    loads = [load if load.number else load._replace(mask=np.zeros_like(load.mask)) for load in loads]
    net = _Network(loads, limits or Limits())
    found = net.solve(bounded=True)
    if found is not None:
        return Fit(net.deal(found, rng))
    if net.solve(bounded=False) is None:
        return net.misfit()
    return net.too_few()


def _own(load: Load, kind: int) -> _Own:
    return _Own((load.name, *load.key), kind)


class _Network:
    """The places by what tells them apart, and the flow from the loads through them."""

    def __init__(self, loads: Sequence[Load], limits: Limits) -> None:
        self.loads, self.limits = loads, limits
        self.wanted = sum(load.number for load in loads)
        self._special = {name for name, _ in (*limits.caps, *limits.lows)}
        self.kinds = self._kinds()
        order = np.argsort(self.kinds, kind="stable")
        starts = np.flatnonzero(np.diff(self.kinds[order], prepend=0)).tolist()
        self.members: dict[int, Ints] = dict(enumerate(np.split(order, starts)[1:], 1))
        firsts = np.array([cells[0] for cells in self.members.values()], dtype=np.int64)
        self.of_load = [(np.flatnonzero(load.mask[firsts]) + 1).tolist() for load in self.loads]
        self.firsts = dict(enumerate(firsts.tolist(), 1))

    def _kinds(self) -> Ints:
        """Return the kind of each place, 0 for places that no load may be in."""
        size = len(self.loads[0].mask) if self.loads else 0
        kinds: Ints = np.zeros(size, dtype=np.int64)
        planes: dict[int, NDArray[np.bool_]] = {}
        for load in self.loads:
            planes[id(load.mask)] = load.mask
            if load.least and load.area is not None:
                planes[id(load.area)] = load.area
        for number, plane in enumerate(planes.values(), 1):
            kinds = kinds * 2 + plane
            if number % 40 == 0:
                kinds = np.unique(kinds, return_inverse=True)[1].astype(np.int64)
        parts = {id(load.parts): load.parts for load in self.loads if load.parts is not None}
        for part in parts.values():
            kinds = np.unique(kinds, return_inverse=True)[1] * (int(part.max(initial=-1)) + 2) + part + 1
        special = {place for _, place in (*self.limits.used, *self.limits.caps, *self.limits.lows)}
        kinds = np.unique(kinds, return_inverse=True)[1].astype(np.int64) + 1
        for number, place in enumerate(sorted(special), len(kinds) + 1):
            kinds[place] = number
        seen = np.zeros(size, dtype=bool)
        for load in self.loads:
            seen |= load.mask
            if load.least and load.area is not None:
                seen |= load.area
        seen[[place for _, place in self.limits.lows]] = True
        kinds[~seen] = -1
        found: Ints = np.unique(np.append(kinds, -1), return_inverse=True)[1][:-1].astype(np.int64)
        return found

    # -- the flow ------------------------------------------------------------------------------------------------------

    def solve(self, *, bounded: bool) -> dict[tuple[int, int], int] | None:
        """Return how many counters of each load go to each kind of place; None when not all of them can."""
        self._names: dict[object, int] = {"from": 0, "to": 1, "end": 2}
        self._edges: dict[tuple[int, int], int] = defaultdict(int)
        self._owed = self.wanted
        self._lows: dict[object, int] = {}
        for number, load in enumerate(self.loads):
            self._add("from", ("load", number), load.number)
            for kind in self.of_load[number]:
                self._enter(number, load, kind)
        if bounded:
            self._bound()
        ends = self._ends()
        for key, capacity in ends.items():
            self._add(key[0], key[1], capacity)
        self._add("end", "to", self.wanted)
        flow = self._run()
        if flow is None:
            return None
        return self._shares(flow)

    def _enter(self, number: int, load: Load, kind: int) -> None:
        """Lead a load to a kind of place, through the part of its area that this lies in."""
        source: object = ("load", number)
        if load.parts is not None and load.most_in_part:
            part = int(load.parts[self.firsts[kind]])
            if part >= 0:
                through = ("part", number, part)
                self._edges[self._node(source), self._node(through)] = load.most_in_part
                source = through
        self._add(source, self._entry(load, kind), load.number)

    def _has_own(self, load: Load) -> bool:
        """Tell whether something holds for a load in single places beside its limits."""
        return bool(load.least or load.most or load.name in self._special)

    def _entry(self, load: Load, kind: int) -> object:
        """Return the node by which a load goes to a kind of place."""
        if self._has_own(load):
            return _own(load, kind)
        return ("limit", load.chain[0][0], kind) if load.chain else ("open", kind)

    def _ends(self) -> dict[tuple[object, object], int]:
        """Return what leads from the kinds of places through their limits to the end."""
        found: dict[tuple[object, object], int] = {}
        for number, load in enumerate(self.loads):
            plain = not self._has_own(load)
            for kind in self.of_load[number]:
                size, first = len(self.members[kind]), self.firsts[kind]
                here: object = _Inner(load.key, kind)
                capacity = min(_MANY, (load.most or _MANY) * size)
                if not plain:
                    cap = min(_MANY, self.limits.caps.get((load.name, first), _MANY) * size)
                    found[_own(load, kind), here] = cap
                for place, (name, limit) in enumerate(load.chain):
                    if not (plain and place == 0):
                        found[here, ("limit", name, kind)] = capacity
                    here = ("limit", name, kind)
                    capacity = min(_MANY, max(0, limit - self.limits.used.get((name, first), 0)) * size)
                if load.chain or not plain:
                    found[here, "end"] = capacity
                else:
                    found[("open", kind), "end"] = _MANY
        for pair, capacity in found.items():
            low = self._lows.get(pair[0], 0)
            found[pair] = max(0, capacity - low)
            self._owed += max(0, low - capacity)  # nothing can pay that
        return found

    def _bound(self) -> None:
        """Owe every kind of place what it must hold at least, before all else."""
        lows: dict[tuple[object, object], int] = {}
        named = {name for name, _ in self.limits.lows}
        for load in self.loads:
            area = load.mask if load.area is None else load.area
            for kind, first in self.firsts.items() if load.least or load.name in named else ():
                inner, size = _Inner(load.key, kind), len(self.members[kind])
                after: object = ("limit", load.chain[0][0], kind) if load.chain else "end"
                if load.least and area[first]:
                    lows[inner, after] = load.least * size
                if own := self.limits.lows.get((load.name, first)):
                    lows[_own(load, kind), inner] = own * size
        for (here, after), low in lows.items():
            self._add("from", after, low)
            self._add(here, "to", low)
            self._owed += low
            self._lows[here] = low

    def _node(self, name: object) -> int:
        return self._names.setdefault(name, len(self._names))

    def _add(self, a: object, b: object, capacity: int) -> None:
        self._edges[self._node(a), self._node(b)] += capacity

    def _run(self) -> dict[tuple[int, int], int] | None:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_flow

        size = len(self._names)
        pairs = np.array(list(self._edges), dtype=np.int32).reshape(-1, 2)
        capacities = np.array(list(self._edges.values()), dtype=np.int32)
        graph = csr_array((capacities, (pairs[:, 0], pairs[:, 1])), shape=(size, size))
        result = maximum_flow(graph, 0, 1)
        flow = result.flow.tocoo()
        self._flow = dict(zip(zip(flow.row.tolist(), flow.col.tolist(), strict=True), flow.data.tolist(), strict=True))
        return self._flow if result.flow_value == self._owed else None

    def _shares(self, flow: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        names = self._names
        for number, load in enumerate(self.loads):
            for kind in self.of_load[number]:
                source: object = ("load", number)
                if load.parts is not None and load.most_in_part and int(load.parts[self.firsts[kind]]) >= 0:
                    source = ("part", number, int(load.parts[self.firsts[kind]]))
                share = flow.get((names[source], names[self._entry(load, kind)]), 0)
                if share > 0:
                    found[number, kind] = share
        return found

    def deal(self, shares: Mapping[tuple[int, int], int], rng: random.Random | None) -> list[list[int]]:
        """Deal the counters of each kind of place out one by one, so that every limit is spread evenly."""
        found: list[list[int]] = [[] for _ in self.loads]
        of_kind: dict[int, list[int]] = defaultdict(list)
        for number, kind in shares:
            of_kind[kind].append(number)
        for kind, numbers in of_kind.items():
            places = self.members[kind].tolist()
            if rng is not None:
                rng.shuffle(places)
            # What counts towards one limit comes in one run, and within it what is of one group.
            numbers.sort(key=lambda n: (tuple(name for name, _ in reversed(self.loads[n].chain)), self.loads[n].group))
            turn = 0
            for number in numbers:
                for _ in range(shares[number, kind]):
                    found[number].append(places[turn % len(places)])
                    turn += 1
        return found

    # -- why not -------------------------------------------------------------------------------------------------------

    def misfit(self) -> Misfit:
        """Return the smallest set of loads, of those found, that has too little room."""
        names, flow = self._names, self._flow
        ahead: dict[int, list[int]] = defaultdict(list)
        for (a, b), capacity in self._edges.items():
            if capacity - flow.get((a, b), 0) > 0:
                ahead[a].append(b)
            if flow.get((a, b), 0) > 0:
                ahead[b].append(a)
        best: Misfit | None = None
        looked = 0
        for number, load in enumerate(self.loads):
            start = names["load", number]
            if flow.get((0, start), 0) >= load.number:
                continue
            if looked == _LOOKED:
                break  # small enough by now: of thousands that do not fit, a few are told
            looked += 1
            seen = {start}
            stack = [start]
            while stack:
                for other in ahead[stack.pop()]:
                    if other > 2 and other not in seen:
                        seen.add(other)
                        stack.append(other)
            together = tuple(n for n in range(len(self.loads)) if names["load", n] in seen)
            found = self._told(together)
            if best is None or len(found.loads) < len(best.loads):
                best = found
        if best is None:
            msg = "all counters have a place"
            raise ValueError(msg)
        return best

    def _told(self, together: tuple[int, ...]) -> Misfit:
        masks = [self.loads[number].mask for number in together]
        places = np.flatnonzero(np.logical_or.reduce(masks))
        room = sum(self._flow.get((0, self._names["load", number]), 0) for number in together)
        return Misfit(together, places, sum(self.loads[number].number for number in together), room)

    def too_few(self) -> Misfit:
        """Return the group whose places must hold more than they can, or than there is."""
        worst: Misfit | None = None
        for name in {load.group for load in self.loads if load.least}:
            own = tuple(number for number, load in enumerate(self.loads) if load.group == name)
            first = next(self.loads[number] for number in own if self.loads[number].least)
            places = np.flatnonzero(first.mask if first.area is None else first.area)
            number = sum(self.loads[one].number for one in own)
            found = Misfit(own, places, number, first.least * len(places), name)
            if worst is None or found.room - found.number > worst.room - worst.number:
                worst = found
        return worst or Misfit((), np.zeros(0, dtype=np.int64), 0, 0)
