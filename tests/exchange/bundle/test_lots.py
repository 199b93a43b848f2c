"""Objectives about what is only drawn: lots of a cup are no units yet, and a bundle says so."""

from __future__ import annotations

from pathlib import Path

import studio
from studio.files.reader import read_bundle

ROOT = Path(__file__).parents[3]


def test_an_objective_may_be_about_a_lot_of_a_cup(tmp_path: Path) -> None:
    raid = studio.open_scenario(ROOT / "scenarios" / "tactics-05.scenario.json", recover_unsaved=False)
    (lot,) = [lot for pool in raid.document.pools for lot in pool.lots if lot.id]
    about = [one.id for one in raid.document.objectives if lot.id in one.of]
    assert about == ["capture-qasim", "exit-qasim"]
    bundle = read_bundle(str(raid.export(tmp_path / "raid.bundle.zip", sight=False, preview=False)))
    assert bundle.scenario is not None
    assert [one["id"] for one in bundle.scenario["objectives"] if lot.id in one.get("of", [])] == about
    assert bundle.setup is not None
    resolved = {one["id"]: one for one in bundle.setup["objectives"]}
    assert all(resolved[name]["units"] == [] for name in about)
    assert resolved["exit-unit"]["units"]
