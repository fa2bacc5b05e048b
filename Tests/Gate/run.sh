#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh: how the gate reports parts that pass, fail, lack a tool, meet a full disk or are interrupted, how the runner of
# mutations judges a small project, how the score of generated mutations is measured, how a command stands still, what is said
# about other processors, what is found in objects, and what a reduced package has.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d /tmp/gate.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
# A step that does not end is ended after this many seconds. On a busy machine the longest one takes one minute.
limit=300

check() { # sentence, command...
    local sentence=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok - $sentence"
    else
        failed=$((failed + 1))
        echo "not ok - $sentence"
        sed 's/^/#   /' "$scratch/out"
    fi
}

says() { grep -qE -- "$1" "$scratch/out"; }
lacks() { ! says "$1"; }
last_line_is() { tail -n 1 "$scratch/out" | grep -qE -- "$1"; }
follows() { # first, second
    [ "$(grep -nE -- "$1" "$scratch/out" | head -n 1 | cut -d: -f1)" -lt "$(grep -nE -- "$2" "$scratch/out" | tail -n 1 | cut -d: -f1)" ]
}

# A gate whose lists are given as functions in Python: the folder of its logs, code, the names of the lists.
# More arguments are for the code.
cat >"$scratch/gate.py" <<END
import os, signal, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "$root/tools")
from parts import Parts
parts = Parts(sys.argv[1])
part, skip_part, scratch = parts.part, parts.skip_part, "$scratch"
exec(sys.argv[2])
parts.run_lists(*(globals()[name] for name in sys.argv[3].split()))
sys.exit(parts.report())
END
# Its status is in $status, its output in $scratch/out.
gate() { # code that defines lists, the names of the lists
    timeout $limit /usr/bin/python3 "$scratch/gate.py" "$scratch/logs" "$@" >"$scratch/out" 2>&1
    status=$?
}

# Under the limit: the first line that a pipe gets, and the end of a process of this shell, with its status.
first_line() { # pipe
    local line=''
    read -r -t $limit line <>"$1"
    echo "$line"
}
await_end() { # process
    timeout $limit tail --pid="$1" -f /dev/null || kill -KILL "$1"
    wait "$1"
    status=$?
}

# Ended, if not awaited yet.
gone() { # processes
    local process
    for process; do
        [ ! -e "/proc/$process" ] || grep -qs '^State:.*zombie' "/proc/$process/status" || return 1
    done
}

# ---- results ----

gate '
def one():
    part("good", "echo", "fine")
    part("bad", "sh", "-c", "echo the reason; echo not ok - a promise; exit 1")
    part("later", "true")
' one
check 'a gate with a part that fails exits with 1' [ $status = 1 ]
check 'the table names the part that passed' says '^ *[0-9]+ s +[0-9]+ s +ok +good$'
check 'the table names the part that failed' says '^ *[0-9]+ s +[0-9]+ s +FAILED +bad$'
check 'the parts behind a part that failed run' says '^ *[0-9]+ s +[0-9]+ s +ok +later$'
check 'the last line of a log is printed when its part passes' says '^ok +good, [0-9]+ s: fine$'
check 'the first line that reports a failure is printed when its part fails' says '^FAILED +bad, [0-9]+ s: not ok - a promise$'
check 'the log of a failed part follows the table' follows 'in all$' '^the reason$'
check 'the last line names the failed part and what to do' last_line_is '^FAILED: bad: .*make bad$'

gate 'def one(): part("bad", "sh", "-c", "echo not ok - a promise; echo \"#   seen: 0\"; echo ok - next; echo \"#   of another\"; exit 1")' one
check 'the comments of the first failure are printed with it' follows '^FAILED +bad, [0-9]+ s: not ok - a promise$' '^         #   seen: 0$'
check 'comments of other tests are not printed with the first failure' lacks '^         #   of another$'

gate '
def one(): part("first", "true")
def two(): part("second", "true")
' 'one two'
check 'a gate whose parts pass exits with 0' [ $status = 0 ]
check 'parts of all lists are in the table' says ' ok +second$'
check 'a gate whose parts pass ends with the table' last_line_is ' in all$'

