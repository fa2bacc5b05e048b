#!/bin/bash
# without.sh PREFIX FOLDER: puts the installed library into FOLDER as it is on a machine without
# CoreFoundation: a copy that looks for it elsewhere. Says where the installed one looks, which some
# programs want to know that load CoreFoundation themselves.
set -eu
place=$(readelf -dW "$1/lib/libAudioSession.so" | sed -n 's/.*(RUNPATH).*\[\(.*:\)\{0,1\}\([^:]*\)\]/\2/p')
mkdir -p "$2"
sed "s|$place|$(echo "$place" | sed 's/./-/g')|g" "$1/lib/libAudioSession.so.0" >"$2/libAudioSession.so.0"
echo "$place"
