# SPDX-License-Identifier: Apache-2.0
# On the kernel's own sound drivers, in a virtual machine with three cards: all of it once, whatever the
# number of rounds, since emulation is slow. The programs are those of the other parts. Playback and latency are measured in virtual
# time.
. ./parts/initialize.sh
build route route.c -- $(flags audiosession alsa)
build transfer transfer.c -- $(flags alsa)
playback=''
if has audiotoolbox && has portaudio-2.0 && has sdl2; then
    build playback playback.c -- $(flags audiotoolbox portaudio-2.0 sdl2)
    build latency latency.c -- $(flags audiotoolbox portaudio-2.0 alsa)
    playback="$out/playback $out/latency"
else
    note_missing machine-playback 'libraries to compare with' 'portaudio19-dev libsdl2-dev'
fi

# in_machine CLOCK SUBJECT TABLE: the table that gets the note after a failure.
in_machine() {
    # The guest shares this folder with the host, and no temporary files.
    local folder
    folder=$(mktemp -d "$out/machine.XXXXXX")
    # shellcheck disable=SC2086
    cp in-machine.sh ../Tests/Machine/without-dmix.conf "${starts[@]}" "$out/route" "$out/transfer" $playback "$folder"
    cp -r "$stage" "$folder/stage"
    if ! VM_CLOCK=$1 HOME=$home ../Tests/Machine/vm.sh -o "$folder" -t 1500 -- bash "$folder/in-machine.sh" "$2" >"$out/machine-$2.log" 2>&1; then
        note "$3" 'The virtual machine did not end: the rows are those that it wrote before.'
    fi
    cat "$folder/$2.tsv" 2>/dev/null || true
    rm -rf "$folder"
}

run_machine() {
    [ "$BENCH_ROUND" = 1 ] || return 0
    in_machine real cards machine-initialize
    [ -n "$playback" ] || return 0
    in_machine virtual playback machine-playback
    in_machine virtual latency machine-round-trip
}
