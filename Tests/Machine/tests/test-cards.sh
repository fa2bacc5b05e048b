# Cards, their levels, and cards that come and go.

test_route() {
    start
    ask get crar
    check "$answer" 'route=-/Speaker'
    ask set acat plar
    ask get crar
    check "$answer" 'route=MicrophoneBuiltIn/Speaker'
    ask devices
    check "$answer" 'hw:CARD=HDA,DEV=0/hw:CARD=HDA,DEV=0'
    stop
}
promise route 'the first card is the speaker and the microphone'

test_volume() {
    start
    amixer -q -c HDA sset Master 37 unmute
    expect 'chov 0.5000'
    ask get chov
    check "$answer" 0.5000
    amixer -q -c HDA sset Master mute
    expect 'chov 0.0000'
    stop
}
promise volume 'a volume set by another program arrives, with the value that amixer shows'

test_gain() {
    amixer -q -c HDA sset Capture 74
    start
    ask set acat plar
    ask get igsc
    check "$answer" 1.0000
    ask set igsc 0.5
    ask get igsc
    check "$answer" 0.5000
    check "$(amixer -c HDA sget Capture)" '*Front Left: Capture 37 *'
    stop
}
promise gain 'the input gain is the capture volume'

test_usb() {
    start
    ask set acat plar
    plug_usb
    expect 'route reason=1 from=MicrophoneBuiltIn/Speaker to=*'
    local at=${heard##*at=}
    local card=${heard##*devices=} node
    card=${card##*CARD=} card=${card%%,*}
    node=/dev/snd/controlC$(cat "/proc/asound/$card/pcm0p/info" | sed -n 's/^card: //p')
    echo "#   told $(awk -v a="$at" -v b="$(stat -c %.9Z "$node")" 'BEGIN { printf "%.1f", (a - b) * 1000 }') ms after the kernel made $node"
    check "$heard" "*to=MicrophoneBuiltIn/USBOutput devices=hw:CARD=HDA,DEV=0/hw:CARD=$card,DEV=0 *"
    unplug_usb
    expect 'route reason=2 from=MicrophoneBuiltIn/USBOutput to=MicrophoneBuiltIn/Speaker *'
    stop
}
promise usb 'a USB device that is plugged in becomes the route, and the route falls back when it is pulled'

test_jack() {
    element 1 jack 'Headphone Jack' 0
    start
    ask get crar
    check "$answer" 'route=-/Speaker'
    element 1 jack 'Headphone Jack' 1
    expect 'route reason=1 from=-/Speaker to=-/Headphones devices=-/hw:CARD=Dummy,DEV=0 *'
    element 1 jack 'Headphone Jack' 0
    expect 'route reason=2 from=-/Headphones to=-/Speaker *'
    stop
}
promise jack 'headphones follow their jack'

