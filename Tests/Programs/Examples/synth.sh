# SPDX-License-Identifier: Apache-2.0
# plays a chord and no other notes, stops for a call and resumes, moves to another device
record_sound 22050
start synth "$scratch/synth" -d pipe
await synth ready
audiosessionctl interrupt begin --detach
await synth interrupted
audiosessionctl interrupt end
await synth ready
send synth 'c e g'
await synth 'plays c e g'
await pipe_recorder recorded
for frequency in 261.63 329.63 392; do # c, e, g
    expect "$frequency Hz is played" test "$(strength "$folder/recorded" $frequency)" -gt 1000
done
for frequency in 293.66 349.23 440; do # d, f, a
    expect "$frequency Hz is not" test "$(strength "$folder/recorded" $frequency)" -lt 200
done
audiosessionctl simulate plug headphones
await synth 'reason 1'
await synth ready
close_input synth
ends synth
await monitor 'Synthesizer .* is gone'
