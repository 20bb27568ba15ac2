import Testing

/// The transaction after proof, and what stands around it.
extension CrashPoints {
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
}
