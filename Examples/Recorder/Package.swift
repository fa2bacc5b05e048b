// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A program of its own names the folder of the AudioSession package here.
let package = Package(
    name: "Recorder",
    dependencies: [.package(name: "AudioSession", path: "../..")],
    targets: [
        .systemLibrary(name: "ALSA"),
        .executableTarget(name: "Recorder", dependencies: ["ALSA", .product(name: "AVFAudio", package: "AudioSession")]),
    ]
)
