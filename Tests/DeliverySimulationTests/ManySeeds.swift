import TestKit
import Testing

/// Worlds by chance, one for each seed.
struct ManySeeds {
    /// How many of them run at the same time.
    private static let width = 2

    /// From 1 on; the one to replay, if one was named.
    private let seeds: [UInt64]
    /// What is known of some of them.
    private let defects: [UInt64: String]

    init(_ count: Int, defects: [UInt64: String] = [:]) {
        seeds = ProcessSettings.seed.map { [$0] } ?? (1...UInt64(count)).map { $0 }
        self.defects = defects
    }

    /// Simulates each world on a thread of its own, and tells of those in which anything is wrong.
    func simulate(_ world: @escaping @Sendable (UInt64) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.width {
                group.addTask {
                    for at in stride(from: worker, to: seeds.count, by: Self.width) {
                        let seed = seeds[at]
                        do { try await withTaskExecutorPreference(OneThread()) { try await world(seed) } } catch {
                            tell("seed \(seed): \(error)\nreplay it with PLUGHOST_SIMULATION_SEED=\(seed)", of: seed)
                        }
                    }
                }
            }
        }
    }

    private func tell(_ problem: String, of seed: UInt64) {
        guard let defect = defects[seed] else {
            Issue.record("\(problem)")
            return
        }
        withKnownIssue("\(defect)") { Issue.record("\(problem)") }
    }
}
