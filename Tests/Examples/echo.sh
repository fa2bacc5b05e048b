# SPDX-License-Identifier: Apache-2.0
# plays its input and the echo of it, stops for a call and starts again
export AUDIOSESSION_SIMULATION_WAV=$folder/played.wav
start echo "$scratch/echo" 100
await echo listening
audiosessionctl interrupt begin --detach
await echo interrupted
audiosessionctl interrupt end
await echo listening
close_input echo
await echo done
ends echo
expect 'the machine has recorded' test "$(stat -c %s "$folder/played.wav")" -gt 44
