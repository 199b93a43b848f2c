"""The scan under the map in the editor: what the browser is told of it, its pixels, and the setting of points."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from studio.editor.protocol import PART, Buffer, EditableMap
from studio.editor.pyramid import SMALL, Pyramid, Tile, made, pyramid_of
from studio.errors import EditError, StudioError
from studio.files.pictures import PictureFacts, PictureFileError, check_picture, picture_facts, picture_path
from studio.model import Backdrop, Batch, Change, ControlPoint, SetField
from studio.model.backdrop import new_point_name
from studio.survey.backdrop import BackdropFit, placement

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = [
    "HANDLERS",
    "ScanLink",
    "add_point",
    "change_point",
    "point_words",
    "remove_point",
    "scan_fit",
    "scan_path",
    "scan_state",
    "set_backdrop",
]


# -- what there is -----------------------------------------------------------------------------------------------------


def scan_path(document: EditableMap) -> Path:
    """Return where the picture of a map's scan lies.

    Raises
    ------
    EditError
        When the map has no scan.
    """
    record = _record(document)
    finder = getattr(document, "picture_file", None)
    found: Path = finder(record) if finder is not None else picture_path(record.file, document.path)
    return found


def scan_fit(document: EditableMap) -> BackdropFit | None:
    """Return where the scan of a map lies, None without one."""
    record = document.model.backdrop
    survey = getattr(document, "survey", None)
    return None if record is None or survey is None else placement(survey, record)


def scan_state(document: EditableMap) -> dict[str, Any]:
    """Return the scan as the browser draws it, in its units (a hex is 1 high); empty where there is none."""
    found = scan_fit(document)
    if found is None:
        return {}
    record, high = found.backdrop, document.model.grid.hex_height
    left = {residual.name: residual for residual in found.residuals}
    points = []
    for point in record.points:
        data: dict[str, Any] = {"name": point.name, "pixel": list(point.pixel), "at": point.place}
        if point.name in found.places:
            data["place"] = list(found.places[point.name])
        if point.name in left:
            one = left[point.name]
            data |= {"dx": one.dx, "dy": one.dy, "off": one.pixels, "worst": point.name == found.worst}
        points.append(data)
    path = scan_path(document)
    return {
        "file": record.file,
        "size": list(record.size),
        "affine": [number / high for number in found.affine],
        "opacity": record.opacity,
        "under": record.layer == "under",
        "visible": record.visible,
        "locked": record.locked,
        "points": points,
        "picture": check_picture(path, record.sha256, record.size),
        "sha256": _facts(path).sha256,
    }


def _facts(path: Path) -> PictureFacts:
    try:
        return picture_facts(path)
    except PictureFileError:
        return PictureFacts("", (0, 0), "")


def _record(document: EditableMap) -> Backdrop:
    record = document.model.backdrop
    if record is None:
        msg = "the map has no backdrop; choose a picture in the panel 'Backdrop' first"
        raise EditError(msg)
    return record


class ScanLink:
    """Keeps the browser's copy of the scan's record current.

    Parameters
    ----------
    editor : MapEditor
    """

    def __init__(self, editor: MapEditor) -> None:
        self._editor = editor
        self._told: dict[str, Any] = {}
        self._due = True

    def state(self) -> dict[str, Any]:
        """Return the scan as it is now; empty where there is none."""
        return scan_state(self._editor.document)

    def changed(self, change: Change) -> None:
        """Follow a change of the map: labels and dots move control points as well."""
        self._due = self._due or change.meta or change.relabelled or bool(change.features or change.removed)

    def news(self) -> dict[str, Any] | None:
        """Return the scan if the open pages know another one, or another place of it; they are told then."""
        if not self._due:
            return None
        self._due = False
        before, self._told = self._told, self.state()
        return None if self._told == before else self._told


# -- pixels ------------------------------------------------------------------------------------------------------------


def _wanted(message: Mapping[str, Any]) -> list[Tile]:
    try:
        return msgspec.convert(message.get("tiles"), list[Tile])
    except msgspec.ValidationError as error:
        msg = f"message from the editor: not a list of squares ({error}); reload the page if this happens again"
        raise EditError(msg) from error


def _tiles(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    """Send squares of the scan: at once, or when it has been read, which takes a while if it is large."""
    wanted, path = _wanted(message), scan_path(editor.document)
    facts = picture_facts(path)
    found = made(facts.sha256)
    if found is None and facts.size[0] * facts.size[1] > SMALL:
        editor.work(
            "Reading the scan",
            lambda progress: pyramid_of(path, facts.sha256, progress),
            lambda pyramid: _send(editor, facts.sha256, pyramid, wanted),
        )
        return
    _send(editor, facts.sha256, found or pyramid_of(path, facts.sha256), wanted)


def _send(editor: MapEditor, sha256: str, pyramid: Pyramid, wanted: list[Tile]) -> None:
    """Send squares, and what there is to ask for, in messages below 4 MB."""
    parts: list[list[tuple[Tile, bytes]]] = [[]]
    room = PART
    for tile, data in pyramid.tiles(wanted or [(pyramid.levels - 1, 0, 0)]):
        if len(data) > room and parts[-1]:
            parts.append([])
            room = PART
        parts[-1].append((tile, data))
        room -= len(data)
    for part in parts:
        message = {"type": "scan", "sha256": sha256, **pyramid.state(), "tiles": [list(tile) for tile, _ in part]}
        editor.send(message, [data for _, data in part])


# -- control points ----------------------------------------------------------------------------------------------------


def set_backdrop(document: EditableMap, title: str, record: Backdrop) -> None:
    """Give a map another record of its scan, as one step with a title.

    Raises
    ------
    EditError
        When it cannot be, or the scan is locked and its points would change.
    """
    before = document.model.backdrop
    if before is not None and before.locked and record.locked and record.points != before.points:
        msg = "the scan is locked; take the lock off in the panel 'Backdrop' to change its points"
        raise EditError(msg)
    document.apply(Batch(title=title, edits=[SetField(field="backdrop", value=msgspec.to_builtins(record))]))


def _place(document: EditableMap, message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the place that a message names: by a label, or as a point of the lattice."""
    if "label" in message:
        label = str(message["label"]).strip()
        survey = getattr(document, "survey", None)
        if survey is None or survey.directory.find(label) is None:
            document.model.labels.cell(label)  # says what is wrong with it
        return {"at": label, "point": None}
    try:
        return {"at": "", "point": msgspec.convert(message.get("point"), tuple[int, int])}
    except msgspec.ValidationError as error:
        msg = f"control point: got {message.get('point')!r}; give a label, or a point of the lattice"
        raise EditError(msg) from error


