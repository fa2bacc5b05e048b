# plays, makes way for a call and resumes where it was, moves to headphones, pauses when they are pulled
listen 22050
start player "$scratch/player" -d pipe
hear player plays
hear listener heard
# The first note of the tune is an A, a quarter of a second long: 110 waves.
expect 'a tune is heard' test "$(half_waves "$world/heard" 0 11025)" -ge 215 -a "$(half_waves "$world/heard" 0 11025)" -le 225

audiosessionctl interrupt begin --detach
hear player 'is interrupted'
audiosessionctl interrupt end
hear player plays

audiosessionctl interrupt begin --detach
hear player 'is interrupted'
audiosessionctl interrupt end --should-not-resume
hear player 'stays paused'

audiosessionctl simulate plug headphones
hear player 'hears of new headphones'
start again "$scratch/player" -d pipe
hear again plays
audiosessionctl simulate unplug headphones
hear again pauses
hear player pauses
hear monitor 'is inactive'

# A file: what recorder and this player agree on is a WAV file of 44 bytes and samples.
{
    printf 'RIFF\x44\x56\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x44\xAC\0\0\x88\x58\1\0\2\0\x10\0data\x20\x56\0\0'
    cat "$world/heard"
} >"$world/music.wav"
start file "$scratch/player" "$world/music.wav"
hear file plays
