// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ALSAHardware

/// A folder of devices. A device that cannot be opened is a link without a target, since root can open all others.
struct RecordingTests {
    private func mayRecord(opened: [String], refused: [String]) throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in opened { try Data().write(to: folder.appendingPathComponent(name)) }
        for name in refused {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent(name).path, withDestinationPath: "nowhere")
        }
        return DeviceFolder.mayRecord(in: folder.path)
    }

    @Test("Recording is refused if no capture device can be opened")
    func refused() throws {
        #expect(try !mayRecord(opened: ["controlC0", "pcmC0D0p"], refused: ["pcmC0D0c"]))
    }

    @Test("Recording is granted if a capture device can be opened, or none exists")
    func granted() throws {
        #expect(try mayRecord(opened: ["pcmC1D0c"], refused: ["pcmC0D0c"]))
        #expect(try mayRecord(opened: ["controlC0"], refused: ["pcmC0D0p"]))
        #expect(DeviceFolder.mayRecord(in: "/nonexistent"))
    }
}
