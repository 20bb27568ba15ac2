import Archives
import Testing

struct EntryPatternTests {
    @Test(arguments: [
        ("posts/*.json", "posts/a.json"), ("posts/*.json", "posts/.json"), ("**/posts/*.json", "posts/a.json"),
        ("**/posts/*.json", "export/2026/posts/a.json"), ("**", "anything/at/all"),
        ("a?c/{x,y}.{json,csv}", "abc/y.csv"),
        ("Takeout/*/Verlauf ä.json", "Takeout/Maps/Verlauf ä.json"), ("*a*b*.txt", "xaxbx.txt"),
        ("{a,b/**}/c", "b/x/y/c"),
        ("export.xml", "export.xml"),
    ])
    func namesThatFit(_ pattern: String, _ name: String) throws {
        #expect(try #require(EntryPattern(pattern)).matches(name))
    }

    @Test(arguments: [
        ("posts/*.json", "posts/2026/a.json"), ("posts/*.json", "x/posts/a.json"), ("posts/*.json", "Posts/a.json"),
        ("a?c", "ac"), ("*/a", "/a/a"), ("**/a.json", "a.json/b"), ("a.json", "aXjson"), ("*a*b", "xaxbx"),
    ])
    func namesThatDoNot(_ pattern: String, _ name: String) throws {
        #expect(try !#require(EntryPattern(pattern)).matches(name))
    }

    @Test(arguments: [
        "", "/posts/a.json", "a//b", "../a", "a/./b", "{a,b", "a}b", "a/{b,{c}", "**/**/**/a", "a/",
        String(repeating: "{a,b}", count: 7),
    ])
    func textsThatNameNothing(_ text: String) { #expect(EntryPattern(text) == nil) }

    @Test(.timeLimit(.minutes(60))) func namesWithManyPartsCostLittle() throws {
        let pattern = try #require(EntryPattern("**/a/**/*a*a*a*a*b"))
        let name = Array(repeating: "a", count: 60).joined(separator: "/") + String(repeating: "a", count: 4000)
        for _ in 0..<20 { #expect(!pattern.matches(name)) }
        #expect(!pattern.matches(Array(repeating: "a", count: 100_000).joined(separator: "/")))
    }

    @Test("letters are the same however they are composed, as macOS writes them in two")
    func composition() throws {
        let composed = try #require(EntryPattern("**/Exportaci\u{F3}n.xml"))
        #expect(composed.matches("a/Exportacio\u{301}n.xml"))
        let decomposed = try #require(EntryPattern("Exportacio\u{301}n.*"))
        #expect(decomposed.matches("Exportaci\u{F3}n.xml"))
        #expect(!decomposed.matches("Exportacion.xml"))
    }
}
