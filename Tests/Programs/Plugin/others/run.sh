#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX: programs without a session of their own, run by `audiosessionctl run`. Each plays two seconds of a tone to
# the end, through a call and two route changes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
PATH=$prefix/bin:$PATH
scratch=$(mktemp -d /tmp/others.XXXXXX)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
for variable in $(compgen -v AUDIOSESSION_); do unset "$variable"; done
"$here/../../../../tools/alsa-alone" "$scratch/alsa.conf"
export ALSA_CONFIG_PATH=$scratch/alsa.conf
export AUDIOSESSION_HARDWARE=simulated AUDIOSESSION_RUNTIME_DIR=$scratch/run
mkdir -m 700 run

/usr/bin/python3 - <<'PYTHON' || exit 1
import math, struct, wave
with wave.open('tone.wav', 'wb') as file:
    file.setnchannels(2), file.setsampwidth(2), file.setframerate(48000)
    for i in range(96000):
        sample = int(16000 * math.sin(2 * math.pi * 440 * i / 48000 + 0.1)) or 1
        file.writeframesraw(struct.pack('<hh', sample, sample))
PYTHON
ffmpeg -loglevel error -i tone.wav tone.mp3 || exit 1
# shellcheck disable=SC2046
gcc -Wall -Wextra -o sdl "$here/sdl.c" $(pkg-config --cflags --libs sdl2) -lm || exit 1
gcc -Wall -Wextra -o portaudio "$here/portaudio.c" -lportaudio -lm || exit 1

# Waits for a line of the monitor. Fails when the program has ended, or after 60 seconds.
await() { timeout 60 grep -q -m 1 "$1" <(tail -n +1 -f ${player:+--pid="$player"} events 2>/dev/null); }

# The seconds of a recording that are not silent.
seconds_of_sound() {
    /usr/bin/python3 - "$1" <<'PYTHON'
import struct, sys
data = open(sys.argv[1], 'rb').read()
channels, rate, bits = *struct.unpack('<HI', data[22:28]), struct.unpack('<H', data[34:36])[0]
size, sound = channels * bits // 8, data[data.index(b'data') + 8:]
silence = bytes([128 if bits == 8 else 0]) * size
print(sum(sound[i:i + size] != silence for i in range(0, len(sound), size)) / rate)
PYTHON
}

passed=0 failed=0
report() { # the failure, or nothing
    if [ -z "$1" ]; then
        echo "ok - $program"
        passed=$((passed + 1))
    else
        echo "not ok - $program: $1"
        tail -n 5 log | sed 's/^/#   /'
        failed=$((failed + 1))
    fi
}

disturb() {
    await '"active"' && audiosessionctl interrupt begin --detach && await '"interrupted"' &&
        audiosessionctl interrupt end && audiosessionctl simulate plug headphones &&
        audiosessionctl simulate unplug headphones
}

begin_watching() {
    local player=''
    : >events
    audiosessionctl monitor --json >>events 2>&1 &
    watcher=$!
    await watching
}

end_watching() {
    kill $watcher
    wait $watcher
} 2>/dev/null

# Plays through the call and the route changes. Prints the failure, or nothing.
play_once() { # seconds, command...
    local seconds=$1 found player watcher is_disturbed=''
    shift
    rm -f played.wav
    begin_watching
    AUDIOSESSION_SIMULATION_WAV=$scratch/played.wav timeout -k 10 60 audiosessionctl run -- "$@" >log 2>&1 &
    player=$!
    disturb && is_disturbed=yes
    wait $player
    local status=$?
    end_watching
    if [ "$status" != 0 ]; then
        echo "exit status $status"
    elif [ -z "$is_disturbed" ]; then
        echo "$missed"
    else
        found=$(seconds_of_sound played.wav 2>/dev/null || echo 0)
        /usr/bin/python3 -c "exit(abs($found - $seconds) > ${allowed:-0.03})" || echo "$found of $seconds seconds were played"
    fi
}

missed='the program ended before the call'
play() { # seconds, command...
    local complaint
    program="${*:2} plays to the end, through a call and a change of route"
    # On a busy machine the program may end before the call: it plays again then.
    for _ in {1..5}; do
        complaint=$(play_once "$@")
        [ "$complaint" = "$missed" ] || break
        audiosessionctl interrupt end
    done
    report "$complaint"
}

export SDL_AUDIODRIVER=alsa AUDIODRIVER=alsa SDL_VIDEODRIVER=dummy
play 2 aplay -q tone.wav
play 2 mpg123 -q tone.mp3
play 2 play -q tone.wav
# ffplay closes the device when it has decoded the end: a late thread of SDL does not write its last 2,048 frames.
allowed=0.045 play 2 ffplay -nodisp -autoexit -loglevel error tone.mp3
play 2 ./sdl
# PortAudio discards its buffer after a long wait.
allowed=0.15 play 2 ./portaudio
play 6 speaker-test -t sine -c 2 -l 1 -p 20000 -b 80000
rm -f played.wav
program='arecord records for the requested time, through a call'
begin_watching
timeout -k 10 60 audiosessionctl run -- arecord -q -f S16_LE -r 48000 -d 2 recorded.wav >log 2>&1 &
player=$!
disturb
if wait $player; then
    size=$(stat -c %s recorded.wav)
    [ "$size" = 192044 ] && report '' || report "$size bytes were recorded"
else
    report 'it failed'
fi
end_watching
echo "programs of others: $passed passed, $failed failed"
[ "$failed" = 0 ]
