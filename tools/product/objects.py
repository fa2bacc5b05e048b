# SPDX-License-Identifier: Apache-2.0
"""objects.py CLANG FOLDER [FLAG...]: reads lines of a symbol and the objects that define it from the standard input, and prints
the symbols that have another content in one of the objects than in the first. An object that is bitcode is compiled by CLANG
with the flags, into FOLDER."""

import collections, functools, os, re, subprocess, sys

clang, folder, *flags = sys.argv[1:]
SYMBOL = re.compile(r"^([0-9a-f]+) .{7} (\S+)\t([0-9a-f]+) (?:.* )?(\S+)$")
SECTION = re.compile(r"^(?:Contents of section (.+)|RELOCATION RECORDS FOR \[(.+)\]):$")
# Four words of four bytes.
BYTES = re.compile(r"^ ([0-9a-f]+) ([0-9a-f ]{35})  ")
RELOCATION = re.compile(r"^([0-9a-f]+) (\S+) +(\S+)$")


def native(path):
    """The object in machine code."""
    with open(path, "rb") as file:
        if file.read(2) != b"BC":
            return path
    compiled = os.path.join(folder, path.replace("/", "_"))
    subprocess.run([clang, *flags, "-Wno-override-module", "-x", "ir", "-O0", "-fPIC", "-c", path, "-o", compiled], check=True)
    return compiled


@functools.cache
def read(path):
    """The place of each symbol of an object, and the bytes and the relocations of each section, by their address."""
    listing = subprocess.run(["objdump", "-t", "-s", "-r", native(path)], check=True, stdout=subprocess.PIPE, text=True).stdout
    symbols, sections, section = {}, collections.defaultdict(list), None
    for line in listing.splitlines():
        if found := SECTION.match(line):
            section = found[1] or found[2]
        elif section is None:
            if found := SYMBOL.match(line):
                symbols.setdefault(found[4], (found[2], int(found[1], 16), int(found[3], 16)))
        elif found := BYTES.match(line):
            data = bytes.fromhex(found[2])
            sections[section] += [(int(found[1], 16) + i, byte) for i, byte in enumerate(data)]
        elif found := RELOCATION.match(line):
            sections[section].append((int(found[1], 16), (found[2], found[3])))
    return symbols, sections


def content(path, symbol):
    """The bytes and the relocations of a symbol, without addresses, which differ between objects."""
    symbols, sections = read(path)
    if symbol not in symbols:
        return None
    section, start, size = symbols[symbol]
    return [(address - start, what) for address, what in sections[section] if start <= address < start + size]


mixed = set()
for line in sys.stdin:
    symbol, first, *others = line.split()
    # The first array of a function has no number.
    for name in (symbol, re.sub(r"Tv\d*_r$", "Tv_r", symbol)):
        if any(content(first, name) != content(other, name) for other in others):
            mixed.add(name)
print("\n".join(sorted(mixed)), end="\n" if mixed else "")
