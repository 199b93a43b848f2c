"""The scan under a map: choosing it, fitting it by control points, taking over the size of its hexes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from studio.api.tactics import MapTactics
from studio.errors import EditError, shortened
from studio.files.pictures import check_picture, picture_facts, picture_name, picture_path, read_picture
from studio.model import Backdrop, Batch, ControlPoint, Edit, Georeference, SetField
from studio.survey.backdrop import BackdropFit, fit_backdrop, placement

if TYPE_CHECKING:
    from studio.checks import Findings

__all__ = ["MapBackdrop", "Scan"]

_PROBE = 250_000  # pixels: enough to see that a picture can be decoded to its end
_POINTS = 'points={"0101": (x, y), ...}: labels, or (x, y) on the lattice, with pixels of the picture'


class Scan:
    """The scan under a map, as it is now.

    Attributes
    ----------
    record : Backdrop
        As the map's file has it: ``file``, ``points``, ``opacity``, ``layer``, ``visible``, ``locked``.
    path : Path
        Where the picture lies.
    """

    def __init__(self, owner: MapBackdrop, record: Backdrop) -> None:
        self._owner, self.record = owner, record
        self.path = owner.picture_file(record)

    def __repr__(self) -> str:
        wide, high = self.record.size
        return f"Scan({self.record.file!r}, {wide} x {high} px, {len(self.record.points)} points)"

    def _repr_html_(self) -> str:
        from html import escape

        told = placement(self._owner.survey, self.record)._repr_html_()
        return f"<b>{escape(self.record.file)}</b><br>{told}"

    @property
    def fault(self) -> str:
        """What is wrong with the picture: missing, broken, another one; empty when nothing."""
        return check_picture(self.path, self.record.sha256, self.record.size)

    def fit(self) -> BackdropFit:
        """Return where the scan lies by its control points, and what is left over at each.

        Raises
        ------
        FitError
            When there is no control point, or they lie on one line or are twice the same.
        """
        with self._owner.lock:
            return fit_backdrop(self._owner.survey, self.record)


class MapBackdrop(MapTactics):
    """A map with the scan that it is traced from."""

    def __init__(self, model: Any, **known: Any) -> None:
        super().__init__(model, **known)
        self._seen_at: dict[str, Path] = {}  # pictures by what the map called them, before it was saved elsewhere

    @property
    def backdrop(self) -> Scan | None:
        """The scan under the map, None without one."""
        record = self.model.backdrop
        return None if record is None else Scan(self, record)

    def picture_file(self, record: Backdrop) -> Path:
        """Return where the picture of a backdrop lies."""
        found = picture_path(record.file, self.path)
        return found if found.exists() else self._seen_at.get(record.file, found)

    def set_backdrop(
        self,
        path: str | os.PathLike[str],
        points: Mapping[Any, Sequence[float]] | None = None,
        *,
        opacity: float | None = None,
        layer: str | None = None,
        visible: bool | None = None,
        locked: bool | None = None,
    ) -> Self:
        """Lay a scan under the map, or change the one that is there; one step, which :meth:`undo` takes back.

        Parameters
        ----------
        path : str or path
            A PNG, JPEG, WebP, TIFF or GIF file; the map's file names it relative to its own folder.
        points : mapping of label or lattice point to (x, y), optional
            Control points: places of the map with their pixels on the picture, (0, 0) the outer corner of the first
            pixel, y down. One shifts the picture, two fit a similarity, three an affine, four or more the affine of
            least squares. Without them the points of the same picture stay.
        opacity : float, optional
            How strongly it shows against the tints of the terrain, 0 to 1.
        layer : {"over", "under"}, optional
            Over the ground, or under it in place of its tints.
        visible, locked : bool, optional

        Returns
        -------
        Map
            The map itself, so that calls can be chained.

        Raises
        ------
        PictureFileError
            When the picture is not there, cannot be read, or is too large.
        EditError
            When points or options cannot be.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            name, facts = picture_name(path, self.path), picture_facts(path)
            before = self.model.backdrop
            same = before is not None and (before.sha256 == facts.sha256 or before.file == name)
            if not same or (before is not None and before.sha256 != facts.sha256):
                read_picture(path, most=_PROBE)  # one that breaks off half way is told of now
            record = Backdrop(file=name, size=facts.size) if not same or before is None else before
            kept = record.points if record.size == facts.size else ()
            changes: dict[str, Any] = {"file": name, "sha256": facts.sha256, "size": facts.size, "points": kept}
            given = {"opacity": opacity, "layer": layer, "visible": visible, "locked": locked}
            changes |= {field: value for field, value in given.items() if value is not None}
            if points is not None:
                changes["points"] = tuple(self._control_points(points))
            self._seen_at[name] = Path(os.path.abspath(os.path.expanduser(path)))
            title = "Set backdrop" if before is not None else "Add backdrop"
            self.change_backdrop(title, msgspec.structs.replace(record, **changes))
        return self

    def _control_points(self, points: Mapping[Any, Sequence[float]]) -> Iterable[ControlPoint]:
        if not isinstance(points, Mapping):
            msg = f"set_backdrop: got points={shortened(points)}; give {_POINTS}"
            raise EditError(msg)
        for number, (place, pixel) in enumerate(points.items(), 1):
            name = str(number)
            try:
                x, y = (float(value) for value in pixel)
            except (TypeError, ValueError) as error:
                msg = f"set_backdrop: point {shortened(place)}: got {shortened(pixel)}; give {_POINTS}"
                raise EditError(msg) from error
            if isinstance(place, str):
                if self.survey.directory.find(place) is None:
                    self.labels.cell(place)  # says what is wrong with it
                yield ControlPoint(name=name, pixel=(x, y), at=place)
                continue
            try:
                yield ControlPoint(name=name, pixel=(x, y), point=msgspec.convert(place, tuple[int, int]))
            except msgspec.ValidationError as error:
                msg = f"set_backdrop: got {shortened(place)} for a place; give {_POINTS}"
                raise EditError(msg) from error

    def change_backdrop(self, title: str, record: Backdrop | None) -> Self:
        """Give the map another record of its scan, or none, as one step with a title.

        Raises
        ------
        EditError
            When such a record cannot be.
        """
        try:
            plain = msgspec.to_builtins(record)
            self.apply(Batch(title=title, edits=[SetField(field="backdrop", value=plain)]))
        except (TypeError, UnicodeEncodeError) as error:
            msg = f"backdrop: {error}"
            raise EditError(msg) from error
        return self

    def remove_backdrop(self) -> Self:
        """Take the scan away; the picture's file stays.

        Raises
        ------
        EditError
            When the map has none.
        """
        if self.model.backdrop is None:
            msg = "remove_backdrop: the map has no backdrop; set_backdrop(path) lays one under it"
            raise EditError(msg)
        return self.change_backdrop("Remove backdrop", None)

    def set_hex_size(self, width: float, height: float) -> Self:
        """Give the hexes another size in map units; everything stays on its hex.

        Distances are counted in hexes, so no answer of the game changes. Where the map lies in the world stays the
        same as well: a georeference is changed along.

        Parameters
        ----------
        width, height : float
            Outer size of a hex; a width of 0 is that of regular hexes.

        Raises
        ------
        EditError
            When no hex can have such a size.
        """
        with self.lock:
            before = self.grid.scale
            edits: list[Edit] = [SetField(field="hex_size", value=[float(width), float(height)])]
            world = self.model.georeference
            if world is not None:
                try:
                    after = msgspec.structs.replace(self.grid, hex_width=float(width), hex_height=float(height)).scale
                except ValueError as error:
                    raise EditError(str(error)) from error
                along, across = before[0] / after[0], before[1] / after[1]
                a, b, c, d, e, f = world.affine
                moved = Georeference(crs=world.crs, affine=(a * along, b * across, c, d * along, e * across, f))
                edits.append(SetField(field="georeference", value=msgspec.to_builtins(moved)))
            self.apply(Batch(title="Set the size of hexes", edits=edits))
        return self

    def fit_hexes_to_backdrop(self) -> Self:
        """Make the hexes as wide for their height as those of the scan, which may be squashed; one step.

        Raises
        ------
        EditError
            When there is no scan, or fewer than three control points, which tell no squash.
        FitError
            When the control points fix no place for it.
        """
        scan = self.backdrop
        if scan is None:
            msg = "fit_hexes_to_backdrop: the map has no backdrop; set_backdrop(path, points=...) lays one under it"
            raise EditError(msg)
        found = scan.fit()
        if found.fit.kind != "affine":
            count = len(found.residuals)
            msg = f"fit_hexes_to_backdrop: got {count} control points; three or more tell the size of hexes"
            raise EditError(msg)
        return self.set_hex_size(round(self.grid.width * found.squash, 9), self.grid.hex_height)

    def check(self) -> Findings:
        """Check the map, the picture of its scan as well.

        Returns
        -------
        Findings
            Each with its place, its rule and its remedy, and where there is only one way to mend it, with the repair.
        """
        from studio.checks.backdrop import check_file

        found, scan = super().check(), self.backdrop
        if scan is not None:
            found.extend(check_file(scan.fault, file=self.name or self.title))
        return found

    def _prepare(self, target: Path) -> None:
        """Name the scan relative to where the map's file will lie."""
        super()._prepare(target)
        record = self.model.backdrop
        if record is None:
            return
        path = self.picture_file(record)
        name = picture_name(path, target)
        if name != record.file and path.exists():
            self._seen_at[record.file] = self._seen_at[name] = path.absolute()
            self.model.backdrop = msgspec.structs.replace(record, file=name)
