"""Makes a module and a saved game of a map or a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from studio.errors import UnsupportedError
from studio.exchange.content import Content, Pictures
from studio.exchange.vassal import VassalOptions
from studio.exchange.vassal.archive import Images, data_xml, module_bytes, save_bytes
from studio.exchange.vassal.boards import Board
from studio.exchange.vassal.build import Dice, Module, Page, build_xml
from studio.exchange.vassal.kit import Kit, Stack
from studio.exchange.vassal.pieces import clean
from studio.exchange.vassal.planning import hex_pixels, plan_boards
from studio.exchange.vassal.save import save_commands
from studio.exchange.vassal.track import lay_track, turn_names
from studio.model import ScenarioDocument
from studio.model.wording import credit_sentences

__all__ = ["Made", "make"]

_COUNTER = 0.68
"""Width of a counter, in hex heights."""

_DICE: dict[str, tuple[Dice, ...]] = {
    "armageddon_war": ((1, 6), (2, 6)),
    "ignorant_armies": ((1, 6), (2, 6)),
    "modern_tactics": ((1, 6), (2, 6), (3, 6)),
    "phantom_fury": ((1, 10),),
    "urban_operations": ((1, 10),),
}
_ANY_DICE: tuple[Dice, ...] = ((1, 6), (2, 6), (1, 10))

_LOST = (
    "VASSAL knows no rules: terrain, lines of sight, movement, supply and victory are not judged, only drawn and told.",
)
_LOST_OF_SCENARIO = (
    "Events, support, random tables and markers drawn from a cup are told on the page Scenario, for the players.",
)


class Made(NamedTuple):
    """Files with their suffixes, and what they cannot say."""

    files: tuple[tuple[str, bytes], ...]
    notes: tuple[str, ...]


def make(content: Content, options: VassalOptions, pictures: Pictures, *, only_save: bool = False) -> Made:
    """Make the module of a map or a scenario, and its saved game.

    Parameters
    ----------
    content : Content
    options : VassalOptions
    pictures : Pictures
    only_save : bool
        The saved game without its module.

    Raises
    ------
    UnsupportedError
        When the board would be too large, or a saved game is wanted without a scenario.
    """
    if only_save and content.scenario is None:
        msg = f"{content.title}: a saved game needs a scenario; write the map as NAME.vmod"
        raise UnsupportedError(msg)
    hex_px = hex_pixels(content.model.grid, options.hex_px)
    images = Images()
    boards, notes = plan_boards(content, pictures, hex_px, regions=options.regions)
    kit = Kit(content, pictures, images, round(_COUNTER * hex_px))
    palettes = kit.palettes()
    stacks: list[Stack] = []
    if content.scenario is not None:
        stacks, unknown = _on_map(kit, boards, content)
        notes += [f"{name}: its place {at!r} is none on this map; it waits beside it." for name, at in unknown.items()]
        track, waiting = lay_track(content.scenario, kit, pictures, set(unknown))
        boards, stacks = [*boards, track], stacks + waiting
    module = Module(
        content.title,
        f"{content.title}, {content.ruleset.title}; made with Wargame Studio",
        [(board, images.add(f"board {board.name}", board.picture.png)) for board in boards],
        palettes,
        stacks,
        [force.name for force in kit.forces if not force.played_by],
        turn_names(content.scenario) if content.scenario is not None else [],
        _dice(content.ruleset.id),
        [] if only_save else _pages(content, pictures),
        kit.last,
        kit.px,
    )
    data = data_xml(clean(module.title), clean(module.description))
    files = []
    if not only_save:
        # The engine reads pages of its help as Latin letters: all others are written as their numbers.
        pages = [(page.file, page.html.encode("ascii", "xmlcharrefreplace")) for page in module.pages]
        files.append((".vmod", module_bytes(build_xml(module), data, images, pages)))
    if content.scenario is not None and (options.save or only_save):
        files.append((".vsav", save_bytes(save_commands(boards, stacks), data)))
    return Made(tuple(files), (*notes, *kit.notes, *_lost(content.scenario)))


def _pages(content: Content, pictures: Pictures) -> list[Page]:
    """Return the texts of a module: what the scenario says, and whose work the module rests on."""
    pages = []
    if content.scenario is not None:
        pages.append(Page("Scenario", "scenario.html", pictures.page(), charted=True))
    credits = credit_sentences(content.model, content.scenario)
    if credits:
        items = "".join(f"<li>{escape(one)}</li>" for one in credits)
        head = f"<html><head><title>Sources</title></head><body><h1>Sources of {escape(content.title)}</h1>"
        pages.append(Page("Sources", "sources.html", f"{head}<ul>{items}</ul></body></html>\n"))
    return pages


def _dice(ruleset: str) -> tuple[Dice, ...]:
    return _DICE.get(ruleset, _ANY_DICE)


def _on_map(kit: Kit, boards: Sequence[Board], content: Content) -> tuple[list[Stack], dict[str, str]]:
    """Return the stacks on the map, and the units whose place is none, with that place."""
    directory, labels = content.survey.directory, content.model.labels
    found: dict[int, Stack] = {}
    unknown: dict[str, str] = {}
    for group in kit.groups:
        unit = group[0][2]
        if not unit.at:
            continue
        number = directory.find(unit.at)
        number = labels.find(unit.at) if number is None else number
        board = next((one for one in boards if number in one.spots), None)
        if number is None or board is None:
            unknown[unit.id] = unit.at
            continue
        before = found.get(number, Stack(board.name, clean(unit.at), *board.spots[number], ()))
        found[number] = before._replace(slots=before.slots + kit.slots_of(group))
    return list(found.values()), unknown


def _lost(scenario: ScenarioDocument | None) -> tuple[str, ...]:
    if scenario is None:
        return _LOST
    told = scenario.events or scenario.support or scenario.tables or scenario.cup or scenario.pools
    return _LOST + (_LOST_OF_SCENARIO if told else ())
