"""A game's look as data: palette, marks, line widths, letters and verdict colours.

One TOML file per ruleset in ``studio/draw/styles`` drives the editor's canvas and the matplotlib pictures alike. A
designer changes a look by one file of his own that names only what differs (`load_style` merges it over the game's).

Lengths are thousandths of a hex's height where the name says nothing else; sizes inside a glyph are thousandths of the
mark's size. Colours are ``#rrggbb``.
"""

import functools
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from studio.draw.parts import (
    Channel,
    Colour,
    Layer,
    Letters,
    Levels,
    Lines,
    Road,
    Rows,
    Scatter,
    SideLine,
    Terrain,
    Verdict,
    Zoom,
)
from studio.draw.shapes import (
    ApertureLook,
    AreaLook,
    CloudLook,
    DotLook,
    LinkLook,
    PlaceLook,
    SharedEdge,
    Triangles,
    WallLook,
)
from studio.errors import StudioError

__all__ = ["Style", "StyleError", "Terrain", "load_style", "make_style", "mix", "style_ids", "toned"]

_FOLDER = Path(__file__).parent / "styles"
_BASE = Path(__file__).parent / "base.toml"

_SPARE = ("#d7c3a5", "#b7c4a1", "#c9b3c4", "#a9bfc9", "#d8b38f", "#c4cf9d", "#bfae8e", "#a8b7a0")
"""Tints for terrains that a style does not know; the canvas has the same."""


class StyleError(StudioError, ValueError):
    """A style that cannot be used: unknown id, unreadable file or a value out of its bounds."""


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game's look, validated; see the module's notes for the units."""

    title: str
    ruleset: str
    ground: Colour
    zoom: Zoom
    levels: Levels
    lines: Lines
    letters: Letters
    terrain: dict[str, Terrain]
    glyphs: dict[str, list[Layer]]
    markers: dict[str, str]
    verdicts: dict[str, Verdict]
    effects: dict[str, Verdict]
    blind: Colour
    areas: dict[str, AreaLook]
    walls: dict[str, WallLook]
    apertures: dict[str, ApertureLook]
    places: dict[str, PlaceLook]
    links: dict[str, LinkLook]
    clouds: dict[str, CloudLook] = msgspec.field(default_factory=dict)
    borders: dict[str, SharedEdge] = msgspec.field(default_factory=dict)
    dots: DotLook = DotLook()
    triangles: Triangles = Triangles()

    def look(self, terrain: str) -> Terrain:
        """Return how a terrain looks.

        Raises
        ------
        StyleError
            When the style has no such terrain.
        """
        try:
            return self.terrain[terrain]
        except KeyError:
            raise StyleError(
                f"style {self.ruleset!r}: no look for terrain {terrain!r}; it has {', '.join(sorted(self.terrain))}. "
                f"Give one in a style file of your own: [terrain.{terrain}] with title and tint, "
                "and pass it as override."
            ) from None

    def tint(self, terrain: str, level: int = 0) -> str:
        """Return the flat colour of a hex: its terrain's tint under its level's, as ``#rrggbb``."""
        return self.tinted(self.look(terrain).tint, level)

    def tinted(self, color: str, level: int) -> str:
        """Return `color` under the tint of a level; levels beyond the style's take the last one."""
        if level == 0:
            return color
        known = [int(text) for text in self.levels.tints if (int(text) > 0) == (level > 0)]
        if not known:
            return color
        near = min(known, key=lambda n: abs(n - level))
        return mix(color, self.levels.tints[str(near)], self.levels.strength)

    def with_terrains(self, terrains: Iterable[str]) -> "Style":
        """Return this style, with a plain look for each terrain it does not know, so that every ruleset draws."""
        plain = {}
        for name in terrains:
            if name not in self.terrain:
                spare = _SPARE[sum(map(ord, name)) % len(_SPARE)]
                plain[name] = Terrain(title=name.replace("_", " ").capitalize(), tint=spare)
        return msgspec.structs.replace(self, terrain={**self.terrain, **plain}) if plain else self

    def to_dict(self) -> dict[str, Any]:
        """Return the style as plain JSON data, with the lattices of its scatter recipes, for the canvas."""
        from studio.draw.marks import lattice

        data: dict[str, Any] = msgspec.to_builtins(self)
        counts = {m.slots for look in self.terrain.values() for m in look.marks if isinstance(m, Scatter)}
        data["slots"] = {str(n): [list(xy) for xy in lattice(n)] for n in sorted(counts)}
        # What the canvas draws itself, in the units it likes: hex heights and CSS colours.
        lines, letters = self.lines, self.letters
        data["grid"] = {"width": lines.hex_width / 1000, "color": _css(lines.hex_color, lines.hex_opacity)}
        data["labels"] = {"color": _css(letters.ink, letters.number_opacity), "halo": _css(letters.halo, 800)}
        return data


