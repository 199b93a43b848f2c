"""The words of the command line: lists that can be read, errors in its own terms, what a game has."""

import json
from pathlib import Path

import pytest

import studio
from studio.cli import main
from studio.cli.common import wrapped
from studio.rules import ruleset_ids
from tests.cli.test_cli import MAP, as_json, run

STEPPE = 'id = "steppe"\ntitle = "Steppe"\nlevels = [0, 2]\n[terrain.plain]\nname = "Plain"\nchar = "."\n'


@pytest.fixture
def desert(tmp_path: Path) -> Path:
    studio.new_map("armageddon_war", columns=9, rows=9).paint("0402", terrain="light_woods").save(
        tmp_path / "desert.map.json"
    )
    return tmp_path / "desert.map.json"


def test_lists_break_between_labels_only() -> None:
    labels = [f"{number} roof" for number in range(60)]
    lines = wrapped("clear", labels).splitlines()
    assert len(lines) > 3
    assert all(len(line) <= 110 for line in lines)
    assert " ".join(line.strip() for line in lines) == "clear: " + ", ".join(labels)
    assert all(line.endswith("roof,") for line in lines[:-1])
    assert wrapped("clear", ["1, C", "2"]) == "clear: 1, C; 2"
    assert wrapped("clear", []) == "clear: none"


def test_answers_are_sentences(capsys: pytest.CaptureFixture[str], desert: Path) -> None:
    view = as_json(capsys, "view", MAP, "X5")
    seen = len(view["clear"]) + len(view["hindered"])
    _, out, _ = run(capsys, "view", MAP, "X5")
    assert out.startswith(f"X5 sees {seen} of 445 hexes\nclear: {view['clear'][0]}, {view['clear'][1]}, ")
    assert all(len(line) <= 110 for line in out.splitlines())
    for question in (["exposure", MAP, "X5"], ["dead-ground", MAP, "X5", "P13"], ["table", desert, "-o", "t.csv"]):
        if question[0] == "table":
            question[-1] = str(desert.parent / "t.csv")
        _, out, _ = run(capsys, *question)
        assert "(" not in out.splitlines()[0], out
    _, out, _ = run(capsys, "dead-ground", desert, "0101")
    assert out.startswith("0101 sees nothing of ")
    _, out, _ = run(capsys, "sight", MAP, "X5", "U9")
    assert out.startswith("X5 to U9: blocked at V8\n")


def test_what_a_game_has(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ruleset_ids():
        _, out, _ = run(capsys, "rules", name)
        rules = studio.rules.get_ruleset(name)
        for kind in rules.feature_kinds:
            for type_, drawn in rules.drawn_types(kind).items():
                assert f"  {type_} " in out
                assert drawn.name in out
        assert ("no lines of sight" in out) == (not rules.has_sight)
        assert ("sight: " in out) == rules.has_sight
        for part in out.split("\n\n")[1:]:
            assert len(part.splitlines()) > 1, part
        for option, spec in rules.option_specs.items():
            default = str(spec.default).lower() if isinstance(spec.default, bool) else spec.default
            assert f"  {option} = {default} *" in out
    file = tmp_path / "steppe.toml"
    file.write_text(STEPPE + '[sight]\nalong = "either"\nhindrance_limit = 5\n')
    _, out, _ = run(capsys, "rules", file)
    assert "along = either * | both | count" in out
    assert "hindrance_limit = 5 * | 0 to 99" in out


def test_a_map_of_a_game_of_ones_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.rules._own", {})
    file, target = tmp_path / "game.toml", tmp_path / "a.map.json"
    file.write_text(STEPPE)
    new = ("new", target, "--ruleset", file, "--columns", 4, "--rows", 4)
    code, out, _ = run(capsys, *new)
    assert (code, f"copy {file} there, or give --rules {file}" in out) == (0, True)
    studio.rules._own.clear()
    _, out, _ = run(capsys, "check", target)
    assert out.count("$.ruleset") == 1
    assert "--rules FILE.toml names any other file" in out
    code, _, err = run(capsys, "sight", target, "0101", "0202")
    assert (code, "--rules FILE.toml" in err) == (1, True)
    assert run(capsys, "sight", target, "0101", "0202", "--rules", file)[0] == 0
    file.rename(tmp_path / "steppe.ruleset.toml")
    target.unlink()
    code, out, _ = run(capsys, *new[:3], tmp_path / "steppe.ruleset.toml", *new[4:])
    assert (code, "note" in out) == (0, False)


def test_wrong_arguments_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["sight", MAP, "--json"], ["--json"], ["draw", MAP, "--json", "-o", "x.png", "--hex-px", "big"]):
        with pytest.raises(SystemExit) as caught:
            main(args)
        out, err = capsys.readouterr()
        assert (caught.value.code, "usage" in err) == (2, True)
        assert json.loads(out)["error"].startswith("studio")
    with pytest.raises(SystemExit):
        main(["sight", MAP])
    assert capsys.readouterr().out == ""


def test_files_to_write(capsys: pytest.CaptureFixture[str], desert: Path) -> None:
    folder = desert.parent / "none"
    for question in (
        ["sight", desert, "0101", "0102", "--picture", folder / "x.png"],
        ["draw", desert, "-o", folder / "x.png"],
        ["table", desert, "-o", folder / "x.csv"],
        ["export", desert, "-o", folder / "x.bundle.zip"],
    ):
        code, _, err = run(capsys, *question)
        assert (code, f"there is no folder {folder}; make it first" in err) == (2, True)
    code, _, err = run(capsys, "draw", desert, "-o", desert.parent)
    assert (code, "is a folder" in err) == (2, True)
    code, _, err = run(capsys, "export", desert, "-o", desert.parent / "b.txt")
    assert (code, "the ending names no format; allowed are .bundle.zip (bundle)" in err) == (2, True)
    assert not (desert.parent / "b.txt").exists()


def test_compare_in_the_terms_of_the_command_line(capsys: pytest.CaptureFixture[str], desert: Path) -> None:
    same = ("--option-a", "border_rule=per_border", "--option-b", "border_rule=per_border")
    code, _, err = run(capsys, "compare", desert, *same)
    assert (code, "both readings are the same, border_rule=per_border; give two that differ" in err) == (2, True)
    code, _, err = run(capsys, "compare", desert, "--option-b", "border_rule=per_hex")
    assert (code, "the same, border_rule=per_hex by default" in err) == (2, True)
    code, _, err = run(capsys, "compare", desert, "--with", "modern_tactics")
    assert (code, "--terrain clear=... light_woods=..., with terrain of Modern" in err) == (2, True)
    code, _, err = run(capsys, "compare", desert, "--with", "modern_tactics", "--terrain", "zz=open")
    assert (code, "no terrain 'zz'; Its terrain in use: clear, light_woods" in err) == (2, True)
    mapping = ("--terrain", "clear=outside", "light_woods=outside")
    code, _, err = run(capsys, "compare", desert, "--with", "phantom_fury", *mapping)
    assert (code, "no location that is one in both games" in err) == (2, True)
    code, _, err = run(capsys, "compare", desert, "--option-b", "x")
    assert (code, "--option-b 'x': write name=value" in err) == (2, True)


def test_the_help_speaks_of_locations(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("sight", "view", "table", "exposure", "dead-ground"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        out = capsys.readouterr().out
        assert "location" in out
        assert "hex" not in out
