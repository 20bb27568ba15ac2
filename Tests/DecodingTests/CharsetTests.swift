import Testing

@testable import Decoding

struct CharsetTests {
    private func read(_ bytes: [UInt8], given: String? = nil, declared: String? = nil, isXML: Bool = false) throws
        -> (text: String, replaced: Int)
    {
        try TranscoderTests().read(bytes, given: given, declared: declared, isXML: isXML)
    }

    private static let labels: [(String, [UInt8], String)] = [
        ("shift_jis", [0x5C, 0x7E, 0x87, 0x40, 0x87, 0x8A, 0x81, 0x60, 0xFB, 0xFC], "\\~①㈱～髙"),
        ("x-sjis", [0x93, 0x8C], "東"), ("euc-jp", [0xAD, 0xA1], "①"), ("gb2312", [0xE9, 0x46, 0xA2, 0xE3], "镕€"),
        ("x-gbk", [0xE9, 0x46], "镕"), ("euc-kr", [0x8C, 0x63], "똠"), ("ks_c_5601-1987", [0xB0, 0xA1], "가"),
        ("iso-8859-9", [0x80, 0xF0], "€ğ"), ("windows1252", [0x80], "€"), ("iso-8859-8-i", [0xE0], "א"),
        ("windows-1251", [0xC6], "Ж"), ("big5", [0xA4, 0xA4], "中"), ("koi8-u", [0xA4], "є"), ("macintosh", [0x8E], "é"),
    ]

    /// As pages and files under these names have them, which the standards of the same names do not.
    @Test(arguments: labels) func namesMeanWhatTheyMeanToBrowsers(_ name: String, _ bytes: [UInt8], _ text: String)
        throws
    {
        #expect(try read(bytes, given: name) == (text, 0))
    }

    @Test func theLastLetterIsNotHeldBack() throws {
        #expect(try read(Array("abc".utf8), given: "windows-1258") == ("abc", 0))
        #expect(try read([0xE0, 0xE1, 0xE2], given: "windows-1255") == ("אבג", 0))
    }

    @Test func theNameOfAWideEncodingDoesNotMakeTextWide() throws {
        let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><r>ü</r>"
        #expect(try read(Array(text.utf8), isXML: true) == (text, 0))
        let blank = "\n <?xml version='1.0' encoding='ISO-8859-1'?>"
        #expect(try read(Array(blank.utf8) + [0xFC], isXML: true) == (blank + "ü", 0))
        let big = "<a>Zoë</a>".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        #expect(try read(big, declared: "utf-16") == ("<a>Zoë</a>", 0))
        #expect(try read([0x41, 0, 0x42, 0, 0x00, 0xDC, 0x43, 0], given: "ucs-2") == ("AB\u{FFFD}C", 1))
    }

    @Test func anUnknownNameIsNoHarmWhereTheTextIsUTF8() throws {
        #expect(try read(Array("Zoë".utf8), declared: "x-made-up") == ("Zoë", 0))
        let fault = DecodingFault(
            .otherFormat,
            "its encoding is said to be 'x-made-up', which is unknown here, and it is not UTF-8: 'encoding' in 'decode' may name "
                + "another one"
        )
        #expect(throws: fault) { try read([0x41, 0xFC, 0x42], declared: "x-made-up") }
    }

    @Test(arguments: [
        ("%PDF-1.7\n", "it is a PDF file"),
        (String(repeating: "a", count: 257) + "ustar", "it is a tar archive, which is not supported"),
    ])
    func whatIsNoTextIsNamed(_ text: String, _ reason: String) {
        let bytes = Array(text.utf8) + [UInt8](repeating: 0x30, count: 600)
        #expect(throws: DecodingFault(.otherFormat, reason)) { try read(bytes) }
    }

    @Test func aPieceIsVisitedOnce() throws {
        let transcoder = Transcoder()
        let bytes = [UInt8](repeating: 0x41, count: 512) + (0..<1000).flatMap { _ in [0xFF, 0x3E] as [UInt8] }
        var visits = 0
        try bytes.withUnsafeBytes { try transcoder.take($0) { _ in visits += 1 } }
        #expect(visits == 1)
        #expect(transcoder.replaced == 1000)
    }

    @Test(
        "the encoding that an HTML page names, in either way and among its first bytes only",
        arguments: [
            (#"<html><head><meta charset="iso-8859-1"><title>"#, "iso-8859-1"), ("<META CHARSET=utf-8 />", "utf-8"),
            (
                #"<meta name="a"><meta http-equiv="Content-Type" content="text/html; charset=windows-1251">"#,
                "windows-1251"
            ),
            ("<p>charset=utf-8", nil), (String(repeating: " ", count: 1024) + "<meta charset=utf-8>", nil),
        ] as [(String, String?)]
    )
    func namesInHTML(page: String, name: String?) {
        #expect(Array(page.utf8).withUnsafeBytes { Charset.nameInHTML($0) } == name)
    }
}