@functools.lru_cache(maxsize=4096)
def mix(a: str, b: str, share: int) -> str:
    """Mix `share` thousandths of colour `b` into colour `a`, per sRGB channel, rounded down.

    Examples
    --------
    >>> mix("#000000", "#ffffff", 500)
    '#7f7f7f'
    """
    one = [int(a[i : i + 2], 16) for i in (1, 3, 5)]
    two = [int(b[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{(p * (1000 - share) + q * share) // 1000:02x}" for p, q in zip(one, two, strict=True))


@functools.lru_cache(maxsize=4096)
def toned(color: str, tone: int) -> str:
    """Darken (below 0) or lighten a colour by thousandths."""
    return mix(color, "#000000" if tone < 0 else "#ffffff", abs(tone))


def _css(color: str, opacity: int) -> str:
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity / 1000})"


def style_ids() -> list[str]:
    """Return the rulesets that have a style, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_style(ruleset_id: str, override: str | Path | None = None) -> Style:
    """Load the look of a game.

    Parameters
    ----------
    ruleset_id : str
        For example ``"armageddon_war"``.
    override : path, optional
        A TOML file of the designer's own. What it names replaces the game's value; tables merge, lists do not.

    Raises
    ------
    StyleError
        When there is no style for the ruleset, or a file does not hold a valid style.
    """
    if ruleset_id not in style_ids():
        from studio.draw.plain import style_for
        from studio.rules import ruleset_ids

        if ruleset_id in ruleset_ids():
            return style_for(ruleset_id, override=override)
        raise StyleError(f"no style {ruleset_id!r}; there are {', '.join(style_ids())}. A style is one TOML file.")
    if override is None:
        return _shipped(ruleset_id)
    return make_style(_read(_FOLDER / f"{ruleset_id}.toml"), override)


@functools.lru_cache(maxsize=16)
def _shipped(ruleset_id: str) -> Style:
    path = _FOLDER / f"{ruleset_id}.toml"
    return make_style(_read(path), name=path.name)


def make_style(data: dict[str, Any], override: str | Path | None = None, *, name: str = "") -> Style:
    """Make a style of what differs from the base of all looks, and of a designer's file over it.

    Raises
    ------
    StyleError
        When the result is no valid style; `name`, or the path of the file, says which.
    """
    whole = _merge(_read(_BASE), data)
    if override is not None:
        whole = _merge(whole, _read(Path(override)))
    return _convert(whole, name or str(override or data.get("ruleset", "")))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StyleError(
            f"style file {path}: cannot be read ({error.strerror}); give the path of a TOML file"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise StyleError(f"style file {path}: not valid TOML: {error}") from error


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _convert(data: dict[str, Any], name: str) -> Style:
    try:
        style = msgspec.convert(data, Style)
    except msgspec.ValidationError as error:
        faults = _entry_faults(data) or [_told(error, "", data)]
        raise StyleError(f"style {name}: " + "; ".join(faults)) from error
    faults = _faults(style)
    if faults:
        raise StyleError(f"style {name}: " + "; ".join(faults))
    return style


def _entry_faults(data: dict[str, Any]) -> list[str]:
    """Return the faults of the tables whose entries have names of their own, which a path of msgspec leaves out."""
    lines = data.get("lines")
    lines = lines if isinstance(lines, dict) else {}
    tables: tuple[tuple[str, Any, Any], ...] = (
        ("terrain", data.get("terrain"), Terrain),
        ("glyphs", data.get("glyphs"), list[Layer]),
        ("verdicts", data.get("verdicts"), Verdict),
        ("effects", data.get("effects"), Verdict),
        ("lines.roads", lines.get("roads"), Road),
        ("lines.sides", lines.get("sides"), SideLine),
        ("areas", data.get("areas"), AreaLook),
        ("walls", data.get("walls"), WallLook),
        ("apertures", data.get("apertures"), ApertureLook),
        ("places", data.get("places"), PlaceLook),
        ("links", data.get("links"), LinkLook),
        ("clouds", data.get("clouds"), CloudLook),
        ("borders", data.get("borders"), SharedEdge),
    )
    faults = []
    for place, table, kind in tables:
        for key, value in table.items() if isinstance(table, dict) else ():
            try:
                msgspec.convert(value, kind)
            except msgspec.ValidationError as error:
                faults.append(_told(error, f"{place}.{key}", value))
    return faults


def _told(error: msgspec.ValidationError, place: str, data: Any) -> str:
    """Return a fault of msgspec with its place in the file and what was got there."""
    text, _, path = str(error).partition(" - at `$")
    got = data
    for name, index in re.findall(r"\.([A-Za-z_0-9]+)|\[(\d+)\]", path):
        try:
            got = got[name or int(index)]
        except (KeyError, IndexError, TypeError):
            got = None
            break
    shown = "" if got is None or isinstance(got, dict | list) else f", got {got!r}"
    return f"{(place + path.rstrip('`')).lstrip('.') or 'the file'}: {text}{shown}"


def _faults(style: Style) -> list[str]:
    """Return what the types cannot say: references to nothing, glyphs that cannot be drawn, all at once."""
    from studio.draw.glyphs import parse_path
    from studio.draw.marks import lattice

    faults = []
    for id_, look in style.terrain.items():
        place = f"terrain.{id_}"
        faults += [f"{place}.joins: no terrain {j!r}" for j in look.joins if j not in style.terrain]
        for i, recipe in enumerate(look.marks):
            names = recipe.glyphs if isinstance(recipe, Scatter | Rows) else []
            faults += [f"{place}.marks[{i}].glyphs: no glyph {g!r}" for g in names if g not in style.glyphs]
            if not isinstance(recipe, Channel) and not recipe.colors:
                faults.append(f"{place}.marks[{i}].colors: at least one colour is needed")
            if isinstance(recipe, Scatter):
                try:
                    lattice(recipe.slots)
                except ValueError as error:
                    faults.append(f"{place}.marks[{i}].slots: {error}")
    faults += [
        f"links.{name}.glyph: no glyph {link.glyph!r}"
        for name, link in style.links.items()
        if link.glyph not in ("", *style.glyphs)
    ]
    faults += [
        f"{table}.{name}.tags.{tag}.glyph: no glyph {sign.glyph!r}"
        for table, looks in (("areas", style.areas), ("places", style.places))
        for name, one in looks.items()
        for tag, sign in one.tags.items()
        if sign.glyph not in style.glyphs
    ]
    faults += [f"markers.{m}: no glyph {g!r}" for m, g in style.markers.items() if g not in style.glyphs]
    for name, layers in style.glyphs.items():
        for i, layer in enumerate(layers):
            try:
                parse_path(layer.d)
            except ValueError as error:
                faults.append(f"glyphs.{name}[{i}].d: {error}")
    faults += [
        f"levels.tints: {text!r} is no whole number"
        for text in style.levels.tints
        if not text.removeprefix("-").isdigit()
    ]
    return faults
