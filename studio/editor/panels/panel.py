"""What a panel is: a title, the nodes it shows, and what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from studio.editor.panels.nodes import Node
from studio.errors import EditError, nearest

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = ["Panel"]


class Panel:
    """One panel of one editor.

    An action ``xyz`` of the browser calls the method ``do_xyz`` with the values that came with it.

    Parameters
    ----------
    editor : MapEditor

    Attributes
    ----------
    id, title : str
    open : bool
        Whether it stands open at first.
    tools : tuple of str
        Ids of the tools that bring it with them.
    for_readers : bool
        It is there in a read-only editor as well.
    """

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    open: ClassVar[bool] = False
    tools: ClassVar[tuple[str, ...]] = ()
    for_readers: ClassVar[bool] = False

    def __init__(self, editor: MapEditor) -> None:
        self.editor = editor

    @classmethod
    def fits(cls, editor: MapEditor) -> bool:
        """Tell whether the document has what the panel is about."""
        return True

    def nodes(self) -> list[Node]:
        """Return what the panel shows; called with the document's lock held, after every change while it is open."""
        raise NotImplementedError

    def act(self, action: str, values: Mapping[str, Any]) -> None:
        """Do what somebody asked for.

        Raises
        ------
        EditError
            When the panel has no such action.
        StudioError
            As the action does.
        """
        known = [name[3:] for name in dir(self) if name.startswith("do_")]
        if action not in known:
            msg = f"panel {self.id!r}: no action {action!r}; {nearest(action, known)}"
            raise EditError(msg)
        getattr(self, f"do_{action}")(dict(values))
