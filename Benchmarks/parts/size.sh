# SPDX-License-Identifier: Apache-2.0
# The files, stripped.

# The libraries of this processor. Debian puts those of other processors into folders beside this one.
libraries=/usr/lib/$($CC -print-multiarch)

run_size() {
    local name paths path sum
    while read -r name paths; do
        sum=0
        for path in $paths; do
            # shellcheck disable=SC2086
            path=$(ls $path 2>/dev/null | head -n 1) || true
            [ -n "$path" ] || continue 2
            strip --strip-unneeded -o "$out/stripped" "$path"
            sum=$((sum + $(stat -L -c %s "$out/stripped")))
        done
        printf 'size\t%s\t%s\tKB\t%s\n' "${name//_/ }" "$BENCH_ROUND" "$((sum / 1000))"
    done <<END
libAudioSession $stage/lib/libAudioSession.so.0
libportaudio2 $libraries/libportaudio.so.2
libpulse_with_libpulsecommon $libraries/libpulse.so.0 $libraries/pulseaudio/libpulsecommon-*.so
libSDL2 $libraries/libSDL2-2.0.so.0
libasound $libraries/libasound.so.2
END
}
