"""What Kivy reads from the environment while it is imported: to be imported before it."""

from __future__ import annotations

import os

os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")
os.environ.setdefault("KIVY_NO_CONFIG", "1")  # nothing is written beside the folder of games
os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
# Edges are smoothed shape by shape; multisampling would cost more than all the drawing.
os.environ.setdefault("KCFG_GRAPHICS_MULTISAMPLES", "0")
