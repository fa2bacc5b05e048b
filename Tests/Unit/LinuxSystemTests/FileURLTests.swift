// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Testing

@Suite("The text of a URL")
struct FileURLTests {
    @Test(
        "names a file with the scheme of files or without a scheme",
        arguments: [
            "file:///a.wav", "FILE:///a.wav", "file://localhost/a%20b.wav", "/a:b.wav", "a.wav", "1a:b", "", ":", "a/b:c",
        ])
    func files(text: String) {
        #expect(FileURL.namesFile(Array(text.utf8)))
    }

    @Test(
        "names no file with another scheme, or with a byte 0 in its path",
        arguments: [
            "http://a/b.wav", "https:a", "ftp://a", "x-file+1.0:/a", "files:///a", "fil:/a", "file:///a%00.wav", "/%00", "%00",
            "file:///a.wav%00", "a\0",
        ])
    func others(text: String) {
        #expect(!FileURL.namesFile(Array(text.utf8)))
    }

    @Test("has a path that ends before a query and a fragment", arguments: ["file:///a?%00", "file:///a#%00", "/a%2500", "/a%0"])
    func paths(text: String) {
        #expect(FileURL.namesFile(Array(text.utf8)))
    }
}
