# SPDX-License-Identifier: Apache-2.0
# One period through the plug-in, through softvol, into their slave, and into a PCM that copies once, as a device does; and the
# loops that apply the gain. BENCH_PCMS: NAME=PCM..., the slave first; by default the PCMs that exist.
build transfer transfer.c -- $(flags alsa)
# By the compiler that the library is built with, if it is there.
CC=$(command -v clang || echo "$CC") build gain gain.c ../Sources/Engine/CAudioStreams/gain.c -- -I../Sources/Engine/CAudioStreams/include $(flags alsa)
build level.so level.c -- -shared -fPIC -DPIC $(flags alsa)
module=$(find "$stage/lib" -name 'libasound_module_pcm_audiosession.so' | head -n 1)
{
    echo 'pcm.bench_slave { type null }'
    echo 'pcm.bench_copy { type copy slave.pcm bench_slave }'
    [ -z "$module" ] || cat <<END
pcm_type.audiosession { lib "$module" }
pcm.bench_audiosession { type audiosession }
END
    # softvol keeps its level in a control; this one has no card.
    cat <<END
ctl_type.bench_level { lib "$out/level.so" }
ctl.!hw { @args [ CARD ] @args.CARD { type string } type bench_level }
pcm.bench_softvol { type softvol slave.pcm bench_slave control { name "Bench" card 0 } }
END
} >"$place/asound.conf"
if [ -z "${BENCH_PCMS-}" ]; then
    streams=('slave alone=bench_slave' 'slave that copies=bench_copy' 'softvol, ducked=bench_softvol')
    if [ -n "$module" ]; then streams+=('audiosession=bench_audiosession'); else note transfer 'The plug-in is not installed here.'; fi
else
    mapfile -t streams < <(tr ';' '\n' <<<"$BENCH_PCMS")
fi

run_transfer() {
    export ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$place/asound.conf
    simulated "$out/transfer" 120 "${streams[@]}" 2>"$out/transfer.log"
    "$out/gain" 100 bench_softvol 2>"$out/gain.log"
    unset ALSA_CONFIG_PATH
}
