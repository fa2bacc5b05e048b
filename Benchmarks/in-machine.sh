#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# in-machine.sh cards|playback|latency: runs in the guest: the measurements that need cards. Samples are written to the shared
# folder.
cd "$VM_OUT" || exit 1
exec >"$1.tsv"
# The guest does not cache shared files, so it would fetch each page of a program from the host each time. The libraries of
# others and ALSA's files are cached after their first use. Files that every program
# reads are copied as well, because opening a file of the host takes as long as a disk.
mkdir /run/bench
cp -r initialize-* route transfer stage without-dmix.conf /run/bench
[ ! -x playback ] || cp playback latency /run/bench
find /usr/share/alsa /etc/alsa -maxdepth 2 -type f -exec touch {} +
cd /run/bench || exit 1
export XDG_RUNTIME_DIR=/run HOME=/tmp LD_LIBRARY_PATH=/run/bench/stage/lib BENCH_WHERE=machine-

# ALSA's own configuration, and a file.
configured() { ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:/tmp/asound.conf "$@"; }

measure_cards() {
    export BENCH_ROUND=1
    for turn in 1 2 3 4 5; do
        for program in ./initialize-*; do $program; done
    done
    BENCH_WHERE='' ./route Dummy 100
    cat >/tmp/asound.conf <<END
pcm.bench_softvol { type softvol slave.pcm "hw:Dummy" control { name "Bench" card Dummy } }
pcm_type.audiosession { lib "/run/bench/stage/lib/alsa-lib/libasound_module_pcm_audiosession.so" }
pcm.bench_audiosession { type audiosession slave "hw:Dummy" }
END
    # In turn, because they share a card.
    for pcm in 'slave alone=hw:Dummy' 'softvol=bench_softvol' 'audiosession=bench_audiosession'; do
        configured ./transfer 20 "$pcm"
    done
}

# The others play on the default device: slices on the card alone, and many sounds through ALSA's mixer.
measure_playback() {
    export SDL_AUDIODRIVER=alsa
    for BENCH_ROUND in 1 2; do
        export BENCH_ROUND
        { echo 'pcm.!default { type plug slave.pcm "hw:HDA" }' && cat without-dmix.conf; } >/tmp/asound.conf
        configured ./playback 2 slices
        echo 'pcm.!default { type plug slave.pcm "dmix:HDA" }' >/tmp/asound.conf
        configured ./playback 2 many
    done
}

# Both ends of the loopback card. The input of the route is the end that captures its output.
measure_latency() {
    export BENCH_ROUND=1
    cat without-dmix.conf - >/tmp/asound.conf <<END
pcm.!dsnoop {
    @args [ CARD DEV ]
    @args.CARD { type string }
    @args.DEV { type integer default 0 }
    type hw
    card Loopback
    device 1
}
pcm.!default {
    type asym
    playback.pcm "plug:'hw:Loopback,0'"
    capture.pcm "plug:'hw:Loopback,1'"
}
defaults.audiosession.cards.HDA { output none input none }
defaults.audiosession.cards.Dummy { output none input none }
defaults.audiosession.cards.Loopback { output speaker input microphone }
END
    configured ./latency 3
}

"measure_$1"
