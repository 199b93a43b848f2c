"""Files of rasters: every kind of pixel says what it means, windows are parts of the whole, what is broken is told."""

import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.transform import Affine

from studio.errors import DocumentError
from studio.exchange.geodata import rasterfiles, tiffs
from studio.exchange.geodata.rasterfiles import open_raster, raster_file

PLACE = (500.0, 0.0, 470e3, 0.0, -500.0, 3620e3)
RNG = np.random.default_rng(3)


def written(path: Path, values: Any, crs: Any = "EPSG:32638", bits: int = 0, **more: Any) -> Path:
    values = np.atleast_3d(values.T).T if values.ndim == 2 else values
    count, high, wide = values.shape
    profile = {"driver": "GTiff", "dtype": values.dtype, "count": count, "height": high, "width": wide}
    scale = more.pop("scale", None)
    profile |= {"transform": Affine(*PLACE), "crs": crs} | ({"nbits": bits} if bits else {}) | more
    with rasterio.open(path, "w", **profile) as dataset:
        dataset.write(values)
        if scale:
            dataset.scales, dataset.offsets = (scale[0],), (scale[1],)
    return path


def numbers(dtype: str, low: int = 0, high: int = 200) -> Any:
    return RNG.integers(low, high, (40, 50)).astype(dtype)


@pytest.mark.parametrize(
    ("dtype", "more"),
    [
        ("uint8", {}),
        ("int16", {}),
        ("uint16", {"ENDIANNESS": "BIG"}),
        ("int32", {}),
        ("float32", {}),
        ("float64", {}),
        ("int16", {"compress": "lzw", "predictor": 2}),
        ("float32", {"compress": "deflate", "predictor": 3, "tiled": True, "blockxsize": 16, "blockysize": 16}),
        ("float32", {"compress": "zstd"}),
        ("float32", {"compress": "lerc"}),
        ("float32", {"BIGTIFF": "YES"}),
    ],
)
def test_geotiffs_of_all_kinds(dtype, more, tmp_path):
    values = numbers(dtype, -99 if dtype[0] != "u" else 0)
    found = open_raster(written(tmp_path / "a.tif", values, **more))
    assert (found.values == values).all() and found.affine == PLACE and found.crs == "EPSG:32638"


def test_whole_numbers_without_a_sign_keep_their_size(tmp_path):
    values = numbers("uint32") + np.uint32(3_000_000_000)
    assert (open_raster(written(tmp_path / "a.tif", values)).values == values).all()


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_codes_of_few_bits_are_not_stretched(bits, tmp_path):
    values = numbers("uint8", 0, 2**bits)
    assert (open_raster(written(tmp_path / "a.tif", values, bits=bits)).values == values).all()


@pytest.mark.parametrize("bits", [2, 4])
def test_codes_of_pictures_of_few_bits(bits, tmp_path):
    values = numbers("uint8", 0, 2**bits)
    picture = Image.fromarray(values)
    picture.putpalette([7, 8, 9] * 2**bits)
    picture.save(tmp_path / "a.png", bits=bits)
    (tmp_path / "a.pgw").write_text("500\n0\n0\n-500\n470250\n3619750\n", encoding="ascii")
    found = open_raster(tmp_path / "a.png")
    assert (found.values == values).all() and found.affine == PLACE


def test_scale_and_offset_are_applied_where_there_are_data(tmp_path):
    values = numbers("int16", 0, 100)
    values[0, 0] = -1
    found = open_raster(written(tmp_path / "a.tif", values, scale=(10.0, 5.0), nodata=-1))
    assert np.isnan(found.values[0, 0]) and found.empty is None
    assert (found.values.ravel()[1:] == values.ravel()[1:] * 10.0 + 5).all()


def test_a_system_without_a_number_is_read_by_its_keys(tmp_path):
    crs = "+proj=laea +lat_0=32 +lon_0=46 +datum=WGS84 +units=m"
    assert "Lambert" in open_raster(written(tmp_path / "a.tif", numbers("uint8"), crs=crs)).crs
    assert open_raster(written(tmp_path / "b.tif", numbers("uint8"), crs=None)).crs == ""


# -- parts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_window_is_a_part_of_the_whole(dtype, tmp_path):
    values = numbers(dtype)
    file = raster_file(written(tmp_path / "a.tif", values))
    assert file.shape == (40, 50)
    part = file.read((10, 5, 30, 25))
    assert (part.values == values[5:25, 10:30]).all()
    assert part.affine == (500.0, 0.0, 475e3, 0.0, -500.0, 3617.5e3)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_of_many_pixels_every_second_or_third_is_read(dtype, tmp_path, monkeypatch):
    values = numbers(dtype)
    file = raster_file(written(tmp_path / "a.tif", values))
    monkeypatch.setattr(rasterfiles, "MAX_PIXELS", 300)
    monkeypatch.setattr(tiffs, "_STRIP", 400)
    found = file.read()
    assert (found.values == values[1::3, 1::3]).all()
    a, _, c, _, e, f = found.affine
    middle = c + a * 0.5, f + e * 0.5
    assert middle == (470e3 + 500 * 1.5, 3620e3 - 500 * 1.5)


def test_a_huge_geotiff_is_read_in_part(tmp_path):
    path = tmp_path / "huge.tif"
    profile = {"driver": "GTiff", "dtype": "int16", "count": 1, "height": 60_000, "width": 60_000}
    more = {"tiled": True, "SPARSE_OK": True, "BIGTIFF": "YES", "transform": Affine(*PLACE), "crs": "EPSG:32638"}
    with rasterio.open(path, "w", **profile, **more) as dataset:
        dataset.write(np.full((16, 16), 7, dtype=np.int16), 1, window=((30_000, 30_016), (30_000, 30_016)))
    found = raster_file(path).read((29_990, 29_990, 30_020, 30_020))
    assert found.values.shape == (30, 30) and (found.values[10:26, 10:26] == 7).all()
    assert found.affine[2] == 470e3 + 29_990 * 500


