"""The launcher: what it lists, makes, opens and takes in, without a browser."""

from __future__ import annotations

import asyncio
import shutil

import pytest
from PIL import Image

import studio
from studio.api.importtab import works_in
from studio.errors import StudioError
from tests.exchange.geography.delta import lay_delta


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    sample = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
    made = sample.export(tmp_path_factory.mktemp("bundle") / "holding.bundle.zip", sight=False, preview=False)
    for document in (sample, sample.map):
        document.close()
    return made


@pytest.fixture
def folder(tmp_path, bundle):
    maps = tmp_path / "maps"
    maps.mkdir()
    made = studio.new_map("armageddon_war", columns=8, rows=6, title="Oasis")
    made.set("sources", [{"title": "drawn here"}])
    made.save(maps / "oasis.map.json")
    scenario = studio.new_scenario(made, title="Well")
    scenario.save(tmp_path / "well.scenario.json")
    shutil.copy(bundle, tmp_path / "holding.bundle.zip")
    for document in (scenario, made):
        document.close()
    Image.new("RGB", (80, 60), "#caa").save(tmp_path / "scan.png")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.map.json").write_text("{}")
    return tmp_path


@pytest.fixture
def start(folder):
    made = studio.launcher(folder)
    yield made
    if made.document is not None:
        made.document.close()


def test_files_are_listed_nearest_first_without_hidden_ones(folder):
    assert works_in(folder, ".map.json", ".scenario.json") == ["well.scenario.json", "maps/oasis.map.json"]
    assert works_in(folder / "nowhere", ".map.json") == []


def test_it_opens_maps_and_scenarios(start):
    assert repr(start) == "Launcher(nothing open yet)"
    with pytest.raises(StudioError, match="choose something"):
        _ = start.map
    start.open("maps/oasis.map.json")
    assert start.map.title == "Oasis" and repr(start._place.children[0]).startswith("MapEditor('Oasis'")
    with pytest.raises(StudioError, match="no scenario"):
        _ = start.scenario
    start.open("well.scenario.json")
    assert start.scenario.title == "Well" and start.map is start.scenario.map


def test_it_makes_maps_and_scenarios(start):
    start.make_map("urban_operations", 9, 7, "Quarter")
    assert (start.map.title, start.map.grid.columns, start.map.path) == ("Quarter", 9, None)
    start.make_scenario("maps/oasis.map.json", "Raid")
    assert (start.scenario.title, start.map.title) == ("Raid", "Oasis")


def test_it_takes_in_bundles_and_scans(start, folder):
    start.take_in("holding.bundle.zip", "taken")
    assert start.map.grid.columns == 27 and len(start.scenario.document.forces) == 2
    assert (folder / "taken.map.json").exists() and (folder / "taken.scenario.json").exists()
    assert studio.open_scenario(folder / "taken.scenario.json").check().errors == []
    start.take_in("scan.png", "traced.map.json", ruleset="modern_tactics", columns=12, rows=10)
    assert start.map.backdrop.path.name == "scan.png" and start.map.grid.columns == 12


@pytest.mark.parametrize(
    ("source", "target", "match"),
    [
        ("nothing.bundle.zip", "new", "no such file"),
        ("well.scenario.json", "new", "does not take in"),
        ("scan.png", "maps/oasis", "is there already"),
    ],
)
def test_what_cannot_be_taken_in_is_refused_in_words(start, source, target, match):
    with pytest.raises(StudioError, match=match):
        start.take_in(source, target, ruleset="modern_tactics", columns=5, rows=5)


def test_a_fault_of_a_button_is_told_as_text(start):
    tabs = start._box.children[0]
    source, target, *_, button = tabs.children[3].children
    source.value, target.value = "<b>nothing</b>.png", "x"
    button.click()
    assert "&lt;b&gt;nothing" in start._said.value and "no such file" in start._said.value


