// SPDX-License-Identifier: Apache-2.0
/// A scope of a unit: the values of `kAudioUnitScope_…`.
public enum Scope: UInt32, Sendable {
    case global = 0
    case input = 1
    case output = 2
}

/// A scope of a unit and an element in it, which locate a property or a parameter.
public struct ScopeElement: Equatable, Hashable, Sendable {
    public var scope: Scope
    public var element: UInt32

    public init(_ scope: Scope, _ element: UInt32 = 0) {
        self.scope = scope
        self.element = element
    }
}

/// A connection point of a unit, through which frames pass.
enum Side: Sendable {
    /// The program supplies frames: input scope of element 0, and of every element of a mixer.
    case programInput
    /// The program receives frames: output scope of element 1 of an I/O unit, and of element 0 of another unit.
    case programOutput
    /// Output scope of element 0 of an I/O unit: the loudspeaker.
    case hardwareOutput
    /// Input scope of element 1 of an I/O unit: the microphone.
    case hardwareInput

    var isHardware: Bool { self == .hardwareOutput || self == .hardwareInput }
}

extension UnitKind {
    /// The elements of each scope: an I/O unit has two, one for each direction, and a mixer has `inputs` in the input scope.
    func elements(of scope: Scope, inputs: Int) -> UInt32 {
        switch scope {
        case .input where self == .mixer: UInt32(clamping: inputs)
        case .input where isPlayer: 0
        case .input, .output: isIO ? 2 : 1
        case .global: 1
        }
    }

    /// The program supplies frames to this element of the input scope. A mixer can have fewer inputs now.
    public func hasProgramInput(_ element: UInt32) -> Bool {
        !isPlayer && element < (self == .mixer ? UInt32(UnitState.mostInputs) : 1)
    }

    /// The program receives frames from this element of the output scope.
    public func hasProgramOutput(_ element: UInt32) -> Bool { side(ScopeElement(.output, element)) == .programOutput }

    /// Nil for the global scope, and for an element that does not exist.
    func side(_ scopeElement: ScopeElement) -> Side? {
        switch (scopeElement.scope, scopeElement.element, isIO) {
        case (.input, _, _) where self == .mixer: .programInput
        case (.input, _, _) where isPlayer: nil
        case (.input, 0, _): .programInput
        case (.output, 0, false), (.output, 1, true): .programOutput
        case (.output, 0, true): .hardwareOutput
        case (.input, 1, true): .hardwareInput
        default: nil
        }
    }
}
