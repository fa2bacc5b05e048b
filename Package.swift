// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The trait `Embedded` builds what ships: no Swift runtime, no Foundation. Without it the same
// sources are ordinary Swift, which tests, sanitizers, coverage and the static fallback use.
// Linker flags live in the Makefile, so that this manifest holds no unsafe flag and other
// packages can depend on it by version.
let settings: [SwiftSetting] = [
    .enableExperimentalFeature("Embedded", .when(traits: ["Embedded"])),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Only in what is never shipped can calls to the system be made to fail.
let failing: [CSetting] = [.define("FAILING", .when(configuration: .debug))]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
}

let package = Package(
    name: "AudioSession",
    products: [
        .library(name: "AudioSession", type: .dynamic, targets: ["AudioToolbox"]),
        // The same session for Swift programs, and for the C code in their process.
        .library(name: "AVFAudio", targets: ["AVFAudio", "AVFoundation", "AudioToolbox"]),
        .executable(name: "audiosessionctl", targets: ["audiosessionctl"]),
        .library(name: "ALSAPlugin", type: .dynamic, targets: ["ALSAPlugin"]),
    ],
    traits: ["Embedded"],
    targets: [
        // ground
        .target(name: "CALSA", dependencies: ["CLinux"], cSettings: failing, linkerSettings: [.linkedLibrary("asound")]),
        .target(name: "CLinux", cSettings: failing, linkerSettings: [.linkedLibrary("m")]),
        .target(name: "CAudioStreams"),
        // PIC: libasound's own header asks for it in a plug-in.
        .target(name: "CALSAPlugin", dependencies: ["CAudioStreams"], cSettings: [.define("PIC")]),
        .target(name: "CVersion"),
        .target(name: "CPlainStrings", cSettings: [.define("EMBEDDED", .when(traits: ["Embedded"]))]),
        .systemLibrary(name: "CAudioToolbox"),
        .systemLibrary(name: "CCoreFoundation"),
        .target(name: "AudioToolboxConstants"),
        .target(
            name: "LinuxSystem", dependencies: ["CLinux"],
            // Only what is never shipped can be overheard: tests read the log.
            swiftSettings: settings + [.define("OVERHEARD", .when(configuration: .debug))]),
        // core: values and pure functions
        module("SessionModel"),
        module("SessionArbiter", ["SessionModel"]),
        // world
        .target(
            name: "SessionRegistry", dependencies: ["SessionArbiter", "SessionModel", "LinuxSystem", "CLinux"],
            // Only what is never shipped can be killed or stopped in the middle of a transaction.
            swiftSettings: settings + [.define("INTERRUPTIBLE", .when(configuration: .debug))]),
        module("AudioHardware", ["SessionModel"]),
        module("SimulatedHardware", ["AudioHardware", "SessionModel", "LinuxSystem", "CLinux"]),
        module("ALSAHardware", ["AudioHardware", "SessionModel", "LinuxSystem", "CALSA", "CLinux"]),
        // session
        module(
            "AudioSession",
            ["SessionModel", "SessionArbiter", "SessionRegistry", "AudioHardware", "SimulatedHardware", "LinuxSystem", "CLinux"]),
        // the table and the machine that a process's environment names
        module(
            "Surroundings", ["SessionRegistry", "ALSAHardware", "AudioHardware", "SimulatedHardware", "LinuxSystem"]),
        // what is played and recorded on behalf of a session
        module(
            "AudioStreams",
            [
                "CAudioStreams", "Surroundings", "SessionRegistry", "SessionArbiter", "SessionModel", "AudioHardware",
                "LinuxSystem", "CALSA", "CLinux",
            ]),
        // the one of this process
        module(
            "CommonSession",
            [
                "AudioSession", "Surroundings", "SessionModel", "LinuxSystem", "CLinux",
            ]),
        // media: values and pure functions, for the units, the queues and the converters
        .target(name: "CSpeexDSP", linkerSettings: [.linkedLibrary("speexdsp")]),
        module("MediaFormats"),
        module("PCMConversion", ["MediaFormats"]),
        module("Resampling", ["CSpeexDSP"]),
        .target(name: "AllocationCount", path: "Tests/AllocationCount"),
        tests("MediaFormatsTests", ["MediaFormats"]),
        tests("PCMConversionTests", ["AllocationCount", "PCMConversion", "MediaFormats"]),
        tests("ResamplingTests", ["AllocationCount", "Resampling"]),
        // faces
        module("ALSAPlugin", ["CALSAPlugin", "CAudioStreams", "AudioStreams", "CPlainStrings"]),
        module(
            "AudioToolbox",
            [
                "CommonSession", "AudioSession", "SimulatedHardware", "SessionModel", "LinuxSystem",
                "CAudioToolbox", "CCoreFoundation", "AudioToolboxConstants", "CLinux", "CPlainStrings",
            ]),
        // Foundation: ordinary Swift only.
        .target(
            name: "AVFAudio", dependencies: ["CommonSession", "AudioSession", "SessionModel", "LinuxSystem"],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]),
        .target(name: "AVFoundation", dependencies: ["AVFAudio"]),
        // The output of the command line tool as values.
        module("CLIOutput", ["SessionArbiter", "SessionModel", "LinuxSystem"]),
        .executableTarget(
            name: "audiosessionctl",
            dependencies: [
                "CLIOutput", "SessionModel", "SessionArbiter", "SessionRegistry", "AudioStreams", "ALSAHardware",
                "AudioHardware", "SimulatedHardware", "Surroundings",
                "LinuxSystem", "CLinux", "CVersion",
            ],
            swiftSettings: settings),
        // Generates the tables and pictures of the documents; part of no product.
        .executableTarget(
            name: "DocumentTables", dependencies: ["CLIOutput", "SessionArbiter", "SessionModel"],
            path: "tools/DocumentTables"),
        // for the fuzzers; part of no product
        .target(
            name: "FuzzEntrances",
            dependencies: [
                "AudioToolbox", "CommonSession", "AudioSession", "AudioStreams", "ALSAHardware", "AudioHardware",
                "SimulatedHardware", "SessionModel", "SessionArbiter", "SessionRegistry", "LinuxSystem", "CAudioToolbox",
                "CLinux",
            ], path: "Fuzz/Entrances", swiftSettings: settings),
        tests("CLinuxTests", ["CLinux", "FailingCalls"]),
        tests("SessionModelTests", ["SessionModel"]),
        tests("AudioStreamsTests", ["AudioStreams", "CAudioStreams", "SessionModel", "CLinux"]),
        tests("DocumentTablesTests", ["DocumentTables", "SessionArbiter", "SessionModel"]),
        .executableTarget(
            name: "RegistryPeer", dependencies: ["SessionRegistry", "SessionArbiter", "SessionModel"], path: "Tests/RegistryPeer"),
        .target(name: "FailingCalls", path: "Tests/FailingCalls"),
        tests(
            "SessionRegistryTests",
            ["RegistryPeer", "FailingCalls", "SessionRegistry", "SessionArbiter", "SessionModel", "LinuxSystem", "CLinux"]),
        tests("SessionArbiterTests", ["SessionArbiter", "SessionModel"]),
        // Sound cards and a sound server for the tests' own process.
        .target(
            name: "StandInKernel", path: "Tests/StandInKernel", cSettings: [.define("PIC")],
            linkerSettings: [.linkedLibrary("asound")]),
        tests(
            "ALSAHardwareTests",
            ["StandInKernel", "FailingCalls", "ALSAHardware", "AudioHardware", "SessionModel", "LinuxSystem", "CLinux"]),
        tests("CLIOutputTests", ["CLIOutput", "SessionArbiter", "SessionModel"]),
        tests(
            "CommandLineTests",
            ["RegistryPeer", "audiosessionctl", "SimulatedHardware", "AudioHardware", "SessionModel", "CLinux"]),
        tests("SimulatedHardwareTests", ["SimulatedHardware", "AudioHardware", "SessionModel", "CLinux"]),
        // Programs that tests run in processes of their own: half C and half Swift, and all C.
        // The headers are for C only: Foundation's own modules would find ours instead of theirs.
        .target(
            name: "CHalf", dependencies: ["AudioToolbox"], path: "Tests/CHalf",
            cSettings: [.headerSearchPath("../../include")]),
        .executableTarget(name: "AVFAudioPeer", dependencies: ["AVFAudio", "AVFoundation", "CHalf"], path: "Tests/AVFAudioPeer"),
        .executableTarget(
            name: "CPeer", dependencies: ["AudioToolbox"], path: "Tests/CPeer",
            cSettings: [.headerSearchPath("../../include")]),
        tests(
            "AVFAudioTests",
            [
                "AVFAudioPeer", "CPeer", "AVFAudio", "AVFoundation", "AudioSession", "AudioHardware", "SimulatedHardware",
                "SessionRegistry",
                "SessionArbiter", "SessionModel", "CLinux",
            ]),
        tests("AudioToolboxTests", ["AudioToolbox", "CAudioToolbox"]),
        tests(
            "AudioSessionTests",
            [
                "FailingCalls", "AudioSession", "AudioHardware", "SessionRegistry", "SessionArbiter", "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)
