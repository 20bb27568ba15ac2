import Foundation
import PlugCore
import PlugRuntime
import PlugStore
import Testing

/// The points at which a delivery may break, each as a story of its own. `SimulationTests` comes by all of them as well,
/// before and after every effect; here each has its name and what is expected in between.
///
/// Where each of the 34 points is tested, or why it cannot be reached yet:
///
/// - 1, 2, 21, 23 (leases; two workers, one batch): one process at a time writes to a state folder, and its lock dies with
///   it: `StoreLockTests`. What remains of 21 is `point21`; of 23, a dead worker's request that lands late, is `point22`.
/// - 3, 4, 5 (refresh tokens of the source): there is no OAuth yet. The PDA's own newer token is `point4`.
/// - 6, 7 (a page): `point6`, `point7`.
/// - 8 (a record that kills the normaliser): a record that `map` cannot take is a dead letter, "records that a map or the
///   PDA refuses" in `SimulationTests`. A process that dies of one is not isolated yet.
/// - 9, 11 (queueing): `point9`, `point11`.
/// - 10 (an unknown commit of PostgreSQL): there is no PostgreSQL yet. A commit that nobody heard of is `point17`.
/// - 12 to 16 (a request's way): `point12` to `point16`.
/// - 17, 18, 20 (the transaction after proof): `point17`, `point18`, `point20`.
/// - 19 (half of the single posts): `point19`.
/// - 22, 24, 25 (a worker that wakes up late, clocks, full disks): `point22`, `point24`, `point25`.
/// - 26 (power cut): what a commit promises is `WriteQueueTests.aCommitIsOnTheDiskWhenItReturns`; a disk that forgets what
///   was not synchronised needs a file system of its own and is not simulated.
/// - 27, 28 (old backups): `point27`, `point28`.
/// - 29 (the host's key): `HostKeyTests.dataWithoutItsKeyIsRefusedAndNothingIsOverwritten`.
/// - 30 (migrations): one transaction each; a newer schema is refused: `StateFolderTests.aNewerSchemaIsRefused`.
/// - 31 (webhooks), 32 (subprocesses): there are none yet.
/// - 33 (SIGTERM): `RunTests.anInterruptedRunSaysSoAndTheNextContinues` in EndToEndTests.
/// - 34 (a connection that is erased while it runs): the lock keeps the command that erases out while a run goes on;
///   erasing itself is in `PlugStoreContract`.
struct CrashPoints {
    // MARK: Reading

    /// 6: the page ends in its middle. It is never taken for a whole one.
    @Test(arguments: [SourceFault.truncated, .halfPage])
    func point6APageEndsInItsMiddle(_ fault: SourceFault) async throws {
        try await Story.tell {
            let story = try Story()
            try await story.meets(FaultRates(atSource: [2: fault]))
            #expect([2, 4].contains(story.stored))
            try await story.endsWell()
        }
    }

    /// 7: the page is here, and nothing else has happened.
    @Test func point7DeathBetweenFetchingAndNormalising() async throws {
        try await Story.tell {
            let story = try Story()
            try await story.dies(.after, "GET")
            #expect(story.stored == 0)
            try await story.endsWell()
        }
    }

    // MARK: Queueing

    /// 9: death inside the transaction that queues: it is as if the page had not been read.
    @Test func point9DeathBeforeAPageIsQueued() async throws {
        try await Story.tell {
            var story = try Story()
            story.plan.queues = true
            try await story.dies(.before, "commit ada/things")
            #expect(try await story.kept() == [0, 0])
            #expect(story.stored == 0)
            try await story.endsWell()
        }
    }

    /// 11: queued and not sent: the next run sends it before it reads anything.
    @Test func point11DeathBetweenQueueingAndSending() async throws {
        try await Story.tell {
            var story = try Story()
            story.plan.queues = true
            try await story.dies(.before, "POST")
            #expect(try await story.kept() == [1, 0])
            let next = try await story.world.live(LifePlan(people: [0]))
            #expect(next.trace[2].hasPrefix("POST"))
            try await story.endsWell()
        }
    }

    // MARK: A request's way

    /// 12, 13: the request breaks off, or the PDA fails before it stores: the same bytes again, stored once.
    @Test(arguments: [PDAFault.resetBefore, .failing, .tooSlow, .unreachable])
    func point12And13ARequestThatStoresNothing(_ fault: PDAFault) async throws {
        try await Story.tell {
            let story = try Story()
            let life = try await story.meets(FaultRates(atPDA: [1: fault]))
            #expect(World.summary(life) == "ada done ")
            #expect(story.stored == 4)
            #expect(story.requests == 3)
            try await story.endsWell()
        }
    }

