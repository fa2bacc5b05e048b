# SPDX-License-Identifier: Apache-2.0
# calls LINK LIBRARY PLUGIN OBJECTS LIST [--update]: compares the calls of libc and libasound that the library and the
# plug-in make with the list. Every call that can fail is made in C, in CLinux or CALSA; the Swift modules call only what the compiler
# inserts. A line of the list is a module (Swift for all modules in that language) and a call. --update writes the list.
# LLVM_BIN is the folder of the programs of the toolchain: objects in Swift are bitcode.
# shellcheck shell=sh disable=SC2034
link=$1 library=$2 plugin=$3 objects=$4 list=$5
subject=$library

# The calls that start and end every shared library.
always='__cxa_atexit __cxa_finalize __register_atfork'

# The headers of some versions of libc rename functions.
plain() { sed -E 's/@.*//; s/^__isoc[0-9]+_//; s/^__(.*)_chk$/\1/' | sort -u; }

ldd "$library" | awk '/lib(asound|c|m)\.so|ld-linux/ { print $(NF - 1) }' |
    xargs nm -D --defined-only --format=posix | awk '{ print $1 }' | plain >"$scratch/system"

calls() { # objects
    xargs -r "${LLVM_BIN:?}/llvm-nm" --quiet -u --format=posix | awk 'NF > 1 { print $1 }' | plain | comm -12 - "$scratch/system"
}

for folder in Sources/*/*/; do
    module=$(basename "$folder")
    [ "$module" != audiosessionctl ] && [ -d "$objects/$module.build" ] || continue
    who=Swift
    [ -z "$(find "$folder" -name '*.c')" ] || who=$module
    find -H "$objects/$module.build" -name '*.o' | calls | sed "s/^/$who /"
done >"$scratch/all"
imports() { nm -D -u --format=posix "$1" | awk '{ print $1 }' | plain | comm -12 - "$scratch/system"; }
# The compiler inserts calls also when it links, after the bitcode: those that no module in C makes.
# shellcheck disable=SC2086
if [ "$link" = embedded ]; then
    { cut -d' ' -f2 "$scratch/all"; printf '%s\n' $always; } | sort -u >"$scratch/explained"
    imports "$library" | comm -23 - "$scratch/explained" >"$scratch/inserted"
    sed 's/^/Swift /' "$scratch/inserted" >>"$scratch/all"
fi
# The plug-in is linked of its own objects.
# shellcheck disable=SC2086
imports "$plugin" | grep -vxF "$(printf '%s\n' $always)" | sed 's/^/CALSAPlugin /' >>"$scratch/all"
sort -u "$scratch/all" >"$scratch/found"

if [ "${6:-}" = --update ]; then
    cp "$scratch/found" "$list"
    echo "$list is written"
    exit
fi

comm -23 "$scratch/found" "$list" >"$scratch/new"
if [ -s "$scratch/new" ]; then
    fail "these calls are not in $list; call libc in CLinux and libasound in CALSA, then type: make update-calls
$(cat "$scratch/new")"
fi
# With the static Swift runtime inside, the library also makes the calls of the runtime.
if [ "$link" = embedded ]; then
    comm -13 "$scratch/found" "$list" >"$scratch/gone"
    imports "$library" >"$scratch/imports"
    { cut -d' ' -f2 "$list"; printf '%s\n' $always; } | sort -u | comm -23 "$scratch/imports" - >"$scratch/unexplained"
    if [ -s "$scratch/gone" ]; then
        fail "these calls of $list are not made any more; type: make update-calls
$(cat "$scratch/gone")"
    fi
    if nm "$objects/libAudioSession.so" | grep -E ' (fault_|__wrap_)' >&2; then
        fail 'contains the fault injection of the tests'
    fi
    if [ -s "$scratch/unexplained" ]; then
        fail "imports calls that none of its modules makes:
$(cat "$scratch/unexplained")"
    fi
fi
passed="$link, $(grep -c -v '^Swift' "$list") calls from C, $(grep -c '^Swift' "$list") inserted by the Swift compiler"
