# SPDX-License-Identifier: Apache-2.0
# Cards, their levels, and hot-plug.

test_route() {
    start
    await_cards
    ask get crar
    check "$answer" 'route=-/Speaker'
    ask set acat plar
    ask get crar
    check "$answer" 'route=MicrophoneBuiltIn/Speaker'
    ask devices
    check "$answer" 'hw:CARD=HDA,DEV=0/hw:CARD=HDA,DEV=0'
    ask get aiav
    check "$answer" 1
    ask took
    echo "#   Initialize took $answer ms"
    stop
}
promise route 'the first card is the speaker and the microphone'

test_volume() {
    start
    await_cards
    amixer -q -c HDA sset Master 37 unmute
    expect 'chov 0.5000'
    ask get chov
    check "$answer" 0.5000
    check "$(amixer -c HDA sget Master)" '*\[50%\]*'
    amixer -q -c HDA sset Master mute
    expect 'chov 0.0000'
    stop
}
promise volume 'a volume that another program sets is reported with the value that amixer prints'

test_gain() {
    amixer -q -c HDA sset Capture 74
    start
    await_cards
    ask set acat plar
    ask get igav
    check "$answer" 1
    ask get igsc
    check "$answer" 1.0000
    ask active 1
    ask set igsc 0.5
    ask get igsc
    check "$answer" 0.5000
    check "$(amixer -c HDA sget Capture)" '*Front Left: Capture 37 *'
    amixer -q -c HDA sset Capture 0
    expect 'igsc 0.0000'
    stop
}
promise gain 'the input gain is the capture volume'

# Starts another program that changes the gain, and kills it.
change_gain_and_die() {
    coproc USER { exec listen 2>>"$errors"; }
    local answer=''
    printf 'set acat plar\nactive 1\nset igsc 0.25\n' >&"${USER[1]}"
    until [[ $answer == '= igsc' ]]; do
        read -r -t "$limit" answer <&"${USER[0]}" || { echo "#   the other program wrote no '= igsc'; its last line: $answer"; exit 1; }
    done
    check "$(amixer -c HDA sget Capture)" '*Front Left: Capture 19 *'
    kill -9 "$USER_PID"
    wait "$USER_PID" 2>/dev/null
}

test_gainafter() {
    start
    await_cards
    ask set acat plar
    # After the start, which restores the gain that another test has changed.
    amixer -q -c HDA sset Capture 60
    expect "igsc $(awk 'BEGIN { printf "%.4f", 60 / 74 }')"
    change_gain_and_die 2>/dev/null
    expect "igsc $(awk 'BEGIN { printf "%.4f", 60 / 74 }')"
    check "$(amixer -c HDA sget Capture)" '*Front Left: Capture 60 *'
    stop
    amixer -q -c HDA sset Capture 50
    change_gain_and_die 2>/dev/null
    check "$(amixer -c HDA sget Capture)" '*Front Left: Capture 19 *'
    start
    await_cards
    check "$(amixer -c HDA sget Capture)" '*Front Left: Capture 50 *'
    stop
}
promise gainafter 'the gain of a killed program is restored by another program, or by the next one that starts'

