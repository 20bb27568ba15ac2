package import CurlTransport
package import PlugCore
internal import Synchronization

/// Sends requests through another transport, and spares failing hosts: each has a circuit breaker and a retry budget, shared by
/// everything that is sent through here, and kept for later processes.
///
/// It adds two errors: `.circuitOpen`, and `.retriesSpent` for requests with `isRetry`. Neither has touched the network.
package final class GuardedTransport: HTTPSending {
    private struct Host {
        var circuit = Circuit()
        var budget = RetryBudget()
        /// Whether there is a note about it on disk.
        var isNoted = false
        /// Whether that note no longer matches the circuit.
        var isStale = false
        /// When the note was last checked, in microseconds of the steady clock.
        var lookedAt: Int64 = .min
        /// Admits few requests at first, after an outage.
        var start: SlowStart?
        /// When it was last used, counted in requests of the process.
        var usedAt = 0

        /// Whether nothing is lost by forgetting it: the note on disk is looked up again.
        var isForgettable: Bool { circuit.openUntil == nil && !isStale && start == nil }

        /// Learns from a request.
        ///
        /// - Returns: Whether the circuit opened or closed.
        mutating func learn(
            _ outcome: Circuit.Outcome,
            of admission: Circuit.Admission,
            now: Int64,
            random: @autoclosure () -> Double
        ) -> Bool {
            let hasTurned = circuit.note(outcome, of: admission, now: now, random: random())
            if outcome == .answered { budget.earn() }
            // A host that is back gets few requests at first. If it fails again, those waiting are let out to learn so.
            if hasTurned { start = circuit.openUntil == nil ? SlowStart() : nil }
            isStale = circuit.isNotable || isNoted
            return hasTurned
        }
    }

    private struct Hosts {
        var all: [String: Host] = [:]
        var requests = 0

        /// What is known about a host. It is read and changed in place, as each request does several times.
        subscript(name: String) -> Host? {
            _read { yield all[name] }
            _modify { yield &all[name] }
        }

        subscript(name: String, default host: @autoclosure () -> Host) -> Host {
            _read { yield all[name, default: host()] }
            _modify { yield &all[name, default: host()] }
        }

        /// Records that a host is used.
        ///
        /// - Returns: Whether it is known.
        mutating func use(_ name: String) -> Bool {
            requests += 1
            return Self.note(requests, in: &all[name])
        }

        private static func note(_ time: Int, in host: inout Host?) -> Bool {
            host?.usedAt = time
            return host != nil
        }

        /// Forgets the least recently used hosts if there are many.
        mutating func shrink(keeping name: String) {
            guard all.count > GuardedTransport.hostLimit else { return }
            let idle = all.filter { $0.value.isForgettable && $0.key != name }
            // Half at a time: scanning all of them for each request would take longer than the request.
            for (name, _) in idle.sorted(by: { $0.value.usedAt < $1.value.usedAt }).prefix(
                GuardedTransport.hostLimit / 2
            ) {
                all[name] = nil
            }
        }
    }

    /// How many hosts are known at a time, as each person may have their own PDA; more only if they are in trouble.
    static let hostLimit = 4_096

    /// How often to check what other processes find out about a host in trouble.
    private static let lookInterval: Int64 = 1_000_000

    private let transport: any HTTPSending
    private let notes: ServerNotes
    private let clock: any HostClock
    private let hosts = Mutex(Hosts())

    /// Guards a transport.
    ///
    /// - Parameters:
    ///   - transport: The underlying transport.
    ///   - notes: What earlier processes found out about hosts.
    ///   - clock: Its steady time is used.
    package init(_ transport: any HTTPSending, notes: ServerNotes, clock: any HostClock) {
        self.transport = transport
        self.notes = notes
        self.clock = clock
    }

    /// Sends a request, unless its host has failed too often recently.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var request = request
        guard let url = try? request.address() else { return try await transport.send(request) }
        let name = "host \(request.side == .pda ? "pda" : "source") \(url.hostAndPort)"
        if !hosts.withLock({ $0.use(name) }) { await lookUp(name) }
        guard let start = hosts.withLock({ $0[name]?.start }) else {
            return try await admitted(request, name, url.hostAndPort)
        }
        guard await start.enter() else { throw HTTPError(.cancelled, "the request was cancelled") }
        do throws(HTTPError) {
            let response = try await admitted(request, name, url.hostAndPort)
            if start.leave(isAnswered: response.status < 500) { hosts.withLock { $0[name]?.start = nil } }
            return response
        } catch {
            _ = start.leave(isAnswered: false)
            throw error
        }
    }

    private func admitted(_ request: HTTPRequest, _ name: String, _ host: String) async throws(HTTPError)
        -> HTTPResponse
    {
        if hosts.withLock({ $0[name]?.circuit.openUntil != nil }) { await look(at: name) }
        let admission = try admit(request, name, host)
        if admission == .probe { await write([name]) }
        do throws(HTTPError) {
            let response = try await transport.send(request)
            await learn(Self.outcome(response, of: request), "it answered \(response.status)", of: admission, name)
            return response
        } catch {
            await learn(Self.outcome(error, of: request), error.message, of: admission, name)
            throw error
        }
    }

    /// The hosts that are not contacted now because they fail.
    func openCircuits() -> [RememberedLimit] {
        let mark = SteadyMark(clock)
        return hosts.withLock { hosts in
            hosts.all.compactMap { name, host in
                host.circuit.openUntil.map { until in
                    RememberedLimit(
                        name: name,
                        kind: .circuit,
                        until: mark.wall(of: until),
                        reason: host.circuit.reason
                    )
                }
            }
        }
    }

    /// Forgets what is known about hosts: the next request to one is sent.
    func forget(_ scope: ForgottenLimits.Scope) {
        hosts.withLock { hosts in hosts.all = hosts.all.filter { !scope.contains($0.key) } }
    }

    /// How many hosts are known, for tests.
    var hostCount: Int { hosts.withLock { $0.all.count } }

    /// Records which hosts fail at present. Call it when a process, or its last run, ends.
    package func settle() async { await write(hosts.withLock { $0.all.filter { $0.value.isStale }.keys.sorted() }) }

    // MARK: - Before and after a request

    /// Looks up what is known about a host, once.
    private func lookUp(_ name: String) async {
        // If notes cannot be read the host starts with a clean slate: this is about sparing it, not about safety.
        let bytes = try? await notes.found(name)
        let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
        let circuit = bytes.flatMap { Circuit($0, mark: mark, now: now) }
        let isCorrected = hosts.withLock { hosts in
            guard hosts[name] == nil else { return false }
            hosts[name] = Host(circuit: circuit ?? Circuit(), isNoted: bytes != nil, lookedAt: now)
            _ = hosts.use(name)
            hosts.shrink(keeping: name)
            return circuit?.isCorrected ?? false
        }
        if isCorrected { await write([name]) }
    }

    /// Checks now and then what other running processes know about a host in trouble.
    private func look(at name: String) async {
        guard notes.isLasting else { return }
        let now = clock.steady().microseconds
        let isDue = hosts.withLock { hosts in
            guard let host = hosts[name], now >= host.lookedAt &+ Self.lookInterval else { return false }
            hosts[name]?.lookedAt = now
            // Unwritten changes are newer than the note on disk.
            return !host.isStale || host.circuit.openUntil == nil
        }
        guard isDue else { return }
        let bytes: [UInt8]?
        do { bytes = try await notes.current(name) } catch { return }
        let other = bytes.flatMap { Circuit($0, mark: SteadyMark(clock), now: now) }
        hosts.withLock { hosts in
            guard var host = hosts[name], host.circuit.adopt(other) else { return }
            (host.isNoted, host.isStale) = (bytes != nil, false)
            hosts[name] = host
        }
    }

    private func admit(_ request: HTTPRequest, _ name: String, _ host: String) throws(HTTPError) -> Circuit.Admission {
        let now = clock.steady().microseconds
        let result = hosts.withLock { hosts -> Result<Circuit.Admission, HTTPError> in
            let admission = hosts[name, default: Host()].circuit.admit(now: now, random: clock.random())
            // The few requests that test what a failing one contained are sent all the same: they tell the two causes apart.
            if case .refused = admission, request.isTrial { return .success(.go) }
            if case .refused(let until) = admission {
                let time = Timestamp(seconds: (SteadyMark(clock).wall(of: until) + 999_999) / 1_000_000).rfc3339
                let reason = hosts[name]?.circuit.reason ?? ""
                let text = "\(host) has failed too often (\(reason)); the next request is sent at \(time)"
                return .failure(HTTPError(.circuitOpen, text))
            }
            if admission == .go, request.isRetry, !hosts[name, default: Host()].budget.take(now: now) {
                let text = "too many requests to \(host) had to be retried; retrying is suspended"
                return .failure(HTTPError(.retriesSpent, text))
            }
            return .success(admission)
        }
        return try result.get()
    }

    private func learn(
        _ outcome: Circuit.Outcome,
        _ reason: @autoclosure () -> String,
        of admission: Circuit.Admission,
        _ name: String
    ) async {
        if case .failed = outcome { await look(at: name) }
        let now = clock.steady().microseconds
        let hasTurned = hosts.withLock { hosts in
            if case .failed = outcome { hosts[name, default: Host()].circuit.reason = reason() }
            return hosts[name, default: Host()].learn(outcome, of: admission, now: now, random: clock.random())
        }
        // A probe's result is the newest reason, which other processes would not see before the next one.
        if hasTurned || admission == .probe { await write([name]) }
    }

    /// Writes the circuits of some hosts, or removes the notes of those that are well.
    private func write(_ names: [String]) async {
        guard notes.isLasting, !names.isEmpty else { return }
        let mark = SteadyMark(clock)
        let changes = hosts.withLock { hosts in
            names.compactMap { name -> ServerNote? in
                guard var host = hosts[name] else { return nil }
                defer { hosts[name] = host }
                host.isStale = false
                host.isNoted = host.circuit.isNotable
                guard host.isNoted else { return .removal(of: name) }
                let end = mark.wall(of: (host.circuit.openUntil ?? clock.steady().microseconds) + 86_400_000_000)
                return ServerNote(name: name, bytes: host.circuit.bytes(at: mark), expiresAt: end)
            }
        }
        // What cannot be written applies to this process only.
        try? await notes.keep(changes)
    }

    // MARK: - What counts

    /// A response that refuses one person, or asks for patience, is not a failure of the host.
    ///
    /// A request whose content makes it fail will fail again: one in trouble must not close the host to all others, so only its
    /// first failure counts.
    private static func outcome(_ response: HTTPResponse, of request: HTTPRequest) -> Circuit.Outcome {
        guard response.status >= 500 else { return .answered }
        if request.isRetry || request.isTrial { return .nothing }
        return response.headers.first("retry-after") == nil ? .failed(isConnecting: false) : .nothing
    }

    private static func outcome(_ error: HTTPError, of request: HTTPRequest) -> Circuit.Outcome {
        if request.isTrial || (request.isRetry && error.mayHaveArrived) || error.lostKeptConnection { return .nothing }
        return switch error.code {
        case .cannotResolve, .cannotConnect, .tls: .failed(isConnecting: true)
        case .timedOut: .failed(isConnecting: !error.mayHaveArrived)
        case .connectionLost, .truncated, .badResponse: .failed(isConnecting: false)
        default: .nothing
        }
    }
}
