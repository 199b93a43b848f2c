"""The parser of the command line, and what becomes of errors."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

from studio import __version__
from studio.cli.common import FINE, FOUND, USAGE
from studio.cli.documents import add_document_commands, add_lab_command
from studio.cli.sight import add_sight_commands
from studio.errors import DocumentError, StudioError

__all__ = ["main"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="studio", description="Maps and scenarios for tabletop wargames.")
    parser.add_argument("--version", action="version", version=f"studio {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument("--json", action="store_true", help="print JSON")
        made.add_argument(
            "--rules", action="append", default=[], metavar="FILE", help="TOML file of a game of your own, to be known"
        )
        made.set_defaults(run=run)
        return made

    add_document_commands(command)
    add_sight_commands(command)
    add_lab_command(command)
    return parser


def _fail(args: argparse.Namespace, error: Exception) -> int:
    """Say what was wrong with the command line."""
    if args.json:
        print(json.dumps({"error": str(error)}, ensure_ascii=False))
    print(f"studio: {error}", file=sys.stderr)
    return USAGE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    from studio.files import MissingFileError
    from studio.rules import load_ruleset

    args = _parser().parse_args(argv)
    try:
        for file in args.rules:
            load_ruleset(file)
        return int(args.run(args))
    except MissingFileError as error:
        return _fail(args, error)
    except DocumentError as error:
        if args.json:
            faults = [
                {
                    "severity": "error",
                    "file": error.file,
                    "at": fault.at or fault.path,
                    "rule": "file",
                    "message": f"{fault.path}: {fault.message}",
                    "remedy": fault.remedy,
                }
                for fault in error.faults
            ]
            print(json.dumps({"findings": faults}, ensure_ascii=False, indent=1))
        print(f"studio: {error}", file=sys.stderr)
        return FOUND
    except BrokenPipeError:
        return FINE
    except (StudioError, OSError) as error:
        return _fail(args, error)
