#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: our own programs in the style of programs for the platform, with all their habits. Each one is
# built unchanged against an installed prefix and run through a sequence of events. NAME.c or NAME.cpp has the sequence
# and the expected reactions; the files beside it are the legacy code.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig AUDIOSESSION_HARDWARE=simulated
unset LD_LIBRARY_PATH LD_PRELOAD AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION AUDIOSESSION_RUNTIME_DIR ALSA_CONFIG_PATH

scratch=$(mktemp -d /tmp/legacy.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

# No -Wall: old code with constants such as 'init'.
build() { # program, way
    local flags='' sources
    case $2 in
    *-asan) flags='-fsanitize=address' ;;
    esac
    case $2 in
    clang*-asan) flags="$flags -fuse-ld=lld" ;;
    g++*) [ "$1" = synth ] || flags='-x c++' ;;
    esac
    sources=$(ls "$here/$1".c* "$here/$1"_driver.cpp 2>/dev/null)
    # shellcheck disable=SC2046,SC2086
    ${2%%-*} -g -O1 -Wno-multichar $flags -o "$scratch/$1.$2" $sources -x none $(pkg-config --cflags --libs audiotoolbox) -lpthread
}

run() { # program, way
    local world=$scratch/$1.$2.world
    mkdir -m 700 "$world"
    # What the machine plays and records. A program writes what its microphone hears.
    export AUDIOSESSION_SIMULATION_WAV=$scratch/$1.$2.played.wav AUDIOSESSION_SIMULATION_MICROPHONE=$scratch/$1.$2.microphone.wav
    if ! build "$1" "$2" >"$world/log" 2>&1; then
        echo "not ok - $1 ($2): compiles"
    elif AUDIOSESSION_RUNTIME_DIR=$world "$scratch/$1.$2" >"$world/log" 2>&1; then
        echo "ok - $1 ($2): $(sed -n '2s/^[^A-Z]*//; 2s/[,:.].*//p' "$here/$1".c*)"
        return
    else
        echo "not ok - $1 ($2): ended with $?"
    fi
    sed 's/^/#   /' "$world/log"
}
export -f build run
export here scratch

for program in voip game stream synth; do
    # shellcheck disable=SC2254
    case $program in $pattern) ;; *) continue ;; esac
    ways='gcc clang g++ gcc-asan clang-asan'
    [ "$program" = synth ] && ways='g++ clang++ g++-asan clang++-asan'
    for way in $ways; do echo "$program $way"; done
done >"$scratch/list"

# shellcheck disable=SC2016
xargs -P "$(nproc)" -L 1 bash -c 'run "$0" "$1" >"$scratch/$0.$1.results"' <"$scratch/list"

while read -r program way; do cat "$scratch/$program.$way.results"; done <"$scratch/list" >"$scratch/all"
cat "$scratch/all"
passed=$(grep -c '^ok ' "$scratch/all")
echo "legacy programs: $passed of $(wc -l <"$scratch/list") ways"
[ "$passed" = "$(wc -l <"$scratch/list")" ] && [ "$passed" -gt 0 ]
