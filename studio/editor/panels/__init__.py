"""Panels beside the map: each says in plain data what it shows, and does what somebody presses or types in it."""

from studio.editor.panels.backdrop import BackdropPanel
from studio.editor.panels.findings import FindingsPanel
from studio.editor.panels.forces import ForcesPanel
from studio.editor.panels.history import HistoryPanel
from studio.editor.panels.inspect import InspectPanel
from studio.editor.panels.joining import JoinPanel
from studio.editor.panels.looks import LooksPanel
from studio.editor.panels.objectives import ObjectivesPanel
from studio.editor.panels.panel import Panel
from studio.editor.panels.records import ChancePanel, EventsPanel, SpecialPanel
from studio.editor.panels.setting import NotesPanel, SettingPanel
from studio.editor.panels.sight import SightPanel
from studio.editor.panels.size import SizePanel
from studio.editor.panels.supply import SupplyPanel
from studio.editor.panels.turns import TurnsPanel
from studio.editor.panels.unit import UnitPanel
from studio.editor.panels.ways import WaysPanel
from studio.editor.panels.where import WherePanel

__all__ = [
    "PANELS",
    "SCENARIO_PANELS",
    "BackdropPanel",
    "ChancePanel",
    "EventsPanel",
    "FindingsPanel",
    "ForcesPanel",
    "HistoryPanel",
    "InspectPanel",
    "JoinPanel",
    "LooksPanel",
    "NotesPanel",
    "ObjectivesPanel",
    "Panel",
    "SettingPanel",
    "SightPanel",
    "SizePanel",
    "SpecialPanel",
    "SupplyPanel",
    "TurnsPanel",
    "UnitPanel",
    "WaysPanel",
    "WherePanel",
]

PANELS: tuple[type[Panel], ...] = (
    InspectPanel,
    SightPanel,
    WaysPanel,
    SupplyPanel,
    FindingsPanel,
    BackdropPanel,
    SizePanel,
    JoinPanel,
    HistoryPanel,
    WherePanel,
    LooksPanel,
)
"""All panels in the order in which they stand; an editor has those that fit its document."""

SCENARIO_PANELS: tuple[type[Panel], ...] = (
    UnitPanel,
    ForcesPanel,
    TurnsPanel,
    ObjectivesPanel,
    EventsPanel,
    ChancePanel,
    SpecialPanel,
    NotesPanel,
    SettingPanel,
    SightPanel,
    WaysPanel,
    SupplyPanel,
    FindingsPanel,
    HistoryPanel,
    WherePanel,
    LooksPanel,
)
"""Those of an editor of a scenario."""
