import Foundation
import PlugCore
import TestKit
import Testing

@testable import PlugHostCLI

/// `plughost notify test`: every target, and what came back.
@Suite(.fewAtATime)
struct NotifyTests {
    private func test(_ folder: String, _ more: String...) async -> Ended {
        let arguments = ["notify", "test", "--config", "\(folder)/host.yaml", "--state", "\(folder)/state"]
        return await Program.run(arguments + more, environment: ["HOME": folder])
    }

    @Test func eachTargetIsTriedAndWhatCameBackIsTold() async throws {
        let (server, mail) = (try KeepingServer(answering: [204, 500]), try MailHost())
        defer {
            server.stop()
            mail.stop()
        }
        try await Program.withFolder { folder in
            let text = """
                notify:
                  ops: {webhook: {url: "\(server.origin)/hook", secret: {file: hook}}}
                  mail: {mail: {server: "smtp://\(mail.authority)", from: a@example.org, to: b@example.org}}
                  pager: {command: {run: [./page]}}

                """
            try FilesHere.write(text, to: "\(folder)/host.yaml")
            for (name, content, mode) in [("hook", "hush", 0o600), ("page", "#!/bin/sh\nexit 3\n", 0o700)] {
                try FilesHere.write(content, to: "\(folder)/\(name)")
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/\(name)")
            }
            let all = await test(folder)
            #expect(
                all.output == """
                    mail: ok, mail, taken by \(mail.authority)
                    ops: ok, webhook, answered 204
                    pager: failed, command: [notice-refused] ./page exited with 3
                      do: run it by hand with a JSON object on stdin; it starts in an empty folder, without the host's variables

                    """
            )
            #expect(all.status == .failed && all.errors == "", "\(all)")
            let one = await test(folder, "ops", "--json")
            #expect(
                one.output
                    == #"{"target":"ops","kind":"webhook","delivered":false,"text":"\#(server.origin.dropFirst(7)) answered the "#
                    + #"notice with 500","code":"notice-refused"}"# + "\n"
            )
            #expect(server.requests.count == 2 && mail.mails.count == 1)
            let unknown = await test(folder, "op")
            #expect(unknown.status == .configuration && unknown.errors.contains("did you mean"), "\(unknown)")
        }
    }

    @Test func withoutTargetsItSaysWhatToDo() async throws {
        try await Program.withFolder { folder in
            try FilesHere.write("{}", to: "\(folder)/host.yaml")
            let ended = await test(folder)
            #expect(ended.status == .configuration)
            #expect(ended.errors.contains("[notice-target-unknown] nobody is told: 'notify' has no target"))
        }
    }
}
