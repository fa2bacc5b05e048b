# SPDX-License-Identifier: Apache-2.0
# plays its input and the echo of it, stops for a call and starts again
export AUDIOSESSION_SIMULATION_WAV=$folder/played.wav AUDIOSESSION_SIMULATION_MICROPHONE=$folder/microphone.wav
write_tone "$AUDIOSESSION_SIMULATION_MICROPHONE"
start echo "$scratch/echo" 100
await echo listening
await_sound "$AUDIOSESSION_SIMULATION_WAV" 10000
audiosessionctl interrupt begin --detach
await echo interrupted
before=$(sound_in "$AUDIOSESSION_SIMULATION_WAV")
audiosessionctl interrupt end
await echo listening
await_sound "$AUDIOSESSION_SIMULATION_WAV" $((before + 10000))
close_input echo
await echo done
ends echo
