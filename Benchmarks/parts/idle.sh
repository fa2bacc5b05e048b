# SPDX-License-Identifier: Apache-2.0
# Wake-ups of idle programs.
watched=()
# waits PEER PACKAGE DEBIAN-PACKAGE NAME
waits() {
    if ! has "$2"; then note_missing idle "$4" "$3"; return; fi
    build "idle-$1" idle.c -- -DPEER_"$1" $(flags "$2")
    watched+=("$4=$out/idle-$1")
}
waits AUDIOSESSION audiosession '' libAudioSession
waits QUEUE audiotoolbox '' 'an audio queue that has not started'
waits PAUSED_QUEUE audiotoolbox '' 'a paused audio queue'
waits SDL sdl2 libsdl2-dev 'libSDL2, a paused device of its dummy driver'
waits PULSE libpulse libpulse-dev 'libpulse, a corked stream'
build watch-idle watch-idle.c --

run_idle() { SDL_AUDIODRIVER=dummy simulated "$out/watch-idle" "${BENCH_IDLE:-10}" "${watched[@]}"; }
