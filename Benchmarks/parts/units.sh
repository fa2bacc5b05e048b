# SPDX-License-Identifier: Apache-2.0
# Units and queues of libAudioToolbox: rates in a unit beside libspeexdsp, and the processor time of slices on the simulated
# machine.
if has audiotoolbox && has speexdsp; then
    build units units.c -- $(flags audiotoolbox speexdsp)
else
    note_missing unit-rate 'a library to compare with' libspeexdsp-dev
fi

run_units() { [ ! -x "$out/units" ] || simulated "$out/units" 50 2 2>"$out/units.log"; }
