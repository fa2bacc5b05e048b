# SPDX-License-Identifier: Apache-2.0
# beats, changes its tempo, starts and stops, resumes after a call, moves to another device
record 1764
start metronome "$scratch/metronome" -d pipe 120
await metronome '120 beats a minute'
await pipe_recorder recorded
expect 'a click is played' test "$(half_waves "$folder/recorded" 0 441)" -ge 28
send metronome 300
await metronome '300 beats a minute'
audiosessionctl interrupt begin --detach
await metronome interrupted
send metronome 90
await metronome 'cannot start: kAudioSessionNotActiveError'
audiosessionctl interrupt end
await metronome '90 beats a minute'
audiosessionctl simulate plug headphones
await metronome 'another device'
await metronome '90 beats a minute'
send metronome ''
await metronome stopped
await monitor 'Metronome .* is inactive'
send metronome ''
await metronome '90 beats'
close_input metronome
ends metronome
