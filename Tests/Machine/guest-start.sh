# SPDX-License-Identifier: Apache-2.0
# Runs in the guest's file system: loads the sound drivers and runs the command of the host.
out=$1
box=/.vm/busybox
export VM_OUT="$out"
$box mkdir -p /dev/shm /dev/pts /dev/virtio-ports
$box mount -t tmpfs tmpfs /dev/shm
$box mount -t devpts devpts /dev/pts
$box mount -t tmpfs tmpfs /run
# The project may be in /tmp: then /tmp is not replaced.
case $out in /tmp/*) ;; *) $box mount -t tmpfs tmpfs /tmp ;; esac
$box ln -sf /proc/self/fd /dev/fd
for number in 0 1 2; do
    case $number in 0) name=stdin ;; 1) name=stdout ;; 2) name=stderr ;; esac
    $box ln -sf /proc/self/fd/$number /dev/$name
done
$box ip link set lo up 2>/dev/null
for port in /sys/class/virtio-ports/*; do
    [ -e "$port/name" ] && $box ln -s "../${port##*/}" "/dev/virtio-ports/$($box cat "$port/name")"
done
$box mkdir -p /lib/modules
$box mount --bind "$($box cat "$out/kernel")/lib/modules" /lib/modules
while read -r module; do /sbin/modprobe $module || echo "modprobe $module failed"; done <"$out/modules"
# The kernel looks for cards on a bus in the background. Wait for the first one.
tries=0
until $box grep -q HDA /proc/asound/cards 2>/dev/null; do
    [ $tries -lt 1200 ] || { echo 'waited 60 s for the card HDA; there is instead:' && $box cat /proc/asound/cards && break; }
    $box usleep 50000
    tries=$((tries + 1))
done
$box mkfifo /.vm/o /.vm/e
$box cat /.vm/o >/dev/virtio-ports/out &
first=$!
$box cat /.vm/e >/dev/virtio-ports/err &
second=$!
/bin/bash "$out/command" >/.vm/o 2>/.vm/e </dev/null
status=$?
tries=0
while { kill -0 $first || kill -0 $second; } 2>/dev/null && [ $tries -lt 40 ]; do
    $box usleep 50000
    tries=$((tries + 1))
done
[ -s "$out/status" ] || echo $status >"$out/status"
$box sync
$box poweroff -f
