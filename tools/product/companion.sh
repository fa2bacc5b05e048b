# SPDX-License-Identifier: Apache-2.0
# companion LINK PREFIX EXPORTED ALL: the installed libAudioToolbox has the agreed name, symbols, dependencies, runpath
# and link options, its headers declare every function of ALL, and a program that links only audiosession does not load it.
# shellcheck shell=sh disable=SC2034
link=$1 prefix=$2 exported=$3 all=$4
subject=$prefix/lib/libAudioToolbox.so

expect 'the name' libAudioToolbox.so.0 "$(dynamic SONAME)"
expect 'the folder in which it looks for libraries' "\$ORIGIN" "$(dynamic RUNPATH)"

sort "$exported" >"$scratch/expected"
expect 'the list of exported symbols' "$(cat "$scratch/expected")" "$(exported AUDIOTOOLBOX_0)"
# The headers declare functions with blocks only for compilers that have blocks.
sort "$all" | comm -13 - "$scratch/expected" | grep -v 'WithDispatchQueue$' >"$scratch/unknown" || true
[ ! -s "$scratch/unknown" ] || fail "exports functions that $all does not have: $(tr '\n' ' ' <"$scratch/unknown")"

# Embedded loads libspeexdsp with a module. The static build, which is not installed, contains what the module does.
# shellcheck disable=SC2046
check_needed libAudioSession.so.0 $([ "$link" = embedded ] || echo libspeexdsp.so.1)
! ldd "$prefix/lib/audiotoolbox/voice/speexdsp.so" | grep 'not found' || fail 'has a voice module that lacks a library'
dynamic NEEDED | grep -qx libAudioSession.so.0 || fail 'does not need libAudioSession.so.0'
check_link_options

echo '#include <AudioToolbox/AudioToolbox.h>
int main(void) { return AudioSessionSetActive(1) == kAudioSessionNotInitialized ? 0 : 1; }' >"$scratch/session.c"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
gcc -o "$scratch/session" "$scratch/session.c" $(pkg-config --cflags --libs audiosession)
if ldd "$scratch/session" | grep -E 'AudioToolbox|speex'; then fail 'is loaded by a program that links only audiosession'; fi
# A program that calls one function needs nothing more on its command line.
echo '#include <AudioToolbox/AudioToolbox.h>
int main(void) { AudioComponentDescription any = {0, 0, 0, 0, 0}; return AudioComponentCount(&any) > 1000; }' >"$scratch/unit.c"
# shellcheck disable=SC2046
gcc -o "$scratch/unit" "$scratch/unit.c" $(pkg-config --cflags --libs audiotoolbox)
env -u LD_LIBRARY_PATH "$scratch/unit" || fail 'does not run'

passed="$link, $(wc -l <"$exported") of $(wc -l <"$all") functions, $(stat -L -c %s "$subject") bytes, \
needs $(dynamic NEEDED | tr '\n' ' ')"
