# SPDX-License-Identifier: Apache-2.0
# plays, pauses for a call and resumes at the same frame, moves to headphones, pauses when they are unplugged
record 22050
start player "$scratch/player" -d pipe
await player plays
await pipe_recorder recorded
# The first note of the tune is an A, a quarter of a second long: 110 waves.
expect 'the tune is played' test "$(half_waves "$folder/recorded" 0 11025)" -ge 215 -a "$(half_waves "$folder/recorded" 0 11025)" -le 225

audiosessionctl interrupt begin --detach
await player 'is interrupted'
audiosessionctl interrupt end
await player plays

audiosessionctl interrupt begin --detach
await player 'is interrupted'
audiosessionctl interrupt end --should-not-resume
await player 'stays paused'

audiosessionctl simulate plug headphones
await player 'moves to the new device'
start again "$scratch/player" -d pipe
await again plays
audiosessionctl simulate unplug headphones
await again pauses
await player pauses
await monitor 'is inactive'

# A WAV file with a header of 44 bytes, as recorder.c writes it.
{
    printf 'RIFF\x44\x56\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x44\xAC\0\0\x88\x58\1\0\2\0\x10\0data\x20\x56\0\0'
    cat "$folder/recorded"
} >"$folder/music.wav"
start file "$scratch/player" "$folder/music.wav"
await file plays
