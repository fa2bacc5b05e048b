#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: builds every program with every compiler, from the installed prefix and pkg-config only,
# runs them, and counts the results. PATTERN selects programs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
unset LD_LIBRARY_PATH LD_PRELOAD AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION AUDIOSESSION_RUNTIME_DIR

scratch=$(mktemp -d /tmp/conformance.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

CONFORMANCE_FOUNDATION=$("$here/without.sh" "$prefix" "$scratch/without") || exit 1
export here prefix scratch CONFORMANCE_FOUNDATION

# Programs that run with leak and memory checks.
watched_by_asan='calls fork habits interruptions linux nocf ownership routes runloop settings strings'
watched_by_valgrind='calls linux properties'

# Builds a program one way: gcc and clang compile it as C, g++ as C++.
build() { # program, way
    local compiler=$2 language=c flags=''
    case $2 in
    g++) language=c++ ;;
    g++98) compiler=g++ language=c++ flags='-std=gnu++98' ;;
    clang++) language=c++ ;;
    builtin) compiler=clang flags='-DAUDIOSESSION_CFSTR_BUILTIN -fcf-runtime-abi=swift' ;;
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
    [ "$1" = absent ] && under=(env LD_LIBRARY_PATH="$scratch/without")
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
# Every header alone, in every version of the languages, with CoreFoundation's headers and without.
run_headers() {
    local header standard compiler compilers flags
    for header in $(cd "$prefix/include" && find . -name '*.h' | sort); do
        # Tests/ToolboxHeaders has those of the companion library.
        [ ! -e "$here/../../include-audiotoolbox/$header" ] || continue
        # CoreFoundation.h includes its parts: one version of each compiler shows that they include it.
        case $header in
        */CoreFoundation/CF*) compilers='gcc:c89 clang:c23 g++:c++98 clang++:c++23' ;;
        *) compilers='gcc:c89 gcc:c99 gcc:c11 gcc:c17 gcc:c2x clang:c89 clang:c99 clang:c11 clang:c17 clang:c23
            g++:c++98 g++:c++11 g++:c++14 g++:c++17 g++:c++20 g++:c++23
            clang++:c++98 clang++:c++11 clang++:c++14 clang++:c++17 clang++:c++20 clang++:c++23' ;;
        esac
        for compiler in $compilers; do
            standard=${compiler#*:} compiler=${compiler%:*}
            for flags in "$(pkg-config --cflags audiosession)" "-I$prefix/include"; do
                # shellcheck disable=SC2086
                printf '#include <%s>\ntypedef int not_empty;\n' "${header#./}" |
                    $compiler -std=$standard -Wall -Wextra -pedantic -Werror -fsyntax-only \
                        -x "$([ "${standard#c++}" = "$standard" ] && echo c || echo c++)" - $flags 2>&1 || echo failed
            done >"$scratch/header.log"
            if [ -s "$scratch/header.log" ]; then
                echo "not ok - ${header#./} ($compiler, $standard): compiles without a warning"
                sed 's/^/#   /' "$scratch/header.log"
            else
                echo "ok - ${header#./} ($compiler, $standard): compiles without a warning"
            fi
        done
    done >"$scratch/headers.all.results"
    # Without CoreFoundation the compiler message of a call names the package to install.
    for compiler in gcc clang g++ clang++; do
        printf '#include <AudioToolbox/AudioToolbox.h>\nvoid run(void) { CFRunLoopRun(); }\n' |
            $compiler -I"$prefix/include" -fsyntax-only -x "$([ "${compiler%++}" = "$compiler" ] && echo c || echo c++)" - \
                >"$scratch/header.log" 2>&1
        if [ $? -ne 0 ] && grep -q 'install libaudiosession-corefoundation-dev' "$scratch/header.log"; then
            echo "ok - CoreFoundation is not here, and is called: the message says what to install ($compiler)"
        else
            echo "not ok - CoreFoundation is not here, and is called: the message says what to install ($compiler)"
            sed 's/^/#   /' "$scratch/header.log"
        fi
    done >>"$scratch/headers.all.results"
}

# Every header before every other, with one compiler: the order changes neither the platform that a program is
# compiled for nor the types. Pairs of which the preprocessor makes the same text are compiled once.
run_pairs() { # compiler
    local first second pair text compile="$1 -Wall -Wextra -Werror $(pkg-config --cflags audiosession)"
    local headers='TargetConditionals.h CoreFoundation/CoreFoundation.h CoreFoundation/CFBase.h CoreFoundation/CFString.h
        CoreFoundation/CFArray.h CoreFoundation/CFData.h CoreFoundation/CFURL.h CoreFoundation/CFNumber.h
        CoreFoundation/CFDictionary.h CoreFoundation/CFRunLoop.h AudioToolbox/AudioToolbox.h
        AudioToolbox/AudioServices.h AudioToolbox/AudioSession.h'
    mkdir "$scratch/pairs.$1"
    pair=$scratch/pairs.$1/pair.$([ "${1%++}" = "$1" ] && echo c || echo cc)
    for first in $headers; do
        for second in $headers; do
            [ "$first" != "$second" ] || continue
            printf '#include <%s>\n' "$first" "$second" | cat - "$here/order.h" >"$pair"
            text=$scratch/pairs.$1/$($compile -E -P "$pair" 2>&1 | cksum | tr ' ' -)
            [ -e "$text" ] || $compile -fsyntax-only "$pair" >"$text" 2>&1 || echo failed >>"$text"
            if [ -s "$text" ]; then
                echo "not ok - $first, then $second ($1): compiles without a warning"
                sed 's/^/#   /' "$text"
            else
                echo "ok - $first, then $second ($1): compiles without a warning"
            fi
        done
    done >"$scratch/pairs.$1.results"
}

export -f build start run run_headers run_pairs

# The longest first, so that no processor waits for it alone.
# shellcheck disable=SC2254
case headers in $pattern) printf '%s\n' 'headers all' 'pairs gcc' 'pairs g++' 'pairs clang' 'pairs clang++' ;; esac >"$scratch/list"
for program in threads $(cd "$here/programs" && ls -- *.c | sed 's/\.c$//' | grep -vx threads); do
    # shellcheck disable=SC2254
    case $program in $pattern) ;; *) continue ;; esac
    for way in gcc clang g++; do echo "$program $way"; done
    [ "$program" = strings ] && for way in clang++ g++98 builtin; do echo "$program $way"; done
    case " $watched_by_asan " in *" $program "*) echo "$program asan" ;; esac
    case " $watched_by_valgrind " in *" $program "*) echo "$program valgrind" ;; esac
done >>"$scratch/list"

pkg-config --validate audiosession || exit 1
xargs -P "$(nproc)" -L 1 bash -c 'case $0 in headers) run_headers ;; pairs) run_pairs "$1" ;; *) run "$0" "$1" ;; esac' <"$scratch/list"

passed=0 failed=0
while read -r program way; do
    cat "$scratch/$program.$way.results"
    passed=$((passed + $(grep -c '^ok ' "$scratch/$program.$way.results")))
    failed=$((failed + $(grep -c '^not ok ' "$scratch/$program.$way.results")))
done <"$scratch/list"

echo "conformance: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
