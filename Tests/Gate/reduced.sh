# SPDX-License-Identifier: Apache-2.0
# reduced.sh: the package of few targets that a sanitizer builds. Sourced by run.sh.
# shellcheck shell=bash
# shellcheck disable=SC2154

reduced=$scratch/reduced
mkdir "$reduced"
check 'a file that a reduced package leaves out, and that the project does not have, is refused in one line' \
    refuses '^reduced-package: the project has no file CLinuxTests/None.swift: correct what follows --without$' \
    "$root/tools/reduced-package" "$reduced" CLinuxTests --without CLinuxTests/OpenTests.swift CLinuxTests/None.swift
targets_of() { # package: each target with the files that it leaves out
    swift package --package-path "$1" dump-package 2>"$scratch/out" |
        /usr/bin/python3 -c 'import json, sys; [print(t["name"], *t["exclude"]) for t in json.load(sys.stdin)["targets"]]'
}
has_few_targets() {
    local targets
    "$root/tools/reduced-package" "$reduced" CLinuxTests --without CLinuxTests/OpenTests.swift && targets=$(targets_of "$reduced") &&
        grep -qx 'CLinuxTests OpenTests.swift' <<<"$targets" && grep -qx CLinux <<<"$targets" && ! grep -q SessionModel <<<"$targets"
}
check 'a reduced package has the targets that were named and those that they need, without the files that it leaves out' has_few_targets
