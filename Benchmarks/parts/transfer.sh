# One period through the plug-in, through softvol, and into their slave alone. BENCH_PCMS: NAME=PCM...,
# the slave first; by default what is there.
build transfer transfer.c -- $(flags alsa)
module=$(find "$stage/lib" -name 'libasound_module_pcm_audiosession.so' | head -n 1)
{
    echo 'pcm.bench_slave { type null }'
    [ -z "$module" ] || cat <<END
pcm_type.audiosession { lib "$module" }
pcm.bench_audiosession { type audiosession }
END
    # softvol keeps its level in a card's control, so it works only where there is a card.
    echo 'pcm.bench_softvol { type softvol slave.pcm bench_slave control { name "Bench" card 0 } }'
} >"$place/asound.conf"
if [ -z "${BENCH_PCMS-}" ]; then
    streams=('slave alone=bench_slave')
    if [ -n "$module" ]; then streams+=('audiosession=bench_audiosession'); else note transfer 'The plug-in is not installed here.'; fi
    if grep -q '^ *[0-9]' /proc/asound/cards 2>/dev/null; then streams+=('softvol=bench_softvol'); else
        note transfer 'softvol keeps its level in a card'"'"'s control: it does not work here, without a card.'
    fi
else
    mapfile -t streams < <(tr ';' '\n' <<<"$BENCH_PCMS")
fi

run_transfer() {
    ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$place/asound.conf simulated "$out/transfer" 160 "${streams[@]}" 2>"$out/transfer.log"
}
