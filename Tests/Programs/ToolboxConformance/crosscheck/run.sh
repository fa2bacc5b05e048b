#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX: files of this library are read by sox and ffmpeg with the same samples, and theirs by this library. Counts the
# results. Without sox and ffmpeg it says so and passes.
set -u
missing=''
for program in ffmpeg sox soxi; do
    [ -n "$(type -P $program)" ] || missing="$missing $program"
done
if [ -n "$missing" ]; then
    echo "crosscheck: left out, not installed:$missing (tools/deps others installs them)"
    exit 0
fi
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
scratch=$(mktemp -d /tmp/crosscheck.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2046
gcc -Wall -Wextra -O1 -o "$scratch/convert" "$here/convert.c" $(pkg-config --cflags --libs audiotoolbox) -lm || exit 1
cd "$scratch" || exit 1
passed=0 failed=0

result() { # sentence, whether it holds
    if [ "$2" = yes ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok - $1"
    fi
}

# The samples of two raw files differ by at most so much, and not in number.
same() { # file, file, difference
    [ "$(stat -c %s "$1")" = "$(stat -c %s "$2")" ] && [ -s "$1" ] || return 1
    [ "$3" = 0 ] && { cmp -s "$1" "$2"; return; }
    paste <(od -An -v -t d2 -w2 "$1") <(od -An -v -t d2 -w2 "$2") |
        awk -v most="$3" '{ d = $1 - $2; if (d < -most || d > most) bad = 1 } END { exit bad }'
}

# The same, where the second file has other samples before, so many bytes, and may have some behind.
same_part() { # file, file, difference, bytes
    dd if="$2" of=part.raw iflag=skip_bytes,count_bytes skip="$4" count="$(stat -c %s "$1")" bs=1M status=none
    same "$1" part.raw "$3"
}

integer=4 float=1 big=2

# Sound of others, read by this library: as 16 bits, compared with what ffmpeg reads.
read_others() { # name, difference, command
    local name=$1 most=$2 file=${#files[@]}.$1
    shift 2
    { "$@" </dev/null >/dev/null 2>&1 && mv "$name" "$file"; } || { result "$name is made" no; return; }
    ./convert "$file" "$file.ours" 'raw ' lpcm 16 0 >counts 2>errors || { result "$name is read: $(cat errors)" no; return; }
    compare_later "$file" "$most" "$name ($(cat counts))"
}

# Sound of this library, read by others.
read_ours() { # name, difference, type, format, bits, flags
    local file=${#files[@]}.$1
    ./convert source.wav "$file" "$3" "$4" "$5" "$6" >counts 2>errors || { result "$1 is written: $(cat errors)" no; return; }
    ./convert "$file" "$file.ours" 'raw ' lpcm 16 0 >/dev/null 2>&1
    compare_later "$file" "$2" "$1 ($3 $4 $5 $6)"
    [ "$4" = lpcm ] && [ "$3" != caff ] || return 0
    result "$1 has the frames that sox counts" "$([ "$(soxi -s "$file")" = "$(cut -d' ' -f2 <counts)" ] && echo yes)"
}

# ffmpeg takes a tenth of a second to start: it reads many files at once.
files=() differences=() sentences=()
compare_later() { # file, difference, what it is
    files+=("$1") differences+=("$2") sentences+=("$3")
}

compare_with_ffmpeg() {
    local inputs=() outputs=() i
    for i in "${!files[@]}"; do
        inputs+=(-i "${files[i]}") outputs+=(-map "$i:a" -f s16le -c:a pcm_s16le "${files[i]}.theirs")
    done
    ffmpeg -v error -y "${inputs[@]}" "${outputs[@]}" </dev/null
    for i in "${!files[@]}"; do
        result "${sentences[i]} has the samples that ffmpeg reads" \
            "$(same "${files[i]}.ours" "${files[i]}.theirs" "${differences[i]}" && echo yes)"
        rm -f "${files[i]}"*
    done
    files=() differences=() sentences=()
}

for channels in 1 2; do
    for rate in 8000 22050 44100 48000; do
        sox -R -n -r $rate -c $channels -b 16 source.wav synth 0.4321 pinknoise gain -6 >/dev/null 2>&1
        for name in a.wav a.aiff a.aifc a.au a.caf; do
            for bits in 16 24 32; do
                # ffmpeg rounds from more than 16 bits otherwise.
                read_others $name $((bits > 16)) sox -R -n -r $rate -c $channels -b $bits $name synth 0.3 pinknoise gain -6
            done
        done
        read_others u.wav 0 sox source.wav -e u-law u.wav
        read_others a.au 0 sox source.wav -e a-law a.au
        read_others f.wav 1 sox source.wav -e floating-point -b 32 f.wav
        read_others i.aifc 0 ffmpeg -v error -y -i source.wav -c:a adpcm_ima_qt i.aifc
        # ffmpeg rounds the steps otherwise, and reads the rest of the last block too.
        sox source.wav -e ima-adpcm d.wav >/dev/null 2>&1
        ./convert d.wav ours.raw 'raw ' lpcm 16 0 >counts 2>errors
        ffmpeg -v error -i d.wav -f s16le -acodec pcm_s16le -y theirs.raw </dev/null
        frames=$(soxi -s source.wav)
        result "d.wav has $frames frames of what ffmpeg reads: $(cat counts errors)" \
            "$([ "$(cat counts)" = "$frames $frames" ] && same_part ours.raw theirs.raw 64 0 && echo yes)"
        read_ours a.wav 0 WAVE lpcm 16 $integer
        read_ours b.wav 1 WAVE lpcm 24 $integer
        read_ours c.wav 1 WAVE lpcm 32 $float
        read_ours a.aiff 0 AIFF lpcm 16 $((integer | big))
        read_ours b.aiff 1 AIFF lpcm 24 $((integer | big))
        read_ours a.au 0 NeXT lpcm 16 $((integer | big))
        read_ours a.caf 0 caff lpcm 16 $integer
        read_ours b.caf 1 caff lpcm 32 $((float | big))
        read_ours u.wav 0 WAVE ulaw 8 0
        read_ours l.aifc 0 AIFC alaw 8 0
        read_ours i.aifc 0 AIFC ima4 0 0
        compare_with_ffmpeg
    done
done
sox -R -n -r 44100 -c 2 -b 16 source.wav synth 2.3456 sine 440 sine 660 gain -6 >/dev/null 2>&1
# Decoders round differently.
read_others a.mp3 2 ffmpeg -v error -y -i source.wav -c:a libmp3lame a.mp3
read_others b.mp3 2 ffmpeg -v error -y -i source.wav -c:a libmp3lame -q:a 3 -ar 22050 b.mp3
# GSM 6.10 has one channel. An even number of blocks: sox counts a byte of padding as sound, at which ffmpeg fails.
read_others g.wav 0 sox source.wav -r 8000 -c 1 -e gsm-full-rate g.wav trim 0 2
compare_with_ffmpeg
# The frames that ffmpeg reads, without those that an encoder adds.
if [ -e "$prefix/lib/audiotoolbox/codecs/ffmpeg.so" ]; then
    for channels in 1 2; do
        for rate in $((channels == 1 ? 22050 : 44100)) 48000; do
            sox -R -n -r $rate -c $channels -b 16 source.wav synth 1.2345 pinknoise gain -6 >/dev/null 2>&1
            frames=$(soxi -s source.wav)
            read_others a.aac 1 ffmpeg -v error -y -i source.wav -c:a aac a.aac
            # ffmpeg drops the frames before the sound, and not those behind it.
            ffmpeg -v error -y -i source.wav -c:a aac a.m4a </dev/null
            ./convert a.m4a ours.raw 'raw ' lpcm 16 0 >counts 2>errors
            ffmpeg -v error -i a.m4a -f s16le -acodec pcm_s16le -y theirs.raw </dev/null
            result "a.m4a has $frames frames of what ffmpeg reads: $(cat counts errors)" \
                "$([ "$(cat counts)" = "$frames $frames" ] && same_part ours.raw theirs.raw 1 0 && echo yes)"
            read_others f.mp4 0 ffmpeg -v error -y -i source.wav -c:a flac -strict -2 f.mp4
            read_others l.m4a 0 ffmpeg -v error -y -i source.wav -c:a alac l.m4a
            read_others l.caf 0 ffmpeg -v error -y -i source.wav -c:a alac l.caf
            read_others h.m4a 1 ffmpeg -v error -y -i source.wav -c:a alac -sample_fmt s32p h.m4a
            if [ $rate = 48000 ]; then
                for codec in libopus ac3; do
                    ffmpeg -v error -y -i source.wav -c:a $codec o.mp4 </dev/null
                    ./convert o.mp4 ours.raw 'raw ' lpcm 16 0 >counts 2>errors
                    ffmpeg -v error -i o.mp4 -f s16le -acodec pcm_s16le -y theirs.raw </dev/null
                    result "$codec in MP4 has what ffmpeg reads: $(cat counts errors)" \
                        "$([ -s ours.raw ] && same_part ours.raw theirs.raw 1 0 && echo yes)"
                    # ffmpeg's decoder of AC-3 replaces coefficients without bits by noise: the sound is a tone.
                    sox -R -n -r $rate -c $channels -b 16 tone.wav synth 1.2345 sine 997 gain -6 >/dev/null 2>&1
                    ffmpeg -v error -y -i tone.wav -c:a $codec $([ $codec = ac3 ] && echo -b:a 640k) o.mp4 </dev/null
                    ./convert o.mp4 ours.raw 'raw ' lpcm 16 0 >counts 2>errors
                    ./convert o.mp4 behind.raw 'raw ' lpcm 16 0 0 55000 >counts 2>errors
                    result "$codec in MP4 has the same samples behind a seek: $(cat counts errors)" \
                        "$([ -s behind.raw ] && same_part behind.raw ours.raw 1 $((55000 * 2 * channels)) && echo yes)"
                done
            fi
            # In CAF, ffmpeg drops none: those before the sound are 1,024.
            for name in b.m4a b.caf; do
                type=m4af skip=0
                [ $name = b.m4a ] || type=caff skip=$((1024 * 2 * channels))
                ./convert source.wav $name $type 'aac ' 0 0 >counts 2>errors
                ./convert $name ours.raw 'raw ' lpcm 16 0 >counts 2>>errors
                ffmpeg -v error -i $name -f s16le -acodec pcm_s16le -y theirs.raw </dev/null 2>>errors
                result "$name has $frames frames of what ffmpeg reads: $(cat counts errors)" \
                    "$([ ! -s errors ] && [ "$(cat counts)" = "$frames $frames" ] && same_part ours.raw theirs.raw 1 $skip && echo yes)"
            done
            for name in m.m4a m.caf; do
                type=caff
                [ $name = m.caf ] || type=m4af
                read_ours $name 0 $type alac 0 0
                ffmpeg -v error -i source.wav -f s16le -acodec pcm_s16le -y source.raw </dev/null
                result "$name has the samples that were written" "$(same source.raw "${files[-1]}.ours" 0 && echo yes)"
            done
            compare_with_ffmpeg
        done
    done
else
    echo 'crosscheck: AAC and Apple Lossless left out, the module of FFmpeg is not installed'
fi
sox -R -n -r 44100 -c 2 -b 16 source.wav synth 2.3456 sine 440 sine 660 gain -6 >/dev/null 2>&1
./convert source.wav r.wav WAVE lpcm 16 $integer 48000 >counts 2>&1
result 'a rate conversion has exact lengths' "$([ "$(soxi -s r.wav)" = $(((103441 * 48000 + 44099) / 44100)) ] && echo yes)"
echo "crosscheck: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
