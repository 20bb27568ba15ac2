import CurlTransport
import LosslessJSON
import PlugCore
import Testing

@testable import HostConfiguration

/// Who is told what needs a person, and what is wrong with it.
struct NotifySettingsTests {
    private let text = """
        notify:
          ops: {webhook: {url: https://hooks.example.org/x, secret: hush}}
          pager:
            command: {run: [./page, --quiet], timeout: 5s}
            pdas: true
          mail:
            mail:
              server: smtps://mail.example.org
              from: plughost@example.org
              to: ops@example.org
              username: plughost
              networks: [10.0.0.0/8]
        """

    @Test func eachKindOfTargetIsReadAndNoSecretIsShown() throws {
        let settings = try HostSample.settings(text, variables: ["PLUGHOST_NOTIFY_MAIL_PASSWORD": "pw"])
        let targets = settings.notify.map(\.value)
        #expect(targets.map(\.name) == ["mail", "ops", "pager"])
        #expect(targets.map(\.namesPDAs) == [false, false, true])
        #expect(
            targets[0].way
                == .mail(
                    NotifyTarget.Mail(
                        server: try #require(MailServer("smtps://mail.example.org:465")),
                        username: "plughost",
                        password: Secret("pw"),
                        from: "plughost@example.org",
                        to: ["ops@example.org"],
                        networks: [try #require(CIDR("10.0.0.0/8"))]
                    )
                )
        )
        #expect(
            targets[1].way == .webhook(try HTTPURL("https://hooks.example.org/x"), secret: Secret("hush"), networks: [])
        )
        #expect(targets[2].way == .command(["./page", "--quiet"], folder: ".", timeout: .seconds(5)))
        let rows = settings.rows.filter { $0.key.hasPrefix("notify.") }
        #expect(rows.map { "\($0.key) \($0.value.compactText)" }.contains(#"notify.ops.webhook.secret "<redacted>""#))
        #expect(!rows.contains { $0.value.compactText.contains("hush") || $0.value.compactText.contains("pw") })
    }

    @Test(arguments: [
        ("ops: {webhook: {url: http://hooks.example.org/x, secret: a}}", "bad-notify"),
        ("ops: {webhook: {url: https://hooks.example.org/x}}", "missing-key"),
        ("ops: {webhook: {url: ftp://x, secret: a}}", "bad-notify"),
        ("ops: {command: {run: []}}", "bad-notify"),
        ("ops: {command: {run: [page], timeout: 10m}}", "out-of-range"),
        ("ops: {mail: {server: mail.example.org, from: a@b, to: [c@d]}}", "bad-notify"),
        ("ops: {mail: {server: smtp://a, from: a@b, to: [\"c@d\\r\\nBcc: e@f\"]}}", "wrong-value"),
        ("ops: {mail: {server: smtp://a, from: \"A <a@b>\", to: [c@d]}}", "bad-notify"),
        ("ops: {mail: {server: smtp://a, from: a@b, to: [c@d], username: u}}", "bad-notify"),
        ("ops: {mail: {server: smtp://a, from: a@b, to: []}}", "out-of-range"),
        ("ops: {pdas: true}", "missing-kind"),
        ("Ops: {command: {run: [page]}}", "wrong-value"),
    ])
    func whatIsWrongIsTold(target: String, code: String) throws {
        let result = try HostSample.read("notify:\n  \(target)\n")
        #expect(result.settings == nil)
        #expect(result.findings.flatMap(\.diagnostics).map(\.code.text) == [code], "\(HostSample.print(result))")
    }

    @Test func asManyTargetsAsANoticeIsWorthAndNoMore() throws {
        let targets = (1...21).map { "  t\($0): {command: {run: [page]}}\n" }.joined()
        let result = try HostSample.read("notify:\n\(targets)")
        #expect(
            result.findings.flatMap(\.diagnostics).map(\.message) == ["'notify' has 21 targets; at most 20 are allowed"]
        )
    }

    @Test func schedulesOfLessThanAMinuteAreRefusedWhereTheyAreWritten() throws {
        let result = try HostSample.read("schedule: {every: 30s}\n")
        #expect(
            HostSample.print(result).hasPrefix("plughost.yaml:1:19: error: [out-of-range] 'every' must be 1m or more")
        )
    }

    @Test func aFileThatHoldsASecretIsItsOwnersAlone() throws {
        try HostSample.withFolder { folder in
            try HostSample.write("hush\n", to: "\(folder)/hook.secret")
            let text = "notify: {ops: {webhook: {url: https://h.example/, secret: {file: hook.secret}}}}\n"
            try HostSample.write(text, to: "\(folder)/host.yaml", mode: 0o644)
            let sources = HostConfiguration.Sources(file: "\(folder)/host.yaml", environment: ["HOME": folder])
            let settings = try #require(try HostConfiguration.read(sources).settings)
            #expect(
                settings.notify.map(\.value.way) == [
                    .webhook(try HTTPURL("https://h.example/"), secret: Secret("hush"), networks: [])
                ]
            )
            try HostSample.write("hush\n", to: "\(folder)/hook.secret", mode: 0o644)
            let open = try HostConfiguration.read(sources).findings.flatMap(\.diagnostics)
            #expect(open.map(\.code.text) == ["providers-open"])
            try HostSample.write("\n", to: "\(folder)/hook.secret")
            let empty = try HostConfiguration.read(sources).findings.flatMap(\.diagnostics)
            #expect(empty.map(\.code.text) == ["notify-secret-empty"])
        }
    }
}
