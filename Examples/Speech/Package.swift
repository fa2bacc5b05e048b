// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A program of its own would name a version here instead of a path.
let package = Package(
    name: "Speech",
    dependencies: [.package(name: "AudioSession", path: "../..")],
    targets: [
        .executableTarget(name: "Speech", dependencies: [.product(name: "AVFAudio", package: "AudioSession")])
    ]
)
