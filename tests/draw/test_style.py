"""The style of a game: valid, complete, overridable, and fit for every colour vision."""

import math
from pathlib import Path

import pytest

import studio
from studio.draw import Style, StyleError, load_style, style_ids
from studio.draw.colour import OKABE_ITO, VISIONS, closest_pairs, delta_e
from studio.draw.picture import style_of
from studio.draw.plain import plain_look, style_for
from studio.draw.shapes import looked_up
from studio.rules import get_ruleset, load_ruleset, ruleset_ids

# CIEDE2000 that any two terrains keep at flat tint for normal and simulated colour vision; about 2 is just seen.
CLOSEST = 6.5


@pytest.mark.parametrize("ruleset", style_ids())
def test_style_is_valid_and_tells_terrains_apart(ruleset: str) -> None:
    style = load_style(ruleset)
    assert style.ruleset == ruleset
    pairs = closest_pairs({name: look.tint for name, look in style.terrain.items()})
    assert len(pairs) == len(VISIONS) * math.comb(len(style.terrain), 2)
    assert all(pair[0] >= CLOSEST for pair in pairs), pairs[0]


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_every_thing_of_the_game_has_a_look(ruleset: str) -> None:
    style, rules = load_style(ruleset), get_ruleset(ruleset)
    assert set(rules.terrains) == set(style.terrain)
    assert set(rules.side_kinds) <= set(style.lines.sides)
    assert set(rules.marker_types) <= set(style.markers)
    assert set(style.lines.roads) == {"paved", "unpaved"}
    for name, terrain in rules.terrains.items():
        assert style.look(name).outlined == terrain.playable, name
    for kind, table in (
        ("area", style.areas),
        ("wall", style.walls),
        ("aperture", style.apertures),
        ("place", style.places),
        ("link", style.links),
    ):
        for name in rules.drawn_types(kind):
            # Not merely the plain look of what nobody thought of.
            assert looked_up({key: key for key in table}, name) != "default" or f"{kind} {name}" in _PLAIN, name


_PLAIN = {"aperture aperture"}


def test_verdicts_are_okabe_ito_and_never_colour_alone() -> None:
    style = load_style("armageddon_war")
    for looks, kinds in ((style.verdicts, ("clear", "hindered", "blocked")), (style.effects, tuple(style.effects))):
        shown = [looks[kind] for kind in kinds]
        assert {look.color.upper() for look in shown} <= {color.upper() for color in OKABE_ITO}
        assert len({look.sign for look in shown}) == len(shown)
        for vision in VISIONS:
            for i, one in enumerate(shown):
                assert all(delta_e(one.color, other.color, vision) > 8 for other in shown[i + 1 :]), vision
    assert set(style.effects) == {"blocks", "counts", "hinders", "modifier", "passes"}


def test_terrain_levels_go_the_same_way_in_tint() -> None:
    style = load_style("armageddon_war")
    shades = [int(style.tint("clear", level)[1:3], 16) for level in range(4)]
    assert shades == sorted(shades, reverse=True)
    assert len(set(shades)) == 4
    assert style.tint("clear", 9) == style.tint("clear", 3)


def test_delta_e_agrees_with_published_figures() -> None:
    # Greys differ by lightness only: L* 53.585 and 100, S_L by the formula of Sharma, Wu and Dalal (2005).
    assert delta_e("#808080", "#ffffff") == pytest.approx(33.4, abs=0.3)
    assert delta_e("#ff0000", "#00ff00") == pytest.approx(86.6, abs=0.3)
    assert delta_e("#0000ff", "#ffff00") == pytest.approx(103.4, abs=0.5)


def test_red_and_green_come_close_without_red_cones() -> None:
    assert delta_e("#8a6a20", "#5a7a20", "protanopia") < delta_e("#8a6a20", "#5a7a20") / 2


