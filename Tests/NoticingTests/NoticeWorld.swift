import CurlTransport
import Foundation
import PlugCore
import PlugStorage
import Synchronization
import TestKit

@testable import Noticing

/// A host's store with some connections, its targets, and a clock that is moved.
final class NoticeWorld {
    static let pda = "https://ada.example.org"

    let clock: MovableClock
    private(set) var store: SQLiteStore
    private(set) var noticing: Noticing
    private let folder: String
    private let targets: [any Notifier]
    private let disk: String?
    private let told = Told()
    private var letters = 0

    private final class Told: Sendable {
        let events = Mutex<[Noticing.Event]>([])
    }

    /// What was told to an operator.
    var events: [Noticing.Event] { told.events.withLock { $0 } }

    private init(
        _ folder: String,
        _ targets: [any Notifier],
        _ disk: String?,
        _ clock: MovableClock
    ) async throws {
        (self.folder, self.targets, self.disk, self.clock) = (folder, targets, disk, clock)
        store = try await Self.open(folder, clock)
        noticing = Self.noticing(store, targets, disk, clock, told)
    }

    private static func open(_ folder: String, _ clock: MovableClock) async throws -> SQLiteStore {
        try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), credentials: nil, clock: clock)
    }

    private static func noticing(
        _ store: SQLiteStore,
        _ targets: [any Notifier],
        _ disk: String?,
        _ clock: MovableClock,
        _ told: Told
    ) -> Noticing {
        Noticing(
            store: store,
            targets: targets,
            host: { "https://plugs.example.org" },
            disk: { disk },
            clock: clock
        ) { event in told.events.withLock { $0.append(event) } }
    }

    /// Lends a world whose targets are a webhook, `ops`, and perhaps a mail server, `mail`.
    static func lend(
        webhook: KeepingServer,
        mail: MailHost? = nil,
        disk: String? = nil,
        _ body: (NoticeWorld) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "plughost-notices-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let url = try HTTPURL("\(webhook.origin)/hook")
        var policy = NetworkPolicy()
        policy.standIns = [url.hostAndPort]
        let transport = try HTTPTransport(policy: policy)
        let clock = MovableClock()
        var targets: [any Notifier] = [
            WebhookNotifier("ops", url: url, secret: Secret("hush"), namesPDAs: false, transport, clock: clock)
        ]
        if let mail { targets.append(MailNotifier("mail", try MailHost.route(mail), namesPDAs: false)) }
        let world = try await NoticeWorld(folder, targets, disk, clock)
        do {
            try await body(world)
            await world.store.close()
            await transport.shutDown()
        } catch {
            await world.store.close()
            await transport.shutDown()
            throw error
        }
    }

    /// Opens the store anew, as the next process does.
    func reopen() async throws {
        await store.close()
        store = try await Self.open(folder, clock)
        noticing = Self.noticing(store, targets, disk, clock, told)
    }

    /// Looks, lets time pass, looks again, and sends.
    func pass(_ time: Duration) async throws {
        try await noticing.gather()
        clock.advance(time)
        try await noticing.gather()
        while try await noticing.send() > 0 {}
    }

    func set(_ name: String, _ status: ConnectionSetup.Status) async throws {
        let id = ConnectionID(name)
        _ = try await store.openConnection(id, plug: "p", pda: Self.pda)
        let due = status == .active ? clock.now() : nil
        let setup = ConnectionSetup(status: status, dueAt: due, content: Secret("{}"))
        try await store.keepSetup(setup, of: id, AuditEntry(at: clock.now(), who: "host", what: "set"))
    }

    /// Connections that ran, and now wait for their person.
    func letConnectAgain(_ names: String...) async throws {
        for name in names {
            try await set(name, .active)
            try await set(name, .reconnect)
        }
    }

    /// Records of the first connection that are refused for good.
    func addLetters(_ count: Int) async throws {
        _ = try await store.openConnection(ConnectionID("ada-1"), plug: "p", pda: Self.pda)
        let added = (0..<count).map { _ in
            letters += 1
            return DeadLetter(
                stage: .deliver,
                code: "refused",
                reason: "no",
                record: Array(#"{"n":\#(letters)}"#.utf8),
                identity: "n\(letters)",
                path: DataPath(namespace: "p", endpoint: "a")
            )
        }
        let stream = StreamID(connection: ConnectionID("ada-1"), stream: "s")
        try await store.commit(StreamCommit(stream: stream, pass: 1, deadLetters: added))
    }

    /// A run that has ended.
    func run(_ name: String, _ outcome: String, _ code: String?) async throws {
        let start = RunStart(connection: ConnectionID(name), version: "1.0.0", at: clock.now())
        let run = try await store.beginRun(start)
        try await store.endRun(run, outcome: outcome, report: [], tally: RunTally(error: code))
    }
}

extension MailHost {
    /// The way to it, with a login.
    static func route(_ host: MailHost, to recipients: [String] = ["ops@example.org"]) throws -> MailNotifier.Route {
        guard let server = MailServer("smtp://\(host.authority)") else { throw NotAServer() }
        return MailNotifier.Route(
            server: server,
            login: (name: "plughost", password: Secret("pw")),
            from: "plughost@example.org",
            to: recipients,
            networks: []
        )
    }

    private struct NotAServer: Error {}
}
