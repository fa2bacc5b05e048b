# SPDX-License-Identifier: Apache-2.0
# processors.sh: what make and its tools say about a processor that they cannot build for: one line, before anything is built.
# Sourced by run.sh; QEMU is a stand-in.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034

# One line on both outputs, which the pattern matches, and a failure.
refuses() { # pattern, command...
    local pattern=$1
    shift
    timeout $limit "$@" >"$scratch/out" 2>&1
    status=$?
    [ $status != 0 ] && [ $status != 124 ] && [ "$(wc -l <"$scratch/out")" = 1 ] && says "$pattern"
}
make_for=(env -u MAKEFLAGS -u MFLAGS -u ARCH make --no-print-directory -C "$root" -n stage)

for processor in armhf i386; do
    check "a processor with 32 bits is refused in one line ($processor)" \
        refuses "ARCH is \"$processor\", which has 32 bits: .*; use ARCH=arm64 or ARCH=x86_64" "${make_for[@]}" ARCH=$processor
done
for processor in s390x aarch64_be; do
    check "a big-endian processor is refused in one line ($processor)" \
        refuses "ARCH is \"$processor\", which is big-endian: .*; use ARCH=arm64 or ARCH=x86_64" "${make_for[@]}" ARCH=$processor
done
check 'riscv64 is refused in one line' \
    refuses 'ARCH is "riscv64": .* Unicode .*; use ARCH=arm64 or ARCH=x86_64' "${make_for[@]}" ARCH=riscv64
check 'a processor that is unknown is refused in one line' \
    refuses 'ARCH is "arm46": expected arm64 or x86_64' "${make_for[@]}" ARCH=arm46
check 'a release of Debian that no package is made for is refused in one line' \
    refuses 'RELEASE is "11": expected 12 or 13' "${make_for[@]}" RELEASE=11
check 'another way to link is refused for a named processor' \
    refuses 'LINK is "static-stdlib" and ARCH is "arm64": .*; leave out one of the two' "${make_for[@]}" ARCH=arm64 LINK=static-stdlib
check 'the tool that installs packages knows the same processors' \
    refuses '^deps: ARCH is "armhf": expected arm64 or x86_64$' env ARCH=armhf "$root/tools/deps" --check build
mkdir "$scratch/empty"
if command -v apt-get >/dev/null && command -v swift >/dev/null; then
    # One tool is not on the PATH, whatever is installed.
    building=$scratch/building
    mkdir "$building"
    for tool in sh apt-get cut dpkg grep id ld ls make pkg-config swift tail tr; do ln -s "$(command -v $tool)" "$building/$tool"; done
    check 'missing packages of another processor are named in one line, with the command to type' \
        refuses '^missing:.* binutils-aarch64-linux-gnu.*; type: .*apt-get install .* binutils-aarch64-linux-gnu' \
        env PATH="$building" ARCH=arm64 sh "$root/tools/deps" --check build
    rm "$building/swift"
    check 'a PATH without Swift is named in one line, before any package' \
        refuses '^Swift 6.3 or later is not on the PATH: ' env PATH="$building" ARCH=arm64 sh "$root/tools/deps" --check build
    check 'what a root file system lacks is named in one line, and is not to be installed on this machine' \
        refuses "^missing in the root file system $scratch/empty: libc6-dev:arm64 .*libasound2-dev:arm64.*; install them there\$" \
        env ARCH=arm64 SYSROOT="$scratch/empty" "$root/tools/deps" --check build
    check 'a root file system that is not there is named in one line' \
        refuses "^deps: SYSROOT is \"$scratch/nowhere\": there is no such folder\$" \
        env ARCH=arm64 SYSROOT="$scratch/nowhere" "$root/tools/deps" --check build
fi

# ---- QEMU ----

emulators=$scratch/emulators
mkdir "$emulators"
for tool in sh bash uname sed sort head; do ln -s "$(command -v $tool)" "$emulators/$tool"; done
# Without root, nothing is registered with the kernel.
printf '#!/bin/sh\necho 1000\n' >"$emulators/id"
chmod +x "$emulators/id"
qemu() { # version
    printf '#!/bin/sh\necho "qemu-aarch64 version %s (Debian)"\n' "$1" >"$emulators/qemu-aarch64-static"
    chmod +x "$emulators/qemu-aarch64-static"
}
if [ "$(uname -m)" != aarch64 ]; then
    check 'a machine without QEMU is told what to type' \
        refuses '^emulation: QEMU for aarch64 is not installed; type: make deps ARCH=aarch64$' \
        env PATH="$emulators" sh "$root/tools/emulation" aarch64
    check 'counting instructions without QEMU tells what to type' \
        refuses '^count-instructions: QEMU for aarch64 is not installed; type: make deps ARCH=arm64$' \
        env PATH="$emulators" bash "$root/tools/count-instructions"
    qemu 5.2.0
    check 'an old QEMU is refused in one line' \
        refuses '^emulation: .* is version 5.2, and the programs need 7.2 or newer: use Debian 12 or newer$' \
        env PATH="$emulators" sh "$root/tools/emulation" aarch64
    # With these the answer depends on what the kernel of this machine knows.
    for version in 7.2.22 10.0.2; do
        qemu $version
        env PATH="$emulators" sh "$root/tools/emulation" aarch64 >"$scratch/out" 2>&1
        check "QEMU $version is new enough" lacks 'is version'
    done
fi
