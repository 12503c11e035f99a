"""The command line: ``boardwarden [COMMAND] …``; every command is a module in ``commands``.

Exit status 0 on success, 2 on bad input with one line on standard error that says what and where.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from engine.errors import BoardwardenError

# Name of the command: (module, one line of help).  Modules are imported only when they are used,
# so that `read` starts without Kivy and the app without the evaluation.
COMMANDS = {
    "app": ("companion_app.commands.app", "open the app (also without any command)"),
    "demo": ("companion_app.commands.demo", "the app on the recording that comes with it"),
    "read": ("companion_app.commands.read", "read the pieces in pictures"),
    "watch": ("companion_app.commands.watch", "judge the moves of a camera or film"),
    "judge": ("companion_app.commands.judge", "judge a game record"),
    "evaluate": (
        "companion_app.commands.evaluate",
        "measure the eyes on labelled pictures and films",
    ),
    "bench": ("companion_app.commands.bench", "measure the speed of this device"),
}


class _Parser(argparse.ArgumentParser):
    """argparse, but a bad call is one line and exit status 2."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise BoardwardenError(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(words)
    except BoardwardenError as error:
        print(f"boardwarden: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our lines has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(words: list[str]) -> int:
    name = words[0] if words and not words[0].startswith("-") else None
    if name is None and words[:1] in (["-h"], ["--help"]):
        print(_overview())
        return 0
    if name is not None and name not in COMMANDS:
        raise BoardwardenError(
            f"there is no command {name!r}; the commands are {', '.join(COMMANDS)}"
        )
    module = importlib.import_module(COMMANDS[name or "app"][0])
    parser = _Parser(
        prog=f"boardwarden {name}" if name else "boardwarden", description=module.__doc__
    )
    module.add_arguments(parser)
    return int(module.run(parser.parse_args(words[1:] if name else words)) or 0)


def _overview() -> str:
    lines = ["usage: boardwarden [COMMAND] …", "", "commands:"]
    lines += [f"  {name:10} {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join([*lines, "", "boardwarden COMMAND --help tells the options of a command."])


if __name__ == "__main__":
    sys.exit(main())
