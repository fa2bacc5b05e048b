# SPDX-License-Identifier: Apache-2.0
# The classes of AVFAudio beside the C functions, in a program that is built as that of a user.
HOME=$home "${SWIFT:-swift}" build -c release --package-path Swift >"$out/swift.log" 2>&1 ||
    note swift-graph 'Left out: the program in Swift was not built, see `.build/bench/swift.log`.'

run_swift() { [ ! -x Swift/.build/release/classes ] || simulated Swift/.build/release/classes 20 "$place"; }
