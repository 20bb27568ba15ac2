/// What may need a person: what of, and of which plug.
package struct NoticeCause: Sendable, Hashable {
    /// What it is.
    package enum Kind: String, Sendable, CaseIterable {
        /// Connections whose person has to connect again.
        case reconnect
        /// Records that were refused for good.
        case deadLetters = "dead-letters"
        /// A plug whose runs fail for everybody.
        case plugFailing = "plug-failing"
        /// A disk that is nearly full.
        case disk
    }

    /// What it is.
    package var kind: Kind
    /// The plug; empty where it concerns the host as a whole.
    package var plug: String

    /// A cause.
    package init(_ kind: Kind, plug: String = "") { (self.kind, self.plug) = (kind, plug) }
}

/// What is known of a cause.
package struct CauseState: Sendable, Equatable {
    /// The cause.
    package var cause: NoticeCause
    /// How much of it has come since somebody was told.
    package var news: Int
    /// When somebody was told, in microseconds since 1970; `nil` for never.
    package var toldAt: Int64?

    /// What is known.
    package init(_ cause: NoticeCause, news: Int, toldAt: Int64?) {
        (self.cause, self.news, self.toldAt) = (cause, news, toldAt)
    }

    /// Whether somebody was told within a time. Of a time that has not come the clock was wrong: it silences nothing.
    package func wasTold(since time: Int64, now: Int64) -> Bool {
        toldAt.map { $0 > time && $0 <= now } ?? false
    }
}

/// A notice that is to be sent, to each target once.
package struct NewNotice: Sendable, Equatable {
    /// Its own name, the same at each try, by which a target knows a notice that comes twice.
    package var id: String
    /// When it was made, in microseconds since 1970.
    package var at: Int64
    /// What it says, in a form that only its maker reads. It names no connection, as it outlives those.
    package var content: String
    /// What it tells of, and how much of each is news.
    package var causes: [NoticeCause: Int]
    /// Where it goes.
    package var targets: [String]

    /// A notice.
    package init(id: String, at: Int64, content: String, causes: [NoticeCause: Int], targets: [String]) {
        (self.id, self.at, self.content, self.causes, self.targets) = (id, at, content, causes, targets)
    }
}

/// A notice that waits for its target.
package struct WaitingNotice: Sendable, Equatable {
    /// Its number, and until when it is claimed: only the last claim's end counts.
    package var number: Int64
    /// When the claim ends.
    package var until: Int64
    /// The notice's own name.
    package var id: String
    /// Where it goes.
    package var target: String
    /// When it was made.
    package var at: Int64
    /// How often it was tried in vain.
    package var tries: Int
    /// What it says.
    package var content: String

    /// A notice that waits.
    package init(
        number: Int64,
        until: Int64,
        id: String,
        target: String,
        at: Int64,
        tries: Int,
        content: String
    ) {
        (self.number, self.until, self.id, self.target) = (number, until, id, target)
        (self.at, self.tries, self.content) = (at, tries, content)
    }
}

/// What became of a try to send a notice.
package enum NoticeEnd: Sendable, Equatable {
    /// It has come, or will never.
    case gone
    /// It is tried again at this time. Why it failed is kept for whoever asks.
    case again(Int64, failure: String)
}

/// What waits for one target.
package struct NoticeQueue: Sendable, Equatable {
    /// The target.
    package var target: String
    /// How many notices.
    package var count: Int
    /// When the oldest of them was made.
    package var since: Int64
    /// Why one failed last; `nil` where none was tried yet.
    package var failure: String?

    /// What waits.
    package init(target: String, count: Int, since: Int64, failure: String?) {
        (self.target, self.count, self.since, self.failure) = (target, count, since, failure)
    }
}

/// How much is kept of notices that cannot be sent.
package enum NoticeLimit {
    /// Notices for one target; beyond, the oldest go.
    package static let queue = 100
    /// Characters of a failure.
    package static let failure = 500
}

/// How the last runs of a plug's connections have ended.
package struct PlugHealth: Sendable, Equatable {
    /// How many connections were looked at that have run.
    package var connections: Int
    /// How many of them failed in their last run.
    package var failed: Int

    /// How they have ended.
    package init(connections: Int, failed: Int) { (self.connections, self.failed) = (connections, failed) }
}
