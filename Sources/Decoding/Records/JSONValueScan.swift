internal import CJSONScan
internal import LosslessJSON

/// Finds the end of a JSON value that arrives in pieces: it counts brackets and respects quotes, and accepts much that is not
/// JSON.
struct JSONValueScan {
    private enum Kind {
        /// A number or a word, which ends only at what follows.
        case scalar
        case text
        /// An array or an object.
        case container
    }

    private var kind: Kind?
    private var scan = plughost_scan(depth: 0, in_text: false, escaped: false)
    private(set) var isDone = false

    var hasBegun: Bool { kind != nil }
    /// Whether it is a number or a word, which ends only at what follows.
    var isScalar: Bool { kind == .scalar }

    /// Takes what comes next, from an index on.
    ///
    /// - Parameter line: Increased by the number of lines that end on the way.
    /// - Returns: The index after the value's end, or after all bytes.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ line: inout Int) -> Int {
        guard let base = bytes.baseAddress, start < bytes.count else { return start }
        var at = start
        if kind == nil {
            switch bytes[at] {
            case 0x22: kind = .text
            case 0x5B, 0x7B:
                kind = .container
                scan.depth = 1
            default: kind = .scalar
            }
            at += 1
        }
        switch kind {
        case .container:
            var lines = 0
            // It reads the contents of `bytes`, and keeps none of it.
            at = plughost_scan_json(base.assumingMemoryBound(to: UInt8.self), at, bytes.count, &scan, &lines)
            line += lines
            isDone = scan.depth == 0
            return at
        case .text: return text(bytes, at, &line)
        case .scalar, nil: return scalar(bytes, at)
        }
    }

    private mutating func text(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ line: inout Int) -> Int {
        var at = start
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == 0x0A { line += 1 }
            if scan.escaped {
                scan.escaped = false
            } else if byte == 0x5C {
                scan.escaped = true
            } else if byte == 0x22 {
                isDone = true
                return at
            }
        }
        return at
    }

    private mutating func scalar(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var at = start
        while at < bytes.count {
            switch bytes[at] {
            case 0x2C, 0x5D, 0x7D, 0x20, 0x09, 0x0A, 0x0D, 0x3B:
                isDone = true
                return at
            default: at += 1
            }
        }
        return at
    }
}

/// Keys of members as they are written in a file, with their quotes.
enum JSONKey {
    /// Whether a quoted key is this name, however it is escaped.
    static func isSame(_ quoted: [UInt8], as name: [UInt8]) -> Bool {
        guard quoted.count >= 2 else { return false }
        if !quoted.contains(UInt8(ascii: "\\")) { return quoted.dropFirst().dropLast().elementsEqual(name) }
        guard let value = try? JSONValue(parsing: quoted), let text = value.stringText else { return false }
        return Array(text.utf8) == name
    }

    /// A name as a key.
    static func quoted(_ name: [UInt8]) -> [UInt8] {
        let json = JSONBytes(capacity: name.count * 6 + 16)
        json.appendString(name)
        return Array(json.bytes)
    }
}

extension UnsafeRawBufferPointer {
    /// How many lines end in a range.
    func lineEnds(_ range: Range<Int>) -> Int {
        var count = 0
        for at in range where self[at] == 0x0A { count += 1 }
        return count
    }

    /// The index of the first non-blank byte, from an index on; the lines on the way are counted.
    func behindBlanks(_ start: Int, _ line: inout Int) -> Int {
        var at = start
        while at < count {
            switch self[at] {
            case 0x20, 0x09, 0x0D: at += 1
            case 0x0A:
                line += 1
                at += 1
            default: return at
            }
        }
        return at
    }
}
