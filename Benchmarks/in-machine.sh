#!/bin/bash
# In the guest: what has to do with cards. Samples go into the shared folder.
cd "$VM_OUT" || exit 1
export XDG_RUNTIME_DIR=/run HOME=/tmp BENCH_WHERE=machine- BENCH_ROUND=1
exec >samples.tsv
for turn in 1 2 3 4 5; do
    for program in ./initialize-*; do $program; done
done
unset BENCH_WHERE
./route Dummy 100
export BENCH_WHERE=machine-
cat >/tmp/asound.conf <<END
pcm.bench_softvol { type softvol slave.pcm "hw:Dummy" control { name "Bench" card Dummy } }
END
[ -z "$MODULE" ] || cat >>/tmp/asound.conf <<END
pcm_type.audiosession { lib "$MODULE" }
pcm.bench_audiosession { type audiosession slave "hw:Loopback" }
END
for pcm in 'slave alone=hw:Dummy' 'softvol=bench_softvol' 'audiosession=bench_audiosession'; do
    ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:/tmp/asound.conf ./transfer 20 "$pcm"
done
