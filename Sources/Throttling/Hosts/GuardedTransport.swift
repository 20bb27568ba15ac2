package import CurlTransport
package import PlugCore
internal import Synchronization

/// Sends requests through another transport, and spares hosts that fail: a circuit breaker and a budget of second tries
/// for each, shared by everything that is sent through it, and remembered by later processes.
///
/// Two more errors come out of it: `.circuitOpen`, and `.retriesSpent` for requests with `isRetry`. Neither has touched
/// the network.
package final class GuardedTransport: HTTPSending {
    private struct Host {
        var circuit = Circuit()
        var budget = RetryBudget()
        /// Whether a note about it lies on the disk.
        var isNoted = false
        /// Whether that note is not what the circuit says by now.
        var isStale = false
        /// When the note was last looked at, in microseconds of the steady clock.
        var lookedAt: Int64 = .min
        /// Lets few in at first, after an outage.
        var start: SlowStart?
        /// When it was asked last, counted in requests of the process.
        var usedAt = 0

        /// Whether nothing is lost if it is forgotten: what lies on the disk is looked up again.
        var isForgettable: Bool { circuit.openUntil == nil && !isStale && start == nil }
    }

    private struct Hosts {
        var all: [String: Host] = [:]
        var requests = 0

        subscript(name: String) -> Host? {
            get { all[name] }
            set { all[name] = newValue }
        }

        subscript(name: String, default host: @autoclosure () -> Host) -> Host {
            get { all[name, default: host()] }
            set { all[name] = newValue }
        }

        /// Notes that a host is asked, and forgets those that were not for the longest time where there are many.
        mutating func use(_ name: String) {
            requests += 1
            all[name]?.usedAt = requests
            guard all.count > GuardedTransport.hostLimit else { return }
            let idle = all.filter { $0.value.isForgettable && $0.key != name }
            // Half at a time: looking at all of them for each request would take longer than the request.
            for (name, _) in idle.sorted(by: { $0.value.usedAt < $1.value.usedAt }).prefix(
                GuardedTransport.hostLimit / 2
            ) {
                all[name] = nil
            }
        }
    }

    /// How many hosts are known at a time, as every person may have a PDA of their own; more only of those in trouble.
    static let hostLimit = 4_096

    /// How often what other processes find out about a host in trouble is looked up.
    private static let lookInterval: Int64 = 1_000_000

    private let transport: any HTTPSending
    private let notes: ServerNotes
    private let clock: any HostClock
    private let hosts = Mutex(Hosts())

    /// Guards a transport.
    ///
    /// - Parameters:
    ///   - transport: What sends.
    ///   - notes: What earlier processes found out about hosts.
    ///   - clock: Its steady time counts.
    package init(_ transport: any HTTPSending, notes: ServerNotes, clock: any HostClock) {
        self.transport = transport
        self.notes = notes
        self.clock = clock
    }

    /// Sends a request, unless its host has failed too much of late.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var request = request
        guard let url = try? request.address() else { return try await transport.send(request) }
        let name = "host \(request.side == .pda ? "pda" : "source") \(url.hostAndPort)"
        await lookUp(name)
        let start = hosts.withLock { hosts in
            hosts.use(name)
            return hosts[name]?.start
        }
        guard let start else { return try await admitted(request, name, url.hostAndPort) }
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

    /// The hosts that are left alone now because they fail.
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

    /// Forgets what is known of hosts: the next request to one goes out.
    func forget(_ scope: ForgottenLimits.Scope) {
        hosts.withLock { hosts in hosts.all = hosts.all.filter { !scope.contains($0.key) } }
    }

    /// How many hosts are known, for tests.
    var hostCount: Int { hosts.withLock { $0.all.count } }

    /// Writes down which hosts fail at the moment. To be called when a process, or the last run in it, ends.
    package func settle() async { await write(hosts.withLock { $0.all.filter { $0.value.isStale }.keys.sorted() }) }

    // MARK: - Before and after a request

    /// Finds out what is known of a host, once.
    private func lookUp(_ name: String) async {
        if hosts.withLock({ $0[name] != nil }) { return }
        // Where notes cannot be read the host begins with a clean slate: this is about sparing it, not about safety.
        let bytes = try? await notes.found(name)
        let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
        let circuit = bytes.flatMap { Circuit($0, mark: mark, now: now) }
        let isCorrected = hosts.withLock { hosts in
            guard hosts[name] == nil else { return false }
            hosts[name] = Host(circuit: circuit ?? Circuit(), isNoted: bytes != nil, lookedAt: now)
            return circuit?.isCorrected ?? false
        }
        if isCorrected { await write([name]) }
    }

    /// Finds out what other processes that run at the same time know of a host in trouble, now and then.
    private func look(at name: String) async {
        guard notes.isLasting else { return }
        let now = clock.steady().microseconds
        let isDue = hosts.withLock { hosts in
            guard let host = hosts[name], now >= host.lookedAt &+ Self.lookInterval else { return false }
            hosts[name]?.lookedAt = now
            // What was not written yet is newer than what lies there.
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
            // The few requests that look at what a failing one held go out all the same: they tell the two apart.
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
        _ reason: String,
        of admission: Circuit.Admission,
        _ name: String
    ) async {
        if case .failed = outcome { await look(at: name) }
        let now = clock.steady().microseconds
        let hasTurned = hosts.withLock { hosts in
            var host = hosts[name, default: Host()]
            if case .failed = outcome { host.circuit.reason = reason }
            let hasTurned = host.circuit.note(outcome, of: admission, now: now, random: clock.random())
            if outcome == .answered { host.budget.earn() }
            // A host that is back is asked by few at first. Those who wait for one that has gone again are let out to hear so.
            if hasTurned { host.start = host.circuit.openUntil == nil ? SlowStart() : nil }
            host.isStale = host.circuit.isNotable || host.isNoted
            hosts[name] = host
            return hasTurned
        }
        // What a probe met is the newest reason, which others would not see before the next one.
        if hasTurned || admission == .probe { await write([name]) }
    }

    /// Writes the circuits of some hosts, or removes what was written of those that are well.
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
        // What cannot be written holds for this process only.
        try? await notes.keep(changes)
    }

    // MARK: - What counts

    /// An answer that says no to one person, or that asks for patience, is no failure of the host.
    ///
    /// A request that fails at what it asks for fails again: one in trouble must not close the host to all others, so that
    /// only its first failure counts.
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
