internal import CurlTransport
internal import Glibc
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import Syncing

/// The checks of what a host reaches over the network. Nothing secret is sent, and no answer is trusted except for its time.
struct NetworkChecks: Sendable {
    private static let hostLimit = 20
    private static let nobody = "there is no connection yet"
    /// The clock must not differ from others' by more than this: tokens and signatures are refused.
    private static let tolerance: Int64 = 60
    private static let timeouts = HTTPTimeouts(
        connect: .seconds(5),
        firstByte: .seconds(5),
        idle: .seconds(5),
        total: .seconds(10)
    )

    private let transport: HTTPTransport
    private let clock: any HostClock

    init(_ transport: HTTPTransport, clock: any HostClock) { (self.transport, self.clock) = (transport, clock) }

    /// The named hosts that these plugs query, in their order.
    static func hosts(of plugs: Set<String>, in content: HostPlugs.Content) -> [String] {
        var hosts: [String] = []
        for (id, manifest) in content.manifests.sorted(by: { $0.key < $1.key }) where plugs.contains(id) {
            for case .exact(let host, let port) in manifest.hosts where port == nil && !hosts.contains(host) {
                hosts.append(host)
            }
        }
        return Array(hosts.prefix(hostLimit))
    }

    func host(at listen: HTTPURL?) async -> CheckResult {
        guard let listen else { return .skipped("host", "it listens nowhere") }
        let cure = "systemctl status plughost, or 'plughost serve'"
        do throws(HTTPError) {
            let answer = try await get("\(listen.origin)/readyz", .pda)
            if answer.status == 200 { return .ok("host", "it runs, and is ready, at \(listen.origin)") }
            let words = answer.body.withBytes { String(decoding: $0.prefix(100), as: UTF8.self) }
            return .failure(
                "host",
                "it runs at \(listen.origin), but says: \(words)",
                cure: "see its log for that code"
            )
        } catch { return .warning("host", "nothing answers at \(listen.origin): \(error.message)", cure: cure) }
    }

    /// - Parameter isAnybody: Whether any connection exists.
    func names(_ hosts: [String], isAnybody: Bool) async -> CheckResult {
        let names = hosts.filter { IPAddress($0) == nil && !$0.hasPrefix("[") }
        if names.isEmpty { return .skipped("names", isAnybody ? "the connections need none" : Self.nobody) }
        var failed: [String] = []
        for name in names where await !Self.resolves(name) { failed.append(name) }
        if failed.isEmpty { return .ok("names", "all \(names.count) have an address") }
        return .failure(
            "names",
            "no address for \(failed.prefix(5).joined(separator: ", "))",
            cure: "check /etc/resolv.conf, and 'getent hosts \(failed[0])'"
        )
    }

    private static func resolves(_ name: String) async -> Bool {
        await onAThreadOfItsOwn {
            var list: UnsafeMutablePointer<addrinfo>?
            // getaddrinfo(3) returns a list that we must free, but only if it returns 0. It waits for the resolver.
            guard getaddrinfo(name, nil, nil, &list) == 0 else { return false }
            freeaddrinfo(list)
            return true
        }
    }

    func pdas(_ origins: [String]) async -> CheckResult {
        if origins.isEmpty { return .skipped("PDAs", Self.nobody) }
        return await reach("PDAs", origins.map { ("\($0)/publickey", $0) }, .pda)
    }

    /// - Parameter isAnybody: Whether any connection exists.
    func providers(_ hosts: [String], isAnybody: Bool) async -> CheckResult {
        if hosts.isEmpty {
            return .skipped("providers", isAnybody ? "none that is the same for all people of a plug" : Self.nobody)
        }
        return await reach("providers", hosts.map { ("https://\($0)/", $0) }, .source)
    }

    private func reach(_ name: String, _ places: [(url: String, name: String)], _ side: NetworkSide) async
        -> CheckResult
    {
        var failed: [String] = []
        var skew: Int64 = 0
        for place in places {
            do throws(HTTPError) {
                let answer = try await get(place.url, side)
                if answer.status >= 500 { failed.append("\(place.name) answers \(answer.status)") }
                if let date = answer.headers.first("Date").flatMap({ Timestamp($0) }) {
                    let difference = date.seconds - clock.now() / 1_000_000
                    if abs(difference) > abs(skew) { skew = difference }
                }
            } catch { failed.append("\(place.name): \(error.message)") }
        }
        guard failed.isEmpty else {
            let more = failed.count > 3 ? "; and \(failed.count - 3) more" : ""
            return .failure(
                name,
                failed.prefix(3).joined(separator: "; ") + more,
                cure: "nothing is lost while they are away; check the firewall and --proxy if others reach them"
            )
        }
        guard abs(skew) <= Self.tolerance else {
            return .failure(
                name,
                "all \(places.count) answer, but their clocks differ from this one by \(abs(skew)) s",
                cure: CheckResult.clockCure
            )
        }
        return .ok(name, places.count == 1 ? "\(places[0].name) answers" : "all \(places.count) answer")
    }

    private func get(_ url: String, _ side: NetworkSide) async throws(HTTPError) -> HTTPResponse {
        try await transport.send(
            HTTPRequest(url: url, side: side, timeouts: Self.timeouts, bodyLimit: 1 << 20, wireLimit: 1 << 20)
        )
    }
}
