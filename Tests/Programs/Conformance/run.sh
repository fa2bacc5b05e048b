#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: builds every program with gcc, and with clang or g++ in turn, from the installed prefix and pkg-config
# only, runs them, and counts the results. PATTERN selects programs. WAYS: some of gcc clang g++ asan valgrind, for every program;
# without a check of the headers.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" "${2:-*}" conformance

CONFORMANCE_FOUNDATION=$("$here/without.sh" "$prefix" "$scratch/without") || exit 1
export CONFORMANCE_FOUNDATION

# Programs that run with leak and memory checks.
watched_by_asan='calls fork habits interruptions linux nocf ownership routes runloop settings strings'
watched_by_valgrind='calls linux properties'

start() { # program, way, label
    local under=() status=0 test
    # The storm tests the library, which is the same for all compilers, and takes minutes: once.
    if [ "$1" = threads ] && [ "$2" != gcc ]; then
        for test in initialize_at_once no_signals; do "$scratch/$1.$2" "$3" $test || status=$?; done
        return $status
    fi
    [ "$2" = valgrind ] &&
        under=(env CONFORMANCE_FORK=yes valgrind -q --trace-children=yes '--trace-children-skip=*/rm,*/sh' --suppressions="$here/valgrind.supp")
    [ "$1" = absent ] && under=(env LD_LIBRARY_PATH="$scratch/without")
    "${under[@]}" "$scratch/$1.$2" "$3"
}

# Writes the result of a compilation, whose messages are in a file: an empty file is a success.
compiled() { # what, file
    if [ -s "$2" ]; then
        echo "not ok - $1: compiles without a warning"
        sed 's/^/#   /' "$2"
    else
        echo "ok - $1: compiles without a warning"
    fi
}

# Every header alone: in the oldest and the newest version of the language with CoreFoundation's headers and without, and in one of
# those between in turn, with and without them in turn. CoreFoundation.h includes its parts: each part is compiled once as C and once as C++, by gcc and clang in turn.
run_headers() { # compiler
    local header standard standards all between flags folders number=0 language=c log=$scratch/headers.$1.log
    case $1 in
    gcc) all='c89 c99 c11 c17 c2x' ;;
    clang) all='c89 c99 c11 c17 c2x' ;;
    *) all='c++98 c++11 c++14 c++17 c++20 c++2b' language=c++ ;;
    esac
    for header in $(cd "$prefix/include" && find . -name '*.h' | sort); do
        # Tests/Programs/ToolboxHeaders has those of the companion library.
        [ ! -e "$here/../../../include/audiotoolbox/$header" ] || continue
        # These are Objective-C.
        [ ! -e "$here/../../../include/avfoundation/$header" ] || continue
        number=$((number + 1))
        standards="${all%% *} ${between[number % ${#between[@]}]} ${all##* }"
        case $header in
        # That of the toolchain is for clang; run_targets includes it.
        */dispatch/*) continue ;;
        */CoreFoundation/CF*)
            case $1-$((number % 2)) in
            gcc-0 | g++-1) standards=${all%% *} ;;
            clang-1 | clang++-0) standards=${all##* } ;;
            *) standards='' ;;
            esac
            ;;
        esac
        for standard in $standards; do
            folders=("$(pkg-config --cflags audiosession)" "-I$prefix/include")
            case $standard in
            "${all%% *}" | "${all##* }") ;;
            *) turn=$((turn + 1)) && folders=("${folders[turn % 2]}") ;;
            esac
            for flags in "${folders[@]}"; do
                # shellcheck disable=SC2086
                printf '#include <%s>\ntypedef int not_empty;\n' "${header#./}" |
                    $1 -std=$standard -Wall -Wextra -pedantic -Werror -fsyntax-only -x $language - $flags 2>&1 || echo failed
            done >"$log"
            compiled "${header#./} ($1, $standard)" "$log"
        done
    done >"$scratch/headers.$1.results"
    # Without CoreFoundation the compiler message of a call names the package to install.
    printf '#include <AudioToolbox/AudioToolbox.h>\nvoid run(void) { CFRunLoopRun(); }\n' |
        $1 -I"$prefix/include" -fsyntax-only -x $language - >"$log" 2>&1
    if [ $? -ne 0 ] && grep -q 'install libaudiosession-corefoundation-dev' "$log"; then
        echo "ok - CoreFoundation is not here, and is called: the message says what to install ($1)"
    else
        echo "not ok - CoreFoundation is not here, and is called: the message says what to install ($1)"
        sed 's/^/#   /' "$log"
    fi >>"$scratch/headers.$1.results"
}

# The platform that a program is compiled for, by default and with macros of the command line: IPHONE, MAC, IOS, OSX, EMBEDDED
# and SIMULATOR. It is the same before and after each header, with and without CoreFoundation's headers, which see Linux.
targets='1,1,1,0,1,0
    0,0,0,0,0,0 -DTARGET_OS_IPHONE=0
    1,0,1,0,1,0 -DTARGET_OS_MAC=0
    1,1,0,0,1,0 -DTARGET_OS_IOS=0
    0,1,0,1,0,0 -DTARGET_OS_IPHONE=0 -DTARGET_OS_MAC=1 -DTARGET_OS_OSX=1
    1,1,1,0,0,1 -DTARGET_IPHONE_SIMULATOR=1'

