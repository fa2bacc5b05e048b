# On the kernel's own sound drivers, in a virtual machine with three cards: all of it once, whatever the
# number of rounds, since emulation is slow. The programs are those of the other parts.
. ./parts/initialize.sh
build route route.c -- $(flags audiosession alsa)
build transfer transfer.c -- $(flags alsa)
folder=$(mktemp -d "$out/machine.XXXXXX")

run_machine() {
    [ "$BENCH_ROUND" = 1 ] || return 0
    local module
    module=$(find "$stage/lib" -name 'libasound_module_pcm_audiosession.so' | head -n 1)
    cp in-machine.sh "${starts[@]}" "$out/route" "$out/transfer" "$folder"
    if ! HOME=$home ../Tests/Machine/vm.sh -o "$folder" -t 600 -- \
        env LD_LIBRARY_PATH="$stage/lib" MODULE="$module" bash "$folder/in-machine.sh" >"$out/machine.log" 2>&1; then
        note machine-initialize 'The virtual machine did not come to an end: what is here is what it had said until then.'
    fi
    cat "$folder/samples.tsv" 2>/dev/null || true
    rm -rf "$folder"
}
