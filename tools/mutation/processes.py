# SPDX-License-Identifier: Apache-2.0
"""Commands with limits, which leave no process behind."""

import ctypes, dataclasses, os, resource, signal, subprocess, threading, time

PR_SET_CHILD_SUBREAPER = 36


@dataclasses.dataclass
class Ended:
    """How a command has ended. The status is None where it had not ended within the limit, and negative where a signal ended
    it. The peak is the largest resident memory of one of its processes, in bytes."""

    status: int | None
    seconds: float
    peak: int


def run(command, folder, log, limit, memory=None):
    """Runs a command in a folder, appends its output to a file, and ends it after a number of seconds. Each of its processes has
    at most this much memory, in bytes. All its descendants end with it, also when this program is interrupted."""
    adopt_orphans()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE") and key != "MFLAGS"}
    limit_memory = (lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))) if memory else None
    start, overdue = time.monotonic(), threading.Event()
    with open(log, "ab") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment,
            start_new_session=True, preexec_fn=limit_memory,
        )

    def end():
        overdue.set()
        kill(process.pid)

    timer = threading.Timer(limit, end)
    timer.start()
    try:
        # Orphans are collected as they end: others may wait until no process has their number. Popen would not say how much
        # memory the command had.
        ended = None
        while ended != process.pid:
            ended, status, usage = os.wait4(-1, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        timer.cancel()
        end_descendants()
    return Ended(None if overdue.is_set() else process.returncode, time.monotonic() - start, usage.ru_maxrss * 1024)


def adopt_orphans():
    """Processes whose parent has ended become children of this one. SwiftPM starts processes in groups of their own."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def descendants():
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
    found, level = [], [os.getpid()]
    while level:
        level = [process for process, parent in parents.items() if parent in level]
        found += level
    return found


def end_descendants():
    """Each round collects one child. The children of a process that has ended are among those of the next round."""
    while found := descendants():
        for process in found:
            kill(process)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
