"""The XML form of Tiled (``.tmx``, ``.tsx``) from its JSON form and back: one reader and one planner serve both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

__all__ = ["from_xml", "to_xml"]

_UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SHAPES = ("polygon", "polyline")


# -- writing ---------------------------------------------------------------------------------------------------------


def to_xml(data: Mapping[str, Any]) -> bytes:
    """Return a map in XML.

    Parameters
    ----------
    data : mapping
        As Tiled's JSON has it, its tile layers as lists of gids.
    """
    keys = ["version", "orientation", "renderorder", "width", "height", "tilewidth", "tileheight"]
    keys += ["infinite", "hexsidelength", "staggeraxis", "staggerindex", "nextlayerid", "nextobjectid"]
    root = Element("map", {key: _text(data[key]) for key in keys})
    _properties(root, data)
    for one in data["tilesets"]:
        _tileset(root, one)
    _layers(root, data["layers"])
    indent(root, " ")
    text = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return _UNFIT.sub("\ufffd", str(value))


def _properties(parent: Element, data: Mapping[str, Any]) -> None:
    found = data.get("properties", [])
    if found:
        holder = SubElement(parent, "properties")
        for one in found:
            value = str(one["value"]).lower() if isinstance(one["value"], bool) else _text(one["value"])
            kind = {} if one["type"] == "string" else {"type": one["type"]}
            SubElement(holder, "property", {"name": _text(one["name"]), **kind, "value": value})


def _tileset(root: Element, data: Mapping[str, Any]) -> None:
    keys = ("firstgid", "name", "tilewidth", "tileheight", "tilecount", "columns", "objectalignment")
    holder = SubElement(root, "tileset", {key: _text(data[key]) for key in keys if key in data})
    if "grid" in data:
        SubElement(holder, "grid", {key: _text(value) for key, value in data["grid"].items()})
    _image(holder, data)
    for tile in data.get("tiles", []):
        inner = SubElement(holder, "tile", {"id": _text(tile["id"]), "type": _text(tile["type"])})
        _properties(inner, tile)
        _image(inner, tile)


def _image(holder: Element, data: Mapping[str, Any]) -> None:
    if "image" in data:
        size = {"width": _text(data["imagewidth"]), "height": _text(data["imageheight"])}
        SubElement(holder, "image", {"source": _text(data["image"]), **size})


def _layers(parent: Element, layers: list[dict[str, Any]]) -> None:
    for layer in layers:
        head = {"id": _text(layer["id"]), "name": _text(layer["name"])}
        head |= {} if layer["opacity"] == 1 else {"opacity": _text(layer["opacity"])}
        head |= {} if layer["visible"] else {"visible": "0"}
        if layer["type"] == "tilelayer":
            wide, high = layer["width"], layer["height"]
            holder = SubElement(parent, "layer", {**head, "width": str(wide), "height": str(high)})
            rows = [layer["data"][start : start + wide] for start in range(0, wide * high, wide)]
            text = ",\n".join(",".join(map(str, row)) for row in rows)
            SubElement(holder, "data", {"encoding": "csv"}).text = f"\n{text}\n"
        elif layer["type"] == "group":
            holder = SubElement(parent, "group", head)
            _properties(holder, layer)
            _layers(holder, layer["layers"])
        else:
            color = {"color": layer["color"]} if "color" in layer else {}
            holder = SubElement(parent, "objectgroup", {**head, **color, "draworder": "index"})
            for one in layer["objects"]:
                _object(holder, one)


def _object(holder: Element, data: Mapping[str, Any]) -> None:
    head = {"id": _text(data["id"]), "name": _text(data["name"]), "type": _text(data["type"])}
    head |= {"gid": _text(data["gid"])} if "gid" in data else {}
    head |= {"x": _text(data["x"]), "y": _text(data["y"])}
    head |= {key: _text(data[key]) for key in ("width", "height", "rotation") if data[key]}
    made = SubElement(holder, "object", head)
    _properties(made, data)
    if data.get("point"):
        SubElement(made, "point")
    for shape in _SHAPES:
        if shape in data:
            points = " ".join(f"{point['x']},{point['y']}" for point in data[shape])
            SubElement(made, shape, {"points": points})
    if "text" in data:
        text = data["text"]
        keys = ("pixelsize", "wrap", "color", "halign", "valign")
        words = SubElement(made, "text", {key: _text(text[key]) for key in keys if key in text})
        words.text = _text(text["text"])


# -- reading ---------------------------------------------------------------------------------------------------------


def from_xml(root: Element) -> dict[str, Any]:
    """Return a map or a tileset in the form of Tiled's JSON; numbers stay texts where nothing tells them apart.

    Parameters
    ----------
    root : Element
        ``map`` or ``tileset``.
    """
    data: dict[str, Any] = dict(root.attrib)
    data["properties"] = _found_properties(root)
    if root.tag == "tileset":
        return _found_tileset(root)
    data["type"] = root.tag
    data["tilesets"] = [_found_tileset(one) for one in root.findall("tileset")]
    data["layers"] = list(_found_layers(root))
    return data


def _found_properties(parent: Element) -> list[dict[str, Any]]:
    found = []
    for one in parent.findall("properties/property"):
        kind = one.get("type", "string")
        text = one.get("value", one.text or "")
        value: Any = text
        if kind == "bool":
            value = text == "true"
        elif kind in ("int", "object", "float"):
            value = _as_number(text)
        found.append({"name": one.get("name", ""), "type": kind, "value": value})
    return found


def _as_number(text: str) -> Any:
    try:
        return int(text) if re.fullmatch(r"[-+]?[0-9]{1,18}", text) else float(text)
    except ValueError:
        return text


def _found_tileset(one: Element) -> dict[str, Any]:
    data: dict[str, Any] = dict(one.attrib)
    image = one.find("image")
    if image is not None:
        data["image"] = image.get("source", "")
    tiles = []
    for tile in one.findall("tile"):
        made: dict[str, Any] = {**tile.attrib, "properties": _found_properties(tile)}
        image = tile.find("image")
        if image is not None:
            made["image"] = image.get("source", "")
        tiles.append(made)
    data["tiles"] = tiles
    data["properties"] = _found_properties(one)
    return data


def _found_layers(parent: Element) -> Iterator[dict[str, Any]]:
    kinds = {"layer": "tilelayer", "objectgroup": "objectgroup", "group": "group", "imagelayer": "imagelayer"}
    for one in parent:
        if one.tag not in kinds:
            continue
        data: dict[str, Any] = {**one.attrib, "type": kinds[one.tag], "properties": _found_properties(one)}
        if one.tag == "layer":
            data |= _found_data(one.find("data"))
        elif one.tag == "group":
            data["layers"] = list(_found_layers(one))
        elif one.tag == "objectgroup":
            data["objects"] = [_found_object(thing) for thing in one.findall("object")]
        yield data


def _found_data(data: Element | None) -> dict[str, Any]:
    if data is None:
        return {"data": []}
    found: dict[str, Any] = {key: data.get(key, "") for key in ("encoding", "compression")}
    chunks = data.findall("chunk")
    if chunks:
        return found | {"chunks": [{**one.attrib, "data": _gids(one, found["encoding"])} for one in chunks]}
    return found | {"data": _gids(data, found["encoding"])}


def _gids(holder: Element, encoding: str) -> Any:
    return (holder.text or "") if encoding else [one.get("gid", "0") for one in holder.findall("tile")]


def _found_object(one: Element) -> dict[str, Any]:
    data: dict[str, Any] = {**one.attrib, "properties": _found_properties(one)}
    data["type"] = one.get("type", one.get("class", ""))
    for key in ("id", "gid", "x", "y", "width", "height", "rotation"):
        if key in data:
            data[key] = _as_number(data[key])
    for shape in _SHAPES:
        found = one.find(shape)
        if found is not None:
            pairs = [point.split(",") for point in found.get("points", "").split()]
            data[shape] = [{"x": _as_number(p[0]), "y": _as_number(p[-1])} for p in pairs]
    data["point"] = one.find("point") is not None
    data["ellipse"] = one.find("ellipse") is not None
    text = one.find("text")
    if text is not None:
        data["text"] = {"text": text.text or "", **text.attrib}
    return data
