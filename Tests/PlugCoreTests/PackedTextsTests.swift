import PlugCore
import Testing

struct PackedTextsTests {
    @Test func aTextHasItsNumber() {
        var texts = PackedTexts()
        texts.append("".utf8, at: 0)
        #expect(texts.isEmpty)
        #expect(texts == PackedTexts())
        texts.append("ab".utf8, at: 1)
        texts.append("c".utf8, at: 2)
        texts.append("def".utf8, at: 5)
        texts.append("".utf8, at: 6)
        let all = (0..<9).map { String(decoding: texts[$0], as: UTF8.self) }
        #expect(all == ["", "ab", "c", "", "", "def", "", "", ""])
        #expect(!texts.isEmpty)
    }

    @Test func aTextIsSetOnce() {
        var texts = PackedTexts()
        texts.append("a".utf8, at: 1)
        texts.append("b".utf8, at: 1)
        texts.append("b".utf8, at: 0)
        #expect((0..<3).map { String(decoding: texts[$0], as: UTF8.self) } == ["", "a", ""])
    }
}
