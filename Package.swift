// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Each room is a folder of Sources, and imports only from the rooms above it in this file. Its tests follow its modules. C that no
// Swift imports is built by make: the plug-ins in Sources/Plugins.
let package = Package(
    name: "AudioSession",
    products: [
        .library(name: "AudioSession", type: .dynamic, targets: ["AudioSessionServices"]),
        // The library of make, under a name that the Swift module does not have: make calls it libAudioToolbox.
        .library(name: "AudioToolboxLibrary", type: .dynamic, targets: ["AudioToolboxServices"]),
        // The same session for Swift programs, and for the C code in their process.
        .library(name: "AVAudioSession", targets: ["AVAudioSession", "AudioSessionServices"]),
        // The session, and the classes that play, record and convert.
        .library(
            name: "AVFAudio",
            targets: ["AVFAudio", "AVFoundation", "AVAudioSession", "AudioUnit", "AudioSessionServices", "AudioToolboxServices"]),
        .library(
            name: "AVFoundation",
            targets: ["AVFAudio", "AVFoundation", "AVAudioSession", "AudioUnit", "AudioSessionServices", "AudioToolboxServices"]),
        // The C API as Swift sees it. One engine: the functions are those of the product above.
        .library(
            name: "AudioToolbox",
            targets: ["AudioToolbox", "AudioUnit", "CoreAudio", "CoreAudioTypes", "AudioSessionServices", "AudioToolboxServices"]),
        .library(name: "CoreAudio", targets: ["CoreAudio", "CoreAudioTypes"]),
        .library(name: "CoreAudioTypes", targets: ["CoreAudioTypes"]),
        .executable(name: "audiosessionctl", targets: ["audiosessionctl"]),
    ],
    // Embedded builds what ships: no Swift runtime, no Foundation. Without it the same sources are ordinary Swift, which tests,
    // sanitizers, coverage and the static fallback use.
    // VoiceModule makes the voice processing a part of the program, which has no modules beside it.
    traits: [.default(enabledTraits: ["VoiceModule"]), "Embedded", "VoiceModule"],
    targets: system + session + hardware + engine + media + toolbox + api + tool + testSupport + inNoProduct,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)

// MARK: System: descriptors, files, locks, threads, the log; what is found in the process by name

var system: [Target] {
    let room = Room("Sources/System")
    return [
        room.shim("CLinux", settings: [.define("EMBEDDED_SWIFT", .when(traits: ["Embedded"]))], libraries: ["m"]),
        room.shim("CALSA", ["CLinux"], libraries: ["asound"]),
        // Only what is never shipped can be overheard: tests read the log.
        room.module("LinuxSystem", ["CLinux"], settings: [.define("LOG_CAPTURE", .when(configuration: .debug))]),
        room.headers("CCoreFoundation"),
        room.module(
            "CoreFoundationTable",
            [
                "CCoreFoundation",
                "LinuxSystem",
                "CLinux",
            ]),
        room.tests(
            "CLinuxTests",
            [
                "CLinux",
                "FaultPlan",
            ]),
        room.tests(
            "LinuxSystemTests",
            [
                "LinuxSystem",
                "CLinux",
            ]),
    ]
}

// MARK: Session: values, pure decisions, and the table that all processes share

