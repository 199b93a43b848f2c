"""The panel of the scan: which picture, how well its control points fit, how it is shown."""

from __future__ import annotations

import os
from typing import Any

import msgspec

from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, row, rows, text, verdict
from studio.editor.panels.panel import Panel
from studio.editor.scan import change_point, point_words, remove_point, scan_fit, scan_path, set_backdrop
from studio.errors import EditError, StudioError
from studio.files.pictures import check_picture, nearby_pictures, picture_path
from studio.model import Backdrop
from studio.survey.backdrop import BackdropFit

__all__ = ["BackdropPanel"]

_SQUASHED = 0.002
"""Difference of the shapes of hexes, on the scan and on the map, from which it is worth a word."""
_GOOD, _FAIR = 1.0, 0.1
"""Root mean square in pixels, and in heights of a hex, up to which a fit is good, and is fair."""


class BackdropPanel(Panel):
    """The scan under the map."""

    id = "backdrop"
    title = "Backdrop"
    tools = ("backdrop",)

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self.chosen = ""

    @classmethod
    def fits(cls, editor: Any) -> bool:
        """Tell whether the map can have a scan."""
        return hasattr(editor.document, "set_backdrop") and editor.document is editor.subject

    @property
    def _document(self) -> Any:
        return self.editor.document

    def nodes(self) -> list[Node]:
        """Return the file, the points with what is left over at each, and how the scan is shown."""
        found = scan_fit(self._document)
        if found is None:
            return [
                hint("A scan or photograph of a printed map, to trace it. PNG, JPEG, WebP, TIFF or GIF."),
                self._file_field(""),
            ]
        record = found.backdrop
        fault = check_picture(scan_path(self._document), record.sha256, record.size)
        return [
            self._file_field(record.file),
            *([text(f"⚠ {fault}", tone="error")] if fault else []),
            self._verdict(found),
            *self._points(found),
            *self._chosen(found),
            *self._hexes(found),
            *self._shown(record),
        ]

    def _file_field(self, value: str) -> Node:
        names = nearby_pictures(self._document.path)
        where = "beside the map" if self._document.path is not None else "in the folder of work"
        help_ = f"{len(names)} picture{'s' if len(names) != 1 else ''} {where}"
        return field("file", "Picture", value, action="file", suggestions=names, hint=help_)

    # -- points ------------------------------------------------------------------------------------------------------

    def _verdict(self, found: BackdropFit) -> Node:
        count = len(found.residuals)
        if found.fault:
            return verdict("hindered", "△", "Not fitted yet" if not count else "No fit", found.fault)
        if count < 4:
            what = {"shift": "shifted", "similarity": "shifted, turned and scaled", "affine": "fitted exactly"}
            return verdict(
                "hindered", "△", f"Only {what[found.fit.kind]}", f"{count} of 4 points: only the fourth shows an error"
            )
        rms, hexes = found.rms, max(found.hexes(residual) for residual in found.residuals)
        if found.fit.mirrored:
            return verdict("blocked", "✕", "Mirrored", "two points are mistaken for each other")
        status = "clear" if rms <= _GOOD else "hindered" if hexes <= _FAIR and not found.outlier else "blocked"
        sign, word = {"clear": ("✓", "Fits"), "hindered": ("△", "Fits roughly"), "blocked": ("✕", "Fits badly")}[status]
        note = f"root mean square {rms:.2f} px of {count} points"
        if found.outlier:
            note += f"; point {found.outlier} does not fit the others"
        return verdict(status, sign, word, note)

    def _points(self, found: BackdropFit) -> list[Node]:
        record = found.backdrop
        lines = []
        for point in record.points:
            pixels, hexes = point_words(found, point)
            bad = point.name == found.outlier
            worst = point.name == found.worst
            lines.append(
                row(
                    f"{point.name}: {point.place}",
                    pixels,
                    hexes,
                    sign="✕" if bad else "▲" if worst else "·",
                    note="does not fit the others" if bad else "worst" if worst else None,
                    tone="error" if bad else "warning" if worst else None,
                    go=found.places.get(point.name),
                    action="choose",
                    values={"name": point.name},
                    chosen=point.name == self.chosen,
                )
            )
        if not lines:
            return [hint("Take the tool Backdrop: click a point of the picture, then the hex that it is.")]
        return [rows(lines, label="Control points: place, and how far off the fit it is")]

    def _chosen(self, found: BackdropFit) -> list[Node]:
        point = found.backdrop.point(self.chosen)
        if point is None:
            return []
        locked = found.backdrop.locked
        x, y = point.pixel
        inside = [
            field("label", "Place", point.at, action="label", disabled=locked, hint=None if point.at else point.place),
            field("x", "Pixel x", round(x, 2), kind="number", action="pixel", disabled=locked),
            field("y", "Pixel y", round(y, 2), kind="number", action="pixel", disabled=locked),
            buttons(button("remove_point", "Remove the point", disabled=locked)),
        ]
        return [group(f"Point {point.name}", inside, open=True, name="point")]

    def _hexes(self, found: BackdropFit) -> list[Node]:
        if found.fit.kind != "affine" or found.fault:
            return []
        wide, high = found.hex_size
        turn, shear = found.fit.turn, 100 * found.fit.shear
        words = f"Hexes are {wide:.2f} × {high:.2f} px; turned {turn:+.2f}°, sheared {shear:+.2f} %."
        nodes = [hint(words)]
        if abs(found.squash - 1) > _SQUASHED:
            width = self._document.grid.width * found.squash
            name = "column" if self._document.grid.flat else "row"
            nodes = [
                hint(f"{words} Their {name} step is {found.column_step:.3f} of their size across it, not 0.866."),
                buttons(
                    button("hexes", f"Make hexes {width:.3f} wide", title="As wide for their height as the scan's")
                ),
            ]
        return nodes

    # -- how it is shown ---------------------------------------------------------------------------------------------

    def _shown(self, record: Backdrop) -> list[Node]:
        layers = (("over", "over the terrain"), ("under", "under the terrain's signs"))
        return [
            field("opacity", "Opacity", record.opacity, kind="range", low=0, high=1, step=0.05, action="look"),
            field("layer", "Layer", record.layer, kind="choice", choices=layers, action="look"),
            field("visible", "Show", record.visible, kind="check", action="look"),
            field("locked", "Lock the points", record.locked, kind="check", action="look"),
            buttons(button("remove", "Remove the backdrop")),
        ]

    # -- actions -----------------------------------------------------------------------------------------------------

    def do_file(self, values: dict[str, Any]) -> None:
        """Choose another picture, by its path as seen from the map's file.

        Raises
        ------
        EditError
            When no file is named.
        """
        name = str(values["value"]).strip()
        if not name:
            msg = "name a picture; to take the scan away press 'Remove the backdrop'"
            raise EditError(msg)
        self._document.set_backdrop(picture_path(os.path.expanduser(name), self._document.path))

    def do_look(self, values: dict[str, Any]) -> None:
        """Set opacity, layer, visibility or lock.

        Raises
        ------
        EditError
            When there is no such setting, or the opacity is no number.
        """
        name = str(values.get("id"))
        value: Any = values.get("value")
        fits: dict[str, Any] = {"opacity": int | float, "layer": str, "visible": bool, "locked": bool}
        if not isinstance(value, fits.get(name, ())):
            msg = f"backdrop: got {value!r} for {name}; allowed are {', '.join(fits)}"
            raise EditError(msg)
        if name == "opacity":
            value = min(max(round(float(value), 2), 0.0), 1.0)
        title = {"opacity": "Set opacity of the backdrop", "layer": "Set layer of the backdrop"}.get(name)
        title = title or f"{'Set' if value else 'Clear'} {name} of the backdrop"
        set_backdrop(self._document, title, msgspec.structs.replace(self._record(), **{name: value}))

    def do_choose(self, values: dict[str, Any]) -> None:
        """Choose a control point, here and in the tool."""
        self.chosen = str(values["name"])
        self.editor.tell("tool", id="backdrop", client=self.editor.client)
        self.editor.send({"type": "scan_point", "client": self.editor.client, "name": self.chosen})

    def do_chosen(self, values: dict[str, Any]) -> None:
        """Follow the tool, in which a control point was chosen."""
        self.chosen = str(values.get("name") or "")

    def do_label(self, values: dict[str, Any]) -> None:
        """Say which place the chosen point is."""
        change_point(self._document, self.chosen, {"label": values["value"]})

    def do_pixel(self, values: dict[str, Any]) -> None:
        """Set a coordinate of the chosen point.

        Raises
        ------
        EditError
            When it is no number.
        """
        point = self._record().point(self.chosen)
        if point is None or not isinstance(values["value"], int | float):
            msg = f"pixel: got {values['value']!r}; give a number"
            raise EditError(msg)
        x, y = point.pixel
        pixel = (values["value"], y) if values["id"] == "x" else (x, values["value"])
        change_point(self._document, self.chosen, {"pixel": pixel})

    def do_remove_point(self, _values: dict[str, Any]) -> None:
        """Remove the chosen point."""
        remove_point(self._document, self.chosen)
        self.chosen = ""

    def do_hexes(self, _values: dict[str, Any]) -> None:
        """Give the map hexes of the shape that they have on the scan."""
        self._document.fit_hexes_to_backdrop()

    def do_remove(self, _values: dict[str, Any]) -> None:
        """Take the scan away."""
        self.chosen = ""
        self._document.remove_backdrop()

    def _record(self) -> Backdrop:
        record = self._document.model.backdrop
        if record is None:
            raise StudioError("the map has no backdrop; choose a picture first")
        return record  # type: ignore[no-any-return]
