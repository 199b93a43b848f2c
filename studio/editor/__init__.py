"""The editor: a map, drawn in a notebook cell by pointer and keys; Python holds the truth, the browser a copy."""

from studio.editor.protocol import EditableMap
from studio.editor.scenario_editor import ScenarioEditor
from studio.editor.widget import MapEditor

__all__ = ["EditableMap", "MapEditor", "ScenarioEditor"]
