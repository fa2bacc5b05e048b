#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# desktop.sh PREFIX [PATTERN]: the installed library with the devices of a sound server: PulseAudio, and PipeWire with its server
# for PulseAudio's protocol. Null sinks with properties are the devices. Runs on this machine and does not use the user's own
# servers.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd) || exit 1
only=${2:-*}
. "$here/listening.sh"
. "$here/sound-servers.sh"

start_desktop() {
    "start_$kind"
    [ $kind = pulseaudio ] || start_pipewire_pulse
    pactl set-sink-volume @DEFAULT_SINK@ 100%
}

# ---- Devices ----

# A null sink that stands for a device. Sets $module.
plug() { # name, properties
    module=$(pactl load-module module-null-sink "sink_name=$1" rate=48000 "sink_properties='$2'") || exit 1
    [ $kind = pulseaudio ] || head -c 1920 /dev/zero | pacat --device="$1" --rate=48000 --channels=2 --format=s16le
    pactl set-sink-volume "$1" 100%
}
unplug() { pactl unload-module "$module"; }

headset='device.description=Ears device.bus=bluetooth device.form_factor=headset device.api=bluez5'
screen='device.description=Screen device.form_factor=tv device.icon_name=video-display'
usb='device.description=Dock device.bus=usb device.form_factor=headset'

original=''
tidy() {
    # The programs that a failed test leaves: they keep its output open. The servers are no jobs.
    # shellcheck disable=SC2046
    kill $(jobs -p) 2>/dev/null
    pactl unload-module module-null-sink 2>/dev/null
    [ $kind = pulseaudio ] && pactl load-module module-null-sink sink_name=null >/dev/null
    [ -z "$original" ] || pactl set-default-sink "$original"
}

# ---- Tests of both servers ----

test_arrival() {
    start
    ask get crar
    check "$answer" 'route=-/Speaker'
    local round
    for round in 1 2; do
        plug ears "$headset"
        expect 'route reason=1 from=-/Speaker to=-/BluetoothA2DPOutput*'
        unplug
        expect 'route reason=2 from=-/BluetoothA2DPOutput to=-/Speaker*'
    done
    plug dock "$usb"
    expect 'route reason=1 from=-/Speaker to=-/USBOutput*'
    unplug
    expect 'route reason=2 from=-/USBOutput to=-/Speaker*'
    stop
}

test_default() {
    plug ears "$headset"
    pactl set-default-sink "$original"
    start
    ask get crar
    check "$answer" 'route=-/Speaker'
    local round
    for round in 1 2; do
        pactl set-default-sink ears
        expect 'route reason=4 from=-/Speaker to=-/BluetoothA2DPOutput*'
        pactl set-default-sink "$original"
        expect 'route reason=4 from=-/BluetoothA2DPOutput to=-/Speaker*'
    done
    unplug
    stop
}

# Music goes to the headset, a call does not: each is heard where its route says.
test_category() {
    start
    plug ears "$headset"
    expect 'route reason=1 from=-/Speaker to=-/BluetoothA2DPOutput*'
    pactl set-default-sink ears
    ask set acat plar
    ask get crar
    check "$answer" 'route=*/Speaker'
    await 'a stream on the other sink' plays_to "$original"
    stop
}

plays_to() {
    ask devices
    [[ $answer == *=$1* ]]
}

test_volume() {
    plug ears "$headset"
    start
    ask active 1
    pactl set-default-sink ears
    pactl set-sink-volume ears 40%
    expect 'chov 0.4*'
    pactl set-sink-mute ears 1
    expect 'chov 0.0*'
    pactl set-sink-mute ears 0
    expect 'chov 0.4*'
    # The volume of another sink is no event, so that the next one is that of the headset.
    pactl set-sink-volume "$original" 10%
    pactl set-sink-volume ears 70%
    expect 'chov *'
    check "$line" 'chov 0.7*'
    stop
}

