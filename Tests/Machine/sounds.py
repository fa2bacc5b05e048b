#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""sounds.py FOLDER: writes the sounds that the tests play. The emulated processor would need a minute for it."""

import math, os, struct, sys, wave

RATE = 48000


def write(name, frames):
    with wave.open(os.path.join(sys.argv[1], name), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(frames))


def tone(frequency, seconds):
    step = 2 * math.pi * frequency / RATE
    # No frame is digital silence.
    levels = (int(16000 * math.sin(step * index)) or 1 for index in range(RATE * seconds))
    write(f"tone-{frequency}-{seconds}.wav", (struct.pack("<hh", level, level) for level in levels))


def numbered(seconds):
    """Frames with their numbers, as order.c reads them."""
    numbers = range(RATE * seconds)
    write(f"numbered-{seconds}.wav", (struct.pack("<hh", number % 30000 + 1, number // 30000 + 1) for number in numbers))


for frequency, seconds in (1000, 4), (3000, 1), (1000, 8):
    tone(frequency, seconds)
for seconds in 6, 2:
    numbered(seconds)
