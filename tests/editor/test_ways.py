"""Movement, supply and command beside the map: what the browser asks, what is drawn, and what the panels say."""

from __future__ import annotations

import ast
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.draw import draw_interdiction, draw_reach, draw_route, draw_supply
from studio.draw.ink import ink_of_answer
from studio.editor import MapEditor, ScenarioEditor
from studio.editor.panels.ruling import option_fields
from studio.editor.ways import journey_of, supply_of
from studio.rules import get_ruleset

ROOT = Path(__file__).parents[2]
MAPS, DOCS, RULES = ROOT / "maps", ROOT / "docs", ROOT / "studio" / "rules"
GAMES = ("armageddon_war", "ignorant_armies", "modern_tactics", "phantom_fury", "urban_operations")


class Asked:
    """An editor, with what it sends and lays over the map."""

    def __init__(self, document: Any, **about: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        self.overlays: dict[str, Any] = {}
        kind = MapEditor if isinstance(document, studio.Map) else ScenarioEditor
        self.editor = kind(document, **about)
        self.editor.send = lambda message, buffers=None: self.sent.append(json.loads(json.dumps(message)))
        self.editor.overlay = lambda name, ink, **_: self.overlays.__setitem__(name, ink)  # type: ignore[method-assign]

    def post(self, type_: str, **about: Any) -> dict[str, Any]:
        self.sent.clear()
        self.editor._on_message(self.editor, {"type": type_, "client": "me", **about}, [])
        (answer,) = [message for message in self.sent if message["type"] == type_]
        return answer

    def set(self, panel: str, name: str, value: Any) -> None:
        self.editor.desk[panel].act("set", {"id": name, "value": value})

    def words(self, panel: str) -> str:
        return json.dumps(self.editor.desk[panel].nodes(), ensure_ascii=False)

    def ink(self, name: str) -> Any:
        """What is drawn once all is."""
        asked: Any = journey_of(self.editor) if name == "ways" else supply_of(self.editor)
        until(lambda: asked._picture.settled)
        return self.overlays.get(name)

    @property
    def journey(self) -> Any:
        return journey_of(self.editor)

    @property
    def supply(self) -> Any:
        return supply_of(self.editor)


def until(true: Callable[[], bool], most: float = 30.0) -> None:
    end = time.monotonic() + most
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def ask() -> Iterator[Callable[..., Asked]]:
    made: list[Asked] = []

    def make(document: Any, **about: Any) -> Asked:
        made.append(Asked(document, **about))
        return made[-1]

    yield make
    for one in made:
        one.editor.close()


def shipped(name: str) -> Any:
    return studio.open_map(MAPS / f"{name}.map.json", recover_unsaved=False)


def front() -> Any:
    return studio.open_scenario(ROOT / "scenarios" / "practice-front.scenario.json", recover_unsaved=False)


def own_game(name: str, folder: Path) -> Any:
    """One of the two games of the page about games of one's own."""
    files = re.findall(r"```toml\n(.*?)```", (DOCS / "own-game.md").read_text("utf-8"), re.DOTALL)
    (text,) = [text for text in files if f'id = "{name}"' in text]
    path = folder / f"{name}.ruleset.toml"
    path.write_text(text, "utf-8")
    return studio.load_ruleset(path)


# -- movement ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        ("tactics-1", "Y10", "FF10"),
        ("urban-1", "1.1", "0505"),
        ("phantom-fury", "40 1", "47 1"),
        ("armageddon-1", "G9", "T9"),
    ],
)
def test_reach_and_route_are_those_of_the_map(name: str, a: str, b: str, ask: Callable[..., Asked]) -> None:
    document = shipped(name)
    one = ask(document)
    mover = one.journey.mover
    assert one.post("ways", a=a, b="")["client"] == "me"
    reach = document.reach(a, mover=mover)
    assert one.journey.reach.costs == reach.costs
    assert str(reach.text).splitlines()[0] in one.words("ways")
    assert one.ink("ways").groups == ink_of_answer(draw_reach, document, reach).groups
    one.post("ways", a=a, b=b)
    route = document.route(a, b, mover=mover)
    assert one.journey.route.text == route.text
    assert ("Can go" if route.found else "Cannot go") in one.words("ways")
    assert one.ink("ways").groups == ink_of_answer(draw_route, document, route).groups
    one.post("ways", a="", b="")
    assert one.ink("ways") is None
    assert "No start chosen yet" in one.words("ways")


