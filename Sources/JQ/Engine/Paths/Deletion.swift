import LosslessJSON

extension Paths {
    /// Deletes the values at several paths, all of them places in the original value.
    static func delete(_ target: inout Value, _ paths: [Value], _ meter: Meter) throws(JQError) {
        var lists: [[Value]] = []
        for at in try Order.sorted(paths, by: paths, meter) {
            guard let path = try paths[at].array(meter) else { throw JQError("Path must be specified as an array") }
            try checkLength(path[...])
            lists.append(path)
        }
        // The shortest path comes first: the whole value is deleted.
        if let first = lists.first, first.isEmpty {
            target = .null
            return
        }
        try delete(&target, lists, meter)
    }

    /// A container that loses some of its members, and parts of others.
    private struct Level {
        var target: Value
        /// Paths that are the same up to here, and longer than that.
        let paths: Range<Int>
        var next: Int
        /// The members to delete.
        var keys: [Value] = []

        init(_ target: Value, _ paths: Range<Int>) {
            self.target = target
            self.paths = paths
            next = paths.lowerBound
        }
    }

    /// No recursion: a path may be as long as its program wants.
    private static func delete(_ target: inout Value, _ paths: [[Value]], _ meter: Meter) throws(JQError) {
        var level = Level(target, paths.indices)
        target = .null
        var outer: [(level: Level, key: Value)] = []
        while true {
            guard level.next < level.paths.upperBound else {
                var whole = level.target
                level.target = .null
                try delete(&whole, keys: level.keys, meter)
                guard let last = outer.popLast() else {
                    target = whole
                    return
                }
                level = last.level
                try set(&level.target, [last.key], whole, meter)
                continue
            }
            let (at, depth) = (level.next, outer.count)
            let key = paths[at][depth]
            var end = at + 1
            while end < level.paths.upperBound, Order.compare(key, paths[end][depth], meter) == 0 { end += 1 }
            try meter.check()
            level.next = end
            if paths[at].count == depth + 1 {
                // All of it is deleted, whatever applies to its parts.
                level.keys.append(key)
            } else if try !get(level.target, [key], meter).isNull {
                let child = try take(&level.target, [key], meter)
                outer.append((level, key))
                level = Level(child, at..<end)
            }
        }
    }

    private static func delete(_ target: inout Value, keys: [Value], _ meter: Meter) throws(JQError) {
        if keys.isEmpty || target.isNull { return }
        try target.open(meter)
        switch target {
        case .array(var array):
            target = .null
            let count = array.elements.count
            try meter.copy(elements: count)
            var isRemoved = [Bool](repeating: false, count: count)
            for key in keys {
                switch key.rank {
                case 3:
                    guard let at = position(key) else { continue }
                    let place = at < 0 ? at + count : at
                    if isRemoved.indices.contains(place) { isRemoved[place] = true }
                case 6:
                    let range = try Slices.bounds(key, count, meter)
                    try meter.step(range.count / 4)
                    for place in range { isRemoved[place] = true }
                default: throw refused(key, .array(array))
                }
            }
            array.remove { isRemoved[$0] }
            target = .array(array)
        case .object(var object):
            target = .null
            try meter.copy(elements: 3 * object.members.count)
            var names: Set<JSONString> = []
            for key in keys {
                guard case .string(let name) = key else { throw refused(key, .object(object)) }
                names.insert(name)
            }
            object.remove(names)
            target = .object(object)
        default: throw refused(keys[0], target)
        }
    }

    private static func refused(_ key: Value, _ target: Value) -> JQError {
        switch target.rank {
        case 5: JQError("Cannot delete \(key.typeName) element of array")
        case 6: JQError("Cannot delete \(key.typeName) field of object")
        default: JQError("Cannot delete fields from \(target.typeName)")
        }
    }
}