def test_without_rasterio_the_remedy_names_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tiffs, "_rasterio", lambda: False)
    values = numbers("float32")
    assert (open_raster(written(tmp_path / "a.tif", values)).values == values).all()
    for name, dtype in (("b.tif", "float64"), ("c.tif", "uint32")):
        with pytest.raises(DocumentError, match=r"wargame-studio\[raster\].*gdal_translate"):
            open_raster(written(tmp_path / name, numbers(dtype)))
    monkeypatch.setattr(tiffs, "_MOST", 100)
    with pytest.raises(DocumentError, match=r"has 50 x 40 pixels, allowed 100 .*wargame-studio\[raster\]"):
        open_raster(tmp_path / "a.tif")


# -- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("count", [2, 3])
def test_several_numbers_each_pixel(dtype, count, tmp_path):
    values = np.stack([numbers(dtype)] * count)
    with pytest.raises(DocumentError, match=f"has {count} numbers each pixel.*gdal_translate -b 1 a.tif"):
        open_raster(written(tmp_path / "a.tif", values))


def test_complex_numbers_dates_and_texts(tmp_path):
    with pytest.raises(DocumentError, match="complex64"):
        open_raster(written(tmp_path / "a.tif", numbers("complex64")))
    for values in (numbers("complex64"), numbers("int64").astype("M8[s]"), np.array([["a", "b"]])):
        np.savez(tmp_path / "a.npz", elevation=values, west=0, north=0, step=1)
        with pytest.raises(DocumentError, match="allowed are numbers"):
            open_raster(tmp_path / "a.npz")


@pytest.mark.parametrize("compress", ["deflate", None])
def test_broken_files(compress, tmp_path):
    data = bytearray(written(tmp_path / "a.tif", numbers("float32"), compress=compress).read_bytes())
    (tmp_path / "cut.tif").write_bytes(data[: len(data) // 2])
    middle = len(data) // 2
    data[middle : middle + 500] = bytes([7]) * 500
    (tmp_path / "spoilt.tif").write_bytes(data)
    (tmp_path / "text.tif").write_bytes(b"II*\0" + b"\xff" * 50)
    for name in ("cut.tif", "text.tif", *(["spoilt.tif"] if compress else [])):
        with pytest.raises(DocumentError, match=name):
            open_raster(tmp_path / name)


@pytest.mark.parametrize(
    ("numbers_", "message"),
    [
        ({"west": 1, "north": 2, "step": -1}, "the step -1: rows run from north to south"),
        ({"west": 1, "north": 2, "step": 0}, "without a size"),
        ({"west": np.nan, "north": 2, "step": 1}, "lie nowhere"),
        ({"affine": np.array([1.0, 2.0, 3.0])}, "does not say where it lies"),
        ({"affine": np.array([1.0, 1.0, 0.0, 1.0, 1.0, 0.0])}, "without a size"),
    ],
)
def test_arrays_that_lie_nowhere(numbers_, message, tmp_path):
    np.savez(tmp_path / "a.npz", elevation=np.ones((3, 3)), **numbers_)
    with pytest.raises(DocumentError, match=message):
        open_raster(tmp_path / "a.npz")


def test_an_archive_that_unpacks_to_more_than_the_memory(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "a.npz", elevation=np.zeros((1000, 1000)), west=1, north=2, step=1)
    monkeypatch.setattr(rasterfiles, "MAX_PIXELS", 1000)
    with pytest.raises(DocumentError, match="unpacks to 80"):
        open_raster(tmp_path / "a.npz")
    with zipfile.ZipFile(tmp_path / "b.npz", "w") as archive:
        archive.writestr("elevation.npy", b"no array")
    with pytest.raises(DocumentError, match=r"b\.npz"):
        open_raster(tmp_path / "b.npz")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 x 4", "no ESRI ASCII grid"),
        ("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3", "holds 3 values, allowed 2 x 2"),
        ("ncols 1e400\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3", "no ESRI ASCII grid"),
        ("ncols 2\nnrows 2\nxllcorner inf\nyllcorner 0\ncellsize 1\n1 2 3 4", "lie nowhere"),
        ("ncols 2\nnrows 2\n", "no ESRI ASCII grid"),
        ("", "no ESRI ASCII grid"),
    ],
)
def test_ascii_grids_that_are_none(text, message, tmp_path):
    (tmp_path / "a.asc").write_text(text, encoding="ascii")
    with pytest.raises(DocumentError, match=message):
        open_raster(tmp_path / "a.asc")


def test_an_ascii_grid_with_gaps(tmp_path):
    head = "NCOLS 2\nNROWS 2\nXLLCENTER 10\nYLLCENTER 20\nCELLSIZE 4\nNODATA_value -9\n"
    (tmp_path / "a.asc").write_text(head + "1 2.5\n-9 nan\n", encoding="ascii")
    found = open_raster(tmp_path / "a.asc")
    assert found.affine == (4, 0, 8, 0, -4, 26) and found.empty == -9
    assert found.values[0].tolist() == [1, 2.5] and np.isnan(found.values[1, 1])


def test_pictures_that_a_camera_turned_are_read_as_they_are_stored(tmp_path):
    values = numbers("uint8")
    Image.fromarray(values).save(tmp_path / "a.tif", tiffinfo={274: 6})
    (tmp_path / "a.tfw").write_text("500\n0\n0\n-500\n470250\n3619750\n", encoding="ascii")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = open_raster(tmp_path / "a.tif")
    assert (found.values == values).all() and found.affine == PLACE
