"""Groups of documents worked on in several processes; one that dies takes no more than its file along."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from studio.cli.batch import Group, Order, Told, crash, work_on

__all__ = ["cores", "in_processes"]


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _serve(connection: Connection, order: Order) -> None:
    """Work on groups as they come, until the other end hangs up. Runs in a process of its own."""
    from studio.rules import load_ruleset

    # Ctrl-C reaches every process of a terminal: the first one tells the others to stop, and files are whole then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    for file in order.rules:
        load_ruleset(file)
    while True:
        try:
            group: Group | None = connection.recv()
        except EOFError:
            return
        if group is None:
            return
        for told in work_on(group, order, lambda number, file: connection.send(("begins", number, file))):
            connection.send(("told", told))
        connection.send(("done",))


@contextmanager
def _deaf() -> Iterator[None]:
    """Pay no heed to Ctrl-C, as a process that is started then never will: not even while it is being loaded."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not in the main thread, which alone hears it
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Worker:
    """A process, and what it is at."""

    def __init__(self, order: Order) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(other, order), daemon=True)
        with _deaf():
            self.process.start()
        other.close()
        self.left: list[tuple[int, str]] = []
        self.at: tuple[int, str] | None = None

    def take(self, group: Group) -> None:
        """Give it a group."""
        self.left = list(group.files)
        self.connection.send(group)

    def heard(self, message: tuple[Any, ...]) -> Told | None:
        """Note what it says; return what came of a file."""
        if message[0] == "begins":
            self.at = message[1:3]
            return None
        if message[0] == "done":
            self.left, self.at = [], None
            return None
        told: Told = message[1]
        self.left = [one for one in self.left if one[0] != told.number]
        self.at = None
        return told

    def died(self) -> tuple[Told, Group]:
        """Return what came of the file that it died of, and the files that are left."""
        self.process.join(5)
        # Where it died before it began anything, the first file is the one to leave out: there has to be an end.
        number, file = self.at or self.left[0]
        rest = tuple(one for one in self.left if one[0] != number)
        code = self.process.exitcode
        return Told(number, file, (crash(file, f"its process ended with code {code}"),)), Group(0, rest)

    def stop(self) -> None:
        """End it."""
        self.connection.close()
        self.process.terminate()
        self.process.join(5)


def in_processes(
    groups: Iterable[Group],
    order: Order,
    processes: int,
    begin: Callable[[int, str], None],
    done: Callable[[Told], None],
) -> None:
    """Work on groups in several processes.

    Parameters
    ----------
    groups : iterable of Group
        Taken in order, as processes become free.
    order : Order
    processes : int
        How many at once.
    begin : callable
        Called with the place and the name of each file when it is begun.
    done : callable
        Called with what came of each, in the order in which they are done.
    """
    waiting = deque(groups)
    workers: dict[Connection, _Worker] = {}
    try:
        while waiting or workers:
            while waiting and len(workers) < processes:
                fresh = _Worker(order)
                workers[fresh.connection] = fresh
                fresh.take(waiting.popleft())
            for heard in wait(list(workers)):
                connection: Any = heard
                _listen(workers, connection, waiting, begin, done)
    finally:
        for worker in workers.values():
            worker.stop()


def _listen(
    workers: dict[Connection, _Worker],
    connection: Connection,
    waiting: deque[Group],
    begin: Callable[[int, str], None],
    done: Callable[[Told], None],
) -> None:
    """Take one message of a process, or its end; give it the next group when it is done."""
    worker = workers[connection]
    try:
        message = connection.recv()
    except (EOFError, OSError):
        lost = worker.died() if worker.left else None
        workers.pop(connection).stop()
        if lost is not None:
            done(lost[0])
            if lost[1].files:
                waiting.appendleft(lost[1])
        return
    told_now = worker.heard(message)
    if message[0] == "begins":
        begin(message[1], message[2])
    elif told_now is not None:
        done(told_now)
    elif waiting:
        worker.take(waiting.popleft())
    else:
        workers.pop(connection).stop()
