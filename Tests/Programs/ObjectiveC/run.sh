#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: programs in Objective-C, built from the installed headers, library and pkg-config file with gcc or clang
# in turn for GCC's runtime, and run on simulated hardware; the sources of the library and of the examples for the newer runtime, without
# and with ARC. PATTERN selects programs. WAYS: some of gcc clang asan valgrind newer, for each.
# asan: the library is built again, with AddressSanitizer. valgrind: it also finds reads of memory that was never written, and takes
# a minute for some programs, so that two run under it; VALGRIND=yes runs all.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" "${2:-*}" objective-c
top=$(cd "$here/../../.." && pwd)
config=${OBJC_CONFIG:-gnustep-config}
export top config
# gcc finds the headers of its runtime itself; for clang they come last, because they stand beside headers of gcc.
runtime_headers=$(gcc -print-file-name=include)
export runtime_headers
# The engine's table, whose calls fail in a test, and which the sources of the library need.
engine_headers=$(printf -- "-I$top/Sources/%s/include " Engine/CEngineTable Engine/CAudioStreams Engine/CStatusPage System/CLinux)
export engine_headers

programs() {
    local program
    for program in "$here"/programs/*.m; do
        program=$(basename "$program" .m)
        # shellcheck disable=SC2254
        case $program in $pattern) echo "$program" ;; esac
    done
}

# The flags of GNUstep, whose headers have warnings of their own.
system_flags() {
    "$config" --objc-flags | tr ' ' '\n' | grep -vxE -e '-MMD|-MP|-I\.|-g|-O2|-Wall|-DGSWARN|-DGSDIAGNOSE|' | sed 's/^-I/-isystem/'
}

sanitize='-fsanitize=address,undefined -fno-sanitize-recover=undefined'
export sanitize

build() { # program, way
    local compiler=gcc flags=''
    case $2 in
    clang) compiler="$(command -v clang-14 || echo clang) -fobjc-runtime=gcc -idirafter $runtime_headers" ;;
    asan) flags="-g $sanitize -L$scratch/sanitized" ;;
    valgrind) flags=-g ;;
    esac
    # shellcheck disable=SC2046,SC2086
    $compiler $(system_flags) -std=gnu11 -Wall -Wextra -Werror -O1 $flags -I"$here" $engine_headers -o "${scratch:?}/$1.$2" \
        "$here/programs/$1.m" $(pkg-config --cflags --libs avfoundation) $("$config" --base-libs) -lm >"$scratch/$1.$2.log" 2>&1
}

# The library as make builds it, and with AddressSanitizer.
build_sanitized_library() {
    local folder=$scratch/sanitized source soname toolbox flags names
    soname=$(cd "$prefix/lib" && echo libavfoundation-audio.so.?) toolbox=$(cd "$prefix/lib" && echo libAudioToolbox.so.?)
    mkdir "$folder" && ln -s "$soname" "$folder/libavfoundation-audio.so"
    for source in "$top"/Sources/API/ObjectiveC/*.m; do printf '#import "%s"\n' "$source"; done >"$folder/classes.m"
    flags="-std=gnu11 -O1 -g -fPIC $sanitize -I$top/include/avfoundation $engine_headers $(pkg-config --cflags audiotoolbox)"
    names=("-DAUDIOSESSION_VERSION=\"$(cat "$top/VERSION")\\n\"" "-DAUDIOTOOLBOX_SONAME=\"$toolbox\"")
    # shellcheck disable=SC2086
    (cd "$folder" && gcc $flags "${names[@]}" -c "$top"/Sources/API/ObjectiveC/*.c) || return
    # shellcheck disable=SC2046,SC2086
    gcc $(system_flags) $flags "${names[@]}" -shared -o "$folder/$soname" "$folder/classes.m" "$folder"/*.o -Wl,-soname,"$soname" \
        $(pkg-config --libs audiosession) $("$config" --base-libs)
}

# GNUstep and the runtime keep memory that they never free, and a watcher reports some of it. A leak counts if a function of this
# project has allocated the block.
judge() { # label, status; the reports, without the prefix of each line, are the input
    local found
    found=$(awk 'BEGIN { RS = "" } /Invalid|ninitialised|Mismatched|ERROR: AddressSanitizer|runtime error/ ||
        (/definitely lost|Direct leak/ && /libavfoundation|libAudioToolbox|libAudioSession|API\/ObjectiveC/)')
    [ -z "$found" ] || printf 'not ok - %s: every access is valid, and no memory is lost\n%s\n' "$1" "$found"
    [ -n "$found" ] || echo "ok - $1: every access is valid, and no memory is lost"
    return "$2"
}

start() { # program, way, label
    local status=0
    case $2 in
    asan)
        # A library that is loaded later is searched where AddressSanitizer's is.
        LD_LIBRARY_PATH=$scratch/sanitized:$prefix/lib \
            ASAN_OPTIONS=log_path=$scratch/$1.watched:fast_unwind_on_malloc=0:malloc_context_size=12:exitcode=0 \
            UBSAN_OPTIONS=log_path=$scratch/$1.watched LSAN_OPTIONS=suppressions=$here/leaks.supp:print_suppressions=0 \
            "$scratch/$1.asan" "$3" || status=$?
        cat "$scratch/$1.watched".* 2>/dev/null | judge "$3" $status
        ;;
    valgrind)
        CONFORMANCE_FORK=yes valgrind -q --trace-children=yes '--trace-children-skip=*/rm,*/sh' --leak-check=full \
            --show-leak-kinds=definite --suppressions="$here/../Conformance/valgrind.supp" \
            --log-file="$scratch/$1.%p.watched" "$scratch/$1.valgrind" "$3" || status=$?
        sed 's/^==[0-9]*== \{0,1\}//' "$scratch/$1".*.watched | judge "$3" $status
        ;;
    *) "$scratch/$1.$2" "$3" ;;
    esac
}
export -f judge
export -f system_flags

