"""Pictures of others, such as scans: what a file holds, whether it is still the same, and its pixels within bounds.

A picture's header says how large it is before anything is decoded, so what would fill the memory is refused by its
size. JPEG files can be decoded at an eighth of their size, which is why they may be larger than others.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.errors import StudioError, nearest
from studio.files.regular import open_regular

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "ENDINGS",
    "MAX_DECODED",
    "MAX_FILE",
    "PictureFacts",
    "PictureFileError",
    "Pixels",
    "check_picture",
    "nearby_pictures",
    "opened_picture",
    "picture_facts",
    "picture_name",
    "picture_path",
    "read_picture",
]

ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif")
"""Endings of the files that can be read."""
MAX_FILE = 1_000_000_000
"""Largest file of a picture, in bytes."""
MAX_DECODED = 600_000_000
"""Most bytes that a picture may take while it is decoded: 200 million pixels in colour."""
MAX_LISTED = 200
"""Most pictures that are offered to choose from."""

_FORMATS = ("PNG", "JPEG", "WEBP", "TIFF", "GIF")
_ORIENTATION = 0x0112
_BLOCK = 1024 * 1024
_LOCK = threading.RLock()


class PictureFileError(StudioError, ValueError):
    """A picture that is not there, cannot be read, or is too large."""


class PictureFacts(NamedTuple):
    """What the file of a picture says.

    Attributes
    ----------
    sha256 : str
        Of the file.
    size : (width, height)
        In pixels, upright as the camera says.
    kind : str
        Format, such as ``JPEG``.
    """

    sha256: str
    size: tuple[int, int]
    kind: str


class Pixels(NamedTuple):
    """A picture in memory, reduced where it was too large.

    Attributes
    ----------
    image : PIL.Image.Image
        ``RGB``, or ``RGBA`` where it has transparent pixels; upright.
    size : (width, height)
        Of the picture in its file.
    """

    image: Image
    size: tuple[int, int]


_KNOWN: dict[tuple[str, int, int], PictureFacts] = {}


# -- paths -------------------------------------------------------------------------------------------------------------


def picture_path(file: str, document: Path | None) -> Path:
    """Return where the picture of a document lies: seen from the document's folder, or from the folder of work."""
    return (document.parent if document is not None else Path.cwd()) / file


def picture_name(path: str | os.PathLike[str], document: Path | None) -> str:
    """Return how a document names a picture: relative to its own folder where there is a way, with ``/``."""
    base = document.parent if document is not None else Path.cwd()
    full = os.path.abspath(os.path.expanduser(path))
    try:
        return Path(os.path.relpath(full, base)).as_posix()
    except ValueError:  # another drive
        return Path(full).as_posix()


def nearby_pictures(document: Path | None) -> list[str]:
    """Return the pictures beside a document, and one folder below, as the document names them."""
    base = document.parent if document is not None else Path.cwd()
    found: list[str] = []
    for folder in _folders(base):
        with contextlib.suppress(OSError):
            names = sorted(entry.name for entry in os.scandir(folder) if _is_picture(entry))
            found += [picture_name(folder / name, document) for name in names]
        if len(found) >= MAX_LISTED:
            break
    return found[:MAX_LISTED]


def _folders(base: Path) -> list[Path]:
    below: list[str] = []
    with contextlib.suppress(OSError):
        below = sorted(entry.name for entry in os.scandir(base) if entry.is_dir() and not entry.name.startswith("."))
    return [base, *(base / name for name in below[:MAX_LISTED])]


def _is_picture(entry: os.DirEntry[str]) -> bool:
    return entry.name.lower().endswith(ENDINGS) and not entry.name.startswith(".") and entry.is_file()


# -- what a file says --------------------------------------------------------------------------------------------------


def picture_facts(path: str | os.PathLike[str]) -> PictureFacts:
    """Return what the file of a picture says, without decoding it.

    Raises
    ------
    PictureFileError
        When it is not there, no picture that can be read, or larger than :data:`MAX_FILE`.
    """
    found = _stat(path)
    key = (os.path.abspath(path), found.st_mtime_ns, found.st_size)
    if key not in _KNOWN:
        with opened_picture(path) as (image, file):
            size = _upright(image)
            file.seek(0)
            digest = hashlib.sha256()
            while block := file.read(_BLOCK):
                digest.update(block)
            facts = PictureFacts(digest.hexdigest(), size, str(image.format))
        if len(_KNOWN) > 100:
            _KNOWN.clear()
        _KNOWN[key] = facts
    return _KNOWN[key]


def _stat(path: str | os.PathLike[str]) -> os.stat_result:
    name = os.fspath(path)
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        near = ""
        with contextlib.suppress(OSError):
            near = nearest(
                Path(path).name, [entry.name for entry in os.scandir(Path(path).parent) if _is_picture(entry)]
            )
        msg = f"{name}: there is no such picture; {near if near.startswith('did') else 'check the path'}"
        raise PictureFileError(msg) from error
    except (OSError, ValueError) as error:
        msg = f"{name}: cannot be read: {error}; check the path"
        raise PictureFileError(msg) from error
    if not stat.S_ISREG(found.st_mode):
        msg = f"{name}: is no plain file; name a picture ({', '.join(ENDINGS)})"
        raise PictureFileError(msg)
    if found.st_size > MAX_FILE:
        msg = (
            f"{name}: has {found.st_size / 1e6:.0f} MB, allowed {MAX_FILE / 1e6:.0f} MB; save it as a JPEG, or smaller"
        )
        raise PictureFileError(msg)
    return found


