# SPDX-License-Identifier: Apache-2.0
# mixes with music, pauses for a call and resumes, stops on Control-C
start player "$scratch/player"
await player plays
record 44100
start rain "$scratch/rain" -d pipe
await rain falls
await pipe_recorder recorded
expect 'rain is played' test "$(half_waves "$folder/recorded" 0 22050)" -ge 100
audiosessionctl simulate plug headphones
await rain 'another device'
await rain falls
await player 'moves to the new device'
not_printed player interrupted
audiosessionctl interrupt begin --detach
await rain pauses
audiosessionctl interrupt end
await rain falls
await player plays
kill -INT "${processes[rain]}"
await rain stops
ends rain
