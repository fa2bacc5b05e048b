#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: programs that play and record through the installed plug-in, with every compiler and with
# AddressSanitizer. PATTERN selects programs. WAYS: some of gcc clang g++ asan.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" "${2:-*}" plugin
export ALSA_CONFIG_PATH=$ALSA_CONFIG_PATH:$prefix/share/alsa/alsa.conf.d/60-audiosession.conf
# libasound keeps its configuration until the end of the process.
export ASAN_OPTIONS=detect_leaks=0
# The engine's table is private: its headers are not installed.
sources=$(cd "$here/../../../Sources/Engine" && pwd)
for module in CEngineTable CAudioStreams CStatusPage; do includes+=" -I$sources/$module/include"; done
packages='audiosession alsa'

for program in $(programs); do
    for way in ${WAYS:-gcc clang g++ asan}; do echo "run $program $way"; done
done >"$scratch/list"
# Many at a time: each waits for the clock most of the time.
run_list $((3 * $(nproc)))

"$here/versions/run.sh" "$prefix" >"$scratch/versions.results" || true
report plugin
