# chooses a source, sets the gain, writes what it hears, and goes on after a call
listen 0
sing
start recorder "$scratch/recorder" -d pipe -g 0.25 "$world/first.wav"
hear recorder 'gain 0.25'
hear recorder records
hear singer sung
kill -INT "${processes[recorder]}"
hear recorder 'wrote'
ends recorder
expect 'the gain is put back' test "$(audiosessionctl status --json | grep -c '"gain": *0.25')" = 0
expect 'the file says what it is' test "$(head -c 36 "$world/first.wav" | od -An -v -t x1 | tr -d ' \n' | cut -c 17-)" = \
    57415645666d74201000000001000100 -o "$(head -c 16 "$world/first.wav" | tail -c 8)" = 'WAVEfmt '
expect 'its length is right' test "$(od -An -t u4 -j 40 -N 4 "$world/first.wav" | tr -d ' ')" = $(($(stat -c %s "$world/first.wav") - 44))
expect 'a tone of 441 Hz is in it' test "$(half_waves "$world/first.wav" 44 10000)" = 200

audiosessionctl simulate plug usb
start recorder "$scratch/recorder" -s 2 "$world/second.wav"
hear recorder 'source 2 is "Line", and chosen'
hear recorder records
audiosessionctl interrupt begin --detach
hear recorder interrupted
audiosessionctl interrupt end
hear recorder records
audiosessionctl simulate unplug usb
hear recorder 'another one'
hear recorder records
audiosessionctl simulate unplug microphone
hear recorder 'waits: kAudioServicesNoHardwareError'
audiosessionctl simulate plug microphone
hear recorder records
kill -INT "${processes[recorder]}"
ends recorder
