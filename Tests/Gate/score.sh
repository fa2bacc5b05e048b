# SPDX-License-Identifier: Apache-2.0
# score.sh: how the mutation score is measured: what each operator makes, which sample is drawn, how mutations end. Sourced by
# run.sh; swift is a stand-in.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034

score=$scratch/score
mkdir -p "$score/tools" "$score/bin" "$score/Sources/Room/Text" "$score/Tests/TextTests"
cp -r "$root/tools/mutation-score" "$root/tools/mutation" "$root/tools/modules" "$score/tools"

# ---- operators ----

cat >"$scratch/lines.py" <<'END_OF_PROGRAM'
import sys

sys.dont_write_bytecode = True
root, operator, name, text = sys.argv[1:]
sys.path.insert(0, root + "/tools")
from mutation.generator import mutants_of_text

for mutant in mutants_of_text(text.encode().decode("unicode_escape"), name):
    # Each function may return early.
    if mutant.operator == operator or (operator == "any" and mutant.operator != "early-return"):
        print(mutant.new.rstrip())
END_OF_PROGRAM

# What an operator makes of a file: the lines that it changes.
makes() { # operator, name of the file, its text, the changed lines, each as an argument
    /usr/bin/python3 "$scratch/lines.py" "$root" "$1" "$2" "$3" >"$scratch/out" 2>&1 || return 1
    shift 3
    if [ $# = 0 ]; then [ ! -s "$scratch/out" ]; else printf '%s\n' "$@" | diff - "$scratch/out" >"$scratch/diff"; fi
}
operator() { # sentence, operator, body in Swift, the changed lines
    local sentence=$1 name=$2 body=$3
    shift 3
    check "$sentence" makes "$name" a.swift "func f() {\n$body\n}\n" "$@"
}
in_c() { # sentence, operator, body in C, the changed lines
    local sentence=$1 name=$2 body=$3
    shift 3
    check "$sentence" makes "$name" a.c "static int f(int a) {\n$body\n}\n" "$@"
}

operator 'a relation is exchanged with its neighbour and its opposite' relational 'g(a < b)' 'g(a <= b)' 'g(a >= b)'
operator 'an equation is negated' relational 'g(a == b)' 'g(a != b)'
operator 'the brackets of a generic type are no relation' relational 'let a = Array<Int>()'
operator 'an arithmetic operator is exchanged' arithmetic 'a = b + c' 'a = b - c'
operator 'an operator that wraps is exchanged' arithmetic 'a &*= b &+ c' 'a &+= b &+ c' 'a &*= b &- c'
operator 'a range gets another end' off-by-one 'for i in a..<b {' 'for i in a...b {'
operator 'the difference of one is removed' off-by-one 'a = b - 1' 'a = b'
operator 'an index is one too large' off-by-one 'g(a[i])' 'g(a[i + 1])'
operator 'a condition is negated' condition 'if a { g() }' 'if !(a) { g() }'
operator 'each clause of a condition is negated, but not a binding' condition 'guard let a, b(a), c == 1 else { return }' \
    'guard let a, !(b(a)), c == 1 else { return }' 'guard let a, b(a), !(c == 1) else { return }'
operator 'a negation is removed' condition 'g(!a)' 'g(a)'
operator 'a call is removed' removal '    g(a)\n    h(b,\n      c)' '' ''
operator 'an assignment is removed' removal '    a.b = c' ''
operator 'the only statement of a line is removed' removal 'if a { g() }' 'if a {  }'
operator 'the only statement of a case becomes break' removal 'switch a {\ncase .b:\n    g()\n}' '    break'
operator 'a cleanup is removed' removal 'defer { g() }' ''
operator 'a declaration is not removed' removal 'let a = g()'
operator 'an argument in a call is not removed' removal 'let a = g(\n    b(c),\n    d(e)\n)'
operator 'an assertion is not removed' removal '    assert(a)'
operator 'arguments are exchanged, and their labels stay' arguments 'g(a: b, c: d)' 'g(a: d, c: b)'
operator 'arguments of different kinds are not exchanged' arguments 'g(a, .b)'
operator 'arguments that may stand in any order are not exchanged' arguments 'g(max(a, b))'
check 'a function returns early' makes early-return a.swift 'func f() {\n    g()\n}\n' $'func f() {\n    return;'
check 'a function returns each truth value early' makes early-return a.swift 'func f() -> Bool { g() }\n' \
    'func f() -> Bool { return false; g() }' 'func f() -> Bool { return true; g() }'
check 'a function returns nil early' makes early-return a.swift 'func f() throws(E) -> A? { g() }\n' 'func f() throws(E) -> A? { return nil; g() }'
check 'a function with a type of its own does not return early' makes early-return a.swift 'func f() -> A { g() }\n'
operator 'an integer is changed' constant 'g(7, 0x1F)' 'g(8, 0x1F)' 'g(7, 0x20)'
operator 'a number with a fraction is changed' constant 'g(1.5)' 'g(3.0)'
operator 'a truth value is changed' constant 'g(true)' 'g(false)'
operator 'a digit of a name is no constant' constant 'g(a1, $0, b.0)'
operator 'the least and the most are exchanged' min-max 'g(min(a, b), Int32.max)' 'g(max(a, b), Int32.max)' 'g(min(a, b), Int32.min)'
operator 'and and or are exchanged' logic 'g(a && b)' 'g(a || b)'
operator 'an error is swallowed' error-swallowed '    try g(a)' '    _ = try? g(a)'
operator 'the check of an error is removed' error-swallowed 'guard a else { throw .b }' ''
operator 'the treatment of an error is removed' error-swallowed 'do { try g() } catch { h() }' 'do { try g() } catch {}'

in_c 'in C, a relation is exchanged' relational 'g(a != b);' 'g(a == b);'
in_c 'in C, a pointer is no product' arithmetic 'char *b = c;'
in_c 'in C, a condition is negated' condition 'if (a > 1) g();' 'if (!(a > 1)) g();'
in_c 'in C, a statement is removed' removal 'a = 1;\nif (a) g();' ';' 'if (a) ;'
in_c 'in C, the check of an error is removed' error-swallowed 'if (a < 0) return a;' ''
check 'in C, a function returns early' makes early-return a.c 'static bool *f(int a) {\n    g();\n}\n' $'static bool *f(int a) {\n    return 0;'
in_c 'in C, a suffix stays' constant 'g(7u);' 'g(8u);'
in_c 'in C, the lines of the preprocessor are not mutated' any '#if A < 1\n#define B(a) \\\\\n    (a + 1)\n#endif'

operator 'comments are not mutated' any '// a < 1\n/* a < 1 /* b < 1 */ c < 1 */'
operator 'strings and the values in them are not mutated' any 'let a = "b < 1 \\(c + 1 < "d < 1") < 1", e = #"f" < 1"#'
operator 'strings of several lines are not mutated' any 'let a = """\na < 1\n"""'
operator 'conditions of the compiler are not mutated' any '#if a && b\n#endif'
operator 'rows of a table of strings are not mutated' any 'let a = [\n    "b": 1,\n    ("c", 2),\n]'
operator 'declarations in a function are not mutated' any 'struct A {\n    let b = 1\n}'
check 'imports and declarations are not mutated' makes any a.swift 'import A\nlet a = 1 < 2\nstruct B {\n    let c = 1\n    func d(e: Int = 1)\n    enum F: Int { case g = 1 }\n}\n'
check 'accessors are mutated' makes any a.swift 'struct B {\n    var c: Int { d + e }\n}\n' '    var c: Int { d - e }'
check 'in C, tables and declarations are not mutated' makes any a.c 'enum { A = 1 };\nstatic const int a[] = {1, 2};\nint f(int a);\nstruct b { int c[2]; };\n'

# ---- the sample ----

# Each line ends in its own way when its constant is 0: see the stand-in for swift.
{
    echo 'func text() {'
    for word in build fail crash hang eat other pass equal strange hold; do echo "    $word(1)"; done
    echo '}'
} >"$score/Sources/Room/Text/Text.swift"
touch "$score/Tests/TextTests/TextTests.swift" "$score/Package.swift"
cat >"$score/package.json" <<'END_OF_PACKAGE'
{"targets": [
    {"name": "Text", "type": "regular", "path": "Sources/Room/Text", "dependencies": []},
    {"name": "TextTests", "type": "test", "path": "Tests/TextTests", "dependencies": [{"byName": ["Text", null]}]},
    {"name": "OtherTests", "type": "test", "path": "Tests/OtherTests", "dependencies": [{"byName": ["Text", null]}]}
]}
END_OF_PACKAGE
printf '#!/bin/sh\n' >"$score/tools/reduced-package"
cat >"$score/bin/swift" <<END
#!/bin/bash
changed() { grep -qF "\$1(0)" Sources/Room/Text/Text.swift; }
case "\$*" in
'package dump-package') exec cat $score/package.json ;;
build*)
    echo build >>$scratch/builds
    ! changed build || { echo 'Text.swift:2:1: error: no such function'; exit 1; }
    ! changed strange || exit 1
    ;;
