package import PlugCore

/// A claim, for a limited time, to renew a grant although no run needs it; once that time has passed, the claim is lost.
package struct DueRenewal: Sendable, Equatable {
    /// The grant.
    package var grant: GrantID
    /// The plug of its connection.
    package var plug: String
    /// The number of failed attempts since it became due.
    package var tries: Int
    /// When others may try, in microseconds since 1970.
    package var until: Int64

    /// Creates a renewal.
    package init(grant: GrantID, plug: String, tries: Int, until: Int64) {
        self.grant = grant
        self.plug = plug
        self.tries = tries
        self.until = until
    }
}

/// How a due renewal ended.
package enum RenewalEnd: Sendable, Equatable {
    /// It succeeded, or there is nothing to do. The kept grant says when it is due next; without one, it is not due.
    case done
    /// Not yet: it is retried at this time, unless the grant has been renewed in the meantime, which makes it due later.
    case again(Int64)
    /// The service calls the grant of this version dead: an active connection waits for its person.
    case reconnect(version: Int64, at: Int64)
}
