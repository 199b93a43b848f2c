"""A specification with small data of its own: two countries, a sea, hills, a river, a lake and three towns."""

from pathlib import Path

import geopandas
import numpy as np
import shapely

__all__ = ["SPEC", "lay_delta"]

SPEC = """
format = "wargame-studio/geography"
version = 1
title = "Delta"
ruleset = "ignorant_armies"
crs = "EPSG:32638"

[grid]
columns = 9
rows = 8
hex_size = 20000
left = 500000
top = 3500000

[[sources]]
id = "countries"
file = "delta.gpkg"
layer = "countries"
title = "Borders of the delta"
licence = "CC0"
url = "https://example.org/borders"

[[sources]]
id = "land"
file = "delta.gpkg"
layer = "land"
title = "Land | sea"
licence = "CC0"

[[sources]]
id = "rivers"
file = "delta.gpkg"
layer = "rivers"
title = "Rivers"
licence = "CC0"

[[sources]]
id = "places"
file = "delta.gpkg"
layer = "places"
title = "Places"
licence = "CC BY 4.0"

[[sources]]
id = "heights"
file = "heights.npz"
title = "Heights"

[terrain]
base = "clear"
[[terrain.classes]]
terrain = "hills"
source = "heights"
above = 400.0

[water]
land = "land"
sea = "sea"

[[rivers]]
source = "rivers"
name = "name"

[countries]
source = "countries"
name = "name"
type = "country"
side = "border"

[towns]
source = "places"
name = "name"
terrain = {city = "city"}
marker = {town = "town"}
label = ["city", "town"]
[[towns.listed]]
name = "Basra"
rank = "city"
[[towns.listed]]
name = "Ahwaz"
rank = "town"

[[roads]]
id = "road-south"
through = ["Basra", "Ahwaz"]
"""


def lay_delta(folder: Path, more: str = "") -> Path:
    """Write the specification and its data into a folder.

    Parameters
    ----------
    folder : Path
    more : str
        What the specification says at its top, such as ``overrides_file = "x.json"``.
    """
    left, top, wide, high = 500_000, 3_500_000, 170_000, 170_000
    crs, file = "EPSG:32638", folder / "delta.gpkg"
    middle = left + wide / 2
    west = shapely.box(left - 30_000, top - high - 30_000, middle, top + 30_000)
    east = shapely.box(middle, top - high - 30_000, left + wide + 60_000, top + 30_000)
    land = shapely.box(left - 30_000, top - 130_000, left + wide + 60_000, top + 30_000)
    river = shapely.LineString([(left + 40_000, top + 20_000), (left + 62_000, top - 70_000), (middle, top - 131_000)])
    spots = {"Basra": (left + 45_000, top - 61_000), "Ahwaz": (left + 130_000, top - 45_000)}
    layers = {
        "countries": (["Iraq", "Iran"], [west, east]),
        "land": (["land"], [land]),
        "rivers": (["Tigris"], [river]),
        "places": (list(spots), [shapely.Point(spot) for spot in spots.values()]),
    }
    for layer, (names, shapes) in layers.items():
        geopandas.GeoDataFrame({"name": names}, geometry=shapes, crs=crs).to_file(file, layer=layer, driver="GPKG")
    rows, columns = np.mgrid[0:100, 0:100]
    heights = np.where(columns > 70, 900.0, 10.0) + rows
    np.savez(
        folder / "heights.npz",
        elevation=heights,
        affine=np.array([2600.0, 0.0, left - 40_000, 0.0, -2600.0, top + 40_000]),
        crs=np.array(crs),
    )
    spec = folder / "delta.geography.toml"
    spec.write_text(SPEC.replace('crs = "EPSG:32638"', f'crs = "EPSG:32638"\n{more}', 1), encoding="utf-8")
    return spec
