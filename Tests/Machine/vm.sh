#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm.sh -o OUT [-m MIB] [-t SECONDS] [-M "module option=..."]... -- COMMAND...: runs a command inside a
# Debian kernel under QEMU, with real sound drivers and the host's file system.
#
# The root of the guest is an overlay in memory over the host's /. Both share OUT; the guest loses all other
# changes. The output and the exit status of the command are those of this script. OUT gets console.log (the
# messages of the kernel), hda.wav and usb.wav (the sound that was played). In the guest $VM_OUT is OUT, and
# /dev/virtio-ports/qmp accepts QEMU's machine protocol: a test plugs its devices in with it.
# VM_CLOCK=virtual: the time of the guest follows its instructions, and is set forward to the next timer while it has nothing to do.
# A host that is slow or stands still makes no sound late. While the guest waits for a file of the host, its time goes on.
set -eu

cache=$(dirname "$0")/../../.build/machine
out='' memory=768 limit=300 modules=()
while getopts o:m:t:M: flag; do
    case $flag in
    o) out=$OPTARG ;;
    m) memory=$OPTARG ;;
    t) limit=$OPTARG ;;
    M) modules+=("$OPTARG") ;;
    *) exit 64 ;;
    esac
done
shift $((OPTIND - 1))
[ -n "$out" ] && [ $# -gt 0 ] || { echo 'usage: vm.sh -o OUT [-m MIB] [-t SECONDS] [-M MODULE]... -- COMMAND...' >&2; exit 64; }
mkdir -p "$cache" "$out"
out=$(realpath "$out") cache=$(realpath "$cache")

# ---- The kernel: only the modules for sound are unpacked, once ----

fetch_kernel() {
    cd "$cache"
    local package
    package=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
    ls "$package"_*.deb >/dev/null 2>&1 || apt-get -qq download "$package"
    rm -rf kernel
    mkdir kernel
    local wanted=('./boot/vmlinuz*' './lib/modules/*/modules.*') folder
    for folder in sound drivers/usb drivers/virtio drivers/char net/9p fs/9p fs/netfs fs/fscache fs/overlayfs \
        drivers/media/mc drivers/input lib drivers/leds drivers/hwmon drivers/acpi crypto drivers/base/regmap; do
        wanted+=("./lib/modules/*/kernel/$folder")
    done
    dpkg-deb --fsys-tarfile "$package"_*.deb | tar -x -C kernel --wildcards "${wanted[@]}" 2>/dev/null || true
    depmod -b "$PWD/kernel" "$(ls kernel/lib/modules)"
    # QEMU starts an uncompressed kernel directly; unpacking it in the guest would take longer than booting.
    /usr/bin/python3 - kernel/boot/vmlinuz-* vmlinux.new <<'PYTHON'
import lzma, struct, sys
image = open(sys.argv[1], "rb").read()
offset, length = struct.unpack_from("<II", image, 0x248)
start = (image[0x1f1] + 1) * 512 + offset
open(sys.argv[2], "wb").write(lzma.LZMADecompressor().decompress(image[start:start + length]))
PYTHON
    mv vmlinux.new vmlinux
}
# Two machines may start at the same time.
(
    flock 9
    [ -s "$cache/vmlinux" ] && [ -d "$cache/kernel" ] || fetch_kernel
) 9>"$cache/lock"
release=$(ls "$cache/kernel/lib/modules")

# ---- The first file system, in memory: mounts the file system of the host ----

make_initrd() {
    local root number=100 file module
    root=$(mktemp -d)
    mkdir -p "$root"/{bin,modules,proc,sys,dev,lower,rw,new}
    cp "$(command -v busybox)" "$root/bin/busybox"
    for module in virtio_pci virtio_console 9pnet_virtio 9p overlay; do
        modprobe -d "$cache/kernel" -S "$release" --show-depends $module | awk '$1 == "insmod" { print $2 }'
    done | awk '!seen[$0]++' | while read -r file; do
        cp "$file" "$root/modules/$number-$(basename "$file")"
        number=$((number + 1))
    done
    cp "$(dirname "$0")/guest-init.sh" "$root/init"
    cp "$(dirname "$0")/guest-start.sh" "$root/start"
    chmod +x "$root/init"
    (cd "$root" && find . | cpio -o -H newc --quiet) >"$out/initrd"
    rm -rf "$root"
}
make_initrd

# ---- The command ----

[ ${#modules[@]} -gt 0 ] || modules=(
    'snd-hda-codec-generic' 'snd-hda-intel id=HDA index=0' 'snd-dummy id=Dummy index=1 pcm_substreams=2'
    'snd-aloop id=Loopback index=2 pcm_substreams=2' 'snd-usb-audio' 'xhci-pci'
)
rm -f "$out/status" "$out/qmp.sock"
echo "$cache/kernel" >"$out/kernel"
printf '%s\n' "${modules[@]}" >"$out/modules"
{
    printf 'export PATH=%q HOME=%q LANG=C.UTF-8\ncd %q\n' "$PATH" "${HOME:-/}" "$PWD"
    printf '%q ' "$@"
    echo
} >"$out/command"

# ---- The machine ----

# Software emulation: nested virtualization is not available everywhere. A processor with erms and fsrm copies and clears memory by
# "rep movsb" and "rep stosb", which the emulator executes byte by byte. norandmaps: code at the same addresses in each process is
# translated once. Both together take half of the time.
model=max,la57=off,erms=off,fsrm=off
processor=(-accel tcg,thread=multi,tb-size=256 -cpu "$model" -smp 2)
[ "${VM_CLOCK:-real}" = virtual ] &&
    processor=(-accel tcg,thread=single,tb-size=256 -cpu "$model" -smp 1 -icount shift=2,sleep=off)
machine=(
    qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -machine q35 "${processor[@]}" -m "$memory"
    -kernel "$cache/vmlinux" -initrd "$out/initrd"
    -append "console=ttyS0 loglevel=6 panic=-1 mitigations=off tsc=reliable no_timer_check audit=0 apparmor=0 norandmaps random.trust_cpu=on i8042.nokbd i8042.noaux vm.out=$out"
    -serial "file:$out/console.log"
    -fsdev local,id=root,path=/,security_model=none,readonly=on,multidevs=remap
    -device virtio-9p-pci,fsdev=root,mount_tag=hostroot
    -fsdev "local,id=out,path=$out,security_model=none" -device virtio-9p-pci,fsdev=out,mount_tag=hostout
    -device virtio-serial-pci
    -chardev file,id=o,path=/proc/self/fd/1,append=on -device virtserialport,chardev=o,name=out
    -chardev file,id=e,path=/proc/self/fd/2,append=on -device virtserialport,chardev=e,name=err
    -chardev "socket,id=q,path=$out/qmp.sock,server=on,wait=off" -mon chardev=q,mode=control
    -chardev "socket,id=qc,path=$out/qmp.sock" -device virtserialport,chardev=qc,name=qmp
    -audiodev "wav,id=hda,path=$out/hda.wav,out.frequency=48000" -device ich9-intel-hda,id=hda -device hda-duplex,bus=hda.0,audiodev=hda
    -audiodev "wav,id=usb,path=$out/usb.wav,out.frequency=48000" -device qemu-xhci,id=xhci
)
# Through pipes, since QEMU opens its standard streams again.
started=$SECONDS
{ timeout -k 5 "$limit" "${machine[@]}" </dev/null 2>&1 1>&3 3>&- |
    grep --line-buffered -vE '^qemu: module audio-|^audio: Failed to create voice .adc' >&2 || true; } 3>&1 | cat
if [ ! -s "$out/status" ]; then
    reason='the machine ended without a status'
    [ $((SECONDS - started)) -lt "$limit" ] || reason="the machine was stopped after $limit s"
    echo "$reason; its console is $out/console.log" >&2
    exit 125
fi
exit "$(cat "$out/status")"
