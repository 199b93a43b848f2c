"""How many random maps a test tries: a few in every run, thousands under the thorough profile."""

import os

from hypothesis import Phase, settings

__all__ = ["random_maps"]


def random_maps(few: int) -> settings:
    """Return settings for tests whose maps come from a seed: a smaller seed is no simpler map, so nothing is shrunk.

    Parameters
    ----------
    few : int
        Maps in an everyday run, always the same; ``HYPOTHESIS_PROFILE=thorough`` takes new ones, as many as it says.
    """
    phases = (Phase.explicit, Phase.generate)
    if os.environ.get("HYPOTHESIS_PROFILE") == "thorough":
        return settings(max_examples=settings.get_profile("thorough").max_examples, phases=phases)
    return settings(max_examples=few, derandomize=True, phases=phases)
