# SPDX-License-Identifier: Apache-2.0
# An empty program, with and without each library.
names=()
# empty NAME LINKER-FLAGS...: linked whether anything of it is used or not
empty() {
    local name=$1 program=empty-${1// /-}
    shift
    build "$program" empty.c -- -Wl,--no-as-needed "$@"
    names+=("$name=$out/$program")
}
empty nothing
empty libasound -lasound
empty libAudioSession -L"$stage/lib" -lAudioSession
# peer NAME PACKAGE DEBIAN-PACKAGE
peer() { if has "$2"; then empty "$1" $(pkg-config --libs "$2"); else note_missing load "$1" "$3"; fi; }
peer libportaudio2 portaudio-2.0 portaudio19-dev
peer libpulse libpulse libpulse-dev
peer libSDL2 sdl2 libsdl2-dev
foundation=$(swift -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath": "\([^"]*\)".*/\1/p')/linux
if [ -e "$foundation/libFoundation.so" ]; then
    empty libFoundation -L"$foundation" -Wl,-rpath,"$foundation" -lFoundation
else
    note load 'Left out: libFoundation, because no Swift toolchain is installed.'
fi
# A program that links the classes, beside one that links only the Foundation that they need.
if has avfoundation && command -v gnustep-config >/dev/null; then
    # shellcheck disable=SC2046
    empty 'GNUstep Base' $(gnustep-config --base-libs)
    # shellcheck disable=SC2046
    empty libavfoundation-audio $(pkg-config --libs avfoundation) $(gnustep-config --base-libs)
else
    note_missing load 'the classes in Objective-C' 'gobjc gnustep-make libgnustep-base-dev'
fi
build load load.c --

run_load() { "$out/load" "${BENCH_LOADS:-100}" "${names[@]}"; }