gate 'def one(): skip_part("packages", "no mirror")' one
check 'a part that is skipped is in the table' says ' skipped +packages$'
check 'the reason of a part that is skipped is printed' says '^skipped +packages: no mirror$'

gate 'def one(): part("long", "sh", "-c", "echo not ok - early; seq 1000; exit 1")' one
check 'the lines of a long log that report failures are printed' says '^1:not ok - early$'
check 'the lines that report failures follow the end of a long log' follows '^1000$' '^1:not ok - early$'
check 'the end of a long log is printed' says '^1000$'
check 'the begin of a long log is not printed' lacks '^500$'

gate 'def one(): part("bytes", "printf", r"not text: \377\n")' one
check 'bytes of a log that are not text are printed as they are' env LC_ALL=C grep -qaE "s: not text: "$'\xff' "$scratch/out"

# ---- causes: the status of the command, missing programs and file systems, not the words of a log ----

for shell in bash sh; do
    gate "def one(): part('bad', '$shell', '-c', 'no-such-tool-here --version')" one
    check "a missing tool is named ($shell)" last_line_is '^FAILED: bad: the tool no-such-tool-here is missing'
done
gate 'def one(): part("bad", "no-such-tool-here")' one
check 'a missing tool is named (the command of a part)' last_line_is '^FAILED: bad: the tool no-such-tool-here is missing'
# shellcheck disable=SC2016
printf '%s:\n\t%s\n' missing 'no-such-tool-here --version' missing-in-shell 'true && no-such-tool-here --version' \
    missing-in-env 'env no-such-tool-here --version' inner '$(MAKE) missing-in-shell' killed 'kill -KILL $$$$' \
    crashes 'kill -SEGV $$$$' >"$scratch/Makefile"
gate_of_make() { # target
    gate "def one(): part('bad', 'make', '--keep-going', '-C', '$scratch', '$1')" one
}
for target in missing missing-in-shell missing-in-env inner; do
    gate_of_make $target
    check "a missing tool is named (make $target)" last_line_is '^FAILED: bad: the tool no-such-tool-here is missing'
done
gate_of_make killed
check 'the signal is named when make reports a command that is killed' last_line_is '^FAILED: bad: it was ended from outside \(KILL\)'
gate_of_make crashes
check 'a command that crashes is not ended from outside' last_line_is '^FAILED: bad: the reason is in its log above'

# Words that a test may have in its name: in the last line of a log, and in the line in front of those of make.
no_advice='the reason is in its log above; run it again: make'
words=('No space left on device' 'Disk quota exceeded' 'head: error writing output: No space left on device'
    'sh: 1: no-such-tool-here: not found' 'bad ends within 1 s: these processes are still there:'
    'make: *** [Makefile:1: bad] Killed')
# shellcheck disable=SC2016
gate '
def one():
    for number, words in enumerate(sys.argv[4:]):
        for result in "not ok", "ok":
            part(f"{result}-{number}", "sh", "-c", "echo \"$1\"; exit 1", "sh", f"{result} - {words}")
            in_make = "echo \"$1\"; echo make: \"***\" [Makefile:1: bad] Error 1; exit 2"
            part(f"{result}-{number}-make", "sh", "-c", in_make, "sh", f"{result} - {words}")
' one "${words[@]}"
for number in "${!words[@]}"; do
    for name in "$number" "$number-make"; do
        check "the name of a test that fails gives no advice: ${words[number]} ($name)" says "^FAILED: not ok-$name: $no_advice not ok-$name\$"
        check "the name of a test that passes gives no advice: ${words[number]} ($name)" says "^FAILED: ok-$name: $no_advice ok-$name\$"
    done
