# SPDX-License-Identifier: Apache-2.0
# objc PREFIX SYMBOLS: the installed libavfoundation-audio has the agreed name, symbols, dependencies, runpath and link
# options, and the libraries below it do not need Objective-C.
# shellcheck shell=sh disable=SC2034
prefix=$1 symbols=$2 link=embedded
subject=$prefix/lib/libavfoundation-audio.so
if [ ! -e "$subject" ]; then
    fail 'was not built: run tools/deps, then make stage'
    exit 1
fi

expect 'the name' libavfoundation-audio.so.0 "$(dynamic SONAME)"
expect 'the folder in which it looks for libraries' "\$ORIGIN" "$(dynamic RUNPATH)"
expect 'the list of exported symbols' "$(sort "$symbols")" "$(exported AVFOUNDATION_AUDIO_0)"
# libAudioToolbox is loaded with the first player or recorder.
check_needed libAudioSession.so.0 "$(dynamic NEEDED | grep -x 'libgnustep-base\.so\.[0-9.]*')" libobjc.so.4 \
    libgcc_s.so.1
check_link_options
for below in libAudioSession libAudioToolbox; do
    if ldd "$prefix/lib/$below.so" | grep -E 'libobjc|libgnustep'; then fail "is needed by $below"; fi
done

passed="$(wc -l <"$symbols") symbols, $(stat -L -c %s "$subject") bytes, needs $(dynamic NEEDED | tr '\n' ' ')"
