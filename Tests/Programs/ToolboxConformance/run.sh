#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: programs that use libAudioToolbox, built with gcc, g++, and clang with AddressSanitizer, from the installed
# prefix and pkg-config only, and run on simulated hardware. PATTERN selects programs. WAYS: some of gcc clang g++ asan.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" "${2:-*}" toolbox-conformance
export PATH=$prefix/bin:$PATH packages=audiotoolbox

for program in $(programs); do
    for way in ${WAYS:-gcc g++ asan}; do echo "run $program $way"; done
done >"$scratch/list"

pkg-config --validate audiotoolbox || exit 1
run_list "$(nproc)"
report 'toolbox conformance'