def test_what_holds_changes_the_answer_and_faults_are_told(ask: Callable[..., Asked]) -> None:
    desert = studio.new_map("armageddon_war", columns=9, rows=7)
    one = ask(desert)
    one.post("ways", a="0103", b="0903")
    cost = one.journey.route.cost
    desert.paint(["0502", "0503", "0504"], terrain="dense_woods")
    one.post("ways", a="0103", b="0903")
    assert one.journey.route.cost >= cost
    one.set("ways", "points", "1")
    assert not one.journey.route.found
    for wrong in ("many", "-1", "1/3", "9" * 400, "\u202e\u0663"):
        one.set("ways", "points", wrong)
        assert one.journey.fault, wrong
        assert one.ink("ways") is None
        assert '"tone": "error"' in one.words("ways")
    one.set("ways", "points", " 7/2 ")
    assert not one.journey.fault
    one.set("ways", "enemies", "0999, <b>")
    assert "0999" in one.journey.fault
    one.set("ways", "enemies", "")
    one.set("ways", "mover", "tracked")
    assert one.journey.reach is None and one.journey.route.mover == "tracked"
    one.post("ways", a="nowhere", b="0903")
    assert "nowhere" in one.journey.fault


def test_a_place_that_is_gone_does_not_spoil_the_panel(ask: Callable[..., Asked]) -> None:
    town = studio.new_map("urban_operations", columns=8, rows=7)
    room = town.add("area", type="room", outline=[(480, 480), (3000, 480), (3000, 2400), (480, 2400)], name="9.1")
    one = ask(town)
    one.post("ways", a="9.1", b="")
    assert one.journey.reach is not None
    town.remove(room)
    assert "9.1" in one.words("ways")  # the answer before, without a way to what is not there
    one.post("ways", a="9.1", b="")
    assert "9.1" in one.journey.fault


def test_in_a_scenario_the_unit_at_the_start_moves_past_the_enemies(ask: Callable[..., Asked]) -> None:
    scenario = front()
    one = ask(scenario)
    unit = scenario.unit("inf-11")
    one.post("ways", a=unit.at, b="2210")
    assert one.journey.unit == "inf-11"
    route = scenario.route("inf-11", "2210")
    assert one.journey.route.text == route.text and not route.found  # an enemy stands there
    assert "inf-11" in one.words("ways")
    # It goes as far as its counter says; where nothing says how far, all is shown, and told.
    one.post("ways", a=unit.at, b="")
    assert one.journey.reach.costs == scenario.reach("inf-11").costs
    one.post("ways", a="1908", b="")
    assert one.journey.unit == "armor-6"
    assert "2210" not in one.journey.reach.costs and len(one.journey.reach.costs) > 20
    assert "Nothing says how far it can move" in one.words("ways")
    one.set("ways", "points", "3")
    assert one.journey.reach.costs == scenario.reach("armor-6", "3").costs
    assert "Nothing says" not in one.words("ways")
    one.post("ways", a=unit.at, b="")
    # Without a unit the enemies of a side are in the way, or none.
    one.set("ways", "points", "")
    one.set("ways", "unit", "")
    one.post("ways", a=unit.at, b="2210")
    assert one.journey.unit == "" and not one.journey.route.found
    one.set("ways", "side", "")
    assert one.journey.route.found
    one.post("ways", a="1908", b="")
    assert one.journey.unit == "armor-6"  # a new start: who stands there
    scenario.remove_force("iraq")
    one.post("ways", a="1908", b="")
    assert one.journey.unit == "" and one.journey.reach is not None


def test_a_game_without_movement_supply_or_sight_has_no_tools(tmp_path: Path, ask: Callable[..., Asked]) -> None:
    path = tmp_path / "still_war.ruleset.toml"
    path.write_text(
        'id = "still_war"\ntitle = "Still War"\nlevels = [0, 1]\nsight = false\n[terrain.a]\nname = "A"\nchar = "."\n'
    )
    made = studio.new_map(studio.load_ruleset(path), columns=4, rows=3)
    made.save(tmp_path / "still.map.json")
    for document in (made, studio.new_scenario(made, title="Still")):
        one = ask(document)
        catalogue = one.editor.get_state()["catalogue"]
        assert not catalogue["movement"] and not catalogue["supply"] and not catalogue["sight"]
        assert not {"ways", "supply", "sight"} & set(one.editor.desk.panels)


