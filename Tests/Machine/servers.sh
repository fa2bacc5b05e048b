#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# servers.sh PREFIX [PATTERN]: the installed library with a sound server that plays `default`: PulseAudio and
# PipeWire, each with a null sink, through the ALSA plug-ins of Debian. Runs on this machine and does not use the
# user's own servers.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd) || exit 1
only=${2:-*}
"$here/../../tools/deps" servers || exit 1
. "$here/listening.sh"

mkdir -p "$here/../../.build/servers"
cache=$(cd "$here/../../.build/servers" && pwd)
scratch=$(mktemp -d "$cache/run.XXXXXX")
cd "$scratch" || exit 1
errors=$scratch/stderr
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig PATH=$scratch:$prefix/bin:$PATH
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/.config XDG_STATE_HOME=$scratch/home/.state
# The path of a socket is limited to 107 bytes.
XDG_RUNTIME_DIR=$(mktemp -d /tmp/servers.XXXXXX)
export XDG_RUNTIME_DIR
unset PULSE_SERVER PULSE_RUNTIME_PATH PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR AUDIOSESSION_DEBUG AUDIOSESSION_HARDWARE \
    AUDIOSESSION_RUNTIME_DIR ALSA_CONFIG_PATH ALSA_PLUGIN_DIR DBUS_SESSION_BUS_ADDRESS DISPLAY
mkdir -p "$XDG_CONFIG_HOME"
# ---- The servers ----

server='' manager='' bus=''
end_server() {
    local process
    for process in $server $manager; do
        kill -9 "$process" 2>/dev/null
        while kill -0 "$process" 2>/dev/null; do sleep 0.02; done
    done
    server='' manager=''
}

trap 'end_server; [ -z "$bus" ] || kill "$bus"; rm -rf "$scratch" "$XDG_RUNTIME_DIR"' EXIT

show="cat $scratch/server.log"
answers() { "$@" >/dev/null; }

start_pulseaudio() {
    pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no -L 'module-null-sink sink_name=null' \
        -L module-native-protocol-unix >>server.log 2>&1 &
    server=$!
    disown
    await 'an answer of PulseAudio' answers pactl info
    echo "$server" >started
}

