# SPDX-License-Identifier: Apache-2.0
# Functions that the runners of C programs share. A runner sets $here, its folder, and calls open_runner. Most build each program of
# $here/programs in several ways, from the installed prefix and pkg-config only, run it, and count the lines of its results.
# shellcheck shell=bash

# The folder of conformance.h.
harness=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Programs/Conformance" && pwd)
# A program that does not end is ended after this many seconds.
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../tools" && pwd)
limited=$tools/limited
export limited program_limit=600

# The environment of the caller does not reach the programs, nor does the configuration of ALSA on this machine.
open_runner() { # prefix, pattern, name
    prefix=$(cd "$1" && pwd) pattern=$2
    local variable
    for variable in $(compgen -v AUDIOSESSION_); do unset "$variable"; done
    unset LD_LIBRARY_PATH LD_PRELOAD
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    scratch=$(mktemp -d "/tmp/$3.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    "$tools/alsa-alone" "$scratch/alsa.conf"
    export ALSA_CONFIG_PATH=$scratch/alsa.conf
    # The packages and folders of headers of the programs, in words.
    packages=audiosession includes=''
    export here prefix pattern scratch packages includes harness
}

# The names of the programs that the pattern selects. EXCEPT: words, the names of programs that are left out.
programs() {
    local program
    for program in "${here:?}"/programs/*.c; do
        program=$(basename "$program" .c)
        case " ${EXCEPT:-} " in *" $program "*) continue ;; esac
        # shellcheck disable=SC2254
        case $program in $pattern) echo "$program" ;; esac
    done
}

# Builds a program one way: with a compiler, as C++ where that is one of C++, or as the way says. What watches the memory names lines.
build() { # program, way
    local compiler=$2 language=c flags=''
    case $2 in
    g++98) compiler=g++ language=c++ flags='-std=gnu++98' ;;
    *++) language=c++ ;;
    builtin) compiler=clang flags='-DAUDIOSESSION_CFSTR_BUILTIN -fcf-runtime-abi=swift' ;;
    asan) compiler=clang flags='-g -fsanitize=address -fuse-ld=lld' ;;
    valgrind) compiler=gcc flags=-g ;;
    esac
    # shellcheck disable=SC2046,SC2086
    $compiler -Wall -Wextra -Werror -O1 $flags -I"$here" -I"$harness" $includes -o "${scratch:?}/$1.$2" \
        -x $language "$here/programs/$1.c" $(pkg-config --cflags --libs $packages) -lpthread -ldl -lm \
        >"$scratch/$1.$2.log" 2>&1
}

# Builds one program of all C files of the runner's folder.
build_all() { # name, compiler with its flags (cc)
    # shellcheck disable=SC2046,SC2086
    ${2:-cc} -std=gnu11 -Wall -Wextra -Werror -g -O1 -o "$scratch/$1" "$here"/*.c $(pkg-config --cflags --libs $packages)
}

# Runs a program. A runner may define it again.
start() { # program, way, label
    "$scratch/$1.$2" "$3"
}

# One file of results for each program and way. A program names each test that fails: one that ends otherwise has a line of its own.
run() { # program, way
    local label="$1 ($2)" results=$scratch/$1.$2.results status=0
    if build "$1" "$2"; then
        # shellcheck disable=SC2016
        "$limited" "$program_limit" "$label" bash -c 'start "$@"' - "$1" "$2" "$label" >"$results" 2>&1 || status=$?
        if [ $status != 0 ] && ! { [ $status = 1 ] && grep -q '^not ok ' "$results"; }; then
            echo "not ok - $label: runs to its end: its status is $status" >>"$results"
        fi
    else
        { echo "not ok - $label: compiles without a warning" && sed 's/^/#   /' "$scratch/$1.$2.log"; } >"$results"
    fi
}

# Runs each line of $scratch/list, a function and its arguments, several at the same time.
run_list() { # how many
    export -f build start run
    # shellcheck disable=SC2016
    xargs -P "$1" -L 1 bash -c '"$@"' - <"$scratch/list"
}

# Prints all results and their numbers. Fails where one failed, and where there is none.
report() { # name
    local passed failed
    cat "$scratch"/*.results >"$scratch/all"
    cat "$scratch/all"
    passed=$(grep -c '^ok ' "$scratch/all")
    failed=$(grep -c '^not ok ' "$scratch/all")
    echo "$1: $passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
