# SPDX-License-Identifier: Apache-2.0
"""The modules of the project, and the tests that execute each, by Package.swift."""

import dataclasses, functools, hashlib, importlib.machinery, importlib.util, os

from . import tests
from .generator import Module
from .tree import ROOT, tracked_files

ENDINGS = (".swift", ".c", ".h")
# make builds them: SwiftPM knows no target for them.
PLUGINS = "Sources/Plugins"
# The modules whose rules programs in C test, with the kinds of these programs.
FACES = {
    "CAudioSessionServices": ("conformance",),
    "AudioSessionServices": ("conformance",),
    "EngineInterface": ("toolbox", "plugin", "objc"),
    "AudioToolboxServices": ("toolbox",),
    "Plugins/ALSA": ("plugin",),
    "Plugins/Codecs": ("toolbox",),
    "Plugins/Servers": ("servers",),
}
# What the programs of each kind execute: these modules and all that they depend on.
EXECUTED = {
    "conformance": ("AudioSessionServices",),
    "toolbox": ("AudioSessionServices", "AudioToolboxServices", "Plugins/Codecs"),
    "plugin": ("AudioSessionServices", "Plugins/ALSA"),
    "objc": ("AudioSessionServices", "AudioToolboxServices", "Plugins/Codecs"),
    "servers": ("CServerModules", "Plugins/Servers"),
    "examples": ("AudioSessionServices", "AudioToolboxServices", "audiosessionctl"),
}
# A package with all test targets.
COMPLETE = ".build/complete"
# The fitting tests of a module without a test target of its own: so many of those that need least.
MOST_FITTING = 2
# What every result depends on, and what those of programs do beside the folder of these.
ALWAYS_JUDGED = ("Package.swift",)
PROGRAMS_JUDGED = (
    *("Makefile", "make/", "Sources/", "include/", "abi/", "Examples/", "Tests/Support/"),
    tests.PROGRAMS["conformance"] + "/",
)


@dataclasses.dataclass
class Step:
    """A test, or several that run together. Its results are valid for the judged files: names, or the beginnings of names. Its limit
    comes from the baseline: a run of at least these tests."""

    name: str
    builds: list
    command: list
    judged: tuple
    baseline: "Step | None" = None

    @property
    def revision(self):
        return revision(self.judged)


@functools.lru_cache(maxsize=None)
def manifest():
    """tools/modules, which is a program."""
    loader = importlib.machinery.SourceFileLoader("modules", os.path.join(ROOT, "tools", "modules"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("modules", loader))
    loader.exec_module(module)
    return module


@functools.lru_cache(maxsize=None)
def targets():
    return manifest().targets()


def needed_by(*names):
    known = targets()
    return manifest().needed_by([name for name in names if name in known], known)


def modules():
    """All modules of Sources in the order of Package.swift, then the plug-ins."""
    folders = {name: target["path"] for name, target in targets().items() if target["path"].startswith("Sources/")}
    for path in sorted({"/".join(name.split("/")[:3]) for name in tracked_files() if name.startswith(PLUGINS + "/")}):
        folders[path.removeprefix("Sources/")] = path
    for name, folder in folders.items():
        files = sorted(path for path in tracked_files() if path.startswith(folder + "/") and path.endswith(ENDINGS))
        if files:
            yield Module(name, files, ROOT)


def readers(path):
    """The Swift files that include this file of a target of headers. SwiftPM does not compile them again when the file changes."""
    names = [name for name, target in targets().items() if target["type"] == "system" and path.startswith(target["path"] + "/")]
    found = tuple(target["path"] + "/" for name, target in targets().items() if {*names} & {*needed_by(name)})
    return [file for file in tracked_files() if found and file.startswith(found) and file.endswith(".swift")]


def tests_that_execute(module):
    return [name for name, target in targets().items() if target["type"] == "test" and module in needed_by(name)]


def fitting_tests(module):
    """The test target with the name of the module; without it those whose way to the module is shortest, and that need least."""
    found = tests_that_execute(module)
    own = [name for name in (f"{module}Tests", f"{module.removeprefix('C')}Tests") if name in found]
    if own:
        return own[:1]
    level = [module]
    while level:
        level = [name for name, target in targets().items() if set(manifest().dependencies(target)) & set(level)]
        if nearest := [name for name in level if name in found]:
            return sorted(nearest, key=lambda name: len(needed_by(name)))[:MOST_FITTING]
    return []


def swift_step(names, package, baseline=None):
    builds, command = tests.swift_commands(names, [f"^{name}\\." for name in names], package)
    return Step("swift " + " ".join(names), builds, command, folders(names), baseline)


def folders(names):
    """Those of test targets and of all that they need."""
    return tuple(sorted(targets()[name]["path"] + "/" for name in {*names, *needed_by(*names)}))


def program_step(kind):
    return Step(kind, *tests.unoptimized_commands(kind), (*PROGRAMS_JUDGED, tests.PROGRAMS[kind] + "/"))


@functools.lru_cache(maxsize=None)
def steps(module):
    """The fitting tests, and all other tests that execute the module."""
    fitting, found = fitting_tests(module), tests_that_execute(module)
    first = [swift_step(fitting, tests.PACKAGE)] if fitting else []
    first += [program_step(kind) for kind in FACES.get(module, ())]
    others = []
    if rest := [name for name in found if name not in fitting]:
        complete = swift_step([name for name, target in targets().items() if target["type"] == "test"], COMPLETE)
        selected = tests.swift_commands([], [f"^{name}\\." for name in rest], COMPLETE)[1]
        others.append(Step("other Swift tests", complete.builds, selected, folders(rest), complete))
    for kind, executed in EXECUTED.items():
        if kind not in FACES.get(module, ()) and (module in needed_by(*executed) or module in executed):
            others.append(program_step(kind))
    return first, others


@functools.lru_cache(maxsize=None)
def revision(judged):
    """Of the files whose names begin so."""
    state = hashlib.sha256()
    for name in sorted(tracked_files()):
        if name.startswith((*ALWAYS_JUDGED, *judged)):
            state.update(name.encode() + b"\0" + content(name))
    return state.hexdigest()[:16]


@functools.lru_cache(maxsize=None)
def content(name):
    path = os.path.join(ROOT, name)
    if not os.path.isfile(path):
        return b""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).digest()
