"""Handing maps and scenarios over in other programs' formats, chosen by how the file is called."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.api.bundle import export_bundle
from studio.draw.arguments import OptionError
from studio.errors import UnsupportedError, nearest, shortened
from studio.exchange.content import Written
from studio.exchange.formats import Format, format_of

if TYPE_CHECKING:
    from studio.api.map import Map
    from studio.api.scenario import Scenario

__all__ = ["Exporting", "export"]

_INNER = ("findings", "progress", "work")
"""What the studio itself hands to the maker of bundles."""
_SAVED = (".map.json", ".scenario.json")


class Exporting:
    """A map or a scenario that can be handed over."""

    def export(
        self, path: str | os.PathLike[str], to: str = "", *, notes: list[str] | None = None, **options: Any
    ) -> Path:
        """Hand the document over in another format, by the ending of the file or by its name.

        Parameters
        ----------
        path : str or path
            Such as ``NAME.bundle.zip`` for a game engine (refused where the checks find errors), or ``NAME.vmod`` to
            play it in VASSAL (drafts too).
        to : str
            Name of a format, where the ending does not say it: such as ``vassal`` or ``pdf``.
        notes : list of str, optional
            What the format cannot say is appended to it, in sentences.
        **options
            Those of the format. Of a bundle: ``sight`` (whether it holds the sight table; by default when the map is
            small enough), ``preview`` (whether it holds a picture). Of VASSAL: those of
            :class:`studio.exchange.vassal.VassalOptions`. Of what is printed: those of ``print``, such as ``hex_mm``.

        Returns
        -------
        Path

        Raises
        ------
        ExportError
            When the checks find an error; no bundle is written, and the findings are in the error.
        ExportTargetError
            When a file of another kind would be replaced by a bundle.
        UnknownNameError
            When the studio has no such format.
        OptionError
            When an option is unknown, or its value wrong.
        UnsupportedError
            When the format cannot hold such a document.
        SaveError
            When the file cannot be written; an older one is whole.
        """
        whole: Any = self
        _check_name(Path(path))
        format_ = format_of(Path(path), to, default="bundle")
        if not format_.module:
            map_, scenario = _both(whole)
            return export_bundle(map_, scenario, Path(path), **_bundle_options(options))
        written = export(whole, Path(path), format_, options)
        if notes is not None:
            notes.extend(written.notes)
        return written.files[0]


_LONGEST = 240
"""Bytes of a file's name, so that what is written beside it while it is saved has a name too."""


def _check_name(path: Path) -> None:
    """Refuse names that no file can have.

    Raises
    ------
    SaveError
    """
    from studio.files import SaveError

    if "\0" in str(path):
        msg = f"{str(path)!r}: not saved: a zero byte is in no name of a file. Remedy: name it otherwise"
        raise SaveError(msg)
    if len(os.fsencode(path.name)) > _LONGEST:
        msg = f"{shortened(path.name)}: not saved: the name is longer than {_LONGEST} bytes. Remedy: give a shorter one"
        raise SaveError(msg)


def _bundle_options(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a bundle, checked.

    Raises
    ------
    OptionError
    """
    allowed = {"sight": (bool, type(None)), "preview": (bool,)}
    for name, value in given.items():
        if name in _INNER:
            continue
        if name not in allowed:
            msg = f"export: bundle has no option {shortened(name)}; {nearest(name, allowed)}"
            raise OptionError(msg)
        if not isinstance(value, allowed[name]):
            msg = f"export: option {name} of bundle: got {shortened(value)}, allowed True or False"
            raise OptionError(msg)
    return given


def export(document: Map | Scenario, path: Path, format_: Format, options: dict[str, Any]) -> Written:
    """Write a document in a format that has a module of its own.

    Parameters
    ----------
    document : Map or Scenario
    path : Path
    format_ : Format
    options : dict
        Of the format.

    Returns
    -------
    Written

    Raises
    ------
    OptionError
        When an option is unknown, or its value wrong.
    UnsupportedError
        When the format cannot hold such a document, or the file would replace one of the studio's.
    SaveError
        When a file cannot be written.
    """
    from studio.api.export_pictures import ExportPictures
    from studio.exchange.content import Content

    _check_name(path)
    map_, scenario = _both(document)
    kind = "map" if scenario is None else "scenario"
    if format_.what not in (kind, "both"):
        msg = f"{format_.id}: this format holds a {format_.what}, and {document.title!r} is a {kind}"
        raise UnsupportedError(msg)
    if path.name.endswith(_SAVED) or not path.name.lower().endswith(format_.suffixes):
        msg = f"{path}: a file of {format_.id} is named {format_.example}; name it so"
        raise UnsupportedError(msg)
    chosen = _options(format_, options)
    if format_.printed:
        given = {name: getattr(chosen, name) for name in options}
        printed = document.print(path, **given)
        return Written(printed.files, printed.notes)
    with document.lock:
        shown = map_ if scenario is None else scenario._shown
        content = Content(
            shown.model,
            shown.survey,
            map_.ruleset,
            None if scenario is None else scenario.document,
            _roster(map_, scenario),
        )
        written: Written = format_.load().write(content, path, options=chosen, pictures=ExportPictures(shown, scenario))
    return written


def _both(document: Any) -> tuple[Map, Scenario | None]:
    """Return a map, or the map of a scenario with the scenario."""
    return (document, None) if document.kind == "map" else (document.map, document)


def _roster(map_: Map, scenario: Scenario | None) -> dict[str, Any]:
    from studio.rules.roster import roster_of

    if not map_.ruleset.has_scenario:
        return {}
    return dict(map_.ruleset.scenario.roster() if scenario is None else roster_of(map_.ruleset, scenario.document))


def _options(format_: Format, given: dict[str, Any]) -> Any:
    """Return the options of a format, as its own type checks them; words are read as on a command line."""
    import msgspec

    kind = format_.options_type
    fields = kind.__struct_fields__
    unknown = [name for name in given if name not in fields]
    if unknown:
        msg = f"export: {format_.id} has no option {shortened(unknown[0])}; {nearest(unknown[0], fields)}"
        raise OptionError(msg)
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        msg = f"export: an option of {format_.id} is wrong: {error}"
        raise OptionError(msg) from error
