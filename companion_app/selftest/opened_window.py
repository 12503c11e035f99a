"""Opens the app's window with an empty folder, draws for a moment, and prints what it found as JSON.

``python -m companion_app.selftest.opened_window FOLDER``; a process of its own, so that a driver
that crashes takes nothing with it.
"""

from __future__ import annotations

import time

BEGAN = time.monotonic()
SECONDS = 2.0


def main(home: str) -> dict[str, object]:
    """Figures of the window: seconds to the first screen, frames a second, who draws."""
    from pathlib import Path

    from companion_app.app import BoardwardenApp, Window
    from companion_app.app_options import AppOptions
    from companion_app.device import memory_mb

    if Window is None:
        raise SystemExit("no window")
    from kivy.base import EventLoop
    from kivy.graphics import opengl

    app = BoardwardenApp(AppOptions(data=Path(home), mouths=lambda: None))
    EventLoop.ensure_window()
    app.root = app.build()
    Window.add_widget(app.root)
    EventLoop.idle()
    start_s = time.monotonic() - BEGAN
    count, end = 0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        Window.canvas.ask_update()
        EventLoop.idle()
        count += 1
    renderer = opengl.glGetString(opengl.GL_RENDERER)
    app.on_stop()
    return {
        "start_s": round(start_s, 2),
        "frames_per_s": round(count / SECONDS, 1),
        "width": Window.width,
        "height": Window.height,
        "memory_mb": round(memory_mb(), 1),
        "renderer": renderer.decode() if isinstance(renderer, bytes) else str(renderer),
    }


if __name__ == "__main__":
    import json
    import sys

    print(json.dumps(main(sys.argv[1])), flush=True)
