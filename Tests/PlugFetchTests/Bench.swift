import CurlTransport
import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import PlugModules
import Synchronization
import TestKit
import Testing
import Throttling

/// States as a store would keep them.
final class MemoryStates: StreamStates {
    private let states = Mutex<[String: StreamState]>([:])

    func state(of part: String) async throws -> StreamState? { states.withLock { $0[part] } }
    func commit(_ new: [String: StreamState]) { states.withLock { $0.merge(new) { $1 } } }

    /// What is kept of a part.
    func text(_ part: String = "") -> String? {
        states.withLock { $0[part].map { String(decoding: $0.bytes, as: UTF8.self) } }
    }
    func value(_ part: String = "") -> JSONValue? { text(part).flatMap { try? JSONValue(parsing: $0) } }
    /// The parts beside the stream's own.
    var parts: [String] { states.withLock { $0.keys.filter { !$0.isEmpty }.sorted() } }
}

/// What a run read.
struct Reading {
    var pages: [FetchedPage] = []
    var error: PlugError?

    /// The records, in order, as compact JSON.
    var records: [String] { pages.flatMap(\.records).map(\.value.compactText) }
    /// The `id`s of the records, in order.
    var ids: [Int] { pages.flatMap(\.records).map { Int($0["id"]?.number?.int64 ?? -1) } }
    var isComplete: Bool { pages.last?.endsPass == true }
}

/// Events in order.
final class Events: Sendable {
    private let events = Mutex<[FetchEvent]>([])
    func note(_ event: FetchEvent) { events.withLock { $0.append(event) } }
    var all: [FetchEvent] { events.withLock { $0 } }
    /// The codes of the warnings.
    var warnings: [String] {
        all.compactMap { if case .warning(let code, _) = $0.kind { code.text } else { nil } }
    }
    /// The texts of the warnings.
    var messages: [String] {
        all.compactMap { if case .warning(_, let text) = $0.kind { text } else { nil } }
    }
    var waits: [FetchEvent.WaitReason] {
        all.compactMap { if case .waiting(let reason, _) = $0.kind { reason } else { nil } }
    }
}

/// A plug on the bench: a manifest, a source, and what they need.
struct Bench {
    var manifest: Manifest
    var config = JSONObject()
    var clock = FakeClock()
    var events = Events()
    var options = FetchOptions()
    /// What outlives a run; `nil` for nothing.
    var notes: KeptNotes?
    /// Whether runs are killed instead of ending.
    var isKilled = false

    /// - Parameter yaml: What follows the head of a manifest; `hosts` is api.test unless it is given.
    init(_ yaml: String, hosts: String = "[api.test]", fetchers: FetcherRegistry = FetcherRegistry()) throws {
        let head = "plug: test\napi: 1\nversion: 1.0.0\nhosts: \(hosts)\n"
        let result = ManifestReader.read(path: "plug.yaml", text: Array((head + yaml).utf8), fetchers: fetchers)
        let errors = result.diagnostics.filter { $0.severity == .error }
        #expect(errors == [])
        manifest = try #require(result.manifest)
    }

    func fetcher(_ transport: any HTTPSending, _ limits: SourceLimits? = nil) throws -> DeclarativeFetcher {
        try DeclarativeFetcher(
            manifest: manifest,
            config: config,
            transport: transport,
            clock: clock,
            limits: limits,
            options: options,
            observer: { [events] in events.note($0) }
        )
    }

    /// Reads a stream, and commits the states of the first `pages` pages.
    func read(
        _ stream: String = "things",
        from transport: any HTTPSending,
        _ states: MemoryStates = MemoryStates(),
        pages: Int = .max,
        onPage: (Int) throws -> Void = { _ in }
    ) async throws -> Reading {
        var reading = Reading()
        let limits = SourceLimits(notes: ServerNotes(notes), clock: clock)
        do {
            try await fetcher(transport, limits).withReader(of: stream, from: states) { reader in
                while reading.pages.count < pages, let page = try await reader.next() {
                    reading.pages.append(page)
                    states.commit(page.states)
                    try onPage(reading.pages.count)
                }
            }
        } catch let error as PlugError {
            reading.error = error.quoted
        }
        if !isKilled { await limits.settle() }
        return reading
    }
}

extension DeclarativeFetcher {
    /// Reads one page of `things`.
    func readPage() async throws {
        _ = try await withReader(of: "things", from: MemoryStates()) { try await $0.next() }
    }
}
