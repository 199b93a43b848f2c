"""Tiled maps of others: every form in which Tiled writes layers, tilesets of all kinds, and files that mean harm."""

import base64
import gzip
import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from studio.errors import DocumentError, UnsupportedError
from studio.exchange import tiled
from tests.exchange.contents import own_game

GIDS = [1, 2, 3, 1, 2, 2]  # three columns, two rows


def reading(**options) -> tiled.TiledReading:
    return tiled.TiledReading(ruleset=own_game().id, **options)


def tiles(names=("clear", "Light Woods", "lake")) -> dict:
    return {
        "firstgid": 1,
        "name": "set",
        "tilecount": len(names),
        "tiles": [{"id": n, "type": name} for n, name in enumerate(names)],
    }


def map_of(layer: dict, **more) -> dict:
    plain = {"type": "tilelayer", "name": "ground", "width": 3, "height": 2}
    head = {"type": "map", "orientation": "hexagonal", "width": 3, "height": 2, "tilewidth": 28, "tileheight": 24}
    head |= {"hexsidelength": 14, "staggeraxis": "x", "staggerindex": "odd", "tilesets": [tiles()]}
    return head | {"layers": [plain | layer]} | more


def saved(folder: Path, data: dict, name: str = "m.tmj") -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def terrain(taken) -> list[str]:
    legend = taken.document.terrain.legend
    return [legend[mark] for row in taken.document.terrain.rows for mark in row]


