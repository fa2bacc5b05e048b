# SPDX-License-Identifier: Apache-2.0
"""The list of mutations that no test can notice. A block of lines names each, by the end of its path, its operator and its lines
before and after, without regard to white space:

    file: File.swift or Folder/File.swift
    operator: relational
    old: the line, or several: a line without a key continues it
    new: what the mutation makes of it; empty where it removes it
    reason: why no test can notice it
"""

import os, re

from .generator import equivalence
from .tree import ROOT, ListError, read_text

PATH = "Tests/Mutants/Score/equivalent.txt"
KEYS = ("file", "operator", "old", "new", "reason")


def read_equivalents():
    path = os.path.join(ROOT, PATH)
    if not os.path.exists(path):
        return []
    entries, entry, key = [], {}, None
    for number, line in enumerate(read_text(path).split("\n") + [""], 1):
        match = re.match(rf"({'|'.join(KEYS)}):(?: (.*))?$", line)
        if line.startswith("#"):
            continue
        if not line.strip():
            if entry:
                missing = [key for key in KEYS if key not in entry or (key != "new" and not entry[key].strip())]
                if missing:
                    raise ListError(f"{PATH}:{entry['line']}: the line {missing[0]}: is missing")
                entries.append(entry)
            entry, key = {}, None
        elif match and match[1] not in entry:
            key = match[1]
            entry.setdefault("line", number)
            entry[key] = match[2] or ""
        elif key in ("old", "new"):
            entry[key] += "\n" + line
        else:
            raise ListError(f"{PATH}:{number}: expected one of {', '.join(KEYS)}")
    return entries


def fits(entry, mutant):
    ends = mutant.path == entry["file"] or mutant.path.endswith("/" + entry["file"])
    if not ends or mutant.operator != entry["operator"]:
        return False
    return equivalence(mutant.old, mutant.new) == equivalence(entry["old"], entry["new"])


def reason_of(mutant, entries):
    """Why no test can notice the mutation, or None."""
    return next((entry["reason"] for entry in entries if fits(entry, mutant)), None)


def check(entries, modules):
    """The entries that no mutation of the sources fits."""
    mutants = [mutant for module in modules for mutant in module.mutants()] if entries else []
    return [entry for entry in entries if not any(fits(entry, mutant) for mutant in mutants)]
