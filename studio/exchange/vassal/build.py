"""The ``buildFile.xml`` of a module: every part of it as the element that the engine makes it of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as Xml

from studio.exchange.vassal.archive import VASSAL, VERSION
from studio.exchange.vassal.boards import Board, Region, Zone
from studio.exchange.vassal.kit import Palette, Slot, Stack, stack_shift
from studio.exchange.vassal.numbering import HexNumbers
from studio.exchange.vassal.pieces import clean

__all__ = ["Module", "Page", "build_xml"]

_MODULE, _MAP = "VASSAL.build.module.", "VASSAL.build.module.map."
_GRID = "VASSAL.build.module.map.boardPicker.board."
_WIDGET = "VASSAL.build.widget."

_WIDE = 2000  # pixels of a board that is shown smaller at first

Dice = tuple[int, int]
"""How many dice, and of how many sides."""


class Page(NamedTuple):
    """A text in a module, in the menu of its help.

    Attributes
    ----------
    title, file, html : str
    charted : bool
        In the window of charts too.
    """

    title: str
    file: str
    html: str
    charted: bool = False


class Module(NamedTuple):
    """What a module is made of.

    Attributes
    ----------
    title, description : str
    boards : sequence of (Board, file of its picture)
        The first one is the main window.
    palettes, stacks
    sides : sequence of str
    turns : sequence of str
    dice : sequence of (count, sides)
    pages : sequence of Page
    last_piece : int
        Highest number of a piece.
    piece_px : int
    """

    title: str
    description: str
    boards: Sequence[tuple[Board, str]]
    palettes: Sequence[Palette]
    stacks: Sequence[Stack]
    sides: Sequence[str]
    turns: Sequence[str]
    dice: Sequence[Dice]
    pages: Sequence[Page]
    last_piece: int
    piece_px: int


def build_xml(module: Module) -> bytes:
    """Return the build file of a module."""
    root = Xml.Element(
        "VASSAL.build.GameModule",
        {
            "ModuleOther1": "",
            "ModuleOther2": "",
            "VassalVersion": VASSAL,
            "description": clean(module.description),
            "name": clean(module.title),
            "nextPieceSlotId": str(module.last_piece + 1),
            "version": VERSION,
        },
    )
    _add(root, _MODULE + "BasicCommandEncoder")
    _documentation(root, module)
    _roster(root, module.sides)
    _add(root, _MODULE + "GlobalOptions", autoReport="Use Preferences Setting", nonOwnerUnmaskable="Never")
    _palettes(root, module)
    for number, (board, image) in enumerate(module.boards):
        _window(root, board, image, [one for one in module.stacks if one.board == board.name], number, module.piece_px)
    for count, sides in module.dice:
        _dice(root, count, sides)
    if module.turns:
        _turns(root, module.turns)
    _add(root, _MODULE + "NotesWindow", buttonText="Notes", hotkey="", icon="", tooltip="Notes of the players")
    Xml.indent(root)
    return (
        b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
        + bytes(Xml.tostring(root, encoding="utf-8"))
        + b"\n"
    )


def _add(parent: Xml.Element, tag: str, text: str | None = None, /, **attributes: str) -> Xml.Element:
    made = Xml.SubElement(parent, tag, dict(sorted(attributes.items())))
    made.text = text
    return made


def _documentation(root: Xml.Element, module: Module) -> None:
    parent = _add(root, _MODULE + "Documentation")
    for page in module.pages:
        named = {"fileName": page.file, "fileType": "archive", "image": "", "title": page.title}
        _add(parent, _MODULE + "documentation.HelpFile", **named)
    charted = [page for page in module.pages if page.charted]
    if charted:
        charts = _add(
            root, _MODULE + "ChartWindow", hotkey="", icon="", name="Scenario", text="Scenario", tooltip="Scenario"
        )
        tabs = _add(charts, _WIDGET + "TabWidget", entryName="")
        for page in charted:
            _add(tabs, _WIDGET + "HtmlChart", chartName=page.title, description="", fileName=page.file)


def _roster(root: Xml.Element, sides: Iterable[str]) -> None:
    attributes = {"buttonKeyStroke": "", "buttonText": "Side", "buttonToolTip": "Change sides"}
    parent = _add(root, _MODULE + "PlayerRoster", **attributes)
    for side in sides:
        _add(parent, "entry", clean(side))


def _palettes(root: Xml.Element, module: Module) -> None:
    if not module.palettes:
        return
    window = _add(
        root,
        _MODULE + "PieceWindow",
        defaultWidth="320",
        hidden="false",
        hotkey="",
        icon="",
        name="Counters",
        scale="1.0",
        text="Counters",
        tooltip="Counters to take from",
    )
    tabs = _add(window, _WIDGET + "TabWidget", entryName="Counters")
    for palette in module.palettes:
        panel = _add(
            tabs,
            _WIDGET + "PanelWidget",
            entryName=clean(palette.name),
            fixed="true",
            nColumns="4",
            scale="1.0",
            vert="false",
        )
        for slot in palette.slots:
            _slot(panel, slot, module.piece_px)


def _slot(parent: Xml.Element, slot: Slot, px: int) -> None:
    size = str(px)
    attributes = {"entryName": slot.piece.name, "gpid": str(slot.gpid), "height": size, "width": size}
    _add(parent, _WIDGET + "PieceSlot", slot.piece.text(slot.gpid), **attributes)


# -- windows and boards ----------------------------------------------------------------------------------------------


def _window(root: Xml.Element, board: Board, image: str, stacks: Sequence[Stack], number: int, px: int) -> None:
    """Add the window of a board with what lies on it."""
    window = _add(
        root,
        _MODULE + "Map",
        allowMultiple="false",
        backgroundcolor="120,116,108",
        buttonName=board.name if number else "",
        color="0,0,0",
        edgeHeight="0",
        edgeWidth="0",
        hotkey="",
        launch="true" if number else "false",
        mapName=board.name,
        markMoved="Never",
        moveKey="",
        moveToFormat="$pieceName$ moves $previousLocation$ -> $location$ *",
        moveWithinFormat="$pieceName$ moves $previousLocation$ -> $location$ *",
        thickness="3",
    )
    picker = _add(
        window,
        _MAP + "BoardPicker",
        addColumnText="Add column",
        addRowText="Add row",
        boardPrompt="Select board",
        slotHeight="125",
        slotScale="0.2",
        slotWidth="350",
        title="Choose boards",
    )
    # A fixed set-up: nobody is asked for boards.
    _add(picker, "setup", "\t".join([f"{board.name}BoardPicker", board.name, "0", "0"]))
    _board(picker, board, image)
    for name in ("ForwardToKeyBuffer", "Scroller", "ForwardToChatter", "MenuDisplayer", "MapCenterer", "StackExpander"):
        _add(window, _MAP + name)
    _add(window, _MAP + "PieceMover")
    for name in ("KeyBufferer", "ImageSaver"):
        _add(window, _MAP + name)
    _add(window, _MAP + "SelectionHighlighters")
    _add(window, _MAP + "HighlightLastMoved", color="255,0,0", enabled="true", thickness="2")
    shift = str(stack_shift(px))
    _add(
        window, _MAP + "StackMetrics", disabled="false", exSepX="8", exSepY=str(px // 2), unexSepX=shift, unexSepY=shift
    )
    _add(
        window,
        _MAP + "CounterDetailViewer",
        delay="500",
        display="from top-most layer only",
        minDisplayPieces="2",
        showgraph="true",
        showtext="true",
        summaryReportFormat="$LocationName$",
        version="3",
    )
    zoom = "3" if number or board.picture.width <= _WIDE else "4"  # counted from the largest: 1.0 or 0.7
    _add(window, _MAP + "Zoomer", zoomLevels="0.25,0.35,0.5,0.7,1.0,1.4,2.0", zoomStart=zoom)
    if not number:
        _add(
            window,
            _MAP + "GlobalMap",
            buttonText="Overview",
            color="255,0,0",
            hotkey="",
            scale="0.15",
            tooltip="Overview",
        )
        _add(
            window, _MAP + "LOS_Thread", label="Thread", hotkey="", iconName="", threadColor="255,0,0", tooltip="Thread"
        )
    for stack in stacks:
        _stack(window, stack, board, px)


def _stack(window: Xml.Element, stack: Stack, board: Board, px: int) -> None:
    made = _add(
        window,
        _MAP + "SetupStack",
        name=stack.name,
        owningBoard=board.name,
        useGridLocation="false",
        x=str(stack.x),
        y=str(stack.y),
    )
    for slot in stack.slots:
        _slot(made, slot, px)


def _board(picker: Xml.Element, board: Board, image: str) -> None:
    width, height = str(board.picture.width), str(board.picture.height)
    made = _add(
        picker, _MAP + "boardPicker.Board", height=height, image=image, name=board.name, reversible="false", width=width
    )
    if not board.zones:
        _grid(made, board.numbers, board.regions)
        return
    zoned = _add(made, _GRID + "ZonedGrid")
    for zone in board.zones:
        _zone(zoned, zone)
    _grid(zoned, board.numbers, board.regions)


def _zone(parent: Xml.Element, zone: Zone) -> None:
    grid = zone.numbers is not None or bool(zone.regions)
    made = _add(
        parent,
        _GRID + "mapgrid.Zone",
        highlightProperty="",
        locationFormat=f"{zone.prefix}$gridLocation$" if grid else "$name$",
        name=clean(zone.name),
        path=";".join(f"{x},{y}" for x, y in zone.path),
        useHighlight="false",
        useParentGrid="false",
    )
    _grid(made, zone.numbers, zone.regions)


def _grid(parent: Xml.Element, numbers: HexNumbers | None, regions: Sequence[Region]) -> None:
    if numbers is not None:
        _hexes(parent, numbers)
    elif regions:
        grid = _add(parent, _GRID + "RegionGrid", fontsize="9", snapto="true", visible="false")
        for one in regions:
            _add(grid, _GRID + "Region", name=clean(one.name), originx=str(one.x), originy=str(one.y))


def _hexes(parent: Xml.Element, numbers: HexNumbers) -> None:
    grid = _add(
        parent,
        _GRID + "HexGrid",
        color="0,0,0",
        cornersLegal="false",
        dotsVisible="false",
        dx=repr(float(numbers.dx)),
        dy=repr(float(numbers.dy)),
        edgesLegal="false",
        sideways=_word(numbers.sideways),
        snapTo="true",
        visible="false",
        x0=str(numbers.x0),
        y0=str(numbers.y0),
    )
    down = [numbers.across.descending, numbers.along.descending]
    if numbers.sideways:
        down.reverse()
    _add(
        grid,
        _GRID + "mapgrid.HexGridNumbering",
        color="0,0,0",
        first="H" if numbers.across_first else "V",
        fontSize="9",
        hDescend=_word(down[0]),
        hDrawOff="0",
        hLeading=str(numbers.across.leading),
        hOff=str(numbers.across.offset),
        hType=numbers.across.style,
        locationFormat="$gridLocation$",
        rotateText="0",
        sep=numbers.separator,
        stagger=_word(numbers.stagger),
        vDescend=_word(down[1]),
        vDrawOff="0",
        vLeading=str(numbers.along.leading),
        vOff=str(numbers.along.offset),
        vType=numbers.along.style,
        visible="false",
    )


def _word(value: bool) -> str:
    return "true" if value else "false"


# -- dice and turns --------------------------------------------------------------------------------------------------


def _dice(root: Xml.Element, count: int, sides: int) -> None:
    name = f"{count}D{sides}"
    _add(
        root,
        _MODULE + "DiceButton",
        addToTotal="0",
        hotkey="",
        icon="",
        nDice=str(count),
        nSides=str(sides),
        name=name,
        plus="0",
        prompt="false",
        reportFormat=f"** {name} = $result$ *** <$PlayerName$>",
        reportTotal="false" if count == 1 else "true",
        text=name,
        tooltip=f"Roll {name}",
    )


def _turns(root: Xml.Element, turns: Sequence[str]) -> None:
    tracker = _add(
        root,
        _MODULE + "turn.TurnTracker",
        buttonText="Turn",
        hotkey="",
        icon="",
        length="0",
        lengthStyle="Maximum",
        name="Turn",
        nexthotkey="",
        prevhotkey="",
        reportFormat="Turn updated from $oldTurn$ to $newTurn$",
        tooltip="Turn",
        turnFormat="$level1$",
    )
    _add(
        tracker,
        _MODULE + "turn.ListTurnLevel",
        configFirst="false",
        configList="false",
        list=",".join(turn.replace(",", "\\,") for turn in turns),
        name="Turn",
        prompt="Turns in use",
        property="turn",
        turnFormat="$value$",
    )
