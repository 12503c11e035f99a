"""Errors that reach a person: one clear sentence that names the remedy."""

from __future__ import annotations

from collections.abc import Mapping

LONGEST = 1000


def one_line(text: str) -> str:
    """A text fit for a screen: one line of bounded length, without control characters."""
    line = " ".join(text.split())
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)


class BoardwardenError(Exception):
    """Bad input or a missing thing, told in one sentence; the command line exits with status 2.

    What the sentence quotes may come from anywhere: it is made one line that can be shown.
    ``key`` and ``params``: where the sentence stands in the catalogues of texts; "" for nowhere.
    """

    def __init__(
        self, message: str = "", *, key: str = "", params: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(one_line(message))
        self.key, self.params = key, dict(params or {})


class BoardFileError(BoardwardenError):
    """A board file that cannot be used, with what is wrong and where."""


class RecordError(BoardwardenError):
    """A game record that cannot be read; ``line`` is the 1-based line number, 0 for the file."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class NewerRecordError(RecordError):
    """A game record that a newer version of the program wrote."""


class PositionError(BoardwardenError):
    """A position that no game can reach, with the reason."""
