"""The command line: ``studio new, check, sight, view, table, exposure, dead-ground, compare, draw, export, ...``.

Exit codes: 0 fine, 1 findings of error (a file that cannot be read as what it should be is one), 2 usage.
"""

from studio.cli.main import main

__all__ = ["main"]
