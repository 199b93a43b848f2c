"""Maps and scenarios as people use them in a notebook: one object each that draws, answers, checks and saves."""

from studio.api.bundle import export_bundle, open_bundle
from studio.api.compare import Comparison, compare_rulesets
from studio.api.document import RecoveredWarning
from studio.api.geography import GeographyImport, import_geography
from studio.api.geographywhy import GeographyRecord, geography_record
from studio.api.importing import import_file
from studio.api.joining import JoinWarning, join_maps, turn_map
from studio.api.map import Map, new_map, open_map
from studio.api.scenario import Scenario, new_scenario, open_scenario
from studio.api.sizing import Resized, ResizeWarning
from studio.api.starting import Launcher, launcher
from studio.api.unsavedwork import UnsavedWork, recover_map, recover_scenario, unsaved

__all__ = [
    "Comparison",
    "GeographyImport",
    "GeographyRecord",
    "JoinWarning",
    "Launcher",
    "Map",
    "RecoveredWarning",
    "ResizeWarning",
    "Resized",
    "Scenario",
    "UnsavedWork",
    "compare_rulesets",
    "export_bundle",
    "geography_record",
    "import_file",
    "import_geography",
    "join_maps",
    "launcher",
    "new_map",
    "new_scenario",
    "open_bundle",
    "open_map",
    "open_scenario",
    "recover_map",
    "recover_scenario",
    "turn_map",
    "unsaved",
]
