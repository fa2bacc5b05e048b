// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DocumentTables

@Suite struct MonitorPictureTests {
    @Test("The picture of the monitor has a session in each state, and is the same each time")
    func states() {
        let picture = monitorPicture()
        for words in ["interrupted by Music", "silenced, ducked, mixes", ">ducked<", "active, ducks others", ">inactive<"] {
            #expect(picture.contains(words), "\(words)")
        }
        #expect(monitorPicture() == picture)
    }
}
