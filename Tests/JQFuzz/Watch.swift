import Foundation

/// Starts children until the time is over, and reports how each ended.
struct Watch {
    let seconds: Double
    let first: UInt64
    /// Faults after which there is no point in going on.
    private static let enough = 20
    /// No trial may take so long, also where a machine is busy.
    private static let patience = 120.0

    init(seconds: Double, first: UInt64) {
        self.seconds = seconds
        self.first = first
    }

    /// - Returns: The exit code.
    func run() throws -> Int32 {
        let notes = FileManager.default.temporaryDirectory.appendingPathComponent("jq-fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: notes) }
        let end = Date().addingTimeInterval(seconds)
        var (seed, trials, faults) = (first, UInt64(0), 0)
        say("jq-fuzz: from seed \(first) on, for \(Int(seconds)) s")
        while case let left = end.timeIntervalSinceNow, left > 0, faults < Self.enough {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            child.arguments = ["--child", "\(seed)", "\(min(left, 30))", notes.path]
            try child.run()
            wait(for: child, notes.path)
            let reached = Self.number(in: notes.path) ?? seed
            trials += reached - seed
            if child.terminationReason == .uncaughtSignal {
                say("seed \(reached): signal \(child.terminationStatus): jq-fuzz --seed \(reached)")
            }
            if child.terminationReason == .uncaughtSignal || child.terminationStatus != 0 { faults += 1 }
            seed = reached + 1
        }
        say("jq-fuzz: \(trials) programs, \(faults) faults")
        return faults == 0 ? 0 : 1
    }

    /// Waits for the end of a child, and ends one that makes no progress.
    private func wait(for child: Process, _ notes: String) {
        var (last, since) = (UInt64(0), Date())
        while child.isRunning {
            usleep(20_000)
            let reached = Self.number(in: notes) ?? 0
            if reached != last { (last, since) = (reached, Date()) }
            if Date().timeIntervalSince(since) > Self.patience { child.terminate() }
        }
    }

    private static func number(in path: String) -> UInt64? {
        guard let data = FileManager.default.contents(atPath: path), data.count == 8 else { return nil }
        return data.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
