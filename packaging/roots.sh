# SPDX-License-Identifier: Apache-2.0
# Functions for clean root file systems, which make-roots keeps in ROOTS. Each test changes its own copy. The mounts in it
# end with its last process.

fail() {
    echo "${0##*/}: $1" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail 'only root can make a root file system and enter it: run this as root'

# Makes a copy in $root, which is removed when the caller ends.
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

# Installs packages or local files with apt, with their dependencies.
install_packages() { # packages or files inside
    inside "$root" apt-get install --yes --no-install-recommends "$@" >"$root/trial/apt.log" 2>&1 || {
        cat "$root/trial/apt.log" >&2
        fail "$* could not be installed"
    }
}

# Runs a command as an ordinary user.
try() { # what, command...
    local what=$1
    shift
    as_user='--userspec=1000:1000' inside "$root" "$@" >"$root/trial/try.log" 2>&1 || {
        cat "$root/trial/try.log" >&2
        fail "$suite: $what: failed"
    }
    echo "ok - $suite: $what"
}
