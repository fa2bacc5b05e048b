#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: programs that use libAudioToolbox, built with each compiler from the installed prefix and pkg-config
# only, and run on simulated hardware. PATTERN selects programs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig PATH=$prefix/bin:$PATH
unset LD_LIBRARY_PATH LD_PRELOAD AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION AUDIOSESSION_RUNTIME_DIR
scratch=$(mktemp -d /tmp/toolbox-conformance.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
export here scratch

build() { # program, way
    local compiler=$2 language=c flags=''
    case $2 in
    *++) language=c++ ;;
    asan) compiler=clang flags='-fsanitize=address -fuse-ld=lld' ;;
    esac
    # The flags come in words.
    # shellcheck disable=SC2046,SC2086
    $compiler -Wall -Wextra -Werror -g -O1 $flags -I"$here" -I"$here/../Conformance" -o "$scratch/$1.$2" -x $language "$here/programs/$1.c" \
        $(pkg-config --cflags --libs audiotoolbox) -lpthread -ldl -lm >"$scratch/$1.$2.log" 2>&1
}

run() { # program, way
    local label="$1 ($2)"
    if build "$1" "$2"; then
        "$scratch/$1.$2" "$label" || [ $? = 1 ] || echo "not ok - $label: runs to its end"
    else
        echo "not ok - $label: compiles without a warning"
        sed 's/^/#   /' "$scratch/$1.$2.log"
    fi >"$scratch/$1.$2.results" 2>&1
}
export -f build run

for file in "$here"/programs/*.c; do
    program=$(basename "$file" .c)
    # shellcheck disable=SC2254
    case $program in $pattern) ;; *) continue ;; esac
    for way in gcc clang g++ asan; do echo "$program $way"; done
done >"$scratch/list"
pkg-config --validate audiotoolbox || exit 1
# shellcheck disable=SC2016
xargs -P "$(nproc)" -L 1 bash -c 'run "$0" "$1"' <"$scratch/list"

passed=0 failed=0
while read -r program way; do
    cat "$scratch/$program.$way.results"
    passed=$((passed + $(grep -c '^ok ' "$scratch/$program.$way.results")))
    failed=$((failed + $(grep -c '^not ok ' "$scratch/$program.$way.results")))
done <"$scratch/list"
echo "toolbox conformance: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
