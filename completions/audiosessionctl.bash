_audiosessionctl() {
    local ports='receiver speaker microphone headphones headset line-out line-in hdmi usb bluetooth-hfp bluetooth-a2dp airplay'
    local run='--category --mode --mix --duck --name --on-interrupt --'
    local words=''
    case $COMP_CWORD in
    1) words='status monitor interrupt silent lock simulate run routes trace doctor help version' ;;
    2)
        case ${COMP_WORDS[1]} in
        status | routes) words='--json' ;;
        monitor) words='--lines --json' ;;
        interrupt) words='begin end confirm' ;;
        silent | lock) words='on off' ;;
        run) words="$run $(compgen -c -- "${COMP_WORDS[2]}")" ;;
        simulate) words='plug unplug volume server wake silent lock interrupt' ;;
        help) words='status monitor interrupt silent lock simulate run routes trace doctor version' ;;
        trace)
            compopt -o default
            return
            ;;
        esac
        ;;
    *)
        if [ "${COMP_WORDS[1]}" = run ]; then
            words="$run $(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")"
            compopt -o default
        fi
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
