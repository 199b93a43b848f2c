"""Write exports/conformance: ``python -m tests.exchange.bundle.corpus [FOLDER]``."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from studio.files.reader import read_bundle
from tests.exchange.bundle.broken import BROKEN
from tests.exchange.bundle.packing import facts_of
from tests.exchange.bundle.valid import VALID
from tests.project.tree import ROOT

FOLDER = ROOT / "exports" / "conformance"


def write_corpus(
    folder: Path = FOLDER, *, valid: Iterable[str] = VALID, broken: Iterable[str] = BROKEN
) -> dict[str, Any]:
    """Write bundles, all by default, and the manifest; return what the manifest holds."""
    listed: list[dict[str, Any]] = []
    for kind in ("valid", "broken"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for old in (folder / kind).glob("*.zip"):
            old.unlink()
    for name in valid:
        about, make = VALID[name]
        data = make()
        file = folder / "valid" / f"{name}.bundle.zip"
        file.write_bytes(data)
        facts = facts_of(read_bundle(io.BytesIO(data)))
        listed.append({"file": f"valid/{file.name}", "verdict": "valid", "about": about, "facts": facts})
    for name in broken:
        code, make = BROKEN[name]
        file = folder / "broken" / f"{name}.bundle.zip"
        file.write_bytes(make())
        listed.append({"file": f"broken/{file.name}", "verdict": "broken", "code": code})
    manifest = {"format": "wargame-studio/conformance", "version": 1, "bundles": listed}
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in listed)
    text = f'{{"format": "{manifest["format"]}", "version": 1, "bundles": [\n{lines}\n]}}\n'
    (folder / "manifest.json").write_text(text, encoding="utf-8", newline="\n")
    return manifest


if __name__ == "__main__":
    made = write_corpus(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
    print(f"{len(made['bundles'])} bundles written")
