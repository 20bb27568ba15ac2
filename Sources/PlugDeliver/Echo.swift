internal import LosslessJSON
internal import PlugCore

/// The records of a request that an answer echoes: those are stored.
enum Echo {
    /// Every record, in order.
    case all
    /// Some records: one flag for each record that was sent, and whether the answer contains anything else.
    case some([Bool], hasStrangers: Bool)
    /// Not a list of records.
    case unreadable

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - answer: The body, which is discarded afterwards.
    ///   - block: The block that holds the records.
    ///   - sent: The indexes of the records sent, in order.
    ///   - isStrict: Whether the PDA stores all records or none. A complete count then proves records without an identity.
    init(_ answer: JSONBuffer, of block: RecordBlock, sent: ArraySlice<Int>, isStrict: Bool) {
        // A record may be as deep as the reader allows, and is nested in the answer's list and envelope.
        let limits = JSONLimits(depth: 128 + 8, bytes: .max)
        guard let document = try? JSONDocument(answer, limits: limits) else {
            self = .unreadable
            return
        }
        let reader = EchoReader()
        self = document.withCursor { cursor in
            if reader.isInOrder(cursor, block, sent, countProves: isStrict) { return .all }
            return reader.subset(cursor, block, sent)
        }
    }
}

/// Finds records in an echo by their `_id`, or by value if they have none, or share it with another record of the request.
private struct EchoReader {
    private enum Key: Hashable {
        case identity([UInt8])
        case value(JSONValue)
    }

    /// Whether the answer holds as many records as were sent, with the same identities in the same order. Avoids allocation, as
    /// nearly every answer takes this path.
    func isInOrder(
        _ cursor: JSONCursor,
        _ block: RecordBlock,
        _ sent: ArraySlice<Int>,
        countProves: Bool
    ) -> Bool {
        guard cursor.kind(0) == .array else { return false }
        return block.identities.withUnsafeBufferPointer { identities in
            var element = cursor.first(in: 0)
            for index in sent {
                guard let current = element, let data = data(cursor, current) else { return false }
                let identity = block.entries[index].identity
                if identity.isEmpty {
                    guard countProves else { return false }
                } else {
                    guard let id = self.identity(cursor, data),
                        cursor.isEqual(id, UnsafeBufferPointer(rebasing: identities[identity]))
                    else { return false }
                }
                element = cursor.next(after: current)
            }
            return element == nil
        }
    }

    /// Which records are echoed; each echo counts for one record.
    func subset(_ cursor: JSONCursor, _ block: RecordBlock, _ sent: ArraySlice<Int>) -> Echo {
        let elements: [Int]
        switch cursor.kind(0) {
        case .array: elements = self.elements(cursor)
        // In older documents a single record is answered with an object.
        case .object where sent.count == 1: elements = [0]
        default: return .unreadable
        }
        var identities: Set<ArraySlice<UInt8>> = []
        let ambiguous = Set(
            sent.map { block.identities[block.entries[$0].identity] }.filter { !identities.insert($0).inserted }
        )
        let comparesValues = !ambiguous.isEmpty || identities.contains([])
        var echoed: [Key: Int] = [:]
        for element in elements {
            guard let data = data(cursor, element) else { continue }
            echoed[key(cursor, data, byIdentity: true), default: 0] += 1
            // A record without our identity may still have a member with that name.
            if comparesValues, identity(cursor, data) != nil {
                echoed[key(cursor, data, byIdentity: false), default: 0] += 1
            }
        }
        var found: [Bool] = []
        found.reserveCapacity(sent.count)
        for index in sent {
            let byIdentity = !ambiguous.contains(block.identities[block.entries[index].identity])
            guard let key = key(of: index, in: block, byIdentity: byIdentity), let count = echoed[key], count > 0 else {
                found.append(false)
                continue
            }
            echoed[key] = count - 1
            found.append(true)
        }
        if found.allSatisfy({ $0 }) { return .all }
        return .some(found, hasStrangers: found.count { $0 } < elements.count)
    }

    private func elements(_ cursor: JSONCursor) -> [Int] {
        var elements: [Int] = []
        var element = cursor.first(in: 0)
        while let current = element {
            elements.append(current)
            element = cursor.next(after: current)
        }
        return elements
    }

    private func key(_ cursor: JSONCursor, _ data: Int, byIdentity: Bool) -> Key {
        if byIdentity, let id = identity(cursor, data) {
            var text: [UInt8] = []
            cursor.appendText(id, to: &text)
            return .identity(text)
        }
        // Numbers are compared by value and members in any order, as the PDA's database may write both differently.
        let value = try? JSONValue(parsing: Array(cursor.slice(data)), limits: JSONLimits(depth: 136))
        return .value(value ?? .null)
    }

    private func key(of index: Int, in block: RecordBlock, byIdentity: Bool) -> Key? {
        let entry = block.entries[index]
        if byIdentity, !entry.identity.isEmpty { return .identity(Array(block.identities[entry.identity])) }
        let record = Array(block.bytes[entry.range])
        return (try? JSONValue(parsing: record, limits: JSONLimits(depth: 136))).map(Key.value)
    }

    private func data(_ cursor: JSONCursor, _ element: Int) -> Int? {
        cursor.kind(element) == .object ? member(cursor, element, "data") : nil
    }

    private func identity(_ cursor: JSONCursor, _ data: Int) -> Int? {
        guard cursor.kind(data) == .object, let id = member(cursor, data, "_id"), cursor.kind(id) == .string
        else { return nil }
        return id
    }

    @inline(__always)
    private func member(_ cursor: JSONCursor, _ object: Int, _ key: StaticString) -> Int? {
        cursor.member(object, UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    }
}
