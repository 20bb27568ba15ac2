import CurlTransport
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import Throttling

/// A host that is as it is told to be, and counts who comes.
private final class Host: HTTPSending {
    enum Mood { case well, status(Int, retryAfter: String?), silent(HTTPError.Code), lostKept }

    private let state: Mutex<(mood: Mood, requests: Int)>
    init(_ mood: Mood) { state = Mutex((mood, 0)) }

    var requests: Int { state.withLock { $0.requests } }
    func be(_ mood: Mood) { state.withLock { $0.mood = mood } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let mood = state.withLock { state in
            state.requests += 1
            return state.mood
        }
        switch mood {
        case .well: return HTTPResponse(status: 200, url: request.url)
        case .status(let status, let value):
            let headers = HTTPHeaders(value.map { [HTTPHeader("Retry-After", $0)] } ?? [])
            return HTTPResponse(status: status, headers: headers, url: request.url)
        case .lostKept:
            var error = HTTPError(.connectionLost, "x.test:443 closed the connection", mayHaveArrived: true)
            error.lostKeptConnection = true
            throw error
        case .silent(let code):
            throw HTTPError(code, "x.test:443 does not answer", mayHaveArrived: code != .cannotConnect)
        }
    }
}

/// Holds requests to a host until they are let through.
private final class Gate: HTTPSending {
    let inside = Watched(0)
    let isShut = Watched(false)
    let most = Mutex(0)
    private let line = AsyncSemaphore(width: 1 << 20)
    private let host: Host

    init(_ host: Host) {
        self.host = host
        // All of it is taken: `let` gives some back.
        _ = line.enterAtOnce(1 << 20)
    }

    func `let`(_ count: Int) { line.leave(count) }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if isShut.value {
            let now = inside.change { inside -> Int in
                inside += 1
                return inside
            }
            most.withLock { $0 = max($0, now) }
            do { try await line.enter() } catch { throw HTTPError(.cancelled, "cancelled") }
            inside.change { $0 -= 1 }
        }
        return try await host.send(request)
    }
}

/// A process that sends through a guarded transport.
private struct SendingProcess {
    let transport: GuardedTransport

    init(_ host: Host, _ store: any ServerNoteKeeping, _ clock: any HostClock) {
        transport = GuardedTransport(host, notes: ServerNotes(store), clock: clock)
    }

