"""Answers hold for one state of a map; this is the one place that says so when it has changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.errors import StaleAnswerError

if TYPE_CHECKING:
    from studio.survey.directory import Directory

__all__ = ["check_fresh"]


def check_fresh(directory: Directory, revision: int, question: str) -> None:
    """Refuse to lay an answer on a map that is another one by now, or to explain it from that map.

    Parameters
    ----------
    directory : Directory
        Locations that the answer is about.
    revision : int
        State of the survey that it was made from.
    question : str
        What to ask again.

    Raises
    ------
    StaleAnswerError
        When the map has changed since the answer was given.
    """
    if directory.survey.revision != revision:
        msg = f"the map has changed since this was made; make it anew with {question}"
        raise StaleAnswerError(msg)
