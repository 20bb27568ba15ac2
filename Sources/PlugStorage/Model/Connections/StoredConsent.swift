package import PlugCore

/// A pending request to a person: for a consent, a code on a device, or a login at their PDA.
///
/// It is found by the hash of an unguessable text, and can be answered only by the browser in which it began.
package struct StoredConsent: Sendable, Equatable {
    /// The maximum for one browser; beyond it the oldest is dropped.
    package static let limitOfSession = 8
    /// The maximum for a host.
    package static let limit = 20_000
    /// How long ended or answered consents are remembered, so that a late answer can be told from a foreign one: an hour.
    package static let memory: Int64 = 3_600_000_000

    /// A hash of its state that does not reveal it.
    package var name: [UInt8]
    /// A hash of the browser's session.
    package var session: [UInt8]
    /// The connection it is for, with which it is erased; `nil` for a login before there is one.
    package var connection: ConnectionID?
    /// When it expires, in microseconds since 1970.
    package var endsAt: Int64
    /// When the service is next asked whether the person has decided; `nil` if the browser brings the answer.
    package var pollAt: Int64?
    /// What is needed to process its answer, in the requester's own format. Contains secrets, so it is stored encrypted.
    package var content: Secret
    /// Increases with each change.
    package var version: Int64

    /// Creates a new consent.
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

/// What an answer meets.
package enum ConsentTaking: Sendable, Equatable {
    /// The consent, which no other answer can take now.
    case taken(StoredConsent)
    /// It was answered already.
    case used
    /// It has expired.
    case late
    /// There is none with this name, or it began in another browser: that one is left alone.
    case foreign
}
