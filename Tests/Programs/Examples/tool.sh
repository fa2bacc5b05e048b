# SPDX-License-Identifier: Apache-2.0
# audiosessionctl plays, records, converts and describes sound files

# A WAVE file of 441 Hz: 16 bits, one channel. Its first and its last sample are not 0.
samples=22050
{
    printf 'RIFF\x48\xac\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x44\xac\0\0\x88\x58\x01\0\x02\0\x10\0data\x44\xac\0\0'
    LC_ALL=C awk -v n=$samples 'BEGIN { for (i = 0; i < n; i++) printf "%s", i % 100 < 50 ? "\\x21\\x20" : "\\xe0\\xdf" }' >"$folder/text"
    printf '%b' "$(<"$folder/text")"
} >"$folder/tone.wav"

numbers() { # file, offset of the first sample
    tail -c "+$(($2 + 1))" "$1" | od -An -v -w2 -t d2 | awk '{ print $1 }'
}
numbers "$folder/tone.wav" 44 >"$folder/tone.numbers"

tool() { # expected status, words; standard error is kept
    local expected=$1 status=0
    shift
    (cd "$folder" && exec audiosessionctl "$@") >"$folder/said" 2>"$folder/complaint" || status=$?
    [ "$status" = "$expected" ] || fail "audiosessionctl $*: ended with $status: $(cat "$folder/said" "$folder/complaint")"
}
# The tool loads the library of its own prefix: this one stands in front of the installed one.
stand_in() { # name
    mkdir -p "$folder/$1/bin" "$folder/$1/lib"
    cp "$prefix/bin/audiosessionctl" "$folder/$1/bin"
    # shellcheck disable=SC2046
    clang -shared -fPIC -Wl,--no-as-needed "$here/libraries/$1.c" $(pkg-config --cflags --libs audiotoolbox) -Wl,-rpath,"$prefix/lib" \
        -o "$folder/$1/lib/libAudioToolbox.so.0" || fail "$1.c does not compile"
}
# Interrupts a command that plays or records this file, and ends it by an end without resuming.
end_without_resuming() { # name, file
    local reason='the interruption has ended; the sound should not resume'
    audiosessionctl interrupt begin --detach
    await "$1" interrupted
    audiosessionctl interrupt end --should-not-resume
    wait "${processes[$1]}" && fail "$1: a sound that should not resume ends with 0"
    [ "$(cat "$folder/$1.errors")" = "audiosessionctl: $2: $reason" ] || fail "$1: $(cat "$folder/$1.errors")"
    : >"$folder/$1.errors"
}
says() { grep -qF -- "$1" "$folder/said" || fail "\"$1\" is not in: $(cat "$folder/said")"; }
complains() { grep -qxF -- "audiosessionctl: $1" "$folder/complaint" || fail "\"$1\" is not: $(cat "$folder/complaint")"; }

# Every container and format goes back to the same samples, or to a sound of the same length where the format loses some.
for name in 'wav int16' 'aiff int16' 'aif float32' 'caf int24' 'au float64' 'wav int32' 'caf alac'; do
    case $name in *alac) [ -e "$prefix/lib/audiotoolbox/codecs/ffmpeg.so" ] || continue ;; esac
    tool 0 convert --force --format "${name#* }" tone.wav "copy.${name% *}"
    tool 0 convert --force --format int16 "copy.${name% *}" back.wav
    numbers "$folder/back.wav" 44 | cmp -s - "$folder/tone.numbers" || fail "$name: the samples are others"
done
for name in 'wav ulaw' 'caf ima4' 'au alaw' 'caf aac'; do
    case $name in *aac) [ -e "$prefix/lib/audiotoolbox/codecs/ffmpeg.so" ] || continue ;; esac
    tool 0 convert --force --format "${name#* }" tone.wav "copy.${name% *}"
    tool 0 info "copy.${name% *}"
    says "44100 Hz, 1 ch, ${name#* }"
    says '0:00.5, 22050 frames'
done

