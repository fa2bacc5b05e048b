// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The trait `Embedded` builds what ships: no Swift runtime, no Foundation. Without it the same
// sources are ordinary Swift, which tests, sanitizers, coverage and the static fallback use.
// Linker flags live in the Makefile, so that no product of this manifest has an unsafe flag and other
// packages can depend on it by version.
let settings: [SwiftSetting] = [
    .enableExperimentalFeature("Embedded", .when(traits: ["Embedded"])),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The calls to the system that tests can make fail: the linker replaces them in the tests' own process. No product
/// contains the target that has these flags, so that other packages can depend on this one.
let callsThatCanFail = """
    access calloc close dlopen dlsym epoll_create1 epoll_ctl epoll_wait eventfd eventfd_read eventfd_write execvp
    fcntl fstat ftruncate getrandom inotify_add_watch inotify_init1 link lstat malloc mkdir mkfifo nanosleep
    newlocale open opendir poll posix_fallocate pread pthread_attr_init pthread_create pwrite read readdir readlink
    realloc rename setenv signalfd snd_config_get_ascii snd_config_get_id snd_config_get_string
    snd_config_load snd_config_search snd_config_search_definition snd_config_top snd_config_update_r
    snd_ctl_card_info snd_ctl_elem_info snd_ctl_elem_list snd_ctl_elem_list_alloc_space snd_ctl_elem_list_malloc snd_ctl_elem_read
    snd_ctl_elem_write snd_ctl_open_lconf snd_ctl_pcm_info snd_ctl_pcm_next_device snd_ctl_poll_descriptors
    snd_ctl_read snd_ctl_subscribe_events snd_input_buffer_open snd_pcm_avail_delay snd_pcm_avail_update
    snd_pcm_delay snd_pcm_drop snd_pcm_hw_params snd_pcm_hw_params_any
    snd_pcm_hw_params_set_buffer_size_near snd_pcm_hw_params_set_channels snd_pcm_hw_params_set_channels_near
    snd_pcm_hw_params_set_period_size_near snd_pcm_hw_params_set_rate
    snd_pcm_hw_params_set_rate_near snd_pcm_ioplug_create snd_pcm_ioplug_set_param_list
    snd_pcm_ioplug_set_param_minmax snd_pcm_mmap_begin snd_pcm_mmap_commit snd_pcm_open snd_pcm_open_lconf
    snd_pcm_prepare snd_pcm_readi snd_pcm_rewind snd_pcm_start snd_pcm_sw_params snd_pcm_sw_params_current
    snd_pcm_writei snd_use_case_get snd_use_case_get_list snd_use_case_mgr_open stat timerfd_create timerfd_settime unlink write
    """
/// For what stands in for the kernel: its own calls never fail.
let unaffected: [CSetting] = ["calloc", "close", "dlsym", "fstat", "malloc", "poll"].map { .define($0, to: "__real_\($0)") }
let faults: [LinkerSetting] = [
    .unsafeFlags(callsThatCanFail.split(whereSeparator: \.isWhitespace).flatMap { ["-Xlinker", "--wrap=\($0)"] }),
    .linkedLibrary("asound"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
}

let package = Package(
    name: "AudioSession",
    products: [
        .library(name: "AudioSession", type: .dynamic, targets: ["AudioSessionServices"]),
        .library(name: "AudioToolbox", type: .dynamic, targets: ["AudioToolboxServices"]),
        // The same session for Swift programs, and for the C code in their process.
        .library(name: "AVFAudio", targets: ["AVFAudio", "AVFoundation", "AudioSessionServices"]),
        .executable(name: "audiosessionctl", targets: ["audiosessionctl"]),
    ],
    traits: ["Embedded"],
    targets: [
        // ground
        .target(name: "CALSA", dependencies: ["CLinux"], linkerSettings: [.linkedLibrary("asound")]),
        .target(
            name: "CLinux", cSettings: [.define("EMBEDDED_SWIFT", .when(traits: ["Embedded"]))],
            linkerSettings: [.linkedLibrary("m")]),
        .target(name: "CAudioStreams"),
        .target(name: "CStatusPage"),
        .target(name: "CEngineInterface", dependencies: ["CAudioStreams", "CStatusPage", "CVersion"]),
        .target(name: "CVersion"),
        .systemLibrary(name: "CAudioSessionServices"),
        .systemLibrary(name: "CCoreFoundation"),
        .target(name: "CAudioSessionConstants"),
        .target(
            name: "LinuxSystem", dependencies: ["CLinux"],
            // Only what is never shipped can be overheard: tests read the log.
            swiftSettings: settings + [.define("LOG_CAPTURE", .when(configuration: .debug))]),
        // core: values and pure functions
        module("SessionModel"),
        module("SessionArbiter", ["SessionModel"]),
        // world
        .target(
            name: "SessionRegistry", dependencies: ["SessionArbiter", "SessionModel", "LinuxSystem", "CLinux"],
            // Only what is never shipped can be killed or stopped in the middle of a transaction.
            swiftSettings: settings + [.define("TEST_HOOKS", .when(configuration: .debug))]),
        module("StatusPages", ["CStatusPage", "SessionRegistry", "LinuxSystem", "CLinux"]),
        module("AudioHardware", ["SessionModel", "LinuxSystem", "CLinux"]),
        module("SimulatedHardware", ["AudioHardware", "SessionModel", "LinuxSystem", "CLinux"]),
        module("ALSAHardware", ["AudioHardware", "SessionModel", "LinuxSystem", "CALSA", "CLinux"]),
        // session
        module(
            "AudioSession",
            ["SessionModel", "SessionArbiter", "SessionRegistry", "AudioHardware", "LinuxSystem", "CLinux"]),
        // what is played and recorded on behalf of a session
        module(
            "AudioStreams",
            [
                "CAudioStreams", "CStatusPage", "SessionRegistry", "SessionArbiter", "SessionModel", "AudioHardware",
                "LinuxSystem", "CALSA", "CLinux",
            ]),
        // the session and the streams of this process, on the table and the hardware that its environment names
        module(
            "AudioEngine",
            [
                "AudioSession", "AudioStreams", "SessionRegistry", "StatusPages", "CStatusPage", "ALSAHardware", "AudioHardware",
                "SimulatedHardware", "SessionModel", "LinuxSystem", "CLinux",
            ]),
        // media: values and pure functions, for the units, the queues and the converters
        .target(name: "CSpeexDSP", linkerSettings: [.linkedLibrary("speexdsp")]),
        module("MediaFormats"),
        .target(name: "CPCMKernels"),
        module("PCMConversion", ["CPCMKernels", "MediaFormats"]),
        module("Resampling", ["CSpeexDSP"]),
        module("SimpleCodecs"),
        module("LevelMeters", ["MediaFormats", "CLinux"]),
        module("Handles", ["LinuxSystem"]),
        module("SoundFiles", ["MediaFormats"]),
        module("AudioConverters", ["MediaFormats", "PCMConversion", "Resampling", "SimpleCodecs"]),
        module(
            "AudioFiles",
            ["AudioConverters", "MediaFormats", "PCMConversion", "SoundFiles", "LinuxSystem", "CLinux"]),
        .target(name: "CCodecModules"),
        module("CodecModules", ["AudioConverters", "CCodecModules", "MediaFormats", "LinuxSystem"]),
        .target(name: "AllocationCount", path: "Tests/AllocationCount"),
        .target(name: "MediaTestSupport", dependencies: ["MediaFormats"], path: "Tests/MediaTestSupport"),
        tests("MediaFormatsTests", ["MediaTestSupport", "MediaFormats"]),
        tests("PCMConversionTests", ["AllocationCount", "CPCMKernels", "MediaTestSupport", "PCMConversion", "MediaFormats"]),
        tests("ResamplingTests", ["AllocationCount", "MediaTestSupport", "Resampling"]),
        tests("SimpleCodecsTests", ["SimpleCodecs"]),
        tests("LevelMetersTests", ["LevelMeters"]),
        tests("HandlesTests", ["Handles"]),
        tests(
            "AudioConvertersTests", ["AllocationCount", "MediaTestSupport", "AudioConverters", "MediaFormats", "PCMConversion"]),
        tests(
            "AudioFilesTests",
            [
                "MediaTestSupport", "FaultPlan", "AudioFiles", "AudioConverters", "LinuxSystem", "MediaFormats", "PCMConversion",
                "SoundFiles",
            ]),
        tests(
            "CodecModulesTests",
            [
                "MediaTestSupport", "CodecModules", "CCodecModules", "AudioConverters", "MediaFormats", "PCMConversion", "CLinux",
            ]),
        tests("SoundFilesTests", ["MediaTestSupport", "SoundFiles", "SimpleCodecs", "PCMConversion", "MediaFormats"]),
        // faces
        module("CoreFoundationTable", ["CCoreFoundation", "LinuxSystem", "CLinux"]),
        module(
            "EngineInterface",
            ["CEngineInterface", "CAudioStreams", "CStatusPage", "AudioEngine", "AudioSession", "AudioStreams", "SessionModel"]),
        module(
            "AudioSessionServices",
            [
                "EngineInterface", "AudioEngine", "AudioSession", "AudioHardware", "SessionModel", "LinuxSystem",
                "CAudioSessionServices", "CoreFoundationTable", "CCoreFoundation", "CAudioSessionConstants", "CLinux",
            ]),
        // The companion library: units, queues, converters and files. It finds the engine in libAudioSession.
        .systemLibrary(name: "CAudioToolbox"),
        .target(name: "CEngineClient", dependencies: ["CAudioStreams", "CStatusPage", "CVersion"]),
        module("EngineClient", ["CEngineClient", "CAudioStreams", "CStatusPage", "LinuxSystem"]),
        tests("EngineClientTests", ["EngineClient", "CEngineClient", "CAudioStreams", "CStatusPage", "LinuxSystem"]),
        module("AudioComponents"),
        module(
            "AudioUnits",
            [
                "AudioComponents", "EngineClient", "CAudioToolbox", "CAudioStreams", "CStatusPage", "Handles", "LevelMeters",
                "MediaFormats",
                "PCMConversion", "Resampling", "LinuxSystem", "CLinux",
            ]),
        module("AudioGraphs", ["AudioUnits", "AudioComponents", "CAudioToolbox", "LinuxSystem"]),
        tests(
            "AudioUnitsTests",
            [
                "AllocationCount", "MediaTestSupport", "FaultPlan", "AudioGraphs", "AudioUnits", "AudioComponents",
                "EngineClient", "CAudioToolbox", "CAudioStreams", "CStatusPage", "MediaFormats", "LinuxSystem", "CLinux",
            ]),
        .target(name: "CAudioQueues", dependencies: ["CLinux"]),
        module(
            "AudioQueues",
            [
                "AudioConverters", "CAudioQueues", "CAudioStreams", "CStatusPage", "CLinux", "EngineClient", "Handles",
                "LevelMeters",
                "LinuxSystem", "MediaFormats", "PCMConversion", "Resampling", "SimpleCodecs", "SoundFiles",
            ]),
        tests(
            "AudioQueuesTests",
            [
                "AllocationCount", "FaultPlan", "AudioConverters", "AudioQueues", "CAudioStreams", "CStatusPage", "CLinux",
                "EngineClient", "LinuxSystem", "MediaFormats", "PCMConversion", "Resampling", "SoundFiles",
            ]),
        module(
            "AudioToolboxServices",
            [
                "AudioGraphs", "AudioUnits", "AudioComponents", "AudioConverters", "AudioFiles", "CodecModules", "AudioQueues",
                "EngineClient", "Handles", "CAudioToolbox", "CoreFoundationTable", "CCoreFoundation", "LinuxSystem", "CLinux",
                "MediaFormats",
                "PCMConversion", "SoundFiles",
            ]),
        // Foundation: ordinary Swift only.
        .target(
            name: "AVFAudio", dependencies: ["AudioEngine", "AudioSession", "SessionModel", "LinuxSystem"],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]),
        .target(name: "AVFoundation", dependencies: ["AVFAudio"]),
        // The functions of the companion library for the command line tool, which loads it on demand.
        .target(name: "CToolboxFunctions", dependencies: ["CAudioToolbox"]),
        // The output of the command line tool as values.
        module("CLIOutput", ["StatusPages", "CStatusPage", "SessionArbiter", "SessionModel", "LinuxSystem"]),
        .executableTarget(
            name: "audiosessionctl",
            dependencies: [
                "CLIOutput", "SessionModel", "SessionArbiter", "SessionRegistry", "AudioStreams", "ALSAHardware",
                "AudioHardware", "SimulatedHardware", "AudioEngine", "StatusPages", "CStatusPage", "CToolboxFunctions",
                "CAudioToolbox", "MediaFormats", "LinuxSystem", "CLinux", "CVersion",
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
                "AudioSessionServices", "AudioEngine", "AudioSession", "AudioStreams", "ALSAHardware", "AudioHardware",
                "SimulatedHardware", "SessionModel", "SessionArbiter", "SessionRegistry", "LinuxSystem", "CAudioSessionServices",
                "CLinux", "AudioConverters", "AudioFiles", "AudioUnits", "AudioQueues", "CAudioStreams", "CAudioToolbox",
                "EngineClient", "MediaFormats", "PCMConversion", "SoundFiles",
            ], path: "Fuzz/Entrances", swiftSettings: settings),
        tests("CLinuxTests", ["CLinux", "FaultPlan"]),
        tests("SessionModelTests", ["SessionModel"]),
        tests(
            "AudioStreamsTests",
            [
                "FaultPlan", "AudioStreams", "CAudioStreams", "CStatusPage", "AudioHardware", "SimulatedHardware",
                "SessionRegistry", "SessionArbiter", "SessionModel", "LinuxSystem", "CLinux",
            ]),
        tests("DocumentTablesTests", ["DocumentTables", "SessionArbiter", "SessionModel"]),
        .executableTarget(
            name: "RegistryPeer", dependencies: ["SessionRegistry", "SessionArbiter", "SessionModel"], path: "Tests/RegistryPeer"),
        .target(name: "FaultPlan", path: "Tests/FaultPlan", linkerSettings: faults),
        tests(
            "SessionRegistryTests",
            ["RegistryPeer", "FaultPlan", "SessionRegistry", "SessionArbiter", "SessionModel", "LinuxSystem", "CLinux"]),
        tests("SessionArbiterTests", ["SessionArbiter", "SessionModel"]),
        // Sound cards and a sound server for the tests' own process.
        .target(
            name: "FakeKernel", path: "Tests/FakeKernel", cSettings: [.define("PIC")] + unaffected,
            linkerSettings: [.linkedLibrary("asound")]),
        tests(
            "ALSAHardwareTests",
            ["FakeKernel", "FaultPlan", "ALSAHardware", "AudioHardware", "SessionModel", "LinuxSystem", "CLinux"]),
        tests("CLIOutputTests", ["CLIOutput", "StatusPages", "CStatusPage", "SessionArbiter", "SessionModel"]),
        tests(
            "CommandLineTests",
            [
                "RegistryPeer", "FaultPlan", "audiosessionctl", "SimulatedHardware", "AudioHardware", "SessionModel",
                "StatusPages", "CStatusPage", "SessionRegistry", "CLinux",
            ]),
        tests("SimulatedHardwareTests", ["SimulatedHardware", "AudioHardware", "SessionModel", "LinuxSystem", "CLinux"]),
        // Programs that tests run in processes of their own: half C and half Swift, and all C.
        // The headers are for C only: Foundation's own modules would find ours instead of theirs.
        .target(
            name: "CHalf", dependencies: ["AudioSessionServices"], path: "Tests/CHalf",
            cSettings: [.headerSearchPath("../../include")]),
        .executableTarget(name: "AVFAudioPeer", dependencies: ["AVFAudio", "AVFoundation", "CHalf"], path: "Tests/AVFAudioPeer"),
        .executableTarget(
            name: "CPeer", dependencies: ["AudioSessionServices"], path: "Tests/CPeer",
            cSettings: [.headerSearchPath("../../include")]),
        tests(
            "AVFAudioTests",
            [
                "AVFAudioPeer", "CPeer", "AVFAudio", "AVFoundation", "AudioSession", "AudioHardware", "SimulatedHardware",
                "SessionRegistry",
                "SessionArbiter", "SessionModel", "CLinux",
            ]),
        tests("AudioSessionServicesTests", ["AudioSessionServices", "CAudioSessionServices"]),
        tests(
            "AudioSessionTests",
            [
                "FaultPlan", "AudioEngine", "AudioStreams", "CAudioStreams", "AudioSession", "AudioHardware", "SessionRegistry",
                "SessionArbiter", "SessionModel", "LinuxSystem", "CLinux",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)
