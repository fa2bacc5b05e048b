#!/bin/bash
# In the guest: what has to do with cards. Samples go into the shared folder.
cd "$VM_OUT" || exit 1
export XDG_RUNTIME_DIR=/run HOME=/tmp LD_LIBRARY_PATH=$VM_OUT/stage/lib BENCH_ROUND=1
exec >samples.tsv
for turn in 1 2 3 4 5; do
    for program in ./initialize-*; do BENCH_WHERE=machine- $program; done
done
./route Dummy 100
cat >/tmp/asound.conf <<END
pcm.bench_softvol { type softvol slave.pcm "hw:Dummy" control { name "Bench" card Dummy } }
pcm_type.audiosession { lib "$VM_OUT/stage/lib/alsa-lib/libasound_module_pcm_audiosession.so" }
pcm.bench_audiosession { type audiosession slave "hw:Dummy" }
END
# One after the other: they share a card.
for pcm in 'slave alone=hw:Dummy' 'softvol=bench_softvol' 'audiosession=bench_audiosession'; do
    BENCH_WHERE=machine- ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:/tmp/asound.conf ./transfer 20 "$pcm"
done
