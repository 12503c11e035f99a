"""The command line: ``boardwarden [COMMAND] …``; every command is a module in ``commands``.

Exit status 0 on success, 2 on bad input with one line on standard error that says what and where.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import logging
import multiprocessing
import os
import re
import sys
import threading
from collections.abc import Sequence
from importlib import metadata
from typing import Any, NoReturn

from engine.errors import BoardwardenError
from engine.files import shown

# Name of the command: (module, one line of help).  Modules are imported only when they are used,
# so that `read` starts without Kivy and the app without the evaluation.
COMMANDS = {
    "app": ("companion_app.commands.app", "open the app (also without any command)"),
    "demo": ("companion_app.commands.demo", "the app on the recording that comes with it"),
    "read": ("companion_app.commands.read", "read the pieces in pictures"),
    "watch": ("companion_app.commands.watch", "judge the moves of a camera or film"),
    "judge": ("companion_app.commands.judge", "judge a game record"),
    "simulate": ("companion_app.commands.simulate", "play simulated games before the referee"),
    "evaluate": (
        "companion_app.commands.evaluate",
        "measure the eyes on labelled pictures and films",
    ),
    "tiles": ("companion_app.commands.tiles", "learn the print of your Carcassonne tiles"),
    "bench": ("companion_app.commands.bench", "measure the speed of this device"),
    "calibrate": (
        "companion_app.commands.calibrate",
        "measure a camera's lens with the lens sheet",
    ),
    "cameras": ("companion_app.commands.cameras", "list the cameras of this device"),
    "collect": (
        "companion_app.commands.collect",
        "photograph placements of your pieces and label them",
    ),
    "print": ("companion_app.commands.print", "write boards, labels and sheets to print as PDF"),
    "sbom": ("companion_app.commands.sbom", "list all parts with versions and licences"),
    "selftest": ("companion_app.commands.selftest", "check this installation and this device"),
}


# argparse's words and plain ones
PLAIN = (
    (r"^argument (\S+): invalid int value: (.*)$", r"\1 needs a whole number and not \2"),
    (r"^argument (\S+): invalid float value: (.*)$", r"\1 needs a number and not \2"),
    (r"^argument (\S+): expected one argument$", r"\1 needs a value after it"),
    (r"^argument (\S+): expected (\d+) arguments$", r"\1 needs \2 values after it"),
    (
        r"^argument (\S+): invalid choice: (.*) \(choose from (.*)\)$",
        r"\1 cannot be \2: choose from \3",
    ),
    (r"^the following arguments are required: (.*)$", r"\1 is missing"),
    (r"^unrecognized arguments: (.*)$", r"nothing is known of \1: leave it out"),
    (r"^ambiguous option: (\S+) could match (.*)$", r"\1 may mean \2: write it out"),
)
DEBUG_VARIABLE = "BOARDWARDEN_DEBUG"  # set: faults inside the program are shown whole


class _Parser(argparse.ArgumentParser):
    """argparse, but a bad call is one line and exit status 2."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        # a point like -10,20 is a value and no option
        self._negative_number_matcher = re.compile(r"^-[\d.][-\d.,e]*$")

    def error(self, message: str) -> None:  # type: ignore[override]
        for pattern, plain in PLAIN:
            message = re.sub(pattern, plain, message, flags=re.DOTALL)
        raise BoardwardenError(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    _speak_any_letter()
    try:
        status = _run(words)
        sys.stdout.flush()
    except BoardwardenError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our lines has gone
        _drop_output()
        return 0
    except OSError as error:  # what reads from outside names its file itself: this is our output
        _drop_output()
        if not _is_somewhere():
            return _refuse("the folder that you are in has been removed: go to another one")
        return _refuse(
            f"it cannot go on ({error.strerror or error}): is the disk full, or is there no folder for temporary files (TMPDIR)?"
        )
    except MemoryError:
        return _refuse("there is not enough memory: close other programs and try again")
    except Exception as error:
        return _inner_fault(error)
    return status


def entry() -> NoReturn:
    """The installed command.

    Leaves at once when threads are left over: one that hangs in a camera's driver would be torn
    out of it by the interpreter's end, which aborts the whole process.
    """
    status = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    if threading.active_count() == 1:
        sys.exit(status)
    logging.shutdown()
    for child in multiprocessing.active_children():
        child.terminate()
    os._exit(status)


def _refuse(why: str) -> int:
    """One line on standard error, if it can be written; the exit status tells it as well."""
    with contextlib.suppress(OSError, ValueError):
        print(f"boardwarden: {why}", file=sys.stderr)
    return 2


def _is_somewhere() -> bool:
    """Whether the working folder is still there."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _inner_fault(error: Exception) -> int:
    """A mistake of the program itself: one sentence, and all of it where it is asked for."""
    if os.environ.get(DEBUG_VARIABLE):
        raise error
    _refuse(
        f"a fault inside the program ({type(error).__name__}); please report it with"
        f" what you did. Set {DEBUG_VARIABLE}=1 to see all of it."
    )
    return 1


def _open_streams() -> None:
    """Standard streams that a launcher or service has closed lead nowhere from now on: otherwise the
    next file opened, a record perhaps, would get their numbers, and what libraries print."""
    handle = os.open(os.devnull, os.O_RDWR)
    while handle <= 2:
        os.set_inheritable(handle, True)
        handle = os.open(os.devnull, os.O_RDWR)
    os.close(handle)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _speak_any_letter() -> None:
    """Names may hold letters that the terminal lacks: they are shown as ?, never a fault."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    """Nothing more can be written: what is still in the buffer goes nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    name = words[0] if words and not words[0].startswith("-") else None
    if words[:1] in (["-h"], ["--help"], ["help"]):
        print(_overview())
        return 0
    if words[:1] == ["--version"]:
        print(f"boardwarden {metadata.version('boardwarden')}")
        return 0
    if name is not None and name not in COMMANDS:
        raise BoardwardenError(
            f"there is no command {shown(name)!r}; the commands are {', '.join(COMMANDS)}"
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
    entry()
