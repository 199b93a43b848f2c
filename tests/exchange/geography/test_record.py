"""The record of an import, the report, and what becomes of a map that was edited when it is made anew."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import studio
from studio.api import geography
from studio.api.document import LIVE
from studio.errors import ConflictError, DocumentError, StudioError
from studio.exchange.geography.overrides.gathered import overrides_text, read_overrides
from studio.exchange.geography.record import HexRecord, Record, read_record, record_text, spec_fingerprint
from studio.exchange.geography.report import FIGURES, hex_table, report_csv, report_markdown, report_table
from studio.exchange.geography.spec import Override, read_spec
from studio.exchange.geography.work import Entry
from studio.files.canonical import map_text
from studio.files.places import journal_path
from studio.model import Area, Delete, Put, SetField, SetSide, Source
from tests.exchange.geography.delta import lay_delta


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data, the map and its record, which no test writes into."""
    folder = tmp_path_factory.mktemp("delta")
    studio.import_geography(lay_delta(folder), folder / "delta.map.json")
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    for file in original.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def again(folder: Path, **options: Any) -> studio.GeographyImport:
    return studio.import_geography(folder / "delta.geography.toml", folder / "delta.map.json", **options)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def edit(folder: Path) -> studio.Map:
    """Edit the map as a designer does, and save it."""
    map_ = studio.open_map(folder / "delta.map.json")
    map_.paint(["0101", "0203"], terrain="marsh")
    map_.save()
    return map_


# -- the record --------------------------------------------------------------------------------------------------------


def test_the_record_says_what_was_read_and_what_each_hex_is(folder):
    record = read_record(folder / "delta.geography.json")
    map_ = studio.open_map(folder / "delta.map.json")
    assert map_text(record.base) == (folder / "delta.map.json").read_bytes()
    assert [one.name for one in record.files] == ["delta.gpkg", "heights.npz"]
    assert record.files[1].bytes == (folder / "heights.npz").stat().st_size
    assert record.spec == spec_fingerprint(read_spec(folder / "delta.geography.toml"))
    assert [one.licence for one in record.sources] == ["CC0", "CC0", "CC0", "CC BY 4.0", ""]
    assert [one.label for one in record.hexes] == map_.labels.all()
    for one in record.hexes:
        assert one.terrain == map_.model.terrain_at(map_.labels.cell(one.label))
        assert 0 <= one.confidence <= 1
    sea = next(one for one in record.hexes if one.label == "0108")
    assert (sea.terrain, sea.country, sea.shares["sea"]) == ("sea", "", 1.0)
    hill = next(one for one in record.hexes if one.label == "0902")
    assert hill.terrain == "hills"
    assert hill.country == "Iran"
    assert hill.mean is not None
    assert hill.mean > 400


def test_equal_imports_are_equal_files_without_any_time(folder, tmp_path_factory):
    before = contents(folder)
    again(folder)
    assert contents(folder) == before
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for name in ("delta.gpkg", "heights.npz", "delta.geography.toml"):
        (elsewhere / name).write_bytes(before[name])
    made = again(elsewhere)
    assert contents(elsewhere) == before
    text = before["delta.geography.json"].decode()
    assert "seconds" not in text
    assert str(folder) not in text
    assert made.seconds > 0


def test_the_text_reads_back(folder):
    record = read_record(folder / "delta.geography.json")
    assert record_text(record) == (folder / "delta.geography.json").read_bytes()
    assert msgspec.json.decode(record_text(record), type=Record) == record
    assert json.loads(record_text(record))["base"]["title"] == "Delta"


def test_a_file_that_is_no_record_is_refused(folder):
    for text in (b"{}", b"[", (folder / "delta.map.json").read_bytes()):
        (folder / "x.json").write_bytes(text)
        with pytest.raises(DocumentError, match="no record of an import"):
            read_record(folder / "x.json")


def test_the_fingerprint_is_of_what_the_specification_says(folder):
    spec = read_spec(folder / "delta.geography.toml")
    (folder / "delta.geography.json").write_bytes(msgspec.json.encode(spec))
    assert spec_fingerprint(read_spec(folder / "delta.geography.json")) == spec_fingerprint(spec)
    assert spec_fingerprint(msgspec.structs.replace(spec, title="Other")) != spec_fingerprint(spec)


# -- the report --------------------------------------------------------------------------------------------------------


