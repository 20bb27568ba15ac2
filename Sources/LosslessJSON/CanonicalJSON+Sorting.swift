internal import Glibc

extension CanonicalJSON {
    /// What has to be known of an object before it is written.
    struct Layout {
        var count = 0
        /// Whether all keys are strictly ascending, so that the members can be written as they come.
        var isSorted = true
        /// Whether no key has an escape: each then is its own canonical form.
        var isPlain = true
    }

    /// A member's place among the others: the first eight bytes of its key and the key's node, none for an inserted one.
    private struct Place {
        var prefix: UInt64
        var node: Int?
    }

    static func layout(_ cursor: JSONCursor, _ node: Int) -> Layout {
        var layout = Layout()
        var previous: UnsafeBufferPointer<UInt8>?
        var at = cursor.first(in: node)
        while let key = at {
            let raw = cursor.rawString(key)
            layout.count += 1
            if let base = raw.baseAddress, memchr(base, 0x5C, raw.count) != nil { layout.isPlain = false }
            if let previous, layout.isSorted { layout.isSorted = isAscending(previous, raw) }
            previous = raw
            at = cursor.next(after: cursor.value(ofKey: key))
        }
        return layout
    }

    /// Appends an object whose keys have no escapes, with one more member, whose key none of them is.
    mutating func appendPlain(
        _ cursor: JSONCursor,
        _ node: Int,
        _ layout: Layout,
        inserting extra: (key: [UInt8], text: [UInt8])? = nil
    ) {
        (extra?.key ?? []).withUnsafeBufferPointer { extraKey in
            withUnsafeTemporaryAllocation(of: Place.self, capacity: layout.count + 1) { places in
                var count = 0
                func add(_ key: UnsafeBufferPointer<UInt8>, _ node: Int?) {
                    places.initializeElement(at: count, to: Place(prefix: Self.prefix(key), node: node))
                    count += 1
                }
                func key(_ place: Place) -> UnsafeBufferPointer<UInt8> { place.node.map(cursor.rawString) ?? extraKey }
                var at = cursor.first(in: node)
                while let current = at {
                    add(cursor.rawString(current), current)
                    at = cursor.next(after: cursor.value(ofKey: current))
                }
                if extra != nil { add(extraKey, nil) }
                Self.sort(UnsafeMutableBufferPointer(rebasing: places[..<count]), key)
                append(UInt8(ascii: "{"))
                var isFirst = true
                for at in 0..<count {
                    // Of equal keys the last written one counts, which the sort has left behind the others.
                    if at + 1 < count, Self.areEqual(places[at], places[at + 1], key) { continue }
                    if !isFirst { append(UInt8(ascii: ",")) }
                    isFirst = false
                    if let node = places[at].node {
                        bytes.append(contentsOf: cursor.slice(node))
                        append(UInt8(ascii: ":"))
                        append(cursor, cursor.value(ofKey: node))
                    } else if let extra {
                        append(utf8: extra.key)
                        append(UInt8(ascii: ":"))
                        append(utf8: extra.text)
                    }
                }
                append(UInt8(ascii: "}"))
            }
        }
    }

    /// Sorts by keys; equal ones keep their order.
    @inline(__always)
    private static func sort(
        _ places: UnsafeMutableBufferPointer<Place>,
        _ key: (Place) -> UnsafeBufferPointer<UInt8>
    ) {
        func precedes(_ left: Place, _ right: Place) -> Bool {
            left.prefix != right.prefix ? left.prefix < right.prefix : isAscending(key(left), key(right))
        }
        // A few are sorted fastest by insertion.
        guard places.count <= 24 else {
            var places = places
            return places.sort {
                precedes($0, $1) || (areEqual($0, $1, key) && ($0.node ?? .max) < ($1.node ?? .max))
            }
        }
        for next in places.indices.dropFirst() {
            let own = places[next]
            var at = next
            while at > 0, precedes(own, places[at - 1]) {
                places[at] = places[at - 1]
                at -= 1
            }
            places[at] = own
        }
    }

    @inline(__always)
    private static func areEqual(
        _ left: Place,
        _ right: Place,
        _ key: (Place) -> UnsafeBufferPointer<UInt8>
    ) -> Bool {
        left.prefix == right.prefix && key(left).elementsEqual(key(right))
    }

    /// The first eight bytes, zeros behind a shorter key, as a number in the keys' order.
    @inline(__always)
    private static func prefix(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        for at in 0..<min(8, key.count) { prefix |= UInt64(key[at]) << (56 - 8 * UInt64(at)) }
        return prefix
    }

    static func isAscending(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let common = min(left.count, right.count)
        guard common > 0, let a = left.baseAddress, let b = right.baseAddress else { return left.count < right.count }
        let order = memcmp(a, b, common)
        return order < 0 || (order == 0 && left.count < right.count)
    }
}
