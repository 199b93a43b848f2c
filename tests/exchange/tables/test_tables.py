"""Tables of hexes, sides and units: to CSV and back, through spreadsheets, sparse, wrong and harmful."""

import csv
import io
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import DocumentError, UnsupportedError
from studio.exchange import tables
from studio.exchange.tables import TableOptions, TableReading
from studio.exchange.tables.text import cell_in, cell_out, read_table, table_text
from studio.grid import Axis, LabelScheme
from studio.model.wording import credit_sentences
from tests.exchange.contents import GAMES, TEXTS, content, content_of, maps, own_game, own_map, without


def written(what, folder: Path, **options) -> Path:
    return tables.write(what, folder / "map.csv", options=TableOptions(**options)).files[0]


def saved(folder: Path, text: str | bytes, name: str = "m.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def reading(**options) -> TableReading:
    return TableReading(ruleset=own_game().id, **options)


@pytest.mark.parametrize(("name", "scenario"), GAMES)
@pytest.mark.parametrize("excel", [False, True])
def test_every_game_comes_back(name, scenario, excel, tmp_path):
    what = content_of(name, scenario)
    path = written(what, tmp_path, excel=excel)
    document = what.model.to_document()
    taken = tables.read(path)
    assert taken.document == without(document, "notes", "sources", "features", "backdrop")
    onto = tables.read(path, options=TableReading(onto=document, scenario=what.scenario))
    assert onto.document == document and onto.scenario == what.scenario
    if what.scenario is not None:
        units = [unit for force in what.scenario.forces for part in force.formations for unit in part.units]
        back = [unit for force in taken.scenario.forces for part in force.formations for unit in part.units]
        assert [(one.id, one.type, one.count, one.at) for one in back] == [
            (one.id, one.type, one.count, one.at) for one in units
        ]


def test_sources_go_along_in_the_table_of_the_map_and_that_is_told(tmp_path):
    what = content_of("practice-front", "practice-front")
    made = tables.write(what, tmp_path / "map.csv")
    rows = dict(csv.reader(io.StringIO((tmp_path / "map-map.csv").read_text("utf-8"))))
    said = [value for key, value in rows.items() if key.startswith("source ")]
    assert said == list(credit_sentences(what.model, what.scenario)) and len(said) > 0
    assert [note for note in made.notes if "map-map.csv" in note and "licences" in note]
    what.model.sources = []
    alone = what._replace(scenario=None)
    assert not [note for note in tables.write(alone, tmp_path / "map.csv").notes if "licences" in note]
    assert "source 1" not in (tmp_path / "map-map.csv").read_text("utf-8")


@given(what=maps(), excel=st.booleans())
def test_random_maps_come_back(what, excel, tmp_path_factory):
    path = written(what, tmp_path_factory.mktemp("tables"), excel=excel)
    lost = ("notes", "sources", "features", "backdrop", "georeference")
    assert tables.read(path).document == without(what.model.to_document(), *lost)


@given(what=maps())
def test_labels_and_grid_are_found_out(what, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    path = written(what, folder)
    (folder / "map-map.csv").unlink()
    grid = what.model.grid
    if grid.short or grid.half:
        return  # a table of hexes does not tell these from absent rows
    document = tables.read(path, options=reading(orientation=grid.orientation)).document
    labels = what.model.labels
    assert document.terrain == what.model.to_document().terrain
    assert (document.grid.columns, document.grid.rows) == (grid.columns, grid.rows)
    back = tables.read(path, options=reading(orientation=grid.orientation, labels=document.labels)).document
    assert back.labels == document.labels and labels.all()


@given(
    rows=st.lists(st.fixed_dictionaries({"a": TEXTS, "b": st.integers(), "c": TEXTS}), max_size=5), excel=st.booleans()
)
def test_any_text_survives_a_table(rows, excel, tmp_path_factory):
    path = saved(tmp_path_factory.mktemp("tables"), table_text(("a", "b", "c"), rows, excel=excel))
    found = [row.values for row in read_table(path).rows]
    assert found == [{"a": one["a"], "b": str(one["b"]), "c": one["c"]} for one in rows]


@given(text=TEXTS)
def test_no_cell_is_a_formula(text):
    out = cell_out(text)
    assert not out.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert cell_in(out) == text
    assert cell_in(cell_out(text, excel=True)) == text


def test_the_form_is_that_of_the_standard(tmp_path):
    what = content(own_map(columns=2, rows=2))
    data = written(what, tmp_path).read_bytes()
    assert data.startswith(b"label,column,row,q,r,terrain,level,half,playable,x,y\r\n0101,0,0,")
    assert data.count(b"\r\n") == data.count(b"\n") == 5
    excel = written(what, tmp_path, excel=True).read_bytes()
    assert excel.startswith(b"\xef\xbb\xbflabel,") and b'"=""0101"""' in excel
    assert list(csv.reader(io.StringIO(data.decode())))[1][0] == "0101"
    with pytest.raises(UnsupportedError, match=r"\.csv"):
        tables.write(what, tmp_path / "a.xlsx")


def test_labels_such_as_1e5_stay_texts(tmp_path):
    model = own_map(columns=6, rows=6)
    scheme = LabelScheme(columns=Axis(style="letters"), rows=Axis(), order="row_first")
    model = type(model)(model.ruleset, model.grid, scheme, own_game().terrain_characters)
    path = written(content(model), tmp_path)
    assert b"\n1E,4,0" in path.read_bytes().replace(b"\r", b"")
    assert tables.read(path).document == model.to_document()


# -- what spreadsheets and people make of them -------------------------------------------------------------------------

PLAIN = "Hex;Terrain Type;Elevation\r\n101;Light Woods;1,0\r\n0102;LAKE;\r\n"


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode("utf-8"),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        PLAIN.replace(";", "\t").encode(),
        b"sep=;\r\n" + PLAIN.encode(),
        PLAIN.replace("101;", '="0101";', 1).encode(),
    ],
)
def test_spreadsheets_are_understood(data, tmp_path):
    options = reading(columns=2, rows=2, labels=LabelScheme())
    taken = tables.read(saved(tmp_path, data), options=options)
    assert taken.document.terrain.rows == ["w.", "~."]
    assert taken.document.levels.rows == ["10", "00"]
    assert "2 hexes are not in the table and became clear" in taken.notes


