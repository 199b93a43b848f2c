"""Setting up: a placement where there is one, a reason where there is none; equal to trying everything."""

import itertools
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.errors import UnknownNameError
from studio.model import (
    Distance,
    Force,
    Formation,
    MapUse,
    Paint,
    ScenarioDocument,
    ScenarioModel,
    SetUp,
    UnitRecord,
)
from studio.rules.set_up_flow import Fit, Limits, Load, Misfit, fit
from studio.rules.setting_up import SetUpAnswer, placing_step, set_up_answer
from studio.survey import area_cells, on_edge

MILITIA, TANK, TRUCK = "rebel.militia", "isil.bmp_2", "other.truck"


def board(columns: int = 3, rows: int = 3) -> Map:
    made = studio.new_map("armageddon_war", columns=columns, rows=rows)
    made.apply(Paint(plane="terrain", cells=[1, 4], values=["dense_woods"]))
    made.apply(Paint(plane="terrain", cells=[5], values=["river"]))
    return made


BOARD = board()
LABELS = BOARD.labels.all()


def scenario(forces: Sequence[Force]) -> ScenarioDocument:
    return ScenarioDocument(ruleset="armageddon_war", map=MapUse(file="m"), forces=list(forces))


def answer(made: Map, document: ScenarioDocument, **options: Any) -> SetUpAnswer:
    return set_up_answer(document, made.survey, made.ruleset, **options)


# -- the plain definition ----------------------------------------------------------------------------------------------


def counters_of(document: ScenarioDocument) -> list[tuple[str, UnitRecord, Formation, Force]]:
    return [
        (unit.id, unit, part, force)
        for force in document.forces
        for part in force.formations
        for unit in part.units
        for _ in range(unit.count)
    ]


@lru_cache(maxsize=1000)
def _hexes_of(area: SetUp) -> frozenset[int]:
    return frozenset(area_cells(BOARD.survey, area, range(BOARD.grid.cells)))


def hexes_of(made: Map, area: SetUp) -> frozenset[int]:
    assert made is BOARD
    return _hexes_of(area)


