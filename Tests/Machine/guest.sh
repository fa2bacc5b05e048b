#!/bin/bash
# In the guest: runs the tests, each in a shell of its own, and counts. A test is a sentence that holds
# when each of its steps does.
set -u
cd "$VM_OUT"
export PATH="$VM_OUT:$PATH" XDG_RUNTIME_DIR=/run HOME=/tmp
[ -n "${AUDIOSESSION_DEBUG:-}" ] || unset AUDIOSESSION_DEBUG
export -n AUDIOSESSION_HARDWARE

# ---- The program under test ----

# Starts the listening program; its words arrive in $heard, what it says on standard error in a file.
start() { # how
    coproc LISTEN { exec "$@" listen 2>>"$VM_OUT/stderr"; }
    to=${LISTEN[1]} from=${LISTEN[0]} listener=$LISTEN_PID
    expect '= ready'
}

# Leaves the program one card.
use_only() {
    local card
    export HOME=/tmp/only-$1
    mkdir -p "$HOME"
    for card in HDA Dummy Loopback; do
        [ $card = "$1" ] || echo "defaults.audiosession.cards.$card { output none input none }"
    done >"$HOME/.asoundrc"
}

stop() {
    echo exit >&"$to"
    wait "$listener"
}

# Reads lines until one fits the pattern; what came before is kept in $before.
expect() {
    before=''
    local deadline=$((SECONDS + 20))
    while [ $SECONDS -lt $deadline ] && IFS= read -r -t 20 heard <&"$from"; do
        # shellcheck disable=SC2053
        [[ $heard == $1 ]] && return 0
        before+="$heard"$'\n'
    done
    echo "#   expected: $1"
    echo "#   heard: ${before//$'\n'/ | }"
    exit 1
}

say() { echo "$*" >&"$to"; }

# What the program answers, without the first two words.
ask() {
    say "$@"
    expect "[=!]*"
    answer=${heard#* * }
}

# Whether the program says something to people who ask for it.
logged() { # what, how
    echo exit | AUDIOSESSION_DEBUG=1 "${@:2}" listen 2>&1 >/dev/null | grep -qF "$1" || { echo "#   nothing was said about: $1"; exit 1; }
}

# As a user who has no rights, with a copy of the program that such a user can reach.
as_nobody() {
    cp "$VM_OUT/listen" "$(command -v audiosessionctl)" /tmp/
    PATH=/tmp:$PATH
    nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups env AUDIOSESSION_RUNTIME_DIR=/tmp/nobody)
}

check() { [[ $1 == $2 ]] || { echo "#   expected: $2"; echo "#   was: $1"; exit 1; }; }

# ---- The machine ----

qmp() {
    echo "$1" >&7
    while IFS= read -r -t 20 reply <&7; do [[ $reply == *'"return"'* || $reply == *'"error"'* ]] && break; done
    [[ $reply != *'"error"'* ]] || { echo "#   $reply"; exit 1; }
}

usb_card() { sed -n 's/^ *\([0-9]*\) \[Audio .*/\1/p' /proc/asound/cards; }
plug_usb() { qmp '{"execute":"device_add","arguments":{"driver":"usb-audio","id":"u1","audiodev":"usb"}}'; }
unplug_usb() { qmp '{"execute":"device_del","arguments":{"id":"u1"}}'; }

# What a test may have left.
tidy() {
    HOME=/tmp
    chmod 755 /dev/snd
    chmod 666 /dev/snd/*
    [ -z "${LISTEN_PID:-}" ] || kill "$LISTEN_PID" 2>/dev/null
    [ ! -e /proc/asound/Audio ] || (unplug_usb) >/dev/null
    while [ -e /proc/asound/Audio ]; do sleep 0.05; done
    local jack
    for jack in 'Headphone Jack' 'Headset Mic Jack'; do element Dummy jack "$jack" 0; done
}

# ---- Tests ----

# ALSA as it is by itself, whatever sound servers are installed on the host.
rm -f /etc/alsa/conf.d/* /etc/asound.conf
passed=0 failed=0
exec 7<>/dev/virtio-ports/qmp
qmp '{"execute":"qmp_capabilities"}'

# Each file in this folder defines functions named test_*, each with its sentence in the variable of that name.
promise() {
    local name=$1 sentence=$2
    # shellcheck disable=SC2053
    [[ $name == $only ]] || return 0
    if output=$(trap tidy EXIT; "test_$name" 2>&1); then
        echo "ok - $sentence"
        [ -z "$output" ] || echo "$output"
        passed=$((passed + 1))
    else
        echo "not ok - $sentence"
        echo "$output"
        failed=$((failed + 1))
    fi
}

only=$1
for file in "$VM_OUT"/test-{cards,server,user,trouble,conformance}.sh; do . "$file"; done
if [ -s "$VM_OUT/stderr" ]; then
    echo 'not ok - nothing of the library or of libasound reaches standard error'
    sed 's/^/#   /' "$VM_OUT/stderr"
    failed=$((failed + 1))
fi
echo "machine: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
echo $? >"$VM_OUT/status"
# shellcheck disable=SC2053
[[ sleep == $only ]] && exec /.vm/busybox sh "$VM_OUT/sleep.sh"
