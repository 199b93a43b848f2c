"""The archives: modules and saved games as the same bytes on every machine."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Iterable
from xml.etree import ElementTree as Xml

__all__ = ["VASSAL", "VERSION", "Images", "data_xml", "module_bytes", "save_bytes"]

VASSAL = "3.6.0"
"""The oldest engine that what is written is for."""

VERSION = "1.0"
"""Version of a module; a saved game names it too."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
_SAVED = "315532800000"  # the same day, in milliseconds since 1970
_KEY = 0x5A


class Images:
    """The pictures of a module, each once however often it is used."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._by_content: dict[str, str] = {}

    def add(self, name: str, png: bytes) -> str:
        """Return the file that a picture has in the module, named after what it shows first."""
        digest = hashlib.sha256(png).hexdigest()
        if digest not in self._by_content:
            word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "picture"
            file, number = f"{word}.png", 2
            while file in self.files:
                file, number = f"{word}-{number}.png", number + 1
            self.files[file] = png
            self._by_content[digest] = file
        return self._by_content[digest]


def data_xml(name: str, description: str) -> bytes:
    """Return what the list of modules and of saved games shows of one."""
    root = Xml.Element("data", version="1")
    for tag, text in (
        ("version", VERSION),
        ("VassalVersion", VASSAL),
        ("dateSaved", _SAVED),
        ("description", description),
        ("name", name),
    ):
        Xml.SubElement(root, tag).text = text
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + bytes(Xml.tostring(root, encoding="utf-8")) + b"\n"


def module_bytes(build: bytes, data: bytes, images: Images, pages: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a module.

    Parameters
    ----------
    build : bytes
        Its ``buildFile.xml``.
    data : bytes
        Its ``moduledata``.
    images : Images
    pages : iterable of (name, HTML)
    """
    members = [("buildFile.xml", build), ("moduledata", data), *pages]
    members += [(f"images/{name}", png) for name, png in images.files.items()]
    return _packed(members)


def save_bytes(commands: Iterable[str], data: bytes) -> bytes:
    """Return a saved game: its commands in VASSAL's own disguise, and the data of game and module."""
    text = "\x1b".join(["begin_save", *commands, "end_save"]).encode("utf-8")
    hidden = b"!VCSK" + f"{_KEY:02x}".encode("ascii") + bytes(byte ^ _KEY for byte in text).hex().encode("ascii")
    return _packed([("savedGame", hidden), ("savedata", data), ("moduledata", data)])


def _packed(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip archive; nothing is compressed, since packers differ and PNGs are packed already."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()