def test_columns_may_be_named_and_words_mapped(tmp_path):
    path = saved(tmp_path, "Feld,Gelände\n0101,Wald\n0202,x\n")
    options = reading(
        columns=2,
        rows=2,
        labels=LabelScheme(),
        headers={"label": "Feld", "terrain": "Gelände"},
        mapping={"Wald": "woods", "x": ""},
    )
    assert tables.read(path, options=options).document.terrain.rows == ["w.", ".."]


def test_a_sparse_table_changes_only_its_hexes(tmp_path):
    model = own_map(columns=3, rows=2)
    model.terrain[:] = 2
    onto = model.to_document()
    taken = tables.read(saved(tmp_path, "label,terrain\n0201,clear\n"), options=TableReading(onto=onto))
    assert taken.document.terrain.rows == ["~.~", "~~~"]
    assert taken.notes == ("5 hexes are not in the table and stay as they were",)
    levels = tables.read(saved(tmp_path, "label,level\n0201,-2\n"), options=TableReading(onto=onto)).document
    assert levels.terrain == onto.terrain and levels.levels.rows[0] == "0b0"


def test_sides_alone_go_onto_a_map(tmp_path):
    onto = own_map(columns=3, rows=2).to_document()
    path = saved(tmp_path, 'a,b,kind\n0101,0102,river\n0201,0101,"bridge, river"\n')
    taken = tables.read(path, options=TableReading(onto=onto))
    assert taken.document.sides == [("0101", "0201", ("bridge", "river")), ("0101", "0102", ("river",))]
    with pytest.raises(DocumentError, match="there is no map for it"):
        tables.read(path, options=reading())


