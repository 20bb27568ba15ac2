import Foundation
import LosslessJSON
import Testing

@testable import Decoding

/// Mailboxes with lines that are too long to be held.
struct MailboxLinesTests {
    /// A line of more than 64 bytes is long, and a text of 256 bytes is cut.
    private static let small: DecodingLimits = {
        var limits = DecodingLimits()
        limits.record = 1024
        return limits
    }()

    private static func messages(_ text: String) throws -> [JSONValue] {
        let decoded = try Decoded.always(text, MailboxDecoder(small))
        #expect(decoded.broken.isEmpty)
        return try decoded.records.map { try JSONValue(parsing: $0) }
    }

    /// A mailbox of a message and others around it.
    private static func around(_ message: String) -> String {
        "From a\nSubject: 1\n\none\n\nFrom b\n\(message)\n\nFrom c\nSubject: 3\n\nthree\n"
    }

    @Test("a line of 20 MB ends neither the mailbox nor the message", arguments: ["\n", "\r\n"])
    func longLines(_ end: String) throws {
        let long = String(repeating: "0123456789", count: 2_000_000)
        let text = Self.around("X-Long: \(long)\nSubject: 2\n\ntwo\n\(long)").replacing("\n", with: end)
        let records = try Decoded(Array(text.utf8), piece: 65_536, MailboxDecoder()).records
        let messages = try records.map { try JSONValue(parsing: $0) }
        #expect(messages.map { $0["subject"]?.stringText } == ["1", "2", "3"])
        #expect(messages.map { $0["cut"]?.bool } == [false, true, false])
        let body = try #require(messages[1]["text"]?.stringText)
        #expect(body.utf8.count == 1 << 20 && body.hasPrefix("two\n0123456789"))
        #expect(messages[1]["size"]?.number?.int64 == 40_000_027)
        let header = try #require(messages[1]["headers"]?["x-long"]?.elements?.first?.stringText)
        #expect(header.utf8.count == (256 << 10) - 8 && header.hasPrefix("0123456789"))
    }

