# The programs that test the C functions, as they are.

test_conformance() {
    local program results
    for program in "$VM_OUT"/conformance/*; do
        results=$("$program" "${program##*/}" 2>&1)
        grep -A 5 '^not ok' <<<"$results" && exit 1
        echo "#   ${program##*/}: $(grep -c '^ok ' <<<"$results") passed"
    done
}
promise conformance 'the programs that test the C functions pass here too'
