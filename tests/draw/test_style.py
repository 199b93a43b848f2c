"""The style of a game: valid, complete, overridable, and fit for every colour vision."""

from pathlib import Path

import pytest

from studio.draw import Style, StyleError, load_style, style_ids
from studio.draw.colour import OKABE_ITO, VISIONS, closest_pairs, delta_e
from studio.rules import get_ruleset

# CIEDE2000 that any two terrains keep at flat tint for normal and simulated colour vision; about 2 is just seen.
CLOSEST = 6.5


@pytest.mark.parametrize("ruleset", style_ids())
def test_style_is_valid_and_tells_terrains_apart(ruleset: str) -> None:
    style = load_style(ruleset)
    assert style.ruleset == ruleset
    worst = closest_pairs({name: look.tint for name, look in style.terrain.items()})[0]
    assert worst[0] >= CLOSEST, worst


def test_every_thing_of_the_game_has_a_look() -> None:
    style, rules = load_style("armageddon_war"), get_ruleset("armageddon_war")
    assert set(rules.terrains) == set(style.terrain)
    assert set(rules.side_kinds) <= set(style.lines.sides)
    assert set(rules.marker_types) <= set(style.markers)
    assert set(style.lines.roads) == {"paved", "unpaved"}


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


def test_importing_a_style_loads_no_matplotlib() -> None:
    import subprocess
    import sys

    code = "import sys, studio.draw; studio.draw.load_style('armageddon_war'); sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
