// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A program of its own names the folder of the AudioSession package here.
let package = Package(
    name: "Speech",
    dependencies: [.package(name: "AudioSession", path: "../..")],
    targets: [
        .executableTarget(name: "Speech", dependencies: [.product(name: "AVFAudio", package: "AudioSession")])
    ]
)