# No package has the newer runtime: the folder newer declares what GNUstep's headers use of it.
run_newer() { # description, flags
    local file log=$scratch/newer.log
    for file in "$top"/Sources/API/ObjectiveC/*.m "$top"/Examples/ObjectiveC/*.m; do
        case "$2 $file" in *-fobjc-arc*Examples*) continue ;; esac
        # shellcheck disable=SC2046,SC2086
        $(command -v clang-14 || echo clang) -fobjc-runtime=gnustep-2.0 $2 -isystem "$here/newer" \
            $(system_flags | grep -v GNU_RUNTIME) -fblocks -Wall -Wextra -Werror -fsyntax-only -std=gnu11 \
            -DAUDIOSESSION_VERSION='"0"' -I"$top/include/avfoundation" -I"$top/include/audiosession" \
            -I"$top/include/audiotoolbox" $engine_headers "$file" >"$log" 2>&1 || echo failed >>"$log"
        if [ -s "$log" ]; then
            echo "not ok - $(basename "$file") compiles for the newer runtime $1"
            sed 's/^/#   /' "$log"
        else
            echo "ok - $(basename "$file") compiles for the newer runtime $1"
        fi
    done
}

# The library beside a libAudioSession of another version: each call fails, and the log says so once.
run_version() {
    local said wanted='setActive: 0, 2003329396, libAudioSession has another version.
the rest: 0
inputs: 0, route: 0
permission: 1
options: 0, latency: 0'
    gcc -shared -fPIC -o "$scratch/other.so" "$here/../Plugin/versions/other.c"
    # shellcheck disable=SC2046
    gcc $(system_flags) -std=gnu11 -Wall -Wextra -Werror -o "$scratch/version" "$here/version.m" \
        $(pkg-config --cflags --libs avfoundation) $("$config" --base-libs)
    said=$(LD_PRELOAD=$scratch/other.so "$scratch/version" 2>"$scratch/version.log")
    if [ "$said" = "$wanted" ] && [ "$(grep -c 'of the same version, not 9.8.7; install both' "$scratch/version.log")" = 1 ]; then
        echo 'ok - with a libAudioSession of another version each call fails, and one line of the log names both versions'
    else
        echo 'not ok - with a libAudioSession of another version each call fails, and one line of the log names both versions'
        { echo "$said"; cat "$scratch/version.log"; } | sed 's/^/#   /'
    fi
}

# Builds the examples as a reader does, and runs them. Every step waits for a line of a program.
build_example() { # name, compiler
    local compiler=$2
    [ "$2" != clang ] || compiler="$(command -v clang-14 || echo clang) -fobjc-runtime=gcc -idirafter $runtime_headers"
    # shellcheck disable=SC2046,SC2086
    $compiler $(system_flags) -std=gnu99 -Wall -Wextra -Werror "$top/Examples/ObjectiveC/$1.m" -o "$scratch/$1.$2.example" \
        $(pkg-config --cflags --libs avfoundation) $("$config" --base-libs)
}

await() { # regular expression; the program is the coprocess
    local line
    while IFS= read -r -t 60 line <&"${program[0]}"; do [[ $line =~ $1 ]] && return; done
    echo "#   waited in vain for \"$1\""
    return 1
}

play_story() { # compiler
    local program program_PID
    "$scratch/recorder.$1.example" memo.wav 0.5 >recorded || return 1
    grep -q 'recorder: wrote .*memo.wav' recorded || return 1
    coproc program { exec "$scratch/player.$1.example" memo.wav -1; }
    local player=$program_PID
    await 'player: playing' && audiosessionctl simulate interrupt begin && await 'player: interrupted' &&
        audiosessionctl simulate interrupt end && await 'player: playing' && audiosessionctl simulate plug headphones &&
        audiosessionctl simulate unplug headphones && await 'player: paused at .*Headphones was unplugged' || return 1
    kill "$player" && wait "$player"
    "$scratch/player.$1.example" memo.wav | grep -q 'player: finished' || return 1
    coproc program { exec "$scratch/olddelegate.$1.example"; }
    local input=${program[1]} delegate=$program_PID
    await 'session: 44100 Hz, 1 in' && await 'AVAudioSessionCategoryPlayAndRecord' && audiosessionctl simulate interrupt begin &&
        await 'session: interrupted' && audiosessionctl simulate interrupt end && await 'session: active again' || return 1
    exec {input}>&-
    wait "$delegate"
}

run_examples() { # compiler
    local name result=ok folder=$scratch/examples.$1
    export PATH=$prefix/bin:$PATH AUDIOSESSION_HARDWARE=simulated AUDIOSESSION_RUNTIME_DIR=$folder
    mkdir -m 700 "$folder" && cd "$folder" || return
    for name in player recorder olddelegate; do build_example $name "$1" || result='not ok'; done
    echo "$result - the examples compile without a warning ($1)"
    play_story "$1" || result='not ok'
    echo "$result - the examples record, pause for a call and unplugged headphones, and hear of events ($1)"
}

is_way() { [[ -z ${WAYS:-} || " $WAYS " == *" $1 "* ]]; }
if is_way newer && [ -z "${2:-}" ]; then
    { run_newer 'without ARC' ''; run_newer 'with ARC' -fobjc-arc; } >"$scratch/newer.results"
fi
[ -n "${2:-}" ] || run_version >"$scratch/version.results"
if [ -z "${2:-}" ]; then
    for way in gcc clang; do ! is_way $way || (run_examples $way) >"$scratch/examples.$way.results" 2>&1; done
fi
watched_by_valgrind='library order'
[ -z "${VALGRIND:-}" ] || watched_by_valgrind=$(programs | tr '\n' ' ')
! is_way asan || build_sanitized_library || exit 1
compilers=(gcc clang)
for program in $(programs); do
    # gcc compiles for asan. The name of the program decides which compiler it has for the library of the installation.
    ways="${compilers[${#program} % 2]} asan"
    [ -z "${WAYS:-}" ] || ways='gcc clang asan'
    case " $watched_by_valgrind " in *" $program "*) ways+=' valgrind' ;; esac
    for way in $ways; do ! is_way "$way" || echo "run $program $way"; done
done >"$scratch/list"

pkg-config --validate avfoundation || exit 1
run_list "$(nproc)"
report objective-c