RAW = np.array(GIDS, dtype="<u4").tobytes()
EXPECTED = ["clear", "woods", "lake", "clear", "woods", "woods"]
FORMS = {
    "list": {"data": GIDS},
    "csv": {"data": "1,2,3,\n1,2,2", "encoding": "csv"},
    "base64": {"data": base64.b64encode(RAW).decode(), "encoding": "base64"},
    "zlib": {"data": base64.b64encode(zlib.compress(RAW)).decode(), "encoding": "base64", "compression": "zlib"},
    "gzip": {"data": base64.b64encode(gzip.compress(RAW)).decode(), "encoding": "base64", "compression": "gzip"},
    "flipped": {"data": [1 | 0x80000000, 2 | 0x10000000, *GIDS[2:]]},
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_form_of_a_layer(form, tmp_path):
    taken = tiled.read(saved(tmp_path, map_of(FORMS[form])), options=reading())
    assert terrain(taken) == EXPECTED
    assert (taken.document.grid.stagger, taken.document.grid.orientation) == ("odd", "flat")
    assert any("turned or flipped" in note for note in taken.notes) == (form == "flipped")


def test_zstd_is_read_or_the_missing_library_is_named(tmp_path):
    try:
        import zstandard
    except ImportError:
        layer = {"data": base64.b64encode(b"\x28\xb5\x2f\xfd").decode(), "encoding": "base64", "compression": "zstd"}
        with pytest.raises((UnsupportedError, DocumentError), match=r"zstandard|zstd"):
            tiled.read(saved(tmp_path, map_of(layer)), options=reading())
        return
    packed = base64.b64encode(zstandard.ZstdCompressor().compress(RAW)).decode()
    layer = {"data": packed, "encoding": "base64", "compression": "zstd"}
    assert terrain(tiled.read(saved(tmp_path, map_of(layer)), options=reading())) == EXPECTED


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("start", [0, 1, -1, -2])
def test_an_infinite_map_begins_at_its_first_tile(axis, start, tmp_path):
    chunk = {"x": start, "y": start, "width": 3, "height": 2, "data": GIDS}
    empty = {"x": 32, "y": 32, "width": 3, "height": 2, "data": [0] * 6}
    layer = {"chunks": [empty, chunk], "width": 3, "height": 2}
    data = map_of(layer, infinite=True, staggeraxis=axis, tilewidth=24, tileheight=24, hexsidelength=12)
    grid = tiled.read(saved(tmp_path, data), options=reading()).document.grid
    assert (grid.columns, grid.rows) == (3, 2)
    # A shifted line stays shifted wherever the map begins.
    assert grid.stagger == ("odd" if start % 2 == 0 else "even")


XML = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.8" orientation="hexagonal" width="3" height="2" tilewidth="28" tileheight="24" hexsidelength="14"
 staggeraxis="x" staggerindex="even" infinite="0">
 <tileset firstgid="1" source="set.tsx"/>
 <group name="all"><layer name="ground" width="3" height="2"><data>{data}</data></layer></group>
 <objectgroup name="things">
  <object id="1" type="name" x="14" y="36"><text>Old Mill</text></object>
  <object id="2" type="road" x="14" y="24"><polyline points="0,0 21,-12"/></object>
  <object id="3" x="1" y="1"/>
 </objectgroup>
</map>
"""
TSX = """<tileset name="set" tilecount="3" columns="0">
 <tile id="0"><properties><property name="terrain" value="clear"/></properties></tile>
 <tile id="1"><image source="pics/light_woods.png"/></tile>
 <tile id="2" class="Lake"/>
</tileset>
"""


def test_xml_with_a_tileset_of_its_own_and_objects(tmp_path):
    (tmp_path / "set.tsx").write_text(TSX)
    path = tmp_path / "m.tmx"
    path.write_text(XML.format(data="".join(f'<tile gid="{gid}"/>' for gid in GIDS)))
    taken = tiled.read(path, options=reading(title="Mine"))
    assert terrain(taken) == EXPECTED and taken.document.title == "Mine"
    road = next(one for one in taken.document.features if one.id == "road-1")
    assert road.path == ("0101", "0201") and road.line == ()
    assert [one.text for one in taken.document.features if one.id == "name-1"] == ["Old Mill"]
    assert "layer 'things': 1 objects were not read; give them the class of a feature, such as road" in taken.notes


def test_unknown_tiles_are_listed_with_the_nearest_names(tmp_path):
    data = map_of(FORMS["list"], tilesets=[tiles(("clear", "lite_woods", "laké"))])
    with pytest.raises(DocumentError) as caught:
        tiled.read(saved(tmp_path, data), options=reading())
    text = str(caught.value)
    assert "unknown terrain 'lite_woods'" in text and "unknown terrain 'laké'; did you mean 'lake'?" in text
    assert "and 2 more" in text and "column 1, row 0" in text
    mended = reading(mapping={"lite_woods": "woods", "set:2": "lake"})
    assert terrain(tiled.read(saved(tmp_path, data), options=mended)) == EXPECTED


def test_tiles_that_mean_nothing_let_those_below_count(tmp_path):
    upper = {"type": "tilelayer", "name": "trees", "width": 3, "height": 2, "data": [4, 0, 4, 0, 0, 0]}
    data = map_of(FORMS["list"], tilesets=[tiles(("clear", "woods", "lake", "shadow"))])
    data["layers"].append(upper)
    path = saved(tmp_path, data)
    assert terrain(tiled.read(path, options=reading(mapping={"shadow": ""}))) == EXPECTED
    assert terrain(tiled.read(path, options=reading(layers=("ground",)))) == EXPECTED
    with pytest.raises(DocumentError, match="no tile layer 'grund'"):
        tiled.read(path, options=reading(layers=("grund",)))


def test_squashed_hexes_keep_their_shape(tmp_path):
    taken = tiled.read(saved(tmp_path, map_of(FORMS["list"], tilewidth=32, hexsidelength=16)), options=reading())
    assert taken.document.grid.hex_width == pytest.approx(32 / 24)
    assert any("as broad as regular ones" in note for note in taken.notes)


# -- harm --------------------------------------------------------------------------------------------------------------

BOMB = '<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><map>&b;</map>'
OUTER = '<?xml version="1.0"?><!DOCTYPE m SYSTEM "file:///etc/passwd"><map/>'


@pytest.mark.parametrize(
    "text", [BOMB, OUTER, "<map", "<svg/>", "", "[]", "{", '{"layers": []}', "\x00\x01", "[" * 100_000]
)
def test_files_that_are_no_maps_are_refused(text, tmp_path):
    path = tmp_path / "m.tmx"
    path.write_bytes(text.encode())
    with pytest.raises(DocumentError):
        tiled.read(path, options=reading())


def spoiled(**change) -> dict:
    return map_of(FORMS["list"] | change.pop("layer", {}), **change)


HARM = {
    "far too large": spoiled(width=10**9, layer={"width": 10**9}),
    "negative": spoiled(width=-3),
    "a number that is none": spoiled(tilewidth="NaN"),
    "infinite size": spoiled(tileheight=1e400),
    "too few gids": spoiled(layer={"data": [1, 2]}),
    "gids that are none": spoiled(layer={"data": ["x"] * 6}),
    "a gid beyond 32 bits": spoiled(layer={"data": [2**40] * 6}),
    "no base64": spoiled(layer={"data": "@@@", "encoding": "base64"}),
    "a zip bomb": spoiled(
        layer={
            "data": base64.b64encode(zlib.compress(b"\0" * 50_000_000)).decode(),
            "encoding": "base64",
            "compression": "zlib",
        }
    ),
    "cut off": spoiled(
        layer={"data": base64.b64encode(zlib.compress(RAW)[:6]).decode(), "encoding": "base64", "compression": "zlib"}
    ),
    "packed by what nobody knows": spoiled(layer={"data": "AAAA", "encoding": "base64", "compression": "rar"}),
    "other orientation": spoiled(orientation="orthogonal"),
    "a tileset elsewhere": spoiled(tilesets=[{"firstgid": 1, "source": "../../secret.tsx"}]),
    "a tileset by an absolute path": spoiled(tilesets=[{"firstgid": 1, "source": "/etc/passwd"}]),
    "a tileset on a drive": spoiled(tilesets=[{"firstgid": 1, "source": "C:\\set.tsx"}]),
    "a tileset that is not there": spoiled(tilesets=[{"firstgid": 1, "source": "none.tsx"}]),
    "layers that are none": spoiled(layers=[1, 2]),
    "no tiles": spoiled(layer={"data": [0] * 6}),
    "a gid of no tileset": spoiled(layer={"data": [77] * 6}),
}


@pytest.mark.parametrize("case", sorted(HARM))
def test_harmful_maps_are_refused(case, tmp_path):
    path = tmp_path / "m.tmj"
    path.write_text(json.dumps(HARM[case]).replace("Infinity", "1e999"), encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        tiled.read(path, options=reading())
    assert "m.tmj" in str(caught.value) or "none.tsx" in str(caught.value)


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    folder = tmp_path / "maps"
    folder.mkdir()
    (tmp_path / "outside.tsx").write_text(TSX)
    (folder / "set.tsx").symlink_to(tmp_path / "outside.tsx")
    path = saved(folder, spoiled(tilesets=[{"firstgid": 1, "source": "set.tsx"}]))
    with pytest.raises(DocumentError, match="leads out of its folder"):
        tiled.read(path, options=reading())
