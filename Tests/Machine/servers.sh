#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# servers.sh PREFIX [PATTERN]: the installed library with a sound server that plays `default`: PulseAudio and
# PipeWire, each with a null sink, through the ALSA plug-ins of Debian. Runs on this machine and does not use the
# user's own servers.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd) || exit 1
only=${2:-*}
. "$here/listening.sh"
. "$here/sound-servers.sh"
# Frames: every one of them is expected in a recording.
least_quantum=1024

# ---- Tests of both servers ----

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

# ---- Sound: what the null sink plays ----

# The name of the server for the user, and that of its PCM.
title() { [ "$kind" = pipewire ] && echo PipeWire || echo PulseAudio; }
server_pcm() { [ "$kind" = pipewire ] && echo pipewire || echo pulse; }

# Frames keep their numbers only at full volume.
recorder=''
start_recording() { # file
    set_level Master 100%
    rm -f "$1"
    if [ "$kind" = pipewire ]; then
        PIPEWIRE_PROPS='{ stream.capture.sink = true, target.object = void }' \
            $with_priority arecord -q -D pipewire -t raw -f S16_LE -c 2 -r 48000 "$1" 2>>server.log &
    else
        $with_priority parec -d null.monitor --latency-msec=20 --raw --format=s16le --rate=48000 --channels=2 >"$1" 2>>server.log &
    fi
    recorder=$!
    await 'a recording of the null sink' test -s "$1"
}
# parec ends with the server.
stop_recording() {
    kill "$recorder" 2>/dev/null
    wait "$recorder"
    recorder=''
}
last_frame() { order "$1" 2>&1 >/dev/null | sed -n 's/^from frame .* to frame //p'; } # file
reaches() { [ "$(last_frame "$1")" -ge "$2" ]; }                                      # file, frame

# Waits until the last frame is recorded: no frame is missing, and none is out of order.
expect_all() { # file, seconds
    await "frame $(($2 * 48000 - 1)) in the recording" reaches "$1" $(($2 * 48000 - 1))
    stop_recording
    check "$(order "$1" 2>/dev/null)" "$(($2 * 48000)) 0 *"
}

player=''
tidy() {
    local process
    for process in ${LISTEN_PID:-} $recorder $player; do kill -9 "$process" 2>/dev/null; done
    rm -f "$HOME/.asoundrc"
}

test_run() {
    start_recording run.raw
    audiosessionctl run aplay -q numbered-2.wav || exit 1
    expect_all run.raw 2
}

# A process that stands still for longer than the queue of the server, and for less than the buffer of the program: there is silence,
# and every frame is heard.
test_stall() {
    local size
    start_recording stall.raw
    audiosessionctl run aplay -q numbered-2.wav &
    player=$!
    await 'half a second of the sound' reaches stall.raw 24000
    kill -STOP "$player"
    size=$(stat -c %s stall.raw)
    await 'three tenths of a second more in the recording' has_size stall.raw $((size + 57600))
    kill -CONT "$player"
    wait "$player" || exit 1
    # The latency that PulseAudio tells after an underrun is a few milliseconds off, and with it the end of the drained sound.
    await 'the end of the sound in the recording' reaches stall.raw $((2 * 48000 - 480))
    stop_recording
    local heard leaps
    read -r heard leaps _ <<<"$(order stall.raw 2>/dev/null)"
    check "$leaps leaps" '0 leaps'
    [ "$heard" -ge $((2 * 48000 - 480)) ] || { echo "#   of 96000 frames were heard: $heard"; exit 1; }
}
has_size() { [ "$(stat -c %s "$1")" -ge "$2" ]; } # file, bytes

write_line() { # line
    printf '<%s>\n%s\n' "$prefix/share/alsa/alsa.conf.d/60-audiosession.conf" "$1" >"$HOME/.asoundrc"
}
has_session() { audiosessionctl status | grep -q "$1"; }

# The line, and the one for Debian's PulseAudio, which sets the default device after the user's file has been read.
lines=('pcm.!default "audiosession"'
    "@hooks [ { func load files [ \"$prefix/share/audiosession/default.conf\" ] } ]")

