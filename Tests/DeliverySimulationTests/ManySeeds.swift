import TestKit
import Testing

/// Worlds by chance, one for each seed.
struct ManySeeds {
    /// How many of them run at the same time.
    private static let width = 2

    /// From 1 on; the one to replay, if one was named.
    private let seeds: [UInt64]

    init(_ count: Int) { seeds = ProcessSettings.seed.map { [$0] } ?? (1...UInt64(count)).map { $0 } }

    /// Simulates each world on a thread of its own, and tells of those in which anything is wrong.
    func simulate(_ world: @escaping @Sendable (UInt64) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.width {
                group.addTask {
                    for at in stride(from: worker, to: seeds.count, by: Self.width) {
                        let seed = seeds[at]
                        do { try await withTaskExecutorPreference(OneThread()) { try await world(seed) } } catch {
                            Issue.record("seed \(seed): \(error)\nreplay it with PLUGHOST_SIMULATION_SEED=\(seed)")
                        }
                    }
                }
            }
        }
    }
}
