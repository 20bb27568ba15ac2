/// A matter that may need a person's attention, and the plug concerned.
package struct NoticeCause: Sendable, Hashable {
    /// The kind of matter.
    package enum Kind: String, Sendable, CaseIterable {
        /// Connections whose person has to connect again.
        case reconnect
        /// Records that were refused for good.
        case deadLetters = "dead-letters"
        /// Connections whose runs have moved nothing for a day, or twenty times.
        case stuck
        /// A plug whose runs fail for everyone.
        case plugFailing = "plug-failing"
        /// A nearly full disk.
        case disk
    }

    /// The kind of matter.
    package var kind: Kind
    /// The plug; empty if it concerns the host as a whole.
    package var plug: String

    /// Creates a cause.
    package init(_ kind: Kind, plug: String = "") { (self.kind, self.plug) = (kind, plug) }
}

/// The state of a cause.
package struct CauseState: Sendable, Equatable {
    /// The cause.
    package var cause: NoticeCause
    /// How much has accumulated since the last notice about it.
    package var news: Int
    /// When a notice about it was last made, in microseconds since 1970; `nil` for never.
    package var toldAt: Int64?

    /// Creates a state.
    package init(_ cause: NoticeCause, news: Int, toldAt: Int64?) {
        (self.cause, self.news, self.toldAt) = (cause, news, toldAt)
    }

    /// Whether a notice was made since a given time. A time in the future comes from a wrong clock: it silences nothing.
    package func wasTold(since time: Int64, now: Int64) -> Bool {
        toldAt.map { $0 > time && $0 <= now } ?? false
    }
}

/// A notice to be sent once to each target.
package struct NewNotice: Sendable, Equatable {
    /// Its own name, the same on each attempt, by which a target recognises a repeated notice.
    package var id: String
    /// When it was created, in microseconds since 1970.
    package var at: Int64
    /// Its content, in a form that only its creator reads. It names no connection, as it outlives them.
    package var content: String
    /// The causes it covers, and how much of each is new.
    package var causes: [NoticeCause: Int]
    /// Its targets.
    package var targets: [String]

    /// Creates a notice.
    package init(id: String, at: Int64, content: String, causes: [NoticeCause: Int], targets: [String]) {
        (self.id, self.at, self.content, self.causes, self.targets) = (id, at, content, causes, targets)
    }
}

/// A notice waiting for its target.
package struct WaitingNotice: Sendable, Equatable {
    /// Its number, and until when it is claimed: only the last claim's end counts.
    package var number: Int64
    /// When the claim ends.
    package var until: Int64
    /// The notice's own name.
    package var id: String
    /// Its target.
    package var target: String
    /// When it was created.
    package var at: Int64
    /// The number of failed attempts.
    package var tries: Int
    /// Its content.
    package var content: String

    /// Creates a notice that waits.
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

/// The outcome of an attempt to send a notice.
package enum NoticeEnd: Sendable, Equatable {
    /// It has arrived, or never will.
    case gone
    /// It is retried at this time. The reason for the failure is kept for display.
    case again(Int64, failure: String)
}

/// The notices that wait for one target.
package struct NoticeQueue: Sendable, Equatable {
    /// The target.
    package var target: String
    /// The number of notices.
    package var count: Int
    /// When the oldest of them was created.
    package var since: Int64
    /// Why an attempt last failed; `nil` if none was made yet.
    package var failure: String?

    /// Creates a queue.
    package init(target: String, count: Int, since: Int64, failure: String?) {
        (self.target, self.count, self.since, self.failure) = (target, count, since, failure)
    }
}

/// Limits on undeliverable notices.
package enum NoticeLimit {
    /// The maximum notices for one target; beyond it the oldest are dropped.
    package static let queue = 100
    /// The maximum characters of a failure.
    package static let failure = 500
}

/// How the last runs of a plug's connections ended.
package struct PlugHealth: Sendable, Equatable {
    /// The number of connections examined that have run.
    package var connections: Int
    /// How many of them failed in their last run.
    package var failed: Int

    /// Creates the counts.
    package init(connections: Int, failed: Int) { (self.connections, self.failed) = (connections, failed) }
}
