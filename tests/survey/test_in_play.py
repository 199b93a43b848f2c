"""What is in play: with an area goes all that is part of it, and a hex that is no location is never in play."""

import matplotlib as mpl
import numpy as np
import pytest

from studio.api import Map
from studio.errors import LabelError
from studio.model import MapUse
from studio.survey import ground_in_play, locations_in_play
from tests.checks.makers import district, town


def labels(map_: Map, *out: str) -> set[str]:
    found = locations_in_play(map_.survey, MapUse(file="", out_of_play=out))
    return {map_.survey.directory.label(number) for number in found}


def test_what_is_within_an_area_out_of_play_is_out_too() -> None:
    map_ = district()
    everything = {"1", "2", "3", "S1", "1 C", "1 1", "2 C", "3 C", "EXIT"}
    assert labels(map_) == everything
    assert labels(map_, "1") == everything - {"1", "1 C", "1 1"}
    assert labels(map_, "a1") == labels(map_, "1")
    assert labels(map_, "1 C") == everything - {"1 C"}


def test_a_building_takes_its_rooms_zones_and_roofs_along() -> None:
    map_ = town()
    out = labels(map_) - labels(map_, "b1")
    assert out == {"1.1", "1.2", "1.3", "1 roof"}
    assert labels(map_) - labels(map_, "r2") == {"1.2", "1.3"}
    with pytest.raises(LabelError):
        labels(map_, "b9")


def test_hexes_that_are_no_locations_are_not_in_play_but_of_the_ground() -> None:
    map_ = town()
    cell = map_.labels.cell("0303")
    assert cell not in locations_in_play(map_.survey, MapUse(file=""))
    assert cell in ground_in_play(map_.survey, MapUse(file=""))
    numbers = locations_in_play(map_.survey, MapUse(file=""))
    assert numbers == set(map_.survey.directory.numbers.tolist())


def test_a_picture_greys_what_is_out_and_not_the_margins() -> None:
    mpl.use("agg")
    map_ = district()

    def grey(*out: str) -> list[tuple[float, float, float, float]]:
        axes = map_.plot(in_play=MapUse(file="", out_of_play=out))
        return [tuple(np.round(p.get_path().get_extents().extents, 3)) for p in axes.patches if p.get_zorder() == 18]

    assert grey() == []
    assert grey("1") == [tuple(np.round(map_.geometry("1").bounds, 3))]
