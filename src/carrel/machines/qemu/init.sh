#!/bin/busybox sh
# Process 1 of a virtual machine. It makes the machine ready, starts the guest program as its agent,
# and when that has ended puts the disk in order and switches the machine off.
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev

die() {
    echo "{\"cause\": \"the machine could not start: $1\"}"
    sync
    reboot -f
}

. /etc/carrel/machine

# A network card is there to be seen: it leads nowhere, and nothing is sent on it unasked. With an
# address of IPv6 alone on it, programs would take IPv4 for missing.
echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6
listed="/etc/modules ${LAYERED:+/etc/modules.layered} ${CARD:+/etc/modules.card}"
for module in $(cat $listed); do
    insmod "/lib/modules/$module.ko" || echo "init: $module was not loaded"
done
# The name in /dev of the line that QEMU calls $1.
port() {
    for place in /sys/class/virtio-ports/*; do
        [ "$(cat "$place/name" 2> /dev/null)" != "$1" ] || echo "${place##*/}"
    done
}
# Whether the host can be reached by a socket: the kind of virtio device that is called 19.
has_vsock() {
    grep -qsx 0x0013 /sys/bus/virtio/devices/*/device
}
BUNDLE_DISK=/dev/vdb
[ -z "$LAYERED" ] || BUNDLE_DISK=/dev/vdc
tries=0
while [ ! -b $BUNDLE_DISK ] || { [ -z "$(port carrel-init)" ] && ! has_vsock; }; do
    tries=$((tries + 1))
    [ $tries -lt 500 ] || die "its devices did not appear"
    sleep 0.01
done

if [ -n "$LAYERED" ]; then
    # An image that many machines read, and what this one has changed.
    mkdir /base /layer
    mount -t ext4 -o ro,noload /dev/vda /base || die "its image cannot be mounted"
    mount -t ext4 -o noatime /dev/vdb /layer || die "its disk cannot be mounted"
    mkdir -p /layer/upper /layer/work
    layers=lowerdir=/base,upperdir=/layer/upper,workdir=/layer/work
    mount -t overlay -o "$layers" machine /machine || die "its disk does not fit on its image"
else
    mount -t ext4 -o noatime /dev/vda /machine || die "its disk cannot be mounted"
fi
# What the agent sees there are its own processes only.
mount -t proc -o nosuid,nodev,noexec,hidepid=2 proc /machine/proc
mount -t sysfs -o nosuid,nodev,noexec,ro sys /machine/sys
mount -t tmpfs -o mode=755,nosuid dev /machine/dev
for node in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
    name=${node%%:*} numbers=${node#*:}
    mknod -m 666 "/machine/dev/$name" c "${numbers%:*}" "${numbers#*:}"
done
for link in fd:/proc/self/fd stdin:/proc/self/fd/0 stdout:/proc/self/fd/1 stderr:/proc/self/fd/2; do
    ln -s "${link#*:}" "/machine/dev/${link%%:*}"
done
if [ -e /etc/carrel/grow ]; then
    mknod -m 600 /machine/dev/vda b $(tr : ' ' < /sys/class/block/vda/dev)
    chroot /machine resize2fs /dev/vda || echo "init: the disk was not grown"
    rm /machine/dev/vda
fi
mkdir /machine/dev/shm /machine/dev/pts
mount -t tmpfs -o mode=1777,nosuid,nodev shm /machine/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 pts /machine/dev/pts
ln -s pts/ptmx /machine/dev/ptmx
mount -t tmpfs -o mode=1777,nosuid,nodev tmp /machine/tmp
mount -t tmpfs -o mode=755,nosuid,nodev run /machine/run
mkdir -p "/machine$BUNDLE" "/machine/run/user/$AGENT"
mount -t ext4 -o ro,noload $BUNDLE_DISK "/machine$BUNDLE" || die "the guest program cannot be mounted"
chown "$AGENT:$AGENT" "/machine/run/user/$AGENT"
chmod 700 "/machine/run/user/$AGENT"
# The agent's own line to the outside, and nothing else of the hardware.
if has_vsock; then
    export LINE="--vsock $LINE_PORT"
else
    mknod -m 600 /machine/dev/line c $(tr : ' ' < "/sys/class/virtio-ports/$(port carrel)/dev")
    chown "$AGENT:$AGENT" /machine/dev/line
    export LINE="--device /dev/line"
fi

# A part of Chromium ends when it has not reached the others within 15 seconds, which an imitated
# processor takes at times; and a page that it was to load then never comes.
if [ -d /machine/etc/chromium.d ]; then
    echo 'CHROMIUM_FLAGS="$CHROMIUM_FLAGS --ipc-connection-timeout=600"' > /machine/etc/chromium.d/patience
fi

# What a machine is called is in memory: a disk takes its time, and a copy is told as it wakes up.
call() {
    echo "$1" > /proc/sys/kernel/hostname
    echo "127.0.0.1 localhost $1" > /own/hosts
}
mkdir /own
call "$NAME"
echo "$IDENTITY" > /own/machine-id
for file in hosts machine-id; do
    : >> "/machine/etc/$file"
    mount -o bind "/own/$file" "/machine/etc/$file" || die "it cannot be given its own /etc/$file"
done
ifconfig lo 127.0.0.1 up
[ -z "$CARD" ] || ifconfig eth0 up || die "its network card was not found"
# Whether the network card has the address $1.
card_is() {
    read -r found < /sys/class/net/eth0/address && [ "$found" = "$1" ]
}
# The address is read when the card is found: a copy finds its own anew.
find_card() {
    drivers=/sys/bus/virtio/drivers/virtio_net
    for card in "$drivers"/virtio[0-9]*; do
        echo "${card##*/}" > "$drivers/unbind"
        echo "${card##*/}" > "$drivers/bind"
    done
    ifconfig eth0 up
}
date -s "@$NOW" > /dev/null
# Programs share the processor, not their threads: the guest is one thread, a browser a hundred,
# which all wake up at once in a copy.
echo 1 > /proc/sys/kernel/sched_autogroup_enabled
echo 1 > /proc/sys/kernel/dmesg_restrict
echo 2 > /proc/sys/kernel/kptr_restrict

