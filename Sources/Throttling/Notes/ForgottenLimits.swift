internal import LosslessJSON
package import PlugCore

/// What somebody has asked the processes of a host to forget: they remember limits by themselves, so that it has to reach them.
///
/// It lies beside the limits as a note. The last few wishes are in it, as a process looks only now and again.
package struct ForgottenLimits: Sendable, Equatable {
    /// The note's name.
    package static let noteName = "forgotten limits"
    /// So many wishes are kept; who has missed more forgets everything.
    private static let kept = 20
    /// Longer than any process looks away, in microseconds: a day.
    private static let life: Int64 = 86_400_000_000

    private struct Wish: Equatable {
        var serial: Int64
        /// `nil` for all.
        var names: [String]?
    }

    private var wishes: [Wish] = []

    /// The newest wish; 0 without any.
    package var serial: Int64 { wishes.last?.serial ?? 0 }

    /// Reads a note; without one nobody wished for anything.
    package init(_ note: ServerNote?) {
        let value = note.flatMap { try? JSONValue(parsing: $0.bytes) }
        wishes = (value?["wishes"]?.elements ?? []).compactMap { wish in
            wish["serial"]?.number?.int64.map { serial in
                Wish(serial: serial, names: wish["names"]?.elements?.compactMap(\.stringText))
            }
        }
    }

    /// Adds a wish.
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

    /// What is to be forgotten by somebody who has heard of the wishes up to one; `nil` for nothing.
    package func news(since seen: Int64) -> Scope? {
        let new = wishes.filter { $0.serial > seen }
        if new.isEmpty { return nil }
        // There may have been more in between.
        let isWhole = new.count == Self.kept
        let names = new.compactMap(\.names)
        return isWhole || names.count < new.count ? .all : .names(Set(names.joined()))
    }

    /// Which limits are meant.
    package enum Scope: Sendable, Equatable {
        /// Every one.
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
    /// Forgets limits that this process remembers by itself; what the notes say is no business of this.
    package func forget(_ scope: ForgottenLimits.Scope) async {
        await limits.forget(scope)
        transport.forget(scope)
    }
}
