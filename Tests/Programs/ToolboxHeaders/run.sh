#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh FOLDER: the headers of libAudioToolbox, with the toolchain's CoreFoundation in FOLDER. The library is not
# needed. --update writes the lists of functions anew.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
headers=$root/include/audiotoolbox
[ -e "$1/CoreFoundation/CFBase.h" ] || { echo "run.sh: no CoreFoundation headers in $1: give the toolchain's usr/lib/swift" >&2; exit 1; }
foundation="-idirafter $1"
own="-I$root/include/audiosession -I$headers"
update=${2:-}
scratch=$(mktemp -d /tmp/toolbox-headers.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

report() { # sentence, log file: an empty log is a success
    if [ -s "$2" ]; then
        failed=$((failed + 1))
        echo "not ok - $1"
        sed 's/^/#   /' "$2" | head -n 30
    else
        passed=$((passed + 1))
        [ -z "${VERBOSE-}" ] || echo "ok - $1"
    fi
}

language() { case $1 in *++) echo c++ ;; *) echo c ;; esac; }

# A source on standard input, which must compile without a warning.
compile() { # compiler:standard, flags
    # shellcheck disable=SC2086
    ${1%:*} -std="${1#*:}" -Wall -Wextra -pedantic -Werror -fsyntax-only -x "$(language "${1%:*}")" - $own $2 \
        >"$scratch/log" 2>&1 || echo "failed" >>"$scratch/log"
}

includes() { printf '#include <%s>\n' "$@"; echo 'typedef int not_empty;'; }

ways=(gcc:c89 g++:c++98 clang:c89 clang++:c++98 gcc:c99 g++:c++11 clang:c99 clang++:c++11 gcc:c11 g++:c++14 clang:c11
    clang++:c++14 gcc:c17 g++:c++17 clang:c17 clang++:c++17 gcc:c2x g++:c++20 clang:c2x clang++:c++20 g++:c++23
    clang++:c++2b gcc:gnu17 g++:gnu++17 clang:gnu17 clang++:gnu++17)

# OpenAL Soft, or empty files instead of it: this script tests that its files are included.
[ -e /usr/include/AL/al.h ] || { mkdir -p "$scratch/al/AL" && touch "$scratch/al/AL/al.h" "$scratch/al/AL/alc.h" && own="$own -I$scratch/al"; }

mapfile -t names < <({ cd "$headers" && find . -name '*.h'; cd "$root/include/audiosession" && find AudioToolbox -name '*.h'; } | sed 's|^\./||' | sort)

# Each header alone, with each compiler; the versions of the languages alternate.
turn=0
for name in "${names[@]}"; do
    for step in 0 1 2 3; do
        # A multiple of 4 begins with gcc.
        way=${ways[$(((4 * turn + step) % 20))]}
        includes "$name" | compile "$way" "$foundation"
        report "$name compiles alone ($way)" "$scratch/log"
    done
    turn=$((turn + 1))
done

