# lets music play, and plays its own where there is none; pauses for a call
start player "$scratch/player"
hear player plays
start game "$scratch/game"
hear game 'leaves the music to the player'
hear game on
audiosessionctl simulate plug headphones
hear player 'hears of new headphones'
not_said player interrupted
hear game 'another device'
audiosessionctl interrupt begin --detach
hear player interrupted
hear game paused
audiosessionctl interrupt end
hear player plays
hear game on
kill "${processes[player]}"
hear monitor 'Music .* is gone'
kill "${processes[game]}"
hear monitor 'Game .* is gone'

listen 4410
start alone "$scratch/game" -d pipe -f 90
hear alone 'plays its own music'
hear listener heard
expect 'the music is heard' test "$(half_waves "$world/heard" 0 2205)" -ge 4
hear alone over
ends alone
