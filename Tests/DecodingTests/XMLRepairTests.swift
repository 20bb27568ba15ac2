import Testing

@testable import Decoding

/// What is nearly XML costs no record, and what is XML stays as it is.
struct XMLRepairTests {
    private struct Repaired: Equatable {
        var text: String
        var notes: [DecodingNote] = []
    }

    /// What libxml2 sees of a file, the same however it is cut, and what was noted.
    private func repaired(_ text: String) throws -> Repaired {
        let all = try [1, 2, 3, 5, 100_000].map { try repaired(Array(text.utf8), piece: $0) }
        for other in all where other.text != all[0].text { Issue.record("\(other) is not \(all[0])") }
        for other in all { #expect(other.notes.map(\.kind) == all[0].notes.map(\.kind)) }
        return all[0]
    }

    private func repaired(_ bytes: [UInt8], piece: Int) throws -> Repaired {
        let block = BlockBuilder(DecodingLimits())
        var repair = XMLRepair()
        var given: [UInt8] = []
        for at in stride(from: 0, to: bytes.count, by: piece) {
            try bytes[at..<min(bytes.count, at + piece)].withUnsafeBytes { piece in
                try repair.take(piece, isEnd: false, skippedLines: 0, into: block) { given += $0 }
            }
        }
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        try repair.take(nothing, isEnd: true, skippedLines: 0, into: block) { given += $0 }
        return Repaired(text: String(decoding: given, as: UTF8.self), notes: block.takeNotes())
    }

    @Test(arguments: [
        "<r a=\"1\" b = 'x>y'><b/>&lt;&#10;&#x20AC;é<![CDATA[ <&]] > & ]]></r>", "<a:b_-.1 xmlns:a='u'\n/>",
        "a ]] b > c",
        "<é/>\u{FF0C}\u{FFFD}", "</a >",
        "<a b='&amp;&quot;'/>", "<a hidden>", "<r>\n <a b=1 c/>",
    ])
    func whatIsRightStays(_ text: String) throws { #expect(try repaired(text) == Repaired(text: text)) }

    @Test(arguments: [
        ("a & b", "a &amp; b"), ("a&b=1&amp;c", "a&amp;b=1&amp;c"), ("&foo;", "&amp;foo;"), ("&#;", "&amp;#;"),
        ("&", "&amp;"),
        ("a < b", "a &lt; b"), ("a <3", "a &lt;3"), ("<<a/>", "&lt;<a/>"), ("x<y and z<a/>", "x&lt;y and z<a/>"),
        ("if (a<b && c>d)<i/>", "if (a&lt;b &amp;&amp; c>d)<i/>"), ("<a b='1&2<3'/>", "<a b='1&amp;2&lt;3'/>"),
        ("x <a hidden>", "x &lt;a hidden>"), ("x<y and z=2> w", "x&lt;y and z=2> w"),
        ("<!ELEMENT a>", "&lt;!ELEMENT a>"), ("</ a>", "&lt;/ a>"),
    ])
    func markupThatBeginsNothingIsText(_ text: String, _ expected: String) throws {
        let repaired = try repaired(text)
        #expect(repaired.text == expected)
        #expect(repaired.notes.map(\.kind) == [.markupAsText])
    }

    @Test(arguments: [
        ("a\u{B}b", "a\u{FFFD}b"), ("\u{0}", "\u{FFFD}"), ("&#11;&#xB;&#0;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&#xFFFF;&#xD800;", "\u{FFFD}\u{FFFD}"), ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}"),
        ("<a b='\u{1}\u{FFFF}'/>", "<a b='\u{FFFD}\u{FFFD}'/>"), ("<![CDATA[\u{1B}[0m]]>", "<![CDATA[\u{FFFD}[0m]]>"),
    ])
    func charactersThatXMLForbidsAreReplaced(_ text: String, _ expected: String) throws {
        let repaired = try repaired(text)
        #expect(repaired.text == expected)
        #expect(repaired.notes.map(\.kind) == [.replacedCharacter])
    }

    @Test(arguments: [
        ("&nbsp;&eacute;&rsquo;&Alpha;", "\u{A0}é’Α"), ("<a b='&euro;'/>", "<a b='€'/>"), ("&#XE9;&#X26;", "é&#38;"),
        ("a]]>b", "a]]&gt;b"),
    ])
    func charactersOfHTMLAreKnown(_ text: String, _ expected: String) throws {
        #expect(try repaired(text) == Repaired(text: expected))
    }

    @Test(arguments: [
        ("<!DOCTYPE r>\n<r/>", "\n<r/>"), ("<!doctype r SYSTEM \"a>b\"><r/>", "<r/>"),
        (
            "<!DOCTYPE r [<!ENTITY a ']><b>'><!-- ]><r> ' --><?x ]><r>?>\n<!ATTLIST a b CDATA \"]>\">]>\n<r/>",
            "\n\n<r/>"
        ),
        ("<!DOCTYPE r [\n<!ATTLIST a\n b CDATA #IMPLIED\n<!ELEMENT c EMPTY>\n]>\n<r/>", "\n\n\n\n\n<r/>"),
        ("<!DOCTYPE r [<!ATTLIST a>\n eye CDATA>\n]\n>\n<!-- c --><r/>", "\n\n\n\n<!----><r/>"),
        ("<!DOCTYPE r [<!ELEMENT don't (a)>\n]><r>it's</r>", "\n<r>it's</r>"),
        ("<!DOCTYPE r [<!ELEMENT don't (a)>]><r>it's</r>", "<r>it's</r>"),
        ("<!DOCTYPE r [<!ELEMENT a \"b>]><r><![CDATA[\"]]><i/></r>", "<r><![CDATA[\"]]><i/></r>"),
        ("<!DOCTYPE r PUBLIC 'a' <r/>", "<r/>"), ("<!DOCTYPE r [<!ENTITY a '<b>'>\n<r>a</r>", "\n<r>a</r>"),
    ])
    func documentTypesAreLeftOut(_ text: String, _ expected: String) throws {
        #expect(try repaired(text) == Repaired(text: expected))
    }

    @Test func commentsAndInstructionsAreEmptied() throws {
        #expect(
            try repaired("<?xml version='7'?>\n<r><!-- a -- b\n & --><?php\n a ?></r>").text
                == "<?i ?>\n<r><!--\n--><?i \n?></r>"
        )
    }

    @Test func whatWasRepairedIsCountedWithItsLine() throws {
        let notes = try repaired("<r>\n&\n\u{1}\n& <\n\u{2}</r>").notes
        let expected = [
            DecodingNote(kind: .markupAsText, count: 3, line: 2),
            DecodingNote(kind: .replacedCharacter, count: 2, line: 3),
        ]
        #expect(notes == expected)
    }
}
