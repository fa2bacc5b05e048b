_audiosessionctl() {
    local ports='receiver speaker microphone headphones headset line-out line-in hdmi usb bluetooth-hfp bluetooth-a2dp airplay'
    local run='--category --mode --mix --duck --name --on-interrupt --'
    local words='' sound='--format --rate --channels --force'
    local categories='AmbientSound SoloAmbientSound MediaPlayback RecordAudio PlayAndRecord AudioProcessing MultiRoute'
    local modes='Default VoiceChat GameChat VideoRecording Measurement MoviePlayback VideoChat SpokenAudio VoicePrompt'
    local formats='int8 int16 int24 int32 float32 float64 ulaw alaw ima4 aac alac'
    case $COMP_CWORD in
    1) words='status monitor interrupt silent lock simulate run play record convert info routes trace doctor help version' ;;
    2)
        case ${COMP_WORDS[1]} in
        status | routes) words='--json' ;;
        monitor) words='--lines --json' ;;
        interrupt) words='begin end confirm' ;;
        silent | lock) words='on off' ;;
        run) words="$run $(compgen -c -- "${COMP_WORDS[2]}")" ;;
        simulate) words='plug unplug volume server wake silent lock interrupt' ;;
        help) words='status monitor interrupt silent lock simulate run play record convert info routes trace doctor version' ;;
        info)
            compopt -o default
            words='--json'
            ;;
        record | convert)
            compopt -o default
            words="$sound $([ "${COMP_WORDS[1]}" = record ] && echo --seconds)"
            ;;
        trace | play)
            compopt -o default
            return
            ;;
        esac
        ;;
    *)
        case ${COMP_WORDS[1]} in
        run)
            case ${COMP_WORDS[COMP_CWORD - 1]} in
            --category) words=$categories ;;
            --mode) words=$modes ;;
            --on-interrupt) words='hold xrun silence' ;;
            --name) ;;
            *)
                words="$run $(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")"
                compopt -o default
                ;;
            esac
            ;;
        play | info) compopt -o default ;;
        record | convert)
            compopt -o default
            words="$sound $([ "${COMP_WORDS[1]}" = record ] && echo --seconds)"
            [ "${COMP_WORDS[COMP_CWORD - 1]}" = --format ] && words=$formats
            ;;
        esac
        case ${COMP_WORDS[1]}\ ${COMP_WORDS[2]} in
        'interrupt begin') words='--name --detach' ;;
        'interrupt end') words='--should-not-resume' ;;
        'simulate silent' | 'simulate lock') words='on off' ;;
        'simulate interrupt') words='begin end confirm' ;;
        'simulate plug' | 'simulate unplug') words=$ports ;;
        'simulate server') words='die restart' ;;
        trace*) words='--svg' ;;
        esac
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -F _audiosessionctl audiosessionctl
