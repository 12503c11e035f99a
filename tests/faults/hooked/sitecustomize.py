"""Loaded by every Python process of the private game: notes what is asked of network and disk.

One JSON line [process, event, detail] each, appended to the file that ``BOARDWARDEN_AUDIT`` names.
"""

import json
import os
import sys

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
NETWORK = ("socket.", "urllib.", "http.client.", "smtplib.", "ftplib.", "ssl.")
CHANGING = (
    "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "webbrowser.open",
)  # fmt: skip
# Asking for the own name is no call to anybody.
HARMLESS = ("socket.__new__", "socket.gethostname")


def _install(path: str) -> None:
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(event: str, detail: object) -> None:
        os.write(log, (json.dumps([os.getpid(), event, str(detail)]) + "\n").encode())

    def hook(event: str, args: tuple) -> None:
        if event == "open":
            name, _, flags = args
            if isinstance(flags, int) and flags & WRITING and not isinstance(name, int):
                note(event, os.fsdecode(name))
        elif event in HARMLESS:
            return
        elif event.startswith(NETWORK) or event in CHANGING:
            note(event, args[0] if event in CHANGING else args[1:])

    sys.addaudithook(hook)


if "BOARDWARDEN_AUDIT" in os.environ:
    _install(os.environ["BOARDWARDEN_AUDIT"])
