# SPDX-License-Identifier: Apache-2.0
# Functions of the checks of both installed libraries. The script that reads this file sets $library and $link.
# shellcheck shell=sh
failures=0

fail() {
    printf '%s: %s\n' "${library:?}" "$1" >&2
    failures=$((failures + 1))
}

dynamic() { readelf -dW "$library" | sed -n "s/.*($1).*\[\(.*\)\]/\1/p"; }

# It needs no other libraries than these, and finds all.
check_needed() { # names
    allowed="$* libm.so.6 libc.so.6 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1"
    # The Swift runtime inside is C++.
    [ "${link:?}" != static-stdlib ] || allowed="$allowed libstdc++.so.6 libgcc_s.so.1"
    for needed in $(dynamic NEEDED); do
        case " $allowed " in
        *" $needed "*) ;;
        *) fail "needs $needed" ;;
        esac
    done
    if ldd -r "$library" 2>&1 | grep -E 'not found|undefined symbol'; then fail 'does not resolve'; fi
}

check_link_options() {
    readelf -dW "$library" | grep -q NODELETE || fail 'can be unloaded under its own threads (-z nodelete)'
    readelf -dW "$library" | grep -q 'BIND_NOW\|Flags:.*NOW' || fail 'is bound lazily (-z now)'
    readelf -lW "$library" | grep -q GNU_RELRO || fail 'has no read-only relocations (-z relro)'
    if readelf -lW "$library" | grep -q 'GNU_STACK.*RWE'; then fail 'asks for an executable stack'; fi
}
