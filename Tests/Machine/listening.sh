# SPDX-License-Identifier: Apache-2.0
# The program under test and the tests that drive it. $errors is the file for its standard error.

# The longest time for which a test waits for one event, in seconds.
limit=60

# Starts the program under test. Its lines are read into $line; its standard error goes to a file.
start() { # how
    coproc LISTEN { exec "$@" listen 2>>"$errors"; }
    to=${LISTEN[1]} from=${LISTEN[0]} listener=$LISTEN_PID
    expect '= ready'
}

# A slow machine explores its cards for longer than AudioSessionInitialize waits.
await_cards() {
    ask get crar
    [ "$answer" != 'route=-/-' ] || expect 'route reason=* from=-/- *'
}

stop() {
    echo exit >&"$to"
    wait "$listener"
}

# Reads lines until one matches the pattern. $before has the lines before it.
expect() {
    before=''
    local deadline=$((SECONDS + limit))
    while [ $SECONDS -lt $deadline ] && IFS= read -r -t "$limit" line <&"$from"; do
        # shellcheck disable=SC2053
        [[ $line == $1 ]] && return 0
        before+="$line"$'\n'
    done
    echo "#   waited $limit s for the line: $1"
    echo "#   the program wrote instead: ${before//$'\n'/ | }"
    exit 1
}

# Repeats a command until it succeeds, for states that no event reports. $show prints what there is instead.
show=:
await() { # description, command...
    local deadline=$((SECONDS + limit))
    until "${@:2}" 2>/dev/null; do
        [ $SECONDS -lt $deadline ] || { echo "#   waited $limit s for $1; there is instead:"; $show 2>&1 | sed 's/^/#   /'; exit 1; }
        sleep 0.05
    done
}
contains() { grep -q "$@"; }

say() { echo "$*" >&"$to"; }

# Sends a command and sets $answer to the answer without its first two fields.
ask() {
    say "$@"
    expect "[=!]*"
    answer=${line#* * }
}

# Checks that the program writes a line to the debug log.
logged() { # what, how
    echo exit | AUDIOSESSION_DEBUG=1 "${@:2}" listen 2>&1 >/dev/null | grep -qF "$1" || { echo "#   the log has no line: $1"; exit 1; }
}

check() { [[ $1 == $2 ]] || { echo "#   expected: $2"; echo "#   was: $1"; exit 1; }; }

# ---- Tests: each runs in its own shell and fails with its first failed step ----

passed=0 failed=0
promise() { # name of the function after test_, sentence
    local name=$1 sentence=$2
    # shellcheck disable=SC2053
    [[ $name == $only ]] || return 0
    local before
    before=$(bytes_of_errors)
    if output=$(trap tidy EXIT; "test_$name" 2>&1); then
        echo "ok - $sentence"
        [ -z "$output" ] || echo "$output"
        passed=$((passed + 1))
    else
        echo "not ok - $sentence"
        echo "$output"
        failed=$((failed + 1))
    fi
    [ "$(bytes_of_errors)" = "$before" ] || echo "(in the test $name)" >>"$errors"
}
bytes_of_errors() { stat -c %s "$errors" 2>/dev/null || echo 0; }

expect_silence() {
    [ -s "$errors" ] || return 0
    echo 'not ok - nothing of the library or of libasound reaches standard error'
    sed 's/^/#   /' "$errors"
    failed=$((failed + 1))
}
