#!/bin/bash
# run.sh PREFIX [PATTERN]: builds every program with every compiler, as anybody would who has nothing
# but the installed prefix and pkg-config, runs them, and counts. PATTERN chooses programs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
unset LD_LIBRARY_PATH LD_PRELOAD AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION AUDIOSESSION_RUNTIME_DIR

scratch=$(mktemp -d /tmp/conformance.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

# Where the library looks for CoreFoundation: some programs load it themselves, some must not find it.
CONFORMANCE_FOUNDATION=$(readelf -dW "$prefix/lib/libAudioSession.so" | sed -n 's/.*(RUNPATH).*\[\(.*:\)\{0,1\}\([^:]*\)\]/\2/p')
export here prefix scratch CONFORMANCE_FOUNDATION

# Those that watch memory: leaks of values and of the library, and reads of what is not there.
watched_by_asan='calls fork habits interruptions linux nocf ownership routes runloop settings'
watched_by_valgrind='calls linux properties'

# A way to build and run a program: gcc and clang read it as C, g++ as C++.
build() { # program, way
    local compiler=$2 language=c flags=''
    case $2 in
    g++) language=c++ ;;
    asan) compiler=clang flags='-fsanitize=address -fuse-ld=lld' ;;
    valgrind) compiler=gcc ;;
    esac
    # shellcheck disable=SC2046,SC2086
    $compiler -Wall -Wextra -Werror -g -O1 $flags -I"$here" -o "$scratch/$1.$2" \
        -x $language "$here/programs/$1.c" $(pkg-config --cflags --libs audiosession) -lpthread -ldl -lm \
        >"$scratch/$1.$2.log" 2>&1
}

start() { # program, way, label
    local under=()
    [ "$2" = valgrind ] &&
        under=(valgrind -q --trace-children=yes '--trace-children-skip=*/rm,*/sh' --suppressions="$here/valgrind.supp")
    [ "$1" = absent ] && under=(bwrap --dev-bind / / --tmpfs "$CONFORMANCE_FOUNDATION")
    "${under[@]}" "$scratch/$1.$2" "$3"
}

# One file of results for each program and way.
run() { # program, way
    local label="$1 ($2)"
    if build "$1" "$2"; then
        start "$1" "$2" "$label" || [ $? = 1 ] || echo "not ok - $label: runs to its end"
    else
        echo "not ok - $label: compiles without a warning"
        sed 's/^/#   /' "$scratch/$1.$2.log"
    fi >"$scratch/$1.$2.results" 2>&1
}
export -f build start run

# The longest first, so that no processor waits for it alone.
for program in threads $(cd "$here/programs" && ls -- *.c | sed 's/\.c$//' | grep -vx threads); do
    # shellcheck disable=SC2254
    case $program in $pattern) ;; *) continue ;; esac
    for way in gcc clang g++; do echo "$program $way"; done
    case " $watched_by_asan " in *" $program "*) echo "$program asan" ;; esac
    case " $watched_by_valgrind " in *" $program "*) echo "$program valgrind" ;; esac
done >"$scratch/list"

pkg-config --validate audiosession || exit 1
xargs -P "$(nproc)" -L 1 bash -c 'run "$0" "$1"' <"$scratch/list"

passed=0 failed=0
while read -r program way; do
    cat "$scratch/$program.$way.results"
    passed=$((passed + $(grep -c '^ok ' "$scratch/$program.$way.results")))
    failed=$((failed + $(grep -c '^not ok ' "$scratch/$program.$way.results")))
done <"$scratch/list"

echo "conformance: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
