"""The tablet app and the command line."""

import os

# The eyes' matrices are small, and more threads on them only wait for each other, for a fifth of a look's
# processor time.  Read when numpy is imported, so set before.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
