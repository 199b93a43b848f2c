"""Pictures whose colours are terrain: each hex becomes what most of its pixels say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, GridError, nearest
from studio.exchange.common.files import refused
from studio.exchange.common.ground import checked, known_game, listed, model_of, new_map, set_plane, surveyed
from studio.exchange.common.shares import most_of
from studio.exchange.content import Taken
from studio.exchange.pictures.options import ColourReading, HexesAt
from studio.files.pictures import PictureFileError, picture_facts, read_picture
from studio.grid import FitError, HexGrid
from studio.grid.fitting import Affine
from studio.model import MapModel
from studio.rules import Ruleset
from studio.survey.backdrop import fit_backdrop

__all__ = ["take_colours"]

MAX_PIXELS = 60_000_000
_SHOWN = 40
_BAND = 1_000_000


def take_colours(source: Path, options: ColourReading) -> Taken:
    """Return the map that a picture paints.

    Raises
    ------
    DocumentError
        When it cannot be read; or colours on its hexes mean nothing, or two terrains: each is listed with how many
        pixels it has.
    """
    pixels = _pixels(source)
    model, ruleset, affine = _base(source, options, pixels)
    palette = _palette(source, options, ruleset)
    cells = _cells(model.grid, affine, pixels.shape[:2])
    names = [name for name in dict.fromkeys(palette.values()) if name]
    codes, notes = _codes(source, options, palette, names, pixels, cells)
    shares, _ = most_of(cells.ravel(), codes.ravel(), model.grid.cells, max(1, len(names)))
    present = np.flatnonzero(model.grid.present)
    some = present[shares[present].any(axis=1)]
    best = shares.max(axis=1)
    tied = [int(cell) for cell in some if int((shares[cell] == best[cell]).sum()) > 1]
    set_plane(model, "terrain", {int(cell): names[int(shares[cell].argmax())] for cell in some})
    label = model.labels.label
    if tied:
        notes.append(f"{len(tied)} hexes are as much one terrain as another: {listed(map(label, tied))}")
    bare = sorted(set(present.tolist()) - set(some.tolist()))
    if bare:
        notes.append(f"{len(bare)} hexes have no pixel that means a terrain: {listed(map(label, bare))}")
    least = int(shares[some].sum(axis=1).min()) if len(some) else 0
    if least < 30:
        notes.append(f"some hexes have only {least} pixels, so that chance has a say")
    return Taken(checked(model, ruleset, source), None, tuple(notes))


def _pixels(source: Path) -> NDArray[np.uint8]:
    try:
        size = picture_facts(source).size
        if size[0] * size[1] > MAX_PIXELS:
            raise refused(source, f"has {size[0]} x {size[1]} pixels, allowed {MAX_PIXELS}", "save it smaller")
        image = read_picture(source, most=MAX_PIXELS).image
    except PictureFileError as error:
        raise DocumentError(str(source), [Fault("$", str(error), "name a picture")]) from error
    return np.asarray(image.convert("RGBA"), dtype=np.uint8)


def _base(source: Path, options: ColourReading, pixels: NDArray[Any]) -> tuple[MapModel, Ruleset, Affine]:
    """Return the map, its game, and the affine from pixels to the map's units."""
    size = (pixels.shape[1], pixels.shape[0])
    if options.onto is not None:
        ruleset = known_game(options.onto.ruleset, source)
        model = model_of(options.onto, ruleset, source)
        scan = model.backdrop
        if scan is None or scan.size != size:
            got = "no scan" if scan is None else f"a scan of {scan.size[0]} x {scan.size[1]} pixels"
            message = f"has {size[0]} x {size[1]} pixels, and the map {got}"
            raise refused(source, message, "give the map this picture as its scan, with control points")
        try:
            fit = fit_backdrop(surveyed(model, ruleset), scan)
        except FitError as error:
            raise refused(source, str(error), "set control points") from error
        return model, ruleset, fit.affine
    if options.hexes is None:
        raise refused(source, "does not say where its hexes are", "give hexes=, or onto= a map with a scan")
    ruleset = known_game(options.ruleset, source)
    try:
        grid = grid_of(options.hexes)
    except GridError as error:
        raise refused(source, str(error), "mend hexes=") from error
    model = new_map(ruleset, grid, options.hexes.labels, title=options.title or source.stem, source=source)
    # A map unit is the height of a hex.
    unit = 1 / options.hexes.hex_height
    return model, ruleset, (unit, 0.0, -options.hexes.left * unit, 0.0, unit, -options.hexes.top * unit)


def grid_of(hexes: HexesAt) -> HexGrid:
    """Return the grid of a map that lies on a picture, a hex one map unit high.

    Raises
    ------
    GridError
        When there is no such grid.
    """
    return HexGrid(
        columns=hexes.columns,
        rows=hexes.rows,
        orientation=hexes.orientation,
        stagger=hexes.stagger,
        hex_width=hexes.hex_width / hexes.hex_height,
        hex_height=1.0,
    )


