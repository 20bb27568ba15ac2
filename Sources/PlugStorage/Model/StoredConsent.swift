package import PlugCore

/// Something that a person was asked for and has not answered yet: a consent, a code on a device, a login at their PDA.
///
/// It is found by the hash of a text that nobody can guess, and answered only by the browser that it was begun in.
package struct StoredConsent: Sendable, Equatable {
    /// The most that one browser has; its oldest goes.
    package static let limitOfSession = 8
    /// The most that a host has.
    package static let limit = 20_000
    /// For how long what has ended or was answered is remembered, so that a late answer is told from a foreign one: an hour.
    package static let memory: Int64 = 3_600_000_000

    /// A hash of its state, and nothing that gives the state away.
    package var name: [UInt8]
    /// A hash of the browser's session.
    package var session: [UInt8]
    /// The connection that it is for, with which it is erased; `nil` for a login that comes before it.
    package var connection: ConnectionID?
    /// When it is too late for an answer, in microseconds since 1970.
    package var endsAt: Int64
    /// When the service is asked next whether the person has decided; `nil` where the browser brings the answer.
    package var pollAt: Int64?
    /// What its answer is read with, in the form of whoever asks. Secrets are in it: it is stored encrypted.
    package var content: Secret
    /// Grows with each change.
    package var version: Int64

    /// A consent that begins.
    package init(
        name: [UInt8],
        session: [UInt8],
        connection: ConnectionID?,
        endsAt: Int64,
        pollAt: Int64? = nil,
        content: Secret,
        version: Int64 = 1
    ) {
        self.name = name
        self.session = session
        self.connection = connection
        self.endsAt = endsAt
        self.pollAt = pollAt
        self.content = content
        self.version = version
    }
}

/// What an answer finds.
package enum ConsentTaking: Sendable, Equatable {
    /// The consent, which is nobody else's any more.
    case taken(StoredConsent)
    /// It was answered before.
    case used
    /// Its time is over.
    case late
    /// There is none of this name, or it was begun in another browser: that one is left alone.
    case foreign
}