var session: [Target] {
    let room = Room("Sources/Session")
    return [
        room.module("SessionModel", ["LinuxSystem"]),
        room.module("SessionArbiter", ["SessionModel"]),
        // Only what is never shipped can be killed or stopped in the middle of a transaction.
        room.module(
            "SessionRegistry",
            [
                "SessionArbiter",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ], settings: [.define("TEST_HOOKS", .when(configuration: .debug))]),
        room.tests(
            "SessionModelTests",
            [
                "TestSupport",
                "SessionModel",
            ]),
        room.tests(
            "SessionArbiterTests",
            [
                "TestSupport",
                "SessionArbiter",
                "SessionModel",
            ]),
        room.tests(
            "SessionRegistryTests",
            [
                "TestSupport",
                "RegistryPeer",
                "FaultPlan",
                "SessionRegistry",
                "SessionArbiter",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
    ]
}

// MARK: Hardware: one protocol, two implementations

var hardware: [Target] {
    let room = Room("Sources/Hardware")
    return [
        room.module(
            "AudioHardware",
            [
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
        room.module(
            "SimulatedHardware",
            [
                "AudioHardware",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
        room.shim("CServerModules", ["CLinux"]),
        room.module(
            "ALSAHardware",
            [
                "AudioHardware",
                "SessionModel",
                "LinuxSystem",
                "CALSA",
                "CLinux",
                "CServerModules",
            ]),
        room.tests(
            "SimulatedHardwareTests",
            [
                "TestSupport",
                "HardwareTestSupport",
                "SimulatedHardware",
                "AudioHardware",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
        room.tests(
            "ALSAHardwareTests",
            [
                "FakeKernel",
                "FaultPlan",
                "ALSAHardware",
                "AudioHardware",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
                "CALSA",
                "CServerModules",
            ]),
    ]
}

// MARK: Engine: the session and the streams of this process, and the table through which other libraries call them

var engine: [Target] {
    let room = Room("Sources/Engine")
    return [
        room.module(
            "AudioSession",
            [
                "SessionModel",
                "SessionArbiter",
                "SessionRegistry",
                "AudioHardware",
                "LinuxSystem",
                "CLinux",
            ]),
        room.shim("CAudioStreams", ["CLinux"]),
        room.shim("CStatusPage", ["CLinux"]),
        room.module(
            "AudioStreams",
            [
                "CAudioStreams",
                "CStatusPage",
                "SessionRegistry",
                "SessionArbiter",
                "SessionModel",
                "AudioHardware",
                "LinuxSystem",
                "CALSA",
                "CLinux",
            ]),
        room.module(
            "StatusPages",
            [
                "CStatusPage",
                "LinuxSystem",
                "CLinux",
            ]),
        room.module(
            "AudioEngine",
            [
                "AudioSession",
                "AudioStreams",
                "SessionRegistry",
                "StatusPages",
                "CAudioStreams",
                "CStatusPage",
                "ALSAHardware",
                "AudioHardware",
                "SimulatedHardware",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
        room.shim(
            "CEngineTable",
            [
                "CAudioStreams",
                "CStatusPage",
            ]),
        room.shim("CEngineInterface", ["CEngineTable"]),
        room.module(
            "EngineInterface",
            [
                "CEngineInterface",
                "CEngineTable",
                "CAudioStreams",
                "CStatusPage",
                "AudioEngine",
                "AudioSession",
                "AudioStreams",
                "SessionModel",
                "LinuxSystem",
            ]),
        room.shim(
            "CEngineClient",
            [
                "CAudioStreams",
                "CStatusPage",
                "CEngineTable",
            ]),
        // libAudioToolbox finds the engine in libAudioSession.
        room.module(
            "EngineClient",
            [
                "CEngineClient",
                "CAudioStreams",
                "CStatusPage",
                "LinuxSystem",
            ]),
        room.tests(
            "AudioSessionTests",
            [
                "TestSupport",
                "FaultPlan",
                "AudioEngine",
                "AudioStreams",
                "CAudioStreams",
                "AudioSession",
                "AudioHardware",
                "SessionRegistry",
                "SessionArbiter",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
        room.tests(
            "AudioStreamsTests",
            [
                "TestSupport",
                "HardwareTestSupport",
                "FaultPlan",
                "AudioStreams",
                "CAudioStreams",
                "CStatusPage",
                "AudioHardware",
                "SimulatedHardware",
                "SessionRegistry",
                "SessionArbiter",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
        room.tests(
            "EngineClientTests",
            [
                "EngineClient",
                "CEngineClient",
                "CAudioStreams",
                "CStatusPage",
                "LinuxSystem",
            ]),
    ]
}

// MARK: Media: formats, conversion, containers, codecs: needs System alone

var media: [Target] {
    let room = Room("Sources/Media")
    return [
        room.module("MediaFormats", ["LinuxSystem"]),
        room.shim("CPCMKernels"),
        room.module(
            "PCMConversion",
            [
                "CPCMKernels",
                "MediaFormats",
                "CLinux",
            ]),
        room.shim("CRateKernels", libraries: ["m"]),
        room.module(
            "Resampling",
            [
                "CRateKernels",
                "CLinux",
                "LinuxSystem",
            ]),
        room.module("SoundFiles", ["MediaFormats", "LinuxSystem"]),
        room.module(
            "AudioConverters",
            [
                "MediaFormats",
                "PCMConversion",
                "Resampling",
                "LinuxSystem",
            ]),
        room.shim("CCodecModules", ["CLinux"]),
        room.module(
            "CodecModules",
            [
                "AudioConverters",
                "CCodecModules",
                "MediaFormats",
                "LinuxSystem",
            ]),
        room.module(
            "AudioFiles",
            [
                "AudioConverters",
                "MediaFormats",
                "PCMConversion",
                "SoundFiles",
                "LinuxSystem",
                "CLinux",
            ]),
        room.tests(
            "MediaFormatsTests",
            [
                "TestSupport",
                "MediaTestSupport",
                "MediaFormats",
            ]),
        room.tests(
            "PCMConversionTests",
            [
                "TestSupport",
                "AllocationCount",
                "CPCMKernels",
                "MediaTestSupport",
                "PCMConversion",
                "MediaFormats",
            ]),
        room.tests(
            "ResamplingTests",
            [
                "TestSupport",
                "AllocationCount",
                "CRateKernels",
                "Resampling",
            ]),
        room.tests(
            "SoundFilesTests",
            [
                "TestSupport",
                "MediaTestSupport",
                "SoundFiles",
                "AudioConverters",
                "PCMConversion",
                "MediaFormats",
                "LinuxSystem",
            ]),
        room.tests(
            "AudioConvertersTests",
            [
                "TestSupport",
                "AllocationCount",
                "MediaTestSupport",
                "AudioConverters",
                "MediaFormats",
                "PCMConversion",
            ]),
        room.tests(
            "CodecModulesTests",
            [
                "TestSupport",
                "MediaTestSupport",
                "CodecModules",
                "CCodecModules",
                "AudioConverters",
                "LinuxSystem",
                "MediaFormats",
                "PCMConversion",
            ]),
        room.tests(
            "AudioFilesTests",
            [
                "TestSupport",
                "MediaTestSupport",
                "FaultPlan",
                "AudioFiles",
                "AudioConverters",
                "LinuxSystem",
                "MediaFormats",
                "PCMConversion",
                "SoundFiles",
            ]),
    ]
}

// MARK: Toolbox: units, graphs and queues, and the C API of libAudioToolbox

var toolbox: [Target] {
    let room = Room("Sources/Toolbox")
    return [
        room.headers("CAudioToolbox"),
        room.shim(
            "CVoiceModules", ["CLinux"], settings: [.define("CONTAINS_VOICE_MODULE", .when(traits: ["VoiceModule"]))],
            linker: [.linkedLibrary("speexdsp", .when(traits: ["VoiceModule"]))]),
        room.module(
            "AudioUnits",
            [
                "AudioFiles",
                "EngineClient",
                "CAudioToolbox",
                "CAudioStreams",
                "CStatusPage",
                "LinuxSystem",
                "PCMConversion",
                "MediaFormats",
                "Resampling",
                "SoundFiles",
                "CLinux",
                "CVoiceModules",
            ]),
        room.module(
            "AudioGraphs",
            [
                "AudioUnits",
                "CLinux",
                "LinuxSystem",
            ]),
        room.shim("CAudioQueues", ["CLinux"]),
        room.module(
            "AudioQueues",
            [
                "AudioConverters",
                "CAudioQueues",
                "CAudioStreams",
                "CStatusPage",
                "CLinux",
                "EngineClient",
                "LinuxSystem",
                "PCMConversion",
                "MediaFormats",
                "Resampling",
                "SoundFiles",
            ]),
        room.module(
            "AudioToolboxServices",
            [
                "AudioGraphs",
                "AudioUnits",
                "AudioConverters",
                "AudioFiles",
                "CodecModules",
                "AudioQueues",
                "CAudioQueues",
                "EngineClient",
                "LinuxSystem",
                "CAudioToolbox",
                "CoreFoundationTable",
                "CCoreFoundation",
                "CLinux",
                "MediaFormats",
                "PCMConversion",
                "SoundFiles",
            ]),
        room.tests(
            "AudioUnitsTests",
            [
                "EngineTestSupport",
                "TestSupport",
                "AllocationCount",
                "MediaTestSupport",
                "FaultPlan",
                "AudioGraphs",
                "AudioUnits",
                "EngineClient",
                "CAudioToolbox",
                "CAudioStreams",
                "CStatusPage",
                "CLinux",
                "LinuxSystem",
                "AudioFiles",
                "MediaFormats",
                "SoundFiles",
            ]),
        room.tests(
            "AudioQueuesTests",
            [
                "EngineTestSupport",
                "TestSupport",
                "AllocationCount",
                "FaultPlan",
                "CAudioQueues",
                "AudioConverters",
                "AudioQueues",
                "CAudioStreams",
                "CStatusPage",
                "CLinux",
                "EngineClient",
                "LinuxSystem",
                "MediaFormats",
                "PCMConversion",
                "Resampling",
                "SoundFiles",
            ]),
    ]
}

// MARK: API: the C API of libAudioSession, and the Swift modules

var api: [Target] {
    let room = Room("Sources/API")
    return [
        room.shim("CAudioSessionServices"),
        room.module(
            "AudioSessionServices",
            [
                "EngineInterface",
                "AudioEngine",
                "AudioSession",
                "AudioHardware",
                "SessionModel",
                "LinuxSystem",
                "CAudioSessionServices",
                "CoreFoundationTable",
                "CCoreFoundation",
                "CLinux",
            ]),
        // The headers in include as the importer of Swift needs them: made by tools/swift-headers.
        room.headers("CCoreAudioTypes"),
        room.headers("CAudioToolboxFunctions"),
        // A C library in the process of a Swift program finds the functions of the program.
        room.shim("CProcessExports"),
        // Nothing of Media and Toolbox: a program that uses only the session has neither.
        room.foundationModule(
            "AVAudioSession",
            [
                "AudioEngine",
                "AudioSession",
                "SessionModel",
                "LinuxSystem",
                "CProcessExports",
                "AudioSessionServices",
            ]),
        room.foundationModule("CoreAudioTypes", ["CCoreAudioTypes"]),
        room.foundationModule("CoreAudio", ["CoreAudioTypes"]),
        // Foundation: ordinary Swift only. The functions are in the two modules of the C API, which are linked and not imported.
        room.foundationModule(
            "AudioToolbox",
            [
                "CoreAudio",
                "CAudioToolboxFunctions",
                "CCoreAudioTypes",
                "CProcessExports",
                "AudioToolboxServices",
                "AudioSessionServices",
            ]),
        room.foundationModule("AudioUnit", ["AudioToolbox"]),
        room.foundationModule(
            "AVFAudio",
            [
                "AVAudioSession",
                "AudioToolbox",
                "AudioFiles",
                "AudioEngine",
                "AudioStreams",
                "AudioSession",
                "SessionModel",
                "LinuxSystem",
                "CLinux",
            ]),
        room.foundationModule("AVFoundation", ["AVFAudio"]),
        room.tests(
            "AudioSessionServicesTests",
            [
                "TestSupport",
                "AudioSessionServices",
                "CAudioSessionServices",
            ]),
        room.tests(
            "AVFAudioTests",
            [
                "TestSupport",
                "AllocationCount",
                "AVFAudioPeer",
                "SoundPeer",
                "CPeer",
                "AVAudioSession",
                "AVFAudio",
                "AVFoundation",
                "AudioToolbox",
                "AudioSession",
                "AudioHardware",
                "SimulatedHardware",
                "SessionRegistry",
                "SessionArbiter",
                "SessionModel",
            ]),
    ]
}

// MARK: Plugins: the ALSA plug-in and the codec modules: C that make builds, and no target. So is API/ObjectiveC

// MARK: Tool: the command line tool

var tool: [Target] {
    let room = Room("Sources/Tool")
    return [
        room.module(
            "CLIOutput",
            [
                "StatusPages",
                "CStatusPage",
                "SessionArbiter",
                "SessionModel",
                "LinuxSystem",
            ]),
        // The functions of libAudioToolbox, which the tool loads on demand.
        room.shim("CToolboxFunctions", ["CAudioToolbox"]),
        room.embeddedProgram(
            "audiosessionctl",
            [
                "CLIOutput",
                "SessionModel",
                "SessionArbiter",
                "SessionRegistry",
                "AudioStreams",
                "ALSAHardware",
                "AudioHardware",
                "SimulatedHardware",
                "AudioEngine",
                "StatusPages",
                "CToolboxFunctions",
                "CAudioToolbox",
                "MediaFormats",
                "LinuxSystem",
                "CLinux",
                "CEngineTable",
            ]),
        room.tests(
            "CLIOutputTests",
            [
                "TestSupport",
                "CLIOutput",
                "StatusPages",
                "CStatusPage",
                "SessionArbiter",
                "SessionModel",
            ]),
        room.tests(
            "CommandLineTests",
            [
                "TestSupport",
                "LinuxSystem",
                "RegistryPeer",
                "IdlePeer",
                "FaultPlan",
                "audiosessionctl",
                "CLIOutput",
                "ALSAHardware",
                "SimulatedHardware",
                "AudioHardware",
                "SessionModel",
                "StatusPages",
                "CStatusPage",
                "SessionRegistry",
                "CLinux",
            ]),
    ]
}

// MARK: Support of the tests

var testSupport: [Target] {
    let room = Room("Tests/Support")
    return [
        room.shim("AllocationCount"),
        room.ordinaryModule("TestSupport", []),
        room.tests("TestSupportTests", ["TestSupport"]),
        room.ordinaryModule("HardwareTestSupport", ["AudioHardware", "CLinux", "LinuxSystem"]),
        room.ordinaryModule(
            "EngineTestSupport",
            [
                "AllocationCount",
                "CAudioStreams",
                "CStatusPage",
                "EngineClient",
                "LinuxSystem",
            ]),
        room.ordinaryModule(
            "MediaTestSupport",
            [
                "MediaFormats"
            ]),
        // The calls to the system that tests can make fail.
        room.shim("FaultPlan", linker: faults),
        // Sound cards and a sound server for the tests' own process.
        room.shim("FakeKernel", settings: [.define("PIC")] + unaffected, libraries: ["asound"]),
        room.program(
            "RegistryPeer",
            [
                "SessionRegistry",
                "LinuxSystem",
                "SessionArbiter",
                "SessionModel",
            ]),
        // Programs that tests run in processes of their own: half C and half Swift, and all C.
        // The headers are for C only: Foundation's own modules would find ours instead of theirs.
        room.shim("CHalf", ["AudioSessionServices"], settings: [.headerSearchPath("../../../include/audiosession")]),
        room.program(
            "AVFAudioPeer",
            [
                "AVFAudio",
                "AVFoundation",
                "CHalf",
            ]),
        room.program("SoundPeer", ["AVFAudio", "AudioToolbox"]),
        room.program("CPeer", ["AudioSessionServices"], settings: [.headerSearchPath("../../../include/audiosession")]),
        room.program(
            "IdlePeer", ["AudioSessionServices", "AudioToolboxServices"],
            settings: [
                .headerSearchPath("../../../include/audiotoolbox"), .headerSearchPath("../../../include/audiosession"),
            ]),
    ]
}

// MARK: Tables of the documents, and fuzzers: part of no product

var inNoProduct: [Target] {
    [
        Room("tools").program(
            "DocumentTables",
            [
                "CLIOutput",
                "LinuxSystem",
                "SessionArbiter",
                "SessionModel",
            ]),
        Room("Sources/Tool").tests(
            "DocumentTablesTests",
            [
                "DocumentTables",
                "SessionArbiter",
                "SessionModel",
            ]),
        Room("Fuzz").module(
            "FuzzTargets", folder: "Targets",
            [
                "AudioSessionServices",
                "AudioEngine",
                "AudioSession",
                "AudioStreams",
                "ALSAHardware",
                "AudioHardware",
                "SimulatedHardware",
                "SessionModel",
                "SessionArbiter",
                "SessionRegistry",
                "LinuxSystem",
                "CAudioSessionServices",
                "CLinux",
                "AudioConverters",
                "AudioFiles",
                "AudioUnits",
                "AudioQueues",
                "CAudioStreams",
                "CAudioToolbox",
                "EngineClient",
                "MediaFormats",
                "PCMConversion",
                "SoundFiles",
            ]),
    ]
}

// MARK: How targets are declared

/// A folder of targets. Each target has a folder of its name in it.
struct Room {
    let folder: String

    static let strict: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    ]
    static let shipped: [SwiftSetting] = [.enableExperimentalFeature("Embedded", .when(traits: ["Embedded"]))] + strict

    init(_ folder: String) {
        self.folder = folder
    }

    /// Swift that ships: Embedded or ordinary.
    func module(
        _ name: String, folder subfolder: String? = nil, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "\(folder)/\(subfolder ?? name)",
            swiftSettings: Self.shipped + settings)
    }

    /// Swift with Foundation: ordinary Swift only.
    func foundationModule(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: Self.strict)
    }

    /// Swift for tests: ordinary Swift only.
    func ordinaryModule(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)")
    }

    /// C for the Swift module below it. Linker flags of the products are in the Makefile, so that no product of this manifest has
    /// an unsafe flag and other packages can depend on it by version.
    func shim(
        _ name: String, _ dependencies: [Target.Dependency] = [], settings: [CSetting] = [], libraries: [String] = [],
        linker: [LinkerSetting] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "\(folder)/\(name)", cSettings: settings,
            linkerSettings: linker + libraries.map { .linkedLibrary($0) })
    }

    /// Headers in C with a module map, and nothing to compile.
    func headers(_ name: String) -> Target {
        .systemLibrary(name: name, path: "\(folder)/\(name)")
    }

    func program(_ name: String, _ dependencies: [Target.Dependency], settings: [CSetting] = []) -> Target {
        .executableTarget(name: name, dependencies: dependencies, path: "\(folder)/\(name)", cSettings: settings)
    }

    /// A program that ships: Embedded or ordinary.
    func embeddedProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: "\(folder)/\(name)",
            swiftSettings: Self.shipped)
    }

    /// The tests of the room's modules.
    func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .testTarget(
            name: name, dependencies: dependencies, path: "Tests/Unit/\(name)",
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
    }
}

// MARK: Calls that can fail in tests

/// The calls to the system that tests can make fail: the linker replaces them in the tests' own process. No product
/// contains the target that has these flags, so that other packages can depend on this one.
var callsThatCanFail: String {
    """
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
}

/// For what stands in for the kernel: its own calls never fail.
var unaffected: [CSetting] {
    ["calloc", "close", "dlsym", "fstat", "malloc", "poll"].map { .define($0, to: "__real_\($0)") }
}

var faults: [LinkerSetting] {
    let wrapped = callsThatCanFail.split(whereSeparator: \.isWhitespace)
    return [.unsafeFlags(wrapped.flatMap { ["-Xlinker", "--wrap=\($0)"] }), .linkedLibrary("asound")]
}
