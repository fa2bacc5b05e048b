#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# The first process of the guest: mounts the host's file system below an overlay in memory, and changes into it.
box=/bin/busybox
$box mount -t proc proc /proc
$box mount -t sysfs sys /sys
$box mount -t devtmpfs dev /dev
for module in /modules/*.ko; do $box insmod "$module" || echo "insmod $module failed"; done
options=trans=virtio,version=9p2000.L,msize=512000
$box mount -t 9p -o $options,ro,cache=loose hostroot /lower || { echo 'no host file system'; $box poweroff -f; }
$box mount -t tmpfs -o mode=755 tmpfs /rw
$box mkdir /rw/upper /rw/work
$box mount -t overlay -o lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work overlay /new
for word in $($box cat /proc/cmdline); do case $word in vm.out=*) out=${word#vm.out=} ;; esac; done
$box mkdir -p "/new$out" /new/.vm
$box mount -t 9p -o $options,rw,cache=none,access=any hostout "/new$out"
$box cp /bin/busybox /start /new/.vm/
for folder in proc sys dev; do $box mount --move /$folder /new/$folder; done
exec $box switch_root /new /.vm/busybox sh /.vm/start "$out"