def test_override_changes_only_what_it_names(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('[terrain.clear]\ntint = "#ffffff"\n[zoom]\nnumbers = 40\n', encoding="utf-8")
    style, base = load_style("armageddon_war", own), load_style("armageddon_war")
    assert style.look("clear").tint == "#ffffff"
    assert style.look("clear").marks == base.look("clear").marks
    assert (style.zoom.numbers, style.zoom.full) == (40, base.zoom.full)
    assert style.look("marsh") == base.look("marsh")


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('[terrain.clear]\ntint = "sand"\n', "terrain.clear.tint", "'sand'"),
        ("[zoom]\nnumber = 3\n", "zoom", "number"),
        ('[terrain.clear]\njoins = ["meadow"]\n', "terrain.clear.joins", "meadow"),
        ('[markers]\nsmoke = "puff"\n', "markers.smoke", "puff"),
        ('[glyphs]\nsmoke = [{ d = "M 0 0 A 5 5 0 0 0 1 1", fill = "mark" }]\n', "glyphs.smoke[0].d", "only M L Q C Z"),
        (
            "[[terrain.clear.marks]]\nrecipe = 'scatter'\nslots = 8\nglyphs = ['grain']\ncolors = ['#000000']\n",
            "slots",
            "8",
        ),
        ("not toml", "mine.toml", "not valid TOML"),
    ],
)
def test_a_faulty_override_says_where_and_what(tmp_path: Path, text: str, place: str, said: str) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(StyleError) as error:
        load_style("armageddon_war", own)
    assert place in str(error.value)
    assert said in str(error.value)


def test_unknown_style_names_those_there_are() -> None:
    with pytest.raises(StyleError, match="armageddon_war"):
        load_style("chess")
    with pytest.raises(StyleError, match="cannot be read"):
        load_style("armageddon_war", "no/such/file.toml")


def test_a_terrain_of_ones_own_gets_a_plain_look() -> None:
    style = load_style("armageddon_war")
    with pytest.raises(StyleError, match="lava"):
        style.look("lava")
    wider = style.with_terrains(["clear", "lava"])
    assert isinstance(wider, Style)
    assert wider.look("lava").title == "Lava"
    assert style.with_terrains(["clear"]) is style


OWN = """
id = "mine"
title = "My game"
levels = [0, 2]
[movers.foot]
name = "Foot"
[terrain.clear]
name = "Clear"
char = "."
move = { foot = 1 }
[terrain.meadow]
name = "Meadow"
char = ","
move = { foot = 1 }
[terrain.scrub]
name = "Scrub"
char = "s"
sight = "hinder"
move = { foot = 1 }
[terrain.cliff]
name = "Cliff"
char = "c"
sight = "block"
move = { foot = 1 }
[terrain.pine_wood]
name = "Pine wood"
char = "p"
sight = "block"
move = { foot = 1 }
[terrain.beyond]
name = "Beyond"
char = "x"
playable = false
move = { foot = 1 }
"""


def test_a_game_of_ones_own_gets_a_look_by_sight_and_words(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(OWN, encoding="utf-8")
    mine = load_ruleset(file)
    style = style_for(mine)
    assert (style.title, style.ruleset) == ("My game", "mine")
    assert list(style.terrain) == list(mine.terrains)
    assert closest_pairs({name: look.tint for name, look in style.terrain.items()})[0][0] >= 2.5
    light = {name: delta_e(style.look(name).tint, "#000000") for name in style.terrain}
    assert light["cliff"] < light["scrub"] < min(light["clear"], light["meadow"])
    assert style.look("clear").marks == []
    assert style.look("scrub").marks
    assert style.look("pine_wood").marks == load_style("armageddon_war").look("light_woods").marks
    assert style.look("pine_wood").title == "Pine wood"
    assert not style.look("beyond").outlined
    own = tmp_path / "look.toml"
    own.write_text('[terrain.cliff]\ntint = "#123456"\n', encoding="utf-8")
    changed = style_for(mine, override=own)
    assert changed.look("cliff").tint == "#123456"
    assert changed.look("scrub") == style.look("scrub")
    made = studio.new_map(mine, 4, 4)
    assert style_of(made, None) == style
    assert style_of(made, str(own)).look("cliff").tint == "#123456"
    assert set(style_of(made.model, None).terrain) == set(mine.terrains)


def test_many_terrains_of_one_class_differ() -> None:
    look = plain_look("many", "Many", {f"t{n}": None for n in range(24)})
    assert len({terrain["tint"] for terrain in look["terrain"].values()}) == 24


def test_a_faulty_look_of_an_area_says_where(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('[areas.room]\nfill = "beige"\n[links.door]\nglyph = "gate"\n', encoding="utf-8")
    with pytest.raises(StyleError, match=r"areas\.room\.fill: .*'beige'"):
        load_style("urban_operations", own)
    own.write_text('[links.door]\nshape = "twins"\nglyph = "gate"\n', encoding="utf-8")
    with pytest.raises(StyleError, match=r"links\.door\.glyph: no glyph 'gate'"):
        load_style("phantom_fury", own)


def test_importing_a_style_loads_no_matplotlib() -> None:
    import subprocess
    import sys

    code = "import sys, studio.draw; studio.draw.load_style('armageddon_war'); sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
