import CurlTransport
import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import Noticing

/// Each kind of target, over real sockets and with real programs.
@Suite(.fewAtATime)
struct NotifierTests {
    private let notice = Notice.trial(of: "https://plugs.example.org", at: 1_795_000_000_000_000)

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "plughost-notifier-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await body(folder)
    }

    private func write(_ script: String, to path: String) throws {
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    private func command(_ words: [String], patience: Duration = .seconds(3_600)) -> CommandNotifier {
        CommandNotifier("pager", words: words, folder: nil, patience: patience, namesPDAs: false)
    }

    /// What sending fails with.
    private func failure(_ notifier: any Notifier) async -> PlugError? {
        do throws(PlugError) {
            _ = try await notifier.send(notice)
            return nil
        } catch { return error }
    }

    @Test func aCommandReadsTheNoticeAndKnowsNothingOfTheHost() async throws {
        try await withFolder { folder in
            let path = "\(folder)/page"
            try write("cat > '\(folder)/in'; env > '\(folder)/env'; echo \"$1\" > '\(folder)/word'", to: path)
            setenv("PLUGHOST_TEST_SECRET", "hush", 1)
            #expect(try await command([path, "a b; $(c)"]).send(notice) == "exited with 0")
            let body = try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: "\(folder)/in"))))
            #expect(body["id"]?.stringText == notice.id && body["type"]?.stringText == "test")
            #expect(try String(contentsOfFile: "\(folder)/word", encoding: .utf8) == "a b; $(c)\n")
            let variables = try String(contentsOfFile: "\(folder)/env", encoding: .utf8)
            #expect(variables.contains("PATH=") && !variables.contains("hush"))
        }
    }

    @Test func aCommandThatFailsOrHangsOrIsNotThereIsTold() async throws {
        try await withFolder { folder in
            try write("exit 3", to: "\(folder)/fails")
            try write("sleep 3600", to: "\(folder)/hangs")
            let failed = await failure(command(["\(folder)/fails"]))
            #expect(failed?.code == .noticeRefused && failed?.message == "\(folder)/fails exited with 3")
            let hung = await failure(command(["\(folder)/hangs"], patience: .milliseconds(200)))
            #expect(hung?.code == .noticeRefused && hung?.message.contains("passed its limit: time") == true)
            #expect(await failure(command(["\(folder)/none"]))?.code == .noticeUnreachable)
        }
    }

    @Test func aWebhookThatRedirectsIsRefusedAndOneInAPrivateNetworkIsNotAsked() async throws {
        let server = try KeepingServer(answering: [302])
        defer { server.stop() }
        let url = try HTTPURL("\(server.origin)/hook")
        for isOpen in [true, false] {
            var policy = NetworkPolicy()
            if isOpen { policy.standIns = [url.hostAndPort] }
            let transport = try HTTPTransport(policy: policy)
            let notifier = WebhookNotifier(
                "ops",
                url: url,
                secret: Secret("whsec_aHVzaA=="),
                namesPDAs: false,
                transport,
                clock: MovableClock()
            )
            let failed = await failure(notifier)
            #expect(failed?.code == (isOpen ? .noticeRefused : .noticeUnreachable))
            await transport.shutDown()
        }
        #expect(server.requests.map(\.target) == ["/hook"])
    }

    @Test func mailIsHandedInWithALogin() async throws {
        let host = try MailHost()
        defer { host.stop() }
        let notifier = MailNotifier("mail", try MailHost.route(host), namesPDAs: false)
        #expect(try await notifier.send(notice) == "taken by \(host.authority)")
        let message = NoticeMail(
            from: "plughost@example.org",
            to: ["ops@example.org"],
            subject: notice.subject,
            text: notice.text,
            id: notice.id,
            at: notice.at
        )
        #expect(
            host.mails == [
                MailHost.Mail(
                    login: Base64.encoded(Array("\0plughost\0pw".utf8)),
                    sender: "plughost@example.org",
                    recipients: ["ops@example.org"],
                    message: String(decoding: message.bytes, as: UTF8.self)
                )
            ]
        )
    }

    @Test func aMailServerThatRefusesOrIsNotThereIsTold() async throws {
        let host = try MailHost(refusing: ["nobody@example.org"])
        let route = try MailHost.route(host, to: ["nobody@example.org"])
        let refused = await failure(MailNotifier("mail", route, namesPDAs: false))
        #expect(refused?.code == .noticeRefused)
        #expect(refused?.message == "\(host.authority) refused the mail with code 550")
        host.stop()
        #expect(await failure(MailNotifier("mail", route, namesPDAs: false))?.code == .noticeUnreachable)
    }

    @Test(arguments: [
        ("smtps://mail.example.org", "smtps://mail.example.org:465"),
        ("smtp://Mail.example.org", "smtp://mail.example.org:587"),
        ("smtp://127.0.0.1:25", "smtp://127.0.0.1:25"),
        ("smtps://mail.example.org:443/", "smtps://mail.example.org:443"),
    ])
    func theAddressOfAMailServerHasAPort(text: String, server: String) {
        #expect(MailServer(text)?.description == server)
    }

    @Test(arguments: [
        "mail.example.org", "https://mail.example.org", "smtp://a@b", "smtp://a/x", "smtp://a?x", "smtp://",
        "smtp://a#b",
    ])
    func whatIsNoMailServerIsNone(text: String) {
        #expect(MailServer(text) == nil)
    }
}
