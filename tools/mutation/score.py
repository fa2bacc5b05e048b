# SPDX-License-Identifier: Apache-2.0
"""Judges the mutations of a sample one after another. Each result is written to a file at once: a run that was ended continues."""

import dataclasses, os, re, shlex, signal, time

from . import processes, project, tests
from .tree import ROOT, ListError, copy_to, read_text

WORK = os.path.join(ROOT, ".build", "mutation")
TREE = os.path.join(WORK, "tree")
RESULTS = os.path.join(WORK, "results.tsv")
UNCHANGED = "unchanged"
# A test noticed it, or it did not end as tests do.
KILLED = ("failed", "crash", "hang", "memory")
# Of the time of the unchanged tree; other processes may slow a test down.
TIMES = 3


def margin():
    """Seconds beyond the limit that the unchanged tree determines."""
    return float(os.environ.get("MUTATION_MARGIN", "120"))


def memory():
    """The address space of each process of a test, in bytes."""
    return int(os.environ.get("MUTATION_MEMORY", "4096")) << 20


@dataclasses.dataclass
class Result:
    outcome: str
    seconds: float
    reason: str


class Results:
    """By the revision of what the step depends on, the mutation and the step."""

    def __init__(self):
        self.known = {}
        if os.path.exists(RESULTS):
            # A line that a killed run has begun has no end.
            for line in read_text(RESULTS).split("\n")[:-1]:
                fields = line.split("\t")
                if len(fields) == 6 and fields[3] != "not-judged":
                    self.known[fields[0], fields[1], fields[2]] = Result(fields[3], float(fields[4]), fields[5])

    def add(self, identity, step, result):
        self.known[step.revision, identity, step.name] = result
        words = (step.revision, identity, step.name, result.outcome, f"{result.seconds:.1f}", " ".join(result.reason.split()))
        is_torn = os.path.exists(RESULTS) and os.path.getsize(RESULTS) > 0 and not read_text(RESULTS).endswith("\n")
        with open(RESULTS, "a", encoding="utf-8") as file:
            file.write(("\n" if is_torn else "") + "\t".join(words) + "\n")

    def of(self, identity, step):
        return self.known.get((step.revision, identity, step.name))

    def outcome(self, mutant):
        """The result of all steps; pending where one that is needed has no result."""
        for step in all_steps(mutant):
            result = self.of(mutant.identity, step)
            if not result:
                return Result("pending", 0, "")
            if result.outcome != "survived":
                return result
        return Result("survived", 0, "")


def all_steps(mutant):
    first, others = project.steps(mutant.module)
    return first + others


# ---- commands ----


def log_of(name):
    folder = os.path.join(WORK, "logs")
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, re.sub(r"\W+", "-", name)[:80] + ".log")


def build(step, log):
    """The first build that fails, or None. MUTATION_BUILD is a command that runs each build, such as: flock FILE. The time that it
    waits counts as well."""
    wrapper = shlex.split(os.environ.get("MUTATION_BUILD", ""))
    for command in step.builds:
        ended = processes.run([*wrapper, *command], TREE, log, tests.BUILD_LIMIT * (4 if wrapper else 1))
        if ended.status != 0:
            return ended
    return None


def reason_of_build(log, ended):
    """Why a build failed by the mutation; None where the compiler does not say so."""
    if ended.status is None:
        return "the build does not end within its limit"
    match = re.search(r"^.*\berror: .*$", read_log(log), re.M)
    return match[0].strip()[:160] if match else None


def read_log(log):
    with open(log, errors="replace") as file:
        return file.read()


def classify(ended, log, limit, allowed):
    """How a test ended that ran on a mutation."""
    if ended.status == 0:
        return Result("survived", ended.seconds, "")
    if ended.status is None:
        return Result("hang", ended.seconds, f"it does not end within {limit:.0f} s")
    text = read_log(log)
    if ended.peak > allowed // 2 or re.search(r"Cannot allocate memory|[Oo]ut of memory|bad_alloc|MemoryError", text):
        return Result("memory", ended.seconds, f"a process needs more than {allowed >> 20} MiB")
    crash = re.search(r"unexpected signal code \d+|Fatal error.*|^not ok - .*: runs to its end", text, re.M)
    if crash or ended.status < 0 or ended.status >= 128:
        return Result("crash", ended.seconds, crash[0][:160] if crash else f"it ends with status {ended.status}")
    return Result("failed", ended.seconds, tests.first_failure(log))


