#!/bin/bash
# run.sh PREFIX [PATTERN]: builds the examples as a reader would, with nothing but the installed prefix and
# pkg-config, and lets each live through what its first lines promise, on a simulated machine.
# Nothing here waits for time to pass: each step waits for what a program says.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
examples=$here/../../Examples
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:${PKG_CONFIG_PATH:-} PATH=$prefix/bin:$PATH
unset AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION AUDIOSESSION_SIMULATION_WAV AUDIOSESSION_RUNTIME_DIR ALSA_CONFIG_PATH
export AUDIOSESSION_HARDWARE=simulated

scratch=$(mktemp -d /tmp/examples.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

# ---- Building: every compiler, no warning ----

build() { # source, compiler
    local program packages='audiosession alsa'
    program=$(basename "${1%.*}")
    grep -q glib.h "$1" && packages="$packages glib-2.0"
    # shellcheck disable=SC2046,SC2086
    $2 -Wall -Wextra -Werror "$1" $(pkg-config --cflags --libs $packages) -lm -o "$scratch/$program" || rm -f "$scratch/$program"
}

# ---- Programs: what they say comes by a pipe, what they are told goes by another ----

declare -A ears mouths processes said

start() { # name, program and arguments
    local name=$1 ear mouth
    shift
    mkfifo "$world/$name.out" "$world/$name.in"
    # Both ends of each, so that nobody waits for the other to open it; close-on-exec is not to be had.
    exec {ear}<>"$world/$name.out" {mouth}<>"$world/$name.in"
    (
        for inherited in "${ears[@]}" "${mouths[@]}" "$ear" "$mouth"; do exec {inherited}<&-; done
        exec "$@"
    ) <"$world/$name.in" >"$world/$name.out" 2>"$world/$name.errors" &
    processes[$name]=$! ears[$name]=$ear mouths[$name]=$mouth said[$name]=''
}

tell() { # name, line
    echo "$2" >&"${mouths[$1]}"
}

stop_telling() { # name
    local mouth=${mouths[$1]}
    exec {mouth}>&-
}

fail() {
    echo "#   $1"
    for errors in "$world"/*.errors; do sed "s|^|#   $(basename "$errors" .errors), on standard error: |" "$errors"; done
    exit 1
}

# Seconds. The limit of every wait.
limit=60

# Waits until the program says it; what it says before that is kept in said.
hear() { # name, words (a regular expression)
    local deadline=$((SECONDS + limit)) left
    said[$1]=''
    while left=$((deadline - SECONDS)) && ((left > 0)) && IFS= read -r -t "$left" heard <&"${ears[$1]}"; do
        [[ $heard =~ $2 ]] && return
        said[$1]+="$heard"$'\n'
    done
    fail "$1 did not say \"$2\" in $limit s, only: ${said[$1]}"
}

# It has not said this before what was heard last.
not_said() { # name, words
    case ${said[$1]} in *"$2"*) fail "$1 said \"$2\"" ;; esac
}

# Waits until the program ends with 0. A program that does not end is killed at the limit.
ends() { # name
    local process=${processes[$1]} killer status=0
    (
        sleep "$limit" &
        trap 'kill $!' EXIT
        trap exit TERM
        wait $! && kill -KILL "$process"
    ) &
    killer=$!
    wait "$process" || status=$?
    kill "$killer" 2>/dev/null || true
    [ "$status" != 137 ] || fail "$1 did not end in $limit s"
    [ "$status" = 0 ] || fail "$1 ended with $status"
}

expect() { # sentence, command that must succeed
    local sentence=$1
    shift
    "$@" || fail "$sentence: does not hold"
}

# ---- Sound: devices that can be listened to, and sung into ----

# A device that plays into a pipe.
lay_pipe() {
    mkfifo "$world/played"
    cat >"$world/asound.conf" <<END
pcm.pipe { type file slave.pcm null file "$world/played" infile "$world/sung" format raw }
END
    export ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$world/asound.conf
}

# The listener keeps so many bytes of it, says so, and forgets the rest.
listen() { # bytes
    lay_pipe
    # shellcheck disable=SC2016
    start listener bash -c 'exec 3<>"$0/played"; head -c "$1" <&3 >"$0/heard"; echo heard; exec cat <&3 >/dev/null' "$world" "$1"
}

# The same for who begins with silence: keeps so many 16-bit samples from the first that is not 0, as numbers.
listen_for_sound() { # samples
    lay_pipe
    # shellcheck disable=SC2016
    start listener bash -c 'exec 3<>"$0/played"
        od -An -v -w2 -t d2 <&3 | awk -v most="$1" "\$1 != 0 || count { print \$1; if (++count == most) exit }" >"$0/heard"
        echo heard; exec cat <&3 >/dev/null' "$world" "$1"
}

# How strongly a tone of this frequency is in such a file of numbers (44,100 of them a second).
strength() { # file, frequency
    awk -v f="$2" '{ at = 6.283185307 * f * NR / 44100; x += $1 * cos(at); y += $1 * sin(at) }
        END { printf "%d\n", sqrt(x * x + y * y) / NR }' "$1"
}

# The same device's microphone hears a tone of 441 Hz for as long as anybody listens.
sing() {
    mkfifo "$world/sung"
    LC_ALL=C awk 'BEGIN { for (i = 0; i < 100; i++) printf "%s", i < 50 ? "\\x20\\x20" : "\\xe0\\xdf" }' >"$world/period"
    # shellcheck disable=SC2016
    start singer bash -c 'exec 3<>"$0/sung"
        for i in {1..1000}; do printf "%b" "$(<"$0/period")"; done >&3; echo sung
        while :; do printf "%b" "$(<"$0/period")"; done >&3' "$world"
}

# Half-waves in so many 16-bit samples of a file, from so many bytes on.
half_waves() { # file, first byte, samples
    tail -c +$(($2 + 1)) "$1" | head -c $((2 * $3)) | od -An -v -w2 -t d2 |
        awk '{ sign = $1 > 0 ? 1 : $1 < 0 ? -1 : sign } sign != before { count++; before = sign } END { print count + 0 }'
}

# ---- Tests ----

# Each file is one test in a world of its own: a runtime directory, and a monitor that sees everything.
perform() { # name
    set -e
    world=$scratch/world.$1
    mkdir -m 700 "$world" "$world/run"
    export AUDIOSESSION_RUNTIME_DIR=$world/run
    trap 'kill "${processes[@]}" 2>/dev/null; wait "${processes[@]}" 2>/dev/null' EXIT
    start monitor sh -c 'exec audiosessionctl monitor 2>&1'
    hear monitor watching
    # shellcheck source=/dev/null
    . "$here/$1.sh"
    for errors in "$world"/*.errors; do [ ! -s "$errors" ] || fail 'nothing is said on standard error'; done
    touch "$world/lived"
}

passed=0 failed=0
verdict() { # sentence, condition
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

# All are built first: some play along with others.
for source in "$examples"/*.c "$examples"/*.cpp; do
    name=$(basename "${source%.*}")
    if grep -q glib.h "$source" && ! pkg-config --exists glib-2.0; then
        echo "left out: $name, because GLib is not here (libglib2.0-dev)"
        continue
    fi
    : >"$scratch/results"
    verdict "$name: fits in less than two hundred lines" [ "$(wc -l <"$source")" -lt 200 ]
    case $source in *.cpp) compilers='clang++ g++' ;; *) compilers='clang gcc' ;; esac
    for compiler in $compilers; do
        rm -f "$scratch/$name"
        build "$source" "$compiler" >"$scratch/results" 2>&1
        verdict "$name: compiles without a warning ($compiler)" [ -e "$scratch/$name" ]
    done
done

# What a test needs besides an example.
for source in "$here"/*.c; do build "$source" "${CC:-cc}" || exit 1; done

for test in "$here"/*.sh; do
    name=$(basename "$test" .sh)
    # shellcheck disable=SC2254
    case $name in run) continue ;; $pattern) ;; *) continue ;; esac
    [ -e "$scratch/$name" ] || continue
    (perform "$name") >"$scratch/results" 2>&1
    verdict "$name: $(sed -n 's/^# //p;q' "$test")" [ -e "$scratch/world.$name/lived" ]
done

if [ "$pattern" = '*' ]; then
    (
        world=$scratch/world.story
        mkdir "$world"
        AUDIOSESSION_STORY=$world/story.svg "$examples/story.sh" >"$world/story.errors" 2>&1 || fail 'the story does not end well'
        expect 'the story has a picture' grep -q '</svg>' "$world/story.svg"
        touch "$world/lived"
    ) >"$scratch/results"
    verdict 'story: six scenes and a picture' [ -e "$scratch/world.story/lived" ]
fi

echo "examples: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
