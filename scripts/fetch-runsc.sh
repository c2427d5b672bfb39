#!/usr/bin/env bash
# Brings gVisor's runsc of Debian 13 to a Debian whose own is too old, for the tests: nothing is
# installed, the program is unpacked into the directory given. Usage: scripts/fetch-runsc.sh DIRECTORY
set -euo pipefail
target=$(realpath -m "$1")
suite=trixie

mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' \
    | awk '$2 == "Debian" { print $1; exit }')
keys=/usr/share/keyrings/debian-archive-keyring.gpg
if [ -z "$mirror" ] || [ ! -e "$keys" ]; then
    echo "note: no Debian mirror is known here; gVisor is not tested" >&2
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The user that apt downloads as has to get there.
chmod 755 "$work"
mkdir -p "$work"/{lists/partial,cache/archives/partial,parts}
cat >"$work/apt.conf" <<END
Dir::State "$work";
Dir::State::status "/dev/null";
Dir::State::lists "$work/lists";
Dir::Cache "$work/cache";
Dir::Etc::sourcelist "$work/list";
Dir::Etc::sourceparts "$work/parts";
APT::Sandbox::User "root";
END
echo "deb [signed-by=$keys] $mirror $suite main" >"$work/list"
export APT_CONFIG="$work/apt.conf"
cd "$work"
if ! { apt-get update -qq && apt-get download -qq runsc; } >"$work/log" 2>&1; then
    echo "note: runsc of $suite cannot be had; gVisor is not tested:" >&2
    tail -n 2 "$work/log" >&2
    exit 0
fi
dpkg -x runsc_*.deb "$work/tree"
mkdir -p "$target"
mv "$work/tree/usr/bin/runsc" "$target/runsc"
