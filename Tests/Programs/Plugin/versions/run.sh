#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX: the installed plug-in beside a library of its own version, of another version, of another make, and
# beside none.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
version=$(cat "$here/../../../../VERSION")
export AUDIOSESSION_HARDWARE=simulated
unset LD_LIBRARY_PATH LD_PRELOAD

scratch=$(mktemp -d /tmp/versions.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
export AUDIOSESSION_RUNTIME_DIR=$scratch/runtime
mkdir -m 700 "$AUDIOSESSION_RUNTIME_DIR"
mkdir -p "$scratch/lib/alsa-lib"
plugin=$scratch/lib/alsa-lib/libasound_module_pcm_audiosession.so
cp "$prefix/lib/alsa-lib/$(basename "$plugin")" "$plugin"
printf 'pcm_type.audiosession { lib "%s" }\npcm.audiosession { type audiosession }\n' "$plugin" >"$scratch/asound.conf"
export ALSA_CONFIG_PATH=$scratch/asound.conf
cc -Wall -Wextra -Werror -o "$scratch/open" "$here/open.c" -lasound

make_library() { # version script
    printf '%s\n' "$1" >"$scratch/map"
    cc -Wall -Wextra -Werror -shared -fPIC -o "$scratch/lib/libAudioSession.so.0" -Wl,-soname,libAudioSession.so.0 \
        -Wl,--version-script="$scratch/map" "$here/other.c"
}

failures=0
expect() { # sentence, result, words of the log
    local result
    result=$("$scratch/open" 2>"$scratch/log") || true
    if [ "$result" = "$2" ] && [ "${3:+x}" = "$(test -s "$scratch/log" && echo x)" ] &&
        { [ -z "$3" ] || grep -qF -- "$3" "$scratch/log"; }; then
        echo "ok - versions: $1"
    else
        echo "not ok - versions: $1"
        printf '#   the result is %s, not %s\n' "${result:-none}" "$2"
        sed 's/^/#   /' "$scratch/log"
        failures=1
    fi
}

cp -L "$prefix/lib/libAudioSession.so.0" "$scratch/lib/"
expect 'the plug-in finds the library of its own version in the folder above its own' 0 ''
make_library 'AUDIOSESSION_PRIVATE_0 { global: audiosession_engine; local: *; };'
expect 'with a library of another version an open fails with EINVAL, and one line names both versions' -22 \
    "the plug-in has version $version, and libAudioSession has version 9.8.7"
make_library 'AUDIOSESSION_0 { global: audiosession_engine; local: *; };'
expect 'with a foreign library an open fails with ENXIO, and the line is the loader'\''s' -6 AUDIOSESSION_PRIVATE_0
rm "$scratch/lib/libAudioSession.so.0"
expect 'without a library an open fails with ENXIO, and the line is the loader'\''s' -6 libAudioSession.so.0
exit $failures