done
gate 'def one(): part("good", "echo", "ok - No space left on device")' one
check 'a part that passes gives no advice' lacks 'a disk is full|FAILED'
gate 'def one(): part("bad", "sh", "-c", "echo not ok - sh: 1: no-such-tool-here: not found; exit 127")' one
check 'the name of a test does not name a missing tool' last_line_is "^FAILED: bad: $no_advice bad\$"
gate 'def one(): part("bad", "sh", "-c", "echo sh: 1: no-such-tool-here: not found; exit 1")' one
check 'a command that goes on without a tool does not fail for the lack of it' last_line_is "^FAILED: bad: $no_advice bad\$"
gate 'def one(): part("bad", "sh", "-c", "echo sh: 1: cat: not found; exit 127")' one
check 'a tool that is there is not missing' last_line_is "^FAILED: bad: $no_advice bad\$"

# In a file system of its own, where that is allowed.
if unshare --mount --map-root-user true 2>/dev/null; then
    mkdir "$scratch/small"
    in_mount() { # options, commands
        # shellcheck disable=SC2016
        timeout $limit unshare --mount --map-root-user bash -c '
            scratch=$1 small=$1/small
            mount -t tmpfs -o "$2" none "$small" && eval "$3"' gate "$scratch" "$1" "$2" >"$scratch/out" 2>&1
    }
    # shellcheck disable=SC2016
    in_mount size=1m '
        /usr/bin/python3 "$scratch/gate.py" "$small/logs" "
