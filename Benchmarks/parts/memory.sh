# SPDX-License-Identifier: Apache-2.0
# The memory of a process that plays one stream: on ALSA's null; and with a session and the plug-in.
build memory memory.c -- $(flags alsa)
build memory-session memory.c -- -DWITH_SESSION $(flags audiosession alsa)
module=$(find "$stage/lib" -name 'libasound_module_pcm_audiosession.so' | head -n 1)
[ -n "$module" ] || note memory 'The plug-in is not installed here.'
cat >"$place/memory.conf" <<END
pcm.bench_slave { type null }
pcm_type.audiosession { lib "$module" }
pcm.bench_audiosession { type audiosession }
END

run_memory() (
    export ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$place/memory.conf
    for turn in 1 2 3; do
        "$out/memory" "a stream on ALSA's null=bench_slave"
        [ -z "$module" ] || simulated "$out/memory-session" 'the session and a stream of the plug-in=bench_audiosession'
    done
)
