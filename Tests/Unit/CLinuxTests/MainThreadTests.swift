// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

@Suite struct MainThreadTests {
    @Test("The variable of a library that takes another thread for the main one gets the main thread, again and again")
    func correction() throws {
        // Foundation was loaded by the main thread, before this program began.
        let mainThread = try #require(dlsym(nil, "_CFMainPThread")).assumingMemoryBound(to: UInt.self).pointee
        // A variable of libc with the size of pthread_t, which nothing here uses.
        let variable = try #require(dlsym(nil, "optarg")).assumingMemoryBound(to: UInt.self)
        defer { variable.pointee = 0 }
        for wrong in [0, 1, UInt.max] {
            variable.pointee = wrong
            linux_correct_main_thread("optarg")
            #expect(variable.pointee == mainThread && mainThread > 1)
        }
        linux_correct_main_thread("audiosession_has_no_such_variable")
    }
}
