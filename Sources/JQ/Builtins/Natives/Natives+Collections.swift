import LosslessJSON

extension Natives {
    private static func elements(_ value: Value, _ problem: String, _ meter: Meter) throws(JQError) -> [Value] {
        guard let elements = try value.array(meter) else { throw Failure.single(value, problem) }
        return elements
    }

    /// The elements of an array, each with its key.
    private static func elements(_ value: Value, with keys: Value, _ meter: Meter) throws(JQError) -> [Value] {
        if let elements = try value.array(meter) { return elements }
        throw Failure.refused(value, keys, "cannot be sorted, as they are not both arrays")
    }

    private static func list(_ values: [Value]) -> Value { .array(ValueArray(values)) }

    static let collections: [Native] = [
        Native("keys") { (input, _, meter) throws(JQError) in input = try keys(input, sorted: true, meter) },
        Native("keys_unsorted") { (input, _, meter) throws(JQError) in input = try keys(input, sorted: false, meter) },
        Native("has", 1) { (input, arguments, meter) throws(JQError) in
            switch (input.rank, arguments[0].rank) {
            case (0, 3), (0, 4): input = .bool(false)
            case (6, 4):
                guard case .string(let key) = arguments[0] else { return }
                if case .view(let view) = input {
                    input = .bool(try view.has(key, meter))
                } else if case .json(.object(let object)) = input {
                    input = .bool(object[key] != nil)
                } else {
                    input = .bool(try input.object(meter)?[key] != nil)
                }
            case (5, 3):
                let at = arguments[0].asDouble ?? .nan
                let count = try count(input, meter)
                input = .bool(at >= 0 && at < Double(count))
            default:
                throw JQError(
                    "Cannot check whether \(input.typeName) has a \(arguments[0].rank == 4 ? "string" : arguments[0].typeName) key"
                )
            }
        },
        Native("contains", 1) { (input, arguments, meter) throws(JQError) in
            input = .bool(try Containment.contains(input, arguments[0], meter))
        },
        Native("add") { (input, _, meter) throws(JQError) in input = try sum(input, meter) },
        Native("reverse") { (input, _, meter) throws(JQError) in
            switch input.rank {
            case 0: input = list([])
            case 4:
                let text = input.asText ?? ""
                try meter.copy(bytes: 4 * text.utf8.count)
                input = .text(String(String.UnicodeScalarView(text.unicodeScalars.reversed())))
            case 5:
                let elements = try input.array(meter) ?? []
                try meter.copy(elements: elements.count)
                input = list(elements.reversed())
            case 6 where try input.object(meter)?.members.isEmpty == true: input = list([])
            case 6: throw Failure.index(input, .integer(0))
            // As if places were counted down from the length, which numbers have as well.
            case 3 where input.asDouble == 0: input = list([])
            case 3: throw Failure.index(input, .double((input.asDouble ?? 0).magnitude - 1))
            default: throw Failure.single(input, "has no length")
            }
        },
        Native("sort") { (input, _, meter) throws(JQError) in
            let values = try elements(input, "cannot be sorted, as it is not an array", meter)
            input = list(try Order.sorted(values, by: values, meter).map { values[$0] })
        },
        Native("_sort_by", 1) { (input, arguments, meter) throws(JQError) in
            let values = try elements(input, with: arguments[0], meter)
            input = list(try Order.sorted(values, by: try arguments[0].array(meter) ?? [], meter).map { values[$0] })
        },
        Native("_group_by", 1) { (input, arguments, meter) throws(JQError) in
            input = list(
                try groups(try elements(input, with: arguments[0], meter), arguments[0], meter).map { list($0) }
            )
        },
        Native("_unique_by", 1) { (input, arguments, meter) throws(JQError) in
            input = list(
                try groups(try elements(input, with: arguments[0], meter), arguments[0], meter).compactMap(\.first)
            )
        },
        Native("unique") { (input, _, meter) throws(JQError) in
            input = list(
                try groups(try elements(input, "cannot be sorted, as it is not an array", meter), input, meter)
                    .compactMap(\.first)
            )
        },
        Native("min") { (input, _, meter) throws(JQError) in input = try extreme(input, input, -1, meter) },
        Native("max") { (input, _, meter) throws(JQError) in input = try extreme(input, input, 1, meter) },
        Native("_min_by", 1) { (input, arguments, meter) throws(JQError) in
            input = try extreme(input, arguments[0], -1, meter)
        },
        Native("_max_by", 1) { (input, arguments, meter) throws(JQError) in
            input = try extreme(input, arguments[0], 1, meter)
        },
        Native("_flatten", 1) { (input, arguments, meter) throws(JQError) in
            let depth = arguments[0].asDouble ?? 0
            if depth < 0 { throw JQError("flatten depth must not be negative") }
            guard input.rank >= 5 else { throw Failure.notIterable(input) }
            var flat: [Value] = []
            try flatten(input, depth, into: &flat, meter)
            input = list(flat)
        },
        Native("setpath", 2) { (input, arguments, meter) throws(JQError) in
            guard let path = try arguments[0].array(meter) else { throw JQError("Path must be specified as an array") }
            try Paths.checkLength(path[...])
            try Paths.set(&input, path[...], arguments[1], meter)
        },
        Native("delpaths", 1) { (input, arguments, meter) throws(JQError) in
            guard let paths = try arguments[0].array(meter) else {
                throw JQError("Paths must be specified as an array")
            }
            try Paths.delete(&input, paths, meter)
        },
        Native("to_entries") { (input, _, meter) throws(JQError) in
            if let elements = try input.array(meter) {
                try meter.copy(elements: 8 * elements.count)
                input = list(
                    elements.enumerated().map { at, element in
                        .object(ValueObject([.init("key", .count(at)), .init("value", element)]))
                    }
                )
                return
            }
            guard let object = try input.object(meter) else { throw Failure.single(input, "has no keys") }
            try meter.copy(elements: 8 * object.members.count)
            input = list(
                object.members.map { member in
                    .object(
                        ValueObject([
                            ValueObject.Member("key", .string(member.key)), ValueObject.Member("value", member.value),
                        ])
                    )
                }
            )
        },
        Native("implode") { (input, _, meter) throws(JQError) in
            guard let points = try input.array(meter) else { throw JQError("implode input must be an array") }
            try meter.copy(elements: points.count)
            var text = String.UnicodeScalarView()
            for point in points {
                guard let number = point.asDouble, !number.isNaN else {
                    throw Failure.single(point, "can't be imploded, unicode codepoint needs to be numeric")
                }
                // Anything that is not a character becomes the replacement character.
                text.append(
                    Unicode.Scalar(UInt32(max(0xD800 * (number < 0 ? 1 : 0), min(number, 0x110000)))) ?? "\u{FFFD}"
                )
            }
            input = .text(String(text))
        },
        Native("bsearch", 1) { (input, arguments, meter) throws(JQError) in
            let sorted = try elements(input, "cannot be searched from", meter)
            var (start, end) = (0, sorted.count)
            while start < end {
                let middle = start + (end - start) / 2
                let order = Order.compare(arguments[0], sorted[middle], meter)
                try meter.check()
                if order == 0 {
                    input = .count(middle)
                    return
                }
                if order < 0 { end = middle } else { start = middle + 1 }
            }
            input = .count(-1 - start)
        },
        Native("transpose") { (input, _, meter) throws(JQError) in
            var rows: [[Value]] = []
            guard let given = try input.members(meter) else { throw Failure.notIterable(input) }
            for row in given {
                guard let cells = row.isNull ? [] : try row.array(meter) else { throw Failure.index(row, .integer(0)) }
                rows.append(cells)
            }
            let width = rows.reduce(0) { max($0, $1.count) }
            let (cells, overflow) = width.multipliedReportingOverflow(by: rows.count + 1)
            try meter.copy(elements: overflow ? .max : cells)
            input = list(
                (0..<width).map { column in
                    list(rows.map { cells in column < cells.count ? cells[column] : .null })
                }
            )
        },
    ]

