# Clean roots of distributions, to be read by a shell: make-roots keeps them in ROOTS. Each test has a copy
# of its own, and everything mounted in it is gone with its last process.

fail() {
    echo "${0##*/}: $1" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail 'clean roots are made with debootstrap and entered with chroot: only root can do that'

# A copy to be changed, in $root until the caller ends.
copy_root() { # suite
    root=$(mktemp -d "$ROOTS/test.XXXXXX")
    trap 'rm -rf "$root"' EXIT
    cp -a --reflink=auto "$ROOTS/$1/." "$root"
    chmod 755 "$root"
    mkdir -m 1777 "$root/trial"
}

as_user=''
inside() { # root, command...
    local where=$1
    shift
    # shellcheck disable=SC2016,SC2086
    unshare --mount --pid --ipc --fork --kill-child sh -c '
        mount -t proc proc "$0/proc" && mount -t tmpfs tmp "$0/dev/shm" && exec chroot '"$as_user"' "$0" "$@"' "$where" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/trial LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# By apt, from local files and with what it finds that they need.
install_packages() { # packages or files inside
    inside "$root" apt-get install --yes --no-install-recommends "$@" >"$root/trial/apt.log" 2>&1 || {
        cat "$root/trial/apt.log" >&2
        fail "$* could not be installed"
    }
}

# As somebody who is not root.
try() { # what, command...
    local what=$1
    shift
    as_user='--userspec=1000:1000' inside "$root" "$@" >"$root/trial/try.log" 2>&1 || {
        cat "$root/trial/try.log" >&2
        fail "$suite: $what: failed"
    }
    echo "ok - $suite: $what"
}
