# SPDX-License-Identifier: Apache-2.0
# library LINK PREFIX SYMBOLS PRIVATE-SYMBOLS: the installed library has the agreed name, symbols, dependencies and link
# options, the plug-in needs the library, and both together keep the size budget.
# shellcheck shell=sh disable=SC2034
link=$1 prefix=$2 symbols=$3 private=$4
subject=$prefix/lib/libAudioSession.so
plugin=$prefix/lib/alsa-lib/libasound_module_pcm_audiosession.so

expect 'the name' libAudioSession.so.0 "$(dynamic SONAME)"
expect 'the list of exported symbols' "$(sort "$symbols" "$private")" \
    "$(nm -D --defined-only --without-symbol-versions "$subject" | awk '$2 != "A" { print $3 }' | sort)"
expect 'the list of private symbols' "$(sort "$private")" "$(exported AUDIOSESSION_PRIVATE_0)"
check_needed libasound.so.2
check_link_options

# Library and plug-in together, stripped.
largest=$((640 * 1024))
[ "$link" != static-stdlib ] || largest=$((10 * 1048576))
size=$(($(stat -L -c %s "$subject") + $(stat -L -c %s "$plugin")))
[ "$size" -le "$largest" ] || fail "has $size bytes with the plug-in, more than $largest"
readelf -dW "$plugin" | grep -q 'NEEDED.*\[libAudioSession.so.0\]' || fail "is not needed by $plugin"
if ldd -r "$plugin" 2>&1 | grep -E 'not found|undefined symbol'; then fail "is not found by $plugin"; fi

passed="$link, $(wc -l <"$symbols") symbols, $size bytes with the plug-in, needs $(dynamic NEEDED | tr '\n' ' ')"
