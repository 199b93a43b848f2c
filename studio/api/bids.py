"""Bids for a side of a scenario (Armageddon War 7.3), and what they mean for its forces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from studio.rules.bidding import Addition, Bidding, LeftOut, bid_for

if TYPE_CHECKING:
    from studio.api.balance import Balance

__all__ = ["Bid", "BidMeaning"]


class BidMeaning(NamedTuple):
    """What a side can do with so many points.

    Attributes
    ----------
    side : str
    points : int
        What it may have.
    has : int
        What it has in the scenario.
    leave_out : tuple of LeftOut
        Ways to get down to the points, the smallest loss first; none where it need not.
    may_add : tuple of Addition
        Single counters that it may take for what is left, the dearest first.
    """

    side: str
    points: int
    has: int
    leave_out: tuple[LeftOut, ...]
    may_add: tuple[Addition, ...]

    @property
    def over(self) -> int:
        """Points that are left; below 0, points that must go."""
        return self.points - self.has

    def __repr__(self) -> str:
        head = f"{self.side}: {self.has} points, may have {self.points}"
        if self.over < 0:
            ways = "; ".join(f"{_counters(one)} ({one.points})" for one in self.leave_out) or "not to be had"
            return f"{head}: leave out {-self.over} or more: {ways}"
        found = ", ".join(f"{one.type} ({one.points})" for one in self.may_add[:8])
        more = f" and {len(self.may_add) - 8} more" if len(self.may_add) > 8 else ""
        return f"{head}: {self.over} left" + (f", for {found}{more}" if found else "")


def _counters(way: LeftOut) -> str:
    return " + ".join(f"{count} x {name}" if count > 1 else name for name, count in way.counters)


class Bid:
    """The bidding for a scenario: who is bid for, from which points, and what a bid would mean.

    Parameters
    ----------
    found : Bidding
    balance : Balance
    """

    def __init__(self, found: Bidding, balance: Balance) -> None:
        self.found, self._balance = found, balance

    @property
    def side(self) -> str:
        """The side that is bid for: the one with the most points."""
        return self.found.side

    @property
    def start(self) -> int:
        """The highest bid that is allowed."""
        return self.found.start

    @property
    def substitutes(self) -> dict[str, int]:
        """Units that each side may change for others, by side; 0 but in option 3."""
        return dict(self.found.substitutes)

    def __repr__(self) -> str:
        lines = [f"Option {self.found.option}: bids for {self.side} from {self.start} points down"]
        lines += [f"  {side} gets {points} points more" for side, points in self.found.bonus.items() if points]
        lines += [f"  {side} may change {n} of its units" for side, n in self.found.substitutes.items() if n]
        return "\n".join(lines)

    def means(self, points: int) -> BidMeaning:
        """Return what it would mean for the side to get the bid.

        Parameters
        ----------
        points : int

        Raises
        ------
        ScenarioRuleError
            When the bid is no whole number from 0 to the start.
        """
        bid_for(self.found, points)
        return self._balance.bid(self.side, points)

    def others(self) -> list[BidMeaning]:
        """Return what the bonus of the other sides gets them."""
        return [self._balance.bid(side, self.found.totals[side] + bonus) for side, bonus in self.found.bonus.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return the bidding as plain data."""
        return self.found._asdict()
