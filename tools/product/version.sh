# SPDX-License-Identifier: Apache-2.0
# version PREFIX VERSION SONAME: every installed file has the version of the file VERSION.
# shellcheck shell=sh disable=SC2034
prefix=$1 version=$2 soname=$3
subject=$prefix

expect audiosession.pc "$version" "$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion audiosession)"
expect audiotoolbox.pc "$version" "$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion audiotoolbox)"
expect 'audiosessionctl --version' "audiosessionctl $version" "$("$prefix/bin/audiosessionctl" --version)"
expect SONAME "$soname" "$(readelf -dW "$prefix/lib/$soname" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')"
expect "lib/$soname" "libAudioSession.so.$version" "$(readlink "$prefix/lib/$soname")"
expect lib/libAudioSession.so "$soname" "$(readlink "$prefix/lib/libAudioSession.so")"
expect 'the package of the library' "libaudiosession${soname##*.}" \
    "$(sed -n "s/^$soname \([^ ]*\) .*/\1/p" "packaging/debian/libaudiosession${soname##*.}.symbols")"
companion=libAudioToolbox.so.${soname##*.}
expect "lib/$companion" "libAudioToolbox.so.$version" "$(readlink "$prefix/lib/$companion")"
expect lib/libAudioToolbox.so "$companion" "$(readlink "$prefix/lib/libAudioToolbox.so")"
expect 'the package of the companion' "libaudiotoolbox${soname##*.}" \
    "$(sed -n "s/^$companion \([^ ]*\) .*/\1/p" "packaging/debian/libaudiotoolbox${soname##*.}.symbols")"
passed="$version everywhere"
