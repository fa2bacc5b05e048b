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

twice=$(find -H "$folder" -name '*.o' ! -path '*.product/*' -exec "$llvm/llvm-nm" -A --defined-only {} + 2>/dev/null |
    awk '$NF ~ /Tv[0-9]+_r$/ && $(NF - 1) ~ /^[A-Z]$/ { files[$NF] = files[$NF] " " substr($1, 1, index($1, ":") - 1) }
         END { for (name in files) print name files[name] }')
# shellcheck disable=SC2086
mixed=$(echo "$twice" | awk NF | /usr/bin/python3 "$(dirname "$0")/product/objects.py" "$llvm/clang" "$scratch" $target)
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
