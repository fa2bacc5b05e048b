# SPDX-License-Identifier: Apache-2.0
# Getters.
$CC -O2 -shared -fPIC -o "$out/libplain.so" plain.c
build get get.c -- $(flags audiosession libpulse) -L"$out" -lplain -lpthread
has libpulse || note_missing get-1 libpulse libpulse-dev

run_get() { simulated "$out/get"; }
