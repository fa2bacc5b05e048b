# SPDX-License-Identifier: Apache-2.0
# On the kernel's own sound drivers, in a virtual machine with three cards: all of it once, whatever the
# number of rounds, since emulation is slow. The programs are those of the other parts.
. ./parts/initialize.sh
build route route.c -- $(flags audiosession alsa)
build transfer transfer.c -- $(flags alsa)
playback=''
if has audiotoolbox && has portaudio-2.0 && has sdl2; then
    build playback playback.c -- $(flags audiotoolbox portaudio-2.0 sdl2)
    playback=$out/playback
else
    note_missing machine-playback 'libraries to compare with' 'portaudio19-dev libsdl2-dev'
fi

run_machine() {
    [ "$BENCH_ROUND" = 1 ] || return 0
    # The guest shares this folder with the host, and no temporary files.
    local folder
    folder=$(mktemp -d "$out/machine.XXXXXX")
    # shellcheck disable=SC2086
    cp in-machine.sh "${starts[@]}" "$out/route" "$out/transfer" $playback "$folder"
    cp -r "$stage" "$folder/stage"
    if ! HOME=$home ../Tests/Machine/vm.sh -o "$folder" -t 1500 -- bash "$folder/in-machine.sh" >"$out/machine.log" 2>&1; then
        note machine-initialize 'The virtual machine did not end: the rows are those that it wrote before.'
    fi
    cat "$folder/samples.tsv" 2>/dev/null || true
    rm -rf "$folder"
}
