# SPDX-License-Identifier: Apache-2.0
# Configuration, permissions and profiles of a user.

test_configuration() {
    HOME=/tmp/configured
    mkdir -p $HOME
    cat >$HOME/.asoundrc <<'CONFIGURATION'
defaults.audiosession {
    cards.HDA { output none input none }
    cards.Dummy { output headphones volume CD }
    ports.car { kind bluetooth-a2dp device "null" }
}
CONFIGURATION
    amixer -q -c Dummy sset CD 50%
    start
    await_cards
    ask set acat plar
    ask get crar
    check "$answer" 'route=MicrophoneBuiltIn/Headphones'
    amixer -q -c Dummy sset CD 100
    expect 'chov 1.0000'
    stop
}
promise configuration 'the configuration names the kind of a card'

test_profile() {
    export ALSA_CONFIG_UCM2=$files/ucm2
    element Dummy jack 'Headphone Jack' 0
    element Dummy jack 'Headset Mic Jack' 0
    use_only Dummy
    start
    await_cards
    ask set acat plar
    ask get crar
    check "$answer" 'route=MicrophoneBuiltIn/Receiver'
    ask set cspk 1
    ask get crar
    check "$answer" 'route=MicrophoneBuiltIn/Speaker'
    element Dummy jack 'Headphone Jack' 1
    expect 'route reason=1 from=* to=MicrophoneBuiltIn/Headphones *'
    element Dummy jack 'Headset Mic Jack' 1
    expect 'route reason=1 from=* to=MicrophoneWired/Headphones *'
    stop
}
promise profile "a phone's use-case profile names its receiver, its speaker and its headset"

test_evidence() {
    local shown
    shown=$(audiosessionctl doctor)
    check "$shown" '*hw:CARD=HDA,DEV=0: Line Out, speaker, by default, without evidence*'
    element Dummy jack 'Headphone Jack' 0
    shown=$(audiosessionctl routes)
    check "$shown" '*hw:CARD=Dummy,DEV=0: Headphones, headphones, by its jack; nothing is plugged in*'
    chmod 000 /dev/snd/controlC1
    as_nobody
    shown=$("${nobody[@]}" audiosessionctl doctor)
    check "$shown" '*card 1 can'"'"'t be used: Permission denied*'
}
promise evidence 'routes and doctor print the ports with their evidence'

# Each example of the page, with the lines below it; "not" marks a line that is not printed.
test_manual() {
    local line kind='' examples=0 shown
    HOME=/tmp/manual
    mkdir -p $HOME
    while IFS= read -r line; do
        case $kind:$line in
        :'```conf') kind=conf && : >$HOME/.asoundrc ;;
        :'```text')
            kind=text
            shown=$(AUDIOSESSION_DEBUG=1 audiosessionctl doctor 2>&1)
            [[ $shown != *'ignored'* ]] || { echo "#   not understood: $(cat $HOME/.asoundrc) $shown"; exit 1; }
            examples=$((examples + 1))
            ;;
        *:'```') kind='' ;;
        conf:*) echo "$line" >>$HOME/.asoundrc ;;
        text:'not '*) [[ $shown != *"hw:CARD=${line#not }"* ]] || { echo "#   unexpected: $line"; echo "$shown"; exit 1; } ;;
        text:*) [[ $shown == *"$line"* ]] || { echo "#   missing: $line"; echo "$shown"; exit 1; } ;;
        esac
    done <alsa-configuration.md
    echo "#   $examples examples"
    check "$examples" "$(grep -c '^```conf' alsa-configuration.md)"
}
promise manual 'the examples of the page have the results that it shows'

test_levels() {
    HOME=/tmp/levels
    mkdir -p $HOME
    cat >$HOME/.asoundrc <<'CONFIGURATION'
defaults.audiosession {
    cards.HDA { output none input none }
    cards.Dummy { input microphone volume "name='CD Volume'" gain "Line" }
    ports.room { kind line-out device "surround51:CARD=HDA" channels 6 }
}
CONFIGURATION
    # Independent of the tests before.
    amixer -q -c Dummy sset CD 50%
    amixer -q -c Dummy sset Line 50%
    start
    await_cards
    ask devices
    check "$answer" '-/surround51:CARD=HDA'
    ask get choc
    check "$answer" 6
    ask set acat plar
    ask set ovrd spkr
    amixer -q -c Dummy sset CD 100
    expect 'chov 1.0000'
    amixer -q -c Dummy sset CD 0%
    expect 'chov 0.0000'
    amixer -q -c Dummy sset Line 100
    expect 'igsc 1.0000'
    stop
}
promise levels 'the configuration names the volume, the gain and the channels'
