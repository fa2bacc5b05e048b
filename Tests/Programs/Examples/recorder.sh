# SPDX-License-Identifier: Apache-2.0
# selects a source, sets the gain, writes the input to a file, and continues after a call
record 0
play_tone
start recorder "$scratch/recorder" -d pipe -g 0.25 "$folder/first.wav"
await recorder 'gain 0.25'
await recorder records
await tone tone
kill -INT "${processes[recorder]}"
await recorder 'wrote'
ends recorder
expect 'the file is a WAV file' test "$(head -c 16 "$folder/first.wav" | tail -c 8)" = 'WAVEfmt '
expect 'its length is right' test "$(od -An -t u4 -j 40 -N 4 "$folder/first.wav" | tr -d ' ')" = $(($(stat -c %s "$folder/first.wav") - 44))
expect 'a tone of 441 Hz is in it' test "$(half_waves "$folder/first.wav" 44 10000)" = 200

# The gain is restored.
start plain "$scratch/recorder" "$folder/plain.wav"
await plain 'gain 0.75'
kill -INT "${processes[plain]}"
ends plain

audiosessionctl simulate plug usb
start another "$scratch/recorder" -s 2 "$folder/second.wav"
await another 'source 2 is "Line", selected'
await another records
audiosessionctl interrupt begin --detach
await another interrupted
audiosessionctl interrupt end
await another records
audiosessionctl simulate unplug usb
await another 'another input'
await another records
audiosessionctl simulate unplug microphone
await another 'waits: kAudioServicesNoHardwareError'
audiosessionctl simulate plug microphone
await another records
kill -INT "${processes[another]}"
ends another
