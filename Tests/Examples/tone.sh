# SPDX-License-Identifier: Apache-2.0
# plays a tone from a render callback, follows its frequency, stops for a call and starts again
export AUDIOSESSION_SIMULATION_WAV=$folder/played.wav
start tone "$scratch/tone" 440
await tone playing
audiosessionctl interrupt begin --detach
await tone interrupted
audiosessionctl interrupt end
await tone playing
send tone 880
close_input tone
await tone done
ends tone
expect 'a tone is in the recording' test "$(tail -c +45 "$folder/played.wav" | tr -d '\0' | wc -c)" -gt 1000
