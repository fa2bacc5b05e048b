#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: runs the tests and counts them.
set -u
cd "$VM_OUT"
errors=/tmp/errors files=/tmp/files
. ./listening.sh
export PATH="$files:$PATH" XDG_RUNTIME_DIR=/run HOME=/tmp
[ -n "${AUDIOSESSION_DEBUG:-}" ] || unset AUDIOSESSION_DEBUG
export -n AUDIOSESSION_HARDWARE

# Restricts the program to one card.
use_only() {
    local card
    export HOME=/tmp/only-$1
    mkdir -p "$HOME"
    for card in HDA Dummy Loopback; do
        [ $card = "$1" ] || echo "defaults.audiosession.cards.$card { output none input none }"
    done >"$HOME/.asoundrc"
}

# Runs the program as a user without permissions, from a copy that this user can read.
as_nobody() {
    cp $files/{listen,audiosessionctl} /tmp/
    PATH=/tmp:$PATH
    nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups env AUDIOSESSION_RUNTIME_DIR=/tmp/nobody)
}

# ---- The machine ----

qmp() {
    echo "$1" >&7
    while IFS= read -r -t "$limit" reply <&7; do [[ $reply == *'"return"'* || $reply == *'"error"'* ]] && break; done
    [[ $reply == *'"return"'* ]] || { echo "#   waited for the machine to do $1; it answered: $reply"; exit 1; }
}

usb_card() { sed -n 's/^ *\([0-9]*\) \[Audio .*/\1/p' /proc/asound/cards; }
plug_usb() { qmp '{"execute":"device_add","arguments":{"driver":"usb-audio","id":"u1","audiodev":"usb"}}'; }
unplug_usb() { qmp '{"execute":"device_del","arguments":{"id":"u1"}}'; }

# Removes the traces of a test.
tidy() {
    HOME=/tmp
    chmod 755 /dev/snd
    chmod 666 /dev/snd/*
    # shellcheck disable=SC2046
    kill $(jobs -p) 2>/dev/null
    [ ! -e /proc/asound/Audio ] || (unplug_usb) >/dev/null
    await 'the removal of the USB card' test ! -e /proc/asound/Audio
    local jack
    for jack in 'Headphone Jack' 'Headset Mic Jack'; do element Dummy jack "$jack" 0; done
}

# ---- Tests ----

# ALSA without the sound servers of the host.
rm -f /etc/alsa/conf.d/* /etc/asound.conf
exec 7<>/dev/virtio-ports/qmp
qmp '{"execute":"qmp_capabilities"}'

# A file of the host delays a program for as long as the host is busy, and in virtual time for longer. All that the tests use is
# copied into the memory of the guest: what run.sh has built, folders that programs list, and by a change of their times the files
# below the overlay.
mkdir $files
for file in *; do
    case $file in initrd | console.log | conformance | *.wav | *.sock) ;; *) cp -r "$file" $files/ ;; esac
done
prefix=$(cat prefix)
for folder in /etc /usr/share/alsa "$prefix"; do
    mkdir -p "/tmp/folders$folder"
    cp -a "$folder/." "/tmp/folders$folder"
    /.vm/busybox mount --bind "/tmp/folders$folder" "$folder"
done
commands='bash sh awk sed grep cat cp cut date env chmod head tail ln ls mkdir mkfifo mktemp mv rm sleep sort stat tr uniq wc xargs
    ldd realpath setpriv timeout touch aplay arecord amixer modprobe'
commands=$(for command in $commands; do command -v "$command"; done)
{
    # shellcheck disable=SC2086
    realpath $commands
    # Modules of the library and of libc are loaded while a program runs.
    modules=$(find "$prefix/lib" /usr/lib/*/libnss_*.so.* -name '*.so*' -type f)
    # shellcheck disable=SC2086
    ldd $commands $files/{listen,pull,sound,hear,*.so} $modules 2>/dev/null | sed -n 's/.*[ \t]\(\/[^ ]*\) (.*/\1/p'
    echo "$modules"
    find /usr/lib/*/alsa-lib /usr/lib/locale /usr/share/locale/locale.alias /usr/lib/*/gconv/gconv-modules.cache -type f
    find -L /lib/modules -name 'modules.*' -type f
} | sort -u >/tmp/used
xargs touch -c </tmp/used
# Links as well: they are read at each use.
{ echo "$commands" && cat /tmp/used && find /bin /lib /lib64 -maxdepth 2 -type l; } | xargs touch -ch
only=$1 clock=$2
for file in "$VM_OUT"/test-{cards,sound,toolbox,server,user,trouble}.sh; do . "$file"; done
[ "$clock" = virtual ] || . "$VM_OUT/test-desktop.sh"
if [ -d conformance ]; then
    . ./conformance.sh
    promise conformance 'the programs that test the C functions pass'
fi
expect_silence
echo "machine: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
echo $? >"$VM_OUT/status"
# shellcheck disable=SC2053
[[ sleep == $only ]] && exec /.vm/busybox sh "$VM_OUT/sleep.sh"
