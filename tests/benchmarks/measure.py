"""Timing for the benchmarks: the median of several runs, printed beside the bar it is held to. Nothing is asserted."""

import statistics
import time
from collections.abc import Callable

__all__ = ["median", "row"]


def median(
    run: Callable[[], object], *, times: int = 7, warm: int = 1, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the median duration of a call in milliseconds; with ``time.process_time`` that of the processor alone."""
    for _ in range(warm):
        run()
    taken = []
    for _ in range(times):
        start = clock()
        run()
        taken.append((clock() - start) * 1000)
    return statistics.median(taken)


def row(what: str, value: float, unit: str, bar: str = "") -> None:
    """Print one figure."""
    print(f"{what:58} {value:12,.3f} {unit:8} {'bar: ' + bar if bar else ''}".rstrip())
