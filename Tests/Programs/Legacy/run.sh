#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: our own programs in the style of programs for the platform, with all their habits. Each one is
# built unchanged against an installed prefix and run through a sequence of events. NAME.c or NAME.cpp has the sequence
# and the expected reactions; the files beside it are the legacy code.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" "${2:-*}" legacy
export AUDIOSESSION_HARDWARE=simulated packages=audiotoolbox

# No -Wall: old code with constants such as 'init'.
build() { # program, way
    local flags='' sources
    case $2 in
    *-asan) flags='-g -fsanitize=address' ;;
    esac
    case $2 in
    clang*-asan) flags="$flags -fuse-ld=lld" ;;
    g++*) [ "$1" = synth ] || flags='-x c++' ;;
    esac
    sources=$(ls "$here/$1".c* "$here/$1"_driver.cpp 2>/dev/null)
    # shellcheck disable=SC2046,SC2086
    ${2%%-*} -O1 -Wno-multichar $flags -o "$scratch/$1.$2" $sources -x none $(pkg-config --cflags --libs $packages) -lpthread -lm
}

run() { # program, way
    local world=$scratch/$1.$2.world
    mkdir -m 700 "$world"
    # The sound that the machine plays and records. A program writes the sound of its microphone.
    export AUDIOSESSION_SIMULATION_WAV=$scratch/$1.$2.played.wav AUDIOSESSION_SIMULATION_MICROPHONE=$scratch/$1.$2.microphone.wav
    if ! build "$1" "$2" >"$world/log" 2>&1; then
        echo "not ok - $1 ($2): compiles"
    elif AUDIOSESSION_RUNTIME_DIR=$world "$limited" "$program_limit" "$1 ($2)" "$scratch/$1.$2" >"$world/log" 2>&1; then
        echo "ok - $1 ($2): $(sed -n '2s/^[^A-Z]*//; 2s/[,:.].*//p' "$here/$1".c*)" && return
    else
        echo "not ok - $1 ($2): ended with $?"
    fi >"$scratch/$1.$2.results"
    sed 's/^/#   /' "$world/log" >>"$scratch/$1.$2.results"
}

for program in voip game stream radio synth; do
    # shellcheck disable=SC2254
    case $program in $pattern) ;; *) continue ;; esac
    ways='gcc clang g++ gcc-asan clang-asan'
    [ "$program" = synth ] && ways='g++ clang++ g++-asan clang++-asan'
    for way in $ways; do echo "run $program $way"; done
done >"$scratch/list"

run_list "$(nproc)"
report 'legacy programs'
