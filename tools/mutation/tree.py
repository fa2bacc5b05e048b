# SPDX-License-Identifier: Apache-2.0
"""The files of the project, and a copy of them in which mutations are built and tested. The checkout stays as it is."""

import contextlib, fcntl, functools, os, shutil, subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class ListError(Exception):
    """A list of mutations, the tree or the machine is wrong. No mutation is judged by it."""


@functools.lru_cache(maxsize=None)
def tracked_files():
    out = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    return [name for name in os.fsdecode(out).split("\0") if name and os.path.lexists(os.path.join(ROOT, name))]


@functools.lru_cache(maxsize=None)
def paths_that_end_with(suffix):
    return [name for name in tracked_files() if name == suffix or name.endswith("/" + suffix)]


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def same_content(a, b):
    if os.path.islink(a) or os.path.islink(b):
        return os.path.islink(a) and os.path.islink(b) and os.readlink(a) == os.readlink(b)
    if not os.path.isfile(b) or os.path.getsize(a) != os.path.getsize(b):
        return False
    with open(a, "rb") as first, open(b, "rb") as second:
        return first.read() == second.read()


def copy_to(tree):
    """Only files that differ are written, so that the next build has little to do."""
    os.makedirs(tree, exist_ok=True)
    wanted = set(tracked_files())
    for name in wanted:
        source, target = os.path.join(ROOT, name), os.path.join(tree, name)
        if same_content(source, target):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.lexists(target):
            os.unlink(target)
        shutil.copy(source, target, follow_symlinks=False)
    for folder, folders, names in os.walk(tree):
        folders[:] = [name for name in folders if name != ".build" or folder != tree]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.relpath(path, tree) not in wanted:
                os.unlink(path)


@contextlib.contextmanager
def lock(folder):
    """Two runs at a time spoil each other's copy in the folder: the second one is an error."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ListError("another run is under way: wait for its end, or end it") from None
        yield


def normalised(text):
    """The characters without white space, and the position of each in the text. One space stays between two words."""
    kept, positions = [], []
    for index, character in enumerate(text):
        if character.isspace():
            continue
        separate = kept and index - positions[-1] > 1 and is_word(kept[-1]) and is_word(character)
        if separate:
            kept.append(" ")
            positions.append(index - 1)
        kept.append(character)
        positions.append(index)
    return "".join(kept), positions


def is_word(character):
    return character.isalnum() or character == "_"