# All headers in one file, in as many orders as there are headers: each comes before every other once. The compilers and
# versions alternate; then the same backwards, without CoreFoundation.
count=${#names[@]}
for ((first = 0; first < count; first++)); do
    order=("${names[@]:first}" "${names[@]:0:first}")
    way=${ways[$((first % ${#ways[@]}))]}
    includes "${order[@]}" | compile "$way" "$foundation"
    report "all headers compile together, $name first ($way)" "$scratch/log"
    includes "${order[@]}" | tac | compile "$way" ''
    report "all headers compile together backwards, $name last, without CoreFoundation ($way)" "$scratch/log"
done

# The umbrellas with this set and without it.
cat >"$scratch/umbrella.c" <<'EOF'
#include <AudioToolbox/AudioToolbox.h>
AudioUnit unit; AudioQueueRef queue; AudioFileID file; AudioFileStreamID stream; AudioConverterRef converter;
ExtAudioFileRef extended; AUGraph graph; SystemSoundID sound; AUParameterListenerRef listener; AudioFormatListItem item;
void *functions[] = {(void *)AudioSessionInitialize, (void *)AudioOutputUnitStart, (void *)mach_absolute_time,
    (void *)AudioFormatGetProperty, (void *)AudioFileLinuxOpenPath};
int parameter = kMultiChannelMixerParam_Volume;
EOF
cat >"$scratch/services.c" <<'EOF'
#include <AudioToolbox/AudioServices.h>
#include <AudioUnit/AudioUnit.h>
AudioUnit unit; SystemSoundID sound;
void *functions[] = {(void *)AudioSessionInitialize, (void *)AudioServicesPlaySystemSound, (void *)AudioUnitRender,
    (void *)AudioOutputUnitStart, (void *)AudioComponentFindNext};
int parameter = kHALOutputParam_Volume;
EOF
cat >"$scratch/misspelt.c" <<'EOF'
#include <AudioToolBox/AudioToolBox.h>
AudioQueueRef queue; void *function = (void *)AudioSessionInitialize;
EOF
# A program that brings along what older headers lack.
cat >"$scratch/versions.c" <<'EOF'
#include <CoreAudio/CoreAudioTypes.h>
#if COREAUDIOTYPES_VERSION < 1050
typedef Float32 AudioSampleType;
enum { kAudioFormatFlagsCanonical = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked };
#endif
#if COREAUDIOTYPES_VERSION < 1051
typedef Float32 AudioUnitSampleType;
enum { kLinearPCMFormatFlagsSampleFractionShift = 7 };
#endif
AudioSampleType sample; AudioUnitSampleType unit_sample;
int flags = kAudioFormatFlagsCanonical, shift = kLinearPCMFormatFlagsSampleFractionShift;
EOF
# Comparisons of releases, and marks of declarations. __IPHONE_OS_VERSION_ is there with every header of audio.
cat >"$scratch/releases.c" <<'EOF'
#include <AudioUnit/AudioUnit.h>
#if !defined(__IPHONE_4_0) || __IPHONE_OS_VERSION_MIN_REQUIRED >= __IPHONE_7_0 || __IPHONE_OS_VERSION_MAX_ALLOWED >= 70000
#error the release has Audio Session Services
#endif
#if __IPHONE_OS_VERSION_MIN_REQUIRED < __IPHONE_5_0 || MAC_OS_X_VERSION_MAX_ALLOWED >= MAC_OS_X_VERSION_10_9
#error the release has modes
#endif
#if defined(__MAC_OS_X_VERSION_MIN_REQUIRED)
#error a Mac
#endif
#include <libkern/OSAtomic.h>
void marked(void) __OSX_AVAILABLE_STARTING(__MAC_10_5, __IPHONE_2_0);
void old(void) __OSX_AVAILABLE_BUT_DEPRECATED(__MAC_NA, __MAC_NA, __IPHONE_2_0, __IPHONE_7_0);
void older(void) __deprecated_msg("use the new one");
EOF
cat >"$scratch/chosen.c" <<'EOF'
#define __IPHONE_OS_VERSION_MIN_REQUIRED 30000
#define __IPHONE_OS_VERSION_MAX_ALLOWED 80400
#include <Availability.h>
#include <AvailabilityMacros.h>
int chosen[__IPHONE_OS_VERSION_MIN_REQUIRED == 30000 && __IPHONE_OS_VERSION_MAX_ALLOWED == __IPHONE_8_4 ? 1 : -1];
EOF
cat >"$scratch/mac.c" <<'EOF'
#define TARGET_OS_IPHONE 0
#include <Availability.h>
#ifdef __IPHONE_OS_VERSION_MIN_REQUIRED
#error a phone
#endif
typedef int not_empty;
EOF
cat >"$scratch/utilities.c" <<'EOF'
#include <AudioUnit/AudioUnitUtilities.h>
AudioUnitParameterInfo info;
void *functions[] = {(void *)AUListenerCreate, (void *)AudioOutputUnitStart};
EOF
for source in umbrella services misspelt utilities versions releases chosen mac; do
    for compiler in gcc g++ clang clang++; do
        # shellcheck disable=SC2086
        $compiler -Wall -Wextra -Werror -fsyntax-only -x "$(language $compiler)" "$scratch/$source.c" $own $foundation >"$scratch/log" 2>&1
        report "$(sed -n 's/#include <\(.*\)>/\1/p;q' "$scratch/$source.c") brings what programs expect of it ($compiler)" "$scratch/log"
    done
done
# Every name that a file of the platform includes, old and new, and something that it brings.
while read -r name brought; do
    printf '#include <%s>\nvoid *brought = (void *)%s;\n' "$name" "$brought" >"$scratch/spelling.c"
    # shellcheck disable=SC2086
    gcc -Wall -Wextra -Werror -fsyntax-only "$scratch/spelling.c" $own $foundation >"$scratch/log" 2>&1
    report "$name brings $brought" "$scratch/log"
done <<'EOF'
AudioToolBox/AudioToolBox.h AudioQueueStart
AudioToolbox/AUComponent.h AudioUnitInitialize
AudioToolbox/AUGraph.h NewAUGraph
AudioToolbox/AudioComponent.h AudioComponentFindNext
AudioToolbox/AudioConverter.h AudioConverterNew
AudioToolbox/AudioFile.h AudioFileOpenURL
AudioToolbox/AudioFileStream.h AudioFileStreamOpen
AudioToolbox/AudioFormat.h AudioFormatGetProperty
AudioToolbox/AudioOutputUnit.h AudioOutputUnitStart
AudioToolbox/AudioQueue.h AudioQueueStart
AudioToolbox/AudioServices.h AudioServicesPlaySystemSound
AudioToolbox/AudioSession.h AudioSessionInitialize
AudioToolbox/AudioToolbox.h AudioUnitRender
AudioToolbox/AudioUnit.h AudioUnitRender
AudioToolbox/AudioUnitParameters.h kHALOutputParam_Volume
AudioToolbox/AudioUnitProperties.h kAudioUnitProperty_StreamFormat
AudioToolbox/AudioUnitUtilities.h AUListenerCreate
AudioToolbox/ExtendedAudioFile.h ExtAudioFileRead
AudioUnit/AUComponent.h AudioUnitInitialize
AudioUnit/AudioComponent.h AudioComponentFindNext
AudioUnit/AudioOutputUnit.h AudioOutputUnitStart
AudioUnit/AudioUnit.h AudioOutputUnitStart
AudioUnit/AudioUnitParameters.h kHALOutputParam_Volume
AudioUnit/AudioUnitProperties.h kAudioUnitProperty_StreamFormat
AudioUnit/AudioUnitUtilities.h AUListenerCreate
CoreAudio/CoreAudioTypes.h kAudioFormatLinearPCM
CoreAudioTypes/CoreAudioTypes.h kAudioFormatLinearPCM
CoreFoundation/CFURL.h CFURLGetFileSystemRepresentation
MacTypes.h noErr
libkern/OSAtomic.h OSAtomicAdd32
libkern/OSAtomic.h OSAtomicDequeue
mach/mach.h mach_task_self
mach/mach.h thread_policy_set
mach/mach_error.h mach_error_string
mach/mach_init.h mach_task_self
AudioToolbox/CAFFile.h (long)sizeof(CAFMarker)
AudioToolbox/MusicPlayer.h (long)sizeof(MIDINoteMessage)
AudioUnit/MusicDevice.h (long)sizeof(MusicDeviceNoteParams)
AudioToolbox/MusicDevice.h kMusicDeviceRange
libkern/OSByteOrder.h OSHostByteOrder
mach/mach_time.h mach_absolute_time
mach/thread_act.h thread_policy_set
mach/thread_act.h thread_info
mach/mach.h thread_info
mach/thread_info.h (long)sizeof(thread_basic_info_data_t)
mach/policy.h (long)sizeof(policy_info_data_t)
mach/thread_policy.h mach_thread_self
sys/sysctl.h sysctlbyname
CoreServices/CoreServices.h CFURLGetFileSystemRepresentation
ConditionalMacros.h (long)FOUR_CHAR_CODE(TYPE_LONGLONG)
EOF
for name in Availability.h AvailabilityMacros.h OpenAL/al.h OpenAL/alc.h; do
    includes "$name" | compile gcc:c11 ''
    report "$name compiles" "$scratch/log"
done

printf '#include <AudioToolbox/AudioToolbox.h>\n#ifdef AUDIO_UNIT_VERSION\n#error units\n#endif\nvoid *f = (void *)AudioSessionInitialize;\n' |
    gcc -Wall -Werror -fsyntax-only -x c - -I"$root/include/audiosession" >"$scratch/log" 2>&1
report "AudioToolbox.h brings the session alone where the other headers are not installed" "$scratch/log"

# The sources of the library include the headers by relative names, with types of their own for CoreFoundation's.
{
    cat <<'EOF'
#include <stddef.h>
#include <stdint.h>
#define AUDIOSESSION_COREFOUNDATION_H
typedef unsigned char Boolean, UInt8, Byte;
typedef int8_t SInt8; typedef int16_t SInt16; typedef uint16_t UInt16; typedef int32_t SInt32, OSStatus;
typedef uint32_t UInt32, OSType; typedef int64_t SInt64; typedef uint64_t UInt64; typedef float Float32; typedef double Float64;
typedef const void *ConstantReference; typedef void *RunLoopReference;
#define CFStringRef ConstantReference
#define CFURLRef ConstantReference
#define CFRunLoopRef RunLoopReference
EOF
    printf '#include "%s"\n' "$root/include/audiosession/TargetConditionals.h" "$headers"/{Availability.h,AvailabilityMacros.h,MacTypes.h,CoreAudio/CoreAudioTypes.h} \
        "$headers"/AudioUnit/{AudioComponent,AUComponent,AudioOutputUnit,AudioUnitProperties,AudioUnitParameters}.h \
        "$headers"/AudioToolbox/{AudioConverter,AudioFormat,AudioFile,ExtendedAudioFile,AudioFileStream}.h \
        "$headers"/AudioToolbox/{AudioQueue,SystemSounds,AudioToolboxLinux,AUGraph,AudioUnitUtilities}.h
} | clang -std=c17 -Wall -Werror -fsyntax-only -x c - >"$scratch/log" 2>&1
report "the headers compile by relative names, without CoreFoundation" "$scratch/log"

# With DEBUG a failed check is reported, with its place and the value; each argument is evaluated once.
cat >"$scratch/asserts.c" <<'EOF'
#define DEBUG 1
#define DEBUG_ASSERT_COMPONENT_NAME_STRING "player"
#include <AssertMacros.h>
static int calls;
static int result(int value) { calls++; return value; }
int main(void) {
    check(result(1));
    check(result(1) == 2);
    verify_noerr_string(result(-50), "the format");
    require_noerr(result(-66), failure);
    return 1;
failure:
    return calls == 4 ? 0 : 2;
}
EOF
for compiler in gcc g++ clang clang++; do
    # shellcheck disable=SC2086
    $compiler -Wall -Wextra -Werror -x "$(language $compiler)" "$scratch/asserts.c" -o "$scratch/asserts" $own >"$scratch/log" 2>&1 &&
        "$scratch/asserts" 2>"$scratch/reports" || echo "failed" >>"$scratch/log"
    sed -E 's/[^ ]*asserts\.c:/asserts.c:/' "$scratch/reports" | diff - <(
        echo 'player: result(1) == 2 failed: asserts.c:8, value 0'
        echo 'player: result(-50) == 0 failed: the format, asserts.c:9, value -50'
        echo 'player: result(-66) == 0 failed: failure, asserts.c:10, value -66'
    ) >>"$scratch/log"
    report "failed checks are reported with DEBUG ($compiler)" "$scratch/log"
done

# A program that has functions of the platform's libc itself, and one in two files, which share the number of the release. clang++ does
# not allow it.
cat >"$scratch/own.c" <<'EOF'
#include <AudioToolbox/AudioToolbox.h>
#ifdef __cplusplus
extern "C"
#endif
size_t strlcpy(char *destination, const char *source, size_t size) { (void)source, (void)size; return destination[0] = 7; }
double *number(void);
double *number(void) { return &kCFCoreFoundationVersionNumber; }
EOF
cat >"$scratch/other.c" <<'EOF'
#include <AudioToolbox/AudioToolbox.h>
#ifdef __cplusplus
extern "C"
#endif
size_t strlcpy(char *, const char *, size_t);
double *number(void);
int main(void) {
    char text[4] = "";
    return strlcpy(text, "abc", sizeof text) == 3 && strlcat(text, "d", sizeof text) == 4 && !strcmp(text, "abc") &&
        number() == &kCFCoreFoundationVersionNumber ? 0 : 1;
}
EOF
for compiler in gcc g++ clang; do
    # shellcheck disable=SC2086
    { $compiler -Wall -Wextra -Werror -x "$(language $compiler)" "$scratch/own.c" "$scratch/other.c" -o "$scratch/own" $own $foundation &&
        "$scratch/own"; } >"$scratch/log" 2>&1 || echo "failed" >>"$scratch/log"
    report "a program may define strlcpy itself ($compiler)" "$scratch/log"
done

# The flags of audiotoolbox.pc.
printf '#if !TARGET_OS_IPHONE\n#error not the platform\n#endif\n#include <AudioToolbox/AudioToolbox.h>\n' >"$scratch/early.c"
# shellcheck disable=SC2046,SC2086
gcc -Wall -Wextra -Werror -fsyntax-only $(sed -n 's/^Cflags:.*\(-D[^ ]*\).*/\1/p' "$root/pkgconfig/audiotoolbox.pc.in") "$scratch/early.c" $own $foundation \
    >"$scratch/log" 2>&1
report "TARGET_OS_IPHONE can be tested before the first header" "$scratch/log"

# Without OpenAL Soft the message says what to install.
for name in al alc; do
    echo "#include <OpenAL/$name.h>" | gcc -fsyntax-only -nostdinc -x c - -I"$headers" 2>&1 | grep -q 'install OpenAL Soft' &&
        : >"$scratch/log" || echo "no such message" >"$scratch/log"
    report "OpenAL/$name.h without OpenAL Soft says what to install" "$scratch/log"
done

# Values, layouts, inline functions.
for program in values layouts inline; do
    for compiler in gcc g++ clang clang++; do
        # shellcheck disable=SC2086
        { $compiler -Wall -Wextra -Werror -O1 -x "$(language $compiler)" "$here/$program.c" -o "$scratch/$program" $own $foundation \
            -lpthread && "$scratch/$program" 2>&1 >"$scratch/$program.names"; } >"$scratch/log" 2>&1 || echo "failed" >>"$scratch/log"
        report "$program are those of the table ($compiler)" "$scratch/log"
    done
done

# The tables leave nothing out.
find "$headers/CoreAudio" "$headers/AudioUnit" "$headers/AudioToolbox" -name '*.h' -exec cat {} + >"$scratch/all.h"
{
    grep -oE '\<k[A-Z0-9][A-Za-z0-9_]* =( |$)' "$scratch/all.h" | sed 's/ =.*//'
    sed -nE 's/^ *# *define (k[A-Z0-9][A-Za-z0-9_]*) [^"].*/\1/p' "$scratch/all.h"
} | sort -u >"$scratch/constants"
comm -23 "$scratch/constants" <(sort -u "$scratch/values.names") >"$scratch/log"
report "every constant is in the table of values" "$scratch/log"
sed -nE 's/^} ([A-Za-z_]+);$/\1/p' "$scratch/all.h" | sort -u | comm -23 - <(sort -u "$scratch/layouts.names") >"$scratch/log"
report "every structure is in the table of layouts" "$scratch/log"

# The functions, as gcc reads them, are those of two committed lists.
echo '#include <AudioToolbox/AudioToolbox.h>' >"$scratch/functions.c"
# shellcheck disable=SC2086
gcc -fsyntax-only -aux-info "$scratch/aux" $own $foundation "$scratch/functions.c"
sed -nE "s|^/\* $headers/([^:]*):[0-9]+:.. \*/ extern (.*)|\1: \2|p" "$scratch/aux" | grep -v ' audiotoolbox_' | LC_ALL=C sort >"$scratch/prototypes"
sed -E 's/.*[ *]([A-Za-z_0-9]+) \(.*/\1/' "$scratch/prototypes" | LC_ALL=C sort >"$scratch/symbols"
if [ "$update" = --update ]; then
    cp "$scratch/prototypes" "$here/prototypes.txt"
    cp "$scratch/symbols" "$root/abi/AudioToolbox.symbols"
fi
diff "$here/prototypes.txt" "$scratch/prototypes" >"$scratch/log"
report "the functions have the arguments and results of prototypes.txt" "$scratch/log"
diff "$root/abi/AudioToolbox.symbols" "$scratch/symbols" >"$scratch/log"
report "the functions are those of abi/AudioToolbox.symbols" "$scratch/log"

# A C++ program refers to them by the same names.
{
    cat "$scratch/functions.c"
    echo 'extern void *functions[]; void *functions[] = {'
    sed 's/.*/(void *)&,/' "$root/abi/AudioToolbox.symbols"
    echo '};'
} >"$scratch/functions.cc"
# shellcheck disable=SC2086
{ g++ -c -o "$scratch/functions.o" $own $foundation "$scratch/functions.cc" &&
    diff <(nm -u "$scratch/functions.o" | awk '{ print $2 }' | LC_ALL=C sort) "$root/abi/AudioToolbox.symbols"; } >"$scratch/log" 2>&1
report "a C++ program refers to the functions by their C names" "$scratch/log"

# Each function has a comment of its own above it.
while read -r header function; do
    awk -v name="$function" '
        $0 ~ "^[A-Za-z].*[ *]" name "[(]" { found = 1; good = before ~ /\*\/$/; exit }
        { before = $0 }
        END { exit !(found && good) }' "$headers/$header" || echo "$header: $function"
done < <(sed -E 's/^([^:]*): .*[ *]([A-Za-z_0-9]+) \(.*/\1 \2/' "$scratch/prototypes") >"$scratch/log" 2>&1
report "each function has a comment" "$scratch/log"

echo "toolbox headers: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