    @Test("an attachment in one line is counted", arguments: ["\n", "\r\n"])
    func attachments(_ end: String) throws {
        let encoded = String(repeating: "AAAA", count: 500)
        let text = Self.around(
            """
            Subject: 2
            Content-Type: multipart/mixed; boundary=x

            --x

            hello
            --x
            Content-Type: image/png; name=p.png
            Content-Transfer-Encoding: base64

            \(encoded)
            --x
            Content-Type: text/plain; name=p.txt

            \(encoded)
            --x--
            """
        )
        let messages = try Self.messages(text.replacing("\n", with: end))
        #expect(messages.map { $0["text"]?.stringText } == ["one", "hello", "three"])
        #expect(messages.map { $0["cut"]?.bool } == [false, false, false])
        #expect(
            messages[1]["attachments"]?.compactText
                == #"[{"name":"p.png","type":"image/png","size":1500},{"name":"p.txt","type":"text/plain","size":2001}]"#
        )
    }

    @Test("lines of every length around the limit are read whole, whatever pieces they come in")
    func lengths() throws {
        for end in ["\n", "\r\n"] {
            for length in 60...70 {
                let line = String(repeating: "x", count: length)
                let text = Self.around("Subject: 2\n\n\(line)\n\n\(line)")
                let messages = try Self.messages(text.replacing("\n", with: end))
                #expect(messages.map { $0["text"]?.stringText } == ["one", "\(line)\n\n\(line)", "three"])
                #expect(messages[1]["size"]?.number?.int64 == Int64(2 * length) + 16)
            }
        }
    }

    @Test(
        "a text is cut between two characters",
        arguments: [
            ("Content-Type: text/plain; charset=utf-8", "é"), ("Content-Type: text/plain", "x€"),
            ("Content-Type: text/plain; charset=shift_jis", "x"),
        ]
    )
    func cuts(_ header: String, _ character: String) throws {
        let text = String(repeating: character, count: 300)
        let escaped = text.utf8.map {
            $0 < 0x80 ? String(UnicodeScalar($0)) : "=\(String($0, radix: 16).uppercased())"
        }
        for (encoding, body) in [
            ("8bit", text), ("base64", Data(text.utf8).base64EncodedString()), ("quoted-printable", escaped.joined()),
        ] {
            for before in 0..<6 {
                let blanks = String(repeating: encoding == "base64" ? "\n" : "-", count: before)
                let messages = try Self.messages(
                    Self.around("\(header)\nContent-Transfer-Encoding: \(encoding)\n\n\(blanks)\(body)\nmore")
                )
                #expect(messages.count == 3)
                #expect(messages[1]["cut"]?.bool == true)
                let kept = try #require(messages[1]["text"]?.stringText)
                let whole = encoding == "base64" ? text : blanks + text
                #expect(whole.hasPrefix(kept), "\(encoding) \(before): \(kept)")
                #expect(kept.utf8.count > 80)
            }
        }
    }

    @Test("what follows the place of the cut is not in the text, even if it is short")
    func nothingAfterTheCut() throws {
        let messages = try Self.messages(Self.around("Subject: 2\n\n\(String(repeating: "x", count: 300))\nshort"))
        #expect(messages[1]["text"]?.stringText == String(repeating: "x", count: 256))
    }

    @Test("a header that is cut leaves room for the headers that a message needs")
    func headers() throws {
        let long = String(repeating: "x", count: 100)
        let messages = try Self.messages(
            Self.around(
                """
                X-First: \(long)
                 \(long)
                X-Second: \(long)
                Subject: \(long)
                 and more
                Content-Type: text/plain; charset=iso-8859-1
                Content-Transfer-Encoding: quoted-printable

                caf=E9
                """
            )
        )
        #expect(messages.map { $0["text"]?.stringText } == ["one", "café", "three"])
        #expect(messages.map { $0["cut"]?.bool } == [false, true, false])
        #expect(messages[1]["subject"]?.stringText == String(repeating: "x", count: 55))
        #expect(
            messages[1]["headers"]?.compactText
                == #"{"x-first":["\#(String(repeating: "x", count: 55))"],"subject":["\#(String(repeating: "x", count: 55))"],"#
                + #""content-type":["text/plain; charset=iso-8859-1"],"content-transfer-encoding":["quoted-printable"]}"#
        )
    }

    @Test("a long line after one that may begin a message decides as a short one does")
    func afterADoubtfulLine() throws {
        let long = String(repeating: "x", count: 200)
        let begun = try Self.messages("From a\nSubject: 1\n\none\n\nFrom b\nX-Y: \(long)\n\ntwo\n")
        #expect(begun.map { $0["text"]?.stringText } == ["one", "two"])
        let text = try Self.messages("From a\nSubject: 1\n\none\n\nFrom b\n\(long)\n")
        #expect(text.map { $0["text"]?.stringText } == ["one\n\nFrom b\n\(long)"])
    }

    @Test("a long line that begins with '>From ' loses the mark, and one with 'From ' begins only the first message")
    func longMarks() throws {
        let long = String(repeating: "x", count: 100)
        let messages = try Self.messages("From \(long)\nSubject: 1\n\nFrom \(long)\n>From \(long)")
        #expect(messages.map { $0["text"]?.stringText } == ["From \(long)\nFrom \(long)"])
        let fault = DecodingFault(.otherFormat, "it does not begin as a mailbox does, with 'From '", line: 2)
        #expect(Decoded.fault("\n\(long)\nFrom y\n", MailboxDecoder(Self.small)) == fault)
    }

    @Test func messagesComeOneByOneAlsoWhereLinesAreLong() throws {
        let long = String(repeating: "x", count: 100)
        var limits = Self.small
        limits.blockRecords = 1
        let text = (1...3).map { "From x\nX: \(long)\nSubject: \($0)\n\n\(long)\n\n" }.joined()
        for piece in [1, 50, 1000] {
            let whole = try Decoded(Array(text.utf8), piece: piece, MailboxDecoder(limits), limits)
            #expect(try whole.records.map { try JSONValue(parsing: $0)["subject"]?.stringText } == ["1", "2", "3"])
        }
    }
}
