#!/usr/bin/env bash
# Brings MCP servers of other people's from PyPI and npm, for the tests: they are put into the
# directory given and nowhere else. Usage: scripts/fetch-mcp-servers.sh DIRECTORY
set -euo pipefail
target=$(realpath -m "$1")
cd "$(dirname "$0")/.."
mkdir -p "$target"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# A machine of image host runs them with this system's own Python, not with ours.
system=/usr/bin/python3
if [ -x "$system" ] && [ ! -d "$target/python" ]; then
    version=$("$system" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if ! .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        --only-binary=:all: --python-version "$version" --target "$target/.python" \
        'mcp-server-time==2026.10.19' 2>"$log"; then
        echo "note: MCP servers cannot be had from PyPI; they are not tested:" >&2
        tail -n 2 "$log" >&2
    else
        mv "$target/.python" "$target/python"
    fi
fi

if ! command -v npm >/dev/null; then
    echo "note: there is no npm; MCP servers of Node are not tested" >&2
elif [ ! -d "$target/node" ]; then
    mkdir -p "$target/.node"
    if ! npm install --prefix "$target/.node" --silent --no-audit --no-fund \
        '@modelcontextprotocol/server-everything@2026.8.31' \
        '@modelcontextprotocol/server-filesystem@2026.8.31' 2>"$log"; then
        echo "note: MCP servers cannot be had from npm; they are not tested:" >&2
        tail -n 2 "$log" >&2
    else
        mv "$target/.node" "$target/node"
    fi
fi
