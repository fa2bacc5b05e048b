# What a user's configuration, rights and profiles do.

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
    start
    ask set acat plar
    ask get crar
    check "$answer" 'route=MicrophoneBuiltIn/Headphones'
    amixer -q -c Dummy sset CD 100
    expect 'chov 1.0000'
    stop
}
promise configuration 'the user says what a card is'

test_profile() {
    export ALSA_CONFIG_UCM2=$VM_OUT/ucm2
    element Dummy jack 'Headphone Jack' 0
    element Dummy jack 'Headset Mic Jack' 0
    use_only Dummy
    start
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
    check "$shown" '*hw:CARD=HDA,DEV=0: Line Out, speaker, by default, since nothing tells*'
    element Dummy jack 'Headphone Jack' 0
    shown=$(audiosessionctl routes)
    check "$shown" '*hw:CARD=Dummy,DEV=0: Headphones, headphones, by its jack; nothing is plugged in*'
    chmod 000 /dev/snd/controlC1
    as_nobody
    shown=$("${nobody[@]}" audiosessionctl doctor)
    check "$shown" '*card 1 can'"'"'t be used: Permission denied*'
}
promise evidence 'routes and doctor show what was found, and by which evidence'
