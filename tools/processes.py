# SPDX-License-Identifier: Apache-2.0
"""What the descendants of a process wait for, and their end."""

import os, select, shutil, signal, subprocess, time

# Programs that wait for other programs: their stacks say nothing.
WAIT_FOR_OTHERS = {"bash", "sh", "make", "xargs", "timeout", "python3"}


def read(process, name):
    with open(f"/proc/{process}/{name}", encoding="utf-8", errors="replace") as file:
        return file.read()


def fields(process):
    """The fields of its stat file behind its name: state, parent and so on. The name may contain brackets and spaces."""
    return read(process, "stat").rpartition(")")[2].split()


def descendants(root):
    """The descendants of a process, by their numbers."""
    children = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            children.setdefault(int(fields(process)[1]), []).append(int(process))
        except OSError:
            # It has ended meanwhile.
            continue
    found, parents = [], [root]
    while parents:
        of_parent = children.get(parents.pop(), [])
        found += of_parent
        parents += of_parent
    return sorted(found)


def send(number, processes):
    for process in processes:
        try:
            os.kill(process, number)
        except OSError:
            # It has ended, or belongs to another user.
            continue


def ends_within(process, seconds):
    """Whether a process ends within that time."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], max(seconds, 0))[0])
    finally:
        os.close(descriptor)


def stop(root):
    """Stops the descendants of a process, also those that are made meanwhile, and returns them. A shell whose command is killed
    goes on with the next one, and may end without a failure: a stopped shell does not."""
    stopped = None
    while (found := descendants(root)) != stopped:
        stopped = found
        send(signal.SIGSTOP, stopped)
    return stopped


def end(root, seconds):
    """Ends the descendants of a process: with SIGTERM, and with SIGKILL those that are still there after that time. A program
    may ignore SIGTERM, as the tests of Swift do."""
    stopped = stop(root)
    send(signal.SIGTERM, stopped)
    send(signal.SIGCONT, stopped)
    deadline = time.monotonic() + seconds
    left = [process for process in stopped if not ends_within(process, deadline - time.monotonic())]
    send(signal.SIGKILL, {*left, *stop(root)})


def describe(process):
    """What a process waits for: a line, and the stacks of its threads where gdb is installed."""
    try:
        state, parent = fields(process)[:2]
        arguments = read(process, "cmdline").replace("\0", " ").strip()
        print(f"{process:>7} {parent:>7} {state} {read(process, 'wchan'):24} {arguments}", flush=True)
        if read(process, "comm").strip() in WAIT_FOR_OTHERS or not shutil.which("gdb"):
            return
        gdb = ["gdb", "--nx", "--batch", f"--pid={process}", "-ex", "thread apply all backtrace 16"]
        done = subprocess.run(gdb, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return
    for line in done.stdout.splitlines():
        if line.startswith(("#", "Thread ")):
            print(line, flush=True)


def kill(process):
    """Ends a process and its descendants with SIGKILL."""
    send(signal.SIGSTOP, [process])
    send(signal.SIGKILL, [*stop(process), process])


def describe_and_kill(root):
    """Prints what the descendants of a process wait for, and ends them with SIGKILL."""
    for process in descendants(root):
        describe(process)
    send(signal.SIGKILL, stop(root))


def end_at_interrupt():
    """SIGINT ends this program at once and prints no stack, unless the program that started it ignores the signal."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
