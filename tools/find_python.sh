#!/bin/sh
# Print the path of a Python that can run the project, or say clearly why there is none.
#   find_python.sh          the one in $PYTHON, or else the first that fits, python3 first
#   find_python.sh 3.12     one of that version
# A candidate counts only after it has run: a pyenv shim may exist for a version that is
# not switched on, and a system's Python may lack the modules behind `venv`.
set -eu

wanted=${1:-}
supported="3.11 3.12 3.13"

# Prints the real path of interpreter $1 if its version is among $2.
try() {
    command -v "$1" >/dev/null || return 1
    found=$("$1" - "$2" 2>/dev/null <<'PY'
import sys
import ensurepip, venv
fits = "%d.%d" % sys.version_info[:2] in sys.argv[1].split()
print(sys.executable) if fits else sys.exit(1)
PY
    ) && echo "$found"
}

candidates() {
    [ -n "$wanted" ] || echo python3
    for version in ${wanted:-3.13 3.12 3.11}; do
        echo "python$version"
        [ -z "$root" ] || ls -d "$root/versions/$version".*/bin/python 2>/dev/null || true
    done
    echo python3
}

if [ -z "$wanted" ] && [ -n "${PYTHON:-}" ]; then
    try "$PYTHON" "$supported" && exit 0
    answer="not found"
    ! command -v "$PYTHON" >/dev/null || answer=$("$PYTHON" --version 2>&1 | head -n 1)
    echo "PYTHON=$PYTHON is not a working Python 3.11, 3.12 or 3.13 with venv" \
        "($answer)" >&2
    exit 1
fi

root=$(pyenv root 2>/dev/null || true)
versions=${wanted:-$supported}
for candidate in $(candidates); do
    try "$candidate" "$versions" && exit 0
done
echo "no working Python ${wanted:-3.11, 3.12 or 3.13} with venv was found on PATH or" \
    "under pyenv; install one, or name it: make PYTHON=/path/to/python3" >&2
exit 1
