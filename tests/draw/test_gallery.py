"""The gallery: its page, its pictures and what makes them belong together."""

import re

import pytest

from tests.draw.gallery import LARGEST, PICTURES, ROOT, SCENES, png


def test_the_page_shows_every_picture_and_each_is_there() -> None:
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]+\]\(pictures/([a-z-]+\.png)\)", page)
    assert sorted(shown) == sorted(SCENES)
    for name in shown:
        assert 20_000 < (PICTURES / name).stat().st_size <= LARGEST, name


@pytest.mark.parametrize("name", ["gallery-structures.png", "gallery-start-zones.png"])
def test_a_picture_is_the_one_that_is_made_now(name: str) -> None:
    """Nearly: fonts may be drawn a little differently elsewhere."""
    import io

    import numpy as np
    from PIL import Image

    kept, made = (
        np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=int)
        for data in ((PICTURES / name).read_bytes(), png(SCENES[name]()))
    )
    assert kept.shape == made.shape
    assert np.abs(kept - made).mean() < 2
