// SPDX-License-Identifier: Apache-2.0
/// A change of a parameter, in frames from the beginning of a slice.
struct ParameterEvent {
    enum Change: Equatable {
        /// The slice ends at this value.
        case glide(Float)
        case step(Float)
        case ramp(from: Float, to: Float, frames: Int)

        var end: Float {
            switch self {
            case .glide(let value), .step(let value), .ramp(_, let value, _): value
            }
        }
    }

    /// The owner of the events keeps the parameter.
    let parameter: Unmanaged<UnitParameter>
    /// Negative for a ramp that has begun.
    var offset: Int
    let change: Change

    init(_ parameter: UnitParameter, at offset: Int = 0, _ change: Change) {
        self.parameter = .passUnretained(parameter)
        self.offset = offset
        self.change = change
    }

    func changes(_ parameter: UnitParameter) -> Bool {
        self.parameter.toOpaque() == Unmanaged.passUnretained(parameter).toOpaque()
    }
}