# Apple Lossless has the bits of the FLAC, or of the Apple Lossless, that it is made of: two packets of 4096 equal samples of 24 bits.
repeated() { # bytes of a sample
    for ((i = 0; i < 4096; i++)); do printf '%b' "$1"; done
}
if [ -e "$prefix/lib/audiotoolbox/codecs/ffmpeg.so" ]; then
    {
        printf 'caff\0\1\0\0desc\0\0\0\0\0\0\0\x20\x40\xe5\x88\x80\0\0\0\0flac\0\0\0\0\0\0\0\0\0\0\x10\0\0\0\0\1\0\0\0\0'
        printf 'kuki\0\0\0\0\0\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\x0a\xc4\x41\x70\0\0\x20\0'
        head -c 16 /dev/zero
        printf 'pakt\0\0\0\0\0\0\0\x1a\0\0\0\0\0\0\0\2\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\0\0\x0c\x0c'
        printf 'data\0\0\0\0\0\0\0\x1c\0\0\0\0'
        printf '\xff\xf8\xc9\x0c\0\xc1\0\x12\x34\x57\x19\x7c\xff\xf8\xc9\x0c\1\xc6\0\xed\xcb\xa9\x6c\x10'
    } >"$folder/exact-flac.caf"
    { repeated '\x57\x34\x12'; repeated '\xa9\xcb\xed'; } >"$folder/exact.samples"
    tool 0 convert exact-flac.caf exact.m4a
    tool 0 convert exact.m4a exact-alac.caf
    for name in exact-flac.caf exact.m4a exact-alac.caf; do
        tool 0 convert --force --format int24 "$name" exact.wav
        tail -c 24576 "$folder/exact.wav" | cmp -s - "$folder/exact.samples" || fail "$name: the samples have lost bits"
    done
fi

tool 0 convert --rate 22050 --channels 2 tone.wav half.wav
tool 0 info --json half.wav tone.wav
says '"file":"half.wav","type":"WAVE","rate":22050.0,"channels":2,"sample":"int16","interleaved":true,"frames":11025,'
says '"file":"tone.wav","type":"WAVE","rate":44100.0,"channels":1,'

# The bytes of a path need not be UTF-8: Latin-1, a character that is cut off, and a private character of Unicode.
for name in $'caf\xe9.wav' $'\xe2\x82.wav' $'\xf4\x8f\xbe\x81.wav' 'größe.wav'; do
    tool 0 convert tone.wav "$name"
    [ -e "$folder/$name" ] || fail "$(printf %q "$name") was not created: $(ls "$folder")"
    tool 0 info "$name"
done

# Packets after other bytes are found if the extension of the file states their type.
{
    head -c 100 /dev/zero
    for _ in 1 2 3; do printf '\xff\xfb\x90' && head -c 414 /dev/zero; done
} >"$folder/behind.mp3"
cp "$folder/behind.mp3" "$folder/behind.wav"
tool 0 info behind.mp3
says '3456 frames'
tool 1 info behind.wav
complains 'behind.wav: this is no sound file of a known type'

# Errors name the file, the reason and the remedy; a file that works is treated after one that does not.
echo 'this is text' >"$folder/text.wav"
head -c 30 "$folder/tone.wav" >"$folder/cut.wav"
tool 1 info none.wav text.wav cut.wav "$folder" tone.wav
says tone.wav
complains 'none.wav: No such file or directory'
complains 'text.wav: this is no sound file of a known type'
complains 'cut.wav: the file contradicts itself, or is cut off before its sound'
complains "$folder: this is no regular file"
tool 1 convert tone.wav half.wav
complains 'half.wav: the file exists; --force replaces it'
tool 1 convert --force tone.wav tone.wav
complains 'tone.wav: is the file that is read'
tool 1 convert tone.wav none/half.wav
complains 'none/half.wav: No such file or directory'
AUDIOTOOLBOX_CODECS=$folder tool 1 convert tone.wav tone.m4a
complains 'tone.m4a: no codec of 44100 Hz, 1 ch, aac: install audiotoolbox-codecs-ffmpeg'
expect 'a file without a codec does not stay' [ ! -e "$folder/tone.m4a" ]
echo 'an older sound' >"$folder/old.m4a"
AUDIOTOOLBOX_CODECS=$folder tool 1 convert --force tone.wav old.m4a
complains 'old.m4a: no codec of 44100 Hz, 1 ch, aac: install audiotoolbox-codecs-ffmpeg'
expect 'a file is not erased where the codec of the new one is missing' grep -q 'an older sound' "$folder/old.m4a"
tool 2 convert --format aac tone.wav tone.wav
AUDIOTOOLBOX_CODECS=$folder tool 1 doctor
says 'ok    libAudioToolbox is installed: units, queues and sound files'
says '      no decoder of Apple Lossless: install audiotoolbox-codecs-ffmpeg or audiotoolbox-codecs-sndfile'
says '      no decoder of FLAC in MPEG-4 and CAF: install audiotoolbox-codecs-ffmpeg or audiotoolbox-codecs-sndfile'
: >"$folder/complaint"

