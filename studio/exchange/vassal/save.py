"""Saved games: the commands that lay every piece where it is at the start."""

from __future__ import annotations

from collections.abc import Sequence

from studio.exchange.vassal.boards import Board
from studio.exchange.vassal.kit import Stack
from studio.exchange.vassal.pieces import encode, stack_text

__all__ = ["save_commands"]


def save_commands(boards: Sequence[Board], stacks: Sequence[Stack]) -> list[str]:
    """Return the commands of a saved game.

    Parameters
    ----------
    boards : sequence of Board
    stacks : sequence of Stack
    """
    commands: list[str] = []
    piece = 0
    for stack in stacks:
        first = piece + 1
        for slot in stack.slots:
            piece += 1
            commands.append(slot.piece.text(slot.gpid, piece=str(piece), x=stack.x, y=stack.y))
        ids = [str(number) for number in range(first, piece + 1)]
        piece += 1
        commands.append(stack_text(str(piece), stack.board, stack.x, stack.y, ids))
    commands += [encode("\t", [f"{board.name}BoardPicker", board.name, "0", "0"]) for board in boards]
    # The game has begun: the engine lays its own stacks of the start no more.
    return [*commands, "SETUP_STACK\t"] if stacks else commands
