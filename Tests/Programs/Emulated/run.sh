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

part() { # name, command...
    local name=$1
    shift
    "$@" >"$scratch/log" 2>&1
    local status=$?
    grep -c '^ok ' "$scratch/log" | sed "s/\$/ passed: $name/"
    [ $status = 0 ] && return
    failed=1
    grep -A 30 '^not ok ' "$scratch/log" || tail -n 30 "$scratch/log"
    echo "not ok - $name"
}

kernels() {
    clang -std=gnu17 -O2 -Wall -Wextra -Werror -I"$root/Sources/Media/CPCMKernels/include" -o "$scratch/kernels" \
        "$programs/SampleKernels/compare.c" "$root"/Sources/Media/CPCMKernels/*.c -lm && "$scratch/kernels"
}

# The same numbers as on the processor of this machine: both compare them with the tables of the programs.
headers() {
    local program compiler language
    for program in values layouts inline; do
        for compiler in clang clang++; do
            language=c
            [ $compiler = clang ] || language=c++
            # shellcheck disable=SC2086
            if $compiler -Wall -Wextra -Werror -O1 -x $language "$programs/ToolboxHeaders/$program.c" -o "$scratch/$program" \
                -I"$root/include/audiosession" -I"$root/include/audiotoolbox" -idirafter "$toolchain" -lpthread &&
                "$scratch/$program" >/dev/null; then
                echo "ok - $program ($compiler)"
            else
                echo "not ok - $program ($compiler)"
            fi
        done
    done
}
headers_pass() { headers | tee "$scratch/headers" && ! grep -q '^not ok' "$scratch/headers"; }

part 'kernels of samples, compared with plain C' kernels
part 'constants, layouts of structures and inline functions of the headers' headers_pass
part 'conformance of the session' "$programs/Conformance/run.sh" "$prefix" "${PATTERN:-*}"
part 'conformance of units, queues, converters and files' "$programs/ToolboxConformance/run.sh" "$prefix" "${PATTERN:-*}"
part 'programs on the ALSA plug-in' "$programs/Plugin/run.sh" "$prefix" "${PATTERN:-?*}"
exit $failed
