# SPDX-License-Identifier: Apache-2.0
"""The score of each module as a table of Markdown, and the mutations that survive as diffs."""

import collections, datetime, subprocess

from .score import KILLED
from .tree import ROOT

COLUMNS = (
    "module", "mutations", "killed", "by crash", "by hang", "by memory", "survived", "equivalent", "not compiled", "not run", "score",
)


def commit():
    """The commit of the checkout, and whether files differ from it."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()

    return (git("rev-parse", "--short=10", "HEAD") or "none") + (" with changes" if git("status", "--porcelain") else "")


def row(name, counts):
    killed, survived = sum(counts[outcome] for outcome in KILLED), counts["survived"]
    score = f"{100 * killed / (killed + survived):.0f} %" if killed + survived else "–"
    cells = (
        name, sum(counts.values()), killed, counts["crash"], counts["hang"], counts["memory"], survived, counts["equivalent"],
        counts["not-compiled"], counts["pending"] + counts["not-judged"], score,
    )
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(mutants, outcomes, seed):
    by_module = {}
    for mutant in mutants:
        by_module.setdefault(mutant.module, collections.Counter())[outcomes[mutant.identity]] += 1
    date = datetime.date.today().isoformat()
    lines = [f"Seed {seed}, {len(mutants)} mutations, commit {commit()}, {date}.", ""]
    lines += ["| " + " | ".join(COLUMNS) + " |", "|---|" + "---:|" * (len(COLUMNS) - 1)]
    lines += [row(f"`{name}`", counts) for name, counts in by_module.items()]
    lines.append(row("all", sum(by_module.values(), collections.Counter())))
    return "\n".join(lines)


def report(mutants, outcomes, seed):
    survivors = [mutant for mutant in mutants if outcomes[mutant.identity] == "survived"]
    for mutant in sorted(survivors, key=lambda mutant: (mutant.path, mutant.start)):
        print(mutant.diff + "\n")
    print(table(mutants, outcomes, seed))
    if any(outcomes[mutant.identity] in ("pending", "not-judged") for mutant in mutants):
        print("\nSome mutations are not judged: run it again, it continues.")
