"""Maps, scenarios and counters on paper: to scale, on sheets that fit together, as PDF, SVG and PNG.

A map is drawn once and kept as marks in millimetres (`studio.draw.press.plate`); sheets are windows on it, so that what
two of them share is the same to the last digit.
"""

from studio.draw.press.making import Printed, print_map
from studio.draw.press.options import PAPERS, PrintError, PrintOptions

__all__ = ["PAPERS", "PrintError", "PrintOptions", "Printed", "print_map"]
