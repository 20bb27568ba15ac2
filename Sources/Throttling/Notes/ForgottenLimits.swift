internal import LosslessJSON
package import PlugCore

/// What the processes of a host are asked to forget: each keeps limits in memory, so the request has to reach them.
///
/// It is kept as a note beside the limits, with the last few requests, as a process only looks now and then.
package struct ForgottenLimits: Sendable, Equatable {
    /// The note's name.
    package static let noteName = "forgotten limits"
    /// How many requests are kept; a process that has missed more forgets everything.
    private static let kept = 20
    /// Longer than any process goes without looking, in microseconds: a day.
    private static let life: Int64 = 86_400_000_000

    private struct Wish: Equatable {
        var serial: Int64
        /// `nil` for all.
        var names: [String]?
    }

    private var wishes: [Wish] = []

    /// The latest request; 0 if there is none.
    package var serial: Int64 { wishes.last?.serial ?? 0 }

    /// Reads a note; without one there are no requests.
    package init(_ note: ServerNote?) {
        let value = note.flatMap { try? JSONValue(parsing: $0.bytes) }
        wishes = (value?["wishes"]?.elements ?? []).compactMap { wish in
            wish["serial"]?.number?.int64.map { serial in
                Wish(serial: serial, names: wish["names"]?.elements?.compactMap(\.stringText))
            }
        }
    }

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - names: The limits; `nil` for all.
    ///   - now: Microseconds since 1970.
    package mutating func add(_ names: [String]?, at now: Int64) {
        wishes.append(Wish(serial: max(serial + 1, now), names: names))
        wishes = wishes.suffix(Self.kept)
    }

    /// The note to keep.
    package func note(at now: Int64) -> ServerNote {
        let list = wishes.map { wish in
            JSONValue.members(
                ("serial", .integer(Int(wish.serial))),
                ("names", wish.names.map { .array($0.map { .text($0) }) } ?? .null)
            )
        }
        let bytes = Array(JSONValue.members(("wishes", .array(list))).compactText.utf8)
        return ServerNote(name: Self.noteName, bytes: bytes, expiresAt: now + Self.life)
    }

    /// What to forget for a process that has seen the requests up to `seen`; `nil` for nothing.
    package func news(since seen: Int64) -> Scope? {
        let new = wishes.filter { $0.serial > seen }
        if new.isEmpty { return nil }
        // There may have been more in between.
        let isWhole = new.count == Self.kept
        let names = new.compactMap(\.names)
        return isWhole || names.count < new.count ? .all : .names(Set(names.joined()))
    }

    /// Which limits to forget.
    package enum Scope: Sendable, Equatable {
        /// All.
        case all
        /// These.
        case names(Set<String>)

        func contains(_ name: String) -> Bool {
            switch self {
            case .all: true
            case .names(let names): names.contains(name)
            }
        }
    }
}

extension RequestThrottling {
    /// Forgets limits that this process keeps in memory; the notes are left alone.
    package func forget(_ scope: ForgottenLimits.Scope) async {
        await limits.forget(scope)
        transport.forget(scope)
    }
}
