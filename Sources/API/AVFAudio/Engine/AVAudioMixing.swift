// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// The pan of a source in the mixer that it feeds.
public protocol AVAudioStereoMixing: AnyObject {
    /// From -1, left, to 1, right.
    var pan: Float { get set }
}

/// The volume and the pan of a source in the mixers that it feeds, directly or through effects. They stay when the source is
/// connected to another mixer. A value that is not finite is ignored.
public protocol AVAudioMixing: AVAudioStereoMixing {
    var volume: Float { get set }
    /// The source in one input of a mixer that it feeds; nil for another input. A value set there stays until the source gets another
    /// one or is connected anew.
    func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination?
}

/// The volume and pan of a source.
struct MixingValues {
    var volume: Float = 1 {
        didSet { if !volume.isFinite { volume = oldValue } }
    }
    var pan: Float = 0 {
        didSet { pan = pan.isFinite ? min(max(pan, -1), 1) : oldValue }
    }
}

extension AVAudioMixing where Self: AVAudioNode {
    public var volume: Float {
        get { mixing.volume }
        set {
            mixing.volume = newValue
            owner?.applyMixing(of: self)
        }
    }
    public var pan: Float {
        get { mixing.pan }
        set {
            mixing.pan = newValue
            owner?.applyMixing(of: self)
        }
    }
    public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        guard let owner, let input = owner.mixerInput(of: self, mixer, bus) else { return nil }
        return AVAudioMixingDestination(self, input)
    }
}

/// A source in one input of a mixer.
public final class AVAudioMixingDestination: NSObject, AVAudioMixing, @unchecked Sendable {
    private let source: AVAudioNode
    private let input: MixerInput
    public let connectionPoint: AVAudioConnectionPoint

    init(_ source: AVAudioNode, _ input: MixerInput) {
        self.source = source
        self.input = input
        connectionPoint = AVAudioConnectionPoint(node: input.mixer, bus: input.bus)
    }

    public var volume: Float {
        get { input.values.volume }
        set { change { $0.volume = newValue } }
    }
    public var pan: Float {
        get { input.values.pan }
        set { change { $0.pan = newValue } }
    }

    /// After a disconnection the input can be that of another source.
    private func change(_ body: (inout MixingValues) -> Void) {
        guard source.owner?.mixerInput(of: source, input.mixer, input.bus) != nil else { return }
        var values = input.values
        body(&values)
        input.apply(values)
    }

    public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        mixer === connectionPoint.node && bus == connectionPoint.bus ? self : nil
    }
}

/// An input bus of a mixer.
struct MixerInput {
    let mixer: AVAudioMixerNode
    let bus: Int

    /// The values that the mixer applies.
    var values: MixingValues {
        MixingValues(
            volume: value(UInt32(kMultiChannelMixerParam_Volume), 1), pan: value(UInt32(kMultiChannelMixerParam_Pan), 0))
    }

    private func value(_ parameter: UInt32, _ initial: Float) -> Float {
        mixer.engineUnit?.parameter(parameter, kAudioUnitScope_Input, UInt32(bus)) ?? initial
    }

    func apply(_ values: MixingValues) {
        let unit = mixer.engineUnit
        unit?.setParameter(UInt32(kMultiChannelMixerParam_Volume), kAudioUnitScope_Input, UInt32(bus), values.volume)
        unit?.setParameter(UInt32(kMultiChannelMixerParam_Pan), kAudioUnitScope_Input, UInt32(bus), values.pan)
    }
}

/// An input or output bus of a node.
public final class AVAudioConnectionPoint: NSObject, @unchecked Sendable {
    public private(set) weak var node: AVAudioNode?
    public let bus: AVAudioNodeBus

    public init(node: AVAudioNode, bus: AVAudioNodeBus) {
        self.node = node
        self.bus = bus
    }
}