test_line() {
    local setting slave
    for setting in "${lines[@]}"; do
        write_line "$setting"
        for slave in '' null "$(server_pcm)"; do
            export AUDIOSESSION_SLAVE=$slave
            [ -n "$slave" ] || unset AUDIOSESSION_SLAVE
            start
            ask set acat plar
            ask get crar
            check "$answer" 'route=MicrophoneBuiltIn/Speaker'
            ask devices
            # Debian's PulseAudio leaves its own default device in place of the first line.
            [ "$kind $setting" = "pulseaudio ${lines[0]}" ] || check "$answer" "$(server_pcm)/$(server_pcm)"
            stop
            [ "$slave" != null ] || continue
            start_recording line.raw
            aplay -q numbered-2.wav &
            player=$!
            [ "$kind $setting" = "pulseaudio ${lines[0]}" ] || await 'a session of aplay' has_session aplay
            wait "$player" || exit 1
            expect_all line.raw 2
            audiosessionctl play numbered-2.wav >said || exit 1
        done
    done
}

test_doctor() {
    export ALSA_CONFIG_PATH=${ALSA_CONFIG_PATH:-/usr/share/alsa/alsa.conf}:$prefix/share/alsa/alsa.conf.d/60-audiosession.conf
    audiosessionctl doctor >said || { cat said; exit 1; }
    grep -q "^ok    the sound server $(title) answers$" said || { cat said; exit 1; }
    end_server
    audiosessionctl doctor >said && { cat said; exit 1; }
    grep -q "^wrong the sound server $(title) does not answer: .*; type: " said || { cat said; exit 1; }
    check "$(grep -c 'ALSA_CONFIG_PATH\|/dev/snd' said)" 0
    audiosessionctl play numbered-2.wav >said 2>complaint
    check "$? $(cat complaint)" "1 audiosessionctl: *$(title) does not answer: *; type: *"
    audiosessionctl record --seconds 1 never.wav >said 2>complaint
    check "$? $(cat complaint)" "1 audiosessionctl: *$(title) does not answer: *; type: *"
    [ ! -e never.wav ] || exit 1
    "start_$kind"
}

# The player stands still while the server starts: the recording begins before the rest is played.
test_restart() {
    local name
    start_recording before.raw
    audiosessionctl play numbered-6.wav >said 2>complaint &
    player=$!
    await 'the first second of the sound' reaches before.raw 48000
    kill -9 "$server"
    await 'a line on standard error' test -s complaint
    check "$(cat complaint)" "audiosessionctl: numbered-6.wav: the sound server $(title) has stopped; the sound waits until it is back"
    kill -STOP "$player"
    stop_recording
    end_server
    "start_$kind"
    start_recording after.raw
    kill -CONT "$player"
    wait "$player" || { cat said complaint; exit 1; }
    await 'the last frame in the recording' reaches after.raw $((6 * 48000 - 1))
    stop_recording
    cat complaint before.raw after.raw >/dev/null
    check "$(grep -c . complaint)" 1
    check "$(tail -n 1 said)" 'continues'
    echo "#   $(last_frame before.raw), then $(order after.raw 2>&1 | tr '\n' ' ')"
}

. "$here/conformance.sh"

# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -g -O1 -o listen "$here/listen.c" $(pkg-config --cflags --libs audiosession) || exit 1
gcc -Wall -Wextra -Werror -g -O1 -o order "$here/order.c" || exit 1
/usr/bin/python3 "$here/sounds.py" . || exit 1
"$here/../Programs/Conformance/build.sh" "$prefix" conformance || exit 1

for kind in pulseaudio pipewire; do
    [ $kind = pulseaudio ] || prepare_pipewire || exit 1
    "start_$kind"
    promise route "$kind: the device is default, a speaker and a microphone"
    promise level "$kind: the volume is the server's, and a change by amixer is reported"
    promise gain "$kind: the gain is the server's"
    promise halted "$kind: a stopped server blocks no caller"
    promise run "$kind: a program that run executes is heard"
    promise stall "$kind: a program that is late loses no frame"
    promise line "$kind: our plug-in as the default device of the user hides neither the server nor its sound"
    promise death "$kind: its death and its return are reported"
    # A test has started a new server.
    read -r server manager <started
    promise doctor "$kind: doctor, play and record name the server that does not answer"
    read -r server manager <started
    promise restart "$kind: play waits for a dead server, and continues with the rest of the sound"
    read -r server manager <started
    promise conformance "$kind: the programs that test the C functions pass"
    end_server
done
expect_silence
echo "servers: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
