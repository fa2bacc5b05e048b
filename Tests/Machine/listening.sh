# The program under test, spoken to by tests: $errors is the file that takes its standard error.

# Starts the listening program; its words arrive in $heard, what it says on standard error in a file.
start() { # how
    coproc LISTEN { exec "$@" listen 2>>"$errors"; }
    to=${LISTEN[1]} from=${LISTEN[0]} listener=$LISTEN_PID
    expect '= ready'
}

stop() {
    echo exit >&"$to"
    wait "$listener"
}

# Reads lines until one fits the pattern; what came before is kept in $before.
expect() {
    before=''
    local deadline=$((SECONDS + 20))
    while [ $SECONDS -lt $deadline ] && IFS= read -r -t 20 heard <&"$from"; do
        # shellcheck disable=SC2053
        [[ $heard == $1 ]] && return 0
        before+="$heard"$'\n'
    done
    echo "#   expected: $1"
    echo "#   heard: ${before//$'\n'/ | }"
    exit 1
}

say() { echo "$*" >&"$to"; }

# What the program answers, without the first two words.
ask() {
    say "$@"
    expect "[=!]*"
    answer=${heard#* * }
}

# Whether the program says something to people who ask for it.
logged() { # what, how
    echo exit | AUDIOSESSION_DEBUG=1 "${@:2}" listen 2>&1 >/dev/null | grep -qF "$1" || { echo "#   nothing was said about: $1"; exit 1; }
}

check() { [[ $1 == $2 ]] || { echo "#   expected: $2"; echo "#   was: $1"; exit 1; }; }

# ---- Tests, each in a shell of its own: a test is a sentence that holds when each of its steps does ----

passed=0 failed=0
promise() { # name of the function after test_, sentence
    local name=$1 sentence=$2
    # shellcheck disable=SC2053
    [[ $name == $only ]] || return 0
    if output=$(trap tidy EXIT; "test_$name" 2>&1); then
        echo "ok - $sentence"
        [ -z "$output" ] || echo "$output"
        passed=$((passed + 1))
    else
        echo "not ok - $sentence"
        echo "$output"
        failed=$((failed + 1))
    fi
}

expect_silence() {
    [ -s "$errors" ] || return 0
    echo 'not ok - nothing of the library or of libasound reaches standard error'
    sed 's/^/#   /' "$errors"
    failed=$((failed + 1))
}
