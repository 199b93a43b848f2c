"""Pictures: one look per game, as data, drawn by matplotlib here and by the editor's canvas in the browser.

matplotlib is loaded by the first picture, never by the import.

Examples
--------
>>> import studio
>>> from studio.draw import draw_map, draw_sight
>>> desert = studio.new_map("armageddon_war", columns=6, rows=5)
>>> _ = desert.paint(["0302", "0303"], terrain="light_woods")
>>> draw_map(desert).get_title()
''
>>> len(draw_sight(desert, desert.sight("0301", "0305")).figure.axes)
3
"""

from studio.draw.answers_picture import draw_comparison, draw_dead_ground, draw_exposure
from studio.draw.balance_picture import draw_balance
from studio.draw.calendar_picture import draw_calendar
from studio.draw.command_picture import draw_command
from studio.draw.contact import contact_sheet
from studio.draw.findings_picture import draw_findings
from studio.draw.geography_picture import draw_beside, draw_confidence, draw_fit
from studio.draw.map_picture import draw_map, preview_png
from studio.draw.picture import PictureError, pyplot_figures, save_picture
from studio.draw.plain import style_for
from studio.draw.reach_picture import draw_reach
from studio.draw.route_picture import draw_route
from studio.draw.scenario_picture import draw_scenario
from studio.draw.sight_picture import draw_sight
from studio.draw.style import Style, StyleError, load_style, style_ids
from studio.draw.supply_picture import draw_interdiction, draw_supply
from studio.draw.view_picture import draw_field_of_view

__all__ = [
    "PictureError",
    "Style",
    "StyleError",
    "contact_sheet",
    "draw_balance",
    "draw_beside",
    "draw_calendar",
    "draw_command",
    "draw_comparison",
    "draw_confidence",
    "draw_dead_ground",
    "draw_exposure",
    "draw_field_of_view",
    "draw_findings",
    "draw_fit",
    "draw_interdiction",
    "draw_map",
    "draw_reach",
    "draw_route",
    "draw_scenario",
    "draw_sight",
    "draw_supply",
    "load_style",
    "preview_png",
    "pyplot_figures",
    "save_picture",
    "style_for",
    "style_ids",
]
