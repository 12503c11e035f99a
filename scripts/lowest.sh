#!/bin/sh
# Runs the tests with the lowest version of every package that pyproject.toml allows.
# Usage: scripts/lowest.sh [FOLDER FOR THE ENVIRONMENT] [PYTEST OPTIONS …]
# Formatter, linter and types are not part of it: they are checked with the current versions.
set -eu
cd "$(dirname "$0")/.."
place="${1:-.venv-lowest}"
[ $# -gt 0 ] && shift
[ -x "$place/bin/python" ] || "${PYTHON:-python3}" -m venv "$place"
wanted="$("$place/bin/python" - <<'PYTHON'
import tomllib

project = tomllib.load(open("pyproject.toml", "rb"))["project"]
tools = ("ruff", "mypy")
for line in (*project["dependencies"], *project["optional-dependencies"]["test"]):
    if not line.startswith(tools):
        print(line.replace(">=", "=="))
PYTHON
)"
# shellcheck disable=SC2086
"$place/bin/python" -m pip install --quiet --disable-pip-version-check $wanted
"$place/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -e .
exec "$place/bin/python" -m pytest "$@"
