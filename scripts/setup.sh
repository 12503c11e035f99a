#!/bin/sh
# Makes .venv with everything that the program (and with "test" also the checks) needs.
# Usage: scripts/setup.sh [test|train]; does nothing when it is up to date.
set -eu
cd "$(dirname "$0")/.."
extra="${1:-}"

# OpenCV and Kivy need a few system libraries; on Debian and Ubuntu they are installed here.
packages="libgl1 libegl1 libgl1-mesa-dri libglib2.0-0 libmtdev1 python3-venv"
if command -v dpkg >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
    missing=""
    for package in $packages; do
        dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
    done
    if [ -n "$missing" ]; then
        if [ "$(id -u)" = 0 ]; then as_root=""; elif command -v sudo >/dev/null 2>&1; then as_root="sudo"; else as_root="none"; fi
        if [ "$as_root" = none ]; then
            echo "Please install these system packages as administrator: apt-get install$missing" >&2
        else
            export DEBIAN_FRONTEND=noninteractive
            $as_root apt-get update -qq >/dev/null 2>&1 || true
            # shellcheck disable=SC2086
            $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
                echo "Some system packages could not be installed:$missing" >&2
        fi
    fi
fi

python="${PYTHON:-python3}"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    echo "Boardwarden needs Python 3.11 or newer; set PYTHON to its path and run this again." >&2
    exit 2
}
# An environment that was moved with the folder, or whose Python is gone, is made anew.
stamp=".venv/installed-${extra:-run}"
if [ -d .venv ] && [ "$(cat .venv/made-in 2>/dev/null)" != "$PWD" -o ! -x .venv/bin/python ]; then
    rm -rf .venv
fi
if [ ! -f "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
    echo "Setting up Boardwarden in .venv; this takes some minutes, once." >&2
    [ -x .venv/bin/python ] || "$python" -m venv .venv || {
        rm -rf .venv
        echo "Python's venv is missing: install the package python3-venv and run this again." >&2
        exit 2
    }
    printf '%s' "$PWD" >.venv/made-in
    if [ -n "$extra" ]; then target=".[$extra]"; else target="."; fi
    # BOARDWARDEN_LOCKED=1: just the versions of requirements.lock, checked by their hashes.
    how=""
    if [ -n "${BOARDWARDEN_LOCKED:-}" ]; then
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
            -r requirements.lock || {
            echo "The locked packages could not be installed: check the network and run this again." >&2
            exit 2
        }
        how="--no-deps"
    fi
    # shellcheck disable=SC2086
    .venv/bin/python -m pip install --quiet --disable-pip-version-check $how -e "$target" || {
        echo "The packages could not be installed: check the network and run this again." >&2
        exit 2
    }
    touch "$stamp"
fi
