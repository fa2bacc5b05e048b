# SPDX-License-Identifier: Apache-2.0
# Cards with jacks behind PulseAudio. The emulated HDA card detects no jack: the jacks are controls of the card Dummy, and the server
# reads them as those of any card. Not in virtual time: the programs of the server come from the host's files.

serve_cards() {
    export HOME=/tmp/desktop XDG_RUNTIME_DIR=/run/desktop
    mkdir -p $HOME -m 700 $XDG_RUNTIME_DIR
    echo 'pcm.!default { type pulse } ctl.!default { type pulse }' >$HOME/.asoundrc
    pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no -L 'module-alsa-card device_id=HDA name=hda' \
        -L 'module-alsa-card device_id=Dummy name=dummy' -L module-switch-on-port-available \
        -L module-native-protocol-unix 2>/tmp/pulseaudio.log &
    await 'a sink of the card HDA' has_sink alsa_output.hda
}
has_sink() { pactl list short sinks | grep -q "$1"; }

test_server_jack() {
    element Dummy jack 'Headphone Jack' 0
    element Dummy jack 'Headset Mic Jack' 0
    serve_cards
    pactl set-default-sink alsa_output.hda.analog-stereo
    start
    await_cards
    ask get crar
    check "$answer" 'route=-/LineOut'
    element Dummy jack 'Headphone Jack' 1
    expect 'route reason=1 from=-/LineOut to=-/Headphones devices=*alsa_output.dummy*'
    element Dummy jack 'Headphone Jack' 0
    expect 'route reason=2 from=-/Headphones to=-/LineOut *'
    # The same card again, with the volume of its sink.
    element Dummy jack 'Headphone Jack' 1
    expect 'route reason=1 from=-/LineOut to=-/Headphones *'
    await 'the sink of the headphones' has_sink alsa_output.dummy
    ask active 1
    pactl set-sink-volume alsa_output.dummy.stereo-fallback 40%
    expect 'chov 0.[34]*'
    stop
}
promise server_jack 'behind a sound server with real cards, a jack is a route change with the reason 1 or 2'
