import Synchronization

/// How often what goes wrong, of a thousand.
struct FaultRates: Sendable, Equatable {
    var source = 0
    var pda = 0
    var store = 0
    /// For which requests of a life the PDA is down.
    var outage: Range<Int>?
    /// How many seconds a request may take.
    var latency = 0
    /// What goes wrong with exactly the n-th request or write of a life.
    var atSource: [Int: SourceFault] = [:]
    var atPDA: [Int: PDAFault] = [:]
    var failingWrite: Int?

    static let none = FaultRates()
}

/// What goes wrong on the source's side of one request.
enum SourceFault: CaseIterable, Sendable {
    case limited, limitedForSeconds, limitedUntilDate, limitedTooLong, failing, busy, timedOut, reset, unreachable
    case truncated, halfPage, loginPage
}

/// What goes wrong on the PDA's side of one request.
enum PDAFault: CaseIterable, Sendable {
    // Nothing is stored.
    case limited, limitedForSeconds, failing, busy, tooSlow, unavailable, loginPage, unauthorised, unreachable
    case resetBefore, down
    // Everything is stored, and the answer does not say so.
    case resetAfter, timedOutAfter, failingAfter, truncatedEcho, halfEcho, emptyEcho
    // Everything is stored, and the answer says more than that.
    case echoedTwice
    // A request that skips errors stores the first half of what it could.
    case halfStored
    // A newer token comes with the answer.
    case newToken
}

/// How a PDA, or what stands before it, fails at a record, and how a source fails for one parent.
enum Stumble: CaseIterable, Sendable { case failing, closed, refusedInHTML, forbiddenInHTML }

/// Draws what goes wrong in one process life.
final class Faults: Sendable {
    let rates: FaultRates
    private let chance: SharedChance
    private let counts = Mutex((source: 0, pda: 0, writes: 0))

    init(_ rates: FaultRates, seed: UInt64) {
        self.rates = rates
        chance = SharedChance(seed)
    }

    func atSource() -> SourceFault? {
        let number = counts.withLock { counts in
            counts.source += 1
            return counts.source
        }
        if let fault = rates.atSource[number] { return fault }
        guard rates.source > 0 else { return nil }
        let rate = rates.source
        return chance.draw { $0.happens(rate) ? SourceFault.allCases.randomElement(using: &$0) : nil }
    }

    func atPDA() -> PDAFault? {
        let number = counts.withLock { counts in
            counts.pda += 1
            return counts.pda
        }
        if let fault = rates.atPDA[number] { return fault }
        if rates.outage?.contains(number) == true { return .down }
        guard rates.pda > 0 else { return nil }
        let rate = rates.pda
        return chance.draw { $0.happens(rate) ? PDAFault.allCases.randomElement(using: &$0) : nil }
    }

    func failsToWrite() -> Bool {
        let number = counts.withLock { counts in
            counts.writes += 1
            return counts.writes
        }
        if rates.failingWrite == number { return true }
        guard rates.store > 0 else { return false }
        let rate = rates.store
        return chance.draw { $0.happens(rate) }
    }

    /// How many requests the source, the PDA and the disk have been asked in this life.
    var asked: (source: Int, pda: Int, writes: Int) { counts.withLock { $0 } }

    /// How many seconds a request takes.
    func latency() -> Int64 {
        let longest = rates.latency
        return longest == 0 ? 0 : Int64(chance.draw { $0.number(0...longest) })
    }

    /// Seconds that somebody asks to wait.
    func wait() -> Int { chance.draw { $0.number(0...90) } }
}
