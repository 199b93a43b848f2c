"""Every map check finds its fault at its place, and a sound map has no findings."""

from collections.abc import Callable

import pytest

from studio.api import Map
from studio.checks import CATALOGUE, Findings
from studio.model import SetSide
from tests.checks.test_places import PLACE_FAULTS, TOWN_FAULTS
from tests.sight.maps import small_map


def sound() -> Map:
    """Return a map with some of everything and nothing wrong."""
    made = small_map(10, 10, river="0503 0504", wadi="0205 0206", light_urban="0808")
    made.paint("0302", level=1)
    made.set_side("0204", "0205", "wadi_end").set_side("0707", "0708", ["fence", "breached_fence"])
    made.add("road", path=["1008", "0908", "0808"])
    made.add("crest", path=["0609", "0709"])
    x, y = made.grid.centre(made.labels.cell("0901"))
    made.add("contour", level=1, line=[[x, y], [x + 90, y], [x, y + 90], [x, y]])
    made.add("name", text="Hamlet", at=[x, y])
    made.add("marker", type="barricade", at="0808")
    made.set("sources", [{"title": "drawn for the tests"}])
    return made


def found(map_: Map) -> list[tuple[str, str, str]]:
    return [(finding.rule, finding.at, finding.severity) for finding in map_.check()]


def test_a_sound_map_has_no_findings() -> None:
    findings = sound().check()
    assert findings == []
    assert str(findings) == "no findings"
    assert "no findings" in findings._repr_html_()


def alter_levels(map_: Map) -> None:
    map_.model.levels.flat[map_.labels.cell("0705")] = 9  # past the API, as a hand-edited file would


def alter_side(map_: Map) -> None:
    map_.model.perform(SetSide(a=0, b=1, kinds=("moat",)))


FAULTS: dict[str, tuple[Callable[[Map], object], str]] = {
    "map.level_range": (alter_levels, "0705"),
    "map.level_step": (lambda m: m.paint("0606", level=2), "0606"),
    "map.side_known": (alter_side, "0101/0201"),
    "map.side_pair": (lambda m: m.set_side("0101", "0102", "breached_fence"), "0101/0102"),
    "map.wadi_end": (lambda m: m.set_side("0205", "0206", "wadi_end"), "0205/0206"),
    "map.wadi_reachable": (lambda m: m.paint("0906", terrain="wadi"), "0906"),
    "map.river_continuous": (lambda m: m.paint("0906", terrain="river"), "0906"),
    "map.road_end": (lambda m: m.add("road", path=["0808", "0807", "0806"]), "0806"),
    "map.contour_closed": (lambda m: m.add("contour", id="c", level=1, line=[[900, 900], [1200, 1300]]), "c"),
    "map.contour_level": (
        lambda m: m.add("contour", id="c", level=-1, line=[[900, 900], [950, 900], [900, 950], [900, 900]]),
        "c",
    ),
    "map.marker": (lambda m: m.add("marker", type="barricade", at="0909"), "0909"),
    "map.marker_once": (lambda m: m.add("marker", type="barricade", at="0808"), "0808"),
    "map.name_inside": (lambda m: m.add("name", id="lost", text="Atlantis", at=[-900, 0]), "lost"),
    "map.sources": (lambda m: m.set("sources", []), "sources"),
}


@pytest.mark.parametrize("rule", FAULTS)
def test_a_seeded_fault_is_found_at_its_place(rule: str) -> None:
    map_ = sound()
    alter, place = FAULTS[rule]
    alter(map_)
    hits = {(name, severity) for name, at, severity in found(map_) if at.startswith(place)}
    assert (rule, CATALOGUE[rule].severity) in hits
    assert all(finding.message and finding.remedy for finding in map_.check())


def test_unknown_terrain_is_found() -> None:
    map_ = sound()
    map_.model.terrain_ids[map_.model.terrain_ids.index("clear")] = "grass"
    assert ("map.terrain_known", "0101", "error") in found(map_)


def test_every_map_check_has_a_seeded_fault() -> None:
    faults = {*FAULTS, *PLACE_FAULTS, *TOWN_FAULTS, "map.terrain_known"}
    assert {rule for rule, info in CATALOGUE.items() if info.about == "map"} == faults


def test_findings_as_data_and_as_a_table() -> None:
    map_ = small_map()
    map_.add("name", id="n", text="<script>alert(1)</script>", at=[-10, 0])
    findings = map_.check()
    assert isinstance(findings, Findings)
    data = findings.to_dict()["findings"]
    assert all(set(entry) == {"severity", "file", "at", "rule", "message", "remedy"} for entry in data)
    assert "<script>" not in findings._repr_html_()