def told(record: Record) -> Record:
    """Return a record with lines of every kind, and names that Markdown and HTML would take for more."""
    entries = [Entry(step="rivers", kind="finding", at=("0101|0102",), text="<b>_far_ off", figures={"off": 1.25})]
    entries += [Entry(step="towns", kind="nudged", text=f"town {number}") for number in range(60)]
    entries += [Entry(step="terrain", kind="decided", at=tuple(f"01{row:02}" for row in range(1, 21)), text="won")]
    point = {"name": "Basra | old", "at": "0304", "dx": 0.1, "dy": -0.25, "off": 0.269258, "inside": True}
    sources = (Source(title="Natural Earth", licence="public domain", url="https://example.org"), Source(title="Own"))
    return msgspec.structs.replace(record, entries=tuple(entries), residuals=(point,), sources=sources)


def test_the_report_for_people(folder):
    record = told(read_record(folder / "delta.geography.json"))
    text = report_markdown(record)
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == [
        "## Provenance",
        "## Files",
        "## Fit",
        "## Figures",
        "## Findings: what to look at (1)",
        "## Nudged: what lies elsewhere than in the world (60)",
        "## Decided (1)",
    ]
    assert "- Natural Earth (public domain, https://example.org)" in text
    assert "- Own (no licence named)" in text
    assert r"| Basra \| old | 0304 | 0.1 | -0.25 | 0.269 | yes |" in text
    assert r"- rivers: 0101\|0102: \<b\>\_far\_ off" in text.splitlines()
    assert [line for line in text.splitlines() if line.startswith("- towns: ")] == [
        f"- towns: town {number}" for number in range(60)
    ]
    assert "0108, 0109, 0110" in text and "0119, 0120: won" in text
    assert "more in the record" not in text and "and 12 more" not in text
    assert f"| hexes | 72 | {FIGURES['hexes']} |" in text
    assert "1 finding, 60 nudged, 1 decided, 0 overrides, 0 notes" in text


def test_every_figure_of_the_whole_is_explained():
    files = Path(studio.__file__).parent.joinpath("exchange", "geography").rglob("*.py")
    written = {name for file in files for name in re.findall(r'figures\["(\w+)"\]', file.read_text(encoding="utf-8"))}
    assert written == set(FIGURES)


def test_the_figures_of_maps_that_are_there_are_explained(folder):
    for file in [*Path("maps").glob("*.geography.json"), folder / "delta.geography.json"]:
        assert set(read_record(file).figures) <= set(FIGURES)


def test_what_is_alike_is_told_once_and_the_rest_of_many_is_counted(folder):
    made = again(folder)
    alike = Source(title="one.gpkg", licence="CC0")
    findings = [Entry(step="rivers", kind="finding", text=f"river {number // 2}") for number in range(30)]
    made.record = msgspec.structs.replace(made.record, sources=(alike,) * 9, entries=tuple(findings))
    for text in (str(made), report_markdown(made.record), made.report._repr_html_()):
        assert text.count("one.gpkg (CC0)") == 1
    told_lines = [line for line in str(made).splitlines() if line.startswith("rivers: ")]
    assert told_lines == [f"rivers: river {number}" for number in range(10)]
    assert "… and 5 more findings in .report" in str(made)
    assert "more" not in report_markdown(made.record).partition("## Findings")[2]


def test_tables_for_pandas_and_spreadsheets(folder):
    record = told(read_record(folder / "delta.geography.json"))
    rows = report_table(record)
    assert len(rows) == len(record.entries)
    assert rows[0] == {
        "step": "rivers",
        "kind": "finding",
        "at": "0101|0102",
        "text": "<b>_far_ off",
        "off": 1.25,
    }
    assert rows[1]["off"] is None
    read = list(csv.DictReader(io.StringIO(report_csv(record).decode("utf-8"))))
    assert [row["text"] for row in read] == [row["text"] for row in rows]
    hexes = hex_table(record)
    assert len({tuple(row) for row in hexes}) == 1
    assert hexes[0]["label"] == "0101"
    assert any(row["share:sea"] == 1.0 for row in hexes)
    empty = msgspec.structs.replace(record, entries=())
    assert report_csv(empty).decode("utf-8").strip() == "step,kind,at,text"


