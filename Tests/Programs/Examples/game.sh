# SPDX-License-Identifier: Apache-2.0
# mixes with the music of another program, and plays its own without one; pauses for a call
start player "$scratch/player"
await player plays
start game "$scratch/game"
await game 'another program plays music'
await game resumed
audiosessionctl simulate plug headphones
await player 'moves to the new device'
not_printed player interrupted
await game 'another device'
audiosessionctl interrupt begin --detach
await player interrupted
await game paused
audiosessionctl interrupt end
await player plays
await game resumed
kill "${processes[player]}"
await monitor 'Music .* is gone'
kill "${processes[game]}"
await monitor 'Game .* is gone'

record 4410
start own "$scratch/game" -d pipe -f 90
await own 'plays its own music'
await pipe_recorder recorded
expect 'the music is played' test "$(half_waves "$folder/recorded" 0 2205)" -ge 4
await own over
ends own
