# SPDX-License-Identifier: Apache-2.0
# Interruptions from process to process.
build interrupt interrupt.c -- $(flags audiosession)
if [ -e "$stage/lib/audiosession/swift/linux/libFoundation.so" ]; then
    build interrupt-run-loop interrupt.c -- -DON_RUN_LOOP $(flags audiosession)
else
    note_missing interrupt CoreFoundation libaudiosession-corefoundation-dev
fi
build bare bare.c -- $(flags audiosession)
start_bus
if has libpulse && command -v pulseaudio >/dev/null; then
    build cork cork.c -- $(flags libpulse)
    cat >"$place/server.pa" <<END
load-module module-native-protocol-unix auth-anonymous=1 socket=$place/native
load-module module-null-sink
load-module module-role-cork trigger_roles=phone cork_roles=music
END
    pulseaudio -n -F "$place/server.pa" --daemonize=no --exit-idle-time=-1 --use-pid-file=no --log-target=stderr \
        >"$out/pulseaudio.log" 2>&1 &
    started="$started $!"
    for turn in $(seq 50); do [ -S "$place/native" ] || sleep 0.1; done
    export PULSE_SERVER=unix:$place/native
else
    note_missing interrupt PulseAudio 'pulseaudio libpulse-dev'
fi

# The rows take turns: a change of the machine's load affects all of them.
run_interrupt() {
    for turn in $(seq 8); do
        simulated "$out/interrupt" 50
        [ ! -e "$out/interrupt-run-loop" ] || simulated "$out/interrupt-run-loop" 50
        [ -z "$bus" ] || on_bus 40 signal
        simulated "$out/bare" 50
        [ ! -e "$out/cork" ] || "$out/cork" 25
    done
}
