#!/bin/bash
# headers.sh PREFIX: the installed headers under every language standard, gcc and clang, with
# CoreFoundation and without, and every constant against the list of names.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
# shellcheck disable=SC2046
set -- $(pkg-config --cflags audiosession)
failures=0 compiled=0

# The names, as the compiler sees them: a line that does not compile is a constant that differs.
{
    echo '#include <AudioToolbox/AudioToolbox.h>'
    awk -F '\t' '
        BEGIN { for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i }
        /^#/ || $1 == "string" || $1 == "macro" { next }
        {
            value = $3
            if (length(value) == 4 && value !~ /^-?[0-9]+$/) {
                value = 0
                for (i = 1; i <= 4; i++) value = value * 256 + code[substr($3, i, 1)]
            }
            printf "typedef char check_%d[(%s) == %s ? 1 : -1];\n", NR, $2, value
        }' "$here/../../docs/names.tsv"
    awk -F '\t' '$1 == "string" { printf "const void *string_%d(void) { return (const void *)%s; }\n", NR, $2 }
                 $1 == "macro" { printf "const char *macro_%d(void) { return %s; }\n", NR, $2 }' "$here/../../docs/names.tsv" |
        sed 's/^const void \*\(string_[0-9]*\)/extern const void *\1(void); const void *\1/
             s/^const char \*\(macro_[0-9]*\)/extern const char *\1(void); const char *\1/'
    cat <<'PROGRAM'
static void interrupted(void *unused, UInt32 state) { (void)unused; (void)state; }
static void heard(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    (void)unused; (void)property; (void)size; (void)data;
}
int main(void) {
    UInt32 size = sizeof(UInt32), value = 0;
    Boolean one = 1;
    typedef char boolean_is_an_unsigned_char[sizeof(Boolean) == 1 && (Boolean)-1 > 0 ? 1 : -1];
    (void)sizeof(boolean_is_an_unsigned_char);
    AudioSessionInitialize(NULL, NULL, interrupted, NULL);
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, heard, NULL);
    return AudioSessionSetActive(one) + AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &value);
}
PROGRAM
} >"$scratch/names.c"

compile() { # what it is, then the compiler and its words
    local what=$1
    shift
    compiled=$((compiled + 1))
    "$@" -Wall -Wextra -pedantic -Werror -fsyntax-only "$scratch/names.c" 2>"$scratch/log" && return
    failures=$((failures + 1))
    echo "not ok - headers: $what"
    head -n 5 "$scratch/log" | sed 's/^/#   /'
}

for standard in c89 c99 c11 c17 c2x; do
    for compiler in gcc clang; do
        compile "$compiler $standard" $compiler -std=$standard "$@"
        compile "$compiler $standard without CoreFoundation" $compiler -std=$standard "$1"
    done
done
for standard in c++98 c++11 c++14 c++17 c++20 c++2b; do
    for compiler in g++ clang++; do
        compile "$compiler $standard" $compiler -x c++ -std=$standard "$@"
        compile "$compiler $standard without CoreFoundation" $compiler -x c++ -std=$standard "$1"
    done
done
echo "headers: $((compiled - failures)) of $compiled ways to compile"
[ "$failures" = 0 ]
