#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A story in six scenes with real programs on a simulated machine: the lines of the programs and the events of their
# sessions on one time line, and a picture at the end.
# Needs audiosessionctl on the PATH and audiosession.pc on PKG_CONFIG_PATH: make run sets both.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
export AUDIOSESSION_HARDWARE=simulated AUDIOSESSION_RUNTIME_DIR=$work/run
mkdir -m 700 "$work/run"
programs=()
finish() {
    kill "${programs[@]}" 2>/dev/null || true
    wait
    rm -rf "$work"
}
trap finish EXIT

for program in player prompt; do
    # shellcheck disable=SC2046
    ${CC:-cc} -Wall -Wextra "$program.c" $(pkg-config --cflags --libs audiosession alsa) -lm -o "$work/$program"
done

shown=''
scene() {
    printf '\n  %s\n' "$1"
    shown=''
}

# Waits for a line of this scene. Several programs write at once: the line may be among the earlier ones.
wait_for() {
    local line
    case $shown in *"$1"*) return ;; esac
    while IFS= read -r -t 60 line <&3; do
        [ -n "$line" ] && printf '%s\n' "$line"
        shown="$shown$line"$'\n'
        case $line in *"$1"*) return ;; esac
    done
    echo "story: waited 60 s in vain for \"$1\"" >&2
    exit 1
}

# A state needs some time to be visible in the picture.
for_a_moment() { sleep 0.3; }

mkfifo "$work/lines"
exec 3<>"$work/lines"
audiosessionctl monitor >"$work/lines" 2>&1 &
programs+=($!)
audiosessionctl trace "$work/trace.json" --svg "$work/story.svg" 2>"$work/trace.log" &
tracer=$!
programs+=("$tracer")
wait_for watching
tail -n +1 -f --pid=$tracer "$work/trace.log" 2>/dev/null | grep -q -m 1 watching

scene 'Music plays.'
"$work/player" >"$work/lines" &
programs+=($!)
wait_for 'player: plays'
wait_for 'Music'
for_a_moment

scene 'Headphones are plugged in.'
audiosessionctl simulate plug headphones
wait_for 'player: moves to the new device'
for_a_moment

scene 'A navigation prompt: the music is ducked, and returns.'
mkfifo "$work/speech"
"$work/prompt" <"$work/speech" >"$work/lines" &
programs+=($!)
exec 4>"$work/speech"
echo 'turn left' >&4
wait_for 'is ducked'
wait_for 'is at full level'
for_a_moment

scene 'A phone call begins and ends: the music resumes.'
audiosessionctl interrupt begin --name 'Call from Ada' --detach
wait_for 'player: is interrupted'
for_a_moment
audiosessionctl interrupt end
wait_for 'player: plays'
for_a_moment

scene 'The headphones are unplugged.'
audiosessionctl simulate unplug headphones
wait_for 'player: pauses'
wait_for 'is inactive'

kill -INT "$tracer"
wait "$tracer"
picture=${AUDIOSESSION_STORY:-${TMPDIR:-/tmp}/audiosession-story.svg}
cp "$work/story.svg" "$picture"
printf '\nThe picture: %s\n' "$picture"
