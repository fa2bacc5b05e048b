# SPDX-License-Identifier: Apache-2.0
# The report of tools/check-product, and what its parts ask of a shared library. A part sets $subject, the file that it checks, and
# $passed, what it says when nothing failed. Those of a shared library set $link as well: how the Swift runtime is linked.
# shellcheck shell=sh
failures=0
subject=

fail() { # what is wrong with the subject
    printf 'check-product %s: %s: %s\n' "${part:?}" "$subject" "$1" >&2
    failures=$((failures + 1))
}

expect() { # what, expected, found
    [ "$2" != "$3" ] || return 0
    case $2$3 in
    *'
'*) ;;
    *) fail "$1 is \"$3\", not \"$2\""; return ;;
    esac
    printf '%s\n' "$2" >"${scratch:?}/expected-value"
    printf '%s\n' "$3" >"$scratch/found-value"
    fail "$1 differs from what is expected (<):
$(diff "$scratch/expected-value" "$scratch/found-value")"
}

dynamic() { readelf -dW "$subject" | sed -n "s/.*($1).*\[\(.*\)\]/\1/p"; }

# The symbols that the library exports with this version.
exported() { # version
    nm -D --defined-only "$subject" | sed -n "s/.* \(.*\)@@$1\$/\1/p" | grep -vx "$1" | sort
}

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
    if ldd -r "$subject" 2>&1 | grep -E 'not found|undefined symbol'; then fail 'does not resolve'; fi
}

check_link_options() {
    readelf -dW "$subject" | grep -q NODELETE || fail 'can be unloaded under its own threads (-z nodelete)'
    readelf -dW "$subject" | grep -q 'BIND_NOW\|Flags:.*NOW' || fail 'is bound lazily (-z now)'
    readelf -lW "$subject" | grep -q GNU_RELRO || fail 'has no read-only relocations (-z relro)'
    if readelf -lW "$subject" | grep -q 'GNU_STACK.*RWE'; then fail 'asks for an executable stack'; fi
}
