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
expect 'the file says what it is' test "$(head -c 16 "$world/first.wav" | tail -c 8)" = 'WAVEfmt '
expect 'its length is right' test "$(od -An -t u4 -j 40 -N 4 "$world/first.wav" | tr -d ' ')" = $(($(stat -c %s "$world/first.wav") - 44))
expect 'a tone of 441 Hz is in it' test "$(half_waves "$world/first.wav" 44 10000)" = 200

# The gain of before is back.
start plain "$scratch/recorder" "$world/plain.wav"
hear plain 'gain 0.75'
kill -INT "${processes[plain]}"
ends plain

audiosessionctl simulate plug usb
start another "$scratch/recorder" -s 2 "$world/second.wav"
hear another 'source 2 is "Line", and chosen'
hear another records
audiosessionctl interrupt begin --detach
hear another interrupted
audiosessionctl interrupt end
hear another records
audiosessionctl simulate unplug usb
hear another 'another one'
hear another records
audiosessionctl simulate unplug microphone
hear another 'waits: kAudioServicesNoHardwareError'
audiosessionctl simulate plug microphone
hear another records
kill -INT "${processes[another]}"
ends another
