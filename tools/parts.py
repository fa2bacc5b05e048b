# SPDX-License-Identifier: Apache-2.0
"""Runs parts of the gate, several lists of them at the same time, and reports each: for tools/gate and tools/check-stable.

A part is a name and a command. Its log is NAME.log in the folder of the logs. A list is a function that runs parts one behind
the other, on a thread of its own. Results are kept in memory, so that a full disk loses none."""

import dataclasses, os, re, signal, subprocess, sys, threading, time, traceback

import advice, processes

TOOLS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(TOOLS)
MAKE = os.environ.get("MAKE") or "make"
# A part that does not end is ended after this many seconds.
PART_LIMIT = os.environ.get("PART_LIMIT") or "1800"
# So many seconds have the processes of an interrupted gate to end by themselves.
GRACE = 5
# Ctrl-C reaches all processes of the terminal. The gate ends the others: until then their parts are under way.
UNINTERRUPTED = ["env", "--ignore-signal=INT"]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LIST_ENDED = b"\0"
# What a log says of a failure.
FAILURE = re.compile(r"^not ok|✘|(^|[^a-z])error:|ThreadSanitizer:|AddressSanitizer:|\*\*\*")


class Interrupted(Exception):
    """A signal has arrived: a list runs no more parts."""


@dataclasses.dataclass
class Result:
    status: int | None  # None: skipped
    seconds: float = 0
    processor: float = 0
    full_disk: str | None = None  # at the end of a part that failed
    error: str | None = None  # of the gate itself

    @property
    def word(self):
        return {0: "ok", None: "skipped"}.get(self.status, "FAILED")


def say(text, descriptor=1):
    """Prints lines at once. A full disk under the output ends nothing."""
    data = f"{text}\n".encode("utf-8", "surrogateescape")
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except BrokenPipeError:
        # Nobody reads the output any more, as after the end of a terminal.
        os.kill(os.getpid(), signal.SIGHUP)
    except OSError:
        return


