# plays a chord and no other notes, leaves the stage for a call and comes back, moves to another device
listen_for_sound 22050
start synth "$scratch/synth" -d pipe
hear synth 'on stage'
audiosessionctl interrupt begin --detach
hear synth interrupted
audiosessionctl interrupt end
hear synth 'on stage'
tell synth 'c e g'
hear synth 'plays c e g'
hear listener heard
for frequency in 261.63 329.63 392; do # c, e, g
    expect "$frequency Hz is heard" test "$(strength "$world/heard" $frequency)" -gt 1000
done
for frequency in 293.66 349.23 440; do # d, f, a
    expect "$frequency Hz is not" test "$(strength "$world/heard" $frequency)" -lt 200
done
audiosessionctl simulate plug headphones
hear synth 'for reason 1'
hear synth 'on stage'
stop_telling synth
ends synth
hear monitor 'Synthesizer .* is gone'
