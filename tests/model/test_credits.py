"""Sources in words: whose work a map and a scenario rest on, in order, each once, with licence and address."""

import pytest

from studio.model import MapUse, ScenarioDocument, Source
from studio.model.wording import credit_line, credit_sentences, source_sentence

PLACES = Source(title="GeoNames: places", licence="CC-BY-4.0", url="https://www.geonames.org/")
STREETS = Source(title="OpenStreetMap", licence="ODbL 1.0", note="© OpenStreetMap contributors")
BOOK = Source(title="Rulebook, section 2", licence="facts only")


def document(*sources: Source) -> ScenarioDocument:
    return ScenarioDocument(ruleset="any", map=MapUse(file="x"), sources=list(sources))


def test_the_first_document_leads_and_nothing_is_said_twice() -> None:
    found = credit_sentences(document(PLACES, STREETS, PLACES), None, document(BOOK, STREETS))
    assert found == (
        "GeoNames: places (CC-BY-4.0). https://www.geonames.org/",
        "OpenStreetMap (ODbL 1.0). © OpenStreetMap contributors.",
        "Rulebook, section 2 (facts only).",
    )


def test_sources_that_differ_in_licence_alone_are_two() -> None:
    other = Source(title=PLACES.title, licence="CC-BY-3.0", url=PLACES.url)
    assert len(credit_sentences(document(PLACES), document(other))) == 2


def test_what_says_nothing_is_left_out_and_a_licence_without_title_is_told() -> None:
    assert credit_sentences(document(Source(title=" ", note="\n")), None) == ()
    assert credit_sentences(document(Source(title="", licence="ODbL 1.0"))) == ("Source (ODbL 1.0).",)


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("pyworldatlas 0.9.4", "pyworldatlas 0.9.4."),
        ("Survey of the town, 3rd ed.", "Survey of the town, 3rd ed."),
        ("a title\n of two lines", "a title of two lines."),
    ],
)
def test_titles_stay_as_they_are_written(title: str, wanted: str) -> None:
    assert source_sentence(Source(title=title)) == wanted


def test_a_line_for_the_properties_of_a_file() -> None:
    assert credit_line(()) == ""
    line = credit_line(credit_sentences(document(PLACES, BOOK)))
    wanted = "Sources: GeoNames: places (CC-BY-4.0). https://www.geonames.org/ · Rulebook, section 2 (facts only)."
    assert line == wanted
    assert credit_line(["two\nlines\x07"]) == "Sources: two lines"
