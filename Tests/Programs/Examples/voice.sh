# SPDX-License-Identifier: Apache-2.0
# plays what it captured a second before, switches its processing, stops for a call and starts again
start voice "$scratch/voice"
await voice listening
send voice 'bypass on'
await voice 'bypass on'
send voice 'bypass off'
await voice 'bypass off'
send voice 'mute on'
await voice 'mute on'
audiosessionctl interrupt begin --detach
await voice interrupted
audiosessionctl interrupt end
await voice listening
close_input voice
await voice done
ends voice
