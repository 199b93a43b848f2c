"""What pyproject.toml asks for is pinned for `make` and CI, within its bounds."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement

from tests.project.tree import ROOT


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def asked_for() -> Iterator[Requirement]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = settings["project"]
    for text in [*settings["build-system"]["requires"], *project["dependencies"]]:
        yield Requirement(text)
    for extra in project["optional-dependencies"].values():
        yield from (need for need in map(Requirement, extra) if need.name != project["name"])


PINS = {
    normal(name): version
    for name, version in re.findall(
        r"^([\w.-]+)==(\S+)$", (ROOT / ".ci" / "constraints.txt").read_text("utf-8"), re.MULTILINE
    )
}


@pytest.mark.parametrize("need", list(asked_for()), ids=lambda need: need.name)
def test_requirement_is_pinned_within_its_bounds(need):
    assert normal(need.name) in PINS, f"{need.name} has no pin in .ci/constraints.txt"
    assert PINS[normal(need.name)] in need.specifier


def test_pins_are_sorted_and_exact():
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.]+", line) for line in pins)
    assert [line.split("==")[0] for line in pins] == sorted(line.split("==")[0] for line in pins)
