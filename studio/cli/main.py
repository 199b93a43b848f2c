"""The parser of the command line, and what becomes of errors."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from studio import __version__
from studio.cli.balance import add_balance_command
from studio.cli.briefing import add_briefing_commands
from studio.cli.checking import add_checking_commands
from studio.cli.command import add_command_command
from studio.cli.common import FINE, FOUND, USAGE, remedy, told
from studio.cli.documents import add_document_commands, add_lab_command
from studio.cli.exchange import add_import_command
from studio.cli.geography import add_why_command
from studio.cli.joining import add_join_command
from studio.cli.paths import add_path_commands
from studio.cli.printing import add_printing_command
from studio.cli.rules import add_rules_command
from studio.cli.sight import add_sight_commands
from studio.cli.sizing import add_sizing_commands
from studio.cli.supply import add_supply_command
from studio.errors import DocumentError, Fault, StudioError

__all__ = ["main"]


class _Parser(argparse.ArgumentParser):
    """A parser that says as JSON what was wrong with its arguments, when JSON is asked for."""

    as_json = False

    def error(self, message: str) -> NoReturn:
        if self.as_json:
            print(json.dumps({"error": f"{self.prog}: {message}"}, ensure_ascii=False))
        super().error(message)


def _parser(*, as_json: bool = False) -> argparse.ArgumentParser:
    parser = _Parser(prog="studio", description="Maps and scenarios for tabletop wargames.")
    parser.as_json = as_json
    parser.add_argument("--version", action="version", version=f"studio {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.as_json = as_json
        made.add_argument("--json", action="store_true", help="print JSON")
        made.add_argument(
            "--rules", action="append", default=[], metavar="FILE", help="TOML file of a game of your own, to be known"
        )
        made.set_defaults(run=run)
        return made

    add_document_commands(command)
    add_printing_command(command)
    add_checking_commands(command)
    add_import_command(command)
    add_why_command(command)
    add_rules_command(command)
    add_sight_commands(command)
    add_supply_command(command)
    add_command_command(command)
    add_briefing_commands(command)
    add_balance_command(command)
    add_path_commands(command)
    add_join_command(command)
    add_sizing_commands(command)
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

    given = sys.argv[1:] if argv is None else list(argv)
    args = _parser(as_json="--json" in given).parse_args(given)
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
                    "message": told(fault),
                    "remedy": remedy(fault),
                }
                for fault in error.faults
            ]
            print(json.dumps({"findings": faults}, ensure_ascii=False, indent=1))
        faults_told = [Fault(fault.path, fault.message, remedy(fault), fault.at) for fault in error.faults]
        print(f"studio: {DocumentError(error.file, faults_told)}", file=sys.stderr)
        return FOUND
    except BrokenPipeError:
        return FINE
    except (StudioError, OSError) as error:
        return _fail(args, error)