    /// 14: stored, and the answer is lost. The strict request again is refused as a duplicate, and single posts prove
    /// each record.
    @Test(arguments: [PDAFault.resetAfter, .timedOutAfter, .failingAfter, .truncatedEcho, .halfEcho, .emptyEcho])
    func point14AStoredBatchWhoseAnswerIsLost(_ fault: PDAFault) async throws {
        try await Story.tell {
            let story = try Story()
            let life = try await story.meets(FaultRates(atPDA: [1: fault]))
            #expect(World.summary(life) == "ada done ")
            #expect(story.stored == 4)
            #expect(life.reports.first?.streams.first?.counts.delivered == 4)
            try await story.endsWell()
        }
    }

    /// 14: stored, and the process dies before it reads the answer.
    @Test func point14DeathAfterTheRequest() async throws {
        try await Story.tell {
            let story = try Story()
            try await story.dies(.after, "POST")
            #expect(story.stored == 2)
            try await story.endsWell()
            #expect(story.stored == 4)
        }
    }

    /// 15: a request that skips errors stores a part, and the PDA fails.
    @Test func point15APartIsStoredAndThePDAFails() async throws {
        try await Story.tell {
            let story = try Story(things: 5, refused: 2, paging: .cursor)
            let life = try await story.meets(FaultRates(atPDA: [2: .halfStored]))
            #expect(life.trace.contains { $0.hasSuffix("skipErrors=true") })
            #expect(story.stored == 4)
            try await story.endsWell()
        }
    }

    /// 16: proved, and not written down: read again, sent again, and proved to be there.
    @Test(arguments: [false, true])
    func point16DeathBetweenProofAndCommit(_ queues: Bool) async throws {
        try await Story.tell {
            var story = try Story()
            story.plan.queues = queues
            try await story.dies(.before, queues ? "settle ada/things" : "commit ada/things")
            #expect(story.stored == 2)
            try await story.endsWell()
            #expect(story.stored == 4)
        }
    }

    // MARK: The transaction after proof

    /// 17: the commit is there, or it is not; both are right.
    @Test(arguments: [Crash.Moment.before, .after])
    func point17DeathInTheCommit(_ moment: Crash.Moment) async throws {
        try await Story.tell {
            let story = try Story()
            try await story.dies(moment, "commit ada/things")
            let requests = story.requests
            #expect(try await story.lives() == "ada done")
            // Known by the commit, the first page is not sent again.
            #expect(moment == .before || story.requests == requests + 1)
            #expect(story.stored == 4)
            try await story.endsWell()
        }
    }

    /// 18: what was sent is out of the outbox in the same transaction that proves it.
    @Test func point18DeathAfterABatchWasSettled() async throws {
        try await Story.tell {
            var story = try Story()
            story.plan.queues = true
            try await story.dies(.after, "settle ada/things")
            #expect(try await story.kept() == [0, 0])
            let requests = story.requests
            #expect(try await story.lives() == "ada done")
            #expect(story.requests == requests + 1)
            try await story.endsWell()
        }
    }

    /// 19: some of the single posts are done.
    @Test(arguments: 1...4)
    func point19DeathBetweenSinglePosts(_ number: Int) async throws {
        try await Story.tell {
            let story = try Story(things: 5, refused: 2)
            try await story.dies(.after, "POST", number)
            try await story.endsWell()
            #expect(try await story.kept() == [0, 1])
            #expect(story.stored == 4)
        }
    }

    /// 20: a batch's dead letter and the batch: never neither, never both.
    @Test(arguments: [Crash.Moment.before, .after], 1...3)
    func point20DeathWhereABatchLeavesADeadLetter(_ moment: Crash.Moment, _ number: Int) async throws {
        try await Story.tell {
            var story = try Story(things: 5, refused: 2)
            story.plan.queues = true
            try await story.dies(moment, "settle ada/things", number)
            try await story.endsWell()
            #expect(try await story.kept() == [0, 1])
            #expect(story.stored == 4)
        }
    }

    /// 21: everything is done but the note that it is.
    @Test func point21DeathBeforeTheRunsEndIsWritten() async throws {
        try await Story.tell {
            let story = try Story()
            try await story.dies(.before, "end run")
            let requests = story.requests
            #expect(try await story.lives() == "ada done")
            #expect(story.requests == requests)
            try await story.endsWell()
        }
    }

    // MARK: The world around

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
                for effect in 1...12 {
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
