# SPDX-License-Identifier: Apache-2.0
# Interruptions with many sessions, each in a process of its own.
[ -e "$out/interrupt" ] || build interrupt interrupt.c -- $(flags audiosession)
build crowd crowd.c -- $(flags audiosession)

# beside COUNT KIND SUBJECT
beside() {
    local process ready
    coproc CROWD { simulated "$out/crowd" "$1" "$2"; }
    process=$CROWD_PID
    read -r ready <&"${CROWD[0]}" && [ "$ready" = ready ]
    simulated "$out/interrupt" "${BENCH_CROWD:-200}" crowd "$3"
    eval "exec ${CROWD[1]}>&-"
    wait "$process"
}

run_crowd() {
    beside 10 ambient '10 active and mixing'
    beside 100 ambient '100 active and mixing'
    beside 1000 ambient '1,000 active and mixing'
    beside 10 players '10 interrupted players'
    beside 100 players '100 interrupted players'
    beside 1000 players '1,000 interrupted players'
}