def test_any_fault_of_a_button_is_told(start, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("out of ink")

    monkeypatch.setattr(start, "make_map", fail)
    start._box.children[0].children[1].children[-1].click()
    assert "out of ink" in start._said.value


def test_what_was_made_meanwhile_is_listed(start, folder):
    tabs = start._box.children[0]
    start.make_map("modern_tactics", 6, 5, "Later")
    start.map.save(folder / "later.map.json")
    tabs.selected_index = 2
    assert "later.map.json" in tabs.children[2].children[0].options
    tabs.selected_index = 0
    chosen, button = tabs.children[0].children
    assert chosen.options[0] == "later.map.json"
    chosen.value = "maps/oasis.map.json"
    start.map.close()
    button.click()
    assert start.map.title == "Oasis"


def test_an_editor_that_gives_way_to_another_follows_no_more(start):
    start.make_map("modern_tactics", 6, 5, "First")
    (first,), document, sent = start._place.children, start.map, []
    start.make_map("modern_tactics", 6, 5, "Second")
    first.send = lambda content, buffers=None: sent.append(content)
    document.paint(document.labels.label(0), level=1)
    assert sent == [] and first.comm is None
    document.close()


def test_unsaved_work_is_listed_when_it_is_asked_for_and_comes_back(start):
    drawn = studio.new_map("modern_tactics", columns=6, rows=6, title="Never saved")
    drawn.paint(drawn.labels.label(0), level=1)
    tabs = start._box.children[0]
    tabs.selected_index = 4
    chosen, button = tabs.children[4].children
    assert any("Never saved, 1 steps" in text for text, _ in chosen.options)
    chosen.value = next(number for text, number in chosen.options if "Never saved" in text)
    button.click()
    assert start.map is drawn


# -- geography ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def delta(folder):
    lay_delta(folder)
    return studio.launcher(folder)


def parts(start):
    """Return the fields of the tab by what they are: file, map, note, keep, sizes, running, button."""
    source, target, note, keep, *sizes, running, button = start._box.children[0].children[3].children
    return source, target, note, keep, sizes, running, button


def shown(widget):
    return widget.layout.display is None


def test_a_specification_is_listed_and_needs_no_size(delta, folder):
    (folder / "maps" / "delta.map.json").write_text("{}")
    (folder / "maps" / "delta.geography.json").write_text("{}")  # a record: it lies beside its map
    delta = studio.launcher(folder)
    source, target, note, keep, sizes, running, _ = parts(delta)
    assert "delta.geography.toml" in source.options and "maps/delta.geography.json" not in source.options
    assert all(map(shown, sizes)) and not shown(keep) and not shown(running)
    source.value = "scan.png"
    assert all(map(shown, sizes)) and "Under a picture" in note.value
    (folder / "maps" / "delta.map.json").unlink()
    source.value = "delta.geography.toml"
    assert not any(map(shown, sizes))
    assert target.placeholder == "maps/delta.map.json" and "delta.map.json is new" in note.value
    target.value = "maps/oasis"
    assert "⚠ oasis.map.json is there already, and was not made of geography" in note.value


def test_a_map_is_made_of_geography_with_its_report(delta, folder):
    source, _, note, keep, _, running, button = parts(delta)
    source.value = "delta.geography.toml"
    button.click()
    assert delta.map.title == "Delta" and (folder / "maps" / "delta.geography.json").exists()
    assert delta.imported.report.findings
    assert "Findings (" in delta._report.value and 'aria-label="How the map was made"' in delta._report.value
    assert repr(delta._place.children[0]).startswith("MapEditor('Delta'")
    assert not button.disabled and not shown(running) and not shown(keep)
    assert "is there, as it was made: it is made anew" in note.value
    delta.open("maps/oasis.map.json")
    assert delta._report.value == "" and delta.imported is None


def test_edits_are_kept_when_somebody_ticks_it(delta, folder):
    source, _, note, keep, *_, button = parts(delta)
    source.value = "delta.geography.toml"
    button.click()
    delta.map.paint(["0101", "0203"], terrain="marsh")
    button.click()
    assert "has unsaved" in delta._said.value or "unsaved changes" in delta._said.value
    delta.map.save()
    button.click()
    assert "⚠ maps/delta.map.json was edited since it was made: terrain of 2 hexes" in delta._said.value
    assert "Tick" in delta._said.value and shown(keep) and "was edited since" in note.value
    keep.value = True
    button.click()
    assert "kept as overrides in" in delta._report.value
    assert delta.map.model.terrain_at(delta.map.labels.cell("0203")) == "marsh"
    assert (folder / "delta.overrides.json").exists() and not shown(keep) and not keep.value


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("", "", "choose what is to be taken in"),
        ("nothing.geography.toml", "", "nothing.geography.toml"),
        ("broken.geography.toml", "", "$.grid"),
        ("delta.geography.toml", "maps/oasis", "is there already, and was not made of geography"),
        ("well.scenario.json", "x", "does not take in"),
    ],
)
def test_faults_of_imports_are_told_in_words(delta, folder, source, target, words):
    text = (folder / "delta.geography.toml").read_text().replace("hex_size = 20000", 'hex_size = "wide"')
    (folder / "broken.geography.toml").write_text(text)
    fields = parts(delta)
    fields[0].value, fields[1].value = source, target
    fields[-1].click()
    assert delta._said.value.startswith("<span role='status'>⚠ ") and words in delta._said.value
    assert not fields[-1].disabled and delta.document is None


def test_an_import_can_be_stopped_and_nothing_is_written(delta, folder, monkeypatch):
    source, *_, running, button = parts(delta)
    bar, stop = running.children
    seen = []

    def slow(*args, progress, **options):
        progress("fit", 0.25)
        seen.append((shown(running), button.disabled, bar.description, bar.value))
        stop.click()
        progress("towns", 0.5)

    monkeypatch.setattr("studio.api.importtab.import_geography", slow)
    source.value = "delta.geography.toml"
    button.click()
    assert seen == [(True, True, "fit", 0.25)]
    assert "⚠ Stopped; nothing was written" in delta._said.value
    assert not (folder / "maps" / "delta.map.json").exists() and not button.disabled


def test_in_a_kernel_other_messages_are_heard_while_it_runs(delta, folder):
    """A kernel runs a loop: the import goes on beside it, and ends in it."""
    source, *_, button = parts(delta)
    source.value = "delta.geography.toml"

    async def kernel():
        button.click()
        assert button.disabled and delta.document is None
        heard = 0
        while button.disabled and heard < 6000:
            await asyncio.sleep(0.01)
            heard += 1
        return heard

    assert asyncio.run(kernel()) > 1
    assert delta.map.title == "Delta" and "Findings (" in delta._report.value


def test_geography_without_a_browser(delta):
    delta.take_in("delta.geography.toml", "front")
    assert delta.map.path.name == "front.map.json" and delta.imported.map is delta.map
