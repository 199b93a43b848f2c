"""Scenario sheets: complete, the same bytes each time, nothing of a scenario as markup, tables whole on their pages."""

import io
import itertools
import re
import time
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pypdf
import pytest

import studio
from studio.draw.arguments import OptionError
from studio.draw.brief import Sheet, make_sheet, sheet_html, sheet_pdf
from studio.draw.brief.sheet import FormationCard, Section, Text
from studio.draw.brief.sheet import Table as SheetTable
from studio.model import Force, Formation, MapUse, Objective, ScenarioDocument, Source, UnitRecord
from tests.model.any_document import planted, squeezed


@pytest.fixture(scope="module")
def map_() -> Any:
    return studio.open_map("maps/armageddon-1.map.json", recover_unsaved=False)


@pytest.fixture(scope="module")
def raid() -> Any:
    return studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)


def on(map_: Any, document: ScenarioDocument) -> Any:
    document.ruleset = map_.ruleset.id
    return SimpleNamespace(document=document, map=map_, ruleset=map_.ruleset)


def sheet_of(map_: Any, document: ScenarioDocument) -> Sheet:
    return make_sheet(on(map_, document), pictures=False, made_by="Test")


def battle(**fields: Any) -> ScenarioDocument:
    return ScenarioDocument(**{"ruleset": "armageddon_war", "map": MapUse(file="a.map.json"), **fields})


def pdf_text(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)


class Reader(HTMLParser):
    """What a browser makes of a page: its elements, their attributes, its text; unclosed elements are an error."""

    VOID = frozenset({"meta", "img", "path", "use", "link", "br", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


def test_every_word_of_a_document_is_on_the_sheet(map_: Any) -> None:
    document, words = planted()
    sheet = sheet_of(map_, document)
    html = squeezed(" ".join(read(sheet_html(sheet)).words)).lower()
    assert not {word: at for word, at in words.items() if word not in html}
    pdf = squeezed(pdf_text(sheet_pdf(sheet))).lower()
    assert not {word: at for word, at in words.items() if word not in pdf}
    assert len(words) > 2000


def test_the_sample_is_complete(raid: Any) -> None:
    brief = raid.brief()
    titles = [section.title for section in brief.sheet.sections]
    assert titles[:4] == ["At a glance", "Order of battle: Rebels", "Order of battle: ISIL", "Turn track"]
    assert {"Objectives", "Victory", "Special rules", "Sources"} <= set(titles)
    words = " ".join(read(brief.to_html()).words)
    for fact in ("4 × Militia", "2 × BMP-2", "columns from Q on", "Lasts 16 activations", "Rebels 37 and ISIL 48"):
        assert fact in words
        assert squeezed(fact) in squeezed(pdf_text(brief.to_pdf()))


def test_equal_scenarios_give_equal_bytes(raid: Any) -> None:
    first, second = raid.brief(), raid.brief()
    assert first.to_html() == second.to_html()
    assert first.to_pdf() == second.to_pdf()


HOSTILE = "<script>alert(1)</script>&amp;\"'><img src=x onerror=alert(2)> {{ 7*7 }} <b>bold</b> </para> \x07 \u202e"


def test_nothing_of_a_scenario_is_markup(map_: Any) -> None:
    unit = UnitRecord(id="u", type="rebel.militia", name=HOSTILE, notes=HOSTILE)
    document = battle(
        title=HOSTILE,
        situation=HOSTILE,
        forces=[
            Force(id="f", name=HOSTILE, formations=(Formation(id="p", name=HOSTILE, units=(unit,), notes=HOSTILE),))
        ],
        objectives=[Objective(id="o", side="f", event="other", text=HOSTILE)],
        sources=[Source(title=HOSTILE, url="javascript:alert(1)")],
    )
    sheet = sheet_of(map_, document)
    html = sheet_html(sheet)
    reader = read(html)
    tags = {tag for tag, _ in reader.elements}
    assert not tags & {"script", "b", "img", "a", "iframe"}
    assert not any(name.startswith("on") for _, given in reader.elements for name in given)
    words = " ".join(reader.words)
    assert "<script>alert(1)</script>" in words and "{{ 7*7 }}" in words
    text = squeezed(pdf_text(sheet_pdf(sheet)))
    assert "<script>alert(1)</script>" in text and "</para>" in text


def test_the_page_needs_no_network_and_can_be_read_aloud(raid: Any) -> None:
    html = raid.brief().to_html()
    reader = read(html)
    assert not re.search(r"https?://(?!www\.w3\.org)", html)
    images = [given for tag, given in reader.elements if tag == "img"]
    assert images and all(given["alt"] and str(given["src"]).startswith("data:image/png;base64,") for given in images)
    heads = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch("h[1-6]", tag)]
    assert heads[0] == 1 and heads.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(heads))
    (page,) = [given for tag, given in reader.elements if tag == "html"]
    assert page["lang"] == "en"
    ids = [given["id"] for _, given in reader.elements if "id" in given]
    assert len(ids) == len(set(ids))
    assert "prefers-color-scheme: dark" in html and "@media print" in html
    assert all(given.get("scope") in ("col", "row") for tag, given in reader.elements if tag == "th")


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_paper_and_fonts(raid: Any, paper: str, size: tuple[int, int]) -> None:
    brief = raid.brief(paper=paper, pictures=False)
    pages = pypdf.PdfReader(io.BytesIO(brief.to_pdf())).pages
    for n, page in enumerate(pages, 1):
        assert (round(page.mediabox.width), round(page.mediabox.height)) == size
        assert page.extract_text().split()[-1] == str(n) or str(n) in page.extract_text()
        for font in page["/Resources"]["/Font"].values():
            told = font.get_object()
            if told["/Subtype"] == "/TrueType":
                assert "/FontFile2" in told["/FontDescriptor"].get_object()
    assert ("size: A4" if paper == "a4" else "size: letter") in brief.to_html()


