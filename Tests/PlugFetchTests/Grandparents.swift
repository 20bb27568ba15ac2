import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization

/// Rooms with threads with notes, all of which come and change; a change counts for all that is above it.
final class Grandparents: Sendable {
    struct Thing: Hashable {
        var id: Int
        var parent: Int
        var at: Int
    }

    struct Content {
        /// Rooms, threads, notes.
        var levels: [[Thing]] = [[], [], []]
        var now = 0
        /// What requests for something below these ids fail with.
        var failing: [Int: Int] = [:]

        mutating func add(_ level: Int, _ id: Int, in parent: Int = 0) {
            levels[level].append(Thing(id: id, parent: parent, at: 0))
            touch(level, id)
        }

        /// Changes a thing, and with it those above.
        mutating func touch(_ level: Int, _ id: Int) {
            now += 10
            var id = id
            for above in stride(from: level, through: 0, by: -1) {
                guard let at = levels[above].firstIndex(where: { $0.id == id }) else { return }
                levels[above][at].at = now
                id = levels[above][at].parent
            }
        }

        /// Removes a thing and all below it.
        mutating func remove(_ level: Int, _ id: Int) {
            levels[level].removeAll { $0.id == id }
            guard level + 1 < levels.count else { return }
            for below in levels[level + 1].filter({ $0.parent == id }) { remove(level + 1, below.id) }
        }
    }

    let content: Mutex<Content>

    /// - Parameter threads: The threads by room; each has two notes, `thread * 10 + 1` and `+ 2`.
    init(_ threads: [Int: [Int]] = [:]) {
        var content = Content()
        for (room, threads) in threads.sorted(by: { $0.key < $1.key }) {
            content.add(0, room)
            for thread in threads {
                content.add(1, thread, in: room)
                content.add(2, thread * 10 + 1, in: thread)
                content.add(2, thread * 10 + 2, in: thread)
            }
        }
        self.content = Mutex(content)
    }

    func change(_ body: (inout Content) -> Void) { content.withLock { body(&$0) } }

    /// Answers `/rooms`, `/rooms/ID/threads` and `/threads/ID/notes`, with `after` and `skip`, two a page.
    var script: Script {
        Script { request, _ in
            self.content.withLock { content in
                let parts = request.path.split(separator: "/")
                let (level, parent) = parts.count == 1 ? (0, 0) : (parts[0] == "rooms" ? 1 : 2, Int(parts[1]) ?? 0)
                if let status = content.failing[parent] { return .status(status) }
                if level > 0, !content.levels[level - 1].contains(where: { $0.id == parent }) { return .status(404) }
                let after = Int(request.parameter("after") ?? "0") ?? 0
                let skip = Int(request.parameter("skip") ?? "0") ?? 0
                let list = content.levels[level].filter { $0.parent == parent && $0.at >= after }
                    .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
                let page = list.dropFirst(skip).prefix(2).map { #"{"id":\#($0.id),"at":\#($0.at)}"# }
                return .json("[\(page.joined(separator: ","))]")
            }
        }
    }

    /// A manifest in which notes are read for changed threads.
    ///
    /// - Parameters:
    ///   - rooms: What else is said of the rooms.
    ///   - threads: The `for_each` of the threads.
    ///   - notes: What else is said of the notes.
    static func yaml(
        rooms: String = "since: {field: .at, type: integer, send: {query: {after: value}}}",
        threads: String = "{in: rooms, as: room, only: changed}",
        only: String = "only: changed",
        notes: String = ""
    ) -> String {
        """
        http: {base: "https://api.test"}
        defaults: {page: {offset: {param: skip, size: 2}}, key: .id}
        streams:
          rooms:
            request: {path: /rooms}
            \(rooms)
          threads:
            for_each: \(threads)
            request: {path: "/rooms/{{ room.id? // room }}/threads"}
            since: {field: .at, type: integer, send: {query: {after: value}}}
          things:
            endpoint: d
            version: .at
            for_each: {in: threads, as: thread, \(only)}
            request: {path: "/threads/{{ thread.id }}/notes"}
            map: '{id, at, of: thread.id}'
            \(notes)

        """
    }
}
