# SPDX-License-Identifier: Apache-2.0
# The programs that test the C functions, unchanged.

test_conformance() {
    local program results
    CONFORMANCE_FOUNDATION=$(cat conformance/foundation)
    export CONFORMANCE_FOUNDATION
    for program in conformance/*; do
        [ -x "$program" ] && [ -f "$program" ] || continue
        results=$(run_program "${program##*/}" 2>&1)
        grep -A 5 '^not ok' <<<"$results" && exit 1
        grep -q '^ok' <<<"$results" || { echo "#   ${program##*/} does not run: $results"; exit 1; }
        echo "#   ${program##*/}: $(grep -c '^ok ' <<<"$results") passed"
    done
}

run_program() {
    case $1 in
    # Without CoreFoundation.
    absent) LD_LIBRARY_PATH=$PWD/conformance/without "conformance/$1" "$1" ;;
    # Without the stress test, which takes many minutes on an emulated processor.
    threads) for name in initialize_at_once no_signals; do "conformance/$1" "$1" "$name"; done ;;
    *) "conformance/$1" "$1" ;;
    esac
}
