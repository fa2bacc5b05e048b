# Waking from sleep, the last of all: the host's file system does not survive it in the guest, so that the
# program runs on a copy in memory, under a shell that needs nothing else. What came of it is told on the
# console.
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
tell() { echo "sleep: $1" >/dev/console; $box poweroff -f; }
$box mkfifo /tmp/to /tmp/from
/bin/listen </tmp/to >/tmp/from 2>/dev/null &
exec 3>/tmp/to 4</tmp/from
read -r heard <&4
[ "$heard" = '= ready' ] || tell "not ok: $heard"
echo 'get crar' >&3
read -r heard <&4
echo core >/sys/power/pm_test
echo mem >/sys/power/state
while read -r -t 60 heard <&4; do case $heard in 'route reason=6 from=-/Speaker to=-/Speaker '*) tell ok ;; esac; done
tell "not ok: nothing was heard"
INSIDE
exec $box chroot $root /bin/busybox sh /inside
