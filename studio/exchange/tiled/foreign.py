"""Tiled maps of others: tiles become terrain by what they are called, objects of a known class become features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from studio.exchange.common.drawn import KINDS, XY
from studio.exchange.common.files import refused
from studio.exchange.common.ground import Words, as_level, checked, known_game, new_map, set_plane
from studio.exchange.common.patch import put_features
from studio.exchange.content import Taken
from studio.exchange.tiled.grids import TileLayer, whole
from studio.exchange.tiled.reader import Reader
from studio.exchange.tiled.sets import properties_of
from studio.grid import MAX_SIZE, HexGrid

__all__ = ["ForeignMap"]


class ForeignMap(Reader):
    """Reads a map that another program or person made."""

    begin = (0, 0)
    """Column and row of the first tile that counts."""

    def lattice(self, x: float, y: float) -> XY:
        """Return the point of the lattice at a pixel."""
        wide, high = self._outer()
        step = (0.75 * wide, high) if self.sizes.flat else (wide, 0.75 * high)
        # Tiles may be larger than their hexes; the middle of a tile is that of its hex.
        x -= (self.sizes.wide - wide) / 2 + self.begin[0] * step[0]
        y -= (self.sizes.high - high) / 2 + self.begin[1] * step[1]
        across, down = (960, 480) if self.sizes.flat else (480, 960)
        return x * across / wide, y * down / high

    def take(self) -> Taken:
        """Return the map.

        Raises
        ------
        DocumentError
            When it has tiles that mean nothing, or no tile at all.
        """
        ruleset = known_game(self.options.ruleset, self.source)
        chosen = self._chosen()
        left, top, columns, rows = self._frame(chosen)
        moved = [layer._replace(left=layer.left - left, top=layer.top - top) for layer in chosen]
        words = Words("terrain", ruleset.terrains, self.options.mapping)
        whole_grid = self._grid(columns, rows, left, top)
        terrain: dict[int, str] = {}
        levels: dict[int, int] = {}
        for layer in moved:
            for cell, tile, at in self.cells(layer, whole_grid, None):
                level = as_level(tile.properties.get("level", ""))
                if level is not None:
                    levels[cell] = level
                    if words.find(tile.names[0]) is None:
                        continue
                name = self.terrain_of(tile, words, at)
                if name:
                    terrain[cell] = name
        words.check(self.source)
        if not terrain:
            raise refused(self.source, "has no tile that means a terrain", "say with `mapping` what the tiles mean")
        title = self.options.title or str(properties_of(self.data).get("title", "")) or self.source.stem
        model = new_map(ruleset, whole_grid, self.options.labels, title=title, source=self.source)
        bare = int(np.count_nonzero(whole_grid.present)) - len(terrain)
        if bare:
            first = ruleset.terrains[model.terrain_ids[0]].name
            self.notes.append(f"{bare} hexes have no tile and became {first}")
        set_plane(model, "terrain", terrain)
        set_plane(model, "levels", levels)
        self.begin = (left, top)
        self.notes += put_features(
            model, ruleset, self.drawn(self.objects(), model), set(), str(self.source), slack=self.sizes.slack
        )
        self._unread()
        return Taken(checked(model, ruleset, self.source), None, tuple(self.notes))

    def _chosen(self) -> list[TileLayer]:
        wanted = self.options.layers
        if not wanted:
            return [layer for layer in self.layers if layer.gids.any()]
        names = {layer.name: layer for layer in self.layers}
        missing = [name for name in wanted if name not in names]
        if missing:
            known = ", ".join(map(repr, names))
            raise refused(self.source, f"has no tile layer {missing[0]!r}; it has {known}", "name one of them")
        return [names[name] for name in wanted]

    def _frame(self, layers: list[TileLayer]) -> tuple[int, int, int, int]:
        """Return the first column and row that count, and how many there are."""
        if not self.data.get("infinite") or str(self.data.get("infinite")) in ("0", "false"):
            columns, rows = (whole(self.data.get(key), key, self.source) for key in ("width", "height"))
            return 0, 0, columns, rows
        spots = [np.argwhere(layer.gids) + np.array((layer.top, layer.left)) for layer in layers if layer.gids.any()]
        if not spots:
            raise refused(self.source, "has no tiles", "draw some first")
        every = np.concatenate(spots)
        (top, left), (bottom, right) = every.min(axis=0).tolist(), every.max(axis=0).tolist()
        return left, top, right - left + 1, bottom - top + 1

    def _grid(self, columns: int, rows: int, left: int, top: int) -> HexGrid:
        if not (1 <= columns <= MAX_SIZE and 1 <= rows <= MAX_SIZE):
            message = f"has {columns} x {rows} hexes, allowed {MAX_SIZE} x {MAX_SIZE}"
            raise refused(self.source, message, "split the map into several")
        stagger = self.data.get("staggerindex", "odd")
        odd = (stagger == "odd") != bool((left if self.sizes.flat else top) % 2)
        wide, high = self._outer()
        self.notes += self._squashed(wide, high)
        return HexGrid(
            columns=columns,
            rows=rows,
            orientation="flat" if self.sizes.flat else "pointy",
            stagger="odd" if odd else "even",
            hex_width=wide / high,
            hex_height=1.0,
        )

    def _outer(self) -> tuple[float, float]:
        """Return the size of a hex: where the side is not half a tile, that of hexes with the same steps."""
        wide, high = float(self.sizes.wide), float(self.sizes.high)
        if self.sizes.flat:
            return (wide + self.sizes.side) * 2 / 3, high
        return wide, (high + self.sizes.side) * 2 / 3

    def _squashed(self, wide: float, high: float) -> Iterator[str]:
        long, short = (wide, high) if self.sizes.flat else (high, wide)
        part = short / long / (3**0.5 / 2)
        if abs(part - 1) > 0.02:
            yield f"the hexes are {100 * part:.0f} % as broad as regular ones; the map keeps that"

    def _unread(self) -> None:
        kinds = Counter(
            (layer, "text" if "text" in thing else "object")
            for thing, layer in self.objects()
            if thing.get("type") not in KINDS
        )
        for (layer, what), count in kinds.items():
            self.notes.append(
                f"layer {layer!r}: {count} {what}s were not read; give them the class of a feature, such as road"
            )
