"""The specification as it is read: every fault at once, each with its place and what is allowed."""

from pathlib import Path

import pytest

from studio.errors import DocumentError
from studio.exchange.geography import read_spec

GOOD = 'title = "Gulf"\nruleset = "ignorant_armies"\ncrs = "EPSG:32638"\ngrid = { columns = 3, rows = 2 }\n'


def faults_of(text: str, folder: Path, name: str = "gulf.geography.toml") -> dict[str, str]:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DocumentError) as refused:
        read_spec(file)
    assert "gulf.geography" in str(refused.value)
    return {fault.path: fault.message for fault in refused.value.faults}


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "gulf.geography.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "gulf.geography.json").write_text(
        '{"title":"Gulf","ruleset":"ignorant_armies","crs":"EPSG:32638","grid":{"columns":3,"rows":2}}',
        encoding="utf-8",
    )
    assert read_spec(tmp_path / "gulf.geography.toml") == read_spec(tmp_path / "gulf.geography.json")


def test_all_faults_are_told_at_once_with_their_places(tmp_path: Path) -> None:
    found = faults_of(
        """
        titel = "Gulf"
        ruleset = "ignorant_armies"
        crs = 32638
        since = 2020-01-01
        [grid]
        hex_sise = 3
        columns = "a"
        labels = { order = "letters" }
        [[terrain.classes]]
        terrain = "hills"
        source = "dem"
        share = 1.5
        [[terrain.classes]]
        source = "dem"
        """,
        tmp_path,
    )
    assert "did you mean 'hex_size'" in found["$.grid"]
    assert found["$.grid.columns"] == "got text 'a', allowed a whole number"
    assert "column_first, row_first" in found["$.grid.labels.order"]
    assert "allowed a text" in found["$.crs"]
    assert "allowed maximum 1" in found["$.terrain.classes[0].share"]
    assert "'terrain' is missing" in found["$.terrain.classes[1]"]
    assert not any("'format'" in message for message in found.values())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "cannot be read"),
        (GOOD + GOOD, "cannot be read"),
        (GOOD + "notes = " + "[" * 3000 + "]" * 3000, ""),
        (GOOD + 'version = "2"', "allowed"),
        (GOOD + "notes = nan", "allowed a text"),
    ],
)
def test_what_is_no_specification_is_refused(text: str, said: str, tmp_path: Path) -> None:
    assert said in " ".join(faults_of(text, tmp_path).values())


def test_other_bytes_and_other_things_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "gulf.geography.toml"
    file.write_bytes(b"title = '\xff\xfe'")
    with pytest.raises(DocumentError, match="cannot be read"):
        read_spec(file)
    assert faults_of("[1, 2]", tmp_path, "gulf.geography.json")
    with pytest.raises(DocumentError):
        read_spec(tmp_path)
