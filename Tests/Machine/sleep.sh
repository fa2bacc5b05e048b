# SPDX-License-Identifier: Apache-2.0
# System sleep, the last test: the guest loses the host's file system in it. The program and a shell run from a
# copy in memory. The result is a line on the console.
box=/.vm/busybox
root=/tmp/sleep
$box mkdir -p $root/tmp $root/dev $root/proc $root/sys $root/run $root/bin
cp $box $root/bin/busybox
cp "$VM_OUT/listen" $root/bin/
for file in $(ldd "$VM_OUT/listen" | sed -n 's/.*[ \t]\(\/[^ ]*\) (.*/\1/p') /usr/share/alsa; do cp -rL --parents "$file" $root; done
for folder in dev proc sys; do $box mount --bind /$folder $root/$folder; done
cat >$root/inside <<'INSIDE'
box=/bin/busybox
export XDG_RUNTIME_DIR=/run HOME=/tmp
finish() { echo "sleep: $1" >/dev/console; $box poweroff -f; }
$box mkfifo /tmp/to /tmp/from
/bin/listen </tmp/to >/tmp/from 2>/dev/null &
exec 3>/tmp/to 4</tmp/from
read -r line <&4
[ "$line" = '= ready' ] || finish "not ok: $line"
echo 'get crar' >&3
read -r line <&4
echo core >/sys/power/pm_test
echo mem >/sys/power/state
while read -r -t 60 line <&4; do case $line in 'route reason=6 from=-/Speaker to=-/Speaker '*) finish ok ;; esac; done
finish "not ok: no route change was reported"
INSIDE
exec $box chroot $root /bin/busybox sh /inside
