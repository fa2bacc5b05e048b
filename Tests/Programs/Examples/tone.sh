# SPDX-License-Identifier: Apache-2.0
# plays a tone from a render callback, follows its frequency, stops for a call and starts again
export AUDIOSESSION_SIMULATION_WAV=$folder/played.wav
start tone "$scratch/tone" 440
await tone playing
await_sound "$AUDIOSESSION_SIMULATION_WAV" 10000
await_frequency 440
audiosessionctl interrupt begin --detach
await tone interrupted
before=$(sound_in "$AUDIOSESSION_SIMULATION_WAV")
audiosessionctl interrupt end
await tone playing
await_sound "$AUDIOSESSION_SIMULATION_WAV" $((before + 10000))
send tone 880
await_frequency 880
close_input tone
await tone done
ends tone