def test_page_breaks_fall_between_rows(map_: Any) -> None:
    """A row of a table is whole on its page, and each page of a table repeats the head."""
    rows = tuple((f"row{n:03d}a", f"middle {'word ' * 40} row{n:03d}z") for n in range(60))
    sheet = Sheet(
        "Game", "Title", "", "", (Section("s", "Long", (SheetTable(("Left", "Right"), rows, (0.3, 0.7)),)),), "Foot"
    )
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(sheet_pdf(sheet))).pages]
    assert len(pages) > 3
    for page in pages:
        assert set(re.findall(r"row(\d{3})a", page)) == set(re.findall(r"row(\d{3})z", page))
        assert "Left" in page and "Right" in page


def test_a_heading_is_not_left_alone_at_the_foot_of_a_page() -> None:
    for lines in range(38, 54, 2):
        blocks = tuple(Text(f"line {n}") for n in range(lines))
        after = (Section("a", "First part", blocks), Section("b", "Second part", (Text("after it"),)))
        pages = pypdf.PdfReader(io.BytesIO(sheet_pdf(Sheet("G", "T", "", "", after, "F")))).pages
        (where,) = [n for n, page in enumerate(pages) if "Second part" in page.extract_text()]
        assert "after it" in pages[where].extract_text()


def test_texts_of_any_length_find_their_page(map_: Any) -> None:
    long = "x" * 20_000
    card = FormationCard(long, "#0072b2", (long, "word " * 4000), ())
    table = SheetTable(("A", "B"), ((long, long), ("a", "b")), (0.1, 0.9))
    sheet = Sheet(long, long, long, long, (Section("s", long, (card, table, Text(long))),), long)
    assert len(pypdf.PdfReader(io.BytesIO(sheet_pdf(sheet))).pages) > 10
    assert len(sheet_html(sheet)) > 10 * 20_000


def test_letters_of_many_scripts_have_a_shape(map_: Any) -> None:
    sheet = sheet_of(map_, battle(title="Żółw ⚑ → Ωμέγα Привет ½ “x” ✕"))
    text = squeezed(pdf_text(sheet_pdf(sheet)))
    for word in ("Żółw", "⚑", "→", "Ωμέγα", "Привет", "½"):
        assert word in text


@pytest.mark.slow
def test_ten_thousand_units_are_a_sensible_sheet(map_: Any) -> None:
    def units(n: int) -> tuple[UnitRecord, ...]:
        return tuple(UnitRecord(id=f"u{n}-{k}", type="rebel.militia", notes=f"Number {k % 50}") for k in range(100))

    forces = [
        Force(id=f"f{n}", name=f"Force {n}", formations=(Formation(id=f"p{n}", name=f"Part {n}", units=units(n)),))
        for n in range(100)
    ]
    began = time.perf_counter()
    sheet = sheet_of(map_, battle(forces=forces))
    html, pdf = sheet_html(sheet), sheet_pdf(sheet)
    assert time.perf_counter() - began < 60
    assert len(html) < 3_000_000
    assert len(pypdf.PdfReader(io.BytesIO(pdf)).pages) < 120


def test_files_and_refusals(raid: Any, tmp_path: Any) -> None:
    raid.brief(tmp_path / "sheet.html", pictures=False)
    raid.brief(tmp_path / "sheet.PDF", pictures=False)
    assert (tmp_path / "sheet.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "sheet.PDF").read_bytes().startswith(b"%PDF-")
    with pytest.raises(OptionError, match=r"allowed suffixes are \.html"):
        raid.brief(tmp_path / "sheet.docx")
    with pytest.raises(OptionError, match="unknown paper 'a5'"):
        raid.brief(paper="a5")
    brief = raid.brief(pictures=False)
    with pytest.raises(OptionError, match=r"suffix \.txt; allowed are"):
        brief.save(tmp_path / "sheet.txt")
    assert "<html" not in brief._repr_html_() and "wgs-sheet" in brief._repr_html_()
    assert repr(brief).startswith("Brief('Scenario 1")
