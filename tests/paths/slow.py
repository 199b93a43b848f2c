"""Dijkstra's algorithm as in a textbook, with dictionaries: the reference for searches."""

from collections.abc import Iterable, Mapping

__all__ = ["canonical_path", "cheapest"]

Links = Mapping[tuple[int, int], int]


def cheapest(links: Links, starts: Mapping[int, int], limit: int | None = None) -> dict[int, tuple[int, int]]:
    """Return the cost of every node that is reached, and the fewest steps of a way that costs no more."""
    done: dict[int, tuple[int, int]] = {}
    open_ = {node: (cost, 0) for node, cost in starts.items()}
    while open_:
        node = min(open_, key=lambda one: (open_[one], one))
        done[node] = open_.pop(node)
        for (begin, end), cost in links.items():
            if begin == node and end not in done and cost >= 0:
                arrival = (done[node][0] + cost, done[node][1] + 1)
                if end not in open_ or arrival < open_[end]:
                    open_[end] = arrival
    return {node: found for node, found in done.items() if limit is None or found[0] <= limit}


def canonical_path(links: Links, starts: Iterable[int], node: int) -> list[int]:
    """Return the way to a node, going back to the lowest node of those that lie on a best way.

    Where every link costs something, all cheapest ways are best; else those of the fewest steps are.
    """
    found = cheapest(links, dict.fromkeys(starts, 0))
    fewest = any(cost == 0 for cost in links.values())
    way = [node]
    while way[-1] not in starts:
        cost, steps = found[way[-1]]
        way.append(
            min(
                begin
                for (begin, end), price in links.items()
                if end == way[-1]
                and price >= 0
                and begin in found
                and found[begin][0] + price == cost
                and (not fewest or found[begin][1] + 1 == steps)
            )
        )
    return way[::-1]