test_others() {
    start
    ask get othr
    check "$answer" 0
    head -c 10000000 /dev/zero | pacat --playback --rate=48000 --channels=2 --format=s16le &
    local player=$!
    await 'a stream of another program' lists 'Sink Input' sink-inputs
    ask_until othr 1
    kill $player
    ask_until othr 0
    stop
}
lists() { pactl list "$2" | grep -q "$1"; } # text, objects
ask_until() { # property, value
    await "$1 = $2" has_value "$1" "$2"
}
has_value() {
    ask get "$1"
    [[ $answer == $2 ]]
}

# A queue plays numbered frames. The recording of each sink shows which frames it has played. The server moves the stream three times;
# what the former sink has taken from the stream and not played is not heard.
test_follow() {
    plug ears "$headset"
    local first=$module
    plug dock "$usb"
    pactl set-default-sink ears
    record_monitor ears ears.raw
    local ears=$recorder
    record_monitor "$original" original.raw
    local others=$recorder
    record_monitor dock dock.raw
    sound queue 4 &
    local player=$!
    await 'sound on the headset' sounds ears.raw
    pactl set-default-sink dock
    await 'sound on the dock' sounds dock.raw
    local heard
    heard=$(frames_of ears.raw)
    pactl set-default-sink ears
    await 'more sound on the headset' plays_more ears.raw "$heard"
    module=$first
    unplug
    wait $player || { echo "#   the player ended with $?"; exit 1; }
    await 'the last frame on another sink' plays_last dock.raw original.raw
    kill "$ears" "$others" "$recorder" 2>/dev/null
    order dock.raw >dock.order 2>dock.notes
    order ears.raw >ears.order 2>ears.notes
    cat ears.raw dock.raw original.raw >all.raw
    local heard_at_all
    heard_at_all=$(frames_of all.raw)
    echo "#   of 192000 frames were heard: $heard_at_all"
    [ "$heard_at_all" -ge $((192000 - 3 * 4800)) ] || exit 1
    echo "#   ears: $(cat ears.order); dock: $(cat dock.order)"
    [ "$(cut -d ' ' -f 1 dock.order)" -gt 48000 ] || { echo "#   the dock has played too little"; cat dock.notes; exit 1; }
}
record_monitor() { # sink, file
    $with_priority parec --device="$1.monitor" --rate=48000 --channels=2 --format=s16le --latency-msec=10 >"$2" 2>/dev/null &
    recorder=$!
    await "a recorder of $1" test -s "$2"
}
frames_of() { order "$1" 2>/dev/null | cut -d ' ' -f 1; }
sounds() { [ "$(frames_of "$1")" -gt 4800 ]; }
plays_more() { [ "$(frames_of "$1")" -gt $(($2 + 4800)) ]; }
# The sound of four seconds is heard to its last tenth of a second where the stream has gone.
plays_last() {
    local file
    for file; do
        [ "$(order "$file" 2>&1 >/dev/null | sed -n 's/^from frame .* to frame //p')" -ge $((4 * 48000 - 4800)) ] && return 0
    done
    return 1
}

test_restart() {
    plug ears "$headset"
    pactl set-default-sink ears
    start
    ask get crar
    check "$answer" 'route=-/BluetoothA2DPOutput'
    end_server
    expect 'died 1'
    local earlier=$before
    start_desktop
    expect 'died 0'
    # The headset has not come back. A server that needs more than three seconds loses its devices before it is back.
    [[ $earlier$before == *'route reason=2 from=-/BluetoothA2DPOutput'* ]] ||
        expect 'route reason=2 from=-/BluetoothA2DPOutput to=-/Speaker*'
    plug ears "$headset"
    expect 'route reason=1 from=-/Speaker to=-/BluetoothA2DPOutput*'
    unplug
    stop
}

