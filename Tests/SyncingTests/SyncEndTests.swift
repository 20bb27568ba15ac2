import PlugCore
import PlugDeliver
import PlugFetch
import PlugRuntime
import PlugStorage
import Syncing
import TestKit
import Testing

/// A run that was due at second 900, began at 1,000 and ended at 1,010; its schedule says 4,600 next.
struct SyncEndTests {
    private func end(_ error: PlugError?, runsWithoutProgress: Int = 1) -> ClaimEnd {
        var report = RunReport(plug: "p", connection: "ada", pda: "https://ada.example")
        report.error = error
        if error != nil { report.outcome = .failed }
        report.runsWithoutProgress = runsWithoutProgress
        let claim = DueClaim(connection: ConnectionID("ada"), plug: "p", dueAt: at(900), ranAt: nil, epoch: 1)
        return SyncEnd(claim: claim, startedAt: at(1_000), next: at(4_600)).after(
            report,
            clock: MovableClock(seconds: 1_010)
        )
    }

    private func at(_ seconds: Int64) -> Int64 { seconds * 1_000_000 }

    private func active(_ due: Int64, ranAt: Int64? = nil, since: Int64? = nil) -> ClaimEnd {
        ClaimEnd(status: .active, dueAt: at(due), ranAt: ranAt.map(at), waitsSince: since.map(at), at: at(1_010))
    }

    @Test func aGoodRunWaitsForItsSchedule() { #expect(end(nil) == active(4_600, ranAt: 1_000)) }

    @Test func aMistakeInThePlugOrItsDataWaitsForTheSchedule() {
        for code in [PlugError.Code.manifestBad, .dataBad] {
            #expect(end(PlugError(code, "x")) == active(4_600, ranAt: 1_000))
        }
    }

    /// A minute with jitter (here the middle of 45 to 60 s is 0.75 of it), then twice as long each time, never beyond the schedule.
    @Test(arguments: [(1, 45), (2, 90), (3, 180), (4, 360), (10, 3_590), (60, 3_590)] as [(Int, Int64)])
    func whatCannotBeReachedIsTriedAgainLaterEachTime(_ runs: Int, _ wait: Int64) {
        #expect(end(PlugError(.away, "x"), runsWithoutProgress: runs) == active(1_010 + wait))
    }

    @Test func whoSaysWhenIsBelieved() {
        #expect(end(PlugError(.away, "x").retrying(at: at(1_500))) == active(1_500, since: 900))
        // Those who were told nearly the same are due together, so that who waits longest goes first.
        #expect(end(PlugError(.away, "x").retrying(at: at(1_500) - 999_999)) == active(1_500, since: 900))
        #expect(end(PlugError(.away, "x").retrying(at: at(9_000))) == active(9_000, since: 900))
        #expect(end(PlugError(.away, "x").retrying(at: .max)) == active(1_010 + 31 * 86_400, since: 900))
        #expect(end(PlugError(.away, "x").retrying(at: at(1_011))) == active(1_055, since: 900))
    }

    /// What the plug's limit keeps from reading stays in line, and is not begun again before that limit lets it out.
    @Test func whomThePlugsLimitRefusesKeepsTheTurn() {
        var error = PlugError(.away, "x").retrying(at: at(2_000))
        error.concernsPlug = true
        #expect(end(error) == active(900, since: 900))
        var report = RunReport(plug: "p", connection: "ada", pda: "https://ada.example")
        (report.error, report.outcome) = (error, .partial)
        #expect(SyncEnd.sharedEnd(of: report) == at(2_000))
        // One that has read something goes to the end of the line.
        var counts = StreamCounts()
        counts.delivered = 1
        report.streams = [("s", counts)]
        let claim = DueClaim(connection: ConnectionID("ada"), plug: "p", dueAt: at(900), ranAt: nil, epoch: 1)
        let end = SyncEnd(claim: claim, startedAt: at(1_000), next: at(4_600))
            .after(report, clock: MovableClock(seconds: 1_010))
        #expect(end == active(1_010, since: 1_010))
        // Another error besides is the connection's own.
        report.errors = [error, PlugError(.away, "y")]
        #expect(SyncEnd.sharedEnd(of: report) == nil)
    }

    @Test func aRunThatMadeRoomGoesOnBehindThoseWhoHaveWaited() {
        #expect(end(PlugError(.runYielded, "x")) == active(1_010, since: 1_010))
    }

    @Test func whatNeedsThePersonWaitsForThem() {
        #expect(end(PlugError(.refused, "x")) == ClaimEnd(status: .reconnect, dueAt: nil, at: at(1_010)))
        #expect(end(PlugError(.pdaForbidden, "x")) == ClaimEnd(status: .disabled, dueAt: nil, at: at(1_010)))
    }

    @Test func theGravestErrorCounts() {
        func end(_ errors: [PlugError], pages: Int = 0) -> ClaimEnd {
            var report = RunReport(plug: "p", connection: "ada", pda: "https://ada.example")
            (report.error, report.errors, report.outcome) = (errors.first, errors, .failed)
            var counts = StreamCounts()
            counts.pages = pages
            report.streams = [("items", counts)]
            report.runsWithoutProgress = 1
            let claim = DueClaim(connection: ConnectionID("ada"), plug: "p", dueAt: at(900), ranAt: nil, epoch: 1)
            return SyncEnd(claim: claim, startedAt: at(1_000), next: at(4_600))
                .after(report, clock: MovableClock(seconds: 1_010))
        }
        let (data, away, refused) = (PlugError(.dataBad, "x"), PlugError(.away, "x"), PlugError(.refused, "x"))
        #expect(end([data, away]) == active(1_055))
        #expect(end([data, away, refused]).status == .reconnect)
        // What the source refuses to give of one stream says nothing of the others.
        let stream = PlugError(.sourceUnauthorised, "x")
        #expect(end([stream], pages: 3) == active(4_600, ranAt: 1_000))
        #expect(end([stream]).status == .reconnect)
        #expect(end([away.retrying(at: at(2_000)), away.retrying(at: at(3_000))]) == active(2_000, since: 900))
        #expect(end([away.retrying(at: at(2_000)), away]) == active(1_055))
    }

    @Test func anInterruptedRunIsDueAtOnce() { #expect(end(.interrupted) == active(900)) }
}

extension PlugError.Code {
    fileprivate static let manifestBad = Self("test-manifest", exit: .configuration, "c", "f")
    fileprivate static let dataBad = Self("test-data", exit: .data, "c", "f")
    fileprivate static let away = Self("test-away", exit: .unreachable, "c", "f")
    fileprivate static let refused = Self("test-refused", exit: .authorisation, "c", "f")
}
