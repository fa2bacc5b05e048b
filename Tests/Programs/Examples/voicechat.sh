# SPDX-License-Identifier: Apache-2.0
# receives its own packets, switches between receiver, speaker and Bluetooth headset, pauses for a call
start chat "$scratch/voicechat"
await chat 'on ReceiverAndMicrophone'
await chat 'receives packets'
send chat speaker
await chat 'on SpeakerAndMicrophone'
send chat receiver
await chat 'on ReceiverAndMicrophone'
audiosessionctl simulate plug bluetooth-hfp
await chat 'on HeadsetBT'
send chat 'bluetooth off'
await chat 'on ReceiverAndMicrophone'
send chat 'bluetooth on'
await chat 'on HeadsetBT'
audiosessionctl simulate unplug bluetooth-hfp
await chat 'on ReceiverAndMicrophone'
send chat louder
await chat '"louder": kAudio_ParamError'
audiosessionctl interrupt begin --detach
await chat 'interrupted by a call'
audiosessionctl interrupt end
await chat 'the call has ended'
send chat quit
await chat 'packets sent'
ends chat
