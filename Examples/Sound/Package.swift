// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Programs that use the classes of AVFAudio. A program of its own names the folder of the AudioSession package here.
let package = Package(
    name: "Sound",
    dependencies: [.package(name: "AudioSession", path: "../..")],
    targets: ["play", "meter", "tone", "tap", "bounce"].map {
        .executableTarget(name: $0, dependencies: [.product(name: "AVFAudio", package: "AudioSession")])
    }
)
