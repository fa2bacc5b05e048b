// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Measures the classes of AVFAudio beside the C functions, both in one program that is built as that of a user.
let package = Package(
    name: "SwiftBenchmarks",
    dependencies: [.package(name: "AudioSession", path: "../..")],
    targets: [
        .executableTarget(
            name: "classes",
            dependencies: [
                .product(name: "AVFAudio", package: "AudioSession"),
                .product(name: "AudioToolbox", package: "AudioSession"),
            ])
    ])
