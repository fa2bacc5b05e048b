# SPDX-License-Identifier: Apache-2.0
# mixes two files, moves the faders, stops for a call and goes on after it
export AUDIOSESSION_SIMULATION_WAV=$folder/mixed.wav
write_tone "$folder/tone.wav"
start mixer "$scratch/mixer" "$folder/tone.wav" "$folder/tone.wav"
await mixer '^ 2 \[#{20}\].* on .*tone.wav'
send mixer '1 0.5'
await mixer '^ 1 \[#{10} {10}\]'
send mixer '2 off'
await mixer '^ 2 .* off '
await_frequency 441
send mixer '1 pan -1'
await mixer '^ 1 .* on '
audiosessionctl interrupt begin --detach
await mixer 'a call stops the music'
audiosessionctl interrupt end
await mixer 'the music goes on'
send mixer quit
ends mixer
