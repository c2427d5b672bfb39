#!/usr/bin/env bash
# Prepares this checkout: Debian packages, and .venv with exactly what requirements.lock names.
# Usage: scripts/setup.sh demo|test. Running it again costs a second.
set -euo pipefail
cd "$(dirname "$0")/.."

# What the demo needs on the host: everything else is inside the desktop image.
demo_packages=(mmdebstrap uidmap libseccomp2)
# What the tests drive or read back with, on displays of their own beside the machines.
test_packages=("${demo_packages[@]}"
    xvfb tigervnc-standalone-server openbox tint2 xterm xdotool xclip x11-utils x11-xkb-utils
    x11-xserver-utils dbus at-spi2-core zenity mousepad chromium python3-tk curl
    gtk-3-examples pcmanfm gnumeric featherpad speedcrunch libjs-jquery-ui-docs
    libjs-jquery-jstree libjs-jquery-stupidtable libjs-spectre-docs
    libyuv0 libisal2 libturbojpeg0 libwebp7 ffmpeg
    docker.io podman qemu-system-x86 qemu-utils e2fsprogs cpio fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji procps)

case "${1:-}" in
    demo) packages=("${demo_packages[@]}") ;;
    test) packages=("${test_packages[@]}") ;;
    *) echo "usage: scripts/setup.sh demo|test" >&2; exit 2 ;;
esac

python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "error: Python 3.11 or newer is needed; $("$python" --version 2>&1) was found" >&2
    echo "try:   make ${1} PYTHON=python3.11" >&2
    exit 3
fi

if command -v dpkg-query >/dev/null; then
    # Debian splits venv from Python; other builds of Python bring it along.
    "$python" -c 'import ensurepip' 2>/dev/null || packages+=(python3-venv)
    missing=()
    for package in "${packages[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' \
            || missing+=("$package")
    done
    if [ "${#missing[@]}" -gt 0 ]; then
        if [ "$(id -u)" -ne 0 ]; then
            echo "error: these Debian packages are missing: ${missing[*]}" >&2
            echo "try:   sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
            exit 3
        fi
        echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
            "${missing[@]}" >/dev/null
    fi
else
    echo "note: this is not Debian; install by hand what is missing of: ${packages[*]}" >&2
fi

stamp=.venv/.locked
# A moved or copied .venv still knows where it was made, and would run what is there.
here() { grep -qsF "$(pwd -P)/.venv/" ".venv/bin/$1"; }
# Also pyproject.toml: it says which commands and providers there are.
if ! cat requirements.lock pyproject.toml | cmp -s - "$stamp" || ! here carrel; then
    echo "Installing the locked Python packages into .venv"
    # One that was interrupted may have no pip.
    here pip || "$python" -m venv --clear .venv
    # Compiled afterwards, on every processor; what some package has for another Python is left.
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
        --require-hashes -r requirements.lock
    .venv/bin/python -m compileall -q -j 0 .venv/lib >/dev/null || true
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        --no-deps --no-build-isolation -e .
    cat requirements.lock pyproject.toml >"$stamp"
fi

# Debian 12's own is of 2022, and its snapshots cannot hold a desktop.
if [ "$1" = test ] && [ ! -x .venv/gvisor/runsc ] && command -v apt-get >/dev/null; then
    scripts/fetch-runsc.sh .venv/gvisor
fi

if [ "$1" = test ] && { [ ! -d .venv/mcp-servers/python ] || [ ! -d .venv/mcp-servers/node ]; }; then
    scripts/fetch-mcp-servers.sh .venv/mcp-servers
fi
