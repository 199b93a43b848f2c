"""What the ground of each hex is: terrain by shares and priority, levels by height, and how sure all this is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, nearest
from studio.exchange.common.ground import listed
from studio.exchange.common.shares import cover_by_hex, most_of, reached
from studio.exchange.geography.data.sources import read_layer
from studio.exchange.geography.ground.heights import ENOUGH, Pixels, heights_by_hex, listed_hexes, read_pixels
from studio.exchange.geography.ground.relief import Reach, relief
from studio.exchange.geography.spec import LevelRule, TerrainClass
from studio.exchange.geography.work import Work
from studio.model import LEVEL_LIMITS

__all__ = ["lay_ground", "lay_levels", "rate_confidence", "share_names", "winning_classes"]

_UNSURE = 0.1  # confidence below which a hex is named in the report
_METRES = "relief and within are in metres"


# -- terrain ---------------------------------------------------------------------------------------------------------


def lay_ground(work: Work) -> None:
    """Give every hex its terrain: the first class that covers its share wins, else it is base terrain.

    Parameters
    ----------
    work : Work
        Gets ``shares`` of every class, ``heights``, ``pixels``, and the terrain of its model.

    Notes
    -----
    Of a raster, the share is the part of those pixels of a hex that have a value. Of polygons, it is the exact part of
    its area. A pixel counts for a class with ``relief`` only where the ground within so many metres around it differs
    by so much, so that a plateau is no mountain however high it lies.

    Raises
    ------
    DocumentError
        When a class names what the game or the data do not have.
    """
    classes = work.spec.terrain.classes
    faults = list(_class_faults(work))
    if faults:
        raise DocumentError(work.name, faults)
    base = work.spec.terrain.base or work.model.terrain_ids[0]
    for name, rule, words in zip(share_names(work), classes, _paths(work), strict=True):
        work.shares[name] = _pixel_share(work, rule, words) if _of_pixels(rule) else _polygon_share(work, rule, words)
    _measure_heights(work)
    winner = _winners(work)
    ids = [work.model.terrain_ids.index(one) for one in (*(rule.terrain for rule in classes), base)]
    present = np.flatnonzero(work.placing.grid.present)
    work.model.terrain.flat[present] = np.array(ids, dtype=work.model.terrain.dtype)[winner[present]]
    for number, (rule, name) in enumerate(zip(classes, share_names(work), strict=True)):
        won = int((winner[present] == number).sum())
        some = int((work.shares[name] > 0).sum())
        text = f"Hexes that {rule.terrain} of {rule.source} win: {won}; that have some of it: {some}"
        work.report.add("terrain", "note" if won else "finding", text, hexes=won, some=some)
    rest = int((winner[present] == len(classes)).sum())
    work.report.add("terrain", "note", f"Hexes that no class wins and that are {base}: {rest}", hexes=rest)


def share_names(work: Work) -> list[str]:
    """Return under which name the shares of each terrain class are kept, ``terrain:source``; a second one has a 2.

    Parameters
    ----------
    work : Work
    """
    found: list[str] = []
    for rule in work.spec.terrain.classes:
        name = f"{rule.terrain}:{rule.source}"
        number = sum(one == name or one.startswith(f"{name}:") for one in found)
        found.append(f"{name}:{number + 1}" if number else name)
    return found


def _of_pixels(rule: TerrainClass) -> bool:
    return bool(rule.values or rule.relief or rule.above is not None or rule.below is not None)


def _paths(work: Work) -> list[str]:
    return [f"terrain.classes[{number}]" for number in range(len(work.spec.terrain.classes))]


def _class_faults(work: Work) -> Iterator[Fault]:
    """Yield what is wrong with the rule for terrain, all of it."""
    known = work.ruleset.terrains
    base = work.spec.terrain.base
    remedy = f"name a terrain of {work.ruleset.title}"
    if base and base not in known:
        yield Fault("$.terrain.base", f"unknown terrain {base!r}; {nearest(base, known)}", remedy)
    for rule, words in zip(work.spec.terrain.classes, _paths(work), strict=True):
        at = f"$.{words}"
        if rule.terrain not in known:
            yield Fault(f"{at}.terrain", f"unknown terrain {rule.terrain!r}; {nearest(rule.terrain, known)}", remedy)
        heights = rule.above is not None or rule.below is not None or bool(rule.relief)
        if rule.values and heights:
            yield Fault(at, "both values and heights are given", "make two classes of them")
        if rule.outside and _of_pixels(rule):
            yield Fault(f"{at}.outside", "pixels have no outside", "take it out, or name the values that are meant")
        low, high = rule.above, rule.below
        if any(one is not None and not math.isfinite(one) for one in (low, high)):
            yield Fault(at, f"heights from {low} to {high}, allowed are finite ones", "give metres, or leave it out")
        elif low is not None and high is not None and low >= high:
            yield Fault(at, f"no height is above {low:g} and below {high:g}", "swap them")
        for value in rule.values:
            if _code(value) is None:
                yield Fault(f"{at}.values", f"the value {value[:40]!r} is no number", "name values of the raster")


def _code(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _polygon_share(work: Work, rule: TerrainClass, words: str) -> NDArray[np.float64]:
    layer = read_layer(work, rule.source, words, kinds="area")
    share = cover_by_hex(work.placing.grid, layer.shapes)
    if not rule.outside:
        return share
    return np.where(work.placing.grid.present.ravel(), np.round(1 - share, 9), 0.0)


def _pixel_share(work: Work, rule: TerrainClass, words: str) -> NDArray[np.float64]:
    pixels = read_pixels(work, rule.source, words, "terrain")
    values = pixels.values
    if rule.values:
        codes = [float(value) for value in rule.values]
        for code in codes:
            if not (values == code).any():
                text = f"{words}: no pixel of {rule.source} on the map has the value {code:g}"
                work.report.add("terrain", "finding", text)
        return pixels.share(np.isin(values, codes))
    chosen = np.ones(len(values), dtype=bool)
    if rule.above is not None:
        chosen &= values >= rule.above
    if rule.below is not None:
        chosen &= values < rule.below
    if rule.relief:
        chosen &= _relief(work, pixels, rule, words) >= rule.relief
    return pixels.share(chosen)


def _relief(work: Work, pixels: Pixels, rule: TerrainClass, words: str) -> NDArray[np.float32]:
    """Return the relief around each pixel that has a value on the map; two classes with one distance share it."""
    if rule.within not in pixels.reliefs:
        reach = Reach.of(pixels.raster, pixels.raster.crs or work.placing.crs)
        step = reach.least
        if rule.within < step:
            text = (
                f"{words}: no two pixels of {rule.source} lie within {rule.within:g} m of each other (they are "
                f"{step:.0f} m apart), so nothing has relief; {_METRES}"
            )
            work.report.add("terrain", "finding", text, within=rule.within, pixel=step)
        found = relief(pixels.raster.values, pixels.known, reach, rule.within)
        pixels.reliefs[rule.within] = found[pixels.data]
    return pixels.reliefs[rule.within]


def _winners(work: Work) -> NDArray[np.int64]:
    """Return which class wins each hex, the number of classes where none does; shape (cells,)."""
    classes = work.spec.terrain.classes
    winner = np.full(work.placing.grid.cells, len(classes), dtype=np.int64)
    for number, name in reversed(list(enumerate(share_names(work)))):
        winner[reached(work.shares[name], classes[number].share)] = number
    return winner


def winning_classes(work: Work) -> list[str]:
    """Return the class that won each cell by the name of its shares, an empty text where none did.

    Parameters
    ----------
    work : Work
    """
    names = [*share_names(work), ""]
    return [names[number] for number in _winners(work).tolist()]


def _measure_heights(work: Work) -> None:
    """Measure the heights of hexes, by the raster of the levels or else by the first class that asks for heights."""
    sources = [(work.spec.levels.source, "levels")] if work.spec.levels else []
    for rule, words in zip(work.spec.terrain.classes, _paths(work), strict=True):
        if _of_pixels(rule) and not rule.values:
            sources.append((rule.source, words))
    if sources:
        source, words = sources[0]
        work.heights = heights_by_hex(read_pixels(work, source, words, "terrain"))


# -- levels ----------------------------------------------------------------------------------------------------------


def lay_levels(work: Work) -> None:
    """Give every hex its level by the height of its ground; a hex of which no height is known has level 0.

    Parameters
    ----------
    work : Work

    Raises
    ------
    DocumentError
        When the breaks do not ascend, or make more levels than the game or a map can have.
    """
    rule = work.spec.levels
    if rule is None:
        return
    _check_breaks(work, rule)
    pixels = read_pixels(work, rule.source, "levels", "levels")
    breaks = np.array(rule.breaks, dtype=float)
    if rule.by == "most":
        codes = np.searchsorted(breaks, pixels.values, side="right")
        shares, _ = most_of(pixels.where, codes, work.placing.grid.cells, len(breaks) + 1)
        level = shares.argmax(axis=1)  # the lower of two with as many pixels
    else:
        height = heights_by_hex(pixels)[rule.by]
        level = np.searchsorted(breaks, np.nan_to_num(height, nan=-np.inf), side="right")
    level[pixels.counts == 0] = 0
    present = np.flatnonzero(work.placing.grid.present)
    work.model.levels.flat[present] = level[present]
    counts = np.bincount(level[present], minlength=len(breaks) + 1)
    text = f"Hexes at levels 0 to {len(breaks)} by {_by(rule)}: {listed(map(str, counts.tolist()), 40)}"
    work.report.add("levels", "note", text)
    for empty in np.flatnonzero(counts == 0).tolist():
        work.report.add("levels", "note", f"No hex is at level {empty}")


def _by(rule: LevelRule) -> str:
    return {"mean": "their mean height", "most": "most of their pixels", "highest": "their highest pixel"}[rule.by]


def _check_breaks(work: Work, rule: LevelRule) -> None:
    """Refuse breaks that make no levels, or more than the game allows."""
    breaks = rule.breaks
    faults = []
    if not all(map(math.isfinite, breaks)) or any(a >= b for a, b in itertools.pairwise(breaks)):
        message = f"got {', '.join(f'{one:g}' for one in breaks)}, allowed are finite heights that ascend"
        faults.append(Fault("$.levels.breaks", message, "sort them, and name each once"))
    low, high = work.ruleset.levels
    most = min(high, LEVEL_LIMITS[1])
    if len(breaks) > most:
        beyond = listed((str(level) for level in range(max(0, most) + 1, len(breaks) + 1)), 8)
        message = (
            f"{len(breaks)} breaks make levels 0 to {len(breaks)}; {work.ruleset.title} allows {low} to {most}, "
            f"not {beyond}"
        )
        remedy = f"give {most} breaks at most" if most > 0 else "leave [levels] out: the game has none"
        faults.append(Fault("$.levels.breaks", message, remedy))
    if faults:
        raise DocumentError(work.name, faults)


# -- confidence ------------------------------------------------------------------------------------------------------


def rate_confidence(work: Work) -> None:
    """Rate how sure the terrain of each hex is, 0 to 1, and list the least sure ones in the report.

    Parameters
    ----------
    work : Work
        Gets ``confidence``.

    Notes
    -----
    It is the least of these, for each hex:

    - How clearly the winner won. For the class that won, by how far its share is above the threshold, as a part of what
      is above it: 0 where it is just reached, 1 where the class covers the whole hex. For every class that would have
      come first, by how far its share is below its threshold, as a part of that threshold: 0 where it just missed, 1
      where there is nothing of it. The same for water and its threshold, save in the hex of a town, which stays land.
    - How many pixels there were, of every raster that was asked: as a part of 30, and of those that would lie in the
      hex if the raster covered all of it. Hence 0 without any. Hexes of water are decided by polygons alone.

    It is 1 where the designer overrode the hex, and where something that is named gave it another terrain than the
    ground or water: a town, or the land of countries that are left out.
    """
    grid = work.placing.grid
    present = grid.present.ravel()
    winner = _winners(work)
    water = work.water if work.water.size else np.zeros(grid.cells, dtype=bool)
    sure = np.where(water, 1.0, np.minimum(_clearness(work, winner), _backing(work)))
    sure = np.minimum(sure, _water_clearness(work, water))
    named = np.array(work.model.terrain.ravel() != _as_laid(work, winner, water))
    sure[named] = 1.0
    for entry in work.report.of("override"):
        for label in entry.at:
            cell = work.model.labels.find(label)
            if cell is not None:
                sure[cell] = 1.0
    work.confidence = np.where(present, np.round(sure, 3), 0.0)
    low = np.flatnonzero(present & (work.confidence < _UNSURE))
    low = low[np.lexsort((low, work.confidence[low]))]
    mean = float(work.confidence[present].mean())
    work.report.figures["confidence"] = round(mean, 3)
    if len(low):
        names = listed_hexes(work, low)
        text = f"Hexes that could as well be something else: {len(low)}; look at these first, the least sure ones"
        work.report.add("confidence", "finding", text, names, hexes=len(low), mean=mean)


def _below(share: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Return by how far a share missed its threshold, 0 to 1."""
    return np.clip(1 - share / least, 0, 1) if least > 0 else np.ones(len(share))


