#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the measurements that need cards. Samples are written to the shared folder.
cd "$VM_OUT" || exit 1
exec >samples.tsv
# The guest does not cache shared files, so it would fetch each page of a program from the host each time. The libraries of
# others and ALSA's files are cached after their first use. Files that every program
# reads are copied as well, because opening a file of the host takes as long as a disk.
mkdir /run/bench
cp -r initialize-* route transfer stage /run/bench
[ ! -x playback ] || cp playback /run/bench
find /usr/share/alsa /etc/alsa -maxdepth 2 -type f -exec touch {} +
cd /run/bench || exit 1
export XDG_RUNTIME_DIR=/run HOME=/tmp LD_LIBRARY_PATH=/run/bench/stage/lib BENCH_ROUND=1
for turn in 1 2 3 4 5; do
    for program in ./initialize-*; do BENCH_WHERE=machine- $program; done
done
./route Dummy 100
cat >/tmp/asound.conf <<END
pcm.bench_softvol { type softvol slave.pcm "hw:Dummy" control { name "Bench" card Dummy } }
pcm_type.audiosession { lib "/run/bench/stage/lib/alsa-lib/libasound_module_pcm_audiosession.so" }
pcm.bench_audiosession { type audiosession slave "hw:Dummy" }
END
# In turn, because they share a card.
for pcm in 'slave alone=hw:Dummy' 'softvol=bench_softvol' 'audiosession=bench_audiosession'; do
    BENCH_WHERE=machine- ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:/tmp/asound.conf ./transfer 20 "$pcm"
done
[ -x playback ] || exit 0
# The others play on the default device. Slices on the card alone, which no mixer has here; many sounds through ALSA's mixer.
cat >/tmp/alone.conf <<END
pcm.!default { type plug slave.pcm "hw:HDA" }
pcm.!dmix {
    @args [ CARD DEV ]
    @args.CARD { type string }
    @args.DEV { type integer default 0 }
    type hw
    card 31
}
END
echo 'pcm.!default { type plug slave.pcm "dmix:HDA" }' >/tmp/mixing.conf
export SDL_AUDIODRIVER=alsa BENCH_WHERE=machine-
ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:/tmp/alone.conf ./playback 3 slices
ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:/tmp/mixing.conf ./playback 3 many
