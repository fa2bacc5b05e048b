# hears itself, switches between receiver and speaker, goes to a Bluetooth headset and back, holds for a call
start chat "$scratch/voicechat"
hear chat 'on ReceiverAndMicrophone'
hear chat 'hears the other side'
tell chat speaker
hear chat 'on SpeakerAndMicrophone'
tell chat receiver
hear chat 'on ReceiverAndMicrophone'
audiosessionctl simulate plug bluetooth-hfp
hear chat 'on HeadsetBT'
tell chat 'bluetooth off'
hear chat 'on ReceiverAndMicrophone'
tell chat 'bluetooth on'
hear chat 'on HeadsetBT'
audiosessionctl simulate unplug bluetooth-hfp
hear chat 'on ReceiverAndMicrophone'
tell chat louder
hear chat '"louder": kAudio_ParamError'
audiosessionctl interrupt begin --detach
hear chat 'another call comes in'
audiosessionctl interrupt end
hear chat 'the other call is over'
tell chat quit
hear chat 'packets sent'
ends chat
