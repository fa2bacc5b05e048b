# SPDX-License-Identifier: Apache-2.0
# The first call of each library, in a process of its own.
starts=()
# start PEER PACKAGE DEBIAN-PACKAGE
start() {
    if [ -n "$2" ] && ! has "$2"; then note_missing initialize "$2" "$3"; return; fi
    build "initialize-$1" initialize.c -- -DPEER_"$1" $(flags $2)
    starts+=("$out/initialize-$1")
}
start AUDIOSESSION audiosession ''
start AUDIOSESSION_VOLUME audiosession ''
start PORTAUDIO portaudio-2.0 portaudio19-dev
start SDL sdl2 libsdl2-dev
start HINTS alsa libasound2-dev
start CONTROLS '' ''
# The part of the virtual machine reads this file as well: the function is defined once.
[ -n "${cards:-}" ] || {
    cards=$(grep -c '^ *[0-9]' /proc/asound/cards 2>/dev/null || true)
    cards=${cards:-0}
    case " $parts " in *" initialize "*) note initialize "Sound cards here: $cards. No sound server runs." ;; esac
}

# Without the sound server of another part: libraries connect to a server that they find.
run_initialize() (
    unset PULSE_SERVER
    export XDG_RUNTIME_DIR=$place/quiet
    mkdir -p "$XDG_RUNTIME_DIR"
    for turn in $(seq "${BENCH_STARTS:-20}"); do
        for start in "${starts[@]}"; do "$start"; done
    done
)