def is_legal(made: Map, document: ScenarioDocument, where: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether counters stand as all rules together want it, rule by rule."""
    ruleset, survey, cell = made.ruleset, made.survey, made.labels.cell
    roster = ruleset.scenario.roster()
    placed = [
        (unit, part, force, cell(label))
        for force in document.forces
        for part in force.formations
        for unit in part.units
        for label in (where[unit.id] if unit.id in where else [unit.at] * unit.count)
    ]
    stacks = Counter((force.id, at) for unit, _, force, at in placed if ruleset.scenario.stacks(roster[unit.type]))
    if any(number > ruleset.catalogue.stacking for number in stacks.values()):
        return False
    for index, (unit, part, force, at) in enumerate(placed):
        if unit.id not in where:
            continue
        area = unit.where if unit.where is not None else part.where
        others = placed[:index] + placed[index + 1 :]
        if at not in hexes_of(made, area) or not ruleset.scenario.can_stand(roster[unit.type], survey, at):
            return False
        if any(place == at and other.id != force.id for _, _, other, place in others):
            return False
        if area.empty and any(
            place == at and one_part.id != part.id and (one.at or _order(other, one_part) < _order(force, part))
            for one, one_part, other, place in others
        ):
            return False
        if any(place == at and one_part.id in {*area.other_hex_than} - {part.id} for _, one_part, _, place in others):
            return False
        if not all(_kept(made, distance, (part, force, at), others) for distance in area.distances):
            return False
    free = [(unit, part) for _, unit, part, _ in counters_of(document) if unit.id in where]
    groups = {unit.id: (unit.where, [unit]) for unit, _ in free if unit.where is not None}
    for part in {part.id: part for _, part in free}.values():
        groups[part.id] = part.where, [unit for unit in part.units if unit.id in where and unit.where is None]
    return all(_group_kept(made, area, units, where) for area, units in groups.values() if units)


def _order(force: Force, part: Formation) -> int:
    return part.set_up_order or force.set_up_order


def _kept(made: Map, distance: Distance, own: tuple[Formation, Force, int], others: list[Any]) -> bool:
    part, force, at = own
    near = [
        made.grid.distance(at, place)
        for unit, other_part, other, place in others
        if unit.id in distance.units
        or other_part.id in distance.units
        or (other.id in distance.units and (unit.at or _order(other, other_part) < _order(force, part)))
    ]
    if not near:
        return True
    return min(near) >= distance.least and (distance.most is None or min(near) <= distance.most)


def _group_kept(made: Map, area: SetUp, units: Sequence[UnitRecord], where: Mapping[str, Sequence[str]]) -> bool:
    at = [made.labels.cell(label) for unit in units for label in where[unit.id]]
    counts = Counter(at)
    if area.most_in_hex and any(number > area.most_in_hex for number in counts.values()):
        return False
    if at and area.least_in_hex and any(counts[cell] < area.least_in_hex for cell in hexes_of(made, area)):
        return False
    if area.same == "hex":
        return len(counts) <= 1
    if area.same == "edge" and at:
        edges = area.edges or ("north", "east", "south", "west")
        return any(all(on_edge(made.grid, cell, edge) for cell in at) for edge in edges)
    return True


def tries(document: ScenarioDocument) -> Iterator[dict[str, tuple[str, ...]]]:
    """Yield every way to put the counters without a place on the board."""
    free = {unit.id: (unit, part) for _, unit, part, _ in counters_of(document) if not unit.at}
    ways = []
    for unit, part in free.values():
        area = unit.where if unit.where is not None else part.where
        labels = map(BOARD.labels.label, sorted(hexes_of(BOARD, area)))
        ways.append(list(itertools.combinations_with_replacement(labels, unit.count)))
    for chosen in itertools.product(*ways):
        yield dict(zip(free, chosen, strict=True))


hexes = st.lists(st.sampled_from(LABELS), max_size=4).map(tuple)


@st.composite
def set_ups(draw: st.DrawFn, names: Sequence[str]) -> SetUp:
    kind = draw(st.sampled_from(["plain", "plain", "distance", "distance", "group", "empty", "same", "shy"]))
    fields: dict[str, Any] = {"hexes": draw(hexes)}
    if kind == "distance":
        one = st.builds(
            Distance,
            units=st.lists(st.sampled_from(list(names)), min_size=1, max_size=2).map(tuple),
            least=st.integers(0, 2),
            most=st.one_of(st.none(), st.integers(1, 2)),
        )
        fields["distances"] = draw(st.lists(one, min_size=1, max_size=2).map(tuple))
    elif kind == "group":
        fields["most_in_hex"] = draw(st.integers(0, 2))
        fields["least_in_hex"] = draw(st.integers(0, 1))
    elif kind == "empty":
        fields["empty"] = True
    elif kind == "shy":
        fields["other_hex_than"] = (draw(st.sampled_from(["p1", "p2", "p3"])),)
    elif kind == "same":
        fields["same"] = draw(st.sampled_from(["hex", "edge"]))
    return SetUp(**fields)


@st.composite
def scenarios(draw: st.DrawFn) -> ScenarioDocument:
    names = ["red", "blue", "p1", "p2", "p3", "u1", "u2", "u3"]
    parts = []
    left = 4
    for number in range(1, draw(st.integers(1, 3)) + 1):
        count = draw(st.integers(1, min(3, left))) if left else 0
        left -= count
        if not count:
            break
        own = draw(st.booleans()) and draw(st.booleans())
        unit = UnitRecord(
            id=f"u{number}",
            type=draw(st.sampled_from([MILITIA, MILITIA, TANK, TRUCK])),
            count=count,
            where=draw(set_ups(names)) if own else None,
        )
        more = (
            (UnitRecord(id=f"f{number}", type=MILITIA, at=draw(st.sampled_from(LABELS))),)
            if draw(st.booleans())
            else ()
        )
        where = draw(set_ups(names))
        parts.append(
            Formation(
                id=f"p{number}",
                name=f"P{number}",
                units=(unit, *more),
                where=where,
                set_up_order=draw(st.integers(0, 2)),
            )
        )
    sides = draw(st.lists(st.booleans(), min_size=len(parts), max_size=len(parts)))
    red = tuple(part for part, side in zip(parts, sides, strict=True) if side)
    blue = tuple(part for part, side in zip(parts, sides, strict=True) if not side)
    forces = [
        Force(id="red", name="Red", formations=red),
        Force(id="blue", name="Blue", formations=blue, set_up_order=2),
    ]
    known = {part.id for part in parts} | {unit.id for part in parts for unit in part.units} | {"red", "blue"}
    return scenario([_only_known(force, known) for force in forces])


def _only_known(force: Force, known: set[str]) -> Force:
    def fixed(where: SetUp) -> SetUp:
        distances = tuple(
            Distance(units=units, least=one.least, most=one.most)
            for one in where.distances
            if (units := tuple(name for name in one.units if name in known))
        )
        return SetUp(**{**{f: getattr(where, f) for f in where.__struct_fields__}, "distances": distances})

    def part_of(part: Formation) -> Formation:
        units = tuple(
            UnitRecord(id=u.id, type=u.type, count=u.count, at=u.at, where=None if u.where is None else fixed(u.where))
            for u in part.units
        )
        return Formation(
            id=part.id, name=part.name, units=units, where=fixed(part.where), set_up_order=part.set_up_order
        )

    return Force(
        id=force.id, name=force.name, set_up_order=force.set_up_order, formations=tuple(map(part_of, force.formations))
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(document=scenarios())
def test_the_answer_is_that_of_trying_everything(document: ScenarioDocument) -> None:
    fixed_fine = True
    taken = Counter((force.id, unit.at) for _, unit, _, force in counters_of(document) if unit.at)
    if any(number > 2 for number in taken.values()):
        fixed_fine = False  # what the scenario has placed is over the limit already: nothing is legal
    found = answer(BOARD, document)
    possible = fixed_fine and any(is_legal(BOARD, document, where) for where in tries(document))
    if found.possible:
        assert is_legal(BOARD, document, found.placement) or not fixed_fine
    if fixed_fine:
        # Where it gave up it says so; it never answers wrongly.
        assert found.possible in (possible, None)
        assert found.possible is not None or "no set-up among" in found.reason
    if found.possible is False:
        assert found.reason


# -- flows -------------------------------------------------------------------------------------------------------------


@st.composite
def loads(draw: st.DrawFn) -> list[Load]:
    size = draw(st.integers(1, 5))
    chains = [(), (("units", 2),), (("hq", 1), ("units", 2))]
    found = []
    for number in range(draw(st.integers(1, 4))):
        mask = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
        chain = draw(st.sampled_from(chains))
        most, least = draw(st.integers(0, 2)), draw(st.integers(0, 1))
        found.append(Load(draw(st.integers(0, 3)), mask, chain, f"n{number}", f"g{number}", least, most, mask))
    return found


def fits(some: Sequence[Load], limits: Limits, where: Sequence[Sequence[int]]) -> bool:
    held: Counter[tuple[str, int]] = Counter()
    for load, places in zip(some, where, strict=True):
        counts = Counter(places)
        if len(places) != load.number or not all(load.mask[place] for place in places):
            return False
        for place in range(len(load.mask)):
            low = load.least if load.area is not None and load.area[place] else 0
            low = max(low, limits.lows.get((load.name, place), 0))
            high = min(load.most or 99, limits.caps.get((load.name, place), 99))
            if not low <= counts[place] <= high:
                return False
        held.update((name, place) for place in places for name, _ in load.chain)
    most = {name: number for load in some for name, number in load.chain}
    return all(number + limits.used.get(key, 0) <= most[key[0]] for key, number in held.items())


@settings(max_examples=200, deadline=None)
@given(some=loads(), data=st.data())
def test_flows_are_those_of_trying_everything(some: list[Load], data: st.DataObject) -> None:
    places = range(len(some[0].mask))
    at = st.tuples(st.sampled_from([load.name for load in some]), st.sampled_from(places))
    limits = Limits(
        data.draw(st.dictionaries(st.tuples(st.just("units"), st.sampled_from(places)), st.integers(0, 2), max_size=2)),
        data.draw(st.dictionaries(at, st.integers(0, 2), max_size=2)),
        data.draw(st.dictionaries(at, st.integers(1, 1), max_size=1)),
    )
    ways = [
        list(itertools.combinations_with_replacement(np.flatnonzero(load.mask).tolist(), load.number)) for load in some
    ]
    possible = any(fits(some, limits, where) for where in itertools.product(*ways))
    found = fit(some, limits, random.Random(1))
    assert isinstance(found, Fit) == possible
    if isinstance(found, Fit):
        assert fits(some, limits, found.places)
    elif not found.group and found.loads:
        # The reason holds by itself: these loads alone do not fit, whatever the others do.
        alone = [some[number] for number in found.loads]
        assert isinstance(fit(alone, limits), Misfit)
        assert found.number > found.room


# -- answers -----------------------------------------------------------------------------------------------------------


def one_force(*parts: Formation, **fields: Any) -> ScenarioDocument:
    return scenario([Force(id="red", name="Red", formations=parts, **fields)])


def squad(name: str, count: int, where: SetUp, kind: str = MILITIA, **fields: Any) -> Formation:
    return Formation(
        id=name, name=name.title(), units=(UnitRecord(id=f"{name}-u", type=kind, count=count),), where=where, **fields
    )


def test_too_little_room_is_told_with_units_and_places() -> None:
    made = board(6, 6)
    here = SetUp(hexes=("0301", "0302", "0303", "0304", "0305"))
    found = answer(made, one_force(squad("first", 9, here), squad("second", 4, here), squad("third", 2, SetUp())))
    assert found.possible is False
    assert found.reason.startswith("First, Second: 13 units in 5 hexes that hold 10 (")
    assert (set(found.units), set(found.places), found.missing) == ({"first-u", "second-u"}, set(here.hexes), 3)
    assert not found
    assert "not possible" in repr(found)


def test_ground_that_a_vehicle_cannot_enter_is_told() -> None:
    found = answer(BOARD, one_force(squad("tanks", 1, SetUp(terrain=("dense_woods",)), TRUCK)))
    assert found.possible is False
    assert "(tanks-u) can stand in none of the 2 hexes of its area; it moves as wheeled" in found.reason
    nowhere = answer(BOARD, one_force(squad("lost", 1, SetUp(terrain=("marsh",)))))
    assert nowhere.reason == "Lost: there is no place in the area of lost-u"


def test_places_that_must_hold_more_than_there_is_are_told() -> None:
    found = answer(BOARD, one_force(squad("thin", 2, SetUp(hexes=("0101", "0301", "0303"), least_in_hex=1))))
    assert found.reason == "Thin: 3 hexes must hold 1 each, and there are 2 counters"


def test_what_must_be_loaded_rides_in_the_transports_of_its_formation() -> None:
    def convoy(trucks: int, foot: int, loaded: Any = "must") -> ScenarioDocument:
        units = (UnitRecord(id="truck", type=TRUCK, count=trucks), UnitRecord(id="foot", type=MILITIA, count=foot))
        return one_force(Formation(id="c", name="Convoy", units=units, where=SetUp(hexes=("0101",)), loaded=loaded))

    found = answer(BOARD, convoy(2, 2))
    assert found.placement == {"truck": ("0101", "0101"), "foot": ("0101", "0101")}
    assert found.aboard == {"foot": ("truck", "truck")}
    none = answer(BOARD, convoy(1, 2))
    assert (none.reason, none.missing) == ("Convoy: 2 units must be loaded, and it has seats for 1", 1)
    # What may be loaded is where it would not fit otherwise.
    assert answer(BOARD, convoy(2, 2, "may")).aboard == {"foot": ("truck", "truck")}
    assert answer(BOARD, convoy(1, 1, "may")).aboard == {}


def test_what_enters_needs_an_entry_and_no_room_to_stay() -> None:
    many = squad("column", 9, SetUp(hexes=("0101",), same="hex"), arrival="enter")
    assert answer(BOARD, one_force(many)).placement == {"column-u": ("0101",) * 9}
    shut = answer(BOARD, one_force(squad("column", 1, SetUp(terrain=("dense_woods",)), TRUCK, arrival="enter")))
    assert shut.possible is False


def test_edges_that_are_shared_and_edges_that_are_not() -> None:
    made = studio.new_map("armageddon_war", columns=4, rows=4)
    side = SetUp(edges=("east", "west"), same="edge")
    parts = [
        squad("a", 3, side, arrival="enter"),
        squad("b", 3, SetUp(edges=("east", "west"), same_edge_as=("a",)), arrival="enter"),
        squad("c", 3, SetUp(edges=("east", "west"), other_edge_than=("a",)), arrival="enter"),
    ]
    for seed in range(5):
        found = answer(made, one_force(*parts), rng=random.Random(seed))
        columns = {name: {label[:2] for label in labels} for name, labels in found.placement.items()}
        assert len(columns["a-u"]) == 1
        assert columns["b-u"] == columns["a-u"]
        assert not columns["c-u"] & columns["a-u"]


def test_a_force_or_a_formation_is_asked_by_itself() -> None:
    red = Force(
        id="red", name="Red", formations=(squad("a", 1, SetUp(hexes=("0101",))), squad("b", 9, SetUp(hexes=("0101",))))
    )
    blue = Force(id="blue", name="Blue", formations=(squad("c", 1, SetUp()),), set_up_order=2)
    document = scenario([red, blue])
    assert answer(BOARD, document).possible is False
    assert answer(BOARD, document, force="blue").placement.keys() == {"c-u"}
    assert answer(BOARD, document, formation="a").placement == {"a-u": ("0101",)}


def test_ten_thousand_units_are_answered_within_seconds() -> None:
    made = studio.new_map("armageddon_war", columns=150, rows=150)
    parts = [
        squad(f"p{number}", 10, SetUp(hexes=(made.labels.label(number * 20),), within=8)) for number in range(1000)
    ]
    start = time.perf_counter()
    found = answer(made, one_force(*parts))
    assert time.perf_counter() - start < 20  # half a minute would be no answer at once; it takes a few seconds
    assert found.possible
    stacks = Counter(label for labels in found.placement.values() for label in labels)
    assert (sum(stacks.values()), max(stacks.values())) == (10_000, 2)


# -- placing -----------------------------------------------------------------------------------------------------------


def test_counters_that_go_apart_become_records_of_their_own() -> None:
    units = (
        UnitRecord(id="truck", type=TRUCK, count=3),
        UnitRecord(id="truck-2", type=TRUCK),
        UnitRecord(id="foot", type=MILITIA, count=3),
    )
    document = one_force(Formation(id="c", name="Convoy", units=units))
    step = placing_step(document, {"truck": ("0101", "0101", "0303")}, {"foot": ("truck",) * 3})
    model = ScenarioModel(document)
    model.perform(step)
    made = {
        unit.id: (unit.count, unit.at, unit.carried_by) for unit in model.to_document().forces[0].formations[0].units
    }
    assert made == {
        "truck": (2, "0101", ""),
        "truck-2": (1, "", ""),
        "truck-3": (1, "0303", ""),
        "foot": (2, "", "truck"),
        "foot-2": (1, "", "truck-3"),
    }
    with pytest.raises(UnknownNameError, match="no unit 'truk'; did you mean 'truck'"):
        placing_step(document, {"truk": "0101"})


@pytest.mark.parametrize("name", ["armageddon-01", "tactics-02", "tactics-08", "phantom-fury"])
def test_a_set_up_by_chance_is_legal_reproducible_and_one_step(name: str) -> None:
    opened = studio.open_scenario(f"scenarios/{name}.scenario.json", recover_unsaved=False)
    before, steps, before_units = opened._text(), len(opened.history), opened.units_of()
    found = opened.random_set_up(11)
    assert found.possible
    assert found == opened.random_set_up(11)
    others = [opened.random_set_up(seed) for seed in range(12, 18)]
    assert all(others)
    assert any(other.placement != found.placement for other in others)
    opened.place_set_up(found)
    enters = {u.id for f in opened.document.forces for p in f.formations if p.arrival == "enter" for u in p.units}
    assert {u.id for u in opened.units_of() if u.at or u.carried_by} & enters == {
        u.id for u in before_units if u.id in enters and (u.at or u.carried_by)
    }
    opened.undo()
    opened.place_set_up(found, entering=True)
    assert len(opened.history) == steps + 1
    assert opened.set_up_answer().placement == {}
    assert opened.set_up_answer().possible
    opened.undo()
    assert opened._text() == before


def test_chance_reaches_every_set_up() -> None:
    document = one_force(squad("pair", 2, SetUp(hexes=("0101", "0102", "0301"), most_in_hex=1)))
    seen = Counter(
        tuple(sorted(answer(BOARD, document, rng=random.Random(seed)).placement["pair-u"])) for seed in range(300)
    )
    assert len(seen) == 3
    assert min(seen.values()) > 60
