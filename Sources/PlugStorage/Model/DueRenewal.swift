package import PlugCore

/// A grant that somebody is to renew although no run needs it, for a time: whoever has let that time pass has lost it.
package struct DueRenewal: Sendable, Equatable {
    /// Which grant.
    package var grant: GrantID
    /// The plug of its connection.
    package var plug: String
    /// How often it was tried in vain since it was due.
    package var tries: Int
    /// When others may try, in microseconds since 1970.
    package var until: Int64

    /// A renewal.
    package init(grant: GrantID, plug: String, tries: Int, until: Int64) {
        self.grant = grant
        self.plug = plug
        self.tries = tries
        self.until = until
    }
}

/// How a renewal that was due has ended.
package enum RenewalEnd: Sendable, Equatable {
    /// Well, or nothing is to be done. When it is due next stands with the grant that was kept; otherwise it is not.
    case done
    /// Not yet: it is tried again at a time, unless somebody has renewed the grant meanwhile: then it is due later.
    case again(Int64)
    /// The service calls the grant of this version dead: an active connection waits for its person.
    case reconnect(version: Int64, at: Int64)
}
