# SPDX-License-Identifier: Apache-2.0
# A sound server behind `default`.

serve() {
    mkdir -p "$XDG_RUNTIME_DIR/pulse"
    exec 8> >(exec server "$XDG_RUNTIME_DIR/pulse/native" >/dev/null 2>&1)
    server=$!
    # The flag of a listening socket.
    await 'the listening socket of the server' contains "00010000 .*$XDG_RUNTIME_DIR/pulse/native" /proc/net/unix
}

served() {
    export HOME=/tmp/served ALSA_PLUGIN_DIR=$files
    mkdir -p $HOME
    echo 'pcm.!default { type plug slave.pcm { type pulse } }' >$HOME/.asoundrc
}

test_loaded() {
    served
    serve
    # A folder that the host does not have: to list /tmp fails while the host adds and removes files there.
    local loaded=$HOME/loaded library libraries copied
    mkdir -p "$loaded"
    start env LD_DEBUG=files LD_DEBUG_OUTPUT="$loaded/by"
    # The module of the server is loaded with the cards.
    await_cards
    stop
    libraries=$(sed -n 's/.*calling init: //p' "$loaded"/by.* | xargs realpath)
    check "$libraries" '*/servers/pulse.so*'
    copied=$(xargs realpath </tmp/used)
    for library in $libraries; do
        [[ $library == /tmp/* || $library == "$prefix"/* ]] || grep -qxF "$library" <<<"$copied" || { echo "#   it is read from the host: $library"; exit 1; }
    done
    kill "$server"
}
promise loaded 'each library that a program loads is in the memory of the guest before the tests'

test_server() {
    served
    serve
    start
    await_cards
    ask set acat plar
    ask devices
    check "$answer" 'default/default'
    ask get chov
    check "$answer" 0.5000
    ask get igsc
    check "$answer" 0.6000
    echo 'volume 25' >&8
    expect 'chov 0.2500'
    ask active 1
    ask set igsc 0.1
    ask get igsc
    check "$answer" 0.1000
    stop
    kill "$server"
}
promise server 'behind a sound server the device is default, and the levels are those of the server'

test_died() {
    served
    serve
    start
    await_cards
    ask active 1
    check "$answer" 'kAudioSessionNoError*'
    kill -9 "$server"
    expect 'died 1'
    ask active 1
    check "$answer" 'kAudioSessionUnspecifiedError*'
    serve
    expect 'died 0'
    ask active 1
    check "$answer" 'kAudioSessionNoError*'
    kill -9 "$server"
    expect 'died 1'
    stop
}
promise died 'the death of the server and its return are reported'
