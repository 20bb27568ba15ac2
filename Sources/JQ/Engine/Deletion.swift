import LosslessJSON

extension Paths {
    /// Deletes what stands at several paths, all of them places in the value as it was.
    ///
    /// The recursion goes no deeper than the value is nested.
    static func delete(_ target: inout Value, _ paths: [Value], _ meter: Meter) throws(JQError) {
        var lists: [[Value]] = []
        for at in try Order.sorted(paths, by: paths, meter) {
            guard let path = try paths[at].array(meter) else { throw JQError("Path must be specified as an array") }
            try checkLength(path[...])
            lists.append(path)
        }
        // The shortest path comes first: the whole value goes.
        if let first = lists.first, first.isEmpty {
            target = .null
            return
        }
        try delete(&target, lists[...], level: 0, meter)
    }

    /// Paths that are the same up to a level, and longer than it.
    private static func delete(
        _ target: inout Value,
        _ paths: ArraySlice<[Value]>,
        level: Int,
        _ meter: Meter
    ) throws(JQError) {
        var keys: [Value] = []
        var at = paths.startIndex
        while at < paths.endIndex {
            let key = paths[at][level]
            var end = at + 1
            while end < paths.endIndex, Order.compare(key, paths[end][level], meter) == 0 { end += 1 }
            try meter.check()
            if paths[at].count == level + 1 {
                // All of it goes, whatever is said of its parts.
                keys.append(key)
            } else if try !get(target, [key], meter).isNull {
                var child = try take(&target, [key], meter)
                try delete(&child, paths[at..<end], level: level + 1, meter)
                try set(&target, [key], child, meter)
            }
            at = end
        }
        try delete(&target, keys: keys, meter)
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
