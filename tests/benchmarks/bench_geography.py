"""Geography: the samples made anew, step by step; the same country with more hexes; what the bars ask of rivers."""

import time
from pathlib import Path

import msgspec

from studio.exchange.geography import Geography, read_spec
from studio.exchange.geography.build import Made, build
from studio.exchange.geography.spec import BoxRule, GridRule
from tests.benchmarks.measure import row

ROOT = Path(__file__).parents[2]
IRAN_IRAQ = ROOT / "maps" / "geography" / "iran-iraq"
HELSINKI = ROOT / "maps" / "geography" / "helsinki"


def timed(spec: Geography, folder: Path) -> tuple[Made, dict[str, float]]:
    """Return what was made, and the seconds that each step took."""
    steps: dict[str, float] = {}
    began, running = time.perf_counter(), "fit"

    def tell(step: str, _part: float) -> None:
        nonlocal began, running
        now = time.perf_counter()
        steps[running] = steps.get(running, 0.0) + now - began
        began, running = now, step

    return build(spec, folder, progress=tell), steps


def finer(spec: Geography, metres: float) -> Geography:
    """Return a specification without its printed grid, with hexes of another size, and nothing that names a hex."""
    grid = GridRule(hex_size=metres, box=BoxRule(west=43.2, south=29.4, east=51.4, north=37.2))
    listed = tuple(
        msgspec.structs.replace(town, at="")
        for town in spec.towns.listed
        if not town.at or town.place or town.lon is not None
    )
    names = {town.name for town in listed}
    roads = tuple(
        msgspec.structs.replace(road, through=through)
        for road in spec.roads
        if len(through := tuple(stop for stop in road.through if stop in names)) > 1
    )
    towns = msgspec.structs.replace(spec.towns, listed=listed)
    return msgspec.structs.replace(
        spec, grid=grid, fit=None, towns=towns, roads=roads, areas=(), overrides=(), overrides_file=""
    )


def told(what: str, spec: Geography, folder: Path) -> None:
    """Print the figures of one import."""
    made, steps = timed(spec, folder)
    figures = made.work.report.figures
    row(f"{what}: {figures['hexes']:.0f} hexes", sum(steps.values()), "s", "under 10 s for 2 200 hexes")
    for step, seconds in sorted(steps.items(), key=lambda one: -one[1])[:5]:
        row(f"  of it {step}", seconds, "s")
    if "towns_by_rivers" in figures:
        row("  cycles of rivers that are none in the world", figures["river_cycles"] - figures["true_cycles"], "", "0")
        row("  towns by rivers", figures["towns_by_rivers"], "")
        row("  of them on the wrong bank", figures["wrong_banks"], "", "0")
        row("  by cheapest ways alone", figures["plain_wrong_banks"], "")


def main() -> None:
    """Print the figures."""
    campaign = read_spec(IRAN_IRAQ / "iran-iraq.geography.toml")
    told("Iran and Iraq, first run with its imports", campaign, IRAN_IRAQ)
    told("Iran and Iraq", campaign, IRAN_IRAQ)
    told("the same, 20 km a hex", finer(campaign, 20_000), IRAN_IRAQ)
    told("the same, 10 km a hex", finer(campaign, 10_000), IRAN_IRAQ)
    told("a quarter of Helsinki", read_spec(HELSINKI / "helsinki.geography.toml"), HELSINKI)


if __name__ == "__main__":
    main()
