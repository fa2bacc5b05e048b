# SPDX-License-Identifier: Apache-2.0
# install: an installation works after it has been moved, and uninstalling removes every file. LINK and SWIFT come
# from make.
# shellcheck shell=sh disable=SC2034
subject=$scratch/moved
where="PREFIX=/opt/somewhere LIBDIR=/opt/somewhere/lib/multiarch DESTDIR=$scratch/root"

# shellcheck disable=SC2086
${MAKE:-make} --no-print-directory install $where >/dev/null
mv "$scratch/root" "$scratch/moved"
cat >"$scratch/program.c" <<'END'
#include <AudioToolbox/AudioToolbox.h>
int main(void) { return AudioSessionSetActive(1) == kAudioSessionNotInitialized ? 0 : 1; }
END
export PKG_CONFIG_PATH="$scratch/moved/opt/somewhere/lib/multiarch/pkgconfig"
for compiler in gcc clang; do
    # shellcheck disable=SC2046
    $compiler -Wall -Werror -o "$scratch/program" "$scratch/program.c" $(pkg-config --cflags --libs audiosession)
    env -u LD_LIBRARY_PATH "$scratch/program" || fail "a program of $compiler does not run"
done
# The companion library finds the other one beside it.
cat >"$scratch/unit.c" <<'END'
#include <AudioUnit/AudioUnit.h>
int main(void) {
    AudioComponentDescription none = {1, 2, 3, 0, 0};
    return AudioComponentFindNext(NULL, &none) == NULL ? 0 : 1;
}
END
for compiler in gcc clang; do
    # shellcheck disable=SC2046
    $compiler -Wall -Werror -o "$scratch/unit" "$scratch/unit.c" $(pkg-config --cflags --libs audiotoolbox)
    env -u LD_LIBRARY_PATH "$scratch/unit" || fail "a program of $compiler does not run"
done
# It finds its codec modules there as well.
# shellcheck disable=SC2046
gcc -Wall -Werror -o "$scratch/codecs" "$(dirname "$0")/../packaging/codecs.c" $(pkg-config --cflags --libs audiotoolbox)
if [ -e "$scratch/moved/opt/somewhere/lib/multiarch/audiotoolbox/codecs/ffmpeg.so" ]; then
    env -u LD_LIBRARY_PATH -u AUDIOTOOLBOX_CODECS "$scratch/codecs" | grep -q '^decodes:.* aac' ||
        fail 'does not find its codec modules'
fi
# What a shell needs is printed for a folder of its own, and not for those of the system.
lines=$("$(dirname "$0")/after-install" "$scratch/moved" "$scratch/packages" "$scratch/programs" "$scratch/60.conf")
for line in "PKG_CONFIG_PATH=$scratch/packages" "PATH=$scratch/programs" "ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$scratch/60.conf"; do
    (eval "$(printf '%s\n' "$lines" | grep '^ *export')" && env | grep -q "^$line") ||
        fail "make install does not print $line"
done
[ -z "$("$(dirname "$0")/after-install" /usr/local a b c)" ] || fail 'make install prints lines for /usr/local'
# The modules of sound servers find their libraries.
for module in "$scratch"/moved/opt/somewhere/lib/multiarch/audiosession/servers/*.so; do
    [ ! -e "$module" ] || ! ldd "$module" | grep 'not found' || fail "$module lacks a library"
done
# Programs without CoreFoundation need no toolchain.
for compiler in gcc clang; do
    # shellcheck disable=SC2046
    $compiler -Wall -Werror -o "$scratch/program" "$scratch/program.c" \
        $(pkg-config --define-variable=swiftlibdir=/nowhere --cflags --libs audiosession)
    env -u LD_LIBRARY_PATH "$scratch/program" || fail "a program of $compiler does not run"
done
env -u LD_LIBRARY_PATH "$scratch/moved/opt/somewhere/bin/audiosessionctl" help >/dev/null || fail 'audiosessionctl does not run'

mv "$scratch/moved" "$scratch/root"
# shellcheck disable=SC2086
${MAKE:-make} --no-print-directory uninstall $where >/dev/null
left=$(find "$scratch/root" ! -type d)
[ -z "$left" ] || fail "make uninstall does not remove:
$left"
passed='it can be moved, and is removed as a whole'
