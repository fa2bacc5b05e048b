# plays chords, leaves the stage for a call and comes back, moves to another device
listen 8820
start synth "$scratch/synth" -d pipe
hear synth 'on stage'
audiosessionctl interrupt begin --detach
hear synth interrupted
audiosessionctl interrupt end
hear synth 'on stage'
tell synth 'c e g'
hear synth 'plays c e g'
hear listener heard
audiosessionctl simulate plug headphones
hear synth 'for reason 1'
hear synth 'on stage'
stop_telling synth
ends synth
hear monitor 'Synthesizer .* is gone'
