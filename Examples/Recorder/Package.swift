// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A program of its own would name a version here instead of a path.
let package = Package(
    name: "Recorder",
    dependencies: [.package(name: "AudioSession", path: "../..")],
    targets: [
        .systemLibrary(name: "ALSA"),
        .executableTarget(name: "Recorder", dependencies: ["ALSA", .product(name: "AVFAudio", package: "AudioSession")]),
    ]
)