def one():
    part(\"fills\", \"sh\", \"-c\", \"head -c 4000000 /dev/zero >$small/data\")
    part(\"bad\", \"false\")
    part(\"good\", \"true\")
" one
        echo "status $?"
        /usr/bin/python3 "$scratch/gate.py" "$small/more" ""'
    check 'parts on a full disk fail, and none is forgotten' says '^ *[0-9]+ s +[0-9]+ s +FAILED +bad$'
    check 'parts that write nothing pass on a full disk' says ' ok +good$'
    check 'the full disk is named' says "^FAILED: bad: a disk is full \($scratch/small\): free some space, then: make bad\$"
    check 'a gate on a full disk exits with 1' says '^status 1$'
    check 'a gate does not begin on a full disk' last_line_is "logs cannot be written in $scratch/small/more: free some space"

    # shellcheck disable=SC2016
    fails='TMPDIR=$small /usr/bin/python3 "$scratch/gate.py" "$scratch/logs" "def one(): part(\"bad\", \"false\")" one'
    in_mount size=200m,nr_inodes=10 "for number in {1..20}; do : >\"\$small/\$number\"; done 2>/dev/null; $fails"
    check 'a disk without a free inode is named' last_line_is "^FAILED: bad: a disk is full \($scratch/small\)"
    in_mount size=32m "$fails"
    check 'a disk with less space than a build needs is named' last_line_is "^FAILED: bad: a disk is full \($scratch/small\)"
    in_mount size=200m,nr_inodes=10 "$fails"
    check 'a disk with free space is not full' last_line_is "^FAILED: bad: $no_advice bad\$"
fi

timeout $limit /usr/bin/python3 "$scratch/gate.py" "$scratch/logs" 'def one(): part("good", "touch", scratch + "/passed")' one >/dev/full 2>&1
check 'a gate whose output goes to a full disk exits with 0' [ $? = 0 ]
check 'a gate whose output goes to a full disk runs its parts' [ -e "$scratch/passed" ]

gate '
def one():
    part("bad", "sh", "-c", "kill -KILL $$")
    part("good", "true")
' one
check 'a part that is killed fails, and the signal is named' last_line_is '^FAILED: bad: it was ended from outside \(KILL\)'
check 'the list goes on after a part that is killed' says ' ok +good$'

# shellcheck disable=SC2016
gate '
def one():
    part("bad", "sh", "-c", "kill -KILL $PPID")
    part("good", "true")
' one
check 'a part whose runner is killed fails' says ' FAILED +bad$'
check 'the list goes on after the runner of a part is killed' says ' ok +good$'

gate '
def one(): raise ValueError("a mistake")
def two(): part("good", "true")
' 'one two'
check 'a list that ends with an error fails the gate' [ $status = 1 ]
check 'the error of a list is the reason' last_line_is '^FAILED: the list one: .*a mistake'
check 'a list goes on after another one has ended with an error' says ' ok +good$'

PART_LIMIT=1 gate '
def one():
    part("slow", "sh", "-c", "echo begun; sleep 1000; echo awake")
    part("good", "true")
' one
check 'a part that does not end is ended' says '^ *[0-9]+ s +[0-9]+ s +FAILED +slow$'
check 'the reason is printed when a part that does not end is ended' says '^FAILED +slow, [0-9]+ s: not ok - slow ends within 1 s'
check 'what a part had printed before it was ended is in its log' says '^begun$'
check 'the processes of a part that does not end are named' says 'sleep 1000$'
check 'a part that does not end is the reason' last_line_is '^FAILED: slow: it did not end: .*make slow$'
check 'the list goes on after a part that does not end' says ' ok +good$'

gate 'def one(): part("daemon", "sh", "-c", f"sleep 1000 & echo $! >{scratch}/daemon")' one
check 'a process that a part leaves behind does not hold up the gate' [ $status = 0 ]
kill "$(cat "$scratch/daemon")"

echo >"$scratch/file"
timeout $limit /usr/bin/python3 "$scratch/gate.py" "$scratch/file/logs" 'print("goes on")' >"$scratch/out" 2>&1
check 'a gate that cannot write its logs ends' [ $? = 1 ]
check 'a gate that cannot write its logs says where' last_line_is "logs cannot be written in $scratch/file/logs"

# ---- an interruption from outside ----

gate '
def one():
    os.kill(os.getpid(), signal.SIGTERM)
    part("half", "sleep", "1000")
' one
check 'a signal that arrives before a part has begun is not lost' [ $status = 143 ]

# The second part ignores SIGTERM.
mkfifo "$scratch/started"
for signal in TERM INT; do
    ignored=$([ $signal = TERM ] || echo 'trap "" TERM;')
    # A shell ignores SIGINT in what it starts in the background, and a program that is started so cannot take it back.
    env --default-signal="$signal" /usr/bin/python3 "$scratch/gate.py" "$scratch/logs" "
def one():
    part('early', 'true')
    part('slow', 'sh', '-c', '''$ignored echo \$\$ >$scratch/started; sleep 1000; true''')
    part('late', 'true')
" one >"$scratch/out" 2>&1 &
    gate=$!
    sleeper=$(first_line "$scratch/started")
    kill -$signal $gate
    await_end $gate
    check "an interrupted gate exits with the number of the signal ($signal)" [ $status = $((128 + $(kill -l $signal))) ]
    check "an interrupted gate names the part that was under way ($signal)" says "^interrupted by SIG$signal: slow was under way; run it again: make slow$"
    check "an interrupted gate prints the table of what has ended ($signal)" says ' ok +early$'
    check "an interrupted gate begins no other part ($signal)" lacks late
    timeout $limit tail --pid="${sleeper:-1}" -f /dev/null
    check "an interrupted gate ends what it started ($signal)" gone "$sleeper"
done

# Ctrl-C reaches all processes of the terminal.
env --default-signal=INT setsid /usr/bin/python3 "$scratch/gate.py" "$scratch/logs" "
def one(): part('slow', 'sh', '-c', 'echo \$\$ >$scratch/started; sleep 1000; true')
" one >"$scratch/out" 2>&1 &
gate=$!
first_line "$scratch/started" >/dev/null
kill -INT -- -$gate
await_end $gate
check 'a part stays under way when the gate and its processes get SIGINT' says '^interrupted by SIGINT: slow was under way'
check 'a part that gets SIGINT with the gate has not failed' lacks FAILED

# nohup.
mkfifo "$scratch/released"
(trap '' HUP; exec /usr/bin/python3 "$scratch/gate.py" "$scratch/logs" "
def one(): part('slow', 'sh', '-c', 'echo \$\$ >$scratch/started; read -r line <$scratch/released')
" one) >"$scratch/out" 2>&1 &
gate=$!
first_line "$scratch/started" >/dev/null
kill -HUP $gate
# shellcheck disable=SC2016
timeout $limit sh -c 'echo >"$1"' sh "$scratch/released"
await_end $gate
check 'a gate ignores a signal that the program that started it ignores' [ $status = 0 ]
rm "$scratch/started"

# ---- mutations ----

project=$scratch/project
mkdir -p "$project/tools" "$project/Tests/Mutants" "$project/Sources"
cp -r "$root/tools/mutants" "$root/tools/mutation" "$project/tools"
printf 'one\n    two\nthree\nthree\n' >"$project/Sources/text"
printf 'check:\n\techo run >>%s/runs\n\tgrep -q two Sources/text\n\nhang:\n\tgrep -q two Sources/text || sleep 1000\n' "$scratch" >"$project/Makefile"
echo .build/ >"$project/.gitignore"
git -C "$project" init -q

mutation() { # name, old, new, more lines
    printf 'name: %s\nrule: the text has two lines\nfile: Sources/text\nold: %s\nnew: %s\n%s\n\n' "$1" "$2" "$3" "${4:-test: make check}"
}
mutants() { # arguments
    timeout 300 "$project/tools/mutants" "$@" >"$scratch/out" 2>&1
    status=$?
}
runs() { [ "$(wc -l <"$scratch/runs")" = "$1" ]; }

{ mutation seen two deux; mutation unseen one un "test: make check
equivalent: nothing reads the first line"; } >"$project/Tests/Mutants/first.txt"
mutants
check 'mutations that are killed or equivalent pass' [ $status = 0 ]
check 'a mutation that the test notices is killed' says '^ *killed  first/seen: '
check 'a mutation that no test can notice is equivalent' says '^ *equivalent  first/unseen: nothing reads the first line'
check 'the test runs once on the unchanged tree and once for each mutation' runs 3
check 'the number and the time of what is to run are printed' says '^  make Tests: 2 to run, about [0-9]+ min$'
check 'the checkout stays as it is' grep -qx '    two' "$project/Sources/text"
check 'the copy is restored' grep -qx '    two' "$project/.build/mutants/tree/Sources/text"

mutants
check 'a second run repeats the results' says '^ *killed  first/seen: '
check 'a second run does not run tests again' runs 3

mutation survivor one un >"$project/Tests/Mutants/second.txt"
mutants
check 'a mutation that survives fails' [ $status = 1 ]
check 'a mutation that survives is printed with the rule that it breaks' says '^ *SURVIVED  second/survivor: the text has two lines'
check 'only what is new is run' runs 5

echo four >>"$project/Sources/text"
mutants seen
check 'a result is valid only for the file that it was made with' runs 7

mutation called-equivalent two deux "test: make check
equivalent: a mistake of the list" >"$project/Tests/Mutants/second.txt"
mutants called-equivalent
check 'a mutation that is called equivalent and is killed fails' says '^ *KILLED  second/called-equivalent'

printf 'name: two-lines\nrule: the text has two lines\nfile: Sources/text\nold: one\ntwo\nnew: one\ntest: make check\n' >"$project/Tests/Mutants/second.txt"
mutants two-lines
check 'a text of two lines is replaced' says '^ *killed  second/two-lines'

mutation absent nowhere un >"$project/Tests/Mutants/second.txt"
mutation twice three un >>"$project/Tests/Mutants/second.txt"
mutants --check
check 'a line that does not exist any more is an error' says 'absent: Sources/text has 0 lines like this'
check 'a line that exists twice is an error' says 'twice: Sources/text has 2 lines like this'
check 'a list that does not fit the sources fails' [ $status = 1 ]

check 'an entry that does not fit is named with its file and line' says '^mutants: Tests/Mutants/second.txt:1: absent: '

in_file() { # file, old, more lines
    printf 'name: in-file\nrule: r\nfile: %s\nold: %s\nnew: \ntest: make check\n' "$1" "$2" >"$project/Tests/Mutants/second.txt"
    mutants --check
}
mkdir -p "$project/Sources/Room/Module" "$project/Sources/Other"
printf 'let a = call(\n        1,  2) + b\nlet ab = 1\n' | tee "$project/Sources/Room/Module/Text.swift" >"$project/Sources/Other/Text.swift"
in_file Text.swift 'let ab = 1'
check 'the end of two paths is an error' says 'in-file: Text.swift is the end of 2 paths'
in_file Module/Text.swift 'let ab = 1'
check 'the end of one path names the file' says '0 do not fit the sources'
in_file odule/Text.swift 'let ab = 1'
check 'the end of a path begins with a whole name' says 'in-file: odule/Text.swift does not exist'
in_file Module/Text.swift 'let a = call(1, 2)+b'
check 'white space and line breaks do not count' says '0 do not fit the sources'
in_file Module/Text.swift 'leta b = 1'
check 'white space between two words counts' says 'has 0 lines like this'
in_file Module/Text.swift 'call(1, 2) + b'
check 'a part of a line does not fit' says 'has 0 lines like this'

in_file Module/Text.swift 'let ab = 1'
mutants --rename ab gain
check 'an identifier has another name in the text' grep -qx 'old: let gain = 1' "$project/Tests/Mutants/second.txt"
mutants --rename g ain
check 'the rename of an unknown identifier fails' [ $status = 1 ]
mutants --rename Sources/Room/Module/Text.swift Sources/Room/Module/Words.swift
check 'a file has another name' grep -qx 'file: Module/Words.swift' "$project/Tests/Mutants/second.txt"
mutants --rename Module/ Part/
check 'a folder has another name' grep -qx 'file: Part/Words.swift' "$project/Tests/Mutants/second.txt"
mutants --rename only-one
check 'a rename with one argument is an error' last_line_is '^mutants: --rename has two arguments'

mutation elsewhere two deux 'test: swift NoSuchTests' >"$project/Tests/Mutants/second.txt"
mutants --check
check 'a test target that does not exist is an error' says "no test target is named as 'swift NoSuchTests' begins"
mkdir -p "$project/Tests/TextTests"
echo '@Suite struct TextSuite {}' >"$project/Tests/TextTests/TextSuite.swift"
for filter in TextTests/TextSuite TextTests.NoSuite; do
    mutation elsewhere two deux "test: swift $filter" >"$project/Tests/Mutants/second.txt"
    mutants --check
    check "a suite that does not exist is an error: $filter" says "'swift $filter' names no suite of TextTests"
done
mutation elsewhere two deux 'test: swift TextTests.Text' >"$project/Tests/Mutants/second.txt"
mutants --check
check 'the begin of the names of suites is a filter' says '0 do not fit the sources'

mutation failing two deux 'test: make nothing-like-this' >"$project/Tests/Mutants/second.txt"
mutants failing
check 'a test that fails on the unchanged tree judges nothing' says "ERROR .*'make nothing-like-this' fails on the unchanged tree"
check 'a mutation that is not judged fails' [ $status = 1 ]

mkfifo "$scratch/held"
printf 'hold:\n\techo held >%s/held; exec sleep 1000\n' "$scratch" >>"$project/Makefile"
mutation held two deux 'test: make hold' >"$project/Tests/Mutants/second.txt"
"$project/tools/mutants" held >/dev/null 2>&1 &
gate=$!
first_line "$scratch/held" >/dev/null
mutants seen
check 'a second run of mutations at the same time is an error' last_line_is '^mutants: another run is under way: wait for its end, or end it$'
kill -TERM $gate && await_end $gate
mutants seen
check 'mutations can be run again after a run was ended' [ $status = 0 ]

printf 'name: odd\nnews: x\n' >"$project/Tests/Mutants/second.txt"
mutants
check 'an unknown key is an error that names file and line' last_line_is '^mutants: Tests/Mutants/second.txt:2: news:'

# ---- the lists of the gate: make is a stand-in ----

lists=$scratch/lists
mkdir -p "$lists/tools"
cp "$root"/tools/{gate,parts.py,advice.py,processes.py,limited} "$lists/tools"
cat >"$lists/make" <<END
#!/bin/sh
for target; do :; done
case \$target in
list-source-checks) exec printf '%s\\n' 'one two' five ;;
list-user-checks) exec printf '%s\\n' three four ;;
esac
echo "\$target" >>$lists/made
case \$target in
stage) [ ! -e $lists/broken ] ;;
# The first list is busy until another one has taken over its next group.
two)
    [ ! -p $lists/begun ] || echo two >$lists/begun
    exec cat $lists/taken_over
    ;;
five) echo five >$lists/taken_over ;;
three | four) grep -qx stage $lists/made || echo "not ok - \$target precedes the library" ;;
roots) [ ! -e $lists/no-roots ] ;;
esac
END
cat >"$lists/tools/deps" <<END
#!/bin/sh
[ ! -e $lists/no-packages ] || { echo 'missing: libc6-dev:arm64' >&2; exit 1; }
END
chmod +x "$lists/make" "$lists/tools/deps"
mkfifo "$lists/taken_over"
run_gate() { # what
    : >"$lists/made"
    MAKE=$lists/make timeout $limit "$lists/tools/gate" "$@" >"$scratch/out" 2>&1
    status=$?
}
made_once() { [ "$(LC_ALL=C sort "$lists/made" | xargs)" = "$*" ]; }

