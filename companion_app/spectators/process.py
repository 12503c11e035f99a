"""Runs the page's server in a process of its own, so that no number of viewers slows the table."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from multiprocessing.connection import Connection
from typing import Any

from companion_app.games.face import Face
from companion_app.snapshot import Snapshot
from companion_app.spectators.server import SpectatorServer
from companion_app.spectators.view import SpectatorView
from engine.board import Board
from engine.errors import BoardwardenError

START_S = 60.0
NICE = 10  # the table comes first


class Spectators:
    """The page of one game.  ``hear`` may be called from any thread.

    Raises BoardwardenError where the address cannot be used.
    """

    def __init__(self, address: str, face: Face, board: Board) -> None:
        self.address = address
        self._view = SpectatorView(face, board)
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._child = context.Process(
            target=serve, args=(theirs, address, face.name, board), name="spectators", daemon=True
        )
        self._child.start()
        theirs.close()
        self.url = self._await_url(address)

    def _await_url(self, address: str) -> str:
        try:
            if self._pipe.poll(START_S):
                kind, value = self._pipe.recv()
                if kind == "url":
                    return str(value)
        except EOFError:
            pass
        self.close()
        raise BoardwardenError(f"the page cannot be offered at {address}: choose another address")

    def hear(self, snapshot: Snapshot) -> None:
        """The next snapshot of the game."""
        with contextlib.suppress(OSError, ValueError):
            self._pipe.send_bytes(self._view.state(snapshot))

    def close(self) -> None:
        """No page any more."""
        with contextlib.suppress(OSError):
            self._pipe.close()
        self._child.join(0.5)
        if self._child.is_alive():
            self._child.terminate()
            self._child.join(0.5)


def serve(pipe: Connection, address: str, game: str, board: Board) -> None:
    """The child's main function: serves until the pipe is closed."""
    from companion_app.games import face_of

    if hasattr(os, "nice"):
        os.nice(NICE)
    view = SpectatorView(face_of(game), board)
    try:
        server = SpectatorServer(address, view.picture)
    except OSError as error:
        pipe.send(("error", str(error)))
        return
    pipe.send(("url", server.url))
    try:
        while True:
            server.show(_newest(pipe))
    except (EOFError, OSError):
        server.close()


def _newest(pipe: Connection) -> bytes:
    state: Any = pipe.recv_bytes()
    while pipe.poll(0):
        state = pipe.recv_bytes()
    return bytes(state)
