"""Lines and fields of sight for the browser: what is asked, under which ruling, and where on the map answers lie."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from studio.draw.picture import style_of
from studio.draw.profile import side_view
from studio.draw.sites import Sites, sites_of
from studio.draw.trail import Trail
from studio.editor.protocol import shown_path
from studio.errors import StudioError
from studio.model import Aperture
from studio.sight import Conditions, Sighting

if TYPE_CHECKING:
    from studio.draw.style import Style
    from studio.editor.protocol import Buffer, EditableMap
    from studio.editor.widget import MapEditor
    from studio.rules import Ruleset

__all__ = ["HANDLERS", "Inquiry", "Rival", "inquiry_of", "sight_message"]

_FLAGS = ("from_air", "to_air", "from_kind", "to_kind")
"""Conditions that the command line knows by a word of one kind."""

LABELS = ("smoke", "vehicles", "opened")
"""Conditions that name several places; of the first two the numbers are asked for, of the last the ids of breaches."""


class Rival(msgspec.Struct, frozen=True, kw_only=True):
    """The ruling that answers are compared with.

    Parameters
    ----------
    ruleset : Ruleset
    options : dict
        Readings of its rules to use instead of the defaults.
    terrain : dict of str to str
        Its terrain for terrain of the map.
    """

    ruleset: Any
    options: dict[str, Any] = {}
    terrain: dict[str, str] = {}


class Inquiry:
    """What one editor asks beside the ends of a line: readings of the rules, conditions, a ruling to compare with.

    Parameters
    ----------
    editor : MapEditor

    Attributes
    ----------
    chosen : dict
        Readings of the rules that were chosen instead of those in force.
    held : dict
        Conditions by name, places among them by their labels.
    side : str
        Force of a scenario that looks, "" for any.
    rival : Rival or None
    """

    def __init__(self, editor: MapEditor) -> None:
        self._document: Any = editor.document
        self._subject: Any = editor.subject
        self.chosen: dict[str, Any] = {}
        self.held: dict[str, Any] = {}
        self.side = ""
        self.rival: Rival | None = None
        self._sites: tuple[int, Sites] | None = None
        self._compared: tuple[Any, Any] | None = None

    # -- under what --------------------------------------------------------------------------------------------------

    @property
    def scenario(self) -> Any:
        """The scenario whose map is shown, None in an editor of a map."""
        return None if self._subject is self._document else self._subject

    @property
    def ground(self) -> Any:
        """The map that is asked: where a scenario gives hexes a terrain of their own, the map as it plays on it."""
        scenario = self.scenario
        return scenario.played if scenario is not None and scenario.document.special.terrain_at else self._document

    @property
    def in_force(self) -> dict[str, Any]:
        """Readings of the rules that the scenario chooses instead of the defaults."""
        return {} if self.scenario is None else dict(self.scenario.document.special.options)

    @property
    def options(self) -> dict[str, Any]:
        """Readings of the rules instead of the defaults."""
        return {**self.in_force, **self.chosen}

    @property
    def conditions(self) -> Conditions:
        """What holds beside the map.

        Raises
        ------
        StudioError
            When a place that a condition names is not on the map.
        """
        held: dict[str, Any] = dict(self.held)
        base: Conditions = Conditions() if self.scenario is None else self.scenario.conditions(side=self.side)
        if self.ground is not self._document:
            base = msgspec.structs.replace(base, terrain_overrides={})  # that map has them
        for name in set(held) & set(LABELS):
            found = held[name]
            if name != "opened":
                number = self._document.survey.directory.number
                found = map(number, found)
            held[name] = getattr(base, name) | frozenset(found)
        if "terrain_overrides" in held:
            held["terrain_overrides"] = {**base.terrain_overrides, **held["terrain_overrides"]}
        return msgspec.structs.replace(base, **held) if held else base

    @property
    def asked(self) -> dict[str, Any]:
        """Keywords for the questions of a map; none where nothing was chosen."""
        conditions = self.conditions
        found: dict[str, Any] = {}
        if self.options:
            found["options"] = self.options
        if conditions != Conditions():
            found["conditions"] = conditions
        return found

    # -- answers -----------------------------------------------------------------------------------------------------

    @property
    def sites(self) -> Sites:
        """Where the locations of the map lie, as it is now."""
        if self._sites is None or self._sites[0] != self._document.revision:
            self._sites = (int(self._document.revision), sites_of(self._document))
        return self._sites[1]

    def label(self, end: Any) -> str:
        """Return the label of an end that the browser names by its label, or by its number."""
        if isinstance(end, str):
            return end
        model = self._document.model
        if int(end) < model.grid.cells:
            return str(model.labels.label(int(end)))
        return str(self._document.survey.directory.label(int(end)))

    def sight(self, a: str, b: str) -> dict[str, Any]:
        """Return a sighting as JSON, with the ruling that it is compared with where there is one.

        Raises
        ------
        StudioError
            As ``Map.sight`` does.
        """
        found = sight_message(self._document, self.ground.sight(a, b, **self.asked), self.sites)
        found.update(self.reproduce(a, b))
        if self.rival is not None:
            found["other"] = self._other(a, b)
        return found

    def _other(self, a: str, b: str) -> dict[str, Any]:
        """Return the verdict of the other ruling; a fault of it must not take the first one away."""
        try:
            comparison = self.comparison([a])
            sighting = comparison.why(a, b)[1]
        except StudioError as error:
            return {"name": self.rival_name, "status": "none", "text": str(error)}
        telling = [reason.text for reason in sighting.reasons if reason.effect != "passes"]
        return {
            "name": comparison.second,
            "status": sighting.status,
            "hindrances": sighting.hindrances,
            "text": telling[0] if telling else "Nothing stands in the way.",
        }

    @property
    def rival_name(self) -> str:
        """What the other ruling is called before it has answered."""
        return "" if self.rival is None else str(self.rival.ruleset.title)

    def comparison(self, labels: list[str] | None, progress: Any = None) -> Any:
        """Compare the ruling in force with the other one, from some locations or all; kept until something changes."""
        assert self.rival is not None
        state = (self._document.revision, self.rival, self.options, self.conditions)
        if self._compared is not None and self._compared[0] == state and labels is not None:
            return self._compared[1]
        found = self.compare(labels, progress)
        self._compared = (state, found)
        return found

    def compare(self, labels: list[str] | None, progress: Any = None, map_: Any = None) -> Any:
        """Compare the ruling in force with the other one, on a still of the map where one is given.

        Raises
        ------
        StudioError
            As ``Map.compare`` does.
        """
        assert self.rival is not None
        own: Ruleset = self._document.ruleset
        same = self.rival.ruleset is own
        return (map_ or self.ground).compare(
            self.rival.ruleset,
            labels=labels,
            terrain=self.rival.terrain,
            options_a=self.options,
            options_b={**self.options, **self.rival.options} if same else self.rival.options,
            conditions=self.conditions,
            progress=progress,
        )

    # -- the same again ----------------------------------------------------------------------------------------------

    def reproduce(self, a: str, b: str) -> dict[str, str]:
        """Return the command line and the line of Python that ask the same; no command where it has no word for it."""
        path, ends, flags = self._subject.path, [repr(a), repr(b)], self._flags
        file = "MAP" if path is None else shown_path(path)
        command = "" if flags is None else shlex.join(["studio", "sight", file, a, b, *flags])
        if self.scenario is not None and not (self.chosen or self.held or self.side):
            return {"command": command, "python": f"print(scenario.sight({', '.join(ends)}))"}
        of_scenario = "scenario.map" if self.ground is self._document else "scenario.played"
        name = "map" if self.scenario is None else of_scenario
        ends += [f"options={self.options!r}"] if self.options else []
        ends += [f"conditions={self._spoken}"] if self._spoken else []
        return {"command": command, "python": f"print({name}.sight({', '.join(ends)}))"}

    @property
    def _flags(self) -> list[str] | None:
        """What the command line is told beside the ends; None where something cannot be told it."""
        if set(self.held) - {*LABELS, *_FLAGS} or self.side:
            return None
        found = [word for name, value in self.chosen.items() for word in ("--option", f"{name}={_plain(value)}")]
        for name, value in self.held.items():
            flag = "--" + name.replace("_", "-").replace("vehicles", "vehicle")
            if name in LABELS:
                found += [flag, *value] if value else []
            elif value:
                found += [flag] if value is True else [flag, value]
        return found

    @property
    def _spoken(self) -> str:
        """The conditions as Python writes them; "" where there are none."""
        conditions, default = self.conditions, Conditions()
        given = {
            name: sorted(value) if isinstance(value, frozenset) else value
            for name in conditions.__struct_fields__
            if (value := getattr(conditions, name)) != getattr(default, name)
        }
        listed = ", ".join(f"{name}={value!r}" for name, value in given.items())
        return f"studio.sight.Conditions({listed})" if given else ""


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def inquiry_of(editor: MapEditor) -> Inquiry:
    """Return what an editor asks beside the ends of a line."""
    known: Inquiry | None = editor.__dict__.get("_inquiry")
    if known is None:
        known = editor.__dict__["_inquiry"] = Inquiry(editor)
    return known


class _OnMap:
    """A sighting laid on the map, on its lattice."""

    def __init__(self, document: EditableMap, data: Mapping[str, Any], sites: Sites) -> None:
        self.document, self.data, self.sites = document, data, sites
        self.trail = Trail(sites, data)

    @cached_property
    def scale(self) -> Any:
        return np.asarray(self.sites.grid.scale)

    def lattice(self, point: Any) -> list[float]:
        """Return a point in map units on the lattice."""
        return [round(float(value), 2) for value in np.asarray(point) / self.scale]

    def reasons(self) -> list[dict[str, Any]]:
        """Return the reasons, each with its place: a share of the way, else a point where it has one."""
        found = []
        for reason in self.data["reasons"]:
            share = self.trail.share(reason["at"])
            spot = self.trail.spot(reason["at"]) if share is None else None
            where = None if spot is None else self.lattice(spot)
            blocks = str(reason["effect"]).startswith("block")
            found.append({**reason, "t": share, "spot": where, "blocks": blocks})
        return found

    def openings(self) -> list[list[Any]]:
        """Return the openings of both ends: where they are, and whether a reason says that the line goes through."""
        ends = (self.data["from"], self.data["to"])
        said = [r for r in self.data["reasons"] if r["effect"] == "passes" and r["at"] in ends]
        found: list[list[Any]] = []
        for one in self._apertures:
            if one.into in ends:
                used = any(reason["at"] == one.into and _names(reason["text"], one) for reason in said)
                found.append([*one.at, used])
        return found

    @property
    def _apertures(self) -> list[Aperture]:
        survey = getattr(self.document, "survey", None)
        return [] if survey is None else survey.features_of(Aperture)

    def ends(self) -> list[str]:
        """Return the ids of the areas that both ends are or lie in, in a game of zones."""
        return self.trail.areas


def _names(text: str, opening: Aperture) -> bool:
    """Tell whether a reason speaks of an opening: by its id, without the location that it belongs to."""
    said = set(re.findall(r"[\w.']+", text.lower()))
    words = [word for word in re.split(r"[-_]", opening.id.lower()) if word and word != opening.into.lower()]
    return bool(words) and set(words) <= said


def sight_message(document: EditableMap, sighting: Sighting, sites: Sites | None = None) -> dict[str, Any]:
    """Return a sighting as JSON, with its places on the lattice, for the browser to draw.

    Parameters
    ----------
    document : EditableMap
    sighting : Sighting
        What it answered.
    sites : Sites, optional
        Where its locations lie; made when it is not given.

    Returns
    -------
    dict
        As ``Sighting.to_dict``, without the contacts; each reason with ``t`` (0 to 1 along the way, None beside it),
        ``spot`` (where it is, if not on the way) and ``blocks``. ``way``: points from end to end; ``zonal``: no line
        is drawn by the rules; ``areas``: ids of the zones of both ends; ``met``: where the line enters what it meets;
        ``stop``; ``openings``: x, y, whether the line goes through; ``side``: the ground from the side, None where it
        has none.
    """
    sites = sites or sites_of(document)
    data = sighting.to_dict()
    placed = _OnMap(document, data, sites)
    found = {
        "reasons": placed.reasons(),
        "way": [placed.lattice(point) for point in placed.trail.points],
        "zonal": placed.trail.zonal,
        "areas": placed.ends(),
        "met": sorted({round(float(contact["enter"]), 4) for contact in data["contacts"] if contact["how"] != "touch"}),
        "stop": placed.trail.stop,
        "openings": placed.openings(),
        "side": side_view(sites, data, _look(document, sites)) if len(data.get("profile") or ()) > 1 else None,
    }
    return {**{name: value for name, value in data.items() if name not in ("contacts", "profile")}, **found}


def _look(document: EditableMap, sites: Sites) -> Style:
    """Return the look of a map; it is kept with its sites, for one question follows another."""
    if "look" not in sites.kept:
        sites.kept["look"] = style_of(document, getattr(document, "style", None))
    found: Style = sites.kept["look"]
    return found


# -- messages ----------------------------------------------------------------------------------------------------------


def _sight(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    asked, result = inquiry_of(editor), None
    try:
        result = asked.sight(asked.label(message["a"]), asked.label(message["b"]))
    finally:
        # An answer in any case: the browser asks one question at a time.
        editor.send({"type": "sight", "a": message["a"], "b": message["b"], "result": result})


def _view(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    asked = inquiry_of(editor)
    view = asked.ground.field_of_view(asked.label(message["a"]), **asked.asked)
    codes = getattr(view, "codes", view.plane)
    editor.send({"type": "view", "a": message["a"]}, [np.ascontiguousarray(codes, dtype=np.uint8).tobytes()])


HANDLERS = {"sight": _sight, "view": _view}
