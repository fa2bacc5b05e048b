#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build.sh PREFIX FOLDER: all programs, with gcc alone, and in FOLDER/without the library as it is where
# there is no CoreFoundation; FOLDER/foundation says where the other one finds it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export PKG_CONFIG_PATH=$1/lib/pkgconfig
mkdir -p "$2"
for file in "$here"/programs/*.c; do
    # shellcheck disable=SC2046
    gcc -Wall -Wextra -g -O1 -I"$here" -o "$2/$(basename "$file" .c)" "$file" \
        $(pkg-config --cflags --libs audiosession) -lpthread -ldl -lm
done
"$here/without.sh" "$1" "$2/without" >"$2/foundation"
