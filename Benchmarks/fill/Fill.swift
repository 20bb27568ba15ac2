import LosslessJSON
import PlugCore
import PlugStorage
import Syncing

/// Makes very many connections at once, for `Benchmarks/host`, and asks the store what is due.
///
///     fill make STATE PDA TOKEN-FILE COUNT SPREAD-SECONDS FIRST-IN-SECONDS
///     fill scan STATE COUNT
///
/// `make` adds connections `person-N` of the plug `bench` that are due one after the other over a time; `{}` in PDA stands for N. `scan` takes as many of
/// them for due as COUNT, claims them as a host does, and prints how many milliseconds each look took.
@main
struct Fill {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3 else { fatalError("see Benchmarks/fill/Fill.swift") }
        let store = try await SQLiteStore.open(folder: arguments[2], access: .write(wait: .zero))
        do {
            if arguments[1] == "make" { try await make(arguments, store) } else { try await scan(arguments, store) }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private static func make(_ arguments: [String], _ store: SQLiteStore) async throws {
        let (pda, count) = (arguments[3], Int64(arguments[5]) ?? 0)
        let text = try Files.secret(arguments[4], failing: .configuration)
        let token = KeptToken(token: Secret(text), issuedAt: SystemClock().now() / 1_000_000)
        let (spread, first) = (Int64(arguments[6]) ?? 3_600, Int64(arguments[7]) ?? 0)
        let start = SystemClock().now() + first * 1_000_000
        // As many at a time as share a transaction.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 256 { try await group.next() }
                let due = start + number * spread * 1_000_000 / max(1, count)
                group.addTask { try await add(number, pda, token, due, store) }
            }
            try await group.waitForAll()
        }
    }

    private static func add(
        _ number: Int64,
        _ pda: String,
        _ token: KeptToken,
        _ due: Int64,
        _ store: SQLiteStore
    ) async throws {
        let plan = ConnectionPlan(config: JSONObject([("first", .text("\(number * 10 + 1)"))]))
        _ = try await store.addConnection(
            ConnectionID("person-\(number)"),
            plug: "bench",
            pda: pda.replacing("{}", with: "\(number)"),
            token: token,
            setup: ConnectionSetup(status: .active, dueAt: due, content: plan.content),
            AuditEntry(at: SystemClock().now(), who: "shell", what: "added")
        )
    }

    private static func scan(_ arguments: [String], _ store: SQLiteStore) async throws {
        let clock = ContinuousClock()
        var (left, slowest) = (Int(arguments[3]) ?? 0, Duration.zero)
        let begun = clock.now
        while left > 0 {
            let wish = ClaimWish(at: .max - 1, until: .max - 1, limit: min(256, left))
            let start = clock.now
            let found = try await store.claimDue(wish)
            slowest = max(slowest, clock.now - start)
            if found.claims.isEmpty { break }
            left -= found.claims.count
        }
        func milliseconds(_ time: Duration) -> Double { time / .milliseconds(1) }
        print("{\"all_ms\": \(milliseconds(clock.now - begun)), \"slowest_ms\": \(milliseconds(slowest))}")
    }
}
