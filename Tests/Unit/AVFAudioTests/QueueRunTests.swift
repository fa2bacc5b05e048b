// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AVFAudio

@Suite("The run of a player or recorder")
struct QueueRunTests {
    @Test("is ended once by a pause, or by a stop whose reason is read while it is there, in each life")
    func ends() {
        var run = QueueRun()
        var results: [Bool] = []
        for _ in 1...2 {
            results += [run.isOn, run.end(), run.end(run.number)]
            run.begin(after: 0)
            results += [run.isOn, run.end(), run.isOn, run.end(), run.end(run.number)]
            run.begin(after: 0)
            results += [run.end(run.number), run.isOn, run.end(run.number), run.end()]
        }
        let life = [false, false, false, true, true, false, false, false, true, false, false, false]
        #expect(results == life + life)
    }

    @Test("is interrupted only by a stop that is reported after its start, in each life") func laterStops() {
        var run = QueueRun()
        for former: UInt64 in [0, 3, 4] {
            run.begin(after: former)
            #expect(!run.isBefore(former) && run.isBefore(former + 1) && run.isBefore(former + 2))
            run.end()
        }
    }

    @Test("is not ended by the stop of a former one, whoever has ended that, in each life") func formerStops() {
        var run = QueueRun()
        var former = [run.number]
        for isPause in [false, true, false, true] {
            run.begin(after: 0)
            let endsByFormer = former.map { run.end($0) }
            #expect(!endsByFormer.contains(true) && run.isOn)
            former.append(run.number)
            let hasEnded = isPause ? run.end() : run.end(run.number)
            #expect(hasEnded && !run.isOn)
            let endsAgain = former.map { run.end($0) }
            #expect(!endsAgain.contains(true))
        }
    }
}
