// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

private enum UnitCall {
    /// `begin` initializes and starts.
    case begin, initialize, uninitialize, start, refusedStart, stop, interrupt, cycle, otherFormat, firstFormat, shortSlices,
        enableInput, reset

    /// The calls that change the state, and the one that shows it.
    static let states: [UnitCall] = [.initialize, .start, .stop, .uninitialize, .cycle]
    static let all: [UnitCall] = [
        .begin, .stop, .uninitialize, .cycle, .refusedStart, .interrupt, .otherFormat, .firstFormat, .shortSlices, .enableInput,
        .reset,
    ]
}

/// The result of a call, and the state of the unit after it.
private struct UnitAnswer: Equatable {
    var status: Int32 = 0
    var isRunning = false
    var streams = 0
    /// The slices that the unit has published, in nanoseconds.
    var slice = 0
    /// The frames of each callback.
    var callbacks: [UInt32] = []
    /// The first callback has the sample time 0.
    var beginsAtZero = false
}

private let (firstRate, otherRate) = (48_000.0, 24_000.0)

/// The rules of an I/O unit.
private struct UnitModel: LifeModel {
    private var isInitialized = false
    private var isRunning = false
    private var records = false
    private var maximum = 4096.0
    private var rate = firstRate
    /// The seconds of slices since the last start, and as they were published.
    private var seconds = 0.0
    private var published = 64 / firstRate
    private var hasRendered = false

    /// The preference of the session has the duration of 64 frames.
    private var duration: Double { min(max((64 / firstRate * rate).rounded(), 16), maximum) / rate }

    mutating func predict(_ call: UnitCall) -> UnitAnswer {
        var answer = UnitAnswer()
        switch call {
        case .begin:
            initialize()
            answer.status = start(isRefused: false)
        case .initialize: initialize()
        case .uninitialize: (isInitialized, isRunning) = (false, false)
        case .start, .refusedStart: answer.status = start(isRefused: call == .refusedStart)
        case .stop, .interrupt: isRunning = false
        case .cycle where isRunning:
            answer.callbacks = [UInt32((seconds * rate).rounded())]
            answer.beginsAtZero = !hasRendered
            hasRendered = true
        case .cycle, .reset: break
        case .otherFormat: rate = otherRate
        case .firstFormat: rate = firstRate
        case .shortSlices:
            if isInitialized { answer.status = -10849 } else { maximum = 32 }
        case .enableInput:
            if isInitialized { answer.status = -10849 } else { records = true }
        }
        (answer.isRunning, answer.streams) = (isRunning, isInitialized ? 1 : 0)
        answer.slice = Int((published * 1e9).rounded())
        return answer
    }

    private mutating func initialize() {
        guard !isInitialized else { return }
        isInitialized = true
        (seconds, published) = (duration, duration)
    }

    private mutating func start(isRefused: Bool) -> Int32 {
        guard isInitialized else { return -10867 }
        if !isRunning { (seconds, published) = (duration, duration) }
        guard !isRefused else { return 561_017_449 }
        if !isRunning { hasRendered = false }
        isRunning = true
        return 0
    }
}

/// A unit with a program that plays its own sample times.
private final class UnitLife: LivingObject {
    private let program: Program

    init() throws {
        program = try Program { $0.preferredSlice = 64 / firstRate }
        try prepare()
    }

    private init(after former: UnitLife) throws {
        program = try Program(.remoteIO, on: former.program.engine, in: former.program.context)
        try prepare()
    }

    private func prepare() throws {
        try program.setRenderCallback()
        try program.setFormat(.input, 0, Program.float(firstRate, channels: 2))
        program.engine.preferredSlice = 64 / firstRate
        program.onRender = { call, _, list in
            let frames = samples(list, as: Float.self)
            for index in frames.indices { frames[index] = Float((Int(call.time.mSampleTime) + index) % 97) / 200 }
            return 0
        }
        // Publishes the duration of the slices.
        try program.unit.initialize()
        program.unit.uninitialize()
    }

    func reopened(_ way: Int) throws -> UnitLife {
        guard way == 0 else {
            #expect(program.unit.dispose())
            return try UnitLife(after: self)
        }
        program.unit.uninitialize()
        try program.set(.enableIO, .input, 1, UInt32(0))
        try program.set(.maximumFramesPerSlice, .global, 0, UInt32(4096))
        try prepare()
        return self
    }

    func perform(_ call: UnitCall, _ trace: inout Trace) -> UnitAnswer {
        let (unit, engine) = (program.unit, program.engine)
        let before = program.renders.count
        var answer = UnitAnswer()
        switch call {
        case .begin:
            answer.status = status { try unit.initialize() }
            if answer.status == 0 { answer.status = unit.start() }
        case .initialize: answer.status = status { try unit.initialize() }
        case .uninitialize: unit.uninitialize()
        case .start: answer.status = unit.start()
        case .refusedStart:
            engine.startResult = 561_017_449
            answer.status = unit.start()
            engine.startResult = 0
        case .stop: answer.status = status { try unit.stop() }
        case .interrupt: engine.stream?.interrupt()
        case .cycle: trace.append(engine.stream?.turn([Float](repeating: 0.25, count: 64)) ?? [])
        case .otherFormat: answer.status = status { try program.setFormat(.input, 0, Program.float(otherRate, channels: 1)) }
        case .firstFormat: answer.status = status { try program.setFormat(.input, 0, Program.float(firstRate, channels: 2)) }
        case .shortSlices: answer.status = status { try program.set(.maximumFramesPerSlice, .global, 0, UInt32(32)) }
        case .enableInput: answer.status = status { try program.set(.enableIO, .input, 1, UInt32(1)) }
        case .reset: unit.reset()
        }
        let calls = program.renders[before...]
        answer.callbacks = calls.map { $0.frames }
        answer.beginsAtZero = calls.first?.time.mSampleTime == 0
        for call in calls { trace.append(UInt64(call.time.mSampleTime)) }
        answer.isRunning = unit.isRunning
        answer.streams = engine.streams.count { !$0.isDestroyed }
        answer.slice = Int((engine.publishedSlice * 1e9).rounded())
        return answer
    }
}

@Suite("The lives of a unit")
struct UnitLivesTests {
    /// As a unit that was uninitialized, and as a new one.
    @Test("are equal for every sequence of calls", arguments: [(UnitCall.states, 4), (UnitCall.all, 3)])
    fileprivate func equal(_ calls: [UnitCall], longest: Int) throws {
        var lives = Lives(of: calls, longest: longest, ways: 2, make: { try UnitLife() }, model: { UnitModel() })
        try lives.run()
        for finding in lives.findings { Issue.record("\(finding)") }
    }
}
