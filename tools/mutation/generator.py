# SPDX-License-Identifier: Apache-2.0
"""The mutations of a file, and the sample of those of all modules."""

import dataclasses, hashlib, itertools, os, re

from .operators import OPERATORS
from .text import HIDDEN, read
from .tree import normalised, read_text

# What a line of a body declares is not mutated. A row of a table begins with a string.
NOT_MUTATED = re.compile(
    r"\s*(?:@\w|(?:(?:public|package|private|fileprivate|internal|static|final|mutating|override|nonisolated|indirect) )*"
    r"(?:func|struct|class|enum|extension|protocol|typealias|import|associatedtype|subscript|init\b|deinit\b))"
    rf'|\s*[\[({{]*(?:\.init\()?(?:\w+: )?#*"(?:{HIDDEN}|")'
)


@dataclasses.dataclass
class Mutant:
    module: str
    path: str
    operator: str
    line: int
    start: int
    end: int
    replacement: str
    # The lines that it changes, before and after.
    old: str
    new: str
    identity: str = ""

    def apply(self, text):
        return text[: self.start] + self.replacement + text[self.end :]

    @property
    def where(self):
        return f"{self.operator} {self.path}:{self.line}"

    @property
    def diff(self):
        old, new = self.old.split("\n"), [line for line in self.new.split("\n") if line.strip()]
        same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(old, new)))
        lines = [f"--- {self.path}:{self.line} ({self.operator})", *(" " + line for line in old[:same])]
        return "\n".join(lines + ["-" + line for line in old[same:]] + ["+" + line for line in new[same:]])


def lines_around(text, start, end):
    """The first position of the first line, and the end of the last one."""
    last = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if last < 0 else last


def mutants_of_text(text, path, module=""):
    """All mutations of a file, in the order of their positions."""
    source = read(text, path.endswith(".swift"))
    found, names = {}, {}
    for operator, edits in OPERATORS.items():
        for start, end, replacement in edits(source):
            first, last = lines_around(text, start, end)
            is_inserted = start == end
            if not is_inserted and (not source.is_in_body[start] or NOT_MUTATED.match(source.code[first:last])):
                continue
            changed = text[first:start] + replacement + text[end:last]
            old, new = text[first:last], changed
            if normalised(old)[0] != normalised(new)[0]:
                line = text.count("\n", 0, first) + 1
                mutant = Mutant(module, path, operator, line, start, end, replacement, old, new)
                # Two operators that make the same change are one mutation.
                found.setdefault((start, end, replacement), mutant)
    ordered = sorted(found.values(), key=lambda mutant: (mutant.start, mutant.end, mutant.replacement))
    for mutant in ordered:
        # A mutation keeps its name while other lines of the file change. Equal lines are counted.
        key = (path, mutant.operator, *equivalence(mutant.old, mutant.new))
        names[key] = names.get(key, 0) + 1
        mutant.identity = digest(*key, str(names[key]))
    return ordered


def equivalence(old, new):
    return normalised(old)[0], normalised(new)[0]


def digest(*words):
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


@dataclasses.dataclass
class Module:
    name: str
    files: list
    root: str

    def texts(self):
        for path in self.files:
            yield path, read_text(os.path.join(self.root, path))

    def lines(self):
        """The number of lines with code."""
        return sum(
            bool(line.strip()) for path, text in self.texts() for line in read(text, path.endswith(".swift")).code.split("\n")
        )

    def mutants(self):
        return [mutant for path, text in self.texts() for mutant in mutants_of_text(text, path, self.name)]


def quotas(weights, count):
    """Parts of the count in proportion to the weights, by largest remainder. The order of the names decides between equal ones."""
    total = sum(weights.values())
    if not total:
        return {name: 0 for name in weights}
    exact = {name: count * weight / total for name, weight in weights.items()}
    parts = {name: int(value) for name, value in exact.items()}
    for name in sorted(exact, key=lambda name: parts[name] - exact[name])[: count - sum(parts.values())]:
        parts[name] += 1
    return parts


def ranked(mutants, seed):
    """In an order that only the seed and the mutations themselves determine. The operators alternate, so that the operator that fits
    most lines has no more of a sample than others."""
    by_operator = {}
    for mutant in sorted(mutants, key=lambda mutant: digest(seed, mutant.identity)):
        by_operator.setdefault(mutant.operator, []).append(mutant)
    placed = [(place, digest(seed, mutant.identity), mutant) for found in by_operator.values() for place, mutant in enumerate(found)]
    return [mutant for _, _, mutant in sorted(placed, key=lambda item: item[:2])]


def sample(modules, count, seed):
    """The same for the same sources, count and seed. Each module has a part in proportion to its lines of code."""
    parts = quotas({module.name: module.lines() for module in modules}, count)
    chosen = [module for module in modules if parts[module.name]]
    return [mutant for module in chosen for mutant in ranked(module.mutants(), str(seed))[: parts[module.name]]]
