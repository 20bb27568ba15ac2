import Glibc

/// How much a test that tries many cases tries: all of them in CI and in `make simulate`, enough to notice a mistake in
/// `make test`, which has to be quick on a busy machine.
package enum Thoroughness {
    /// How many seeds a simulation runs, from 1 on.
    package static let seeds = variable("PLUGHOST_SIMULATION_SEEDS").flatMap { Int($0) } ?? 60
    /// How many of them a simulation runs whose worlds are large, and cost ten times as much as the others.
    package static let seedsOfLargeWorlds = max(4, seeds / 10)
    /// Whether all cases are tried.
    package static let isFull = seeds >= 1000

    /// All of them, or one of so many, the first one among them.
    package static func some<Case>(_ cases: some Sequence<Case>, oneOf count: Int) -> [Case] {
        cases.enumerated().filter { isFull || $0.offset.isMultiple(of: count) }.map(\.element)
    }

    private static func variable(_ name: String) -> String? {
        // getenv(3) gives a string that belongs to the environment; it is copied at once.
        getenv(name).map { String(cString: $0) }
    }
}
