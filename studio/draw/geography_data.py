"""What a picture needs of the data that a map was made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from numpy.typing import NDArray

from studio.draw.subject import Floats

__all__ = ["DataLayer", "DataPlace", "GeographyData", "Role", "Sampler"]

Role: TypeAlias = Literal["land", "lake", "country", "cover", "area", "river", "line", "road", "building"]


@dataclass(frozen=True)
class DataLayer:
    """A layer of shapes that a map was made of.

    Attributes
    ----------
    role : {"land", "lake", "country", "cover", "area", "river", "line", "road", "building"}
        What they are for; cover is ground of a terrain, of polygons or points.
    title : str
        For the key.
    shapes : array of shapely geometries
        On the lattice.
    terrain : str
        Of cover.
    """

    role: Role
    title: str
    shapes: NDArray[Any]
    terrain: str = ""


@dataclass(frozen=True)
class DataPlace:
    """A place that the map has.

    Attributes
    ----------
    name : str
    point : (float, float)
        Where it lies, on the lattice.
    cell : int
        Hex that it was given.
    major : bool
        It is named on the picture.
    """

    name: str
    point: tuple[float, float]
    cell: int
    major: bool = True


Sampler: TypeAlias = Callable[[Floats], NDArray[Any]]
"""Values of a raster at points, shape (n, 2), in the map units of the affine."""


@dataclass(frozen=True)
class GeographyData:
    """What a picture needs of the data that a map was made of.

    Attributes
    ----------
    frame : callable or None
        From points of the lattice, shape (n, 2), to map units by the affine alone; None without a rubber sheet, where
        both are one.
    layers : tuple of DataLayer
    heights : callable or None
        Height of the ground in metres at points in the map units of the affine, shape (n, 2); NaN where there is none.
    cover : callable or None
        Index into `cover_terrains` at such points, -1 for none.
    cover_terrains : tuple of str
    places : tuple of DataPlace
    credits : tuple of str
        Titles and licences of the sources.
    """

    frame: Callable[[Floats], Floats] | None = None
    layers: tuple[DataLayer, ...] = ()
    heights: Sampler | None = None
    cover: Sampler | None = None
    cover_terrains: tuple[str, ...] = ()
    places: tuple[DataPlace, ...] = ()
    credits: tuple[str, ...] = ()

    def of(self, role: Role) -> list[DataLayer]:
        """Return the layers of one role."""
        return [layer for layer in self.layers if layer.role == role]