*OtherTests*)
    ! changed other || { echo 'not ok - another promise'; exit 1; }
    echo 'Test run with 1 test'
    ;;
test*)
    ! changed fail || { echo 'not ok - a promise'; exit 1; }
    ! changed crash || kill -SEGV \$\$
    # In a group of its own, as SwiftPM starts tests.
    ! changed hang || { setsid sh -c 'echo \$\$ >$scratch/sleeper; exec sleep 1000' & wait; }
    # One line of 1 GiB, which tail keeps.
    ! changed eat || head -c 1G /dev/zero | tail >/dev/null || exit 1
    # A process that has lost its parent ends, and another one waits for its end.
    ! changed pass || tail --pid="\$(sh -c 'sleep 0.1 >/dev/null & echo \$!')" -f /dev/null
    if changed hold && [ -p $scratch/hold ]; then echo \$\$ >$scratch/hold; exec sleep 1000; fi
    echo 'Test run with 1 test'
    ;;
esac
END
chmod +x "$score/bin/swift" "$score/tools/reduced-package"
echo .build/ >"$score/.gitignore"
git -C "$score" init -q && git -C "$score" add -A && git -C "$score" -c user.name=gate -c user.email=gate@localhost commit -qm gate

measure() { # arguments
    PATH=$score/bin:$PATH MUTATION_MARGIN=5 MUTATION_MEMORY=512 timeout 300 "$score/tools/mutation-score" "$@" >"$scratch/out" 2>&1
    status=$?
}
listed() { # name, arguments
    local name=$1
    shift
    measure --list "$@"
    cp "$scratch/out" "$scratch/$name"
}
equal() { cmp -s "$scratch/$1" "$scratch/$2"; }
differ() { ! equal "$@"; }
built() { [ "$(wc -l <"$scratch/builds")" = "$1" ]; }