# A server that is away until its devices are no longer known, twice. The speaker of ALSA's device takes the place of the server's
# and gives it back: there is no moment without a route.
test_away() {
    start
    local round
    for round in 1 2; do
        plug ears "$headset"
        expect 'route reason=1 from=-/Speaker to=-/BluetoothA2DPOutput*'
        end_server
        expect 'died 1'
        expect 'route reason=2 from=-/BluetoothA2DPOutput to=-/Speaker*'
        check "$before" '!(*route*)'
        start_desktop
        expect 'died 0'
        check "$before" '!(*reason=[27]*)'
    done
    plug ears "$headset"
    expect 'route reason=1 from=-/Speaker to=-/BluetoothA2DPOutput*'
    check "$before" '!(*reason=[27]*)'
    unplug
    stop
}

# A server that accepts a connection and never answers. No call of the program waits for it for longer than a quarter of a second; the
# limit leaves time for a busy machine.
test_silent() {
    [ $kind = pipewire ] || return 0
    local silent begin waited
    kill -9 "$pulse"
    rm -f "$XDG_RUNTIME_DIR/pulse/native"
    /usr/bin/python3 -c '
import socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
while True: server.accept()[0].detach()' "$XDG_RUNTIME_DIR/pulse/native" &
    silent=$!
    await 'the socket of the silent server' test -S "$XDG_RUNTIME_DIR/pulse/native"
    begin=$SECONDS
    start
    ask get crar
    check "$answer" 'route=-/Speaker'
    ask active 1
    check "$answer" 'kAudioSessionNoError*'
    ask get chov
    stop
    waited=$((SECONDS - begin))
    kill $silent
    start_pipewire_pulse
    [ $waited -le 4 ] || { echo "#   the calls waited for $waited s"; exit 1; }
}

test_absent() {
    export AUDIOSESSION_SERVERS=/nonexistent
    start
    ask get crar
    check "$answer" 'route=-/Speaker'
    plug ears "$headset"
    ask get crar
    check "$answer" 'route=-/Speaker'
    stop
    audiosessionctl doctor 2>&1 | grep -q "install audiosession-server-pulse" || { echo "#   doctor does not name the module"; exit 1; }
}

# A program that plays or records through the ALSA device `audiosession`, in a session that mixes with others.
through_session() { # category, program...
    ALSA_CONFIG_PATH=${ALSA_CONFIG_PATH:-/usr/share/alsa/alsa.conf}:$prefix/share/alsa/alsa.conf.d/60-audiosession.conf \
        AUDIOSESSION_CATEGORY=$1 AUDIOSESSION_OPTIONS=mix exec "${@:2}"
}

# Two sessions at once: the sounds have different lengths, so that the last frame tells which one a sink has played. On a busy machine
# PipeWire gives a recorder less than all.
test_two() {
    # Frames keep their numbers only at full volume.
    pactl set-sink-volume "$original" 100%
    plug ears "$headset"
    pactl set-default-sink ears
    record_monitor ears ears.raw
    local ears=$recorder
    record_monitor "$original" original.raw
    through_session PlayAndRecord aplay -q -D audiosession numbered-6.wav &
    local other=$!
    # PulseAudio refuses connections that many programs make at once.
    await 'the longer sound on the other sink' sounds original.raw
    through_session MediaPlayback aplay -q -D audiosession numbered-2.wav &
    local player=$!
    wait $player || exit 1
    wait $other || exit 1
    await 'the end of the longer sound on the other sink' plays_until original.raw 6
    kill "$ears" "$recorder" 2>/dev/null
    plays_until ears.raw 2 && [ "$(last_frame ears.raw)" -lt $((2 * 48000)) ] && return 0
    echo "#   the last frame on the headset: $(last_frame ears.raw)"
    exit 1
}
last_frame() { order "$1" 2>&1 >/dev/null | sed -n 's/^from frame .* to frame //p'; }
plays_until() { [ "$(last_frame "$1")" -ge $(($2 * 48000 - 4800)) ]; } # file, seconds

