# SPDX-License-Identifier: Apache-2.0
# Faults of cards and of their configuration.

test_none() {
    modprobe -r snd_hda_intel snd_dummy snd_aloop
    logged 'no sound card can be used'
    start
    ask get crar
    check "$answer" 'route=-/-'
    ask get aiav
    check "$answer" 0
    say get chsr
    expect '! chsr kAudioServicesNoHardwareError*'
    say set acat reca
    expect '= acat'
    say active 1
    expect '= active kAudioServicesNoHardwareError*'
    ask set acat solo
    ask active 1
    check "$answer" 'kAudioSessionNoError*'
    modprobe snd-dummy id=Dummy index=1 pcm_substreams=2
    expect 'route reason=1 from=-/- to=-/Speaker devices=-/hw:CARD=Dummy,DEV=0 *'
    modprobe snd-hda-intel id=HDA index=0
    modprobe snd-aloop id=Loopback index=2 pcm_substreams=2
    expect 'route reason=* to=-/Speaker devices=-/hw:CARD=HDA,DEV=0 *'
    stop
}
promise none 'without a card the route is empty until a card is added'

test_broken() {
    HOME=/tmp/broken
    mkdir -p $HOME
    echo 'pcm.!default { type' >$HOME/.asoundrc
    start
    await_cards
    ask get crar
    check "$answer" 'route=-/Speaker'
    stop
    logged "ALSA's configuration can't be used"
}
promise broken 'a configuration with a mistake hides no card'

test_rights() {
    as_nobody
    chmod 600 /dev/snd/*
    start "${nobody[@]}"
    ask get crar
    check "$answer" 'route=-/-'
    say get chsr
    expect '! chsr kAudioServicesNoHardwareError*'
    ask get aiav
    check "$answer" 0
    logged "card 0 can't be used: Permission denied" "${nobody[@]}"
    chmod 666 /dev/snd/controlC0
    expect 'route reason=1 from=-/- to=-/Speaker devices=-/hw:CARD=HDA,DEV=0 *'
    stop
}
promise rights 'devices without permission count as missing until the permission is given'

test_folder() {
    as_nobody
    chmod 700 /dev/snd
    logged '/dev/snd: Permission denied' "${nobody[@]}"
    start "${nobody[@]}"
    ask get crar
    check "$answer" 'route=-/-'
    chmod 755 /dev/snd
    expect 'route reason=1 from=-/- to=-/Speaker devices=-/hw:CARD=HDA,DEV=0 *'
    stop
}
promise folder 'a folder of devices without permission counts as empty until the permission is given'

# ---- Drivers that do not answer ----

slow() { # call
    export SLOW=/tmp/slow SLOW_CALL=$1
    mkfifo $SLOW
    with=(env LD_PRELOAD="$files/slow.so")
}
let_go() {
    local fifo=$SLOW
    mv "$fifo" "$fifo.gone"
    : >"$fifo.gone"
    rm "$fifo.gone"
}

test_slowcard() {
    slow card
    logged 'a sound card does not answer' "${with[@]}"
    start "${with[@]}"
    ask get crar
    check "$answer" 'route=-/-'
    say get chsr
    expect '! chsr kAudioServicesNoHardwareError*'
    ask active 1
    check "$answer" 'kAudioSessionNoError*'
    let_go
    expect 'route reason=1 from=-/- to=-/Speaker devices=-/hw:CARD=HDA,DEV=0 *'
    ask get chsr
    check "$answer" 48000
    stop
}
promise slowcard 'a card that does not answer blocks no caller, and is used when it answers'

start_slowly() {
    use_only Loopback
    start_recording /tmp/recorded.raw
    slow card
    plays --name music -- "${with[@]}" aplay -q $files/sounds/numbered-2.wav &
    local music=$!
    await_music $music
    let_go
    wait $music || exit 1
    stop_recording
    check_recording 2
}
test_slowstart() { silences=0 in_time start_slowly; }
promise slowstart 'a stream that starts before a card has answered is played from its first frame when it answers'

test_slowwrite() {
    amixer -q -c HDA sset Capture 74
    start env SLOW=/tmp/slow SLOW_CALL=write LD_PRELOAD="$files/slow.so"
    await_cards
    ask set acat plar
    ask active 1
    slow write
    ask set igsc 0.5
    ask get crar
    check "$answer" 'route=MicrophoneBuiltIn/Speaker'
    ask get chov
    ask get othr
    check "$answer" 0
    ask get chsr
    check "$answer" 48000
    ask active 1
    check "$answer" 'kAudioSessionNoError*'
    let_go
    expect 'igsc 0.5000'
    ask get igsc
    check "$answer" 0.5000
    stop
}
promise slowwrite 'a change that a card performs slowly is made at last and blocks no caller'
