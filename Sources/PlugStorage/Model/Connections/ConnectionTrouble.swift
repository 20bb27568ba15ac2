/// What keeps a connection from making progress: its last runs have ended with an error and moved nothing.
package struct ConnectionTrouble: Sendable, Equatable {
    /// The code of the last of these errors.
    package var code: String
    /// When the first of these runs ended, in microseconds since 1970.
    package var since: Int64
    /// How many of them there were.
    package var runs: Int

    /// Creates a trouble.
    package init(code: String, since: Int64, runs: Int) { (self.code, self.since, self.runs) = (code, since, runs) }

    /// After so many runs, or so many microseconds, it does not pass by itself: somebody is told.
    static let (lastingRuns, lastingTime): (Int, Int64) = (20, 86_400_000_000)

    /// Errors that say nothing about a connection: it had to make room for others.
    private static let ofOthers: Set<String> = ["run-yielded", "state-locked", "token-busy", "run-time-limit"]

    /// What the end of a run changes.
    package enum Change: Sendable, Equatable {
        /// It says nothing.
        case keep
        /// All is well.
        case clear
        /// There is trouble, or still is.
        case note(code: String)

        /// - Parameters:
        ///   - outcome: The run's outcome.
        ///   - tally: Its result.
        package init(outcome: String, _ tally: RunTally) {
            guard outcome != "interrupted" else {
                self = .keep
                return
            }
            guard let code = tally.error, !tally.hasMoved else {
                self = .clear
                return
            }
            self = ConnectionTrouble.ofOthers.contains(code) ? .keep : .note(code: code)
        }

        /// A trouble after the change, at a time.
        package func applied(to trouble: ConnectionTrouble?, at now: Int64) -> ConnectionTrouble? {
            switch self {
            case .keep: trouble
            case .clear: nil
            case .note(let code):
                ConnectionTrouble(code: code, since: trouble?.since ?? now, runs: (trouble?.runs ?? 0) + 1)
            }
        }
    }
}

/// How many active connections have the same trouble.
package struct TroubleCount: Sendable, Equatable {
    /// Their plug.
    package var plug: String
    /// Their trouble's code.
    package var code: String
    /// How many there are.
    package var connections: Int

    /// Creates a count.
    package init(plug: String, code: String, connections: Int) {
        (self.plug, self.code, self.connections) = (plug, code, connections)
    }

    /// How they stand.
    package var health: ConnectionHealth { ConnectionHealth(code: code) }
}
