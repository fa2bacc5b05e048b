# SPDX-License-Identifier: Apache-2.0
# abi PREFIX RECORD [--update]: compares the types of the public functions with the record. Additions pass.
# --update writes the record again.
# shellcheck shell=sh disable=SC2034
prefix=$1 record=$2
subject=$record

if [ "$(uname -m)" != x86_64 ]; then
    echo 'abi: not compared: the record is for x86_64'
    exit
fi
# shellcheck disable=SC2046
gcc -g -shared -fPIC -Wl,-soname,libAudioSession.so.0 -o "$scratch/stub.so" "$(dirname "$record")/stub.c" \
    $(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags audiosession)

if [ "${3:-}" = --update ]; then
    abidw --no-show-locs --no-comp-dir-path --no-corpus-path --no-elf-needed "$scratch/stub.so" --out-file "$record"
    echo "$record is written"
    exit
fi
abidiff --no-show-locs "$record" "$scratch/stub.so" >"$scratch/report" ||
    fail "the binary interface differs from the record; when the change is intended, type: make update-abi
$(cat "$scratch/report")"
passed="as in $record"