mount -t cgroup2 cgroup /sys/fs/cgroup
echo +pids > /sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/agent
echo "$PIDS" > /sys/fs/cgroup/agent/pids.max || die "the number of its processes cannot be limited"

# How urgent the guest is, but not what it starts: each of that has a session of its own.
favour() {
    echo "$1" > "/proc/$guest/autogroup"
}
# The next word from the machine's owner. A guest is urgent until nothing was said for so long.
next_word() {
    if [ -n "$urgent" ]; then
        read -r -t "$urgent" word value && return
        urgent=
        favour 0
    fi
    read -r word value
}
# Words from the machine's owner, which only process 1 can hear: what a copy is not to share with
# the machine that it was copied from. No program is started for them, see attune.py.
obey() {
    while next_word; do
        case $word in
            # In a copy all programs wake up at once: before any of them, the guest is to answer.
            urgent) favour -10 && urgent=$value ;;
            clock) echo "$value" >&4 ;;
            identity) echo "$value" > /own/machine-id ;;
            name) call "$value" ;;
            entropy)
                echo "$value" > /dev/urandom
                echo 0 >&4
                read -r -t 45 failed <&5 && [ "$failed" = 0 ] || lacks="$lacks chance of its own,"
                ;;
            card)
                card_is "$value" || find_card
                card_is "$value" || lacks="$lacks its network card,"
                ;;
            # One that lacks anything is given up by its owner.
            heard) echo "$value${lacks%,}" >&3 ;;
        esac
    done
}
hear() {
    exec 3> /dev/null 4<> /attune.in 5<> /attune.out
    attune <&4 >&5 &
    if has_vsock; then
        # This shell knows no such socket. Only root can listen on a port below 1024.
        chroot /machine "$PYTHON" -I -S -c "$(cat /etc/carrel/hear)" "$WORDS_PORT" | obey
        return
    fi
    words=/dev/$(port carrel-init)
    while :; do
        exec 3<> "$words"
        obey <&3
        sleep 0.2
    done
}
mkfifo /attune.in /attune.out

setsid sh /etc/carrel/start < /dev/null &
guest=$!
# Who hears the owner goes before all programs of the machine: that has little to do.
renice -n -10 -p 1
hear &
wait $guest
echo "init: the guest ended with status $?"
kill -TERM -1
sync
umount -l /machine/proc /machine/sys 2> /dev/null
mount -o remount,ro /machine || sync
[ -z "$LAYERED" ] || mount -o remount,ro /layer || sync
reboot -f
