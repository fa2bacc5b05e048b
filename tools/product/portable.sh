# SPDX-License-Identifier: Apache-2.0
# portable FILE...: the files run on other machines: none needs a newer C library than promised, and none refers to a
# folder of this machine.
# shellcheck shell=sh disable=SC2034
floor=2.34

for file in "$@"; do
    subject=$file
    newest=$(objdump -T "$file" | sed -n 's/.*(\{0,1\}GLIBC_\(2\.[0-9.]*\))\{0,1\}.*/\1/p' | sort -uV | tail -n 1)
    [ -n "$newest" ] || { fail 'has no version of the C library: the file cannot be read'; continue; }
    [ "$(printf '%s\n' "$newest" "$floor" | sort -V | tail -n 1)" = "$floor" ] ||
        fail "needs glibc $newest, newer than $floor: $(objdump -T "$file" |
            grep -F "GLIBC_$newest" | awk '{ print $NF }' | tr '\n' ' ')"
    ! grep -qF "$PWD/" "$file" || fail "contains the name of the build folder: $(strings "$file" | grep -F "$PWD/" | head -n 1)"
    for folder in $(readelf -dW "$file" | sed -n 's/.*(R\(UN\)\{0,1\}PATH).*\[\(.*\)\]/\2/p' | tr ':' ' '); do
        # shellcheck disable=SC2016
        case $folder in
        '$ORIGIN' | '$ORIGIN'/*audiosession/swift/linux | '$ORIGIN/..') ;;
        *) fail "looks for libraries in $folder" ;;
        esac
    done
done
passed="$# files, glibc $floor or older, no folder of this machine"