    /// Sends a request; `nil` where it was answered.
    @discardableResult
    func send(to host: String = "x.test", _ side: NetworkSide = .source, isRetry: Bool = false) async -> HTTPError? {
        var request = HTTPRequest(url: "https://\(host)/path?secret=1", side: side)
        request.isRetry = isRetry
        do throws(HTTPError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    /// One run of an ordinary plug: one request, tried five times with the usual waits.
    func run(_ clock: MovableClock) async throws {
        for attempt in 1...5 {
            let error = await send(isRetry: attempt > 1)
            if error == nil || error?.code == .circuitOpen || error?.code == .retriesSpent { break }
            try await clock.sleep(for: Backoff().wait(after: attempt, random: 0.5))
        }
        await transport.settle()
    }
}

struct GuardedTransportTests {
    private let clock = MovableClock()
    private let store = KeptNotes()

    @Test func anOpenCircuitTouchesNoNetworkAndSaysUntilWhen() async throws {
        let host = Host(.silent(.cannotConnect))
        let process = SendingProcess(host, store, clock)
        for _ in 0..<5 { #expect(await process.send()?.code == .cannotConnect) }
        let error = await process.send()
        #expect(host.requests == 5)
        #expect(
            error
                == HTTPError(
                    .circuitOpen,
                    "x.test:443 has failed too often (x.test:443 does not answer); the next request is sent at "
                        + "2026-11-18T11:07:10Z"
                )
        )
    }

    @Test func otherProcessesSeeWhatTheNewestProbeHasMet() async throws {
        let host = Host(.silent(.cannotConnect))
        let process = SendingProcess(host, store, clock)
        for _ in 0..<5 { await process.send() }
        clock.advance(.seconds(60))
        host.be(.status(503, retryAfter: nil))
        #expect(await process.send() == nil)
        let note = try #require(try await ServerNotes(store).current("host source x.test:443"))
        #expect(String(decoding: note, as: UTF8.self).contains("it answered 503"))
    }

    @Test func hostsAndSidesAreSparedEachForItself() async throws {
        let host = Host(.silent(.cannotConnect))
        let process = SendingProcess(host, store, clock)
        for _ in 0..<6 { await process.send() }
        host.be(.well)
        #expect(await process.send()?.code == .circuitOpen)
        #expect(await process.send(to: "y.test") == nil)
        #expect(await process.send(to: "x.test:8443") == nil)
        #expect(await process.send(.pda) == nil)
    }

    @Test func hostsThatAreWellAreForgotten() async throws {
        let host = Host(.silent(.cannotConnect))
        let process = SendingProcess(host, store, clock)
        for _ in 0..<6 { await process.send(.pda) }
        host.be(.well)
        for number in 0..<6_000 { #expect(await process.send(to: "pda\(number).test", .pda) == nil) }
        #expect(process.transport.hostCount <= GuardedTransport.hostLimit + 1)
        // One in trouble is not.
        #expect(await process.send(.pda)?.code == .circuitOpen)
    }

    /// Fifty requests wait for a host that is back: one goes, then two, then four.
    @Test func aHostThatIsBackIsAskedByFewAtFirst() async throws {
        let host = Host(.silent(.cannotConnect))
        let gate = Gate(host)
        let transport = GuardedTransport(gate, notes: ServerNotes(nil), clock: clock)
        for _ in 0..<5 { _ = try? await transport.send(HTTPRequest(url: "https://x.test/", side: .source)) }
        clock.advance(.seconds(60))
        host.be(.well)
        // The probe.
        _ = try await transport.send(HTTPRequest(url: "https://x.test/", side: .source))
        gate.isShut.change { $0 = true }
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 {
                group.addTask { try? await transport.send(HTTPRequest(url: "https://x.test/", side: .source)).status }
            }
            for width in [1, 2, 4, 8] {
                await gate.inside.wait { $0 == width }
                gate.let(width)
            }
            gate.isShut.change { $0 = false }
            gate.let(50)
            var answered = 0
            for await status in group where status == 200 { answered += 1 }
            #expect(answered == 50)
        }
        #expect(gate.most.withLock { $0 } <= 36)
    }

    @Test(arguments: [200, 304, 400, 401, 403, 404, 413, 429])
    func whatIsSaidToOnePersonIsNoFailureOfTheHost(status: Int) async throws {
        let host = Host(.status(status, retryAfter: nil))
        let process = SendingProcess(host, store, clock)
        for _ in 0..<50 { #expect(await process.send() == nil) }
        await process.transport.settle()
        #expect(store.all == [])
    }

    @Test func aKeptConnectionThatEndsIsNoFailureOfTheHost() async throws {
        let process = SendingProcess(Host(.lostKept), store, clock)
        for _ in 0..<50 { #expect(await process.send()?.code == .connectionLost) }
        await process.transport.settle()
        #expect(store.all == [])
    }

    @Test func aHostThatAsksForPatienceHasNotFailed() async throws {
        let host = Host(.status(503, retryAfter: "30"))
        let process = SendingProcess(host, store, clock)
        for _ in 0..<50 { #expect(await process.send() == nil) }
    }

    @Test func firstTriesAreNotCountedAgainstTheBudgetAndSecondOnesAre() async throws {
        let host = Host(.well)
        let process = SendingProcess(host, store, clock)
        for _ in 0..<9 { #expect(await process.send(isRetry: true) == nil) }
        for _ in 0..<10 { #expect(await process.send() == nil) }
        for _ in 0..<3 { #expect(await process.send(isRetry: true) == nil) }
        let error = await process.send(isRetry: true)
        #expect(error?.code == .retriesSpent)
        #expect(error?.mayHaveArrived == false)
        #expect(await process.send() == nil)
        #expect(host.requests == 23)
    }

    @Test func manyConnectionsDoNotMultiplyAnOutage() async throws {
        // Half of all requests fail at random for a thousand connections of which each would try five times.
        let host = Host(.status(500, retryAfter: nil))
        let process = SendingProcess(host, store, clock)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    for attempt in 1...5 {
                        if await process.send(isRetry: attempt > 1)?.code == .retriesSpent { break }
                    }
                }
            }
        }
        #expect(host.requests <= 20)
    }

    // MARK: - Later processes

    @Test(arguments: [
        Host.Mood.silent(.cannotConnect), .silent(.timedOut), .silent(.tls), .status(500, retryAfter: nil),
    ])
    private func aDayOfOutageWithARunEveryMinuteCostsAtMost200Requests(_ mood: Host.Mood) async throws {
        let host = Host(mood)
        let store = KeptNotes()
        let start = clock.now()
        for minute in 0..<1440 {
            let due = start + Int64(minute) * 60_000_000
            if clock.now() < due { try await clock.sleep(for: .microseconds(due - clock.now())) }
            try await SendingProcess(host, store, clock).run(clock)
        }
        #expect(host.requests <= 200)
        #expect(host.requests >= 90)
        // When the host is back, that is found out within a quarter of an hour, and all is forgotten.
        host.be(.well)
        var minutes = 0
        let before = host.requests
        repeat {
            minutes += 1
            try await clock.sleep(for: .seconds(60))
            try await SendingProcess(host, store, clock).run(clock)
        } while host.requests == before && minutes < 100
        #expect(minutes <= 18)
        #expect(store.all == [])
    }

    @Test func whoMendsAHostAndRunsAgainIsNotKeptWaiting() async throws {
        let host = Host(.silent(.cannotConnect))
        let store = KeptNotes()
        for _ in 0..<3 { try await SendingProcess(host, store, clock).run(clock) }
        host.be(.well)
        let process = SendingProcess(host, store, clock)
        for _ in 0..<10 { #expect(await process.send() == nil) }
        #expect(store.all == [])
    }

    @Test func processesOfOneTimeLearnFromEachOther() async throws {
        let host = Host(.silent(.cannotConnect))
        let store = KeptNotes()
        let (first, second) = (SendingProcess(host, store, clock), SendingProcess(host, store, clock))
        // Both know the host as one that is well.
        host.be(.well)
        await first.send()
        await second.send()
        host.be(.silent(.cannotConnect))
        for _ in 0..<5 { await first.send() }
        #expect(await first.send()?.code == .circuitOpen)
        try await clock.sleep(for: .seconds(2))
        // One failure is enough to ask what others know.
        await second.send()
        #expect(await second.send()?.code == .circuitOpen)
        #expect(host.requests == 8)
        // The first one finds the host well again, and the second one hears of it.
        try await clock.sleep(for: .seconds(40))
        host.be(.well)
        #expect(await first.send() == nil)
        #expect(await second.send() == nil)
        #expect(host.requests == 10)
    }

    @Test func aCircuitThatOpenedInTheFutureIsNoLongerOpenThanItsOwnTime() async throws {
        let host = Host(.silent(.cannotConnect))
        let store = KeptNotes()
        let ahead = MovableClock()
        try await ahead.sleep(for: .seconds(31_536_000))
        // The ten runs that may try before the time are over.
        for _ in 0..<20 { try await SendingProcess(host, store, ahead).run(ahead) }
        host.be(.well)
        // Each try is a process of its own with the right clock, and none of them begins the wait anew.
        var waited = 0
        while await SendingProcess(host, store, clock).send()?.code == .circuitOpen, waited < 100 {
            try await clock.sleep(for: .seconds(60))
            waited += 1
        }
        #expect((1...18).contains(waited))
    }

    @Test func nothingIsWrittenWhileAllIsWell() async throws {
        let process = SendingProcess(Host(.well), store, clock)
        for _ in 0..<100 { await process.send() }
        await process.transport.settle()
        #expect(store.writeCount == 0)
    }

    @Test func aStoreThatFailsSparesHostsInThisProcessAtLeast() async throws {
        let host = Host(.silent(.cannotConnect))
        store.die(at: 1)
        let process = SendingProcess(host, store, clock)
        for _ in 0..<20 { await process.send() }
        #expect(host.requests == 5)
    }
}