def _over(share: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Return by how far a share is above its threshold, 0 to 1."""
    return np.clip((share - least) / (1 - least), 0, 1) if least < 1 else np.ones(len(share))


def _clearness(work: Work, winner: NDArray[np.int64]) -> NDArray[np.float64]:
    clear = np.ones(len(winner))
    for number, (rule, name) in enumerate(zip(work.spec.terrain.classes, share_names(work), strict=True)):
        share = work.shares[name]
        clear = np.where(winner == number, np.minimum(clear, _over(share, rule.share)), clear)
        clear = np.where(winner > number, np.minimum(clear, _below(share, rule.share)), clear)
    return clear


def _backing(work: Work) -> NDArray[np.float64]:
    """Return how far the pixels of all rasters that decide on terrain are enough, by hex."""
    enough = np.ones(work.placing.grid.cells)
    for name in sorted({rule.source for rule in work.spec.terrain.classes if _of_pixels(rule)}):
        pixels = work.pixels[name]
        whole = np.maximum(pixels.expected, 1.0)
        enough = np.minimum(enough, np.minimum(pixels.counts / ENOUGH, pixels.counts / whole))
    return enough


def _water_clearness(work: Work, water: NDArray[np.bool_]) -> NDArray[np.float64]:
    clear = np.ones(work.placing.grid.cells)
    if "water" not in work.shares:
        return clear
    share, least = work.shares["water"], work.spec.water.share
    clear = np.where(water, _over(share, least), _below(share, least))
    for town in work.towns:
        if not water[town.cell]:
            clear[town.cell] = 1.0
    return clear


def _as_laid(work: Work, winner: NDArray[np.int64], water: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the terrain that ground and water gave each hex, as the model counts terrains."""
    ids = work.model.terrain_ids
    rule = work.spec.terrain
    names = [*(one.terrain for one in rule.classes), rule.base or ids[0]]
    laid = np.array([ids.index(name) for name in names], dtype=np.int64)[winner]
    for name in (work.spec.water.sea, work.spec.water.lake):
        if name in ids:
            wet = water & (work.model.terrain.ravel() == ids.index(name))
            laid[wet] = ids.index(name)
    return laid
