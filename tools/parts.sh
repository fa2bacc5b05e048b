# SPDX-License-Identifier: Apache-2.0
# Runs parts of the gate, several lists of them at the same time, and reports each. Sourced by tools/gate and
# tools/check-stable, from the project's folder.
#
# A part is a name and a command. Its log is $logs/NAME.log. Results come through pipes and are kept in memory, so
# that a full disk loses none.
# shellcheck shell=bash

. tools/processes.sh
make=${MAKE:-make}
# A part that does not end is ended after this many seconds.
part_limit=${PART_LIMIT:-1800}
declare -A status_of seconds_of processor_of under_way
ended=()

open_logs() { # folder
    logs=$1
    # A byte: on a full disk a file can be made and not written.
    mkdir -p "$logs" && echo >"$logs/.writable" && return
    echo "the logs cannot be written in $logs: free some space or make it writable, then start again" >&2
    exit 1
}

log_of() { echo "$logs/${1//[^A-Za-z0-9.=-]/_}.log"; }

# ---- inside a list ----

part() { # name, command...
    local name=$1 status=0 used TIMEFORMAT='%R %U %S'
    shift
    printf 'start\t%s\n' "$name" >&"$events"
    used=$({ time limited "$part_limit" "$name" "$@" >"$(log_of "$name")" 2>&1 </dev/null; } 2>&1) || status=$?
    awk -v name="$name" -v status=$status 'END { printf "end\t%s\t%d\t%.0f\t%.0f\n", name, status, $1, $2 + $3 }' <<<"$used" >&"$events"
    return $status
}

make_part() { # target and variables
    # shellcheck disable=SC2086
    part "$1" "$make" --keep-going --no-print-directory $1
}

skip_part() { # name, why
    printf 'skip\t%s\t%s\n' "$1" "$2" >&"$events"
}

# ---- the lists ----

# Each argument is a function: a list of parts. All run at the same time. Another process reads their events: bash can miss
# a signal that arrives before it blocks in read, not one before it blocks in wait.
run_lists() {
    local list name status collector_process events collected output interruption=''
    exec {output}>&1
    coproc collector {
        collect >&"$output"
        declare -p ended under_way status_of seconds_of processor_of | sed 's/^declare -/&g/'
    }
    # A list does not inherit the descriptors of a coprocess, but copies of them. What a part executes inherits no copy: a
    # process that it leaves running does not hold the pipe of events open.
    collector_process=$collector_PID
    exec {events}>&"${collector[1]}" {collected}<&"${collector[0]}" {collector[1]}>&- {collector[0]}<&-
    trap 'end_lists 2' INT
    trap 'end_lists 15' TERM
    trap 'end_lists 1' HUP
    for list; do "$list" {collected}<&- & done
    exec {events}>&-
    wait "$collector_process"
    status=$?
    trap - INT TERM HUP
    [ -z "$interruption" ] || { wait "$collector_process"; status=$?; }
    eval "$(cat <&"$collected")"
    exec {collected}<&- {output}>&-
    [ $status = 0 ] || { echo "the process that collects results has ended with $status: run it again" >&2; exit 1; }
    [ -z "$interruption" ] || report_interruption "$interruption"
    # A list that was killed announces no end.
    for name in "${!under_way[@]}"; do
        ended+=("$name") status_of[$name]=137 seconds_of[$name]=0 processor_of[$name]=0
    done
}

# Reads events until all lists have ended.
collect() {
    trap '' INT TERM HUP
    local event name status seconds processor
    while IFS=$'\t' read -r event name status seconds processor; do
        case $event in
        start) under_way[$name]=yes ;;
        skip) ended+=("$name") status_of[$name]=skipped seconds_of[$name]=0 processor_of[$name]=0
            echo "skipped  $name: $status" ;;
        end)
            unset 'under_way[$name]'
            ended+=("$name") status_of[$name]=$status seconds_of[$name]=$seconds processor_of[$name]=$processor
            announce "$name"
            part_ended "$name" ;;
        esac
    done
}

# For a script that keeps results: defined again there.
part_ended() { # name
    :
}

word_for() { # name
    case ${status_of[$1]} in 0) echo ok ;; skipped) echo skipped ;; *) echo FAILED ;; esac
}

# What a log says of a failure.
failure_pattern='^not ok|✘|(^|[^a-z])error:|ThreadSanitizer:|AddressSanitizer:|\*\*\*'

# The first line of a log that reports a failure, and the comments behind it that explain it.
first_failure() { # name
    local lines
    lines=$(grep -m 1 -A 8 -E "$failure_pattern" "$(log_of "$1")" 2>/dev/null |
        awk 'NR == 1 { print; next } !/^#/ { exit } { print "         " $0 }')
    echo "${lines:-its log follows at the end}"
}

