import PlugCore
import PlugFetch

/// What a run came to, to be compared with another one's.
struct ReadingOutcome: Equatable {
    var records: [String]
    var ids: [Int]
    /// The code.
    var error: String?
    var message: String?
    var isComplete: Bool
    var state: String?
    var warnings: [String]
    /// The addresses that were asked for.
    var asked: [String]
    var filtered: Int
    var received: Int

    init(_ reading: Reading, _ states: MemoryStates, _ bench: Bench, _ asked: [String]) {
        records = reading.records
        ids = reading.ids
        error = reading.error?.code.text
        message = reading.error?.message
        isComplete = reading.isComplete
        state = states.text()
        warnings = bench.events.messages
        self.asked = asked
        filtered = reading.pages.map(\.cost.filtered).reduce(0, +)
        received = reading.pages.map(\.cost.bytes).reduce(0, +)
    }
}