# Communication is "phone" in PulseAudio's protocol.
test_role() {
    [ $kind = pipewire ] || return 0
    through_session PlayAndRecord arecord -q -D audiosession -f dat /dev/null 2>/dev/null &
    local player=$!
    await 'a recording with the role Communication' lists 'media.role = "phone"' source-outputs
    kill $player
    through_session MediaPlayback aplay -q -D audiosession -f dat /dev/zero 2>/dev/null &
    player=$!
    await 'a stream of aplay' lists 'application.name = "PipeWire ALSA \[aplay\]"' sink-inputs
    lists 'media.role' sink-inputs && { echo '#   playback has a role'; exit 1; }
    kill $player
}

# All streams of a server run at the shortest period of any of them.
test_period() {
    [ $kind = pipewire ] || return 0
    local period player
    for period in 240 2400; do
        through_session MediaPlayback aplay -q -D audiosession -f dat --period-size=$period --buffer-size=$((4 * period)) \
            /dev/zero 2>/dev/null &
        player=$!
        await "a stream with periods of $period frames" lists "node.latency = \"$period/48000\"" sink-inputs
        kill $player
    done
}

# PipeWire's plug-in takes the title of a stream from its definition up to version 0.3.67, and the name of its node later.
lists_name() { lists "\(media\|node\).name = \"$1\"" sink-inputs; }

test_titles() {
    [ $kind = pipewire ] || return 0
    sound queue 2 &
    local player=$!
    await 'a stream with the name that the program has set' lists_name music
    wait $player
    ALSA_CONFIG_PATH=$ALSA_CONFIG_PATH:$prefix/share/alsa/alsa.conf.d/60-audiosession.conf \
        AUDIOSESSION_NAME='Radio of Ada' aplay -q -D audiosession -d 2 -f dat /dev/zero &
    player=$!
    await 'a stream with the name that the user has chosen' lists_name 'Radio of Ada'
    wait $player
    audiosessionctl run --name Radio aplay -q -d 2 -f dat /dev/zero &
    player=$!
    await 'a stream with the title that the user has chosen' lists 'media.name = "Radio"' sink-inputs
    wait $player
}

# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -g -O1 -o listen "$here/listen.c" $(pkg-config --cflags --libs audiosession) || exit 1
# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -g -O1 -o sound "$here/sound.c" $(pkg-config --cflags --libs audiotoolbox) -lm || exit 1
gcc -Wall -Wextra -Werror -g -O1 -o order "$here/order.c" || exit 1
/usr/bin/python3 "$here/sounds.py" . || exit 1

# Debian's package of PulseAudio makes its plug-in the default device while any server speaks its protocol. A desktop with PipeWire
# has PipeWire's plug-in.
prepare_desktop() {
    [ $kind = pipewire ] || return 0
    prepare_pipewire && "$here/../../tools/alsa-alone" alsa.conf || return 1
    ALSA_CONFIG_PATH=$scratch/alsa.conf:${ALSA_CONFIG_PATH#*:}
}

for kind in pulseaudio pipewire; do
    prepare_desktop || exit 1
    start_desktop
    original=$(pactl get-default-sink)
    promise arrival "$kind: a device that comes or goes changes the route, with the reason 1 or 2"
    promise default "$kind: a default chosen by hand changes the route, with the reason 4"
    promise category "$kind: a category that may not use the default plays to another sink, by its name"
    promise volume "$kind: the volume and the mute of the route's sink are events"
    promise others "$kind: OtherAudioIsPlaying tells of streams of other programs"
    promise follow "$kind: a running queue follows the default, and goes on when its sink goes"
    promise two "$kind: two sessions play to different sinks at the same time"
    promise role "$kind: the recording of a call has the role Communication, and playback has none"
    promise period "$kind: a stream asks for the period of its program"
    promise titles "$kind: a stream has the name of its session"
    promise absent "$kind: without the module there is a speaker, and the doctor says so"
    promise silent "$kind: a server that accepts a connection and never answers delays no call"
    # The test has started a new server.
    read -r server manager pulse <started
    promise restart "$kind: the devices are those of a server that is restarted"
    read -r server manager pulse <started
    promise away "$kind: a server that stays away and comes back leaves no moment without a route"
    read -r server manager pulse <started
    end_server
done
expect_silence
echo "desktop: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