def _pixel(document: EditableMap, message: Mapping[str, Any]) -> tuple[float, float]:
    wide, high = _record(document).size
    try:
        x, y = (float(value) for value in message["pixel"])
    except (KeyError, TypeError, ValueError) as error:
        msg = f"control point: got the pixel {message.get('pixel')!r}; give x and y"
        raise EditError(msg) from error
    # Hundredths are finer than anyone can point, and stay short in the map's file.
    return round(min(max(x, 0.0), wide), 2), round(min(max(y, 0.0), high), 2)


def add_point(document: EditableMap, message: Mapping[str, Any]) -> str:
    """Add a control point: ``pixel``, and ``label`` or ``point``; return its name.

    Raises
    ------
    EditError, LabelError
        When it cannot be.
    """
    record = _record(document)
    name = new_point_name(record)
    point = ControlPoint(name=name, pixel=_pixel(document, message), **_place(document, message))
    twin = next((one for one in record.points if (one.at, one.point) == (point.at, point.point)), None)
    if twin is not None:
        msg = f"control point {twin.name} is at {twin.place} already; move that one, or choose another place"
        raise EditError(msg)
    title = f"Add control point {name} at {point.place}"
    set_backdrop(document, title, msgspec.structs.replace(record, points=(*record.points, point)))
    return name


def change_point(document: EditableMap, name: str, message: Mapping[str, Any]) -> None:
    """Move a control point to another ``pixel``, or give it another place by ``label`` or ``point``.

    Raises
    ------
    EditError, LabelError
        When it cannot be.
    """
    record = _record(document)
    old = _known(record, name)
    changes: dict[str, Any] = {}
    if "pixel" in message:
        changes["pixel"] = _pixel(document, message)
    if "label" in message or "point" in message:
        changes |= _place(document, message)
    new = msgspec.structs.replace(old, **changes)
    if new == old:
        return
    points = tuple(new if point is old else point for point in record.points)
    set_backdrop(document, f"Move control point {name}", msgspec.structs.replace(record, points=points))


def remove_point(document: EditableMap, name: str) -> None:
    """Remove a control point.

    Raises
    ------
    EditError
        When there is none with the name.
    """
    record = _record(document)
    old = _known(record, name)
    points = tuple(point for point in record.points if point is not old)
    set_backdrop(document, f"Remove control point {name}", msgspec.structs.replace(record, points=points))


def _known(record: Backdrop, name: str) -> ControlPoint:
    found = record.point(name)
    if found is None:
        names = ", ".join(point.name for point in record.points) or "none"
        msg = f"no control point {name!r}; there are {names}"
        raise EditError(msg)
    return found


def point_words(found: BackdropFit, point: ControlPoint) -> tuple[str, str]:
    """Return what is left over at a control point, in words: in pixels, and in hexes."""
    left = next((residual for residual in found.residuals if residual.name == point.name), None)
    if left is None:
        return "no such place", ""
    return f"{left.pixels:.2f} px", f"{found.hexes(left):.2f} hex"


def _point(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    """Do what the tool asks: ``do`` is add, move or remove."""
    document, name = editor.document, str(message.get("name", ""))
    action = message.get("do")
    try:
        if action == "add":
            name = add_point(document, message)
            editor.send({"type": "scan_point", "client": message.get("client"), "name": name})
        elif action == "remove":
            remove_point(document, name)
        else:
            change_point(document, name, message)
    except StudioError as error:
        # What the tool showed meanwhile is told back as it is; the map itself was not touched.
        editor.report(error)
        editor.send({"type": "scan_point", "client": message.get("client"), "name": None})
    editor.answered(message)


HANDLERS = {"scan": _tiles, "scan_edit": _point}
