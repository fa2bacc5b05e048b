# SPDX-License-Identifier: Apache-2.0
# plays a tune, pauses during a call, goes on, and ends by itself
export AUDIOSESSION_SIMULATION_WAV=$folder/played.wav
start tune "$scratch/tune" 2
await tune playing
audiosessionctl interrupt begin --detach
await tune interrupted
audiosessionctl interrupt end
await tune playing
await tune done
ends tune
expect 'a tune is in the recording' test "$(tail -c +45 "$folder/played.wav" | tr -d '\0' | wc -c)" -gt 1000000
