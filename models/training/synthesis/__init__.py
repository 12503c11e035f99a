"""Synthetic tables: pictures with labels for the detector, made from a seed with numpy and OpenCV.

World frame: board millimetres (x right, y down on the printed face, origin top-left), z up from the
face towards the camera.  Colours are linear-ish reflectances, BGR, 0 to 1.
"""