listed sample --count 6 --seed 3
check 'a sample has as many mutations as it should' [ "$(grep -c '^---' "$scratch/sample")" = 6 ]
listed again --count 6 --seed 3
check 'the same seed draws the same sample' equal sample again
listed other --count 6 --seed 4
check 'another seed draws another sample' differ sample other
check 'the operators of a sample alternate' [ "$(grep -c '(constant)' "$scratch/sample")" -lt 4 ]
measure --list --modules Text Nothing
check 'a module that does not exist is an error, with the names of the modules' last_line_is '^mutation-score: no module is named Nothing: the names are Text$'

# ---- judgement ----

mkdir -p "$score/Tests/Mutants/Score"
equivalents=$score/Tests/Mutants/Score/equivalent.txt
printf 'file: Text.swift\noperator: constant\nold: equal( 1 )\nnew:   equal(0)\nreason: nothing reads it\n' >"$equivalents"
results=$score/.build/mutation/results.tsv copy=$score/.build/mutation/tree/Sources/Room/Text/Text.swift
: >"$scratch/builds"

# The mutation of the word hold is under way, and all of its steps are behind those of the words before it.
mkfifo "$scratch/hold"
# The run may not end that mutation before it is killed itself, however busy the machine is.
PATH=$score/bin:$PATH MUTATION_MARGIN=20 MUTATION_MEMORY=512 "$score/tools/mutation-score" >"$scratch/first" 2>&1 &
gate=$!
sleeper=$(first_line "$scratch/hold")
measure
check 'a second run at the same time is an error' last_line_is '^mutation-score: another run is under way'
# Without the line of bash about the signal.
{ kill -KILL $gate && await_end $gate; } 2>/dev/null
cp "$scratch/first" "$scratch/out"
check 'a mutation that hangs is ended, with the processes that have left its group' gone "$(cat "$scratch/sleeper")"
check 'the steps that have ended are in the results' [ "$(grep -c failed "$results")" = 1 ]
check 'a run that was killed leaves its mutation in the copy' grep -qF 'hold(0)' "$copy"
rm "$scratch/hold"
# The line that the run was writing.
printf half >>"$results"

measure --count 50
check 'a run that was killed is continued' [ $status = 0 ]
check 'the processes of a run that was killed are ended' gone "$sleeper"
check 'the mutation that was under way is judged' says 'constant .*Text.swift:11: swift TextTests: passes'
check 'the copy is restored' cmp -s "$copy" "$score/Sources/Room/Text/Text.swift"
check 'mutations that were judged are not judged again' lacks 'Text.swift:3: swift TextTests'
check 'the checkout stays as it is' git -C "$score" diff --quiet HEAD -- Sources