class Parts:
    def __init__(self, folder):
        os.chdir(ROOT)
        processes.end_at_interrupt()
        self.logs = folder
        self.ended = {}  # the result of each part, in the order of their ends
        self.under_way = {}
        self.interruption = None
        self.lock = threading.RLock()
        self.started = time.monotonic()
        # For a program that keeps results: called with the name and the result of each part.
        self.part_ended = lambda name, result: None
        try:
            os.makedirs(folder, exist_ok=True)
            # A byte: on a full disk a file can be made and not written.
            with open(os.path.join(folder, ".writable"), "w", encoding="utf-8") as file:
                file.write("\n")
        except OSError:
            sys.exit(f"the logs cannot be written in {folder}: free some space or make it writable, then start again")

    def log_of(self, name):
        return os.path.join(self.logs, re.sub(r"[^A-Za-z0-9.=-]", "_", name) + ".log")

    def lines(self, name):
        """The lines of a log. Bytes that are not text stay what they are."""
        try:
            with open(self.log_of(name), encoding="utf-8", errors="surrogateescape", newline="\n") as file:
                return [line.rstrip("\n") for line in file]
        except OSError:
            return []

    # ---- inside a list ----

    def spawn(self, command, output):
        """Starts a process whose output goes to a file. No process starts after a signal."""
        with self.lock:
            if self.interruption:
                raise Interrupted
            return subprocess.Popen([*UNINTERRUPTED, *command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)

    def part(self, name, *command):
        """Runs a command, and returns whether it succeeds."""
        begin = time.monotonic()
        try:
            with open(self.log_of(name), "wb") as log, self.lock:
                process = self.spawn([os.path.join(TOOLS, "limited"), PART_LIMIT, name, *command], log)
                self.under_way[name] = True
        except OSError as error:
            return self._end_part(name, Result(1, error=f"it cannot begin: {error}"))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        return self._end_part(name, Result(status, time.monotonic() - begin, usage.ru_utime + usage.ru_stime))

    def _end_part(self, name, result):
        if result.status != 0:
            result.full_disk = advice.full_disk(self.logs, ".", os.environ.get("TMPDIR") or "/tmp")
        with self.lock:
            if self.interruption:
                # The gate has ended it: it stays under way.
                raise Interrupted
            self.under_way.pop(name, None)
            self.ended[name] = result
            self._announce(name, result)
            self.part_ended(name, result)
        return result.status == 0

    def make_part(self, target):
        """A target of make, and variables behind it."""
        return self.part(target, MAKE, "--keep-going", "--no-print-directory", *target.split())

    def skip_part(self, name, why):
        with self.lock:
            if self.interruption:
                raise Interrupted
            self.ended[name] = Result(None)
            say(f"skipped  {name}: {why}")

    def _announce(self, name, result):
        lines = self.lines(name)
        text = (lines or [""])[-1] if result.status == 0 else first_failure(lines)
        say(f"{result.word:<8} {name}, {result.seconds:.0f} s: {text}")

    # ---- the lists ----

    def begin(self, parts_list, at_end=lambda: None):
        """Begins a list on a thread of its own."""

        def run():
            try:
                parts_list()
            except Interrupted:
                return
            except Exception as error:
                self._end_list(f"the list {parts_list.__name__}", error)
            finally:
                at_end()

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    def _end_list(self, name, error):
        with self.lock:
            if not self.interruption:
                say("".join(traceback.format_exception(error)), 2)
                self.ended[name] = Result(1, error=f"it ended with {error!r}: correct the program that runs it")

    def run_lists(self, *lists):
        """Runs all at the same time. Returns when they have ended; a signal ends this program."""
        # A signal that arrives before a read begins is not lost: it is in the pipe.
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        handled = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, lambda *_: None) for number in handled}
        for parts_list in lists:
            self.begin(parts_list, at_end=lambda: os.write(writer, LIST_ENDED))
        running = len(lists)
        while running:
            event = os.read(reader, 1)
            if event != LIST_ENDED:
                self._end_interrupted(signal.Signals(event[0]))
            running -= 1
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(-1)
        os.close(writer)
        # One that arrived behind the last event.
        if late := os.read(reader, 1):
            os.kill(os.getpid(), late[0])
        os.close(reader)

    def _end_interrupted(self, number):
        with self.lock:
            self.interruption = number
        processes.end(os.getpid(), GRACE)
        with self.lock:
            if self.ended:
                self.table()
            for name in self.under_way:
                say(f"interrupted by {number.name}: {name} was under way; run it again: make {target_of(name)}", 2)
        sys.exit(128 + number)

    # ---- the report ----

    def table(self):
        say(f"\n{'time':>8} {'processor':>10}  {'result':<8} part")
        for name, result in self.ended.items():
            say(f"{result.seconds:6.0f} s {result.processor:8.0f} s  {result.word:<8} {name}")
        say(f"{time.monotonic() - self.started:6.0f} s {'':>10}  in all")

    def failed(self):
        return {name: result for name, result in self.ended.items() if result.word == "FAILED"}

    def show(self, failed):
        """The logs of parts that failed, and one line for each with an advice."""
        for name in failed:
            self._show_log(name)
        say("")
        for name, result in failed.items():
            advised = advice.advise(target_of(name), result.status, self.lines(name), result.full_disk)
            say(f"FAILED: {name}: {result.error if result.error and not result.full_disk else advised}")

    def _show_log(self, name):
        """A long log only with its end and, last, the lines that report failures."""
        lines = self.lines(name)
        say(f"\n---- the log of {name} ({self.log_of(name)})")
        if len(lines) > 300:
            say(f"[...] the last 150 of {len(lines)} lines:")
        for line in lines if len(lines) <= 300 else lines[-150:]:
            say(line)
        say("\n---- the lines of it that report failures")
        for line in lines_of_failures(lines)[:60]:
            say(line)

    def report(self):
        """The table, the logs of what failed, and one line for each. Returns the status of the gate."""
        self.table()
        if failed := self.failed():
            self.show(failed)
        return 1 if failed else 0


def target_of(name):
    """A part that is repeated is "NAME round NUMBER"."""
    return name.partition(" round ")[0]


def first_failure(lines):
    """The first line that reports a failure, and the comments behind it that explain it."""
    for index, line in enumerate(lines):
        if FAILURE.search(line):
            comments = lines[index + 1 : index + 9]
            end = next((i for i, comment in enumerate(comments) if not comment.startswith("#")), len(comments))
            return "\n".join([line, *("         " + comment for comment in comments[:end])])
    return "its log follows at the end"


def lines_of_failures(lines):
    """With their numbers, and twelve lines behind each: a test explains its failure in comments."""
    shown, last = [], None
    for index, line in enumerate(lines):
        if FAILURE.search(line):
            if last is not None and index - last > 13:
                shown.append("--")
            shown.append(f"{index + 1}:{line}")
            last = index
        elif last is not None and index - last <= 12:
            shown.append(f"{index + 1}-{line}")
    return shown