def test_units_get_what_the_table_says(tmp_path):
    what = content_of("armageddon-1", "armageddon-01")
    path = written(what, tmp_path)
    units = tmp_path / "map-units.csv"
    first = what.scenario.forces[0].formations[0].units[0]
    text = units.read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith(first.id))
    fields = line.split(",")
    fields[6], fields[7] = "3", "H5"
    units.write_text(text.replace(line, ",".join(fields)) + "ghost,x,x,x,x,tank,1,,,,,,,\r\n", encoding="utf-8")
    options = TableReading(onto=what.model.to_document(), scenario=what.scenario)
    taken = tables.read(path, options=options)
    moved = taken.scenario.forces[0].formations[0].units[0]
    assert (moved.count, moved.at) == (3, "H5")
    assert msgspec.structs.replace(moved, count=first.count, at=first.at) == first
    assert f"units changed: {first.id}" in taken.notes
    assert any("the unit ghost is not in the scenario" in note for note in taken.notes)


# -- what is wrong -----------------------------------------------------------------------------------------------------


def test_every_fault_has_its_line_and_the_nearest_name(tmp_path):
    text = "label,terrain,level\n0101,wods,0\n0102,lake,high\n9901,lake,0\n0101,clear,0\n0202,clear,77\n"
    with pytest.raises(DocumentError) as caught:
        tables.read(saved(tmp_path, text), options=reading(columns=2, rows=2, labels=LabelScheme()))
    told = [(fault.at, fault.message) for fault in caught.value.faults]
    assert [at for at, _ in told] == [f"line {line}" for line in (2, 3, 4, 5, 6)]
    assert "did you mean 'woods'" in told[0][1]
    assert "got level 'high', allowed -3 to 5" in told[1][1]
    assert "9901" in told[2][1] and "stands in line 2 already" in told[3][1]


def test_lines_are_counted_through_quotes(tmp_path):
    text = 'label,terrain,note\n0101,clear,"one\ntwo\nthree"\n0102,wods,\n'
    with pytest.raises(DocumentError) as caught:
        tables.read(saved(tmp_path, text), options=reading(columns=2, rows=2, labels=LabelScheme()))
    assert caught.value.faults[0].at == "line 5"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("a\0b", "zero bytes"),
        ("label,label\n1,2\n", "two columns"),
        ("x y z\n1\n", "has no column with labels"),
        ("label,note\n0101,x\n", "neither terrain nor levels"),
        ("label,terrain\n0101,clear,more\n", "3 values, allowed 2"),
        ('label,terrain\n0101,"clear\n', "is no table"),
        ("label,terrain\n0101,clear\n", "do not tell how large"),
        ("column,row,terrain\n0,0,clear\n-1,0,clear\n", "go from -1"),
        ("column,row,terrain\n0,99999,clear\n", "allowed 0 to 1999"),
        ("column,row,terrain\n0,x,clear\n", "got column and row '0' and 'x'"),
        ("column,row,label,terrain\n0,0,Rome,clear\n1,0,Paris,clear\n", "follow no scheme"),
    ],
)
def test_tables_that_say_nothing_are_refused(text, words, tmp_path):
    with pytest.raises(DocumentError, match=words):
        tables.read(saved(tmp_path, text), options=reading())


def test_sides_that_are_none_are_refused(tmp_path):
    onto = own_map(columns=3, rows=2).to_document()
    text = "a,b,kinds\n0101,0301,river\n0101,0102,rivr\n"
    with pytest.raises(DocumentError) as caught:
        tables.read(saved(tmp_path, text), options=TableReading(onto=onto))
    assert [fault.at for fault in caught.value.faults] == ["line 2", "line 3"]
    assert "0101 and 0301 share no hexside" in str(caught.value) and "did you mean 'river'" in str(caught.value)
