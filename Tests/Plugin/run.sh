#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: programs that play and record through the installed plug-in, with every compiler and with
# AddressSanitizer. PATTERN chooses programs. WAYS: some of gcc clang g++ asan.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$prefix/share/alsa/alsa.conf.d/60-audiosession.conf
for variable in $(compgen -v AUDIOSESSION_); do unset "$variable"; done
unset LD_LIBRARY_PATH LD_PRELOAD
# libasound keeps its configuration until the end of the process.
export ASAN_OPTIONS=detect_leaks=0

scratch=$(mktemp -d /tmp/plugin.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

run() { # program, way
    local compiler=$2 language=c flags=''
    case $2 in
    g++) language=c++ ;;
    asan) compiler=clang flags='-fsanitize=address -fuse-ld=lld' ;;
    esac
    # shellcheck disable=SC2046,SC2086
    if $compiler -Wall -Wextra -Werror -g -O1 $flags -I"$here" -I"$here/../Conformance" \
        -I"$sources/CEngineInterface/include" -I"$sources/CAudioStreams/include" -I"$sources/CStatusPage/include" -o "$scratch/$1.$2" \
        -x $language "$here/programs/$1.c" $(pkg-config --cflags --libs audiosession) -lasound -lpthread -ldl -lm \
        >"$scratch/$1.$2.log" 2>&1; then
        "$scratch/$1.$2" "$1 ($2)" || [ $? = 1 ] || echo "not ok - $1 ($2): runs to its end"
    else
        echo "not ok - $1 ($2): compiles without a warning"
        sed 's/^/#   /' "$scratch/$1.$2.log"
    fi >"$scratch/$1.$2.results" 2>&1
}
export -f run
# The engine's table is private: its header is not installed.
sources=$(cd "$here/../../Sources" && pwd)
export here prefix scratch sources

for program in $(cd "$here/programs" && ls -- *.c | sed 's/\.c$//'); do
    # shellcheck disable=SC2254
    case $program in $pattern) ;; *) continue ;; esac
    for way in ${WAYS:-gcc clang g++ asan}; do echo "$program $way"; done
done >"$scratch/list"
# Many at a time: each waits for the clock most of the time.
xargs -P $((3 * $(nproc))) -L 1 bash -c 'run "$0" "$1"' <"$scratch/list"

"$here/versions/run.sh" "$prefix" >"$scratch/versions.results" || true
[ "$pattern" != '*' ] || "$here/avfaudio/run.sh" "$prefix" >"$scratch/avfaudio.results" || true

cat "$scratch"/*.results
passed=$(cat "$scratch"/*.results | grep -c '^ok ')
failed=$(cat "$scratch"/*.results | grep -c '^not ok ')
echo "plugin: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