def test_in_a_notebook_it_is_tables_and_in_a_terminal_text(folder):
    made = again(folder)
    made.record = told(made.record)
    html = made.report._repr_html_()
    assert "&lt;b&gt;_far_ off" in html
    assert "<b>_far_" not in html
    assert "Basra | old" in html
    assert FIGURES["hexes"] in html
    assert html.count("<table") == html.count("<details") == html.count("<summary>") >= 5
    assert html.count("<details open>") == 1  # findings; the rest is folded away
    assert html.count('scope="col"') == html.count("<th ")
    assert str(made.report) == report_markdown(made.record)
    assert "1 finding, 60 nudged" in repr(made.report)
    assert "source: Natural Earth" in str(made)
    assert "72 hexes" in str(made)
    assert html in made._repr_html_()
    assert made.report.findings == [made.record.entries[0]]


@pytest.mark.parametrize("ending", [".md", ".csv", ".json"])
def test_reports_are_saved_by_their_ending(folder, ending):
    made = again(folder)
    path = made.save_report(folder / f"report{ending}")
    text = path.read_bytes()
    assert (
        text
        == {
            ".md": report_markdown(made.record).encode(),
            ".csv": report_csv(made.record),
            ".json": record_text(made.record),
        }[ending]
    )
    with pytest.raises(StudioError, match=r"\.md, \.csv or \.json"):
        made.save_report(folder / "report.docx")


# -- in memory ---------------------------------------------------------------------------------------------------------


def test_a_map_in_memory_is_new_and_leaves_no_file(folder):
    before = contents(folder)
    told_parts: list[tuple[str, float]] = []
    spec = read_spec(folder / "delta.geography.toml")
    made = studio.import_geography(spec, folder=folder, progress=lambda step, part: told_parts.append((step, part)))
    assert made.path is None
    assert made.record_path is None
    assert made.map.path is None
    assert contents(folder) == before
    assert map_text(made.map.document) == map_text(made.record.base)
    made.map.paint("0101", terrain="marsh")
    assert map_text(made.map.document) != map_text(made.record.base)
    parts = [part for _, part in told_parts]
    assert parts == sorted(parts)
    assert told_parts[0][0] == "fit"
    assert told_parts[-1] == ("done", 1.0)
    assert made.confidence.keys() == {one.label for one in made.record.hexes}
    with pytest.raises(StudioError, match="give the path of a specification"):
        studio.import_geography(5)  # type: ignore[arg-type]


def test_a_notebook_shows_a_bar(folder, monkeypatch, capsys):
    monkeypatch.setattr(geography, "_in_notebook", lambda: True)
    studio.import_geography(folder / "delta.geography.toml")
    shown = capsys.readouterr().err
    assert "fit" in shown
    assert "rivers" in shown
    monkeypatch.undo()
    studio.import_geography(folder / "delta.geography.toml")
    assert not capsys.readouterr().err


def test_pictures_of_the_data_and_of_confidence(folder):
    made = again(folder)
    assert made.plot(hex_px=24).get_label()
    assert made.plot_confidence(hex_px=24).get_label()
    with pytest.raises(StudioError, match="fit"):
        made.plot_fit()


# -- once more ---------------------------------------------------------------------------------------------------------


def test_a_map_that_was_edited_is_not_lost(folder):
    edit(folder)
    before = contents(folder)
    with pytest.raises(ConflictError, match=r"terrain of 2 hexes \(0101, 0203\).*keep=True"):
        again(folder)
    assert contents(folder) == before


def test_edits_are_kept_as_overrides_and_used_from_then_on(folder):
    edited = edit(folder).document
    made = again(folder, keep=True)
    assert map_text(made.map.document) == map_text(edited)
    file = folder / "delta.overrides.json"
    assert read_overrides(file) == [Override(hexes=("0101", "0203"), terrain="marsh")]
    assert any('overrides_file = "delta.overrides.json"' in note for note in made.notes)
    assert [one.name for one in made.record.files] == ["delta.gpkg", "delta.overrides.json", "heights.npz"]
    before = contents(folder)
    plain = again(folder)
    assert contents(folder) == before
    assert any("delta.overrides.json" in note for note in plain.notes)
    # The next edit goes into the same file, in place of what it says otherwise.
    map_ = studio.open_map(folder / "delta.map.json")
    map_.paint("0101", terrain="hills")
    map_.save()
    made = again(folder, keep=True)
    assert read_overrides(file) == [
        Override(hexes=("0203",), terrain="marsh"),
        Override(hexes=("0101",), terrain="hills"),
    ]
    assert not [one for one in made.record.of("finding") if one.step == "overrides"]


