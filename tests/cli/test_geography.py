"""studio import of a specification of geography: what is printed, written and refused."""

import json
from pathlib import Path

import pytest

import studio
from studio.cli import main
from studio.exchange.geography.build import _STEPS
from tests.exchange.geography.delta import lay_delta

SPEC, MAP = "delta.geography.toml", "delta.map.json"


@pytest.fixture
def delta(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_delta(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(["import", *args])
    return code, *capsys.readouterr()


def test_a_map_and_what_is_told_of_it(delta: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, SPEC, "-o", MAP)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "map: delta.map.json, delta.geography.json"
    assert lines[1].startswith("72 hexes in ")
    assert " findings, " in lines[1]
    assert "finding: sources: The source heights (heights.npz) names no licence" in out
    assert "source: Places (CC BY 4.0)" in lines
    assert studio.open_map(MAP).title == "Delta"


def test_report_and_picture_as_json(delta: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["--report", "report.md", "--picture", "delta.png", "--json"]
    code, out, _ = run(capsys, SPEC, "-o", MAP, *names)
    data = json.loads(out)
    assert code == 0
    assert data["written"] == [MAP, "delta.geography.json", "report.md", "delta.png"]
    assert (data["hexes"], data["map"], data["overrides"], data["notes"]) == (72, MAP, [], [])
    assert data["seconds"] > 0
    assert {one["kind"] for one in data["findings"]} == {"finding"}
    assert [one["title"] for one in data["sources"]][:2] == ["Borders of the delta", "Land | sea"]
    assert Path("report.md").read_text(encoding="utf-8").startswith("# Delta: how")
    assert Path("delta.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("report", "named"), [("", "--report report.md"), ("mine.md", "mine.md")])
def test_many_findings_are_cut_on_the_console_alone(
    delta: Path, capsys: pytest.CaptureFixture[str], report: str, named: str
) -> None:
    text = Path(SPEC).read_text(encoding="utf-8")
    areas = "".join(f'\n[[areas]]\nid = "empty-{n}"\ntype = "kurdish_area"\n' for n in range(12))
    Path(SPEC).write_text(text + areas, encoding="utf-8")
    code, out, _ = run(capsys, SPEC, "-o", MAP, *(["--report", report] if report else []))
    lines = out.splitlines()
    findings = [one for one in lines if one.startswith("finding: ")]
    rest = [one for one in lines if one.startswith("… and ")]
    every = len(studio.geography_record(MAP).record.of("finding"))
    assert (code, len(findings)) == (0, 10)
    assert rest == [f"… and {every - 10} more findings: {named} has them all"]
    assert not any(one.endswith(")") and "(hexes" in one for one in findings)
    if report:
        told = Path(report).read_text(encoding="utf-8")
        assert all(f"area empty-{n} names no hex" in told for n in range(12))


def test_a_game_that_is_not_known_is_looked_for_beside_the_specification(
    delta: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path(SPEC).read_text(encoding="utf-8").replace('"ignorant_armies"', '"karun"')
    Path(SPEC).write_text(text, encoding="utf-8")
    Path("karun_war.ruleset.toml").write_text("", encoding="utf-8")
    code, _, err = run(capsys, SPEC, "-o", MAP)
    assert code == 1
    words = " ".join(err.split())
    assert f"studio: {SPEC}: 1 fault" in words and "unknown ruleset 'karun'" in words
    assert "put its file karun.ruleset.toml beside the specification (.: karun_war.ruleset.toml; --rules FILE" in words


def test_edits_are_refused_or_kept(delta: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, SPEC, "-o", MAP)
    map_ = studio.open_map(MAP)
    map_.paint("0101", terrain="marsh").save()
    before = Path(MAP).read_bytes()
    code, _, err = run(capsys, SPEC, "-o", MAP)
    assert code == 2
    assert "terrain of 1 hex (0101)" in err
    assert "--keep" in err
    assert Path(MAP).read_bytes() == before
    code, out, _ = run(capsys, SPEC, "-o", MAP, "--keep")
    assert code == 0
    assert "note: kept as overrides in delta.overrides.json: terrain of 1 hex (0101)" in out
    assert 'write at its top: overrides_file = "delta.overrides.json"' in out
    assert Path(MAP).read_bytes() == before
    assert run(capsys, SPEC, "-o", MAP)[0] == 0
    assert Path(MAP).read_bytes() == before


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ([SPEC, "-o", "delta.json"], 2, "NAME.map.json"),
        ([SPEC, "-o", MAP, "--report", "report.docx"], 2, ".md, .csv or .json"),
        ([SPEC, "-o", MAP, "--report", "nowhere/report.md"], 2, "no folder"),
        ([SPEC, "-o", MAP, "--report", "x.map.json"], 2, "replace a document"),
        ([SPEC, "-o", MAP, "--picture", "delta.gif"], 2, ".png, .svg, .pdf"),
        ([SPEC, "-o", MAP, "--ruleset", "armageddon_war"], 2, "leave --ruleset"),
        ([SPEC, "-o", MAP, "--option", "columns=3"], 2, "leave --ruleset"),
        (["delta.gpkg", "-o", MAP, "--keep"], 2, "--keep: is for specifications of geography"),
        (["none.geography.toml", "-o", MAP], 2, "none.geography.toml"),
        (["broken.geography.toml", "-o", MAP], 1, "broken.geography.toml"),
    ],
)
def test_what_cannot_be_made(
    delta: Path, capsys: pytest.CaptureFixture[str], args: list[str], code: int, words: str
) -> None:
    Path("broken.geography.toml").write_text("title = ", encoding="utf-8")
    found, out, err = run(capsys, *args)
    assert (found, out) == (code, "")
    assert words in err
    assert not Path(MAP).exists()


def test_a_fault_of_the_specification_as_json(delta: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(SPEC).read_text(encoding="utf-8")
    Path(SPEC).write_text(text + '\n[[overrides]]\nhexes = ["9901"]\nterrain = "citty"\n', encoding="utf-8")
    code, out, _ = run(capsys, SPEC, "-o", MAP, "--json")
    assert code == 1
    told = json.loads(out)["findings"]
    assert len(told) == 2
    assert "9901" in told[0]["message"]
    assert "did you mean 'city'" in told[1]["message"]
    assert not Path(MAP).exists()


def test_who_watches_sees_a_bar_with_the_step(
    delta: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    code, out, err = run(capsys, SPEC, "-o", MAP)
    assert code == 0 and "geography" not in out.splitlines()[1]
    steps = {line.split()[1] for line in err.split("\r") if line.startswith("geography: ")}
    assert steps and steps <= {"fit", "done", *(name for name, _, _ in _STEPS)}  # it passes over those that are quick
    assert err.rsplit("\r", 2)[-2].strip() == ""  # the bar is taken away
