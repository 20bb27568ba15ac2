import LosslessJSON
import Testing

@testable import Decoding

struct MailboxTests {
    private static func messages(_ text: String) throws -> [JSONValue] {
        let decoded = try Decoded.always(text, MailboxDecoder())
        #expect(decoded.broken.isEmpty)
        return try decoded.records.map { try JSONValue(parsing: $0) }
    }

    @Test("the text of a message whose boundary never comes is all of it, and what comes before one is none of it")
    func boundaries() throws {
        func texts(_ body: String, _ boundary: String) throws -> [String?] {
            try Self.messages(
                "From a\nContent-Type: multipart/mixed; boundary=\(boundary)\n\n\(body)\n\nFrom b\nSubject: two\n\nB\n\n"
            ).map { $0["text"]?.stringText }
        }
        let parts = "This is a message in parts.\n--x\nContent-Type: text/plain\n\nDear Ada\n--x--\nafter"
        #expect(try texts(parts, "x").map { $0?.split(separator: "\n").first.map(String.init) } == ["Dear Ada", "B"])
        let whole = try texts(parts, "other")
        #expect(whole.count == 2 && whole[1] == "B")
        #expect(whole[0]?.hasPrefix("This is a message in parts.\n--x\n") == true)
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

    @Test("a paragraph that begins with 'From ' is text")
    func paragraphs() throws {
        let first = """
            Dear all,

            From tomorrow on we meet at noon.
            Please bring the papers.

            From Mon Jan 5 10:00:00 to 2026

            From here: http://example.org/
            http://example.org/there

            From me
            """
        let messages = try Self.messages(
            """
            From MAILER-DAEMON Mon Jan  5 10:00:00 2026
            Subject: plan

            \(first)

            From MAILER-DAEMON Mon Jan  5 11:00:00 2026

            no headers

            From me
            """
        )
        let texts = messages.map { $0["text"]?.stringText }
        #expect(messages.map { $0["subject"]?.stringText } == ["plan", nil])
        #expect(texts == [first, "no headers\n\nFrom me"])
    }

    @Test(
        "a message begins as writers of mailboxes have it, or where a header follows",
        arguments: [
            ("From - Mon Jan  5 10:00:00 2026", ""), ("From ada@example.org Fri Dec 31 23:59:60 2026 +0100", ""),
            ("From 1234@xxx Thu Nov 19 00:00:00 +0000 2026", ""), ("From a@b Mon Jan 05 10:00:00 UTC 2026  ", ""),
            ("From a@b Mon Jan  5 10:00 2026", "Subject: x\n"), ("From a b Mon Jan  5 10:00:00 2026", "X-Y:z\n"),
            ("From ada  Thu Jan  1 00:00:00 1970 remote from x", "Date: never\n"), ("From 2026-01-05", "To:\n"),
        ]
    )
    func beginnings(_ line: String, _ header: String) throws {
        for end in ["\n", "\r\n"] {
            let text = "From x\nSubject: 1\n\none\n\n\(line)\n\(header)\ntwo\n".replacing("\n", with: end)
            #expect(try Self.messages(text).map { $0["text"]?.stringText } == ["one", "two"])
        }
    }

    @Test(
        "what only looks like the beginning of a message is text",
        arguments: [
            ("From a@b Mon Jan  5 10:00:00 2026 at noon", "we meet"),
            ("From a Mo Jan  5 10:00:00 2026", "we meet: now"),
            ("From a@b Mon Jan 32 10:00:00 2026", ": x"), ("From a@b Mon Jan  5 24:00:00 2026", "Ä: x"),
            ("From " + String(repeating: "x", count: 2000), "Subject: x"),
        ]
    )
    func noBeginnings(_ line: String, _ next: String) throws {
        let text = "From x\nSubject: 1\n\none\n\n\(line)\n\(next)\n\nFrom x\nSubject: 2\n\ntwo\n"
        #expect(try Self.messages(text).map { $0["text"]?.stringText } == ["one\n\n\(line)\n\(next)", "two"])
    }

    @Test func messagesComeOneByOneWhereABlockHasNoMoreRoom() throws {
        let text = (1...3).map { "From x\nSubject: \($0)\n\nbody \($0)\n\n" }.joined()
        var limits = DecodingLimits()
        limits.blockRecords = 1
        let whole = try Decoded(Array(text.utf8), piece: 1000, MailboxDecoder(limits), limits)
        #expect(
            try whole.records.map { try JSONValue(parsing: $0)["text"]?.stringText } == ["body 1", "body 2", "body 3"]
        )
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
        let kept = try #require(message["text"]?.stringText)
        #expect(text.dropFirst(22).hasPrefix(kept) && kept.utf8.count == 1 << 20)
    }

    @Test func whatIsNoMailboxIsTold() {
        let fault = DecodingFault(.otherFormat, "it does not begin as a mailbox does, with 'From '", line: 1)
        #expect(Decoded.fault("Subject: x\n\nFrom y\n", MailboxDecoder()) == fault)
    }
}
