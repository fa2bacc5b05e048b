# SPDX-License-Identifier: Apache-2.0
"""How the tests of the project are built and run in a copy of the tree."""

import functools, glob, os, re

from .tree import ROOT, ListError, read_text, tracked_files

STAGE = ".build/embedded/stage"
# What is built in a sixth of the time, and again after one change in a fortieth: ordinary Swift. These programs test what only the
# Embedded build has: audio threads without a system call, a module that is loaded once, a fork at any time.
UNOPTIMIZED = ("LINK=static-stdlib", "STATIC_OPTIMIZATION=-Onone")
UNOPTIMIZED_STAGE = ".build/static-stdlib/stage"
EMBEDDED_ONLY = "audiothreads fork pulledthread voicemodule"
# The codec modules of the checkout are for tests in Swift. Programs use those of their prefix, which may have a mutation.
OWN_CODECS = ("env", "--unset=AUDIOTOOLBOX_CODECS")
# Of the test targets in turn: what they have in common is built once.
PACKAGE = ".build/package"
# The kinds of tests that are programs in C or Objective-C.
PROGRAMS = {
    "conformance": "Tests/Programs/Conformance",
    "toolbox": "Tests/Programs/ToolboxConformance",
    "plugin": "Tests/Programs/Plugin",
    "objc": "Tests/Programs/ObjectiveC",
    "servers": "Tests/Programs/Servers",
    "examples": "Tests/Programs/Examples",
}
# Seconds.
BUILD_LIMIT = 1800


def swift_commands(targets, filters, package=PACKAGE):
    """For test targets of Package.swift, in a package of these and what they need. No debugger reads what is built."""
    there = ["--package-path", package]
    swift_build = ["swift", "build", "--build-tests", "-debug-info-format", "none", *there]
    build = [["tools/reduced-package", package, *targets], swift_build]
    return build, ["swift", "test", "--skip-build", *there, *(word for name in filters for word in ("--filter", name))]


def commands(test):
    """How a test is built, and how it is run."""
    kind, _, argument = test.partition(" ")
    if kind == "swift" and argument:
        targets = [os.path.basename(folder) for folder in folders_of_test(test)]
        if not targets:
            raise ListError(f"no test target is named as '{test}' begins")
        suite = re.match(r"\^?\w+(?:\.(\w+).*)?$", argument)
        if not suite or (suite[1] and not has_suite(targets, suite[1])):
            raise ListError(f"'{test}' names no suite of {' '.join(targets)}: the form is TARGET or TARGET.SUITE")
        return swift_commands(targets, [argument])
    if kind == "make" and argument:
        return [], ["make", "--no-print-directory", *argument.split()]
    staged = ["make", "--no-print-directory", "stage"]
    if kind in PROGRAMS:
        programs = argument or "*"
        runner = [f"{PROGRAMS[kind]}/run.sh", STAGE, programs]
        # A check of the runner itself, with all compilers.
        if test == "conformance headers":
            return [staged], runner
        if not glob.glob(os.path.join(ROOT, PROGRAMS[kind], "programs", programs + ".[cm]")):
            raise ListError(f"'{test}' names no program of {PROGRAMS[kind]}")
        return [staged], [*OWN_CODECS, "WAYS=gcc", *runner]
    if kind == "faults":
        step = [f"STEP={argument}"] if argument else []
        return [["make", "--no-print-directory", "faults"]], ["make", "--no-print-directory", "check-faults", *step]
    raise ListError(f"the test is not known: {test}")


def unoptimized_commands(kind):
    """The programs of a kind with the libraries that are built fastest."""
    build = ["make", "--no-print-directory", *UNOPTIMIZED, "stage"]
    return [build], [*OWN_CODECS, "WAYS=gcc", f"EXCEPT={EMBEDDED_ONLY}", f"{PROGRAMS[kind]}/run.sh", UNOPTIMIZED_STAGE]


def has_suite(targets, name):
    folders = [folder for folder in folders_of_tests() if os.path.basename(folder) in targets]
    sources = [path for folder in folders for path in glob.glob(os.path.join(ROOT, folder, "*.swift"))]
    declaration = re.compile(rf"\b(struct|class|enum) {name}")
    return any(declaration.search(read_text(path)) for path in sources)


@functools.lru_cache(maxsize=None)
def folders_of_tests():
    """The folders of test targets: each has the name of its target."""
    return sorted({os.path.dirname(name) for name in tracked_files() if re.match(r"Tests/(.*/)?\w+Tests/\w+\.swift$", name)})


def folders_of_test(test):
    kind, _, argument = test.partition(" ")
    known = {"faults": ["Tests/Programs/FaultInjection"], **{name: [folder] for name, folder in PROGRAMS.items()}}
    if kind == "swift":
        return [folder for folder in folders_of_tests() if re.match(r"\^?" + os.path.basename(folder) + r"\b", argument)]
    return known.get(kind, ["Tests"])


def tail(path, lines=15):
    with open(path, errors="replace") as file:
        return "".join("    " + line for line in file.readlines()[-lines:])


def first_failure(log):
    with open(log, errors="replace") as file:
        for line in file:
            if re.match(r"\s*(✘ Test|✘ Suite|not ok|.*recorded an issue|.*: error:)", line):
                return line.strip()[:160]
    return "no line of the log names the test"


def ran_tests(log):
    """Whether a log of swift test names at least one test that ran."""
    with open(log, errors="replace") as file:
        return bool(re.search(r"Test run with [1-9]\d* tests?", file.read()))
