import PlugRuntime
import PlugStorage
import Testing

/// The points at which a delivery may break, each as a story of its own. `SimulationTests` comes by all of them as well,
/// before and after every effect; here each has its name and what is expected in between.
///
/// Where each of the 34 points of Documentation/delivery.md is tested, or why it cannot be reached yet:
///
/// - 1, 2, 21, 23 (leases; two workers, one batch): one process at a time has a connection's lease, which dies with it:
///   `StoreLockTests`. What remains of 21 is `point21`; of 23, a dead worker's request that lands late, is `point22`.
/// - 3, 4, 5 (refresh tokens of the source): `GrantCrashTests` in PlugFetchTests dies before and after each effect of a
///   renewal, and so do the small worlds with tokens. The PDA's own newer token is `point4`.
/// - 6, 7 (a page): `point6`, `point7`.
/// - 8 (a record that kills the normaliser): a record that `map` cannot take is a dead letter, "records that a map or the
///   PDA refuses" in `SimulationTests`. A process that dies of one is not isolated yet.
/// - 9, 11 (queueing): `point9`, `point11`.
/// - 10 (an unknown commit): `point17`.
/// - 12 to 16 (a request's way): `point12` to `point16`.
/// - 17, 18, 20 (the transaction after proof): `point17`, `point18`, `point20`.
/// - 19 (half of the single posts): `point19`.
/// - 22, 24, 25 (a worker that wakes up late, clocks, full disks): `point22`, `point24`, `point25`.
/// - 26 (power cut): what a commit promises is `WriteQueueTests.aCommitIsOnTheDiskWhenItReturns`; a disk that forgets what
///   was not synchronised needs a file system of its own and is not simulated.
/// - 27, 28 (old backups): `point27`, `point28`.
/// - 29 (the host's key): `HostKeyTests.dataWithoutItsKeyIsRefusedAndNothingIsOverwritten`.
/// - 30 (migrations): one transaction each; a newer schema is refused: `StateFolderTests.aNewerSchemaIsRefused`.
/// - 31 (webhooks): a call only lets a run start earlier: `WebhookTests` in SyncingTests.
/// - 32 (subprocesses): `ProgramKillTests` and `FaultyProgramTests` in EndToEndTests.
/// - 33 (SIGTERM): `RunTests.anInterruptedRunSaysSoAndTheNextContinues` in EndToEndTests.
/// - 34 (a connection that is erased while it runs): the lease keeps the command that erases out while a run goes on;
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
            let requests = next.trace.filter { $0.hasPrefix("GET") || $0.hasPrefix("POST") }
            #expect(requests.first?.hasPrefix("POST") == true)
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
}
