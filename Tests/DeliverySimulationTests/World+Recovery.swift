import PlugCore
import PlugRuntime
import TestKit

// When faults are over.
extension World {
    /// For how many seconds a source asks to be left alone at most. That is longer than a run waits, and a few windows only: each of
    /// them is a request for each parent.
    static let longestWait: Int64 = 7200

    /// How many runs it takes until it is certain that the PDA refuses a record for the record's own fault.
    private static let runsForARefusal = 3

    /// How many refused records everything has to wait for at most.
    private func refusedAhead() async throws -> Int {
        let store = try await disk.open(clock)
        let refused = try await auditor.refusedAhead(in: store)
        await disk.close()
        return refused
    }

    /// How many lives everything takes at most: one that hears for how long it has to wait, one that ends what others have begun,
    /// and one that finds all done. Each refused record takes as many more as its refusal, for a newer version of it waits for that.
    private static func livesNeeded(refused: Int) -> Int { 3 + runsForARefusal * refused }

    /// Lets time pass after a life: as long as a source may have asked for. It may have named a moment while the host's clock was
    /// behind; no run waits for more than a day.
    private func rest(after life: Life) {
        let isLimited = life.reports.contains { $0.error?.code == "rate-limited" }
        clock.pass(Self.longestWait + (isLimited ? min(86_400, longestJump) : 0))
    }

    /// I5 and I3: without faults and without anybody's help, everything is done after a few lives; then nothing is
    /// missing, and a run of what has not changed posts nothing.
    ///
    /// - Parameter listens: Whether the last run is made, which has nothing to say.
    func settle(listens: Bool = true) async throws {
        let everybody = LifePlan(people: Array(people.indices))
        // The pass that was interrupted, and a whole one that sees everything as it is now.
        for pass in ["interrupted", "whole"] {
            // What changed in this very second belongs to the next one where a bound is exclusive.
            clock.pass(2)
            let lives = Self.livesNeeded(refused: try await refusedAhead())
            var life = try await live(everybody)
            for _ in 1..<lives where life.reports.contains(where: { $0.outcome != .done }) {
                rest(after: life)
                life = try await live(everybody)
            }
            if life.reports.contains(where: { $0.outcome != .done }) {
                return auditor.note("I5: the \(pass) pass is not done after \(lives) lives: \(Self.summary(life))")
            }
        }
        try await auditor.auditEnd(in: try await disk.open(clock))
        await disk.close()
        guard listens else { return }
        let requests = servers.pdaRequests
        let silent = try await live(everybody)
        if servers.pdaRequests != requests || silent.reports.contains(where: { $0.outcome != .done }) {
            auditor.note("a run of what has not changed is not silent: \(Self.summary(silent))")
        }
    }

    /// I5 while somebody still fails at single records or parents: after a few lives all others are done, and the run says
    /// what is not.
    ///
    /// - Parameter lives: How many; `nil` for as many as it takes.
    func settleTheOthers(within lives: Int? = nil) async throws {
        let everybody = LifePlan(people: Array(people.indices))
        clock.pass(Self.longestWait)
        let refused = try await refusedAhead()
        // One that ends what others have begun, and one that sees everything as it is now. A run that hears a refusal for the first
        // or the second time moves nothing either.
        let patience = refused > 0 ? Self.runsForARefusal : 2
        var life = try await live(everybody)
        var quiet = 0
        for _ in 1..<(lives ?? Self.livesNeeded(refused: refused)) {
            quiet = life.reports.allSatisfy(Self.isQuiet) ? quiet + 1 : 0
            if lives == nil, quiet == patience { break }
            rest(after: life)
            life = try await live(everybody)
        }
        for _ in 0..<patience where try lives == nil && addBesideDoubt(life) {
            clock.pass(2)
            life = try await live(everybody)
        }
        for report in life.reports where report.exit != .done {
            if !Self.troubles.contains(report.error?.code.text ?? "") {
                auditor.note("one record's or one parent's trouble ends a run with \(Self.summary(report))")
            }
        }
        try await auditor.auditEnd(in: try await disk.open(clock))
        await disk.close()
    }

    /// Gives everybody something new whose PDA answered nothing that was sent. Of many batches that wait a run then tries few, by
    /// chance; once the PDA takes something else, it tries them all.
    ///
    /// - Returns: Whether anything is new.
    private func addBesideDoubt(_ life: Life) throws -> Bool {
        let people = life.reports.indices.filter { Self.doubts.contains(life.reports[$0].error?.code.text ?? "") }
        let stream = scenario.streams.firstIndex { $0.isDelivered && !$0.isChild && $0.tombstonesOf == nil }
        guard !people.isEmpty, let stream else { return false }
        try change { source, now in
            for person in people { source.accounts[person].add(to: stream, at: now) }
        }
        return true
    }

    /// Whether a run has moved nothing, and has met nothing but what is meant.
    private static func isQuiet(_ report: RunReport) -> Bool {
        if report.outcome == .done { return true }
        return report.runsWithoutProgress > 0 && report.errors.allSatisfy { troubles.contains($0.code.text) }
    }

    /// What runs end with where the PDA seems to be out of order: perhaps nothing else was there to be sent and to show that it
    /// takes something.
    private static let doubts = ["pda-failing", "pda-no-answer", "pda-answer", "pda-forbidden", "pda-unanswered"]
    /// What runs end with where one record or parent fails.
    private static let troubles = doubts + ["children-failed"]
}