def test_the_tools_of_the_games(tmp_path: Path, ask: Callable[..., Asked]) -> None:
    for game in GAMES:
        made = studio.new_map(game, columns=6, rows=5)
        made.save(tmp_path / f"{game}.map.json")
        rules = made.ruleset
        one, other = ask(made), ask(studio.new_scenario(made, title="Trial"))
        assert ("ways" in one.editor.desk.panels) == rules.has_movement
        assert "supply" not in one.editor.desk.panels  # a map has no sides
        assert ("supply" in other.editor.desk.panels) == (rules.has_supply or hasattr(rules.scenario, "command"))
        assert ("sight" in other.editor.desk.panels) == rules.has_sight == (game != "ignorant_armies")
        if "supply" in other.editor.desk.panels:
            other.post("supply")
            assert "no sides yet" in other.words("supply")
            other.editor.subject.add_force("Late")
            other.post("supply")
            assert other.supply.side and not other.supply.fault


# -- supply and command ------------------------------------------------------------------------------------------------


def test_supply_is_that_of_the_scenario_and_follows_an_enemy_that_is_dragged(ask: Callable[..., Asked]) -> None:
    scenario = front()
    one = ask(scenario)
    said = one.post("supply", lift="", drop="")
    assert (said["lift"], said["drop"], said["moved"]) == ("", "", [])
    supply = scenario.supply("iraq")
    assert one.supply.answer.out_of_supply == supply.out_of_supply == ["armor-10"]
    assert one.ink("supply").groups == ink_of_answer(draw_supply, scenario, supply).groups
    before = scenario.document
    # inf-28 stands at 1507; at 1106 it would cut off two.
    said = one.post("supply", lift="1507", drop="1106")
    assert said["moved"] == ["inf-28"]
    cut = sorted(set(one.supply.answer.out_of_supply) - set(supply.out_of_supply))
    assert cut and "cut off by this: " in one.words("supply")
    assert "What if the enemy of 1507 stood at 1106?" in one.words("supply")
    assert one.ink("supply").groups != ink_of_answer(draw_supply, scenario, supply).groups
    assert scenario.document == before and not scenario.dirty
    # One more enemy where none was taken up; then as it stands.
    said = one.post("supply", lift="1106", drop="1106")
    assert said["moved"] == []
    assert one.supply.answer.out_of_supply == scenario.supply("iraq", enemy_at=["1106"]).out_of_supply
    one.sent.clear()
    one.editor.desk["supply"].act("clear", {})
    (told,) = [message for message in one.sent if message["type"] == "supply"]
    assert (told["lift"], told["drop"]) == ("", "")
    assert one.supply.answer.out_of_supply == supply.out_of_supply
    one.post("supply", off=True)
    assert one.ink("supply") is None


def test_interdiction_supposes_only_enemies_that_there_are(ask: Callable[..., Asked]) -> None:
    scenario = front()
    one = ask(scenario)
    one.post("supply")
    one.set("supply", "show", "interdiction")
    asked = scenario.interdiction("iraq")
    assert one.supply.answer.counts == asked.counts
    assert one.ink("supply").groups == ink_of_answer(draw_interdiction, scenario, asked).groups
    assert one.post("supply", lift="0101", drop="0101")["drop"] == ""
    assert "What if" not in one.words("supply")
    assert one.post("supply", lift="1507", drop="0101")["drop"] == "0101"
    assert "What if the enemy of 1507" in one.words("supply")
    one.set("supply", "side", "nobody")
    assert one.supply.side == "iraq"
    one.post("supply", lift="", drop="<img src=x>")
    one.set("supply", "show", "supply")
    one.post("supply", lift="x", drop="<img src=x>")
    assert "<img src=x>" in one.supply.fault and one.ink("supply") is None


def test_command_supposes_nothing(tmp_path: Path, ask: Callable[..., Asked]) -> None:
    town = studio.new_map("urban_operations", columns=8, rows=7)
    town.save(tmp_path / "town.map.json")
    scenario = studio.new_scenario(town, title="Town")
    scenario.add_force("Blue")
    one = ask(scenario)
    assert one.post("supply", lift="0101", drop="0202")["drop"] == ""
    assert one.supply.show == "command"
    assert "What if" not in one.words("supply")


