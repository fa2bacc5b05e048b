// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@testable import AVFAudio

@Suite("An output of a node")
struct NodeOutputTests {
    private func render(_ output: NodeOutput) {
        var (flags, time, list) = (AudioUnitRenderActionFlags(), AudioTimeStamp(), AudioBufferList())
        _ = output.render(&flags, &time, 0, &list)
    }

    @Test("reads values that belong together again when a render came between them", arguments: [0, 1, 5])
    func readings(interrupted: UInt64) {
        let output = NodeOutput()
        let values = output.readBetweenRenders {
            let first = output.renders
            if first < interrupted { render(output) }
            return [first, output.renders]
        }
        #expect(values == [interrupted, interrupted])
    }

    @Test("gives up waiting for a moment without renders") func endlessRenders() {
        let output = NodeOutput()
        var readings = 0
        output.readBetweenRenders {
            readings += 1
            render(output)
        }
        #expect(readings == NodeOutput.mostReadings + 1)
    }
}
