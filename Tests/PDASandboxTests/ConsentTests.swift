import Foundation
import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// The pages on which the owner decides.
@Suite(.fewAtATime)
struct ConsentTests {
    private static let redirect = "https://steps.example.org/setup"
    private static func path(_ name: String = "steps", _ redirect: String = redirect) -> String {
        "/hatlogin?name=\(name)&redirect=\(PercentEncoding.segment(redirect))"
    }

    private func application() throws -> JSONValue {
        let uris = JSONValue.array([.text(Self.redirect), .text("steps://done")])
        let bundle = try JSONValue(parsing: #"{"name":"r","bundle":{"profile":{"endpoints":[{"endpoint":"a/b"}]}}}"#)
        return try Definition.plug("steps").setting("setup", "validRedirectUris", to: uris)
            .setting("permissions", "dataRetrieved", to: bundle)
    }

    @Test func consentGivesATokenToTheApplication() async throws {
        try await RunningSandbox.with(applications: [try application()]) { sandbox in
            // Not logged in: the log-in leads back here.
            let stranger = try await sandbox.get(Self.path())
            #expect(stranger.text.contains(#"name="next" value="\#(HTML.text(Self.path()).text)""#))
            let session = try await sandbox.session()
            let page = try await sandbox.get(Self.path(), headers: session)
            #expect(page.status == 200)
            #expect(page.text.contains("Steps &lt;b&gt;"))
            #expect(page.text.contains("write and delete data in <code>steps</code>"))
            #expect(page.text.contains("receive <code>profile</code>"))
            #expect(
                page.headers["content-security-policy"]?.contains("form-action 'self' https://steps.example.org;")
                    == true
            )
            let form =
                "form=\(sandbox.formToken(page.text))&name=steps&redirect=\(PercentEncoding.segment(Self.redirect))"
            #expect(try await sandbox.submit("/hatlogin", "name=steps&decision=allow", session).status == 403)
            let refused = try await sandbox.submit("/hatlogin", form + "&decision=refuse", session)
            #expect(refused.status == 303)
            #expect(refused.headers["location"] == Self.redirect + "?error=access_denied")
            for (fallback, target) in [
                ("https://steps.example.org/no", "https://steps.example.org/no"),
                ("https://evil.example.org/", Self.redirect),
            ] {
                let sent = try await sandbox.submit(
                    "/hatlogin",
                    form + "&decision=refuse&fallback=\(fallback)",
                    session
                )
                #expect(sent.headers["location"] == target + "?error=access_denied")
            }
            let before = try await sandbox.get(PDARoute.application("steps"), token: sandbox.owner)
            #expect(flags(before.json)[0] == false)
            let allowed = try await sandbox.submit("/hatlogin", form + "&decision=allow", session)
            #expect(allowed.status == 303)
            #expect(allowed.headers["referrer-policy"] == "no-referrer")
            let location = try #require(allowed.headers["location"])
            #expect(location.hasPrefix(Self.redirect + "?token="))
            let token = String(location.dropFirst(Self.redirect.count + 7))
            #expect(TokenClaims(token: token)?.application == "steps")
            #expect(try await sandbox.send("POST", "/api/v2.6/data/steps/a", "1", token: token).status == 201)
        }
    }

    @Test(arguments: [
        "https://evil.example.org/setup", "https://steps.example.org.evil.example.org/setup",
        "https://steps.example.org@evil.example.org/setup", "http://steps.example.org/setup",
        "https://steps.example.org/setup/../x", "//evil.example.org", "javascript:alert(1)", "",
        "https:/\\evil.example.org",
        "https://steps.example.org:444/setup", "https://steps.example.org/other",
    ])
    func noTokenLeavesForAnotherAddress(redirect: String) async throws {
        try await RunningSandbox.with(applications: [try application()]) { sandbox in
            let session = try await sandbox.session()
            let page = try await sandbox.get(Self.path("steps", redirect), headers: session)
            #expect(page.status == 400)
            #expect(!page.text.contains("<form"))
            let form = try await sandbox.formToken(sandbox.get("/", headers: session).text)
            let sent = try await sandbox.submit(
                "/hatlogin",
                "form=\(form)&name=steps&decision=allow&redirect=\(PercentEncoding.segment(redirect))",
                session
            )
            #expect(sent.status == 400)
            #expect(sent.headers["location"] == nil)
            let api = "/control/v2/auth/hatlogin?name=steps&redirect=\(PercentEncoding.segment(redirect))"
            #expect(try await sandbox.get(api, token: sandbox.owner).status == 400)
        }
    }

    @Test func targetsAreComparedWhole() throws {
        #expect(RedirectTarget("HTTPS://A.example.org") == RedirectTarget("https://a.example.org/?x=y#z"))
        #expect(RedirectTarget("steps://done")?.origin == "steps:")
        #expect(RedirectTarget.adding([("token", "a b")], to: "x://y?z=1#f") == "x://y?z=1&token=a%20b#f")
        #expect(RedirectTarget.adding([("a", "b"), ("c", "d")], to: "x://y") == "x://y?a=b&c=d")
    }

