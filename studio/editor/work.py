"""Long work in a thread of its own: the browser shows how far it is, and can stop it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = ["Cancelled", "Job", "Progress", "Works"]

Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do; raises `Cancelled` when somebody asked to stop."""

Job = Callable[[Progress], Any]

PAUSE = 0.1
"""Seconds between two messages about how far a work is."""


class Cancelled(Exception):
    """Somebody asked to stop; what the work has done so far is left behind."""


class Works:
    """The long works of one editor.

    Parameters
    ----------
    editor : MapEditor
    """

    def __init__(self, editor: MapEditor) -> None:
        self._editor = editor
        self._numbers = count(1)
        self._stops: dict[int, threading.Event] = {}
        self._named: dict[str, int] = {}
        self._running: dict[int, dict[str, Any]] = {}

    def start(self, title: str, job: Job, done: Callable[[Any], None] | None = None) -> threading.Thread:
        """Run a job; one of the same title that still runs is stopped first.

        Parameters
        ----------
        title : str
            What the bar in the browser says.
        job : callable
            Takes the function that is told how far it is. It runs without the document's lock.
        done : callable, optional
            Takes what the job returns; called with the document's lock held.
        """
        if title in self._named:
            self.cancel(self._named[title])
        number, stop = next(self._numbers), threading.Event()
        self._stops[number], self._named[title] = stop, number
        thread = threading.Thread(target=self._run, args=(number, title, job, done, stop), name=title, daemon=True)
        thread.start()
        return thread

    def cancel(self, number: Any) -> None:
        """Ask a work to stop; it does so when it next tells how far it is. Without such a work nothing happens."""
        stop = self._stops.get(number) if isinstance(number, int) else None
        if stop is not None:
            stop.set()

    def close(self) -> None:
        """Ask all of them to stop."""
        for stop in list(self._stops.values()):
            stop.set()

    def tell_again(self) -> None:
        """Tell a page that was opened meanwhile what runs, and how far it is."""
        for message in list(self._running.values()):
            self._editor.send(message)

    def _run(
        self, number: int, title: str, job: Job, done: Callable[[Any], None] | None, stop: threading.Event
    ) -> None:
        editor, said = self._editor, 0.0

        def tell(state: str, part: int = 0, total: int = 0) -> None:
            about = {"done": part, "total": total, "state": state}
            message = {"type": "work", "id": number, "title": title, **about}
            if state == "running":
                self._running[number] = message
            else:
                self._running.pop(number, None)
            editor.send(message)

        def progress(part: int, total: int) -> None:
            nonlocal said
            if stop.is_set():
                raise Cancelled(title)
            if time.monotonic() - said >= PAUSE:
                said = time.monotonic()
                tell("running", part, total)

        state = "done"
        try:
            progress(0, 0)
            result = job(progress)
            if stop.is_set():
                raise Cancelled(title)
            if done is not None:
                with editor.document.lock:
                    done(result)
        except Cancelled:
            state = "cancelled"
        except Exception as error:
            state = "failed"
            editor.report(error)
        finally:
            self._stops.pop(number, None)
            if self._named.get(title) == number:
                del self._named[title]
            tell(state)
