import Testing

@testable import PlugRuntime

struct ContentSampleTests {
    private let contents = ["{}", #"{"n":1}"#, #"{"n":2}"#, #"{"n":1234567890}"#, #"{"n":1234567891}"#].map {
        Array($0.utf8)
    }

    @Test("one content never contradicts itself, and every other one does")
    func compares() {
        for (at, content) in contents.enumerated() {
            var sample = ContentSample()
            sample.insert(7, content, content.indices)
            for (other, bytes) in contents.enumerated() {
                #expect(sample.contradicts(7, bytes, bytes.indices) == (other != at))
            }
            #expect(!sample.contradicts(8, contents[0], contents[0].indices))
        }
    }

    @Test("only the record's own bytes count")
    func ranges() {
        let block = Array(#"{"n":1}{"n":1}{"n":2}"#.utf8)
        var sample = ContentSample()
        sample.insert(1, block, 0..<7)
        #expect(!sample.contradicts(1, block, 7..<14))
        #expect(sample.contradicts(1, block, 14..<21))
    }

    @Test("of more records than it may keep it has a part, evenly chosen")
    func halves() {
        var sample = ContentSample(limit: 100)
        // As good in each bit as in any other, and with the lowest bits that the number has.
        let identities = (1...UInt64(1000)).map { $0 &* 0x9E37_79B9_7F4A_7C15 }
        for identity in identities { sample.insert(identity, contents[1], contents[1].indices) }
        let kept = identities.filter { sample.contradicts($0, contents[2], contents[2].indices) }
        #expect(kept == identities.filter { $0 % 16 == 0 })
    }
}
