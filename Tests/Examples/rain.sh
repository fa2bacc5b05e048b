# falls along with music, pauses for a call and comes back, stops on Control-C
start player "$scratch/player"
hear player plays
listen 44100
start rain "$scratch/rain" -d pipe
hear rain falls
hear listener heard
expect 'rain is heard' test "$(half_waves "$world/heard" 0 22050)" -ge 100
audiosessionctl simulate plug headphones
hear rain 'another device'
hear rain falls
hear player 'hears of new headphones'
not_said player interrupted
audiosessionctl interrupt begin --detach
hear rain pauses
audiosessionctl interrupt end
hear rain falls
hear player plays
kill -INT "${processes[rain]}"
hear rain stops
ends rain
