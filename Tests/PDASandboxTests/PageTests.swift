import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

@Suite(.fewAtATime)
struct PageTests {
    static let naughty = (ProcessInfo.processInfo.environment["PLUGHOST_TEST_DATA"] ?? "../shared/data") + "/blns.json"

    /// The session cookie of an answer, to send back.
    private func cookie(_ reply: Reply) -> [(String, String)] {
        [("Cookie", String((reply.headers["set-cookie"] ?? "").prefix { $0 != ";" }))]
    }

    private func logIn(_ sandbox: RunningSandbox) async throws -> [(String, String)] {
        let link = sandbox.address.page.reveal()
        return cookie(try await sandbox.get(String(link.dropFirst(sandbox.address.url.count))))
    }

    @Test func aLinkLogsOneBrowserInOnce() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("a/b", #"{"secret":"canary"}"#)
            let path = String(sandbox.address.page.reveal().dropFirst(sandbox.address.url.count))
            let first = try await sandbox.get(path)
            #expect(first.status == 303)
            #expect(first.headers["location"] == "/")
            #expect(first.headers["set-cookie"]?.contains("; HttpOnly; SameSite=Lax") == true)
            #expect(try await sandbox.get("/", headers: cookie(first)).text.contains("canary"))
            let second = try await sandbox.get(path)
            #expect(second.headers["set-cookie"] == nil)
            for visitor in [[], [("Cookie", "sandbox_session=")], [("Cookie", "sandbox_session=00")]] {
                let page = try await sandbox.get("/", headers: visitor)
                #expect(page.status == 200)
                #expect(!page.text.contains("canary"))
                #expect(page.text.contains("type=\"password\""))
            }
        }
    }

    @Test func thePasswordLogsIn() async throws {
        try await RunningSandbox.with { sandbox in
            let visitor = cookie(try await sandbox.get("/"))
            let form = "form=\(visitor[0].1.dropFirst("sandbox_form=".count))&password="
            let right = form + PercentEncoding.segment(RunningSandbox.password)
            let wrong = try await sandbox.submit("/login", form + "wrong", visitor)
            #expect(wrong.status == 200)
            #expect(wrong.text.contains("The password is wrong."))
            #expect(
                try await sandbox.submit("/login", right, visitor + [("Origin", "http://evil.example.org")]).status
                    == 403
            )
            #expect(
                try await sandbox.submit("/login", right, visitor + [("Sec-Fetch-Site", "cross-site")]).status == 403
            )
            #expect(try await sandbox.submit("/login", right, []).status == 403)
            #expect(try await sandbox.submit("/login", "form=00&" + right, visitor).status == 403)
            let elsewhere = try await sandbox.submit("/login", right + "&next=//evil.example.org", visitor)
            #expect(elsewhere.headers["location"] == "/")
            let session = cookie(try await sandbox.submit("/login", right + "&next=/hatlogin", visitor))
            let page = try await sandbox.get("/", headers: session).text
            #expect(page.contains("Log out"))
            #expect(try await sandbox.submit("/logout", "", session).status == 403)
            _ = try await sandbox.submit("/logout", "form=\(sandbox.formToken(page))", session)
            #expect(!(try await sandbox.get("/", headers: session).text.contains("Log out")))
        }
    }

    @Test func thePageIsClosedToScripts() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            _ = try await sandbox.post(
                "a/b",
                #"{"<script>alert(1)</script>":"</pre><script>alert(2)</script><img src=x onerror=y>"}"#
            )
            let page = try await sandbox.get("/?at=a/b%3Cscript%3E", headers: try await logIn(sandbox))
            #expect(
                page.headers["content-security-policy"]?.hasPrefix(
                    "default-src 'none'; script-src 'self'; style-src 'self';"
                ) == true
            )
            #expect(page.headers["cache-control"] == "no-store")
            let all = try await sandbox.get("/", headers: try await secondLogIn(sandbox))
            for text in [page.text, all.text] {
                #expect(text.components(separatedBy: "<script").count == 2)
                #expect(text.contains("<script src=\"/assets/sandbox.js\"></script>"))
                #expect(!text.contains("<img"))
            }
            #expect(all.text.contains("&lt;script&gt;alert(2)&lt;/script&gt;"))
            #expect(all.text.contains("Steps &lt;b&gt;"))
        }
    }

    private func secondLogIn(_ sandbox: RunningSandbox) async throws -> [(String, String)] {
        let link = sandbox.pda.pageAddress(at: sandbox.address).reveal()
        return cookie(try await sandbox.get(String(link.dropFirst(sandbox.address.url.count))))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: naughty), "the naughty strings are not here"))
    func naughtyStringsStayText() async throws {
        let strings = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: Self.naughty)))).elements ?? []
        #expect(strings.count > 400)
        for string in strings {
            let html = HTML.json(string.compactText).text
            let inner = html.dropFirst("<q>".count).dropLast("</q>".count)
            #expect(!inner.contains("<") && !inner.contains(">") && !inner.contains("\"") && !inner.contains("'"))
        }
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.post("a/b?skipErrors=true", JSONValue.array(strings).compactText)
            #expect(reply.status == 201)
            let stored = try await sandbox.getData("a/b").compactMap { $0["data"]?.stringText }
            let sent = strings.compactMap { $0.stringText }
            let (got, wanted) = (Set(stored.map { Array($0.utf8) }), Set(sent.map { Array($0.utf8) }))
            #expect(got == wanted)
        }
    }

    @Test func directionMarksAreShownAndJoinersKept() {
        let html = HTML.json("\"\u{202E}abc \u{1F469}\u{200D}\u{1F467}\u{2028}\"")
        #expect(html == "<q>&quot;\\u{202e}abc \u{1F469}\u{200D}\u{1F467}\\u{2028}&quot;</q>")
    }

    @Test func theStylesheetIsServed() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get("/assets/sandbox.css")
            #expect(reply.headers["content-type"]?.hasPrefix("text/css") == true)
            #expect(reply.text.contains("color-scheme: light dark"))
        }
    }
}