test_usb() {
    start
    await_cards
    ask set acat plar
    plug_usb
    expect 'route reason=1 from=MicrophoneBuiltIn/Speaker to=*'
    local at=${line##*at=}
    local node
    node=/dev/snd/controlC$(usb_card)
    echo "#   reported $(awk -v a="$at" -v b="$(stat -c %.9Z "$node")" 'BEGIN { printf "%.1f", (a - b) * 1000 }') ms after the kernel made $node"
    check "$line" '*to=MicrophoneBuiltIn/USBOutput devices=hw:CARD=HDA,DEV=0/hw:CARD=Audio,DEV=0 *'
    amixer -q -c Audio cset "name=Audio Output Volume Control Playback Volume" 0
    expect 'chov 0.0000'
    unplug_usb
    expect 'route reason=2 from=MicrophoneBuiltIn/USBOutput to=MicrophoneBuiltIn/Speaker *'
    stop
}
promise usb 'a USB device that is plugged in becomes the route until it is unplugged'

test_destinations() {
    plug_usb
    await 'the USB card' test -e /proc/asound/Audio
    element Audio choice 'PCM Playback Source' Front Rear
    start
    await_cards
    ask get dsts
    check "$answer" 2
    ask get odst
    check "$answer" 0
    ask set odst 1
    ask get odst
    check "$answer" 1
    check "$(amixer -c Audio cget name='PCM Playback Source')" '*: values=1*'
    ask get srcs
    check "$answer" 0
    say set odst 7
    expect '! odst kAudioSessionUnsupportedPropertyError*'
    stop
}
promise destinations 'the destinations of a USB device are those of its selector'

test_jack() {
    element Dummy jack 'Headphone Jack' 0
    element Dummy jack 'Headset Mic Jack' 0
    start
    await_cards
    ask set acat plar
    element Dummy jack 'Headphone Jack' 1
    expect 'route reason=1 from=MicrophoneBuiltIn/Speaker to=MicrophoneBuiltIn/Headphones devices=*/hw:CARD=Dummy,DEV=0 *'
    element Dummy jack 'Headset Mic Jack' 1
    expect 'route reason=1 from=MicrophoneBuiltIn/Headphones to=MicrophoneWired/Headphones *'
    ask get rout
    check "$answer" 'HeadsetInOut'
    element Dummy jack 'Headphone Jack' 0
    element Dummy jack 'Headset Mic Jack' 0
    expect 'route reason=2 from=* to=MicrophoneBuiltIn/Speaker *'
    stop
}
promise jack 'a headset follows its jacks'

test_phantom() {
    start
    await_cards
    element Dummy jack 'Line Out Phantom Jack' 1
    element Dummy jack 'Headset Mic Phantom Jack' 1
    # A change by the phantom jacks would be reported before this one.
    element Dummy jack 'Headphone Jack' 1
    expect '*'
    check "$line" 'route reason=1 from=-/Speaker to=-/Headphones *'
    stop
}
promise phantom 'a phantom jack changes nothing'

test_grant() {
    local card
    for card in HDA Dummy Loopback; do
        use_only "$card"
        start
        await_cards
        local rate duration shown
        for preference in '48000 0.02' '44100 0.01' '8000 0.005'; do
            rate=${preference% *} duration=${preference#* }
            ask set hwsr "$rate"
            ask set iobd "$duration"
            ask get chsr
            rate=$answer
            ask get chbd
            duration=$answer
            aplay -q -D "hw:$card" -f S16_LE -c 2 -r "${preference% *}" --disable-resample \
                --period-size="$(awk -v r="$rate" -v d="${preference#* }" 'BEGIN { printf "%.0f", r * d }')" /dev/zero 2>/dev/null &
            await "a stream on $card" contains '^period_size' "/proc/asound/$card/pcm0p/sub0/hw_params"
            shown=$(awk '/^rate:/ { r = $2 } /^period_size:/ { p = $2 } END { printf "%.0f %.4f", r, p / r }' "/proc/asound/$card/pcm0p/sub0/hw_params")
            kill %%
            wait %% 2>/dev/null
            check "$card $rate $duration" "$card $shown"
        done
        stop
    done
}
promise grant 'rate and buffer are those of a stream with the same preference'

test_running() {
    start
    await_cards
    aplay -q -D hw:HDA -f S16_LE -c 2 -r 44100 --period-size=512 /dev/zero 2>/dev/null &
    await 'a stream on HDA' contains '^period_size' /proc/asound/HDA/pcm0p/sub0/hw_params
    ask set hwsr 48000
    ask get chsr
    check "$answer" 44100
    ask get chbd
    check "$answer" "$(awk '/^rate:/ { r = $2 } /^period_size:/ { p = $2 } END { printf "%.4f", p / r }' /proc/asound/HDA/pcm0p/sub0/hw_params)"
    ask get othr
    check "$answer" 1
    kill %%
    wait %% 2>/dev/null
    ask get othr
    check "$answer" 0
    stop
}
promise running 'the hardware runs at the format of a running stream, and another process is playing'

test_undisturbed() {
    start
    await_cards
    aplay -q -D hw:HDA -f S16_LE -c 2 -r 44100 -d 3 /dev/zero 2>/tmp/aplay &
    local i
    await 'a running stream on HDA' contains RUNNING /proc/asound/HDA/pcm0p/sub0/status
    for i in {1..30}; do ask get chsr; done
    wait %%
    check "$?" 0
    check "$(grep -c xrun /tmp/aplay)" 0
    stop
}
promise undisturbed 'queries do not disturb a stream that plays'

test_unbind() {
    element Dummy jack 'Headphone Jack' 1
    start
    await_cards
    ask devices
    check "$answer" '-/hw:CARD=Dummy,DEV=0'
    aplay -q -D hw:Dummy -f S16_LE -c 2 -r 44100 /dev/zero 2>/dev/null &
    await 'a running stream on Dummy' contains RUNNING /proc/asound/Dummy/pcm0p/sub0/status
    echo snd_dummy.0 >/sys/bus/platform/drivers/snd_dummy/unbind
    expect 'route reason=2 from=-/Headphones to=-/Speaker *'
    ask get chsr
    wait %% 2>/dev/null
    modprobe -r snd_dummy
    modprobe snd-dummy index=6 id=Again
    element Again jack 'Headphone Jack' 1
    expect 'route reason=1 from=-/Speaker to=-/Headphones devices=-/hw:CARD=Again,DEV=0 *'
    modprobe -r snd_dummy 2>/dev/null && { echo '#   the module of a card in use could be removed'; exit 1; }
    stop
    modprobe -r snd_dummy
    modprobe snd-dummy id=Dummy index=1 pcm_substreams=2
    await 'the card Dummy' test -e /proc/asound/Dummy
}
promise unbind 'a card can be removed while it plays, and added again with another number'

test_cycles() {
    # Without a cache of freed blocks the heap in use is exact.
    export GLIBC_TUNABLES=glibc.malloc.tcache_count=0
    start
    await_cards
    local i first least
    cycle
    cycle
    hold_least
    first=$least
    for ((i = 0; i < cycles; i++)); do cycle; done
    hold_least
    echo "#   before: $first"
    echo "#   after:  $least"
    check "${least% *}" "${first% *}"
    # The heap in use. A leak of one cycle would appear as many times as there are cycles.
    check "$((${least##*=} < ${first##*=} + 2000))" 1
    stop
}
# Sets $least to the resources that are held while no thread works.
hold_least() {
    local all='' i
    for i in {1..20}; do
        ask get chsr
        ask held
        all+=$answer$'\n'
    done
    least=$(sort -V <<<"${all%$'\n'}" | head -n 1)
}
cycle() {
    plug_usb
    expect 'route reason=1 from=* to=-/USBOutput *'
    unplug_usb
    expect 'route reason=2 from=* to=-/Speaker *'
}
# Many cycles show a small leak. In virtual time the order of events is another one: few cycles show it.
[ "$clock" = virtual ] && cycles=10 || cycles=50
promise cycles "$cycles cycles of plugging leave descriptors, threads and memory unchanged"