run_gate
check 'a gate without a failure exits with 0' [ $status = 0 ]
check 'a list that ends takes over the next group of the first one' says '^ok +two, .*: five$'
check 'each part of the lists runs once' made_once check-cross five four one stage three two
check 'the library is built before the parts that use it' [ "$(grep -c precedes "$lists"/.build/gate/*.log | grep -vc ':0$')" = 0 ]
run_gate all
check 'the whole gate has the virtual machine and the packages' made_once \
    check-cross check-dist check-drivers check-objc-13 check-packages five four one roots stage three two
# The build of the library that .ci/run begins ends here when the first list is at its second part.
mkfifo "$lists/begun"
: >"$lists/made"
# shellcheck disable=SC2016
MAKE=$lists/make timeout $limit sh -c '
    { read -r line <"$0/begun" && echo library >>"$0/made"; } &
    LIBRARY_BUILD=$! exec "$0/tools/gate"' "$lists" >"$scratch/out" 2>&1
rm "$lists/begun"
check 'the gate waits for the library that the process before it has begun to build' \
    [ "$(grep -xE 'library|stage' "$lists/made" | xargs)" = 'library stage' ]
touch "$lists/no-roots"
run_gate all
check 'packages are skipped where no clean roots can be made' says '^skipped +check-packages, check-dist, check-objc-13: no clean roots'
check 'a gate that skips the packages exits with 0' [ $status = 0 ]
touch "$lists/no-packages"
run_gate
check 'what compiles for another processor is skipped without its packages' says '^skipped +check-cross: missing: libc6-dev:arm64$'
rm "$lists/no-packages"
touch "$lists/broken"
run_gate
check 'what uses the library is skipped where it cannot be built' says '^skipped +all that uses the library'
check 'no part uses a library that cannot be built' made_once check-cross five one stage two
check 'a gate that cannot build the library fails' [ $status = 1 ]

