# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# standstill.sh, a part of run.sh: how tools/standstill runs a command.
# shellcheck disable=SC2154 # run.sh sets the variables

standstill() { # command...
    timeout $limit "$root/tools/standstill" "$@" >"$scratch/out" 2>&1
    status=$?
}

standstill true
if [ $status = 0 ]; then
    # The longest time between two wake-ups of a program that sleeps for 10 ms.
    standstill /usr/bin/python3 -c '
import time
end, last, longest = time.monotonic() + 4, time.monotonic(), 0
while last < end:
    time.sleep(0.01)
    now = time.monotonic()
    last, longest = now, max(longest, now - last)
print("stood still" if longest > 0.06 else f"{longest} s at most")'
    check 'a command stands still' says '^stood still$'
    standstill sh -c 'exit 7'
    check 'the status is that of the command' [ $status = 7 ]
    standstill sh -c 'kill -KILL $$'
    check 'a command that a signal ends has its status' [ $status = 137 ]
    standstill /no/such
    check 'a command that does not exist has status 127' [ $status = 127 ]
    check 'a command that does not exist is named' says '^standstill: /no/such: No such file or directory$'
    standstill sh -c "sleep 1000 & echo \$! >$scratch/left; exit 3"
    check 'a command that leaves a process behind keeps its status' [ $status = 3 ]
    check 'what a command leaves behind ends with it' gone "$(cat "$scratch/left")"
    mkfifo "$scratch/begun"
    "$root/tools/standstill" sh -c "echo \$\$ >$scratch/begun; exec sleep 1000" >"$scratch/out" 2>&1 &
    tool=$!
    left=$(first_line "$scratch/begun")
    kill -TERM $tool
    await_end $tool
    check 'an interruption ends the command' gone "$left"
    rm "$scratch/begun"
    check 'no control group is left' [ -z "$(find /sys/fs/cgroup /sys/fs/cgroup/freezer -maxdepth 1 -name "standstill.$tool" 2>/dev/null)" ]
else
    check 'without the rights for a control group the message says what is needed' says '^standstill: /sys/fs/cgroup.*: .* needs the rights of root'
fi
