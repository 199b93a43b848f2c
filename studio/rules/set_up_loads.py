"""The counters of a task as loads of a flow: which are alike, in what order they are placed, and where each may be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from studio.rules.set_up_flow import Load
from studio.rules.set_up_task import Piece, SetUpTask, distances_of

__all__ = ["Mask", "Places", "SetUpLoads"]

Mask = NDArray[np.bool_]
Places = dict[str, list[int]]


class SetUpLoads:
    """The counters of a task by what is alike of them.

    Parameters
    ----------
    task : SetUpTask
    """

    def __init__(self, task: SetUpTask) -> None:
        self.task = task
        self.pieces = {piece.id: piece for piece in task.pieces}
        firsts = {piece.group: piece for piece in reversed(task.pieces)}
        areas = {(piece.where, piece.stage): task.counted(piece) & self.pieces.keys() for piece in firsts.values()}
        counted = {group: areas[piece.where, piece.stage] for group, piece in firsts.items()}
        self._counted = {piece.id: counted[piece.group] for piece in task.pieces}
        members: dict[str, set[str]] = defaultdict(set)
        for piece in task.pieces:
            members[piece.group].add(piece.id)
        # Groups that are measured from their own counters: no two of these see the same area.
        self._knotted = {group for group, names in counted.items() if names & members[group]}
        named = {name for piece in task.pieces for one in distances_of(piece.where) for name in one.units}
        # Counters of one key can change places: none of them is named by itself, or has an area for itself.
        self._keys = {
            piece.id: "/".join(
                (
                    piece.group,
                    piece.chain[0][0] if piece.chain else "",
                    getattr(piece.kind, "id", ""),
                    piece.id if piece.group in self._knotted or piece.id in named else "",
                )
            )
            for piece in task.pieces
        }
        self._layers = self._in_layers()
        self._base: dict[tuple[object, ...], Mask] = {}
        self._narrow: dict[str, Mask] = {}

    # -- layers --------------------------------------------------------------------------------------------------------

    def _in_layers(self) -> list[list[Piece]]:
        """Return the pieces in the order in which they are placed: by what they are measured from, then by side."""
        groups: dict[str, set[str]] = {}
        shared: dict[int, set[str]] = {}
        of_group: dict[str, list[Piece]] = defaultdict(list)
        for piece in self.task.pieces:
            if piece.group not in groups:
                key = id(self._counted[piece.id])
                if key not in shared:
                    shared[key] = {self.pieces[name].group for name in self._counted[piece.id]}
                groups[piece.group] = shared[key]
            of_group[piece.group].append(piece)
        levels = _levels(groups)
        layers: dict[tuple[int, ...], list[Piece]] = defaultdict(list)
        first: dict[str, tuple[int, int]] = {}
        for piece in self.task.pieces:
            team = self.task.teams[piece.force.id]
            first[team] = min(first.get(team, piece.stage), piece.stage)
        order = {team: number for number, team in enumerate(sorted(first, key=lambda team: first[team]))}
        for group, pieces in of_group.items():
            for piece in pieces:
                place = (piece.stage[0], levels[group], order[self.task.teams[piece.force.id]])
                layers[place].append(piece)
        return [layers[place] for place in sorted(layers)]

    # -- loads ---------------------------------------------------------------------------------------------------------

    def _sort(self, piece: Piece) -> tuple[object, ...]:
        """Return what decides, beside its area, who keeps a piece out of a place."""
        alone = piece.where.empty or piece.formation.id in self.task.shy
        return piece.force.id, piece.fights, piece.stage, piece.formation.id if alone else ""

    def _look(self, piece: Piece) -> tuple[object, ...]:
        """Return what decides where a piece may be: pieces of one look share their masks."""
        own = piece.id if piece.group in self._knotted else ""
        return piece.where, getattr(piece.kind, "id", ""), self._sort(piece), own

    def _wanted(self, piece: Piece) -> Mask:
        """Return where a piece may be as far as only what is fixed counts."""
        look = (*self._look(piece), piece.group if piece.group in self._narrow else "")
        if look not in self._base:
            found = self.task.mask(piece) & ~self.task.blocked(piece)
            narrow = self._narrow.get(piece.group)
            self._base[look] = found if narrow is None else found & narrow
        return self._base[look]

    def _masks(self, pieces: Sequence[Piece], placed: Places, *, as_wanted: bool) -> list[Mask]:
        """Return where each of some pieces may be, with all others where they are now."""
        there = {name: tuple(numbers) for name, numbers in placed.items()}
        taken = self._taken(placed)
        known: dict[tuple[object, ...], Mask] = {}
        out: dict[tuple[object, ...], Mask] = {}
        found = []
        for piece in pieces:
            wanted = self._wanted(piece)
            look = (id(wanted), *self._look(piece))
            if look not in known:
                sort = self._sort(piece)
                if sort not in out:
                    out[sort] = self._out_of_reach(piece, taken)
                mask = wanted & ~out[sort] if out[sort].any() else wanted
                if self._counted[piece.id] and not as_wanted:
                    mask = mask & self.task.mask(piece, there)
                known[look] = mask
            found.append(known[look])
        return found

    def _loads(
        self, layer: Sequence[Piece], placed: Places, *, as_wanted: bool = False
    ) -> tuple[list[Load], list[list[Piece]]]:
        together: dict[tuple[str, tuple[tuple[str, int], ...]], list[Piece]] = defaultdict(list)
        for piece in layer:
            together[self._keys[piece.id], piece.chain].append(piece)
        members = list(together.values())
        masks = self._masks([pieces[0] for pieces in members], placed, as_wanted=as_wanted)
        loads = [
            self._load(pieces[0], sum(piece.number for piece in pieces), mask)
            for pieces, mask in zip(members, masks, strict=True)
        ]
        return loads, members

    def _load(self, piece: Piece, number: int, mask: Mask) -> Load:
        where = piece.where
        area = parts = None
        if where.least_in_hex:
            area = self._area(piece)
        if where.most_in_area and where.features:
            parts = self._parts(piece)
        return Load(
            number=number,
            mask=mask,
            chain=piece.chain,
            name=self._keys[piece.id],
            group=piece.group,
            least=where.least_in_hex,
            most=where.most_in_hex,
            area=area,
            parts=parts,
            most_in_part=where.most_in_area if parts is not None else 0,
        )

    def _area(self, piece: Piece) -> Mask:
        found = self.task.areas.mask(piece.where, piece.id)
        narrow = self._narrow.get(piece.group)
        return found if narrow is None else found & narrow

    def _parts(self, piece: Piece) -> NDArray[np.int64]:
        parts = np.full(len(self.task.survey.directory), -1, dtype=np.int64)
        for number, (_, mask) in enumerate(self.task.areas.areas.features.each(piece.where.features)):
            parts[mask & (parts < 0)] = number
        return parts

    def _taken(self, placed: Places) -> dict[tuple[str, ...], tuple[Piece, set[int]]]:
        """Return where those stand that keep others out, by what decides whom."""
        found: dict[tuple[str, ...], tuple[Piece, set[int]]] = {}
        for name, places in placed.items():
            piece = self.pieces[name]
            if self.task.keeps_out(piece):
                key = (piece.formation.id, piece.group, str(piece.fights))
                found.setdefault(key, (piece, set()))[1].update(places)
        return found

    def _out_of_reach(self, piece: Piece, taken: Mapping[tuple[str, ...], tuple[Piece, set[int]]]) -> Mask:
        """Return the places that those placed before keep a piece out of."""
        found = np.zeros(len(self.task.survey.directory), dtype=bool)
        for other, some in taken.values():
            if self.task.apart(piece, other):
                found[list(some)] = True
        return found


def _levels(groups: Mapping[str, set[str]]) -> dict[str, int]:
    """Return how many groups each is measured from one after another; those measured from one another are level."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    names = list(groups)
    number = {name: n for n, name in enumerate(names)}
    pairs = [(number[a], number[b]) for a, others in groups.items() for b in others if b in number and a != b]
    if not pairs:
        return dict.fromkeys(names, 0)
    rows, columns = zip(*pairs, strict=True)
    graph = coo_array((np.ones(len(pairs), dtype=np.int8), (rows, columns)), shape=(len(names), len(names)))
    count, knot = connected_components(graph, connection="strong")
    level = [0] * count
    for _ in range(count):
        before = list(level)
        for a, b in pairs:
            if knot[a] != knot[b]:
                level[knot[a]] = max(level[knot[a]], level[knot[b]] + 1)
        if level == before:
            break
    return {name: level[knot[n]] for name, n in number.items()}