# The length of a sound without a decoder is that of its packet table: 4 packets of 160 frames, without priming and remainder.
{
    printf 'caff\0\1\0\0desc\0\0\0\0\0\0\0\x20\x40\xbf\x40\0\0\0\0\0samr\0\0\0\0\0\0\0\x20\0\0\0\xa0\0\0\0\1\0\0\0\0'
    printf 'pakt\0\0\0\0\0\0\0\x18\0\0\0\0\0\0\0\4\0\0\0\0\0\0\1\xf4\0\0\0\x64\0\0\0\x28'
    printf 'data\0\0\0\0\0\0\0\x84\0\0\0\0'
    head -c 128 /dev/zero
} >"$folder/call.caf"
tool 0 info call.caf
says '0:00.1, 500 frames'
says '128 bytes, 4 packets'
tool 0 info --json call.caf
says '"frames":500,'
if [ -e "$prefix/lib/audiotoolbox/codecs/ffmpeg.so" ]; then
    AUDIOTOOLBOX_CODECS=$folder tool 0 info copy.caf
    says 'aac'
    says '22050 frames'
fi

# The simulated machine records what play plays, sample by sample.
AUDIOSESSION_SIMULATION_WAV=$folder/played.wav tool 0 play tone.wav
says 'tone.wav: 44100 Hz, 1 ch, int16, 0:00.5'
says 'route: Speaker'
tool 0 convert --format int16 --channels 1 played.wav heard.wav
# A machine that is too slow plays silence between them.
numbers "$folder/heard.wav" 44 | awk '$1' | cmp -s - "$folder/tone.numbers" || fail 'the machine does not play the samples of the file'

# A rate that no queue has, and that no conversion starts from, is refused, and the limits are played.
number() { # value bytes: little endian
    local value=$1 bytes=$2
    for ((; bytes > 0; bytes--, value >>= 8)); do printf '%b' "\\x$(printf '%02x' $((value & 255)))"; done
}
sound_of_rate() { # rate frames
    printf RIFF
    number $((36 + 2 * $2)) 4
    printf 'WAVEfmt '
    number 16 4 && number 1 2 && number 1 2 && number "$1" 4 && number $((2 * $1)) 4 && number 2 2 && number 16 2
    printf data
    number $((2 * $2)) 4
    head -c $((2 * $2)) /dev/zero | tr '\0' '@'
}
for rate in 4000 192000; do
    sound_of_rate $rate $((rate / 10)) >"$folder/rate.wav"
    AUDIOSESSION_SIMULATION_WAV=$folder/rate-$rate.wav tool 0 play rate.wav
    says "rate.wav: $rate Hz, 1 ch, int16, 0:00.1"
    tool 0 convert --force --format int16 --channels 1 rate-$rate.wav heard.wav
    frames=$(numbers "$folder/heard.wav" 44 | awk '$1 > 15000' | wc -l)
    ((frames > 4000 && frames < 4500)) || fail "$frames frames of 0.1 s at $rate Hz are heard"
done
for rate in 3999 192001; do
    sound_of_rate $rate $((rate / 10)) >"$folder/rate.wav"
    tool 1 play rate.wav
    complains "rate.wav: $rate Hz, 1 ch, int16 cannot be played: the rate is not in 4000 to 192000 Hz"
    tool 1 convert --force --rate 44100 rate.wav heard.wav
    complains 'rate.wav: only rates of 4000 to 192000 Hz are converted to another rate'
    tool 0 convert --force --format int8 rate.wav heard.wav
