#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# without.sh PREFIX FOLDER: puts the installed library into FOLDER as it is on a machine without
# CoreFoundation: a copy with nothing beside it but libOther.so, which stands for that of another project. Says where the installed one looks, which some programs
# want to know that load CoreFoundation themselves.
set -eu
mkdir -p "$2"
cp "$1/lib/libAudioSession.so.0" "$2/"
cc -std=c11 -Wall -Wextra -Werror -shared -fPIC -o "$2/libOther.so" "$(dirname "$0")/other_foundation.c"
echo "$1/lib/audiosession/swift/linux"
