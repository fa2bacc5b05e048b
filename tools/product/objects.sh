# SPDX-License-Identifier: Apache-2.0
# objects LLVM-BIN FOLDER [TARGET]: Embedded Swift 6.3.1 compiles a function into each module that uses it, and may number the constant
# arrays of the function differently in each. The linker keeps one array of each name, so the function may read the wrong
# one. The compiler does not warn. This script finds arrays of the same name with different content. LLVM-BIN is the folder of the
# toolchain's programs: the objects are bitcode. TARGET: the processor for which it is compiled; without it, that of this machine.
# Arrays that are local to their object, as in the build for a named processor, are not mixed.
# It also checks that the objects replace the weak swift_once() of Embedded Swift, which loops while another thread initializes.
# shellcheck shell=sh disable=SC2034
llvm=$1 folder=$2 target=${3:+-target $3}
subject=$folder

# Machine code of an object: one that is bitcode is compiled, once.
native() { # object
    case $(head -c 2 "$1") in
    BC)
        compiled=$scratch/$(printf '%s' "$1" | tr / _)
        [ -e "$compiled" ] || "$llvm/clang" $target -Wno-override-module -x ir -O0 -fPIC -c "$1" -o "$compiled"
        echo "$compiled"
        ;;
    *) echo "$1" ;;
    esac
}

# The bytes and the relocations of a symbol, without addresses, which differ between objects.
content() { # object, symbol
    set -- "$(native "$1")" "$2"
    objdump -t "$1" | grep -F " $2" | head -n 1 | sed 's/\t/ /' | {
        read -r start _ _ section size _
        start=$((0x$start)) size=$((0x$size))
        objdump -s -j "$section" --start-address=$start --stop-address=$((start + size)) "$1" |
            sed -n 's/^ [0-9a-f]* \(.\{35\}\).*/\1/p'
        objdump -r -j "$section" "$1" | while read -r offset type value; do
            case $offset in *[!0-9a-f]* | '') continue ;; esac
            offset=$((0x$offset - start))
            [ $offset -lt 0 ] || [ $offset -ge $size ] || echo "$offset $type $value"
        done
    }
}

twice=$(find -H "$folder" -name '*.o' ! -path '*.product/*' -exec "$llvm/llvm-nm" -A --defined-only {} + 2>/dev/null |
    awk '$NF ~ /Tv[0-9]+_r$/ && $(NF - 1) ~ /^[A-Z]$/ { files[$NF] = files[$NF] " " substr($1, 1, index($1, ":") - 1) }
         END { for (name in files) print name files[name] }')
mixed=$(echo "$twice" | while read -r symbol first others; do
    # The first array of a function has no number.
    for name in "$symbol" "$(echo "$symbol" | sed 's/Tv[0-9]*_r$/Tv_r/')"; do
        for other in $others; do
            [ "$(content "$first" "$name")" = "$(content "$other" "$name")" ] || echo "$name"
        done
    done
done | sort -u)
if [ -n "$mixed" ]; then
    fail "these constant arrays have one name and different content; make them global constants:
$(echo "$mixed" | swift demangle)"
fi

definitions=$(find -H "$folder" -name '*.o' ! -path '*.product/*' -exec "$llvm/llvm-nm" --defined-only {} + 2>/dev/null |
    awk '$NF == "swift_once" { print $(NF - 1) }')
case $definitions in
*W*T* | *T*W*) ;;
*W*) fail 'no object defines swift_once() as a strong symbol; see Sources/System/CLinux/once.c' ;;
esac
passed="$(echo "$twice" | grep -c . || true) arrays in two objects or more, none of them mixed"