done

# Standard input is a file, or a pipe that is read to its end into a file without a name.
mkdir "$folder/temporary"
export TMPDIR=$folder/temporary
AUDIOSESSION_SIMULATION_WAV=$folder/piped.wav tool 0 play - < <(cat "$folder/tone.wav")
says 'standard input: 44100 Hz, 1 ch, int16, 0:00.5'
tool 0 convert --format int16 --channels 1 - heard.aif <"$folder/piped.wav"
tool 0 convert --force --format int16 heard.aif heard.wav
numbers "$folder/heard.wav" 44 | awk '$1' | cmp -s - "$folder/tone.numbers" || fail 'the machine does not play the samples of standard input'
tool 0 info --json - < <(cat "$folder/tone.wav")
says '"file":"standard input","type":"WAVE","rate":44100.0,"channels":1,'
tool 0 info - <"$folder/tone.wav"
says '22050 frames'
tool 1 play - tone.wav </dev/null
complains 'standard input: the file contradicts itself, or is cut off before its sound'
says 'tone.wav: 44100 Hz'
TMPDIR=/no/where tool 1 info - < <(cat "$folder/tone.wav")
complains 'standard input: No such file or directory'
expect 'no temporary file stays' [ -z "$(ls "$folder/temporary")" ]
unset TMPDIR

# A buffer that the queue refuses ends the file with an error. The queue plays what it has.
stand_in refusing
PATH=$folder/refusing/bin:$PATH tool 1 play tone.wav
complains 'tone.wav: the queue refuses a buffer: kAudioQueueErr_InvalidBuffer (-66687)'
: >"$folder/complaint"

# An interruption stops the sound, and it continues; a new route is shown; a signal ends it.
for ((i = 0; i < 20; i++)); do tail -c +45 "$folder/tone.wav"; done >"$folder/much"
{ head -c 4 "$folder/tone.wav"; printf '\xff\xff\xff\x7f'; head -c 40 "$folder/tone.wav" | tail -c +9; printf '\xff\xff\xff\x7f'
    cat "$folder/much"; } >"$folder/long.wav"
start play audiosessionctl play "$folder/long.wav"
await play 'route: Speaker'
audiosessionctl simulate plug headphones
await play 'route: Headphones'
audiosessionctl interrupt begin --detach
await play interrupted
tool 1 play tone.wav
complains "tone.wav: cannot start: a call, or a session that does not mix, has the sound: kAudioSessionNotActiveError ('!act')"
tool 1 record --seconds 1 never.wav
expect 'a recording that did not start leaves no file' [ ! -e "$folder/never.wav" ]
: >"$folder/complaint"
audiosessionctl interrupt end
await play continues
kill -INT "${processes[play]}"
await play 'long.wav: stopped at'
ends play

# No file is played after an interruption that should not resume.
for life in 1 2; do
    list=list-$life
    start $list audiosessionctl play "$folder/long.wav" "$folder/tone.wav"
    await $list 'route: Headphones'
    end_without_resuming $list "$folder/long.wav"
    # Behind all lines of the ended program.
    echo ended >"$folder/$list.out"
    await $list ended
    not_printed $list tone.wav
done

# A dead server is named on standard error, once; the sound waits for it.
start waiting audiosessionctl play "$folder/long.wav"
await waiting 'route: Headphones'
audiosessionctl simulate server die
timeout "$limit" tail --follow=name --retry --bytes=+1 "$folder/waiting.errors" 2>/dev/null | grep -qm 1 . || fail 'nothing tells of the death of the server'
tool 1 play tone.wav
complains 'the sound server does not answer'
tool 1 record --seconds 1 never.wav
complains 'the sound server does not answer'
expect 'a recording without a server leaves no file' [ ! -e "$folder/never.wav" ]
audiosessionctl simulate server restart
await waiting continues
kill -INT "${processes[waiting]}"
await waiting 'long.wav: stopped at'
ends waiting
[ "$(cat "$folder/waiting.errors")" = "audiosessionctl: $folder/long.wav: the sound server has stopped; the sound waits until it is back" ] ||
    fail "standard error of play: $(cat "$folder/waiting.errors")"
: >"$folder/waiting.errors"

