"""Where Android starts the app; everywhere else it is started with ``boardwarden`` or ``./start``."""

from __future__ import annotations

import sys

from companion_app.running import run_app

if __name__ == "__main__":
    sys.exit(run_app())
