#!/usr/bin/env python3
"""Hold a reader of bundles to the conformance corpus.

    python run.py                          # the reader in Python that comes with the studio
    python run.py -- node my-reader.mjs    # any program: it is given a file, and ends with 0 when it takes the bundle

A program of one's own must take every valid bundle and refuse every broken one. One that prints a line ``code=WORD``
when it refuses is held to the words of the corpus too.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parents[1] / "studio" / "files")]

Answer = tuple[str, str, dict[str, Any]]
"""``valid`` or ``broken``, the word for the fault, and what was found in a valid bundle."""


def ours(file: Path) -> Answer:
    """Ask the reader in Python."""
    reader = importlib.import_module("reader")
    try:
        bundle = reader.read_bundle(file)
    except reader.BundleError as error:
        return "broken", error.code, {}
    labels = [location["label"] for location in bundle.locations]
    some = [labels[0], labels[len(labels) // 3], labels[-1]]
    steps = (
        [bundle.steps(label, mover) for label in labels for mover in bundle.ruleset["movers"]]
        if bundle.has_steps
        else []
    )
    facts = {
        "title": bundle.title,
        "ruleset": bundle.manifest["ruleset"],
        "locations": len(labels),
        "first": labels[0],
        "last": labels[-1],
        "neighbours": sum(len(location["neighbours"]) for location in bundle.locations),
        "sides": len(bundle.sides),
        "kinds": len(bundle.roster),
        "units": sum(unit["count"] for unit in (bundle.setup or {"units": []})["units"]),
        "steps": sum(map(len, steps)),
        "sight": [[a, b, bundle.sight(a, b)] for a in some for b in some] if bundle.has_sight else [],
    }
    return "valid", "", facts


def program(command: list[str]) -> Callable[[Path], Answer]:
    """Return what asks a program."""

    def ask(file: Path) -> Answer:
        done = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
        said = re.search(r"^code=(\S+)", done.stdout + "\n" + done.stderr, re.MULTILINE)
        return ("broken" if done.returncode else "valid"), (said[1] if said else ""), {}

    return ask


def main(arguments: list[str]) -> int:
    """Hold a reader to the corpus; return how many bundles it judges wrongly, 1 at most."""
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    ask = program(command) if command else ours
    bundles = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))["bundles"]
    wrong = 0
    for one in bundles:
        begun = time.perf_counter()
        verdict, code, facts = ask(HERE / one["file"])
        taken = time.perf_counter() - begun
        faults = []
        if verdict != one["verdict"]:
            faults.append(f"found {verdict}, is {one['verdict']}")
        elif code and code != one.get("code"):
            faults.append(f"named {code}, is {one.get('code')}")
        faults += [
            f"{key} is {value!r}" for key, value in one.get("facts", {}).items() if facts and facts[key] != value
        ]
        if faults:
            wrong += 1
            print(f"{one['file']}: {'; '.join(faults)} ({taken:.2f} s)")
    print(f"{len(bundles) - wrong} of {len(bundles)} bundles judged rightly")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
