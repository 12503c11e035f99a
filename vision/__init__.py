"""The eyes: pictures in, pieces on cells out.

Importing this turns off what the libraries below would do unasked, before they are loaded.
"""

import os

# onnxruntime would send events about its use to its maker, and keep a device id for it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
