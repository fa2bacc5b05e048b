// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SessionModel

/// One table describes every property.
@Suite("Property table")
struct TableTests {
    /// A state in which each getter has a value: a USB device with sources and a gain.
    private static let state: SessionState = {
        var state = SessionState(.playAndRecord, [.usb])
        for index in state.hardware.ports.indices where state.hardware.ports[index].kind.isInput {
            state.hardware.ports[index].gain = 0.5
        }
        for index in state.hardware.ports.indices {
            state.hardware.ports[index].selectables = [Selectable(id: 1, name: "one")]
            state.hardware.ports[index].selected = 1
        }
        state.format = StreamFormat(sampleRate: 48_000, bufferDuration: 0.01)
        state.endingInterruption = .shouldResume
        return state
    }()

    private func isSettable(_ row: SessionPropertyRow) -> Bool {
        let candidates: [PropertyValue] = [
            .uint32(1), .uint32(0), .uint32(Category.mediaPlayback.rawValue), .uint32(Mode.voiceChat.rawValue), .float64(48_000),
            .float32(0.5), .number(1),
        ]
        return candidates.contains { (try? row.set(TableTests.state, $0)) != nil }
    }

    @Test("Every property has exactly one row, at a place of its own", arguments: SessionProperty.allCases)
    func oneRow(property: SessionProperty) {
        #expect(propertyTable.count { $0.property == property } == 1)
        #expect(SessionProperty.allCases[property.ordinal] == property)
        #expect(!property.row.access.isEmpty)
    }

    @Test("Every property has a slot of its own")
    func slots() {
        let slots = SessionProperty.allCases.map { PropertySlot.index(of: $0.rawValue) }
        #expect(Set(slots).count == SessionProperty.allCases.count)
        #expect(slots.allSatisfy { (0..<PropertySlot.count).contains($0) })
    }

    @Test(
        "A row has a getter, a setter and an announcement exactly if its access requires them",
        arguments: SessionProperty.allCases)
    func access(property: SessionProperty) {
        let row = property.row
        #expect(((try? row.get(TableTests.state)) != nil) == row.access.contains(.get))
        #expect(isSettable(row) == row.access.contains(.set))
        if row.access.contains(.listen), property != .audioRouteChange { #expect(row.announce(TableTests.state) != nil) }
    }

    /// Changes of a state that leave its settings and its hardware.
    private static let otherChanges: [@Sendable (inout SessionState) -> Void] = [
        { $0.isActive.toggle() }, { $0.isSilent.toggle() }, { $0.primaryAudioPlays.toggle() },
        { $0.otherAudioIsPlaying.toggle() },
        { $0.format = nil }, { $0.ioSlice = 0.02 }, { $0.endingInterruption = .shouldNotResume },
    ]

    @Test("What listeners are told follows from the settings and the hardware alone", arguments: otherChanges.indices)
    func announcements(change: Int) {
        let old = TableTests.state
        var new = old
        TableTests.otherChanges[change](&new)
        #expect(new != old)
        for row in propertyTable where row.access.contains(.listen) {
            #expect(row.announce(new) == row.announce(old), "\(row.name)")
        }
        #expect(new.events(since: old, because: .override).isEmpty)
    }

    @Test("A row that can be set says which values it accepts; only such a row has a reason of a route change")
    func setters() {
        for row in propertyTable {
            #expect((row.accepts.utf8CodeUnitCount > 0) == row.access.contains(.set), "\(row.name)")
            #expect(row.routeChangeReason == .unknown || row.access.contains(.set), "\(row.name)")
        }
    }

    @Test("A published property is a number that can be read")
    func published() {
        for row in propertyTable where row.source == .published {
            #expect(row.access.contains(.get) && !row.type.isCoreFoundation, "\(row.name)")
        }
    }

    @Test("A set that changes the route gives its row's reason", arguments: SessionProperty.allCases)
    func reasons(property: SessionProperty) throws {
        guard property.row.access.contains(.set) else { return }
        let candidates: [PropertyValue] = [
            .uint32(1), .uint32(overrideToSpeaker), .uint32(Category.mediaPlayback.rawValue), .uint32(Mode.videoChat.rawValue),
        ]
        var state = SessionState(.playAndRecord, [.headset, .handsFree])
        if property == .overrideCategoryDefaultToSpeaker || property == .mode { state = SessionState(.playAndRecord) }
        for candidate in candidates {
            guard case .settings(let settings)? = try? property.row.set(state, candidate) else { continue }
            var next = state
            next.settings = settings
            for case .routeChange(let change) in next.events(since: state, because: property.row.routeChangeReason) {
                #expect(change.reason != .unknown, "\(property.row.name) changes the route without a reason")
            }
        }
    }

    @Test(
        "The header, the manual and the list of names have every property by the name of its row",
        arguments: SessionProperty.allCases)
    func documented(property: SessionProperty) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }
        let row = property.row
        let constant = (row.isLinuxOnly ? "kAudioSessionLinuxProperty_" : "kAudioSessionProperty_") + "\(row.name)"
        let headers = ["AudioServices.h", "AudioSession.h", "AudioSessionLinux.h", "AudioToolbox.h"]
            .compactMap { try? text("include/audiosession/AudioToolbox/\($0)") }.joined()
        #expect(headers.contains(constant))
        #expect(try text("docs/man/audiosession-properties.7").contains("\(row.name)"))
    }

    @Test("The default category is SoloAmbientSound, and mixing is refused in it")
    func defaults() {
        var settings = SessionSettings()
        #expect(settings.category == .soloAmbientSound)
        #expect(throws: ResultCode.incompatibleCategory) { try settings.setMixesWithOthers(true) }
    }
}
