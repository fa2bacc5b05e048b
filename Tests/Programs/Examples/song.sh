# SPDX-License-Identifier: Apache-2.0
# plays a file, moves in it, is interrupted, goes on, and ends by itself
export AUDIOSESSION_SIMULATION_WAV=$folder/played.wav
"$scratch/bounce" 60 "$folder/chord.wav" >/dev/null
audiosessionctl convert --format ulaw "$folder/chord.wav" "$folder/chord.au" >/dev/null
start song "$scratch/song" "$folder/chord.au"
await song playing
audiosessionctl interrupt begin --detach
await song interrupted
audiosessionctl interrupt end
await song playing
send song 100
await song 'no such place'
send song 59.8
await song 'at 59.8 s'
await song done
ends song
expect 'the file is in the recording' test "$(tail -c +45 "$folder/played.wav" | tr -d '\0' | wc -c)" -gt 50000
