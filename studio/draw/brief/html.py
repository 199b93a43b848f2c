"""Scenario sheets as one self-contained HTML page: for screens light and dark, and for paper."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Any

from studio.draw.brief.sheet import Block, FormationCard, Picture, Sheet
from studio.draw.counterpen import FIELD, Face

__all__ = ["sheet_html"]

PAPERS = {"a4": "A4", "letter": "letter"}


def sheet_html(sheet: Sheet, *, paper: str = "a4", fragment: bool = False) -> str:
    """Return a sheet as HTML.

    Parameters
    ----------
    sheet : Sheet
    paper : {"a4", "letter"}
        That it is printed on.
    fragment : bool
        Only what goes into a page, for a notebook.
    """
    faces: dict[Face, str] = {}
    for section in sheet.sections:
        for block in section.blocks:
            if isinstance(block, FormationCard):
                for line in block.units:
                    if line.face is not None:
                        faces.setdefault(line.face, f"c{len(faces)}")
    template = _template("fragment.html.j2" if fragment else "page.html.j2")
    return str(
        template.render(
            sheet=sheet,
            faces=faces,
            paper=PAPERS[paper],
            kind=_kind,
            data=_data,
            field=FIELD,
            style=_style(),
        )
    )


def _kind(block: Block) -> str:
    return type(block).__name__


def _data(picture: Picture) -> str:
    return "data:image/png;base64," + base64.b64encode(picture.png).decode("ascii")


@cache
def _style() -> Any:
    from markupsafe import Markup

    # Markup of our own, with nothing of a scenario in it.
    return Markup((_FOLDER / "sheet.css").read_text("utf-8"))


@cache
def _template(name: str) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


_FOLDER = Path(__file__).parent / "templates"