    /// The number of elements in an array.
    private static func count(_ value: Value, _ meter: Meter) throws(JQError) -> Int {
        switch value {
        case .array(let array): array.elements.count
        case .json(.array(let elements)): elements.count
        case .view(let view): try view.elementCount(meter) ?? 0
        case .deep(let deep): try count(deep.value, meter)
        default: 0
        }
    }

    private static func keys(_ value: Value, sorted: Bool, _ meter: Meter) throws(JQError) -> Value {
        switch value.rank {
        case 6:
            let object = try value.object(meter) ?? ValueObject()
            try meter.copy(elements: (sorted ? 8 : 1) * object.members.count)
            return list((sorted ? object.sortedKeys : object.members.map(\.key)).map { .string($0) })
        case 5:
            let count = try count(value, meter)
            try meter.copy(elements: count)
            return list((0..<count).map { .count($0) })
        default: throw Failure.single(value, "has no keys")
        }
    }

    private static func sum(_ value: Value, _ meter: Meter) throws(JQError) -> Value {
        guard let parts = try value.members(meter) else { throw Failure.notIterable(value) }
        try meter.step(parts.count)
        // Texts are gathered, so that many are not copied again and again.
        if !parts.isEmpty, parts.allSatisfy({ $0.rank == 4 }) {
            var text = ""
            for part in parts {
                try meter.copy(bytes: part.asText?.utf8.count ?? 0)
                text += part.asText ?? ""
            }
            return .text(text)
        }
        var total = Value.null
        for part in parts { try Arithmetic.add(to: &total, part, meter) }
        return total
    }

