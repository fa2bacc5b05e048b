# beats, changes its tempo, starts and stops, resumes after a call, moves to another device
listen 1764
start metronome "$scratch/metronome" -d pipe 120
hear metronome '120 beats a minute'
hear listener heard
expect 'a click is heard' test "$(half_waves "$world/heard" 0 441)" -ge 28
tell metronome 300
hear metronome '300 beats a minute'
audiosessionctl interrupt begin --detach
hear metronome interrupted
tell metronome 90
hear metronome 'cannot start: kAudioSessionNotActiveError'
audiosessionctl interrupt end
hear metronome '90 beats a minute'
audiosessionctl simulate plug headphones
hear metronome 'another device'
hear metronome '90 beats a minute'
tell metronome ''
hear metronome stopped
hear monitor 'Metronome .* is inactive'
tell metronome ''
hear metronome '90 beats'
stop_telling metronome
ends metronome
