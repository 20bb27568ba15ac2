import PlugCore
import Testing

@testable import PlugManifest

struct ScalarPositionsTests {
    /// Where the `!` of a value stands in the file.
    private func mark(_ yaml: String) throws -> String {
        let result = YAMLReader.read(Array(yaml.utf8))
        let scalar = try #require(result.root?["a"]?.scalar, "\(result.diagnostics)")
        let index = try #require(Array(scalar.text.unicodeScalars).firstIndex(of: "!"))
        let location = ScalarPositions(of: scalar, in: result.source).location(of: index..<index + 1)
        return "\(location.line):\(location.column)"
    }

    @Test(arguments: [
        ("a: .x!", "1:6"), ("a: 'it''s !'", "1:11"), (#"a: "\t\u00e9\x41!""#, "1:17"), ("a: .x |\n   .y!", "2:6"),
        ("a: x\n\n\n  y!", "4:4"), ("a: 'x\n\n  y!'", "3:4"), ("a: \"x \\\n  y!\"", "2:4"),
        ("a: |\n  {x: .y,\n   z!}", "3:5"),
        ("a: |2\n    x!", "2:6"), ("a: |-\n\n  x\n\n    y!\n", "5:6"), ("a: >\n  x\n  y!", "3:4"),
        ("a: >\n  x\n\n  y!", "4:4"),
        ("a: >-\n  x\n\n\n  y\n    z\n  w!\n", "7:4"), ("a: >\n  x\n    y\n\n  z!", "5:4"), ("a:\n  .x !", "2:6"),
        ("# ü\na: 'ü! '", "2:6"), ("a: |\r\n  x\r\n  y!\r\n", "3:4"),
    ])
    func charactersAreFoundInEveryStyle(yaml: String, place: String) throws {
        #expect(try mark(yaml) == place)
    }

    /// Every character of the value that is no white space must be the character at its place.
    @Test(arguments: [
        ">\n  alpha\n  beta\n\n  gamma\n    delta\n      epsilon\n\n    zeta\n  eta\n",
        "|\n  one\n\n   two\n  three\n\n",
        "first\n  second\n\n  third   fourth\n  fifth", "'first''s\n  second\n\n\n  third'",
        "\"a\\\\b \\\"c\\\"\n  d\n\n  e\"",
        ">2\n    lead\n  next\n", "|+\n  x\n\n\n",
    ])
    func everyCharacterIsTheOneAtItsPlace(value: String) throws {
        let result = YAMLReader.read(Array("a: \(value)".utf8))
        let scalar = try #require(result.root?["a"]?.scalar)
        let positions = ScalarPositions(of: scalar, in: result.source)
        for (index, character) in scalar.text.unicodeScalars.enumerated() where character != "\n" && character != " " {
            let place = positions.location(of: index..<index + 1)
            let found = result.source.lines[place.line - 1][place.column - 1]
            #expect(found == character || found == "\\", "\(index) of \(scalar.text.debugDescription)")
        }
    }
}
