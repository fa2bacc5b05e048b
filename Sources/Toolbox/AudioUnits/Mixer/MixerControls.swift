// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion
import Synchronization

/// The parameters and the meters of a mixer: of each input, and of the output.
///
/// Audio threads set and read parameters as well, therefore a search takes no lock. Elements are not freed before the mixer.
final class MixerControls: @unchecked Sendable {
    static let capacity = 1024

    final class Element: @unchecked Sendable {
        let volume = UnitParameter(1)
        let enable = UnitParameter(1)
        let pan = UnitParameter(0)
        /// The level before the parameters are applied, and after.
        let before = LevelMeter(channels: PCMFormat.channelCounts.upperBound)
        let after = LevelMeter(channels: PCMFormat.channelCounts.upperBound)
        private let metered = Atomic<Bool>(false)

        var isMetered: Bool { metered.load(ordering: .relaxed) }

        func setMetered(_ on: Bool) {
            metered.store(on, ordering: .relaxed)
            if !on {
                before.reset()
                after.reset()
            }
        }
    }

    let output = Element()
    let events = ParameterEvents()
    /// The addresses of retained elements.
    private let inputs: UnsafeMutablePointer<Atomic<UInt>>
    private let count: Atomic<Int>

    init(inputs count: Int) {
        inputs = .allocate(capacity: MixerControls.capacity)
        self.count = Atomic(0)
        for index in 0..<MixerControls.capacity { (inputs + index).initialize(to: Atomic(0)) }
        setInputCount(count)
    }

    deinit {
        for index in 0..<MixerControls.capacity {
            guard let address = UnsafeRawPointer(bitPattern: inputs[index].load(ordering: .relaxed)) else { continue }
            Unmanaged<Element>.fromOpaque(address).release()
        }
        inputs.deinitialize(count: MixerControls.capacity)
        inputs.deallocate()
    }

    /// Called under the lock of the unit. An input that is added again has its former parameters.
    func setInputCount(_ number: Int) {
        for index in 0..<min(number, MixerControls.capacity) where inputs[index].load(ordering: .relaxed) == 0 {
            let address = UInt(bitPattern: Unmanaged.passRetained(Element()).toOpaque())
            inputs[index].store(address, ordering: .releasing)
        }
        count.store(min(number, MixerControls.capacity), ordering: .releasing)
    }

    func input(_ index: Int) -> Element? {
        guard 0..<count.load(ordering: .acquiring) ~= index,
            let address = UnsafeRawPointer(bitPattern: inputs[index].load(ordering: .acquiring))
        else { return nil }
        return Unmanaged<Element>.fromOpaque(address).takeUnretainedValue()
    }

    func element(_ scopeElement: ScopeElement) -> Element? {
        switch scopeElement.scope {
        case .input: input(Int(scopeElement.element))
        case .output: scopeElement.element == 0 ? output : nil
        case .global: nil
        }
    }
}