# Debian's pipewire-alsa conflicts with pulseaudio: it is unpacked into a folder.
prepare_pipewire() {
    local library
    library=/usr/lib/$(gcc -print-multiarch)/alsa-lib
    if [ ! -d "$cache/pipewire" ]; then
        (cd "$cache" && apt-get -qq download pipewire-alsa 2>/dev/null && dpkg-deb -x pipewire-alsa_*.deb pipewire) || return 1
    fi
    mkdir -p plugins "$XDG_CONFIG_HOME/pipewire/pipewire.conf.d"
    ln -sf "$library"/*.so "$cache/pipewire$library"/*.so plugins/
    export ALSA_PLUGIN_DIR=$scratch/plugins
    ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$(echo "$cache"/pipewire/usr/share/alsa/alsa.conf.d/*.conf | tr ' ' :)
    export ALSA_CONFIG_PATH
    # No cameras and no headsets: these need the system bus, and there is a session bus only.
    mkdir -p "$XDG_CONFIG_HOME"/wireplumber/{main,bluetooth}.lua.d
    printf '%s.enabled = false\n' alsa_monitor v4l2_monitor libcamera_monitor >"$XDG_CONFIG_HOME/wireplumber/main.lua.d/80-off.lua"
    printf 'bluez_monitor.enabled = false\nbluez_monitor.properties["with-logind"] = false\n' \
        >"$XDG_CONFIG_HOME/wireplumber/bluetooth.lua.d/80-off.lua"
    { read -r DBUS_SESSION_BUS_ADDRESS && read -r bus; } < <(dbus-daemon --session --fork --print-address=1 --print-pid=1)
    export DBUS_SESSION_BUS_ADDRESS
    cat >"$XDG_CONFIG_HOME/pipewire/pipewire.conf.d/null.conf" <<'CONFIGURATION'
context.objects = [
    { factory = adapter args = { factory.name = support.null-audio-sink node.name = void media.class = Audio/Sink
        object.linger = true audio.position = [ FL FR ] monitor.channel-volumes = true } }
    { factory = adapter args = { factory.name = support.null-audio-sink node.name = silence media.class = Audio/Source
        object.linger = true audio.position = [ FL FR ] } }
]
CONFIGURATION
}

start_pipewire() {
    pipewire >>server.log 2>&1 &
    server=$!
    disown
    await 'an answer of PipeWire' answers pw-cli info 0
    wireplumber >>server.log 2>&1 &
    manager=$!
    disown
    await 'a sink of WirePlumber' answers amixer -D default sget Master
    echo "$server $manager" >started
}

# ---- Tests of both servers ----

tidy() { [ -z "${LISTEN_PID:-}" ] || kill "$LISTEN_PID" 2>/dev/null; }

test_route() {
    start
    ask set acat plar
    ask get crar
    check "$answer" 'route=MicrophoneBuiltIn/Speaker'
    ask devices
    check "$answer" 'default/default'
    ask get chsr
    check "$answer" 48000
    ask active 1
    check "$answer" 'kAudioSessionNoError*'
    ask took
    echo "#   Initialize took $answer ms"
    stop
}

# A session manager that has just started may not have its devices yet: repeat until the level is set.
set_level() { # control, level
    await "the level $2 of $1" level_is_set "$1" "$2"
}
level_is_set() { amixer -q -D default sset "$1" "$2" && [[ $(amixer -D default sget "$1") == *"[$2]"* ]]; }

test_level() {
    set_level Master 100%
    start
    ask get chov
    check "$answer" 1.0000
    set_level Master 25%
    expect 'chov 0.2*'
    check "0.$(amixer -D default sget Master | sed -n 's/.*\[\([0-9]*\)%\].*/\1/p' | head -n 1)" "$(printf '%.2f' "${line#* }")"
    amixer -q -D default sset Master mute
    expect 'chov 0.0000'
    amixer -q -D default sset Master unmute
    expect 'chov 0.2*'
    # amixer sets one channel after the other.
    local round
    for round in 1 2 3; do
        amixer -q -D default sset Master 75%
        expect 'chov 0.7*'
        amixer -q -D default sset Master 50%
        expect 'chov 0.5*'
        amixer -q -D default sset Master 25%
        expect 'chov 0.2*'
    done
    stop
}

test_gain() {
    set_level Capture 100%
    start
    ask set acat plar
    ask get igav
    check "$answer" 1
    ask active 1
    ask set igsc 0.5
    ask get igsc
    check "$answer" '0.5*'
    check "$(amixer -D default sget Capture)" '*\[50%\]*'
    ask active 0
    check "$(amixer -D default sget Capture)" '*\[100%\]*'
    stop
}

test_death() {
    start
    ask active 1
    check "$answer" 'kAudioSessionNoError*'
    local round
    for round in 1 2 3; do
        kill -9 "$server"
        expect 'died 1'
        ask active 1
        check "$answer" 'kAudioSessionUnspecifiedError*'
        end_server
        "start_$kind"
        expect 'died 0'
        ask active 1
        check "$answer" 'kAudioSessionNoError*'
        ask devices
        check "$answer" '-/default'
    done
    stop
}

test_halted() {
    start
    ask active 1
    kill -STOP "$server"
    ask get crar
    ask get chsr
    ask set acat plar
    ask set igsc 0.5
    start2=$(printf 'get crar\nexit\n' | timeout 60 listen)
    check "$start2" '= ready*= crar *'
    kill -CONT "$server"
    ask get chsr
    check "$answer" 48000
    stop
}

. "$here/conformance.sh"

# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -g -O1 -o listen "$here/listen.c" $(pkg-config --cflags --libs audiosession) || exit 1
"$here/../Programs/Conformance/build.sh" "$prefix" conformance || exit 1

for kind in pulseaudio pipewire; do
    [ $kind = pulseaudio ] || prepare_pipewire || exit 1
    "start_$kind"
    promise route "$kind: the device is default, a speaker and a microphone"
    promise level "$kind: the volume is the server's, and a change by amixer is reported"
    promise gain "$kind: the gain is the server's"
    promise halted "$kind: a stopped server blocks no caller"
    promise death "$kind: its death and its return are reported"
    # The last test has started a new server.
    read -r server manager <started
    promise conformance "$kind: the programs that test the C functions pass"
    end_server
done
expect_silence
echo "servers: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
