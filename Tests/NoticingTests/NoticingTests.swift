import Cryptography
import CurlTransport
import Foundation
import LosslessJSON
import PlugCore
import PlugStorage
import Synchronization
import TestKit
import Testing

@testable import Noticing

/// What needs a person is gathered, told once to each target, and tried again until it is there.
@Suite(.fewAtATime)
struct NoticingTests {
    private let day = Duration.seconds(86_400)

    @Test func whatNeedsAPersonIsGatheredAndToldInOneSignedNotice() async throws {
        let server = try KeepingServer()
        defer { server.stop() }
        try await NoticeWorld.lend(webhook: server) { world in
            try await world.letConnectAgain("ada-1", "bob-2")
            try await world.addLetters(3)
            try await world.noticing.gather()
            #expect(try await world.noticing.send() == 0)
            world.clock.advance(.seconds(301))
            try await world.noticing.gather()
            #expect(try await world.noticing.send() == 1)
            let request = try #require(server.requests.first)
            let body = try JSONValue(parsing: request.body)
            #expect(body["causes"]?.elements?.map { $0["kind"]?.stringText } == ["dead-letters", "reconnect"])
            let causes = try #require(body["causes"]?.elements)
            #expect(
                causes[0].compactText
                    == #"{"kind":"dead-letters","plug":"p","new":3,"what":"p: 3 records were refused for good","#
                    + #""advice":"'plughost deadletters list' says why; 'plughost deadletters retry' sends them again","#
                    + #""examples":[{"connection":"ada-1"}]}"#
            )
            #expect(causes[1]["examples"]?.compactText == #"[{"connection":"ada-1"},{"connection":"bob-2"}]"#)
            #expect(body["host"]?.stringText == "https://plugs.example.org" && body["type"]?.stringText == "attention")
            // As a receiver checks it.
            let id = try #require(request.header("webhook-id"))
            let time = try #require(request.header("webhook-timestamp"))
            #expect(time == "\(world.clock.now() / 1_000_000)" && body["id"]?.stringText == id)
            let code = HMAC.code(
                for: Array("\(id).\(time).".utf8) + request.body,
                key: SecretBytes(Array("hush".utf8))
            )
            #expect(request.header("webhook-signature") == "v1,\(Base64.encoded(code))")
            #expect(!request.text.contains(NoticeWorld.pda) && !request.text.contains("hush"))
        }
    }

    @Test func theSameCauseIsToldOnceADayAndOnlyWhereThereIsMoreOfIt() async throws {
        let server = try KeepingServer()
        defer { server.stop() }
        try await NoticeWorld.lend(webhook: server) { world in
            try await world.addLetters(1)
            try await world.pass(.seconds(400))
            #expect(server.requests.count == 1)
            try await world.addLetters(2)
            try await world.pass(.seconds(3_600))
            #expect(server.requests.count == 1)
            // Another cause needs not wait for it.
            try await world.letConnectAgain("ada-1")
            try await world.pass(.seconds(400))
            #expect(server.requests.count == 2)
            try await world.pass(day)
            try await world.pass(.seconds(301))
            #expect(server.requests.count == 3)
            let last = try JSONValue(parsing: try #require(server.requests.last).body)
            #expect(last["causes"]?.elements?.map { $0["new"]?.compactText } == ["2"])
            try await world.pass(day)
            try await world.pass(.seconds(301))
            #expect(server.requests.count == 3)
        }
    }

    @Test func whoHasConnectedAgainMeanwhileIsNoNews() async throws {
        let server = try KeepingServer()
        defer { server.stop() }
        try await NoticeWorld.lend(webhook: server) { world in
            try await world.letConnectAgain("ada-1")
            try await world.noticing.gather()
            try await world.set("ada-1", .active)
            try await world.pass(.seconds(900))
            #expect(server.requests.isEmpty)
            #expect(try await world.store.noticeCauses().map(\.news) == [0])
        }
    }

    @Test func aPlugThatFailsForEverybodyIsToldAndOneThatFailsForOneIsNot() async throws {
        let server = try KeepingServer()
        defer { server.stop() }
        try await NoticeWorld.lend(webhook: server) { world in
            let names = (1...5).map { "c-\($0)" }
            for name in names { try await world.set(name, .active) }
            // One that is tried again and again makes nearly all runs.
            for name in names.dropFirst() { try await world.run(name, "done", nil) }
            for _ in 1...60 { try await world.run("c-1", "failed", "source-refused") }
            try await world.pass(.seconds(900))
            let alone = try JSONValue(parsing: try #require(server.requests.first).body)
            #expect(alone["causes"]?.elements?.map { $0["kind"]?.stringText } == ["stuck"])
            for name in names { try await world.run(name, "failed", "source-refused") }
            try await world.pass(.seconds(900))
            let body = try JSONValue(parsing: try #require(server.requests.last).body)
            #expect(
                body["causes"]?.elements?.map { $0["what"]?.stringText } == [
                    "p: the last run of 5 of 5 connections failed, most with source-refused"
                ]
            )
        }
    }

    @Test func oneConnectionThatMovesNothingForLongIsToldOnceAndNoMoreAfterItsCure() async throws {
        let server = try KeepingServer()
        defer { server.stop() }
        try await NoticeWorld.lend(webhook: server) { world in
            for name in ["ada", "bob", "eve"] { try await world.set(name, .active) }
            for _ in 1...19 { try await world.run("ada", "failed", "pda-address") }
            try await world.run("bob", "failed", "pda-unreachable")
            try await world.run("eve", "failed", "source-refused")
            try await world.pass(.seconds(900))
            #expect(server.requests.isEmpty)
            // The twentieth time; and a day later.
            try await world.run("ada", "failed", "pda-path")
            world.clock.advance(.seconds(86_400))
            try await world.run("bob", "failed", "pda-unreachable")
            try await world.run("eve", "done", nil)
            try await world.pass(.seconds(900))
            let cause = try JSONValue(parsing: try #require(server.requests.last).body)["causes"]?.elements?.first
            #expect(
                cause?["what"]?.stringText
                    == "p: the runs of 2 connections have moved nothing for a day or twenty times"
            )
            #expect(cause?["examples"]?.elements?.map { $0["connection"]?.stringText } == ["ada", "bob"])
            for name in ["ada", "bob"] { try await world.run(name, "done", nil) }
            world.clock.advance(.seconds(90_000))
            try await world.pass(.seconds(900))
            #expect(server.requests.count == 1)
            #expect(try await world.store.stuckCount(of: "p") == 0)
        }
    }

    @Test func aNoticeWaitsForATargetThatFailsAndOthersDoNotWaitForIt() async throws {
        let (server, mail) = (try KeepingServer(answering: [500, 302]), try MailHost())
        defer {
            server.stop()
            mail.stop()
        }
        try await NoticeWorld.lend(webhook: server, mail: mail) { world in
            try await world.addLetters(1)
            try await world.pass(.seconds(301))
            #expect(server.requests.count == 1 && mail.mails.count == 1)
            #expect(
                try await world.store.noticeQueues().map(\.failure) == [
                    "\(server.origin.dropFirst(7)) answered the notice with 500"
                ]
            )
            try await world.pass(.seconds(60))
            #expect(server.requests.count == 2)
            try await world.pass(.seconds(120))
            #expect(Set(server.requests.map { $0.header("webhook-id") }).count == 1)
            #expect(server.requests.map(\.target) == ["/hook", "/hook", "/hook"])
            #expect(try await world.store.noticeQueues() == [])
            #expect(mail.mails.count == 1)
            let told = world.events.filter { if case .sent = $0 { true } else { false } }
            #expect(told == [.sent(target: "mail"), .sent(target: "ops")])
        }
    }

    @Test func aNoticeThatNobodyTakesIsGivenUpAfterTwoDays() async throws {
        let server = try KeepingServer(answering: Array(repeating: 503, count: 1_000))
        defer { server.stop() }
        try await NoticeWorld.lend(webhook: server) { world in
            try await world.addLetters(1)
            try await world.pass(.seconds(301))
            for _ in 1...20 { try await world.pass(.seconds(6 * 3_600)) }
            #expect(try await world.store.noticeQueues() == [])
            let dropped = world.events.filter { if case .dropped = $0 { true } else { false } }
            #expect(dropped.count == 1)
        }
    }

    @Test func aNoticeOutlivesTheProcessAndNamesOnlyConnectionsThatAreStillThere() async throws {
        let server = try KeepingServer(answering: [500])
        defer { server.stop() }
        try await NoticeWorld.lend(webhook: server) { world in
            try await world.letConnectAgain("ada-1", "bob-2")
            try await world.pass(.seconds(301))
            _ = try await world.store.eraseConnection(ConnectionID("ada-1"))
            try await world.reopen()
            try await world.pass(.seconds(60))
            let body = try JSONValue(parsing: try #require(server.requests.last).body)
            #expect(server.requests.count == 2)
            #expect(
                body["causes"]?.elements?.map { $0["examples"]?.compactText } == [#"[{"connection":"bob-2"}]"#]
            )
        }
    }

    @Test func aFullDiskIsToldWhileItIsFull() async throws {
        let server = try KeepingServer()
        defer { server.stop() }
        try await NoticeWorld.lend(webhook: server, disk: "3 MiB are free") { world in
            try await world.pass(.seconds(301))
            #expect(server.requests.count == 1 && server.requests[0].text.contains("3 MiB are free"))
            try await world.pass(.seconds(3_600))
            #expect(server.requests.count == 1)
            try await world.pass(day)
            try await world.pass(.seconds(301))
            #expect(server.requests.count == 2)
        }
    }
}
