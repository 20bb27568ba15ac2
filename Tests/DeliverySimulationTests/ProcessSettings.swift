import Glibc
import TestKit

/// What the environment says about how much to simulate.
enum ProcessSettings {
    /// The one seed to replay.
    static let seed: UInt64? = variable("PLUGHOST_SIMULATION_SEED").flatMap { UInt64($0) }
    /// How many seeds to run, from 1 on.
    static let seeds = Thoroughness.seeds
    /// How many of them over a real disk, which costs ten times as much.
    static let diskSeeds = max(4, seeds / 80)
    static var isReplaying: Bool { seed != nil }

    private static func variable(_ name: String) -> String? {
        // getenv(3) gives a string that belongs to the environment; it is copied at once.
        getenv(name).map { String(cString: $0) }
    }
}
