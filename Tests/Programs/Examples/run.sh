#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: builds the examples as a reader does, with the installed prefix and pkg-config only, and
# tests each one on a simulated machine. Every step waits for a line of a program, never for a time.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
examples=$here/../../../Examples
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:${PKG_CONFIG_PATH:-} PATH=$prefix/bin:$PATH
unset AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION AUDIOSESSION_SIMULATION_WAV AUDIOSESSION_RUNTIME_DIR
export AUDIOSESSION_HARDWARE=simulated

scratch=$(mktemp -d /tmp/examples.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
"$here/../../../tools/alsa-alone" "$scratch/alsa.conf"
export ALSA_CONFIG_PATH=$scratch/alsa.conf

# ---- Building: every compiler, no warning ----

build() { # source, compiler
    local program packages='audiosession alsa'
    program=$(basename "${1%.*}")
    grep -q glib.h "$1" && packages="$packages glib-2.0"
    grep -qE "AudioQueueRef|AudioUnit |ExtAudioFile" "$1" && packages=audiotoolbox
    # shellcheck disable=SC2046,SC2086
    $2 -Wall -Wextra -Werror "$1" $(pkg-config --cflags --libs $packages) -lm -o "$scratch/$program" || rm -f "$scratch/$program"
}

# ---- Programs: one pipe for their output, one for their input ----

declare -A outputs inputs processes earlier

start() { # name, program and arguments
    local name=$1 output input
    shift
    mkfifo "$folder/$name.out" "$folder/$name.in"
    # Both ends of each pipe: an open of one end would wait. The shell has no close-on-exec.
    exec {output}<>"$folder/$name.out" {input}<>"$folder/$name.in"
    (
        for inherited in "${outputs[@]}" "${inputs[@]}" "$output" "$input"; do exec {inherited}<&-; done
        exec "$@"
    ) <"$folder/$name.in" >"$folder/$name.out" 2>"$folder/$name.errors" &
    processes[$name]=$! outputs[$name]=$output inputs[$name]=$input earlier[$name]=''
}

send() { # name, line
    echo "$2" >&"${inputs[$1]}"
}

close_input() { # name
    local input=${inputs[$1]}
    exec {input}>&-
}

fail() {
    echo "#   $1"
    for errors in "$folder"/*.errors; do sed "s|^|#   $(basename "$errors" .errors), on standard error: |" "$errors"; done
    exit 1
}

# Seconds. The limit of every wait.
limit=60

# Waits for a line of the program. The lines before it are kept in earlier.
await() { # name, regular expression
    local deadline=$((SECONDS + limit)) left
    earlier[$1]=''
    while left=$((deadline - SECONDS)) && ((left > 0)) && IFS= read -r -t "$left" line <&"${outputs[$1]}"; do
        [[ $line =~ $2 ]] && return
        earlier[$1]+="$line"$'\n'
    done
    fail "$1: waited $limit s in vain for \"$2\"; seen: ${earlier[$1]}"
}

# The lines before the last awaited one do not contain the text.
not_printed() { # name, words
    case ${earlier[$1]} in *"$2"*) fail "$1 printed \"$2\"" ;; esac
}

# Waits until the program ends with 0, for as long as the test may take.
ends() { # name
    local status=0
    wait "${processes[$1]}" || status=$?
    [ "$status" = 0 ] || fail "$1 ended with $status"
}

# Ends the test when it takes too long. A subshell that is killed right after its start may run the traps of its parent:
# there is one for the whole test, instead of one for each wait.
longest=300
watch_test() {
    mkfifo "$folder/never"
    (read -r -t "$longest" <>"$folder/never" || kill -TERM "$1") &
    processes[watch]=$!
    trap 'fail "the test did not end in $longest s"' TERM
}

expect() { # sentence, command that must succeed
    local sentence=$1
    shift
    "$@" || fail "$sentence: does not hold"
}

# ---- Sound: a device with a pipe for playback and a pipe for capture ----

# The device plays into a pipe.
create_pipe_device() {
    mkfifo "$folder/played"
    cat >"$folder/asound.conf" <<END
pcm.pipe { type file slave.pcm null file "$folder/played" infile "$folder/tone" format raw }
END
    export ALSA_CONFIG_PATH=$scratch/alsa.conf:$folder/asound.conf
}

# Keeps the first bytes in a file, prints a line, and discards the rest.
record() { # bytes
    create_pipe_device
    # shellcheck disable=SC2016
    start pipe_recorder bash -c 'exec 3<>"$0/played"; head -c "$1" <&3 >"$0/recorded"; echo recorded; exec cat <&3 >/dev/null' "$folder" "$1"
}

# Keeps the 16-bit samples from the first one that is not 0, as numbers.
record_sound() { # samples
    create_pipe_device
    # shellcheck disable=SC2016
    start pipe_recorder bash -c 'exec 3<>"$0/played"
        od -An -v -w2 -t d2 <&3 | awk -v most="$1" "\$1 != 0 || count { print \$1; if (++count == most) exit }" >"$0/recorded"
        echo recorded; exec cat <&3 >/dev/null' "$folder" "$1"
}

# The amplitude of a frequency in such a file of numbers, 44,100 per second.
strength() { # file, frequency
    awk -v f="$2" '{ at = 6.283185307 * f * NR / 44100; x += $1 * cos(at); y += $1 * sin(at) }
        END { printf "%d\n", sqrt(x * x + y * y) / NR }' "$1"
}

# Waits until the latest 4,410 frames of sound in the recording of the simulated machine have this frequency.
await_frequency() { # frequency
    local deadline=$((SECONDS + limit)) count
    while :; do
        tail -c +45 "$AUDIOSESSION_SIMULATION_WAV" 2>/dev/null | od -An -v -w8 -t f4 | awk '$1 != 0 { print 32768 * $1 }' |
            tail -n 4410 >"$folder/latest"
        count=$(wc -l <"$folder/latest")
        ((count < 4410)) || [ "$(strength "$folder/latest" "$1")" -le 1000 ] || return 0
        ((SECONDS < deadline)) || fail "waited $limit s in vain for a sound of $1 Hz; $count of the latest 4,410 frames are there"
    done
}

# The capture side of the device has a tone of 441 Hz.
play_tone() {
    mkfifo "$folder/tone"
    LC_ALL=C awk 'BEGIN { for (i = 0; i < 100; i++) printf "%s", i < 50 ? "\\x20\\x20" : "\\xe0\\xdf" }' >"$folder/period"
    # shellcheck disable=SC2016
    start tone bash -c 'exec 3<>"$0/tone"
        for i in {1..1000}; do printf "%b" "$(<"$0/period")"; done >&3; echo tone
        while :; do printf "%b" "$(<"$0/period")"; done >&3' "$folder"
}

# A second of a tone of 441 Hz: a WAV file for the microphone of the simulated machine.
write_tone() { # file
    {
        printf 'RIFF\xac\x58\x01\0WAVEfmt \x10\0\0\0\1\0\1\0\x44\xAC\0\0\x88\x58\1\0\2\0\x10\0data\x88\x58\1\0'
        for _ in {1..441}; do printf '\x20\x20%.0s' {1..50} && printf '\xe0\xdf%.0s' {1..50}; done
    } >"$1"
}

# Bytes that are not 0 in the recording of a simulated machine: those of its sound and a few of its header.
sound_in() { # file
    tr -d '\0' <"$1" | wc -c
}

# Waits until the recording of a simulated machine has more sound. tail waits for the file and for its growth by inotify.
await_sound() { # file, bytes that are not 0
    local seen
    seen=$(timeout "$limit" tail --follow=name --retry --bytes=+1 "$1" 2>/dev/null | tr -d '\0' | head -c "$2" | wc -c)
    [ "$seen" = "$2" ] || fail "waited $limit s in vain for $2 bytes of sound in $(basename "$1"); seen: $seen"
}

# The number of half-waves in the 16-bit samples of a file, from an offset on.
half_waves() { # file, first byte, samples
    tail -c +$(($2 + 1)) "$1" | head -c $((2 * $3)) | od -An -v -w2 -t d2 |
        awk '{ sign = $1 > 0 ? 1 : $1 < 0 ? -1 : sign } sign != before { count++; before = sign } END { print count + 0 }'
}

# ---- Tests ----

# Each file is one test with a runtime directory and a monitor of its own.
run_test() { # name
    set -e
    folder=$scratch/test.$1
    mkdir -m 700 "$folder" "$folder/run"
    export AUDIOSESSION_RUNTIME_DIR=$folder/run
    trap 'trap "" TERM; kill "${processes[@]}" 2>/dev/null; wait "${processes[@]}" 2>/dev/null' EXIT
    watch_test "$BASHPID"
    start monitor sh -c 'exec audiosessionctl monitor 2>&1'
    await monitor watching
    # shellcheck source=/dev/null
    . "$here/$1.sh"
    for errors in "$folder"/*.errors; do [ ! -s "$errors" ] || fail 'standard error is not empty'; done
    touch "$folder/passed.mark"
}

passed=0 failed=0
report() { # sentence, condition
    local sentence=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok - $sentence"
    else
        failed=$((failed + 1))
        echo "not ok - $sentence"
        cat "$scratch/results"
    fi
}

# All examples are built first: some tests run several.
for source in "$examples"/*.c "$examples"/*.cpp; do
    name=$(basename "${source%.*}")
    if grep -q glib.h "$source" && ! pkg-config --exists glib-2.0; then
        echo "left out: $name, because GLib is not here (libglib2.0-dev)"
        continue
    fi
    : >"$scratch/results"
    report "$name: fits in less than two hundred lines" [ "$(wc -l <"$source")" -lt 200 ]
    case $source in *.cpp) compilers='clang++ g++' ;; *) compilers='clang gcc' ;; esac
    for compiler in $compilers; do
        rm -f "$scratch/$name"
        build "$source" "$compiler" >"$scratch/results" 2>&1
        report "$name: compiles without a warning ($compiler)" [ -e "$scratch/$name" ]
    done
done

# Programs that tests need besides the examples.
for source in "$here"/*.c; do build "$source" "${CC:-cc}" || exit 1; done

for test in "$here"/*.sh; do
    name=$(basename "$test" .sh)
    # shellcheck disable=SC2254
    case $name in run) continue ;; $pattern) ;; *) continue ;; esac
    # tool.sh tests audiosessionctl itself.
    [ "$name" = tool ] || [ -e "$scratch/$name" ] || continue
    (run_test "$name") >"$scratch/results" 2>&1
    report "$name: $(sed -n '2{s/^# //p;q}' "$test")" [ -e "$scratch/test.$name/passed.mark" ]
done

if [ "$pattern" = '*' ]; then
    (
        folder=$scratch/story
        mkdir "$folder"
        AUDIOSESSION_STORY=$folder/story.svg "$examples/story.sh" >"$folder/story.errors" 2>&1 || fail 'the story fails'
        expect 'the story has a picture' grep -q '</svg>' "$folder/story.svg"
        touch "$folder/passed.mark"
    ) >"$scratch/results"
    report 'story: six scenes and a picture' [ -e "$scratch/story/passed.mark" ]
fi

echo "examples: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
