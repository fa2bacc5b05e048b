# SPDX-License-Identifier: Apache-2.0
# bash completes the commands of audiosessionctl and the values of their options

# shellcheck disable=SC1091
. "$prefix/share/bash-completion/completions/audiosessionctl"
compopt() { :; }

# Completes the last word of a command line.
completes() { # expected words, words of the command line
    local expected=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _audiosessionctl
    [ "${COMPREPLY[*]}" = "$expected" ] || fail "$*: completes \"${COMPREPLY[*]}\" in place of \"$expected\""
}

completes 'status silent simulate' audiosessionctl s
completes 'AmbientSound AudioProcessing' audiosessionctl run --category A
completes 'MediaPlayback MultiRoute' audiosessionctl run --mix --category M
completes 'VoiceChat VideoRecording VideoChat VoicePrompt' audiosessionctl run --category PlayAndRecord --mode V
completes 'hold' audiosessionctl run --on-interrupt h
completes '' audiosessionctl run --name M
completes 'float32 float64' audiosessionctl convert --format f
completes 'die restart' audiosessionctl simulate server ''

# Each value is one that the tool accepts.
for option in category mode; do
    COMP_WORDS=(audiosessionctl run --$option '') COMP_CWORD=3
    _audiosessionctl
    for word in "${COMPREPLY[@]}"; do
        [ $option = category ] && words=(--category "$word")
        [ $option = mode ] && case $word in
            MoviePlayback) words=(--category MediaPlayback --mode "$word") ;;
            *) words=(--category PlayAndRecord --mode "$word") ;;
        esac
        audiosessionctl run "${words[@]}" true || fail "run ${words[*]} is refused"
    done
done