def test_all_that_can_be_edited_comes_back(folder):
    map_ = studio.open_map(folder / "delta.map.json")
    model, record = map_.model, read_record(folder / "delta.geography.json")
    border = next(key for key, kinds in sorted(model.sides.items()) if "border" in kinds)
    country = next(one for one in model.features_of(Area) if one.id == "iraq")
    moved = msgspec.structs.replace(country, outline=((0, 0), (900, 0), (900, 900)))
    edits = [
        SetSide(a=border[0], b=border[1], kinds=("river",)),
        SetSide(a=0, b=model.grid.neighbours(0)[0], kinds=("all_water", "river")),
        Put(collection="features", record=msgspec.to_builtins(moved)),
        Delete(collection="features", id="iran"),
        *(Delete(collection="features", id=one.id) for one in record.base.features if type(one).__name__ == "Marker"),
        Put(collection="features", record={"kind": "road", "id": "road-south", "path": ["0101", "0102"]}),
        Put(collection="features", record={"kind": "road", "id": "track", "path": ["0203"], "surface": "unpaved"}),
        Put(collection="features", record={"kind": "name", "id": "name-1", "text": "Zubayr", "at": [500, 500]}),
    ]
    for one in edits:
        map_.apply(one)
    map_.paint(["0101", "0108", "0902"], terrain="city").save()
    made = again(folder, keep=True)
    assert map_text(made.map.document) == map_text(map_.document)
    again(folder)
    assert map_text(studio.open_map(folder / "delta.map.json").document) == map_text(map_.document)


def test_the_file_that_the_specification_names(folder):
    lay_delta(folder, 'overrides_file = "hand.json"')
    edit(folder)
    made = again(folder, keep=True)
    assert read_overrides(folder / "hand.json") == [Override(hexes=("0101", "0203"), terrain="marsh")]
    assert not any("write at its top" in note for note in made.notes)
    assert not (folder / "delta.overrides.json").exists()


def test_what_no_override_can_say_stays_on_the_map(folder):
    map_ = studio.open_map(folder / "delta.map.json")
    map_.apply(SetField(field="title", value="Shatt"))
    map_.save()
    with pytest.raises(ConflictError, match="title"):
        again(folder)
    made = again(folder, keep=True)
    assert made.map.title == "Shatt"
    assert any(note.startswith("title of the map stays") for note in made.notes)
    assert not (folder / "delta.overrides.json").exists()


def test_a_build_that_fails_leaves_all_files_as_they_were(folder):
    (folder / "delta.overrides.json").write_bytes(overrides_text([Override(hexes=("0505",), terrain="hills")]))
    again(folder)
    edit(folder)
    (folder / "heights.npz").write_bytes(b"no archive")
    before = contents(folder)
    with pytest.raises(DocumentError):
        again(folder, keep=True)
    assert contents(folder) == before
    (folder / "delta.overrides.json").unlink()
    with pytest.raises(DocumentError):
        again(folder, keep=True)
    assert contents(folder) == {name: text for name, text in before.items() if name != "delta.overrides.json"}


def test_a_map_without_a_record_is_replaced_by_its_like_alone(folder):
    before = contents(folder)
    (folder / "delta.geography.json").unlink()
    again(folder)
    assert contents(folder) == before
    edit(folder)
    (folder / "delta.geography.json").unlink()
    before = contents(folder)
    for keep in (False, True):
        with pytest.raises(ConflictError, match=r"no delta\.geography\.json beside it"):
            again(folder, keep=keep)
    assert contents(folder) == before


def test_a_map_of_another_size_or_no_map_is_refused(folder):
    map_ = studio.open_map(folder / "delta.map.json")
    map_.resize(right=1)
    map_.save()
    before = contents(folder)
    with pytest.raises(DocumentError, match="is not as it was made in its grid"):
        again(folder, keep=True)
    (folder / "delta.map.json").write_bytes(b"{}")
    with pytest.raises(DocumentError):
        again(folder, keep=True)
    (folder / "delta.map.json").write_bytes(before["delta.map.json"])
    (folder / "delta.geography.json").write_bytes(b"{}")
    with pytest.raises(DocumentError, match="no record"):
        again(folder, keep=True)


