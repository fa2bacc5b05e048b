#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX: a Swift program with AVFAudio inside plays through the installed plug-in. Linked with --export-dynamic, it
# offers the plug-in its own engine; otherwise the plug-in uses the engine of libAudioSession, which finds the program's
# session in the table.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
root=$here/../../../..
for variable in $(compgen -v AUDIOSESSION_); do unset "$variable"; done
export AUDIOSESSION_HARDWARE=simulated
unset LD_LIBRARY_PATH LD_PRELOAD

scratch=$(mktemp -d /tmp/avfaudio.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
"$root/tools/alsa-alone" "$scratch/alsa.conf"
export ALSA_CONFIG_PATH=$scratch/alsa.conf:$prefix/share/alsa/alsa.conf.d/60-audiosession.conf
failures=0

# With TEST_FLAGS, what the Makefile builds tests with, the modules are those of the part coverage.
if [ -n "${TEST_FLAGS:-}" ]; then
    flags="--enable-code-coverage $TEST_FLAGS" modules=$root/.build/coverage
else
    flags='' modules=$root/.build/peer
fi
export LLVM_PROFILE_FILE=/dev/null

build() { # name, flags of the linker
    local name=$1
    shift
    # shellcheck disable=SC2086
    if swift build $flags --package-path "$root" --scratch-path "$modules" --product AVFAudioPeer "$@" >"$scratch/log" 2>&1; then
        cp "$modules/debug/AVFAudioPeer" "$scratch/$name"
    else
        echo "not ok - avfaudio: the program $name builds"
        tail -n 30 "$scratch/log" | sed 's/^/#   /'
        exit 1
    fi
}

# The sessions of the table, of all processes.
sessions() {
    "$prefix/bin/audiosessionctl" status --json | grep -o '"active":[a-z]*' | tr '\n' ' '
}

expect() { # sentence, program
    local line input output process found=''
    export AUDIOSESSION_RUNTIME_DIR=$scratch/$2.run
    mkdir -m 700 "$AUDIOSESSION_RUNTIME_DIR"
    mkfifo "$scratch/$2.in" "$scratch/$2.out"
    exec {input}<>"$scratch/$2.in" {output}<>"$scratch/$2.out"
    timeout 60 "$scratch/$2" streams <"$scratch/$2.in" >"$scratch/$2.out" 2>"$scratch/log" {input}>&- {output}>&- &
    process=$!
    for _ in 1 2 3 4; do
        IFS= read -r -t 60 line <&"$output" || line='no line'
        found+="$line; "
    done
    found+="sessions: $(sessions); "
    echo >&"$input"
    for _ in 1 2; do
        IFS= read -r -t 60 line <&"$output" || line='no line'
        found+="$line; "
    done
    wait "$process" || found+="ended with $?"
    exec {input}>&- {output}>&-
    if [ "$found" = "$expected" ]; then
        echo "ok - avfaudio: $1"
    else
        echo "not ok - avfaudio: $1"
        printf '#   expected: %s\n#   found:    %s\n' "$expected" "$found"
        sed 's/^/#   /' "$scratch/log"
        failures=1
    fi
}

# The program's category refuses and permits the stream, its session is the only one, and the running stream refuses the first
# deactivation.
expected='Swift sets record: 0; ALSA plays: -1; Swift sets playback: 0; ALSA plays: 0; sessions: "active":true ; '
expected+='Swift deactivates: isBusy; Swift deactivates: 0; '
build plain
expect 'the streams of a program with AVFAudio inside belong to the session of the program' plain
build exported -Xlinker --export-dynamic
expect 'so do those of a program that exports its functions' exported
exit $failures
