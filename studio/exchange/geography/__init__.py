"""From the real world to a game map: a specification says which data become what, on which grid.

`spec.py` is the specification, `build.py` runs the steps in their order on what `work.py` holds, and `record.py` and
`report.py` write down what was decided. A room for each subject: `placing/` lays the grid on the world, `data/` reads,
`ground/`, `places/`, `rivers/` and `roads/` lay one kind of thing each, `layers.py` what is drawn as it is, and
`overrides/` has the designer's last word.
"""

from __future__ import annotations

from studio.exchange.geography.spec import Geography, read_spec

__all__ = ["Geography", "read_spec"]
