"""Pictures of others: what a file says, what is refused and in which words, and pixels within bounds."""

from __future__ import annotations

import os
import struct
import tracemalloc
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from studio.files import pictures
from studio.files.pictures import (
    PictureFileError,
    check_picture,
    nearby_pictures,
    picture_facts,
    picture_name,
    picture_path,
    read_picture,
)


def striped(wide: int, high: int, mode: str = "RGB") -> Image.Image:
    """Return a picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", (wide, high), (200, 30, 30))
    image.paste((30, 30, 200), (wide // 2, 0, wide, high))
    return image.convert(mode)


def png_of(wide: int, high: int) -> bytes:
    """Return a PNG that says it has so many pixels in colour, and holds the first few."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("name", "mode", "options"),
    [
        ("a.png", "RGB", {}),
        ("a.png", "P", {}),
        ("a.png", "L", {}),
        ("a.png", "1", {}),
        ("a.png", "RGBA", {}),
        ("a.jpg", "RGB", {"quality": 90}),
        ("a.jpg", "L", {}),
        ("a.jpg", "CMYK", {}),
        ("a.jpg", "RGB", {"progressive": True}),
        ("a.webp", "RGB", {"quality": 90}),
        ("a.tif", "RGB", {}),
        ("a.tif", "RGB", {"compression": "tiff_lzw"}),
        ("a.gif", "P", {}),
    ],
)
def test_every_kind_is_read_upright_and_reduced(tmp_path: Path, name: str, mode: str, options: dict[str, Any]) -> None:
    striped(640, 400, mode).save(tmp_path / name, **options)
    facts = picture_facts(tmp_path / name)
    assert facts.size == (640, 400)
    assert len(facts.sha256) == 64
    assert check_picture(tmp_path / name, facts.sha256, facts.size) == ""
    image, size = read_picture(tmp_path / name, most=10_000)
    assert size == (640, 400)
    assert 2_000 < image.width * image.height <= 10_000
    assert image.mode in ("RGB", "RGBA")
    left, right = (image.convert("RGB").getpixel((round(image.width * x), image.height // 2)) for x in (0.25, 0.75))
    assert left != right
    if mode in ("RGB", "RGBA", "P"):
        assert left[0] > left[2] and right[2] > right[0]


def test_the_whole_picture_comes_as_it_is(tmp_path: Path) -> None:
    image = Image.fromarray(np.random.default_rng(1).integers(0, 255, (50, 70, 3), dtype=np.uint8))
    image.save(tmp_path / "a.png")
    assert np.array_equal(np.asarray(read_picture(tmp_path / "a.png", most=10**6).image), np.asarray(image))


def test_sixteen_bits_of_grey_are_not_cut_off(tmp_path: Path) -> None:
    grey = np.linspace(0, 65535, 256, dtype=np.uint16)[None, :].repeat(8, axis=0)
    Image.fromarray(grey).save(tmp_path / "a.png")
    row = np.asarray(read_picture(tmp_path / "a.png", most=10**6).image)[0, :, 0].astype(int)
    assert row[0] == 0 and row[-1] == 255 and (np.diff(row) >= 0).all()


@pytest.mark.parametrize("most", [10**6, 4000])
def test_a_photograph_lies_as_the_camera_says(tmp_path: Path, most: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned a quarter clockwise to be upright
    striped(400, 200).save(tmp_path / "a.jpg", exif=exif)
    assert picture_facts(tmp_path / "a.jpg").size == (200, 400)
    image, size = read_picture(tmp_path / "a.jpg", most=most)
    assert size == (200, 400) and image.height > image.width
    assert image.getpixel((image.width // 2, image.height // 4))[0] > 150  # what was left is on top


def test_transparent_pixels_stay_so(tmp_path: Path) -> None:
    image = striped(64, 64, "RGBA")
    image.putalpha(Image.new("L", (64, 64), 0))
    image.save(tmp_path / "a.png")
    assert read_picture(tmp_path / "a.png", most=10**6).image.getpixel((3, 3))[3] == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no picture that can be read"),
        (b"not a picture at all", "no picture that can be read"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "no picture that can be read"),
        (b"%PDF-1.4 ...", "allowed are PNG, JPEG, WebP, TIFF and GIF"),
    ],
)
def test_what_is_no_picture_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(PictureFileError, match=words):
        picture_facts(tmp_path / "a.png")
    assert words in check_picture(tmp_path / "a.png", "", (1, 1))


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "a.tif"])
def test_a_picture_that_breaks_off_is_refused_when_it_is_read(tmp_path: Path, name: str) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PictureFileError, match="no picture that can be read"):
        read_picture(tmp_path / name, most=10**6)


def test_missing_files_folders_and_pipes(tmp_path: Path) -> None:
    striped(8, 8).save(tmp_path / "sinai.png")
    with pytest.raises(PictureFileError, match=r"no such picture; did you mean 'sinai\.png'"):
        picture_facts(tmp_path / "sinay.png")
    with pytest.raises(PictureFileError, match="no plain file"):
        picture_facts(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.png")
        with pytest.raises(PictureFileError, match="no plain file"):
            picture_facts(tmp_path / "pipe.png")
    with pytest.raises(PictureFileError, match="cannot be read"):
        picture_facts(str(tmp_path / "a\0b.png"))


def test_a_bomb_is_refused_by_its_header_and_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "bomb.png").write_bytes(png_of(20_000, 20_000))
    before = Image.MAX_IMAGE_PIXELS
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert picture_facts(tmp_path / "bomb.png").size == (20_000, 20_000)
        tracemalloc.start()
        with pytest.raises(PictureFileError, match=r"takes 1200 MB to open, allowed 600 MB; save it as a plain"):
            read_picture(tmp_path / "bomb.png", most=1000)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 20e6
    assert before == Image.MAX_IMAGE_PIXELS


def test_a_large_jpeg_is_decoded_small(tmp_path: Path) -> None:
    striped(6_000, 4_500).save(tmp_path / "large.jpg", quality=50)
    assert picture_facts(tmp_path / "large.jpg").size == (6_000, 4_500)
    image, size = read_picture(tmp_path / "large.jpg", most=250_000)
    assert size == (6_000, 4_500)
    assert 60_000 < image.width * image.height <= 250_000
    assert image.width / image.height == pytest.approx(12 / 9, rel=0.01)


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    striped(64, 64).save(tmp_path / "a.png")
    monkeypatch.setattr(pictures, "MAX_FILE", 50)
    with pytest.raises(PictureFileError, match="allowed 0 MB"):
        picture_facts(tmp_path / "a.png")


def test_another_picture_under_the_same_name_is_noticed(tmp_path: Path) -> None:
    striped(64, 40).save(tmp_path / "a.png")
    facts = picture_facts(tmp_path / "a.png")
    striped(64, 40).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(tmp_path / "a.png")
    assert "was changed" in check_picture(tmp_path / "a.png", facts.sha256, facts.size)
    assert check_picture(tmp_path / "a.png", "", facts.size) == ""
    striped(32, 40).save(tmp_path / "a.png")
    assert "has 32 x 40 pixels, and had 64 x 40" in check_picture(tmp_path / "a.png", facts.sha256, facts.size)


def test_names_are_relative_to_the_document(tmp_path: Path) -> None:
    document = tmp_path / "maps" / "m.map.json"
    (tmp_path / "maps" / "scans").mkdir(parents=True)
    for name in ("maps/b.PNG", "maps/scans/a b.jpg", "maps/note.txt", "maps/.hidden.png", "c.webp"):
        (tmp_path / name).write_bytes(b"")
    assert nearby_pictures(document) == ["b.PNG", "scans/a b.jpg"]
    assert picture_name(tmp_path / "c.webp", document) == "../c.webp"
    for name in ("b.PNG", "scans/a b.jpg", "../c.webp"):
        assert picture_name(picture_path(name, document), document) == name
    assert nearby_pictures(tmp_path / "nowhere" / "m.map.json") == []