def test_supply_of_a_game_of_ones_own(tmp_path: Path, ask: Callable[..., Asked]) -> None:
    rules = own_game("harbor_war", tmp_path)
    coast = studio.new_map(rules, columns=9, rows=5)
    coast.paint("0103", terrain="port").add(
        "road", path=["0103", "0203", "0303", "0403", "0503", "0603"], surface="paved"
    )
    coast.add("area", type="land", outline=[(0, 0), (6720, 0), (6720, 2640), (0, 2640)], name="Home")
    coast.save(tmp_path / "coast.map.json")
    scenario = studio.new_scenario(coast, title="Coast")
    for name, at in (("Us", "0603"), ("Them", "0901")):
        force = scenario.add_force(name)
        scenario.place("brigade", at, force=force, formation=scenario.add_formation(force, "All"), anyway=True)
    one = ask(scenario)
    one.post("supply")
    assert not one.supply.fault
    assert one.supply.answer.out_of_supply == scenario.supply(one.supply.side).out_of_supply
    assert one.ink("supply").groups
    them = one.post("supply", lift="0901", drop="0303")["moved"]
    assert len(them) == 1 and not one.supply.fault
    (us,) = [unit.id for unit in scenario.units_of("us")]
    one.post("ways", a="0603", b="0303")
    assert one.journey.unit in ("", us)
    assert "sight" not in one.editor.desk.panels


# -- readings of the rules ---------------------------------------------------------------------------------------------


def read_by_sight(game: str) -> set[str]:
    """Names of readings in the modules of a game's sight, followed through their imports within the game."""
    specs, seen, found, todo = set(get_ruleset(game).option_specs), set(), set(), ["sight"]
    while todo:
        name = todo.pop()
        path = RULES / game / f"{name}.py"
        if name in seen or not path.exists() or name == "effect_points":  # ranges, which no line asks for
            continue
        seen.add(name)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"studio.rules.{game}."):
                todo.append(str(node.module).rpartition(".")[2])
            elif isinstance(node, ast.Subscript) and "options" in ast.unparse(node.value):
                key = node.slice
                if isinstance(key, ast.Constant):
                    found.add(str(key.value))
                elif isinstance(key, ast.JoinedStr):  # such as f"wall_{how}"
                    start = str(ast.literal_eval(ast.unparse(key.values[0]))) if key.values else ""
                    found |= {f"{start}{how}" for how in ("touch", "along")}
    return found & specs


@pytest.mark.parametrize("game", [game for game in GAMES if game != "ignorant_armies"])
def test_readings_that_bear_on_sight_are_those_that_its_modules_read(game: str) -> None:
    rules = get_ruleset(game)
    assert set(rules.sight.OPTIONS) == read_by_sight(game)
    shown = {node["id"] for node in option_fields(rules, {}, "option")}
    assert shown == set(rules.sight.OPTIONS)
    assert shown < set(rules.option_specs)


def test_a_game_of_ones_own_shows_the_settings_of_its_sight(tmp_path: Path, ask: Callable[..., Asked]) -> None:
    rules = own_game("border_war", tmp_path)
    assert {node["id"] for node in option_fields(rules, {}, "option")} == set(rules.option_specs)
    hills = studio.new_map(rules, columns=9, rows=7)
    hills.paint(["0403", "0404"], terrain="woods")
    one = ask(hills)
    answer = one.post("sight", a="0203", b="0604")["result"]
    assert answer["status"] == hills.sight("0203", "0604").status == "blocked"
    one.editor.desk["sight"].act("option", {"id": "height", "value": 0})
    assert (
        one.post("sight", a="0203", b="0604")["result"]["status"]
        == hills.sight("0203", "0604", options={"height": 0}).status
    )


def test_the_browser_is_told_who_is_in_and_who_is_out(ask: Callable[..., Asked]) -> None:
    scenario = front()
    one = ask(scenario)
    told = one.post("supply", lift="", drop="")["marks"]
    answer = {unit.at: unit.supplied for unit in scenario.supply("iraq")}
    grid, labels = scenario.map.grid, scenario.map.labels
    assert {(x, y): fine for x, y, fine in told} == {
        tuple(map(float, grid.centre(labels.cell(at)))): fine for at, fine in answer.items()
    }
    assert not all(answer.values())
    assert one.post("supply", off=True)["marks"] == []


def test_a_unit_of_which_nothing_says_how_far_it_moves_is_not_said_to_have_points(ask: Callable[..., Asked]) -> None:
    scenario = studio.open_scenario(ROOT / "scenarios" / "ignorant-armies.scenario.json", recover_unsaved=False)
    asked = ask(scenario)
    asked.journey.a = "1521"
    asked.journey.ask()
    words = asked.words("ways")
    assert "all that it can ever reach is shown" in words and "however many points it takes" in words
    assert "9999" not in words
    asked.set("ways", "points", "8")
    assert "hexes for 8 MP" in asked.words("ways")
    scenario.close()
    scenario.map.close()
