"""A look for games that have no style of their own: by the words of their terrains, and by what these do to sight.

Woods look like woods in every game. Terrain that no word is known for gets pale ground where one sees over it, a light
pattern where it hinders sight and a dark one where it blocks it, in the order of the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from studio.draw.style import Style, load_style, make_style, style_ids

__all__ = ["plain_look", "style_for"]

_WORDS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("dense_wood", "heavy_wood", "forest", "jungle"), "armageddon_war", "dense_woods"),
    (("wood", "orchard", "tree", "grove"), "armageddon_war", "light_woods"),
    (("city", "dense_urban", "urban"), "armageddon_war", "dense_urban"),
    (("town", "village", "suburb", "light_urban"), "armageddon_war", "light_urban"),
    (("marsh", "swamp", "bog"), "armageddon_war", "marsh"),
    (("dune",), "armageddon_war", "dunes"),
    (("sand", "desert", "beach"), "armageddon_war", "soft_sand"),
    (("rough", "rock", "broken"), "armageddon_war", "rough"),
    (("field", "crop", "farm", "cultivated"), "armageddon_war", "cultivated"),
    (("mountain",), "ignorant_armies", "mountains"),
    (("hill",), "ignorant_armies", "hills"),
    (("sea", "ocean", "gulf", "bay", "strait", "channel"), "ignorant_armies", "sea"),
    (("lake", "water", "pond", "lagoon", "reservoir"), "ignorant_armies", "lake"),
    (("river", "stream"), "armageddon_war", "river"),
    (("wadi", "gully"), "armageddon_war", "wadi"),
)
_SIDES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("river", "stream", "creek", "canal", "brook", "ford", "water"), "ignorant_armies", "river"),
    (("border", "frontier", "boundary"), "ignorant_armies", "border"),
    (("breach", "gap"), "armageddon_war", "breached_fence"),
    (("fence", "wire", "barbed"), "armageddon_war", "fence"),
    (("hedge", "bocage"), "modern_tactics", "hedge"),
    (("wall", "rampart", "dike", "dyke", "embankment"), "modern_tactics", "low_wall"),
    (("wadi", "gully", "cliff", "slope", "scarp"), "armageddon_war", "wadi_end"),
)
"""What runs on hexsides, by the words of its name: the game whose look it gets, and of which kind there."""

_WIDE = ("lake", "sea", "all_water", "coast", "major_river", "wide")
"""Water that is drawn broader than a river."""

_REGIONS = ("#8a4b7d", "#3f6f9f", "#a8672a", "#4d7d4a", "#9a4141", "#5d5a8c")
"""Outlines of areas that are no locations, such as countries, in the order of the catalogue."""

_OPEN = ("#efe5c8", "#dfe0b4", "#eacfae", "#dcd7cd", "#cfdcc0", "#f3dcd0", "#e2c99a", "#d5d2b8")
_HINDER = ("#b7c98a", "#cdb077", "#9fbfa6", "#c9a58f", "#b3b39a", "#c7be6e")
_BLOCK = ("#64814a", "#85705a", "#6f7886", "#94604e", "#55766c", "#7b6a90")
_MARKS: dict[str, dict[str, Any]] = {
    "hinder": {
        "recipe": "scatter",
        "slots": 19,
        "glyphs": ["tick", "bush"],
        "jitter": 70,
        "keep": 720,
        "size": [60, 105],
        "edge": 85,
        "clear_road": 85,
        "from_px": 14,
    },
    "block": {
        "recipe": "scatter",
        "slots": 31,
        "glyphs": ["bush", "rock_a", "rock_b"],
        "jitter": 46,
        "keep": 940,
        "size": [120, 200],
        "edge": 95,
        "thin": 180,
        "clear_road": 105,
        "from_px": 14,
    },
    "closed": {
        "recipe": "scatter",
        "slots": 19,
        "glyphs": ["grain"],
        "jitter": 30,
        "size": [34, 48],
        "from_px": 14,
    },
}


def style_for(ruleset: Any, terrain_ids: Iterable[str] = (), override: str | Path | None = None) -> Style:
    """Return the look of a game: its own, or one made for it, with a tint for every terrain that it does not know.

    Parameters
    ----------
    ruleset : studio.rules.Ruleset or str
        The game, or its id; of a game that the studio does not know only the terrain ids tell the look.
    terrain_ids : iterable of str
        Terrains of the map.
    override : path, optional
        A designer's style file, as for `load_style`.

    Raises
    ------
    StyleError
        When the file does not hold a valid style.
    """
    name, ids = str(getattr(ruleset, "id", ruleset)), list(terrain_ids)
    if name in style_ids():
        return load_style(name, override).with_terrains(ids)
    terrains = getattr(_known(ruleset), "terrains", None) or dict.fromkeys(ids)
    title = str(getattr(ruleset, "title", "") or name)
    known = _known(ruleset)
    look = plain_look(
        name, title, terrains, getattr(known, "side_kinds", None) or {}, getattr(known, "area_types", None) or {}
    )
    return make_style(look, override).with_terrains(ids)


def _known(ruleset: Any) -> Any:
    from studio.rules import get_ruleset, ruleset_ids

    if isinstance(ruleset, str):
        return get_ruleset(ruleset) if ruleset in ruleset_ids() else None
    return ruleset


def plain_look(
    name: str,
    title: str,
    terrains: Mapping[str, Any],
    sides: Mapping[str, Any] | None = None,
    areas: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a look as a style file would hold it.

    Parameters
    ----------
    name, title : str
        Of the game.
    terrains : mapping
        Terrain ids in the order of the catalogue, each with its `studio.rules.Terrain` or None.
    sides : mapping, optional
        Kinds of hexsides, each with its `studio.rules.SideKind`: rivers look like rivers, walls like walls.
    areas : mapping, optional
        Types of areas, each with its `studio.rules.DrawnType`: those that are no locations, such as countries, are
        outlines with a light tint that leave the terrain below them to be seen.
    """
    looks: dict[str, Any] = {}
    taken: set[str] = set()
    counts = {"open": 0, "hinder": 0, "block": 0}
    for id_, terrain in terrains.items():
        donor = _borrowed(id_, taken)
        kind = _kind(str(getattr(terrain, "sight", "")))
        if donor is not None and getattr(terrain, "playable", True):
            looks[id_] = donor
        else:
            looks[id_] = _by_sight(kind, counts[kind])
            counts[kind] += 1
        looks[id_]["title"] = str(getattr(terrain, "name", "") or id_.replace("_", " ").capitalize())
        if not getattr(terrain, "playable", True):
            marks = [{**_MARKS["closed"], "colors": ["#a3a09b", "#aeaba6"]}]
            looks[id_].update(tint="#bdbab6", outlined=False, patch=None, marks=marks)
    for look in looks.values():
        look["joins"] = [other for other in look.get("joins", ()) if other in looks]
    first = next(iter(looks), "")
    ground = looks[first]["tint"] if first else _OPEN[0]
    return {
        "title": title,
        "ruleset": name,
        "ground": ground,
        "terrain": looks,
        "lines": {"sides": _hexsides(sides or {})},
        "areas": _outlined(areas or {}),
    }