cat "$scratch/first" "$scratch/out" >"$scratch/both"
mv "$scratch/both" "$scratch/out"
check 'a mutation that the fitting test notices is killed' says '^ *killed  constant .*Text.swift:3: swift TextTests: not ok - a promise'
check 'a mutation that does not compile is not judged, with the reason' says '^not-compiled  constant .*Text.swift:2: .*error: no such function'
check 'a crash kills' says '^ *killed  constant .*Text.swift:4: .*ends with status'
check 'a hang kills' says '^ *killed  constant .*Text.swift:5: .*does not end within'
check 'a process that needs too much memory is ended' says '^ *killed  constant .*Text.swift:6: .*more than 512 MiB'
check 'the other tests judge what survives' says '^ *killed  constant .*Text.swift:7: other Swift tests: not ok - another promise'
check 'the other tests do not judge what the fitting test kills' lacks 'constant .*Text.swift:3: other Swift tests'
check 'a mutation that survives is printed as a diff' follows '^-    pass\(1\)$' '^\+    pass\(0\)$'
check 'the end of a process without a parent does not go unnoticed' says '^ *survived  constant .*Text.swift:8: swift TextTests: passes'
check 'an equivalent mutation is not judged' lacks 'constant .*Text.swift:9: '
check 'a build that fails without an error of the compiler judges nothing' says '^ *not-judged  constant .*Text.swift:10: .*no line of .* says why'

measure --count 50
tested=$(wc -l <"$scratch/builds")
check 'the table counts each end apart' says '^\| `Text` \| 21 \| 5 \| 1 \| 1 \| 1 \| 13 \| 1 \| 1 \| 1 \| 28 % \|$'
check 'the table names seed and commit' says "^Seed 1, 21 mutations, commit $(git -C "$score" rev-parse --short=10 HEAD)"
check 'mutations that were not judged are tried again' says '^ *not-judged  constant .*Text.swift:10: '
measure --count 50 --report
check 'a report runs nothing' built "$tested"
mkdir -p "$score/Tests/OtherTests"
touch "$score/Tests/OtherTests/OtherTests.swift"
measure --count 50 --report
check 'results of a test stay valid when another test changes' says '^\| `Text` \| 21 \| 4 \| 1 \| 1 \| 1 \| 0 \| 1 \| 1 \| 15 \| 100 % \|$'
rm -r "$score/Tests/OtherTests"
measure --check
check 'equivalents that fit a mutation pass' [ $status = 0 ]
printf '\nfile: Text.swift\noperator: constant\nold: gone(1)\nnew: gone(0)\nreason: nothing reads it\n' >>"$equivalents"
measure --check
check 'an equivalent that fits no mutation is an error, with its line' says '^mutation-score: Tests/Mutants/Score/equivalent.txt:7: no mutation of Text.swift is like this'
echo '// Changed.' >>"$score/Sources/Room/Text/Text.swift"
measure --count 1 --report
check 'results are valid only for the sources that they were made with' says '^\| all \| 1 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 1 \| – \|$'

# ---- headers that no target compiles ----

mkdir -p "$score/Sources/Room/Faces"
echo 'int face(void);' >"$score/Sources/Room/Faces/Faces.h"
cat >"$score/package.json" <<'END_OF_PACKAGE'
{"targets": [
    {"name": "Faces", "type": "system", "path": "Sources/Room/Faces", "dependencies": []},
    {"name": "Text", "type": "regular", "path": "Sources/Room/Text", "dependencies": [{"byName": ["Faces", null]}]},
    {"name": "TextTests", "type": "test", "path": "Tests/TextTests", "dependencies": [{"byName": ["Text", null]}]},
    {"name": "Other", "type": "regular", "path": "Sources/Room/Other", "dependencies": []}
]}
END_OF_PACKAGE
mkdir -p "$score/Sources/Room/Other"
touch "$score/Sources/Room/Other/Other.swift"
git -C "$score" add -A

# Writes a file as a mutation does, and prints the Swift files of the copy that are newer than before.
rewritten() { # file
    (
        cd "$score" || exit
        PATH=$score/bin:$PATH PYTHONPATH=$score/tools python3 -B - "$1" <<'END_OF_PROGRAM'
import os, sys
from mutation import score, tree
tree.copy_to(score.TREE)
names = [name for name in tree.tracked_files() if name.endswith(".swift")]
for name in names:
    os.utime(os.path.join(score.TREE, name), (0, 0))
score.write(sys.argv[1], "int face(int other);\n")
print(*sorted(name for name in names if os.path.getmtime(os.path.join(score.TREE, name)) > 0))
END_OF_PROGRAM
    )
}
check 'a mutated header that only Swift files include makes a build compile them' \
    [ "$(rewritten Sources/Room/Faces/Faces.h)" = 'Sources/Room/Text/Text.swift Tests/TextTests/TextTests.swift' ]
check 'a mutated file of a module leaves it to the build what is compiled' \
    [ "$(rewritten Sources/Room/Other/Other.swift)" = 'Sources/Room/Other/Other.swift' ]