def test_unsaved_work_is_respected(folder):
    map_ = studio.open_map(folder / "delta.map.json")
    map_.paint("0101", terrain="marsh")
    before = contents(folder)
    for keep in (False, True):
        with pytest.raises(ConflictError, match="unsaved changes"):
            again(folder, keep=keep)
    # Open in another process: all that can be seen is its journal.
    LIVE.discard(map_)
    with pytest.raises(ConflictError, match=r"unsaved work on it, in \.delta\.map\.json\.journal.*where it is open"):
        again(folder)
    map_.close()
    with pytest.raises(ConflictError, match=r"unsaved work on it.*open the map"):
        again(folder)
    assert contents(folder) == before
    journal_path(folder / "delta.map.json").unlink()
    again(folder)


def test_an_edit_while_the_map_is_made_is_not_lost(folder):
    def meddle(step: str, _: float) -> None:
        if step == "done":
            edit(folder)

    with pytest.raises(ConflictError):
        again(folder, progress=meddle)
    map_ = studio.open_map(folder / "delta.map.json")
    assert map_.model.terrain_at(map_.labels.cell("0101")) == "marsh"


def test_the_record_never_takes_the_place_of_the_specification(folder):
    spec = folder / "delta.geography.json"
    spec.write_bytes(msgspec.json.encode(read_spec(folder / "delta.geography.toml")))
    (folder / "delta.map.json").unlink()
    before = contents(folder)
    with pytest.raises(StudioError, match="this is the specification"):
        studio.import_geography(spec, folder / "delta.map.json")
    with pytest.raises(DocumentError, match="no record"):
        again(folder)
    with pytest.raises(StudioError, match=r"NAME\.map\.json"):
        studio.import_geography(spec, folder / "delta.json")
    assert contents(folder) == before


def test_import_file_goes_the_same_way(folder):
    notes: list[str] = []
    spec = folder / "delta.geography.toml"
    made = studio.import_file(spec, folder / "new" / "other.map.json", notes=notes)
    assert made.path == folder / "new" / "other.map.json"
    assert (folder / "new" / "other.geography.json").exists()
    assert any("licence" in note for note in notes)
    edit(folder)
    with pytest.raises(ConflictError):
        studio.import_file(spec, folder / "delta.map.json")
    kept = studio.import_file(spec, folder / "delta.map.json", keep=True)
    assert kept.model.terrain_at(kept.labels.cell("0101")) == "marsh"
    with pytest.raises(StudioError, match="no option 'kep'"):
        studio.import_file(spec, folder / "delta.map.json", kep=True)


def test_roads_and_country_overrides_through_the_whole(folder):
    """A hex of another country and terrain: no road looks for another way, and the border goes round the hex."""
    spec = folder / "delta.geography.toml"
    base = read_record(folder / "delta.geography.json").base
    road = next(one for one in base.features if one.id == "road-south")
    label = road.path[len(road.path) // 2]
    override = f'[[overrides]]\nhexes = ["{label}"]\nterrain = "mountains"\ncountry = "Iraq"\nnote = "pass"\n'
    spec.write_text(spec.read_text(encoding="utf-8") + "\n" + override, encoding="utf-8")
    made = again(folder)
    assert road in made.map.document.features
    cells = {one.label: one for one in made.record.hexes}
    assert (cells[label].terrain, cells[label].country) == ("mountains", "Iraq")
    plain = {one.label: one for one in read_record(folder / "delta.geography.json").hexes}
    assert {name for name in cells if cells[name] != plain[name]} == set()
    (entry,) = made.record.of("override")
    assert entry.at == (label,)
    assert entry.text.endswith("(pass)")
    changed = [one.id for one in made.map.document.features if one not in base.features]
    assert set(changed) <= {"iraq", "iran"}


def test_hexes_keep_what_a_record_says():
    one = HexRecord(label="0101", terrain="clear")
    assert msgspec.json.decode(msgspec.json.encode(one), type=HexRecord) == one


def test_the_guide_names_every_field_of_the_record():
    guide = (Path(studio.__file__).parent.parent / "docs" / "geography.md").read_text(encoding="utf-8")
    table = guide[guide.index("| field of the record |") :].split("\n\n")[0]
    fields = {*Record.__struct_fields__, *HexRecord.__struct_fields__, *Entry.__struct_fields__}
    assert {name for name in fields if f"`{name}`" not in table} == set()
    overrides = guide[guide.index("## Overrides and runs again") :].split("\n## ")[0]
    assert {name for name in Override.__struct_fields__ if f"`{name}`" not in overrides} <= {"hexes", "sides"}
