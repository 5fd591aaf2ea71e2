# Makes .venv with what a command needs; sourced by ./run, ./test and ./bench.
# A stamp holds a hash of pyproject.toml and of the lock, so a second start installs nothing.

die() { printf '%s\n' "$*" >&2; exit 1; }
say() { printf '%s\n' "$*" >&2; }

# Modules are kept compiled whatever the machine's setting: without that each start of the program compiles numpy and all
# else anew, 1.2 s instead of 0.5 for the smallest file, and the tests start it hundreds of times.
unset PYTHONDONTWRITEBYTECODE

find_python() {
    for candidate in python3.11 python3.12 python3.13 python3 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    die "Accord needs Python 3.11 or newer, and none was found. Install it and run this command again."
}

# ensure_environment LOCK: install the versions of lock/LOCK.txt, by their hashes, and Accord itself into .venv,
# unless a stamp says that it is done.
ensure_environment() {
    local lock="lock/$1.txt" stamp=".venv/.accord-$1" wanted install
    wanted="$(cat pyproject.toml "$lock" | cksum)"
    if [ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
        return
    fi
    if [ ! -x .venv/bin/python ]; then
        say "Making .venv ..."
        "$(find_python)" -m venv .venv || die "Could not make .venv: is the venv module of Python installed?"
    fi
    say "Installing what this needs (once; later starts are quick) ..."
    # uv installs several times faster than pip; where it cannot be had, pip does the same.
    if .venv/bin/python -m uv --version >/dev/null 2>&1 || .venv/bin/python -m pip install -q --disable-pip-version-check uv; then
        install=".venv/bin/python -m uv pip install -q -p .venv/bin/python"
    else
        install=".venv/bin/python -m pip install -q --disable-pip-version-check"
    fi
    $install --require-hashes -r "$lock" || die "The installation failed; see the lines above."
    $install --no-deps --no-build-isolation -e . || die "The installation failed; see the lines above."
    printf '%s' "$wanted" >"$stamp"
}

# ensure_system PROGRAM PACKAGES...: install Debian packages for a program that is missing, as root only.
ensure_system() {
    local program=$1
    shift
    if command -v "$program" >/dev/null 2>&1 || compgen -G "$program" >/dev/null; then
        return 0
    fi
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "Installing $* ..."
        [ -n "${APT_UPDATED:-}" ] || apt-get update -qq >/dev/null 2>&1
        APT_UPDATED=yes
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 && return 0
    fi
    say "Missing: $program (Debian: $*). What needs it is left out and said so."
    return 1
}