def _upright(image: Any) -> tuple[int, int]:
    wide, high = image.size
    return (high, wide) if _turned(image) >= 5 else (wide, high)


def _turned(image: Any) -> int:
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except Exception:  # a broken note of the camera; the picture itself may be sound
        return 1


@contextlib.contextmanager
def opened_picture(path: str | os.PathLike[str]) -> Iterator[tuple[Any, Any]]:
    """Open a picture, its pixels not yet decoded; yields the picture and its file.

    Raises
    ------
    PictureFileError
        Whatever is wrong with it, also while it is decoded.
    """
    from PIL import Image

    name = os.fspath(path)
    try:
        # Pillow has one limit for the whole process, and warns; ours goes by what decoding takes, and is told in words.
        with _LOCK, warnings.catch_warnings(), open(open_regular(path), "rb") as file:
            warnings.simplefilter("ignore")
            before, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
            try:
                with Image.open(file, formats=_FORMATS) as image:
                    yield image, file
            finally:
                Image.MAX_IMAGE_PIXELS = before
    except PictureFileError:
        raise
    except MemoryError as error:
        msg = f"{name}: the picture does not fit into the memory; save it smaller"
        raise PictureFileError(msg) from error
    except Exception as error:  # decoders raise whatever they like
        msg = (
            f"{name}: no picture that can be read ({error}); allowed are PNG, JPEG, WebP, TIFF and GIF, whole and sound"
        )
        raise PictureFileError(msg) from error


def check_picture(path: str | os.PathLike[str], sha256: str, size: tuple[int, int]) -> str:
    """Return what is wrong with the picture of a document, in words: missing, broken, another one; empty when nothing.

    Parameters
    ----------
    path : path
    sha256, size
        What the document says of it; an empty hash is that of any picture.
    """
    try:
        facts = picture_facts(path)
    except PictureFileError as error:
        return str(error)
    if facts.size != tuple(size):
        got, was = " x ".join(map(str, facts.size)), " x ".join(map(str, size))
        return f"{os.fspath(path)}: the picture has {got} pixels, and had {was} when its points were set"
    if sha256 and facts.sha256 != sha256:
        return f"{os.fspath(path)}: the picture was changed since it was chosen"
    return ""


# -- pixels ------------------------------------------------------------------------------------------------------------


def read_picture(path: str | os.PathLike[str], *, most: int) -> Pixels:
    """Read a picture, reduced by a whole number where it has too many pixels.

    Parameters
    ----------
    path : str or path
    most : int
        Most pixels of the result, about.

    Returns
    -------
    Pixels

    Raises
    ------
    PictureFileError
        When it is not there, cannot be read, or takes more than :data:`MAX_DECODED` bytes to decode.
    """
    from PIL import ImageOps

    _stat(path)
    with opened_picture(path) as (image, _):
        size = _upright(image)
        if image.format == "JPEG" and not image.info.get("progressive"):
            _draft(image, most)
        _check_room(path, image)
        image.load()
        turn = _turned(image)
        plain = _in_colour(image)
        factor = 1
        while plain.width * plain.height > most * factor * factor:
            factor += 1
        if factor > 1:
            plain = plain.reduce(factor)
        if turn != 1:
            plain.getexif()[_ORIENTATION] = turn
            plain = ImageOps.exif_transpose(plain)
        return Pixels(plain.copy() if plain is image else plain, size)  # what was opened is closed here


def _draft(image: Any, most: int) -> None:
    """Let a JPEG be decoded smaller, as long as that leaves no less than is wanted."""
    wide, high = image.size
    for part in (8, 4, 2):
        if wide * high >= most * part * part:
            image.draft(None, (max(1, wide // part), max(1, high // part)))
            return


def _check_room(path: str | os.PathLike[str], image: Any) -> None:
    wide, high = image.size
    bands = len(image.getbands())
    each = 3 if image.format == "JPEG" and bands < 3 else {"I": 4, "F": 4}.get(image.mode, bands)
    if image.mode not in ("RGB", "RGBA"):
        each += 4 if _see_through(image) else 3
    need = wide * high * each
    if need > MAX_DECODED:
        kind = f"a {image.format} of {image.size[0]} x {image.size[1]} pixels"
        remedy = (
            "save it as a plain (baseline) JPEG, or smaller"
            if image.format != "JPEG"
            else "save it without 'progressive', or smaller"
        )
        msg = (
            f"{os.fspath(path)}: {kind} takes {need / 1e6:.0f} MB to open, allowed {MAX_DECODED / 1e6:.0f} MB; {remedy}"
        )
        raise PictureFileError(msg)


def _see_through(image: Any) -> bool:
    return image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info


def _in_colour(image: Any) -> Any:
    """Return a picture as RGB or RGBA."""
    from PIL import Image

    if image.mode.startswith("I;16"):  # 16 bits of grey, of which a screen shows eight
        import numpy as np

        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    wanted = "RGBA" if _see_through(image) else "RGB"
    return image if image.mode == wanted else image.convert(wanted)
