import LosslessJSON
import Testing

@testable import Decoding

struct MailboxTests {
    private static func messages(_ text: String) throws -> [JSONValue] {
        let decoded = try Decoded.always(text, MailboxDecoder())
        #expect(decoded.broken.isEmpty)
        return try decoded.records.map { try JSONValue(parsing: $0) }
    }

    @Test func aMessageIsARecord() throws {
        let messages = try Self.messages(
            """
            From 1001@xxx Thu Nov 19 00:00:00 +0000 2026
            Message-ID: <a@example.org>
            Date: Thu, 19 Nov 2026 10:00:00 +0100
            From: =?utf-8?Q?Ad=C3=A1_L?= <ada@example.org>
            To: "Babbage, Charles" <charles@example.org>,
            \tmary@example.org
            Subject: =?UTF-8?B?Q2Fmw6k=?= =?UTF-8?Q?_and_tea?=
            X-Gmail-Labels: Sent,Important

            Dear Charles,

            >From here on
            From me.

            From 1002@xxx Thu Nov 19 00:00:01 +0000 2026
            Subject: two

            B

            """
        )
        #expect(messages.count == 2)
        let first = try #require(messages.first)
        #expect(first["id"]?.stringText == "a@example.org")
        #expect(first["from"]?.stringText == "Adá L <ada@example.org>")
        #expect(
            first["to"]?.elements?.map(\.stringText) == [
                "\"Babbage, Charles\" <charles@example.org>", "mary@example.org",
            ]
        )
        #expect(first["subject"]?.stringText == "Café and tea")
        #expect(first["text"]?.stringText == "Dear Charles,\n\nFrom here on\nFrom me.")
        #expect(first["html"]?.isNull == true)
        #expect(first["headers"]?["x-gmail-labels"]?.elements?.map(\.stringText) == ["Sent,Important"])
        #expect(messages[1]["subject"]?.stringText == "two")
        #expect(messages[1]["text"]?.stringText == "B")
    }

    @Test func textsAreDecodedAndAttachmentsOnlyCounted() throws {
        let messages = try Self.messages(
            """
            From x
            Content-Type: multipart/mixed; boundary="outer"

            For old programs.
            --outer
            Content-Type: multipart/alternative; boundary=inner

            --inner
            Content-Type: text/plain; charset=iso-8859-1
            Content-Transfer-Encoding: quoted-printable

            Caf=E9 =
            noir
            --inner
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: base64

            PGI+Q2Fmw6k8L2I+
            --inner--
            --outer
            Content-Type: image/png
            Content-Disposition: attachment; filename*=utf-8''na%C3%AFve.png
            Content-Transfer-Encoding: base64

            AAAAAAAA
            AAAA
            --outer--

            """
        )
        let message = try #require(messages.first)
        #expect(message["text"]?.stringText == "Café noir")
        #expect(message["html"]?.stringText == "<b>Café</b>")
        #expect(message["attachments"]?.compactText == #"[{"name":"naïve.png","type":"image/png","size":9}]"#)
        #expect(message["cut"]?.bool == false)
    }

    @Test func aLongTextIsCutAndSaysSo() throws {
        let text = "From x\nSubject: long\n\n" + String(repeating: "0123456789\n", count: 150_000)
        let messages = try Decoded(Array(text.utf8), piece: 60_000, MailboxDecoder()).records
        let message = try JSONValue(parsing: try #require(messages.first))
        #expect(message["cut"]?.bool == true)
        #expect(message["size"]?.number?.int64 == 1_650_015)
        #expect(try #require(message["text"]?.stringText).utf8.count < 1 << 20)
    }

    @Test func whatIsNoMailboxIsTold() {
        let fault = DecodingFault(.otherFormat, "it does not begin as a mailbox does, with 'From '", line: 1)
        #expect(Decoded.fault("Subject: x\n\nFrom y\n", MailboxDecoder()) == fault)
    }
}
