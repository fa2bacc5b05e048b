# SPDX-License-Identifier: Apache-2.0
# An MP3 stream: parsed, and played by a queue.
if has audiotoolbox && has libmpg123 && has libavcodec; then
    build streams streams.c -- $(flags audiotoolbox libmpg123 libavcodec libavutil alsa)
else
    note_missing parsing 'a library to compare with' 'libmpg123-dev libavcodec-dev'
fi

run_streams() { [ ! -x "$out/streams" ] || simulated "$out/streams" 5 5 2>"$out/streams.log"; }