announce() { # name
    if [ "${status_of[$1]}" = 0 ]; then
        printf '%-8s %s, %d s: %s\n' ok "$1" "${seconds_of[$1]}" "$(tail -n 1 "$(log_of "$1")" 2>/dev/null)"
    else
        printf '%-8s %s, %d s: %s\n' FAILED "$1" "${seconds_of[$1]}" "$(first_failure "$1")"
    fi
}

# A trap. A stopped list gets its signal before the end of its part: the part stays under way.
end_lists() { # signal
    trap '' INT TERM HUP
    interruption=$1
    local process stopped left deadline=$((SECONDS + 5))
    stop_descendants $$ "$collector_process"
    kill -TERM "${stopped[@]}" 2>/dev/null
    kill -CONT "${stopped[@]}" 2>/dev/null
    # A program may ignore the signal, as the tests of Swift do.
    for process in "${stopped[@]}"; do
        left=$((deadline - SECONDS))
        [ $left -le 0 ] || timeout $left tail --sleep-interval=0.1 --pid="$process" -f /dev/null
    done
    kill -KILL "${stopped[@]}" 2>/dev/null
}

report_interruption() { # signal
    local name
    [ ${#ended[@]} = 0 ] || table
    for name in "${!under_way[@]}"; do
        echo "interrupted by SIG$(kill -l "$1"): $name was under way; run it again: make $name" >&2
    done
    exit $((128 + $1))
}

# ---- the report ----

table() {
    local name
    printf '\n%8s %10s  %-8s %s\n' time processor result part
    for name in "${ended[@]}"; do
        printf '%6d s %8d s  %-8s %s\n' "${seconds_of[$name]}" "${processor_of[$name]}" "$(word_for "$name")" "$name"
    done
    printf '%6d s %10s  in all\n' $SECONDS ''
}

full_disk() {
    df -Pk "$logs" . "${TMPDIR:-/tmp}" 2>/dev/null | awk 'NR > 1 && $4 < 65536 { print $6; exit }'
}

missing_tool() { # log
    sed -nE -e 's/.*: ([^: ]+): (command )?not found$/\1/p' \
        -e "s/^make(\[[0-9]+\])?: ([^: ]+): No such file or directory\$/\2/p" \
        -e "s/.*env: .([^: ]+).: No such file or directory\$/\1/p" "$1" | head -n 1
}

# Why a part failed, as far as its end shows, and what to do. A part that is repeated is "NAME round NUMBER".
advise() { # name
    local log disk tool signal target=${1% round *}
    log=$(log_of "$1")
    disk=$(full_disk)
    if [ -n "$disk" ] || grep -qsE 'No space left on device|Disk quota exceeded' "$log"; then
        echo "a disk is full${disk:+ ($disk)}: free some space, then: make $target"
        return
    fi
    tool=$(missing_tool "$log" 2>/dev/null)
    if [ -n "$tool" ]; then
        echo "the tool $tool is missing: make deps installs what is known to be needed, then: make $target"
        return
    fi
    if grep -qs 'these processes are still there:$' "$log"; then
        echo "it did not end: its log above shows what its processes wait for; run it again: make $target"
        return
    fi
    signal=$(grep -sE '^make(\[[0-9]+\])?: \*\*\* .*\] (Killed|Terminated|Interrupt|Hangup)' "$log" | grep -oE '[A-Z][a-z]+$' | tail -n 1)
    [ "${status_of[$1]}" -le 128 ] || signal=$(kill -l $((status_of[$1] - 128)))
    if [ -n "$signal" ]; then
        echo "it was ended from outside (${signal#SIG}): check that memory suffices and that no other program ends it, then: make $target"
        return
    fi
    echo "the reason is in its log above; run it again: make $target"
}

# Prints a log; of a long one only the end and, last, the lines that report failures.
show_log() { # name
    local log lines
    log=$(log_of "$1")
    printf '\n---- the log of %s (%s)\n' "$1" "$log"
    lines=$(wc -l <"$log" 2>/dev/null || echo 0)
    if [ "$lines" -le 300 ]; then
        cat "$log" 2>/dev/null
    else
        printf '[...] the last 150 of %d lines:\n' "$lines"
        tail -n 150 "$log"
    fi
    printf '\n---- the lines of it that report failures\n'
    grep -nE -A 4 "$failure_pattern" "$log" | head -n 60
}

# The table, the logs of what failed, and one line for each. Fails where a part failed.
report() {
    local name failed=()
    table
    for name in "${ended[@]}"; do [ "$(word_for "$name")" != FAILED ] || failed+=("$name"); done
    [ ${#failed[@]} -gt 0 ] || return 0
    for name in "${failed[@]}"; do show_log "$name"; done
    printf '\n'
    for name in "${failed[@]}"; do echo "FAILED: $name: $(advise "$name")"; done
    return 1
}
