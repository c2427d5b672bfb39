#!/bin/sh
# Makes a desk in a system that Carrel was lent, and is run in it as root: walls of its own, within
# them the tree of an image, and the guest program as its agent. Its standard input and output are
# the guest's line, and all ends with them.
set -eu
umask 022
home=${0%/*}
. "$home/orders"

die() {
    echo "{\"cause\": \"the machine could not start: $1\"}" >&2
    exit 1
}

if [ "${1-}" != within ]; then
    [ "$(id -u)" = 0 ] || die "its root is needed, and this is user $(id -u)"
    command -v unshare > /dev/null || die "its system has no unshare (package util-linux)"
    set -- --mount --pid --ipc --uts --fork --kill-child
    [ "$NETWORK" = shared ] || set -- "$@" --net
    exec unshare "$@" /bin/sh "$0" within
fi

root=$home/root
mkdir -p "$root"
mount --make-rprivate /
# The tree alone: nothing that the system has mounted anywhere in it comes along.
mount --bind "$IMAGE" "$root" || die "the image is not there"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount -t sysfs -o ro,nosuid,nodev,noexec sys "$root/sys"
mount -t tmpfs -o mode=755,nosuid dev "$root/dev"
for node in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
    name=${node%%:*} numbers=${node#*:}
    mknod -m 666 "$root/dev/$name" c "${numbers%:*}" "${numbers#*:}"
done
for link in fd:/proc/self/fd stdin:/proc/self/fd/0 stdout:/proc/self/fd/1 stderr:/proc/self/fd/2; do
    ln -s "${link#*:}" "$root/dev/${link%%:*}"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777,nosuid,nodev shm "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 pts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
for place in /tmp /var/tmp; do
    mount -t tmpfs -o mode=1777,nosuid,nodev tmp "$root$place"
done
mount -t tmpfs -o mode=755,nosuid,nodev run "$root/run"
mkdir -p "$root$BUNDLE" "$root/run/user/$AGENT"
mount --bind "$home/bundle" "$root$BUNDLE"
mount -o remount,bind,ro "$root$BUNDLE"
chown "$AGENT:$AGENT" "$root/run/user/$AGENT"
chmod 700 "$root/run/user/$AGENT"
if [ -d "$home/shared" ]; then
    mkdir -p "$root/mnt/shared"
    mount --bind "$home/shared" "$root/mnt/shared"
fi

hostname "$NAME"
echo "$IDENTITY" > "$root/etc/machine-id"
echo "127.0.0.1 localhost $NAME" > "$root/etc/hosts"
if [ "$NETWORK" = shared ]; then
    # It may be a link to a file that other systems share.
    servers=$(cat /etc/resolv.conf 2> /dev/null || :)
    rm -f "$root/etc/resolv.conf"
    echo "$servers" > "$root/etc/resolv.conf"
else
    # 0x8914 sets an interface's flags: up, running.
    chroot "$root" "$PYTHON" -S -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x41))' \
        || die "its loopback could not be made"
fi
cp "$home/start" "$root/run/carrel-start"

cd /
exec chroot "$root" /usr/bin/prlimit --nproc="$PIDS:$PIDS" --nofile=4096:4096 \
    /usr/bin/setpriv --reuid="$AGENT" --regid="$AGENT" --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all /bin/sh /run/carrel-start
