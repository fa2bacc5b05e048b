// SPDX-License-Identifier: Apache-2.0

/// An object whose lives a test compares.
///
/// Its model predicts the answer to each call. A life is a sequence of calls, from an opened object to its end. What the model does not
/// predict, as the sound, must be equal in all lives.
public protocol LivingObject {
    associatedtype Call
    associatedtype Answer: Equatable
    /// Makes the call. `trace` receives what the model does not predict.
    func perform(_ call: Call, _ trace: inout Trace) -> Answer
    /// Ends the life. Returns an object that begins another one.
    func reopened(_ way: Int) throws -> Self
}

/// A description of the object that predicts its answers.
public protocol LifeModel {
    associatedtype Call
    associatedtype Answer: Equatable
    mutating func predict(_ call: Call) -> Answer
}

/// The digest of values in their order. The algorithm is FNV-1a.
public struct Trace: Equatable, Sendable {
    public private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    public private(set) var count = 0

    public init() {}

    public mutating func append(_ value: UInt64) {
        digest = (digest ^ value) &* 0x100_0000_01B3
        digest ^= digest >> 29
        count += 1
    }

    public mutating func append(_ samples: [Float]) {
        append(UInt64(samples.count))
        samples.withUnsafeBufferPointer { for sample in $0 { append(UInt64(sample.bitPattern)) } }
    }

    public mutating func append(_ bytes: [UInt8]) {
        append(UInt64(bytes.count))
        bytes.withUnsafeBufferPointer { for byte in $0 { append(UInt64(byte)) } }
    }
}

/// Every sequence of one to `longest` calls, each with a first life and another one for each way to open the object again.
public struct Lives<Object: LivingObject, Model: LifeModel>
where Object.Call == Model.Call, Object.Answer == Model.Answer {
    private let calls: [Object.Call]
    private let longest: Int
    private let ways: Int
    private let make: () throws -> Object
    private let model: () -> Model
    /// The first faults, each with its sequence.
    public private(set) var faults: [String] = []
    /// The sequences that were compared.
    public private(set) var sequences = 0
    /// The values of all first lives that the model does not predict.
    public private(set) var traced = 0

    public init(
        of calls: [Object.Call], longest: Int, ways: Int = 1, make: @escaping () throws -> Object,
        model: @escaping () -> Model
    ) {
        self.calls = calls
        self.longest = longest
        self.ways = ways
        self.make = make
        self.model = model
    }

    /// The faults, and what the comparison has left out.
    public var findings: [String] {
        var found = faults
        let expected = Lives.count(calls: calls.count, longest: longest)
        if faults.isEmpty, sequences != expected { found.append("\(sequences) of \(expected) sequences were compared") }
        if traced == 0 { found.append("no life has left a trace") }
        return found
    }

    /// The number of sequences of `calls` calls that are at most so long.
    public static func count(calls: Int, longest: Int) -> Int {
        (0..<longest).reduce(0) { sum, _ in (sum + 1) * calls }
    }

    /// Stops at the eighth fault.
    public mutating func run() throws { try extend([], [], model()) }

    private mutating func extend(_ sequence: [Object.Call], _ answers: [Object.Answer], _ model: Model) throws {
        guard sequence.count < longest else { return }
        for call in calls {
            var next = model
            let answer = next.predict(call)
            try compare(sequence + [call], answers + [answer])
            guard faults.count < 8 else { return }
            try extend(sequence + [call], answers + [answer], next)
        }
    }

    private mutating func compare(_ sequence: [Object.Call], _ answers: [Object.Answer]) throws {
        sequences += 1
        var object = try make()
        var first = Trace()
        guard live(object, sequence, answers, &first, "first life") else { return }
        traced += first.count
        for way in 0..<ways {
            object = try object.reopened(way)
            var trace = Trace()
            guard live(object, sequence, answers, &trace, "life after way \(way) of opening") else { return }
            guard trace == first else {
                faults.append(
                    "\(Lives.names(sequence)): the life after way \(way) of opening differs from the first one in what is seen")
                return
            }
        }
    }

    private static func names(_ sequence: [Object.Call]) -> String { sequence.map { "\($0)" }.joined(separator: ", ") }

    private mutating func live(
        _ object: Object, _ sequence: [Object.Call], _ answers: [Object.Answer], _ trace: inout Trace, _ life: String
    ) -> Bool {
        for (index, call) in sequence.enumerated() {
            let answer = object.perform(call, &trace)
            guard answer == answers[index] else {
                faults.append("\(Lives.names(sequence)), call \(index + 1), \(life): \(answer) and not \(answers[index])")
                return false
            }
        }
        return true
    }
}
