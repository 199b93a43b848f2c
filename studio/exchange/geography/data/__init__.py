"""The data of a specification: vector layers and rasters, by the box of the map and in bounded memory."""

from __future__ import annotations

from studio.exchange.geography.data.sources import Layer, point_of, read_layer, read_raster

__all__ = ["Layer", "point_of", "read_layer", "read_raster"]
