# SPDX-License-Identifier: Apache-2.0
# Formats, rates and files by libAudioToolbox, beside the libraries that others use for them.
if has audiotoolbox && has libswresample && has speexdsp && has soxr; then
    build conversion conversion.c -- $(flags audiotoolbox libswresample libavutil speexdsp soxr)
else
    note_missing pcm 'a library to compare with' 'libswresample-dev libspeexdsp-dev libsoxr-dev'
fi
if has audiotoolbox && has libavformat && has sndfile; then
    build soundfiles soundfiles.c -- $(flags audiotoolbox libavformat libavcodec libavutil sndfile)
else
    note_missing soundfiles 'a library to compare with' 'libavformat-dev libsndfile1-dev'
fi
if has audiotoolbox; then build filerates filerates.c -- $(flags audiotoolbox); fi
for program in ffmpeg sox; do
    command -v "$program" >/dev/null || note_missing file-rate "$program" "$program"
done

run_media() {
    [ ! -x "$out/conversion" ] || simulated "$out/conversion" 50 2>"$out/conversion.log"
    [ ! -x "$out/soundfiles" ] || simulated "$out/soundfiles" 8 "$place" 2>"$out/soundfiles.log"
    [ ! -x "$out/filerates" ] || "$out/filerates" "$place"
}