run_targets() { # compiler
    local values macros header number flags check language=c log=$scratch/targets.$1.log
    [ "${1%++}" = "$1" ] || language=c++
    while read -r values macros; do
        check='TARGET_OS_IPHONE*100000+TARGET_OS_MAC*10000+TARGET_OS_IOS*1000+TARGET_OS_OSX*100+TARGET_OS_EMBEDDED*10+TARGET_OS_SIMULATOR'
        number=$((10#${values//,/}))
        for flags in "$(pkg-config --cflags audiosession)" "-I$prefix/include"; do
            {
                printf '#include <TargetConditionals.h>\n#if %s != %s || !TARGET_OS_LINUX || TARGET_OS_WIN32\n#error before\n#endif\n' "$check" "$number"
                for header in $ordered dispatch/dispatch.h CoreFoundation/CoreFoundation.h; do
                    [ "$header" != dispatch/dispatch.h ] || { [ "${1#clang}" != "$1" ] && [ "$flags" != "-I$prefix/include" ]; } || continue
                    printf '#include <%s>\n#if %s != %s\n#error behind %s\n#endif\n' "$header" "$check" "$number" "$header"
                    printf '#ifdef kCFCoreFoundationVersionNumber10_0_3\n#error not Linux behind %s\n#endif\n' "$header"
                done
                echo 'typedef int not_empty;'
                # shellcheck disable=SC2086
            } | $1 -Wall -Wextra -Werror -fsyntax-only -x $language - $flags $macros 2>&1 || echo failed
        done >"$log"
        compiled "the platform is $values${macros:+ with $macros}, before and behind each header ($1)" "$log"
    done <<<"$targets" >"$scratch/targets.$1.results"
}

# The order of headers changes neither the platform that a program is compiled for nor the types. An even number of headers.
ordered='TargetConditionals.h CoreFoundation/CoreFoundation.h CoreFoundation/CFBase.h CoreFoundation/CFString.h
    CoreFoundation/CFArray.h CoreFoundation/CFData.h CoreFoundation/CFURL.h CoreFoundation/CFNumber.h
    CoreFoundation/CFDictionary.h CoreFoundation/CFRunLoop.h AudioToolbox/AudioToolbox.h
    AudioToolbox/AudioServices.h AudioToolbox/AudioSession.h AudioToolbox/AudioSessionLinux.h'

compile_order() { # compiler, file: its headers are on standard input
    # shellcheck disable=SC2046
    { sed 's/.*/#include <&>/' && cat "$here/order.h"; } >"$2" &&
        $1 -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags audiosession) "$2"
}

# Every two headers, one before the other, and nothing else: with the compiler that starts fast. Pairs of which the preprocessor
# makes the same text are compiled once.
run_pairs() { # compiler
    local first second folder=$scratch/pairs.$1 text
    mkdir "$folder"
    for first in $ordered; do
        for second in $ordered; do
            [ "$first" != "$second" ] || continue
            # shellcheck disable=SC2046
            text=$folder/$(printf '#include <%s>\n' "$first" "$second" | cat - "$here/order.h" |
                $1 -E -P -x c - $(pkg-config --cflags audiosession) 2>&1 | cksum | tr ' ' -)
            [ -e "$text" ] || printf '%s\n' "$first" "$second" | compile_order "$1" "$folder/pair.c" >"$text" 2>&1 || echo failed >>"$text"
            compiled "$first, then $second ($1)" "$text"
        done
    done >"$scratch/pairs.$1.results"
}

# All headers in as many orders as there are headers. The first order takes them from both ends in turn, and each other one is
# shifted by one more: every header comes first once, and directly behind every other one once.
run_orders() { # compiler
    local names order count row place at log=$scratch/orders.$1.log source
    read -r -d '' -a names <<<"$ordered"
    count=${#names[@]}
    source=$scratch/orders.$1.$([ "${1%++}" = "$1" ] && echo c || echo cc)
    for ((row = 0; row < count; row++)); do
        order=()
        for ((place = 0; place < count; place++)); do
            at=$((place % 2 ? (place + 1) / 2 : count - place / 2))
            order+=("${names[(at + row) % count]}")
        done
        printf '%s\n' "${order[@]}" | compile_order "$1" "$source" >"$log" 2>&1 || echo failed >>"$log"
        compiled "all headers, ${order[0]} and ${order[1]} first ($1)" "$log"
    done >"$scratch/orders.$1.results"
}

export ordered targets
export -f compiled run_headers run_targets compile_order run_pairs run_orders

# The longest first, so that no processor waits for it alone.
headers=''
# shellcheck disable=SC2254
case headers in $pattern) [ -n "${WAYS:-}" ] || headers='headers orders' ;; esac
others=(clang g++)
is_way() { [[ -z ${WAYS:-} || " $WAYS " == *" $1 "* ]]; }
for program in $(programs | grep -xE 'threads|properties' | sort -r) $headers $(programs | grep -vxE 'threads|properties'); do
    case $program in
    headers) printf 'run_headers %s\n' g++ clang++ gcc clang; printf 'run_targets %s\n' gcc clang++; echo run_pairs gcc; continue ;;
    orders) printf 'run_orders %s\n' g++ clang++ clang; continue ;;
    esac
    # They use the same library, and a header that one compiler does not take is seen in another program. The name of the program
    # decides, so that a program has the same compilers each time.
    ways="gcc ${others[${#program} % 2]}"
    [ -z "${WAYS:-}" ] || ways="gcc ${others[*]}"
    [ "$program" != strings ] || ways+=' clang++ g++98 builtin'
    case " $watched_by_valgrind " in *" $program "*) ways="valgrind $ways" ;; esac
    case " $watched_by_asan " in *" $program "*) ways+=' asan' ;; esac
    for way in $ways; do ! is_way "$way" || echo "run $program $way"; done
done >"$scratch/list"

pkg-config --validate audiosession || exit 1
run_list "$(nproc)"
report conformance
