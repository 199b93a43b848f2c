"""A game's look as data: palette, marks, line widths, letters and verdict colours.

One TOML file per ruleset in ``studio/draw/styles`` drives the editor's canvas and the matplotlib pictures alike. A
designer changes a look by one file of his own that names only what differs (`load_style` merges it over the game's).

Lengths are thousandths of a hex's height where the name says nothing else; sizes inside a glyph are thousandths of the
mark's size. Colours are ``#rrggbb``.
"""

import functools
import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec

from studio.errors import StudioError

__all__ = ["Style", "StyleError", "Terrain", "load_style", "mix", "style_ids", "toned"]

_FOLDER = Path(__file__).parent / "styles"

Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$", description="a colour as #rrggbb")]
Ink = Annotated[str, msgspec.Meta(pattern="^(mark|#[0-9a-fA-F]{6})$", description="#rrggbb, or the mark's own colour")]
Permille = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Length = Annotated[int, msgspec.Meta(ge=0, le=4000)]
Shift = Annotated[int, msgspec.Meta(ge=-2000, le=2000)]
Pixels = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Span = tuple[Length, Length]


class StyleError(StudioError, ValueError):
    """A style that cannot be used: unknown id, unreadable file or a value out of its bounds."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every part of a style: immutable, and a misspelt name is an error."""


class Zoom(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """From which height of a hex, in pixels, the detail appears."""

    marks: Pixels = 14
    full: Pixels = 28
    numbers: Pixels = 18


class Layer(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One stroke or fill of a glyph; all layers of one number are drawn before those of the next."""

    d: str
    fill: Ink | None = None
    stroke: Ink | None = None
    width: Length = 0
    tone: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0
    opacity: Permille = 1000
    shift: tuple[Shift, Shift] = (0, 0)
    from_px: Pixels = 0


class Patch(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The soft-edged ground of a terrain: it joins its like and draws back from other neighbours.

    A colour of its own may be calmer than the terrain's flat tint, for marks tell the terrains apart on it.
    """

    color: Colour | None = None
    inset: Permille = 60
    wobble: Permille = 25


class Scatter(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="recipe", tag="scatter"):
    """Glyphs strewn over the hex on a jittered lattice that continues into the neighbours."""

    slots: Annotated[int, msgspec.Meta(ge=1, le=127)]
    glyphs: list[str]
    colors: list[Colour]
    jitter: Length = 60
    keep: Permille = 1000
    size: Span = (100, 100)
    turn: tuple[int, int] = (0, 0)
    edge: Length = 0
    thin: Length = 0
    clear_road: Length = 0
    from_px: Pixels = 0


class Rows(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="recipe", tag="rows"):
    """Glyphs in rows and files, turned along the road where one passes."""

    pitch: tuple[Annotated[int, msgspec.Meta(ge=60)], Annotated[int, msgspec.Meta(ge=60)]]
    glyphs: list[str]
    colors: list[Colour]
    jitter: Length = 0
    keep: Permille = 1000
    size: Span = (100, 100)
    angle: int = 0
    swing: Annotated[int, msgspec.Meta(ge=0, le=90)] = 0
    quarter: bool = False
    edge: Length = 60
    seam: Length = 40
    clear_road: Length = 0
    from_px: Pixels = 0


class Fields(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="recipe", tag="fields"):
    """The hex parted into fields, each with rows of a crop."""

    colors: list[Colour]
    row_pitch: Annotated[int, msgspec.Meta(ge=20, le=500)] = 70
    row_width: Length = 16
    row_tone: int = -180
    from_px: Pixels = 0


class Stroke(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of the strokes that a channel is built of, widest first."""

    color: Colour
    width: Length
    opacity: Permille = 1000
    shift: tuple[Shift, Shift] = (0, 0)
    from_px: Pixels = 0


class Channel(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="recipe", tag="channel"):
    """A bed through the hexes of one kind: water with banks, or a dry bed with hachured banks."""

    strokes: list[Stroke]
    bend: Length = 90
    hachure: Length = 0
    hachure_color: Colour = "#000000"
    hachure_width: Length = 12
    hachure_pitch: Annotated[int, msgspec.Meta(ge=20)] = 80
    hachure_from: Length = 0
    from_px: Pixels = 0


Recipe = Scatter | Rows | Fields | Channel


class Terrain(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one terrain looks."""

    title: str
    tint: Colour
    joins: list[str] = []
    patch: Patch | None = None
    marks: list[Recipe] = []
    bridged: bool = False


class Levels(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tint per level, contour lines and the relief's light."""

    tints: dict[str, Colour]
    strength: Permille = 300
    contour: Colour
    contour_width: Length = 26
    inset: Length = 110
    light: Colour = "#ffffff"
    shade: Colour = "#000000"
    relief: Permille = 400


class Road(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A cased line."""

    casing: Colour
    fill: Colour
    casing_width: Length
    fill_width: Length
    dash: list[Length] = []
    centre: Colour | None = None
    centre_width: Length = 0
    centre_dash: list[Length] = []


class SideLine(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line on a hexside, with ticks of one of the known shapes."""

    color: Colour
    width: Length
    halo: Colour | None = None
    halo_width: Length = 0
    tick: str = "none"
    tick_size: Length = 0
    tick_pitch: Annotated[int, msgspec.Meta(ge=40)] = 200


class Crest(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The stair-step line of a crest."""

    light: Colour
    shade: Colour
    width: Length
    opacity: Permille = 700


class Bridge(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The deck and the wing walls that carry a road over water."""

    color: Colour
    deck: Colour
    width: Length
    length: Length


class Lines(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The hexes' outline, the frame and everything drawn along lines."""

    hex_color: Colour
    hex_opacity: Permille
    hex_width: Length
    frame_color: Colour
    frame_width: Length
    margin_color: Colour
    roads: dict[str, Road]
    sides: dict[str, SideLine]
    crest: Crest
    bridge: Bridge


class Letters(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Fonts, sizes and places of what is written."""

    fonts: list[str]
    ink: Colour
    halo: Colour
    number_size: Length
    number_place: Shift
    number_opacity: Permille
    name_size: Length
    name_halo: Length
    name_fonts: list[str]
    name_ink: Colour


class Verdict(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one verdict or effect is shown: colour, and a second sign for readers without colour."""

    color: Colour
    line: str
    sign: str


class Style(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
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
    blind: Colour

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
    path = _FOLDER / f"{ruleset_id}.toml"
    if ruleset_id not in style_ids():
        raise StyleError(f"no style {ruleset_id!r}; there are {', '.join(style_ids())}. A style is one TOML file.")
    if override is None:
        return _shipped(ruleset_id)
    return _convert(_merge(_read(path), _read(Path(override))), str(override))


@functools.lru_cache(maxsize=16)
def _shipped(ruleset_id: str) -> Style:
    path = _FOLDER / f"{ruleset_id}.toml"
    return _convert(_read(path), path.name)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StyleError(f"style file {path}: cannot be read ({error.strerror}); give the path of a TOML file") from error
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
        raise StyleError(f"style {name}: {error}") from error
    faults = _faults(style)
    if faults:
        raise StyleError(f"style {name}: " + "; ".join(faults))
    return style


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
