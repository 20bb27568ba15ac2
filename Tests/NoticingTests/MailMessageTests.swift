import Foundation
import PlugCore
import Testing

@testable import Noticing

/// A mail's header is ours alone, and every mail program can read the text.
struct MailMessageTests {
    private func message(subject: String = "Hello", text: String = "One\nTwo\n") -> String {
        let message = NoticeMail(
            from: "plughost@example.org",
            to: ["ada@example.org", "bob@example.org"],
            subject: subject,
            text: text,
            id: "notice_1",
            at: 1_795_000_000_000_000
        )
        return String(decoding: message.bytes, as: UTF8.self)
    }

    @Test func aMailHasEverythingThatAMailNeeds() {
        #expect(
            message() == """
                Date: 18 Nov 2026 11:06:40 +0000\r
                From: plughost <plughost@example.org>\r
                To: ada@example.org,\r
                 bob@example.org\r
                Subject: Hello\r
                Message-ID: <notice_1@example.org>\r
                Auto-Submitted: auto-generated\r
                MIME-Version: 1.0\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: base64\r
                \r
                T25lDQpUd28NCg==\r

                """
        )
    }

    @Test(arguments: [
        "a\r\nBcc: eve@example.org", "a\nb", "=?utf-8?Q?x?=", "für alle", String(repeating: "x", count: 61),
    ])
    func aSubjectThatIsNoPlainLineBecomesEncodedWords(subject: String) {
        let encoded = NoticeMail.encoded(subject)
        let words = encoded.components(separatedBy: "\r\n ")
        #expect(words.allSatisfy { $0.hasPrefix("=?utf-8?B?") && $0.hasSuffix("?=") && $0.utf8.count <= 75 })
        let bytes = words.flatMap { Base64.decoded(String($0.dropFirst(10).dropLast(2))) ?? [] }
        #expect(String(decoding: bytes, as: UTF8.self) == subject)
    }

    @Test func noLineIsLongerThanMailAllowsWhateverTheTextIs() {
        let text = message(subject: String(repeating: "é", count: 500), text: String(repeating: "x", count: 5_000))
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 76 })
        #expect(!text.replacing("\r\n", with: "").contains("\n"))
    }
}