def _palette(source: Path, options: ColourReading, ruleset: Ruleset) -> dict[tuple[int, int, int], str]:
    found: dict[tuple[int, int, int], str] = {}
    faults = []
    for text, name in options.colours.items():
        plain = text.strip().lower().removeprefix("#")
        if not re.fullmatch(r"[0-9a-f]{6}", plain):
            faults.append(Fault("$.colours", f"got {text!r}, allowed a colour such as #2e7d32", "write six digits"))
            continue
        if name and name not in ruleset.terrains:
            message = f"{text}: unknown terrain {name!r}; {nearest(name, ruleset.terrains)}"
            faults.append(Fault("$.colours", message, "write one of these"))
        found[(int(plain[:2], 16), int(plain[2:4], 16), int(plain[4:], 16))] = name
    if not found and not faults:
        faults.append(Fault("$.colours", "no colour has a terrain", 'give colours={"#2e7d32": "dense_woods"}'))
    if faults:
        raise DocumentError(str(source), faults)
    return found


def _cells(grid: HexGrid, affine: Affine, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the hex of every pixel, -1 off the map; shape (rows, columns)."""
    rows, columns = shape
    a, b, c, d, e, f = affine
    found = np.empty((rows, columns), dtype=np.int64)
    xs = np.arange(columns) + 0.5
    band = max(1, _BAND // columns)
    for start in range(0, rows, band):
        x, y = (one.ravel() for one in np.meshgrid(xs, np.arange(start, min(rows, start + band)) + 0.5))
        points = np.stack((a * x + b * y + c, d * x + e * y + f), axis=1) / np.array(grid.scale)
        found[start : start + band] = grid.cells_at(points).reshape(-1, columns)
    return found


def _codes(
    source: Path,
    options: ColourReading,
    palette: dict[tuple[int, int, int], str],
    names: list[str],
    pixels: NDArray[np.uint8],
    cells: NDArray[np.int64],
) -> tuple[NDArray[np.int64], list[str]]:
    """Return the terrain of every pixel as its place in `names`, -1 for none, and notes."""
    packed = (pixels[..., 0].astype(np.int64) << 16) | (pixels[..., 1].astype(np.int64) << 8) | pixels[..., 2]
    packed = np.where(pixels[..., 3] < 128, -1, packed)  # what is transparent has no colour
    inside = cells >= 0
    colours, inverse, counts = np.unique(packed[inside], return_inverse=True, return_counts=True)
    table = np.full(len(colours), -1, dtype=np.int64)
    unknown: list[tuple[int, str]] = []
    twofold: list[tuple[int, str]] = []
    wanted = np.array(list(palette), dtype=np.int64)
    meanings = list(palette.values())
    for number, (colour, count) in enumerate(zip(colours.tolist(), counts.tolist(), strict=True)):
        if colour < 0:
            continue
        rgb = np.array((colour >> 16, colour >> 8 & 255, colour & 255))
        off = np.abs(wanted - rgb).max(axis=1)
        near = np.flatnonzero(off == off.min())
        terrains = {meanings[one] for one in near.tolist()}
        if off.min() > options.tolerance:
            unknown.append((count, f"#{colour:06x}"))
        elif len(terrains) > 1:
            twofold.append((count, f"#{colour:06x} ({' or '.join(sorted(one or 'nothing' for one in terrains))})"))
        else:
            name = next(iter(terrains))
            table[number] = names.index(name) if name else -1
    notes = _stray(source, options, unknown, twofold, int(inside.sum()))
    codes = np.full(cells.shape, -1, dtype=np.int64)
    codes[inside] = table[inverse.ravel()]
    return codes, notes


def _stray(
    source: Path, options: ColourReading, unknown: list[tuple[int, str]], twofold: list[tuple[int, str]], every: int
) -> list[str]:
    """Refuse colours that mean nothing or two things, unless they are few.

    Raises
    ------
    DocumentError
        With the colours, most pixels first.
    """
    total = sum(count for count, _ in (*unknown, *twofold))
    if total <= options.stray * every:
        return [f"{total} of {every} pixels have colours that mean nothing, and do not count"] if total else []
    faults = []
    for what, found in (("means nothing", unknown), ("lies between two", twofold)):
        found.sort(reverse=True)
        for count, colour in found[:_SHOWN]:
            message = f"the colour {colour} {what}: {count} pixels, {100 * count / every:.2f} %"
            faults.append(Fault("$", message, "add it to colours=, or raise tolerance="))
        if len(found) > _SHOWN:
            rest = sum(count for count, _ in found[_SHOWN:])
            message = f"{len(found) - _SHOWN} more colours with {rest} pixels {what}"
            faults.append(Fault("$", message, "raise tolerance= or stray= where they are edges"))
    raise DocumentError(str(source), faults)
