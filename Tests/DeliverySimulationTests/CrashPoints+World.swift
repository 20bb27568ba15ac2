import Foundation
import PlugCore
import PlugRuntime
import TestKit
import Testing

/// Late requests, clocks, disks and backups.
extension CrashPoints {
    /// 22: a dead worker's request arrives while its successor works, at each of the successor's effects.
    @Test func point22ADeadWorkersRequestLandsLate() async throws {
        try await Story.tell {
            for landing in 1...12 {
                let story = try Story()
                try await story.dies(.later, "POST")
                #expect(story.stored == 0)
                try await story.world.live(LifePlan(people: [0], landing: landing))
                #expect(story.stored == 4)
                try await story.endsWell()
            }
        }
    }

    /// 24: the clock is a day wrong from some effect on.
    @Test(arguments: [-86_400, 86_400] as [Int64])
    func point24TheClockJumpsADay(_ seconds: Int64) async throws {
        try await Story.tell {
            for (_, scenario) in Scenario.small where scenario.streams[0].since != .none {
                for effect in Thoroughness.some(1...12, oneOf: 2) {
                    let world = try scenario.world(seed: 1)
                    try scenario.change(world, round: 0)
                    let rates = FaultRates(atSource: [2: .limitedForSeconds], atPDA: [1: .busy])
                    try await world.live(LifePlan(rates: rates, people: [0], clockJump: (effect, seconds)))
                    try scenario.change(world, round: 1)
                    try await world.settle()
                    try world.check()
                }
            }
        }
    }

    /// 25: the disk is full at each write: the run says so and keeps what it had.
    @Test func point25TheDiskIsFull() async throws {
        try await Story.tell {
            for write in 1...4 {
                let story = try Story()
                let life = try await story.meets(FaultRates(failingWrite: write))
                #expect(life.reports.first?.error?.code == "store-failed")
                #expect(life.reports.first?.exit == .tryLater)
                try await story.endsWell()
            }
        }
    }

    // MARK: Backups

    /// 27: the state folder comes back from an old backup: what the PDA has is proved again, and nothing is doubled.
    @Test func point27TheStateIsRestoredFromABackup() async throws {
        try await Story.tell {
            let disk = SQLiteDisk()
            defer { disk.remove() }
            let story = try Story(disk: disk)
            let backup = disk.folder + "-backup"
            defer { try? FileManager.default.removeItem(atPath: backup) }
            try await story.dies(.after, "commit ada/things")
            try FileManager.default.copyItem(atPath: disk.folder, toPath: backup)
            try await story.endsWell()
            #expect(story.stored == 4)
            disk.remove()
            try FileManager.default.moveItem(atPath: backup, toPath: disk.folder)
            #expect(try await story.lives() == "ada done")
            #expect(story.stored == 4)
            try await story.endsWell()
        }
    }

    /// 28: the PDA comes back from an old backup, and the ledger says that all is there: `--resend` sends it again.
    @Test func point28ThePDAIsRestoredFromABackup() async throws {
        try await Story.tell {
            let story = try Story()
            try await story.dies(.after, "commit ada/things")
            let backup = story.world.servers.pda(0)
            try await story.endsWell()
            story.world.servers.restore(backup, of: 0)
            #expect(try await story.lives() == "ada done")
            #expect(story.stored == 2)
            story.world.auditor.pardon()
            try await story.world.live(LifePlan(people: [0], resends: true))
            #expect(story.stored == 4)
            try await story.endsWell()
        }
    }

    /// 4, as far as it exists: the PDA gives a newer token, and the process dies before or after it is kept.
    @Test(arguments: [Crash.Moment.before, .after])
    func point4DeathWhereANewerTokenIsKept(_ moment: Crash.Moment) async throws {
        try await Story.tell {
            let story = try Story()
            let rates = FaultRates(atPDA: [1: .newToken])
            let trace = try await Story().meets(rates).trace
            let effect = try #require(trace.firstIndex { $0.hasPrefix("keep token") }) + 1
            let life = try await story.world.live(
                LifePlan(crash: Crash(effect: effect, moment: moment), rates: rates, people: [0])
            )
            #expect(life.hasDied)
            try await story.endsWell()
        }
    }
}