    @Test func anUnknownApplicationIsSaidToBeUnknown() async throws {
        try await RunningSandbox.with { sandbox in
            let page = try await sandbox.get(Self.path("<nope>"), headers: try await sandbox.session())
            #expect(page.status == 404)
            #expect(page.text.contains("&lt;nope&gt;"))
        }
    }

    @Test func aDataDebitIsConfirmedOnItsPage() async throws {
        try await RunningSandbox.with { sandbox in
            let body = DebitRequest.json(
                conditions: #"{"name":"c","bundle":{"some":{"endpoints":[{"endpoint":"c/d"}]}}}"#
            )
            _ = try await sandbox.send("POST", PDARoute.dataDebit("d1"), body, token: sandbox.owner)
            let back = "https://client.example.org/done?x=1"
            let path = "/data-debit/d1/quick-confirm?redirect=\(PercentEncoding.segment(back))"
            #expect(try await sandbox.get(path).text.contains("type=\"password\""))
            let session = try await sandbox.session()
            let page = try await sandbox.get(path, headers: session)
            #expect(page.text.contains("To know"))
            #expect(
                page.headers["content-security-policy"]?.contains("form-action 'self' https://client.example.org;")
                    == true
            )
            #expect(page.text.contains("<strong>p</strong> from <code>a/b</code>"))
            #expect(page.text.contains("<strong>some</strong> from <code>c/d</code>"))
            let form = "form=\(sandbox.formToken(page.text))&redirect=\(PercentEncoding.segment(back))"
            #expect(try await sandbox.submit("/data-debit/d1", "decision=enable", session).status == 403)
            let agreed = try await sandbox.submit("/data-debit/d1", form + "&decision=enable", session)
            #expect(agreed.headers["location"] == back)
            let away = "https://client.example.org/declined"
            let leaving =
                "form=\(sandbox.formToken(page.text))&fallback=\(PercentEncoding.segment(away))&decision=leave"
            #expect(try await sandbox.submit("/data-debit/d1", leaving, session).headers["location"] == away)
            let strange = "form=\(sandbox.formToken(page.text))&fallback=https://evil.example.org&decision=leave"
            #expect(try await sandbox.submit("/data-debit/d1", strange, session).headers["location"] == "/")
            #expect(try await sandbox.get(PDARoute.dataDebit("d1"), token: sandbox.owner).json?["active"]?.bool == true)
            let ended = try await sandbox.submit(
                "/data-debit/d1",
                "form=\(sandbox.formToken(page.text))&redirect=https://evil.example.org&decision=disable",
                session
            )
            #expect(ended.headers["location"] == "/data-debit/d1")
            #expect(
                try await sandbox.get(PDARoute.dataDebit("d1"), token: sandbox.owner).json?["active"]?.bool == false
            )
            #expect(try await sandbox.get("/data-debit/none", headers: session).status == 404)
            #expect(try await sandbox.get("/", headers: session).text.contains(#"<a href="/data-debit/d1">Client</a>"#))
        }
    }

    @Test func aResetIsDoneOnItsPage() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.send("POST", "/control/v2/auth/passwordReset", #"{"email":"bob@example.org"}"#)
            let token = try #require(
                try await sandbox.pda.store.openResets(at: sandbox.clock.milliseconds).first?.token
            )
            let page = try await sandbox.get("/reset?token=\(token)")
            let cookie = [("Cookie", String((page.headers["set-cookie"] ?? "").prefix { $0 != ";" }))]
            let form = "form=\(sandbox.formToken(page.text))&token=\(token)&password="
            #expect(try await sandbox.submit("/reset", form + "short", cookie).text.contains("too easy"))
            #expect(try await sandbox.submit("/reset", form + "a+much+better+one", []).status == 403)
            #expect(try await sandbox.submit("/reset", form + "a+much+better+one", cookie).status == 200)
            let headers = [("username", "bob"), ("password", "a+much+better+one")]
            #expect(try await sandbox.get("/users/access_token", headers: headers).status == 200)
            #expect(try await sandbox.submit("/reset", form + "another+good+one", cookie).status == 401)
        }
    }

    @Test func theBrowserOfRecordsHasPages() async throws {
        try await RunningSandbox.with { sandbox in
            let values = (0..<120).map { #"{"n":"record-\#($0)!"}"# }.joined(separator: ",")
            _ = try await sandbox.post("a/b", "[\(values)]")
            let session = try await sandbox.session()
            func page(_ query: String) async throws -> String {
                try await sandbox.get("/\(query)", headers: session).text
            }
            let first = try await page("?at=a/b")
            #expect(first.contains("record-119!"))
            #expect(!first.contains("record-69!"))
            #expect(first.contains(#"<a href="/?at=a%2Fb&amp;skip=50">Older →</a>"#))
            #expect(!first.contains("Newer"))
            let last = try await page("?at=a/b&skip=100")
            #expect(last.contains("record-0!"))
            #expect(last.contains(#"<a href="/?at=a%2Fb&amp;skip=50">← Newer</a>"#))
            #expect(!last.contains("Older"))
            #expect(try await page("?skip=-5").contains("record-119!"))
            #expect(try await page("?skip=x").contains("record-119!"))
        }
    }
}
