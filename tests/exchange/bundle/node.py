"""The JavaScript reader, asked from Python."""

from __future__ import annotations

import base64
import json
import subprocess
from types import TracebackType
from typing import Any

from studio.files import reader
from tests.project.tree import ROOT

READER = ROOT / "studio" / "files" / "reader.mjs"
VERDICTS = ROOT / "tests" / "exchange" / "bundle" / "verdicts.mjs"


class NodeReader:
    """One Node.js that answers for many bundles."""

    def __enter__(self) -> NodeReader:
        command = ["node", str(VERDICTS), str(READER)]
        self._node = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._node.communicate()

    def _say(self, line: str) -> Any:
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(line + "\n")
        self._node.stdin.flush()
        return json.loads(self._node.stdout.readline())

    def verdict(self, data: bytes) -> dict[str, Any]:
        """Return the code (empty for a valid bundle), the message and the CPU seconds."""
        found: dict[str, Any] = self._say(base64.b64encode(data).decode())
        assert found["code"] != "crash", found["message"]
        return found

    def whole(self, data: bytes) -> dict[str, Any]:
        """Return all content of a valid bundle too."""
        found: dict[str, Any] = self._say("whole " + base64.b64encode(data).decode())
        assert found["code"] == "", found["message"]
        return found

    def memory(self) -> int:
        """Return the most memory that Node.js has had, in bytes."""
        return int(self._say("memory")["peak"])


def python_code(data: bytes) -> str:
    """Return the word of the Python reader for what is wrong with a bundle; empty for a valid one."""
    import io

    try:
        reader.read_bundle(io.BytesIO(data))
    except reader.BundleError as error:
        assert str(error)
        return error.code
    return ""
