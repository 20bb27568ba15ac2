internal import LosslessJSON

/// Finds the end of a JSON value that comes in pieces: it counts brackets and minds quotes, and is satisfied with much that is no
/// JSON.
struct JSONValueScan {
    private var depth = 0
    private var isInString = false
    /// Whether a backslash came last.
    private var isEscaped = false
    private(set) var hasBegun = false
    /// Whether it is a number or a word, which only what follows ends.
    private(set) var isScalar = false
    private(set) var isDone = false

    /// Classes of bytes outside of texts: quotes 1, opening brackets 2, closing ones 3.
    private static let classes: [UInt8] = {
        var classes = [UInt8](repeating: 0, count: 256)
        classes[0x22] = 1
        (classes[0x5B], classes[0x7B]) = (2, 2)
        (classes[0x5D], classes[0x7D]) = (3, 3)
        return classes
    }()

    /// Takes in what comes next, from an index on.
    ///
    /// - Returns: Behind the value's end, or behind all bytes.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        guard let base = bytes.baseAddress, start < bytes.count else { return start }
        var at = start
        if !hasBegun {
            hasBegun = true
            switch bytes[at] {
            case 0x22: isInString = true
            case 0x5B, 0x7B: depth = 1
            default: isScalar = true
            }
            at += 1
        }
        if isScalar { return scalar(bytes, at) }
        let count = bytes.count
        return Self.classes.withUnsafeBufferPointer { classes in
            while at < count {
                if isInString {
                    at = text(base, at, count)
                    if isInString { return at }
                    if depth == 0 {
                        isDone = true
                        return at
                    }
                    continue
                }
                // Between texts there are few bytes.
                let kind = classes[Int(base.load(fromByteOffset: at, as: UInt8.self))]
                at += 1
                switch kind {
                case 0: continue
                case 1: isInString = true
                case 2: depth += 1
                default:
                    depth -= 1
                    if depth == 0 {
                        isDone = true
                        return at
                    }
                }
            }
            return at
        }
    }

    /// Goes through a text, eight bytes at a time where none of them ends it.
    @inline(__always)
    private mutating func text(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int {
        var at = start
        if isEscaped {
            isEscaped = false
            at += 1
        }
        while at + Word.size <= count {
            let word = Word(base + at)
            let marks = word.has(0x22) | word.has(0x5C)
            if marks == 0 {
                at += Word.size
                continue
            }
            // Only the lowest mark is exact, and only it is used.
            at += word.first(of: marks)
            if base.load(fromByteOffset: at, as: UInt8.self) == 0x22 {
                isInString = false
                return at + 1
            }
            at += 2
        }
        while at < count {
            switch base.load(fromByteOffset: at, as: UInt8.self) {
            case 0x22:
                isInString = false
                return at + 1
            case 0x5C: at += 2
            default: at += 1
            }
        }
        // A backslash was the last byte, and what it stands before is in the next piece.
        isEscaped = at > count
        return count
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

/// Keys of members as they stand in a file, with their quotes.
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

    /// The index of the first byte that is no blank, from an index on; the lines on the way are counted.
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
