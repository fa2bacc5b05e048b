# SPDX-License-Identifier: Apache-2.0
# plays a file that arrives through a pipe, and ends with it in the middle of a sample
export AUDIOSESSION_SIMULATION_WAV=$folder/played.wav
write_tone "$folder/tone.wav"
start radio "$scratch/radio"
head -c 70001 "$folder/tone.wav" >&"${inputs[radio]}"
await radio '44100 Hz, 1 channels'
await_frequency 441
close_input radio
await radio 'the station has ended'
ends radio
