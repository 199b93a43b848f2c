"""Fitting a picture by control points: what was put in comes out, and what is wrong is named."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from studio.grid import FitError, fit_points
from tests.editor.scans import linear


def named(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def placed(matrix: Any, shift: Any, places: Any) -> Any:
    return np.asarray(places, dtype=float) @ np.asarray(matrix).T + shift


@st.composite
def fits(draw: st.DrawFn, least: int = 3, most: int = 30) -> tuple[Any, Any, Any]:
    """Random affines, from small photographs to scans of 20 000 pixels, with points all over the map."""
    scale = draw(st.floats(2, 400))
    matrix = linear(scale, draw(st.floats(-179, 179)), draw(st.floats(-0.3, 0.3)), draw(st.floats(0.4, 2.5)))
    shift = np.array([draw(st.floats(-20_000, 20_000)), draw(st.floats(-20_000, 20_000))])
    seed, count = draw(st.integers(0, 2**32 - 1)), draw(st.integers(least, most))
    places = np.random.default_rng(seed).uniform(0, draw(st.floats(5, 120)), (count, 2))
    sizes = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    assume(sizes[1] > 0.05 * sizes[0])
    image = placed(matrix, shift, places)
    away = np.hypot(*(image[:, None] - image[None]).transpose(2, 0, 1)) + 1e9 * np.eye(count)
    assume(away.min() > 5)
    return matrix, shift, places


@given(fits())
def test_an_affine_comes_back_exactly(case: Any) -> None:
    matrix, shift, places = case
    image = placed(matrix, shift, places)
    fit = fit_points(image.tolist(), places.tolist(), named(len(places)), scale=1)
    a, b, c, d, e, f = fit.inverse
    assert np.allclose([[a, b], [d, e]], matrix, rtol=1e-8, atol=1e-8 * np.abs(matrix).max())
    assert np.allclose([c, f], shift, atol=1e-5)
    assert fit.rms < 1e-6
    assert (fit.worst, fit.outlier) == ("", "")
    x, y = fit.to_map(*image[0])
    assert np.allclose([x, y], places[0], atol=1e-6)
    assert np.allclose(fit.to_picture(x, y), image[0], atol=1e-5)


@given(fits(least=6), st.floats(0.05, 2), st.integers(0, 2**32 - 1))
def test_within_noise_the_affine_is_that_of_least_squares(case: Any, noise: float, seed: int) -> None:
    matrix, shift, places = case
    image = placed(matrix, shift, places) + np.random.default_rng(seed).normal(0, noise, places.shape)
    fit = fit_points(image.tolist(), places.tolist(), named(len(places)), scale=1)
    # Worked out a second way: the normal equations of each coordinate, on points that are not moved to their middle.
    basis = np.column_stack([places, np.ones(len(places))])
    best, *_ = np.linalg.lstsq(basis, image, rcond=None)
    left = basis @ best - image
    assert math.isclose(fit.rms, math.sqrt((left**2).sum(axis=1).mean()), rel_tol=1e-5, abs_tol=1e-7)
    shown = np.array([[one.dx, one.dy] for one in fit.residuals])
    assert np.allclose(shown, left, atol=1e-5)
    # No residual is larger than what the noise can have moved, and no place far from its own.
    assert fit.rms < 6 * noise
    middle = places.mean(axis=0)
    assert np.hypot(*(np.array(fit.to_picture(*middle)) - placed(matrix, shift, [middle])[0])) < 6 * noise


@settings(max_examples=60)
@given(fits(least=7), st.integers(0, 2**32 - 1), st.floats(0, 2 * math.pi))
def test_one_wrong_point_is_named_however_it_pulls_the_others(case: Any, seed: int, way: float) -> None:
    matrix, shift, places = case
    rng = np.random.default_rng(seed)
    image = placed(matrix, shift, places) + rng.normal(0, 0.3, places.shape)
    wrong = int(rng.integers(len(places)))
    image[wrong] += 400 * np.array([math.cos(way), math.sin(way)])
    rest = np.delete(places, wrong, axis=0)
    sizes = np.linalg.svd(rest - rest.mean(axis=0), compute_uv=False)
    spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    assume(sizes[1] > 0.3 * spread[1])  # what only the wrong point holds up, nobody can tell
    fit = fit_points(image.tolist(), places.tolist(), named(len(places)), scale=1)
    assert fit.outlier == fit.worst == str(wrong + 1)


def test_clean_points_have_no_outlier() -> None:
    false, rng = 0, np.random.default_rng(7)
    for _ in range(300):
        places = rng.uniform(0, 40, (8, 2))
        image = placed(linear(), (90, 70), places) + rng.normal(0, 2, places.shape)
        false += fit_points(image.tolist(), places.tolist(), named(8), scale=1).outlier != ""
    assert false <= 9


@pytest.mark.parametrize(("shear", "turn"), [(0.015, 0.7), (-0.015, -0.7), (0.0, 0.0), (0.2, 30.0), (-0.1, 179.0)])
@pytest.mark.parametrize("squash", [1.0, 0.8, 1.3])
def test_shear_turn_and_scale_are_told(shear: float, turn: float, squash: float) -> None:
    places = [(0, 0), (30, 0), (0, 20), (30, 20)]
    image = placed(linear(61.85, turn, shear, squash), (300, 200), places)
    fit = fit_points(image.tolist(), places, named(4), scale=1)
    assert fit.turn == pytest.approx(turn, abs=1e-6)
    assert fit.shear == pytest.approx(shear, abs=1e-9)
    assert fit.scale == pytest.approx((61.85 * squash, 61.85))
    assert not fit.mirrored
    assert fit.rms < 1e-9


def test_four_points_of_a_skewed_scan_clicked_to_the_pixel() -> None:
    places = [(1.2, 0.9), (31, 1.1), (0.8, 21), (30.4, 20.7)]
    image = np.round(placed(linear(60, 0.7, 0.015), (90, 70), places))
    fit = fit_points(image.tolist(), places, named(4), scale=1)
    assert 0 < max(one.pixels for one in fit.residuals) < 1
    assert fit.worst in named(4)
    assert fit.outlier == ""  # any three of four points fit exactly, so none can be accused
    one = fit.residuals[0]
    assert one.pixels == pytest.approx(math.hypot(one.dx, one.dy))
    assert one.units == pytest.approx(one.pixels / 60, rel=0.03)


def test_one_point_shifts_and_two_turn() -> None:
    fit = fit_points([(100, 50)], [(2, 1)], ["1"], scale=30)
    assert (fit.kind, fit.inverse) == ("shift", (30, 0, 40, 0, 30, 20))
    places = [(0, 0), (10, 5)]
    image = placed(linear(40, 12, 0), (7, 9), places)
    fit = fit_points(image.tolist(), places, named(2), scale=1)
    assert fit.kind == "similarity"
    assert fit.scale == pytest.approx((40, 40))
    assert fit.turn == pytest.approx(12)
    assert fit.rms < 1e-9


def test_two_points_mistaken_for_each_other_mirror_the_picture() -> None:
    fit = fit_points([(0, 0), (100, 0), (0, 100)], [(0, 0), (0, 5), (5, 0)], named(3), scale=1)
    assert fit.mirrored


@pytest.mark.parametrize(
    ("pixels", "places", "words"),
    [
        ([(0, 0), (10, 10), (20, 20)], [(0, 0), (1, 1), (2, 2)], "1, 2, 3 lie on one line on the picture"),
        ([(0, 0), (10, 30), (20, 10)], [(0, 0), (1, 1), (2, 2)], "1, 2, 3 lie on one line on the map"),
        ([(0, 0), (0.2, 0.2), (20, 10)], [(0, 0), (1, 3), (2, 2)], "1 and 2 are at the same place on the picture"),
        ([(0, 0), (30, 9), (20, 10)], [(1, 3), (5, 5), (1, 3)], "1 and 3 are at the same place on the map"),
        ([(5, 5), (5, 5)], [(0, 0), (1, 1)], "1 and 2 are at the same place on the picture"),
    ],
)
def test_points_that_fix_nothing_are_refused_by_name(pixels: Any, places: Any, words: str) -> None:
    with pytest.raises(FitError, match=words) as caught:
        fit_points(pixels, places, named(len(pixels)), scale=1)
    assert "move or remove" in str(caught.value) or "set a point" in str(caught.value)


@given(
    st.lists(st.tuples(st.floats(-1e5, 1e5), st.floats(-1e5, 1e5)), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(-9999, 9999), st.integers(-9999, 9999)), min_size=8, max_size=8),
)
def test_whatever_the_points_it_fits_or_says_why(pixels: Any, places: Any) -> None:
    for stiff in (False, True):
        try:
            fit = fit_points(pixels, places[: len(pixels)], named(len(pixels)), scale=1, stiff=stiff)
        except FitError:
            continue
        assert all(map(math.isfinite, (*fit.affine, *fit.inverse, fit.rms)))


def test_no_point_is_refused() -> None:
    with pytest.raises(FitError, match="one or more"):
        fit_points([], [], [], scale=1)
