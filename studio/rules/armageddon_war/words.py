"""How the reasons of sight in Armageddon War say what hills do."""

from __future__ import annotations

from studio.grid import Labels
from studio.rules.armageddon_war.scene import End

__all__ = ["hidden", "other_hill", "seen_over"]


def other_hill(height: int, low: int, *, summit: bool) -> tuple[bool, str]:
    """Tell whether a hill that is not that of an end blocks, and why.

    Parameters
    ----------
    height : int
        What counts of it: not higher than the higher end.
    low : int
        Level of the lower end.
    summit : bool
        The height is that of its summit.
    """
    what = f"another hill of level {height}" if summit else "another hill"
    if height >= max(1, low):
        return True, f"{what}, {'as high as' if height == low else 'higher than'} the lower end (level {low})"
    return False, f"{what}, {'lower than both ends' if height < low else 'no higher than the ground'}"


def seen_over(labels: Labels, end: End) -> str:
    """Say from what end a contour of its own hill is seen over, and why."""
    if end.air:
        return f"seen over from {labels.label(end.cell)} in the air above the same hill"
    how = "a contour line" if end.contour >= 1 else "a crest line"
    return f"seen over from {labels.label(end.cell)}, which has {how} in its own hex"


def hidden(labels: Labels, start: End, end: End, own: list[End]) -> str:
    """Say why a contour of the hill of some ends hides two ends of different levels from each other."""
    low, high = sorted((start, end), key=lambda one: one.height)
    names = [labels.label(one.cell) for one in own]
    if any(one.has_contour for one in own):
        why = f"as it is no lower than {' and '.join(names)} on the same hill"
    elif len(own) == 1:
        why = f"as {names[0]} on the same hill has no contour line in its own hex"
    else:
        why = "as neither has a contour line in its own hex"
    return f"hides {labels.label(low.cell)} from {labels.label(high.cell)}, {why}"
