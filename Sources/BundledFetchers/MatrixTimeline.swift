import LosslessJSON
import PlugModules

/// The events of all rooms that a person has joined, in the Matrix client-server API v1.11.
///
/// The first pass records the server's position, and reads each room backwards from there. Later ones ask `sync` for everything
/// since; if that omits the beginning of a room's part (`limited`), the gap is read backwards too, down to the last pass. The
/// tokens for this are in two different responses, and a gap is known only once its newer end was read.
struct MatrixTimeline: StreamFetcher {
    static let name = "MatrixTimeline"
    private static let client = "/_matrix/client/v3"
    /// How many events one request asks for.
    private static let size = 100

    private let context: FetchContext
    /// The joined rooms, in order, once they are known.
    private var rooms: [String]?

    init(_ context: FetchContext) { self.context = context }

    mutating func page(after cursor: JSONValue?) async throws -> StreamPage {
        var place: MatrixPlace
        if let saved = MatrixPlace(cursor) { place = saved } else { place = try await beginning() }
        if place.isHistory { return try await historyPage(from: &place) }
        if let gap = place.gaps.first { return try await gapPage(gap, &place) }
        return try await syncPage(&place)
    }

    // MARK: - The first pass

    /// The server's current position: the next pass finds anything later.
    private func beginning() async throws -> MatrixPlace {
        let filter = #"{"presence":{"limit":0},"account_data":{"limit":0},"room":{"timeline":{"limit":1}}}"#
        let request = FetchRequest("\(Self.client)/sync", query: ["timeout": "0", "filter": filter])
        let answer = try await context.send(request).json()
        return MatrixPlace(since: try token("next_batch", of: answer), isHistory: true)
    }

    private mutating func historyPage(from place: inout MatrixPlace) async throws -> StreamPage {
        let rooms = try await joinedRooms()
        // A room that was left meanwhile is skipped.
        guard let room = rooms.first(where: { $0 >= place.room }) else {
            return StreamPage([], cursor: MatrixPlace(since: place.since).json, isLast: true)
        }
        let from = room == place.room ? place.from ?? place.since : place.since
        let (events, end) = try await messages(in: room, from: from, to: nil)
        if let end {
            (place.room, place.from) = (room, end)
        } else if let next = rooms.first(where: { $0 > room }) {
            (place.room, place.from) = (next, nil)
        } else {
            return StreamPage(events, cursor: MatrixPlace(since: place.since).json, isLast: true)
        }
        return StreamPage(events, cursor: place.json, isLast: false)
    }

    private mutating func joinedRooms() async throws -> [String] {
        if let rooms { return rooms }
        let answer = try await context.send(FetchRequest("\(Self.client)/joined_rooms")).json()
        guard let list = answer["joined_rooms"]?.elements else {
            throw FetchError(.data, "the answer to joined_rooms has no 'joined_rooms'")
        }
        let rooms = list.compactMap(\.stringText).sorted()
        self.rooms = rooms
        return rooms
    }

    // MARK: - What has come since

    private func syncPage(_ place: inout MatrixPlace) async throws -> StreamPage {
        let filter =
            #"{"presence":{"limit":0},"account_data":{"limit":0},"room":{"include_leave":true,"ephemeral":{"limit":0},"#
            + #""timeline":{"limit":\#(Self.size)}}}"#
        let request = FetchRequest(
            "\(Self.client)/sync",
            query: ["timeout": "0", "filter": filter, "since": place.since],
            accepts: [400]
        )
        let response = try await context.send(request)
        let answer = try response.json()
        if response.status == 400 {
            let code = answer["errcode"]?.stringText ?? ""
            throw FetchError(
                ["M_UNKNOWN", "M_INVALID_PARAM", "M_UNKNOWN_POS"].contains(code) ? .cursorRefused : .data,
                "the server does not accept the token of the last pass (\(code))"
            )
        }
        var events: [JSONValue] = []
        var gaps: [MatrixPlace.Gap] = []
        for kind in ["join", "leave"] {
            for (key, room) in answer["rooms"]?[kind]?.object?.members ?? [] {
                let timeline = room["timeline"]
                events += (timeline?["events"]?.elements ?? []).map { Self.event($0, in: key.text) }
                if timeline?["limited"]?.bool == true, let from = timeline?["prev_batch"]?.stringText {
                    gaps.append(MatrixPlace.Gap(room: key.text, from: from, to: place.since))
                }
            }
        }
        place = MatrixPlace(since: try token("next_batch", of: answer), gaps: gaps)
        return StreamPage(events, cursor: place.json, isLast: gaps.isEmpty)
    }

    private func gapPage(_ gap: MatrixPlace.Gap, _ place: inout MatrixPlace) async throws -> StreamPage {
        let (events, end) = try await messages(in: gap.room, from: gap.from, to: gap.to)
        if let end { place.gaps[0].from = end } else { place.gaps.removeFirst() }
        return StreamPage(events, cursor: place.json, isLast: place.gaps.isEmpty)
    }

    // MARK: - Both

    /// A room's events, newest first, and the token for older ones; `nil` if there are none.
    private func messages(in room: String, from: String, to: String?) async throws -> ([JSONValue], String?) {
        var request = FetchRequest(
            "\(Self.client)/rooms/\(Self.encoded(room))/messages",
            query: ["dir": "b", "limit": "\(Self.size)", "from": from],
            accepts: [403]
        )
        if let to { request.query.append((name: "to", value: to)) }
        let response = try await context.send(request)
        let answer = try response.json()
        if response.status == 403 {
            // The person may have been removed from it. Their other rooms can be read.
            guard answer["errcode"]?.stringText == "M_FORBIDDEN" else {
                throw FetchError(.authorisation, "the server does not let this account read a room")
            }
            context.warn("a room can no longer be read, and was left out")
            return ([], nil)
        }
        let events = (answer["chunk"]?.elements ?? []).map { Self.event($0, in: room) }
        let end = answer["end"]?.stringText
        return (events, events.isEmpty || end == from ? nil : end)
    }

    /// An event with its room, which a timeline omits.
    private static func event(_ event: JSONValue, in room: String) -> JSONValue {
        guard var object = event.object else { return event }
        object["room_id"] = .text(room)
        return .object(object)
    }

    private func token(_ name: String, of answer: JSONValue) throws(FetchError) -> String {
        if let token = answer[name]?.stringText { return token }
        throw FetchError(.data, "an answer to sync has no '\(name)'")
    }

    /// A room's id as one path segment: it has `!` and `:`.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
