# SPDX-License-Identifier: Apache-2.0
"""Why a part of the gate failed, and what to do. The advice comes from facts: the status of the command that failed, the last
error that make or a shell printed, the file systems, and the programs that are missing. The rest of a log proves nothing: the
same words may be the name of a test."""

import errno, os, re, shutil, signal, tempfile

# A build needs more than this many bytes.
FREE_SPACE = 64 << 20
PROBE = 1 << 20
# The status of tools/limited when it has ended a command.
TOO_LONG = 124
NOT_FOUND = 127
FAILED_MAKE = 2

OF_MAKE = re.compile(r"g?make(\[\d+\])?: ")
# "make[1]: *** [FILE:LINE: TARGET] Error 127", or the name of a signal in place of "Error 127".
ERROR_OF_MAKE = re.compile(OF_MAKE.pattern + r"\*\*\* \[.*\] (?:\D*(?P<status>\d+)|(?P<signal>\D+))")
# What make, shells, env and tools/limited print when a program is missing.
MISSING = [
    re.compile(OF_MAKE.pattern + r"(?P<program>\S+): No such file or directory"),
    re.compile(r"[^\s:]+: (line )?\d+: (?P<program>\S+): (command )?not found"),
    re.compile(r"\S*env: \W?(?P<program>[\w./+-]+)\W?: No such file or directory"),
    re.compile(r"limited: (?P<program>\S+): not found"),
]
SIGNALS = {signal.strsignal(number): number for number in signal.valid_signals()}
# The other signals that end a program are errors of its own.
FROM_OUTSIDE = {signal.SIGHUP: "HUP", signal.SIGINT: "INT", signal.SIGKILL: "KILL", signal.SIGTERM: "TERM"}


def full_disk(*folders):
    """The file system of the first of the folders that takes no more data."""
    return next((mount_point(folder) for folder in folders if takes_no_data(folder)), None)


def takes_no_data(folder):
    """It has no space, no inode, or the quota of the user is used up."""
    try:
        system = os.statvfs(folder)
        if system.f_bavail * system.f_frsize < FREE_SPACE:
            return True
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, PROBE)
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return False


def mount_point(folder):
    folder = os.path.realpath(folder)
    while not os.path.ismount(folder):
        folder = os.path.dirname(folder)
    return folder


def last_error(status, lines):
    """The status of the command that failed, and the last lines of its log. make ends with a status of its own; it prints the
    status of its command last, and an outer make prints its error behind that of an inner one."""
    start = len(lines)
    while start > 0 and OF_MAKE.match(lines[start - 1]):
        start -= 1
    if status == FAILED_MAKE:
        for match in filter(None, map(ERROR_OF_MAKE.match, lines[start:])):
            number = SIGNALS.get((match["signal"] or "").removesuffix(" (core dumped)"))
            status = int(match["status"]) if match["status"] else 128 + number if number else status
            break
    return status, lines[max(start - 1, 0) :]


def missing_program(lines):
    for line in lines:
        for match in filter(None, (pattern.fullmatch(line) for pattern in MISSING)):
            if not shutil.which(match["program"]):
                return match["program"]
    return None


def advise(target, status, lines, disk):
    """For a target of make with that status and log. disk: the file system that was full when the command ended, or None."""
    status, error = last_error(status, lines)
    again = f"make {target}"
    if disk:
        return f"a disk is full ({disk}): free some space, then: {again}"
    if status == NOT_FOUND and (program := missing_program(error)):
        return f"the tool {program} is missing: make deps installs what is known to be needed, then: {again}"
    if status == TOO_LONG:
        return f"it did not end: its log above shows what its processes wait for; run it again: {again}"
    if status - 128 in FROM_OUTSIDE:
        name = FROM_OUTSIDE[status - 128]
        return f"it was ended from outside ({name}): check that memory suffices and that no other program ends it, then: {again}"
    return f"the reason is in its log above; run it again: {again}"
