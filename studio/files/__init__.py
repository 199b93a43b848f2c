"""Documents, schemas, the journal and the bundle: everything that the studio reads from and writes to its own files."""

from studio.files.canonical import write_map_text, write_scenario_text
from studio.files.decode import MAX_BYTES, MissingFileError
from studio.files.journal import Journal
from studio.files.migrations import MIGRATIONS
from studio.files.reading import Loaded, load_map, load_scenario, read_map, read_scenario
from studio.files.recovery import Recovery, RecoveryError, recover, recoveries, unsaved
from studio.files.store import SaveError, Stamp, check_target, save_document, write_atomic

__all__ = [
    "MAX_BYTES",
    "MIGRATIONS",
    "Journal",
    "Loaded",
    "MissingFileError",
    "Recovery",
    "RecoveryError",
    "SaveError",
    "Stamp",
    "check_target",
    "load_map",
    "load_scenario",
    "read_map",
    "read_scenario",
    "recover",
    "recoveries",
    "save_document",
    "unsaved",
    "write_atomic",
    "write_map_text",
    "write_scenario_text",
]
