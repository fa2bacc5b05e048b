#!/bin/bash
# run.sh PREFIX [PATTERN]: builds every program with every compiler, as anybody would who has nothing
# but the installed prefix and pkg-config, runs them, and counts.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
unset LD_LIBRARY_PATH LD_PRELOAD AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION

scratch=$(mktemp -d /tmp/conformance.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
export here prefix scratch

pkg-config --validate audiosession || exit 1

# The language a program is compiled as follows the compiler: gcc and clang read C, g++ reads C++.
build() {
    local compiler=$1 program=$2
    local language=c
    [ "$compiler" = g++ ] && language=c++
    # shellcheck disable=SC2046
    $compiler -Wall -Wextra -Werror -g -O1 -I"$here" -o "$scratch/$program.$compiler" \
        -x $language "$here/programs/$program.c" $(pkg-config --cflags --libs audiosession) -lpthread -ldl -lm \
        >"$scratch/$program.$compiler.log" 2>&1
}

# Where the library looks for CoreFoundation: some programs load it themselves, some must not find it.
CONFORMANCE_FOUNDATION=$(readelf -dW "$prefix/lib/libAudioSession.so" | sed -n 's/.*(RUNPATH).*\[\(.*:\)\{0,1\}\([^:]*\)\]/\2/p')
export CONFORMANCE_FOUNDATION

# What a program is run under.
start() {
    local program=$1 compiler=$2
    case $program in
    absent) bwrap --dev-bind / / --tmpfs "$CONFORMANCE_FOUNDATION" "$scratch/$program.$compiler" "$3" ;;
    *) "$scratch/$program.$compiler" "$3" ;;
    esac
}

# One file of results for each program and compiler.
run() {
    local program=$1 compiler=$2 label="$1 ($2)"
    if build "$compiler" "$program"; then
        start "$program" "$compiler" "$label"
    else
        echo "not ok - $label: compiles without a warning"
        sed 's/^/#   /' "$scratch/$program.$compiler.log"
    fi >"$scratch/$program.$compiler.results"
}
export -f build start run

for file in "$here"/programs/$pattern.c; do
    for compiler in gcc clang g++; do
        echo "$(basename "$file" .c) $compiler"
    done
done >"$scratch/list"

xargs -P 2 -L 1 bash -c 'run "$0" "$1"' <"$scratch/list"

passed=0 failed=0
while read -r program compiler; do
    cat "$scratch/$program.$compiler.results"
    passed=$((passed + $(grep -c '^ok ' "$scratch/$program.$compiler.results")))
    failed=$((failed + $(grep -c '^not ok ' "$scratch/$program.$compiler.results")))
done <"$scratch/list"

echo "conformance: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
