#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX TOOLCHAIN: the programs of the other runners that an emulator of another processor can run, built by the compilers
# on the PATH, which are those for the processor. TOOLCHAIN has the headers of CoreFoundation. PATTERN of the environment selects
# programs. docs/arm64.md names what an emulator cannot do.
set -u
here=$(cd "$(dirname "$0")" && pwd)
programs=$(dirname "$here")
root=$(cd "$programs/../.." && pwd)
prefix=$(cd "$1" && pwd) toolchain=$2
scratch=$(mktemp -d /tmp/emulated.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
export WAYS=clang
failed=0

# The tests whose failure says nothing here, as the runners print them.
reasons='emulator'
[ -e "$prefix/lib/audiosession/swift/linux/libFoundation.so" ] || reasons='emulator|corefoundation'
sed -nE "s/^($reasons) ([^:]*)(: (.*))?\$/not ok - \2 (clang): \4/p" "$here/left-out.txt" >"$scratch/left-out"

part() { # name, command...
    local name=$1 passed
    shift
    "$@" >"$scratch/log" 2>&1
    passed=$(grep -c '^ok ' "$scratch/log")
    grep '^not ok ' "$scratch/log" >"$scratch/all"
    # A line without a sentence stands for all tests of a program.
    awk 'NR == FNR { known[++count] = $0; next }
        { for (i = 1; i <= count; i++) if (index($0, known[i]) == 1) next; print }' "$scratch/left-out" "$scratch/all" >"$scratch/failed"
    echo "$passed passed, $(($(wc -l <"$scratch/all") - $(wc -l <"$scratch/failed"))) left out: $name"
    [ ! -s "$scratch/failed" ] && [ "$passed" -gt 0 ] && return
    failed=1
    while read -r line; do grep -F -A 10 "$line" "$scratch/log"; done <"$scratch/failed"
    [ "$passed" -gt 0 ] || tail -n 30 "$scratch/log"
    echo "not ok - $name"
}

kernels() { # program, module
    clang -std=gnu17 -O2 -Wall -Wextra -Werror -I"$root/Sources/Media/$2/include" -o "$scratch/$1" \
        "$programs/SampleKernels/$1.c" "$root/Sources/Media/$2"/*.c -lm && "$scratch/$1"
}

# The same numbers as on the processor of this machine: both compare them with the tables of the programs. The emulator does not have
# the second mapping of memory that vm_remap makes.
headers() {
    local program missing failed=0
    for program in values layouts inline; do
        missing=''
        [ $program != inline ] || missing='vm_remap\|mirror == ring'
        if clang -Wall -Wextra -Werror -O1 "$programs/ToolboxHeaders/$program.c" -o "$scratch/$program" \
            -I"$root/include/audiosession" -I"$root/include/audiotoolbox" -idirafter "$toolchain" -lpthread &&
            { "$scratch/$program" 2>&1 >/dev/null | grep -v "${missing:-^$}" >"$scratch/wrong"; [ ! -s "$scratch/wrong" ]; }; then
            echo "ok - $program"
        else
            failed=1
            echo "not ok - $program"
            cat "$scratch/wrong"
        fi
    done
    return $failed
}

# The picture of a trace has the name of each session, which is a small string.
tool() {
    local tracer line tool=$prefix/bin/audiosessionctl
    export AUDIOSESSION_HARDWARE=simulated AUDIOSESSION_RUNTIME_DIR=$scratch/tool
    mkdir -m 700 "$AUDIOSESSION_RUNTIME_DIR" && cd "$scratch" && mkfifo said || return
    /usr/bin/python3 -c 'import wave; w = wave.open("a.wav", "wb"); w.setparams((1, 2, 8000, 0, "NONE", "")); w.writeframes(bytes(8000))'
    "$tool" trace trace.json --svg trace.svg 2>said &
    tracer=$!
    exec 5<said && read -r line <&5
    "$tool" play a.wav >played 2>&1
    kill -INT $tracer
    if wait $tracer && grep -q 'a\.wav' trace.json && grep -q '>a\.wav<' trace.svg; then
        echo 'ok - the tool plays a sound, and its trace and picture name the session'
    else
        echo 'not ok - the tool plays a sound, and its trace and picture name the session'
        cat played
    fi
}

part 'kernels of samples, compared with plain C' kernels compare CPCMKernels
part 'kernels of rate conversion, compared with plain C' kernels rates CRateKernels
part 'constants, layouts of structures and inline functions of the headers' headers
part 'conformance of the session' "$programs/Conformance/run.sh" "$prefix" "${PATTERN:-*}"
part 'conformance of units, queues, converters and files' "$programs/ToolboxConformance/run.sh" "$prefix" "${PATTERN:-*}"
part 'the tool' tool
part 'programs on the ALSA plug-in' "$programs/Plugin/run.sh" "$prefix" "${PATTERN:-?*}"
exit $failed
