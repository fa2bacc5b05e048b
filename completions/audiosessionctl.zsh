#compdef audiosessionctl
local -a commands ports
commands=(
    'status:all sessions' 'monitor:sessions and events' 'interrupt:a phone call' 'silent:the silent switch' 'lock:the screen lock'
    'simulate:the simulated machine' 'run:a program with a session'
    'play:sound files' 'record:the input into a file' 'convert:a sound file' 'info:sound files'
    'routes:the route of each category' 'trace:record events' 'doctor:check the installation' 'help' 'version'
)
ports=(receiver speaker microphone headphones headset line-out line-in hdmi usb bluetooth-hfp bluetooth-a2dp airplay)
if ((CURRENT == 2)); then
    _describe command commands
    return
fi
case $words[2] in
status | routes) compadd -- --json ;;
monitor) compadd -- --lines --json ;;
silent | lock) compadd on off ;;
interrupt)
    if ((CURRENT == 3)); then compadd begin end confirm; fi
    if ((CURRENT > 3)) && [[ $words[3] == begin ]]; then compadd -- --name --detach; fi
    if ((CURRENT > 3)) && [[ $words[3] == end ]]; then compadd -- --should-not-resume; fi
    ;;
simulate)
    if ((CURRENT == 3)); then compadd plug unplug volume server wake silent lock interrupt; fi
    if ((CURRENT == 4)) && [[ $words[3] == (plug|unplug) ]]; then compadd $ports; fi
    if ((CURRENT == 4)) && [[ $words[3] == server ]]; then compadd die restart; fi
    if ((CURRENT == 4)) && [[ $words[3] == (silent|lock) ]]; then compadd on off; fi
    if ((CURRENT == 4)) && [[ $words[3] == interrupt ]]; then compadd begin end confirm; fi
    ;;
run)
    _arguments \
        '--category:category:(AmbientSound SoloAmbientSound MediaPlayback RecordAudio PlayAndRecord AudioProcessing MultiRoute)' \
        '--mode:mode:(Default VoiceChat GameChat VideoRecording Measurement MoviePlayback VideoChat SpokenAudio VoicePrompt)' \
        '--mix' '--duck' '--name:text:' '--on-interrupt:behaviour:(hold xrun silence)' '*::: :_normal'
    ;;
play) _files ;;
info) _arguments '--json' '*:file:_files' ;;
record | convert)
    _arguments '--format:format:(int8 int16 int24 int32 float32 float64 ulaw alaw ima4 aac alac)' '--rate:hertz:' '--channels:number:' \
        '--seconds:number:' '--force' '*:file:_files'
    ;;
trace) if ((CURRENT == 3)); then _files; else compadd -- --svg; fi ;;
esac