# ---- repetitions: make, swift and cc are stand-ins ----

stable=$scratch/stable
mkdir -p "$stable/tools" "$stable/bin" "$stable/Sources"
cp "$root"/tools/{check-stable,parts.py,advice.py,processes.py,limited} "$stable/tools"
printf '#!/bin/sh\nexit 0\n' | tee "$stable/tools/deps" "$stable/bin/swift" >/dev/null
# One compilation lasts longer than the tests: ending it must not wait for it.
printf '#!/bin/sh\necho $$ >>%s/compilations\nexec sleep 1000\n' "$scratch" >"$stable/bin/cc"
cat >"$stable/bin/make" <<END
#!/bin/sh
for target; do :; done
echo "\$target" >>$scratch/made
echo "\$*" >>$scratch/calls
case \$target in
check-plugin) [ "\$(grep -c '^check-plugin\$' $scratch/made)" != 2 ] || { echo 'not ok - the second time'; exit 1; } ;;
check-hostile) [ ! -p $scratch/hold ] || { echo \$\$ >$scratch/hold; exec sleep 1000; } ;;
esac
END
chmod +x "$stable"/bin/* "$stable/tools/deps"
echo .build/ >"$stable/.gitignore"
git -C "$stable" init -q && git -C "$stable" add -A && git -C "$stable" -c user.name=gate -c user.email=gate@localhost commit -qm gate
repeat() { # parts
    PATH=$stable/bin:$PATH MAKE=$stable/bin/make STABLE_ROUNDS=${rounds:-4} timeout $limit "$stable/tools/check-stable" "$@" >"$scratch/out" 2>&1
    status=$?
}
made() { [ "$(grep -c "^$1\$" "$scratch/made")" = "$2" ]; }

repeat check-plugin check-examples
check 'a part that fails in one round fails the whole' [ $status = 1 ]
check 'the table counts quiet and busy rounds' says '^check-plugin +0 of  2 +[0-9]+ s +1 of  2 '
check 'a part that never fails is in the table' says '^check-examples +0 of  2 +[0-9]+ s +0 of  2 '
check 'the log of the round that failed is printed' says '^not ok - the second time$'
check 'the last line names part and round' last_line_is '^FAILED: check-plugin round 2: .*make check-plugin$'
check 'each part runs once in each round' made check-plugin 4
check 'what a chosen part needs is built once' made stage 1
check 'what no chosen part needs is not built' made build-tsan 0
mapfile -t compilations <"$scratch/compilations"
check 'a busy round compiles' [ ${#compilations[@]} -gt 0 ]
check 'the compilations end with their round' gone "${compilations[@]}"

repeat check-plugin check-examples
check 'a finished round does not run again' made check-plugin 4
check 'the results of earlier runs count' [ $status = 1 ]

repeat check-plugins
check 'a part that does not exist is an error, with the names of the parts' says 'no part is named check-plugins; .* check-plugin '

rounds=8 repeat check-conformance check-objc check-server-module
for way in 'gcc check-conformance 2' 'clang check-conformance 2' 'g++ check-conformance 2' 'asan check-conformance 2' \
    'newer check-objc 2' 'g++ check-objc 0' 'gcc check-server-module 4' 'g++ check-server-module 0'; do
    check "a part builds its programs in each of its ways: $way" \
        [ "$(grep -c "WAYS=${way% *}\$" "$scratch/calls")" = "${way##* }" ]
done

mkfifo "$scratch/hold"
PATH=$stable/bin:$PATH MAKE=$stable/bin/make STABLE_ROUNDS=4 "$stable/tools/check-stable" check-examples check-hostile >"$scratch/out" 2>&1 &
gate=$!
first_line "$scratch/hold" >/dev/null
kill -TERM $gate
await_end $gate
check 'an interrupted repetition names the part that was under way' says '^interrupted by SIGTERM: check-hostile round 1 was under way'
rm "$scratch/hold"
repeat check-examples check-hostile
check 'an interrupted repetition continues with the round that was interrupted' made check-hostile 5
check 'an interrupted repetition keeps what had ended' made check-examples 4
echo 'let changed = true' >"$stable/Sources/New.swift"
repeat check-examples
check 'results are valid only for the sources that they were made with' made check-examples 8
check 'repetitions without a failure exit with 0' [ $status = 0 ]
printf '#!/bin/sh\nexit 1\n' >"$stable/bin/cc"
repeat check-examples
check 'a busy round without a compilation beside it is a failure' [ $status = 1 ]
check '... and names the compilation' says '^round 2 was not busy: .*: cc -std=gnu17 '
# shellcheck disable=SC2046
check 'the compilation of a busy round compiles' env -C "$root" \
    $(sed -n 's/^COMPILATION = ("\(.*\)")$/\1/p' "$root/tools/check-stable" | sed 's/", "/ /g') -o "$scratch/kernels.o"

# shellcheck source=Tests/Gate/processors.sh
. "$root/Tests/Gate/processors.sh"
# shellcheck source=Tests/Gate/standstill.sh
. "$root/Tests/Gate/standstill.sh"
# shellcheck source=Tests/Gate/score.sh
. "$root/Tests/Gate/score.sh"
# shellcheck source=Tests/Gate/objects.sh
. "$root/Tests/Gate/objects.sh"
# shellcheck source=Tests/Gate/reduced.sh
. "$root/Tests/Gate/reduced.sh"

echo "gate: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
