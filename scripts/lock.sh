#!/bin/sh
# Writes requirements.lock anew: every package with its version and SHA-256, for all platforms.
# Needs uv (pip install uv).  Run it after a change of the dependencies in pyproject.toml.
set -eu
cd "$(dirname "$0")/.."
exec uv pip compile pyproject.toml --extra test --universal --python-version 3.11 \
    --generate-hashes --no-header --no-annotate --quiet --output-file requirements.lock "$@"