    private static func groups(
        _ values: [Value],
        _ keys: Value,
        _ meter: Meter
    ) throws(JQError) -> [[Value]] {
        let keys = try keys.array(meter) ?? []
        var groups: [[Value]] = []
        var last: Value?
        for at in try Order.sorted(values, by: keys, meter) {
            if let last, Order.compare(last, keys[at], meter) == 0 {
                groups[groups.count - 1].append(values[at])
            } else {
                groups.append([values[at]])
            }
            last = keys[at]
        }
        try meter.check()
        return groups
    }

    private static func extreme(_ value: Value, _ keys: Value, _ sign: Int, _ meter: Meter) throws(JQError) -> Value {
        guard let values = try value.array(meter) else {
            throw Failure.refused(value, keys, "cannot be iterated over")
        }
        let keys = try keys.array(meter) ?? []
        guard var best = values.indices.first else { return .null }
        for at in values.indices.dropFirst() where at < keys.count {
            // Of equal elements `min` gives the first and `max` the last, as in jq.
            let order = Order.compare(keys[at], keys[best], meter) * sign
            if order > 0 || order == 0 && sign > 0 { best = at }
        }
        try meter.check()
        return values[best]
    }

    private static func flatten(
        _ value: Value,
        _ depth: Double,
        into flat: inout [Value],
        _ meter: Meter
    ) throws(JQError) {
        var level = (elements: try value.members(meter) ?? [], next: 0)
        var outer: [(elements: [Value], next: Int)] = []
        while true {
            guard level.next < level.elements.count else {
                guard let last = outer.popLast() else { return }
                level = last
                continue
            }
            let element = level.elements[level.next]
            level.next += 1
            try meter.step()
            if element.rank == 5, depth > Double(outer.count) {
                let inner = try element.array(meter) ?? []
                outer.append(level)
                level = (inner, 0)
            } else {
                try meter.take(MemoryLayout<Value>.stride)
                flat.append(element)
            }
        }
    }
}
