// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// The pan of a source in the mixer that it feeds.
public protocol AVAudioStereoMixing: AnyObject {
    /// From -1, left, to 1, right.
    var pan: Float { get set }
}

/// The volume and the pan of a source in the mixer that it feeds, directly or through effects. They stay when the source is
/// connected to another mixer.
public protocol AVAudioMixing: AVAudioStereoMixing {
    var volume: Float { get set }
    /// The values of the source in an input of a mixer that it feeds; nil for another input.
    func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination?
}

/// The volume and pan of a node that is a source.
final class MixingValues: @unchecked Sendable {
    var volume: Float = 1
    var pan: Float = 0
}

/// A source whose values the engine applies.
protocol MixedNode: AVAudioNode {
    var mixing: MixingValues { get }
}

extension MixedNode {
    func setVolume(_ volume: Float) {
        mixing.volume = volume
        owner?.applyMixing(of: self)
    }

    func setPan(_ pan: Float) {
        mixing.pan = min(max(pan, -1), 1)
        owner?.applyMixing(of: self)
    }

    func mixingDestination(_ mixer: AVAudioNode, _ bus: Int) -> AVAudioMixingDestination? {
        guard let owner, let input = owner.mixerInput(of: self), input.mixer === mixer, input.bus == bus else { return nil }
        return AVAudioMixingDestination(self, AVAudioConnectionPoint(node: mixer, bus: bus))
    }
}

/// The values of a source in one input of a mixer.
public final class AVAudioMixingDestination: NSObject, AVAudioMixing, @unchecked Sendable {
    private let source: any MixedNode
    public let connectionPoint: AVAudioConnectionPoint

    init(_ source: any MixedNode, _ point: AVAudioConnectionPoint) {
        self.source = source
        connectionPoint = point
    }

    public var volume: Float {
        get { source.mixing.volume }
        set { source.setVolume(newValue) }
    }
    public var pan: Float {
        get { source.mixing.pan }
        set { source.setPan(newValue) }
    }
    public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        mixer === connectionPoint.node && bus == connectionPoint.bus ? self : nil
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
