package import PlugCore

/// What holds back requests beyond one run, for display: something a source asked for, or a host in trouble.
package struct RememberedLimit: Sendable, Equatable {
    static let asked = "the source asked to wait"

    /// What it concerns.
    package enum Kind: String, Sendable {
        /// The rates of a plug at its hosts, and the waits they asked for.
        case source
        /// What a source told one connection.
        case connection
        /// A host that fails too often, or did recently.
        case circuit
    }

    /// The note's name, by which it can be forgotten.
    package var name: String
    /// What it concerns.
    package var kind: Kind
    /// Nothing is sent before this, in microseconds since 1970; `nil` if only a rate holds requests back now.
    package var until: Int64?
    /// Why; empty if there is nothing to say.
    package var reason: String

    init(name: String, kind: Kind, until: Int64?, reason: String) {
        (self.name, self.kind, self.until, self.reason) = (name, kind, until, reason)
    }

    /// Reads a note; `nil` if it is not one of ours, or is of another version.
    package init?(_ note: ServerNote, clock: any HostClock) {
        name = note.name
        reason = ""
        let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
        if note.name.hasPrefix("host ") {
            kind = .circuit
            guard let circuit = Circuit(note.bytes, mark: mark, now: now) else { return nil }
            until = circuit.openUntil.map { mark.wall(of: $0) }
            reason = circuit.reason
        } else if note.name.hasPrefix("limits ") || note.name.hasPrefix("connection ") {
            kind = note.name.hasPrefix("limits ") ? .source : .connection
            guard let book = RateBook(note.bytes, mark: mark, now: now) else { return nil }
            until = book.closing.flatMap { $0.until > now ? mark.wall(of: $0.until) : nil }
            if until != nil { reason = Self.asked }
        } else {
            return nil
        }
    }
}
