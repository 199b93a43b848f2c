"""A connection of JupyterLab's server that sends small answers at once.

Of itself the server leaves TCP waiting to gather more: many an answer of a kernel reaches the page 40 ms late, when a
line of sight should follow the pointer within 50.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

__all__ = ["PromptConnection"]


class PromptConnection(ZMQChannelsWebsocketConnection):
    """The server's own connection between a page and its kernels, without the wait for more to send."""

    def connect(self) -> Any:
        """Connect a page to its kernel."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