# ---- judgement ----


class Judge:
    def __init__(self, results):
        self.results = results
        self.failing = {}

    def baseline(self, step):
        """The seconds that the unchanged tree needs for the step. A test that fails without a mutation judges none."""
        step = step.baseline or step
        if known := self.results.of(UNCHANGED, step):
            return known.seconds
        if step.name in self.failing:
            raise ListError(self.failing[step.name])
        log = log_of(f"unchanged {step.name}")
        open(log, "w").close()
        print(f"  unchanged  {step.name}", flush=True)
        if build(step, log):
            self.fail(step, f"the unchanged tree does not build for {step.name}: see {log}\n{tests.tail(log)}")
        ended = processes.run(step.command, TREE, log, tests.BUILD_LIMIT, memory())
        if ended.status != 0:
            self.fail(step, f"{step.name} fails on the unchanged tree: see {log}\n{tests.tail(log)}")
        if step.name.startswith("swift ") and not tests.ran_tests(log):
            self.fail(step, f"{step.name} runs no test: see {log}")
        self.results.add(UNCHANGED, step, Result("survived", ended.seconds, f"{ended.peak >> 20} MiB"))
        return ended.seconds

    def fail(self, step, reason):
        self.failing[step.name] = reason
        raise ListError(reason)

    def judge(self, mutant, step):
        """The tree is as it was when this returns."""
        log = log_of(f"{mutant.identity} {step.name}")
        open(log, "w").close()
        limit = TIMES * self.baseline(step) + margin()
        text, start = read_text(os.path.join(TREE, mutant.path)), time.monotonic()
        try:
            write(mutant.path, mutant.apply(text))
            if failed := build(step, log):
                reason = reason_of_build(log, failed)
                if not reason:
                    raise ListError(f"{step.name} is not built, and no line of {log} says why\n{tests.tail(log)}")
                return Result("not-compiled", time.monotonic() - start, reason)
            return classify(processes.run(step.command, TREE, log, limit, memory()), log, limit, memory())
        finally:
            write(mutant.path, text)

    def run(self, mutant, steps):
        """Until one step notices the mutation. A mutation that cannot be judged does not end the run."""
        for step in steps:
            result = self.results.of(mutant.identity, step)
            if not result:
                start = time.monotonic()
                try:
                    result = self.judge(mutant, step)
                except ListError as error:
                    result = Result("not-judged", time.monotonic() - start, str(error))
                self.results.add(mutant.identity, step, result)
                mark, seconds = "killed" if result.outcome in KILLED else result.outcome, time.monotonic() - start
                print(f"{mark:>12}  {mutant.where}: {step.name}: {first_line(result.reason) or 'passes'} ({seconds:.0f} s)", flush=True)
            if result.outcome != "survived":
                return


def first_line(text):
    return text.partition("\n")[0]


def write(path, text):
    """Writes a file of the tree, so that the next build compiles it and the Swift files that include it."""
    with open(os.path.join(TREE, path), "w", encoding="utf-8") as file:
        file.write(text)
    for name in project.readers(path):
        os.utime(os.path.join(TREE, name))


def end_leftovers():
    """The processes of a run that was killed. No other process works in the tree: its lock is held."""
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and (os.readlink(f"/proc/{name}/cwd") + "/").startswith(TREE + "/"):
                os.kill(int(name), signal.SIGKILL)
        except (FileNotFoundError, PermissionError, ProcessLookupError):
            continue


def run(mutants, results):
    """The fitting tests of all mutations, then the others for those that survive."""
    end_leftovers()
    copy_to(TREE)
    judge = Judge(results)
    for index, title in enumerate(("the fitting tests", "all other tests, for those that survive")):
        pending = [mutant for mutant in mutants if results.outcome(mutant).outcome == "pending"]
        print(f"{title}: {len(pending)} mutations", flush=True)
        # Those of a file follow each other: a build has less to do.
        for mutant in sorted(pending, key=lambda mutant: (order(mutants, mutant.module), mutant.path, mutant.start)):
            before = project.steps(mutant.module)[0] if index else []
            if all((known := results.of(mutant.identity, step)) and known.outcome == "survived" for step in before):
                judge.run(mutant, project.steps(mutant.module)[index])


def order(mutants, module):
    return next(index for index, mutant in enumerate(mutants) if mutant.module == module)