def _hexsides(sides: Mapping[str, Any]) -> dict[str, Any]:
    """Return the looks of what runs on hexsides, by the words of its name; what no word is known for is left out."""
    import msgspec

    looks: dict[str, Any] = {}
    for id_, kind in sides.items():
        words = f"{id_} {getattr(kind, 'name', '')}".lower().replace(" ", "_")
        for known, game, like in _SIDES:
            if any(word in words for word in known):
                wide = like == "river" and any(word in words for word in _WIDE)
                looks[id_] = msgspec.to_builtins(load_style(game).lines.sides["all_water" if wide else like])
                break
    return looks


def _outlined(areas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the looks of areas that are no locations: a dashed outline, and a tint through which terrain is seen."""
    looks: dict[str, Any] = {}
    for id_, kind in areas.items():
        if getattr(kind, "location", False):
            continue
        color = _REGIONS[len(looks) % len(_REGIONS)]
        looks[id_] = {
            "fill": color,
            "opacity": 70,
            "edge": color,
            "width": 26,
            "dash": [90, 60],
            "rank": 0,
            "name": "text",
        }
    return looks


def _borrowed(id_: str, taken: set[str]) -> dict[str, Any] | None:
    """Return the look of a like terrain of another game, each at most once, so that no two look alike."""
    import msgspec

    for words, game, terrain in _WORDS:
        if terrain not in taken and any(word in id_ for word in words):
            taken.add(terrain)
            found: dict[str, Any] = msgspec.to_builtins(load_style(game).look(terrain))
            return found
    return None


def _kind(sight: str) -> str:
    if any(word in sight for word in ("block", "obstacle", "building", "wall")):
        return "block"
    return "hinder" if any(word in sight for word in ("hinder", "degrade", "half")) else "open"


def _by_sight(kind: str, position: int) -> dict[str, Any]:
    from studio.draw.style import toned

    palette = {"open": _OPEN, "hinder": _HINDER, "block": _BLOCK}[kind]
    turn, at = divmod(position, len(palette))
    tint = toned(palette[at].lower(), -90 * turn)
    if kind == "open":
        return {"tint": tint}
    deeper = [toned(tint, tone) for tone in ((-260, -340) if kind == "hinder" else (-140, 120, -260))]
    return {
        "tint": tint,
        "patch": {"inset": 40, "wobble": 24},
        "marks": [{**_MARKS[kind], "colors": deeper}],
    }
