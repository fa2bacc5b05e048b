# SPDX-License-Identifier: Apache-2.0
# The multichannel mixer beside SDL_mixer.
if has audiotoolbox && has SDL2_mixer; then
    build mixing mixing.c -- $(flags audiotoolbox SDL2_mixer)
else
    note_missing mixing SDL_mixer libsdl2-mixer-dev
fi

run_mixing() { [ ! -x "$out/mixing" ] || simulated "$out/mixing" 200 2>"$out/mixing.log"; }