# The sound that is still played after the return of the last buffer waits for the server too, is heard to its end, and ends.
stand_in dying
for life in 1 2; do
    dying=dying-$life
    AUDIOSESSION_SIMULATION_WAV=$folder/$dying.wav start $dying "$folder/dying/bin/audiosessionctl" play "$folder/tone.wav"
    timeout "$limit" tail --follow=name --retry --bytes=+1 "$folder/$dying.errors" 2>/dev/null | grep -qm 1 . ||
        fail 'nothing tells of the death of the server'
    audiosessionctl simulate server restart
    await $dying continues
    ends $dying
    reason='the sound server has stopped; the sound waits until it is back'
    [ "$(cat "$folder/$dying.errors")" = "audiosessionctl: $folder/tone.wav: $reason" ] || fail "play: $(cat "$folder/$dying.errors")"
    : >"$folder/$dying.errors"
    tool 0 convert --force --format int16 --channels 1 $dying.wav heard.wav
    frames=$(numbers "$folder/heard.wav" 44 | awk '$1' | wc -l)
    # Without what the server had in its buffers when it died.
    ((frames > samples + 3 * 44100 - 4410)) || fail "$frames frames are heard of half a second and of three seconds behind it"
done

# Without a device nothing begins.
audiosessionctl simulate unplug microphone
tool 1 record --seconds 1 never.wav
complains 'there is no device that records; audiosessionctl doctor says why'
audiosessionctl simulate plug microphone
for port in headphones speaker receiver; do audiosessionctl simulate unplug $port; done
tool 1 play tone.wav
complains 'there is no device that plays; audiosessionctl doctor says why'
for port in receiver speaker headphones; do audiosessionctl simulate plug $port; done
: >"$folder/complaint"

# Recording: the simulated microphone plays the tone.
export AUDIOSESSION_SIMULATION_MICROPHONE=$folder/tone.wav
tool 0 record --seconds 0.25 --channels 1 memo.aif
says 'memo.aif: 0:00.3, 11025 frames'
tool 0 convert memo.aif memo.wav
halves=$(half_waves "$folder/memo.wav" 44 11025)
expect "a quarter of a second of 441 Hz: $halves half-waves" eval "[ $halves -ge 150 ] && [ $halves -le 222 ]"
start record audiosessionctl record --format ulaw "$folder/memo.au"
await record 'route: MicrophoneBuiltIn'
kill -TERM "${processes[record]}"
await record 'memo.au: .* frames'
ends record

# A recording that fails keeps the sound that it has.
for life in 1 2; do
    cut=cut-$life
    start $cut audiosessionctl record "$folder/$cut.aif"
    await $cut 'route: MicrophoneBuiltIn'
    # The header is shorter.
    bytes=$(timeout "$limit" tail --follow --bytes=+1 "$folder/$cut.aif" 2>/dev/null | head -c 1001 | wc -c)
    expect 'a recording writes its sound' [ "$bytes" = 1001 ]
    end_without_resuming $cut "$folder/$cut.aif"
    tool 0 info "$cut.aif"
    await $cut "$cut.aif: .* frames"
    ! grep -q ', 0 frames' "$folder/said" || fail 'the recording has lost its sound'
done

# A file that cannot be written ends the recording with the first error. It stays if it has sound.
stand_in unwritable
for refused in '1 -' '2 -' '1 close' '2 close' '- close'; do
    write=${refused% *} close=${refused#* }
    REFUSED_WRITE=${write/-/0} REFUSED_CLOSE=${close/-/} PATH=$folder/unwritable/bin:$PATH \
        tool 1 record --seconds 0.5 refused.aif
    reason='the file may not be opened or written'
    [ "$write" != - ] || reason='a chunk of the file is damaged'
    complains "refused.aif: $reason"
    if [ "$write" = 1 ]; then
        expect 'a recording without sound leaves no file' [ ! -e "$folder/refused.aif" ]
        continue
    fi
    says 'refused.aif: 0:00.'
    tool 0 info refused.aif
    ! grep -q ', 0 frames' "$folder/said" || fail 'the recording has lost its sound'
    rm "$folder/refused.aif"
done
rm -f "$folder/complaint"
