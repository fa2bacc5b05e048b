# SPDX-License-Identifier: Apache-2.0
# Private sound servers for tests of the installation in $prefix, each with a null sink. $cache keeps what is downloaded, $scratch is
# the folder of the run, and the current one.

mkdir -p "$here/../../.build/servers"
cache=$(cd "$here/../../.build/servers" && pwd)
scratch=$(mktemp -d "$cache/run.XXXXXX")
cd "$scratch" || exit 1
errors=$scratch/stderr
# Beside pipewire-alsa tools/deps unpacks PulseAudio into a folder.
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig PATH=$scratch:$prefix/bin:$PATH:$cache/bin
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/.config XDG_STATE_HOME=$scratch/home/.state
# The path of a socket is limited to 107 bytes.
XDG_RUNTIME_DIR=$(mktemp -d /tmp/servers.XXXXXX)
export XDG_RUNTIME_DIR
unset PULSE_SERVER PULSE_RUNTIME_PATH PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR AUDIOSESSION_DEBUG AUDIOSESSION_HARDWARE \
    AUDIOSESSION_RUNTIME_DIR AUDIOSESSION_SERVERS ALSA_CONFIG_PATH ALSA_PLUGIN_DIR DBUS_SESSION_BUS_ADDRESS DISPLAY
mkdir -p "$XDG_CONFIG_HOME"

server='' manager='' bus='' pulse=''
end_server() {
    local process
    for process in $server $manager $pulse; do
        kill -9 "$process" 2>/dev/null
        while kill -0 "$process" 2>/dev/null; do sleep 0.02; done
    done
    server='' manager='' pulse=''
}

trap 'end_server; [ -z "$bus" ] || kill "$bus"; rm -rf "$scratch" "$XDG_RUNTIME_DIR"' EXIT

show="cat $scratch/server.log"
answers() { "$@" >/dev/null; }

# A null sink that is rewound for a new stream plays the first frames without giving them to its monitor, for each program.
start_pulseaudio() {
    pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no \
        -L 'module-null-sink sink_name=null rate=48000 norewinds=1' \
        -L 'module-null-source source_name=silence rate=48000' -L module-native-protocol-unix >>server.log 2>&1 &
    server=$!
    disown
    await 'an answer of PulseAudio' answers pactl info
    echo "$server" >started
}

# Debian's pipewire-alsa conflicts with pulseaudio: it is unpacked into a folder, as tools/deps does with the other one.
prepare_pipewire() {
    local library
    library=/usr/lib/$(gcc -print-multiarch)/alsa-lib
    if [ ! -d "$cache/pipewire" ]; then
        (cd "$cache" && apt-get -qq download pipewire-alsa 2>/dev/null && dpkg-deb -x pipewire-alsa_*.deb pipewire) || return 1
    fi
    mkdir -p plugins "$XDG_CONFIG_HOME/pipewire/pipewire.conf.d"
    ln -sf "$library"/*.so "$cache/pipewire$library"/*.so plugins/
    export ALSA_PLUGIN_DIR=$scratch/plugins
    ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$(echo "$cache"/pipewire/usr/share/alsa/alsa.conf.d/*.conf | tr ' ' :)
    export ALSA_CONFIG_PATH
    . "$here/../Support/session-manager.sh"
    { read -r DBUS_SESSION_BUS_ADDRESS && read -r bus; } < <(dbus-daemon --session --fork --print-address=1 --print-pid=1)
    export DBUS_SESSION_BUS_ADDRESS
    cat >"$XDG_CONFIG_HOME/pipewire/pipewire.conf.d/null.conf" <<'CONFIGURATION'
context.objects = [
    { factory = adapter args = { factory.name = support.null-audio-sink node.name = void media.class = Audio/Sink
        object.linger = true audio.position = [ FL FR ] monitor.channel-volumes = true } }
    { factory = adapter args = { factory.name = support.null-audio-sink node.name = silence media.class = Audio/Source
        object.linger = true audio.position = [ FL FR ] } }
]
CONFIGURATION
}

# A sound server and a recorder that are late lose frames. On a desktop rtkit gives the server its priority; here, root may set it.
with_priority='nice -n -11'

# PipeWire 1.4 keeps a new volume of a device without a driver to itself until the first sound of the device.
start_pipewire() {
    $with_priority pipewire >>server.log 2>&1 &
    server=$!
    disown
    await 'an answer of PipeWire' answers pw-cli info 0
    wireplumber >>server.log 2>&1 &
    manager=$!
    disown
    await 'a sink of WirePlumber' answers amixer -D default sget Master
    if [[ $(pipewire --version) != *libpipewire\ 0.* ]]; then
        await 'the first sound' answers timeout "$limit" aplay -q -D default -f dat -s 480 /dev/zero
        await 'the first recording' answers timeout "$limit" arecord -q -D default -f dat -s 480 /dev/null
    fi
    # Without real-time priority, which rtkit gives on a desktop, a graph that runs every 256 frames loses frames of any program.
    [ -z "${least_quantum:-}" ] || pw-metadata -n settings 0 clock.min-quantum "$least_quantum" >>server.log || exit 1
    echo "$server $manager" >started
}

# PulseAudio's protocol on PipeWire.
start_pipewire_pulse() {
    pipewire-pulse >>server.log 2>&1 &
    pulse=$!
    disown
    await 'an answer of pipewire-pulse' answers pactl info
    echo "$server $manager $pulse" >started
}
