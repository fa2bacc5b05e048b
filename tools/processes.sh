# SPDX-License-Identifier: Apache-2.0
# What the descendants of a process wait for, and their end. Sourced.
# shellcheck shell=bash

# Prints the descendants of a process, without those of the shell that runs this function.
descendants() { # process, and another descendant that is left out with its own (0: none)
    local own=$BASHPID
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v root="$1" -v own="$own" -v except="${2:-0}" '
        { pid = $1; sub(/^.*\) . /, ""); parent[pid] = $1 }
        END {
            child[root] = 1
            do {
                more = 0
                for (pid in parent)
                    if (pid != own && pid != except && !(pid in child) && (parent[pid] in child)) { child[pid] = 1; more = 1 }
            } while (more)
            delete child[root]
            for (pid in child) print pid
        }' | sort -n
}

# Stops the descendants of a process but one, also those that are made meanwhile. They are in $stopped. A shell
# whose command is killed goes on with the next one, and may end without a failure: a stopped one does not.
stop_descendants() { # process, and the descendant that is left out
    local before=none
    stopped=()
    while [ "${stopped[*]}" != "$before" ]; do
        before=${stopped[*]}
        mapfile -t stopped < <(descendants "$1" "$2")
        kill -STOP "${stopped[@]}" 2>/dev/null
    done
}

# What a process waits for: a line, and the stacks of its threads where gdb is installed. Shells and their like wait for others.
stacks() { # process
    ps -o pid=,ppid=,stat=,wchan:24=,args= -p "$1" || return
    case $(ps -o comm= -p "$1") in bash | sh | make | xargs | timeout) return ;; esac
    command -v gdb >/dev/null || return
    timeout 60 gdb --nx --batch --pid="$1" -ex 'thread apply all backtrace 16' 2>/dev/null </dev/null | grep -E '^(#|Thread )'
}

# Prints what the descendants of a process wait for, and ends them with SIGKILL. This process stays.
end_descendants() { # process
    local processes process stopped own=$BASHPID
    mapfile -t processes < <(descendants "$1" "$own")
    for process in "${processes[@]}"; do stacks "$process"; done
    stop_descendants "$1" "$own"
    kill -KILL "${stopped[@]}" 2>/dev/null
}

# Runs a command, and ends it when it takes too long. Not in the background: there a command ignores SIGINT.
limited() { # seconds, name, command...
    local limit=$1 name=$2 status=0 running watcher caller=$BASHPID
    shift 2
    # Standard input ends when the command has ended.
    exec {running}> >(
        read -r -t "$limit"
        [ $? -gt 128 ] || exit
        echo "not ok - $name ends within $limit s: these processes are still there:"
        end_descendants "$caller"
    )
    watcher=$!
    # A process that the command leaves running must not hold the pipe open.
    ("$@") {running}>&- || status=$?
    exec {running}>&-
    # What it prints precedes what follows.
    wait $watcher
    return $status
}
