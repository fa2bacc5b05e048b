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

test_broken() {
    HOME=/tmp/broken
    mkdir -p $HOME
    echo 'pcm.!default { type' >$HOME/.asoundrc
    start
    ask get crar
    check "$answer" 'route=-/Speaker'
    stop
    logged "ALSA's configuration can't be used"
}
promise broken 'a broken configuration hides no card'

test_rights() {
    chmod 600 /dev/snd/*
    cp "$VM_OUT/listen" /tmp/
    local result
    result=$(printf 'get crar\nget chsr\nget aiav\nexit\n' |
        setpriv --reuid 65534 --regid 65534 --clear-groups env AUDIOSESSION_RUNTIME_DIR=/tmp/nobody /tmp/listen)
    check "$result" $'= ready\n= crar route=-/-\n! chsr kAudioServicesNoHardwareError*\n= aiav 0'
}
promise rights 'devices that may not be opened are as none'

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
    cp "$(command -v audiosessionctl)" /tmp/
    shown=$(audiosessionctl doctor)
    check "$shown" '*hw:CARD=HDA,DEV=0: Line Out, speaker, by default, since nothing tells*'
    element Dummy jack 'Headphone Jack' 0
    shown=$(audiosessionctl routes)
    check "$shown" '*hw:CARD=Dummy,DEV=0: Headphones, headphones, by its jack; nothing is plugged in*'
    chmod 000 /dev/snd/controlC1
    shown=$(setpriv --reuid 65534 --regid 65534 --clear-groups env AUDIOSESSION_RUNTIME_DIR=/tmp/nobody /tmp/audiosessionctl doctor)
    check "$shown" '*card 1 can'"'"'t be used: Permission denied*'
}
promise evidence 'routes and doctor show what was found, and by which evidence'
