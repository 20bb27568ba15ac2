/// Finds the byte at fault, and the words for it. Slow, and only on the error path.
enum JSONFault {
    // MARK: - Faults found by the grammar

    static func error(_ fault: JSONGrammar.Fault, _ walk: JSONGrammar) -> JSONError {
        let place = Int(walk.at[0])
        let isAtEnd = place == walk.text.length
        switch fault {
        case .value where isAtEnd && walk.depth == 0: return JSONError("a value is expected", at: place)
        case .value where isAtEnd, .key where isAtEnd, .colon where isAtEnd, .end where isAtEnd:
            return JSONError("the document ends inside an array or object", at: place)
        // Python writes them unless it is told otherwise.
        case .value where isNotFinite(walk.text, place), .number where isNotFinite(walk.text, place):
            return JSONError("NaN and Infinity are no JSON values", at: place)
        case .value: return JSONError("a value is expected", at: place)
        case .number: return JSONError("this is not a JSON number", at: place)
        case .openString: return JSONError("a string does not end", at: place)
        case .escape: return escape(walk.text, walk.escape)
        case .key: return JSONError("a key in quotes is expected", at: place)
        case .colon: return JSONError("':' is expected", at: place)
        case .end: return JSONError("',' or '\(Unicode.Scalar(walk.closing))' is expected", at: place)
        case .depth: return JSONError("nested deeper than \(walk.depthLimit) levels", at: place, .tooDeep)
        case .rest: return JSONError("there is text after the end of the document", at: place)
        }
    }

    private static func isNotFinite(_ text: IndexedText, _ at: Int) -> Bool {
        ["NaN", "Infinity", "-Infinity"].contains { (word: StaticString) in
            let length = word.utf8CodeUnitCount
            return at + length <= text.length && (0..<length).allSatisfy { text.bytes[at + $0] == word.utf8Start[$0] }
        }
    }

    /// The first wrong escape from an offset on.
    private static func escape(_ text: IndexedText, _ first: Int) -> JSONError {
        var at = first
        while at < text.length, let length = text.escapeLength(at, text.length) { at = text.escape(from: at + length) }
        let reason =
            text.bytes[at + 1] == UInt8(ascii: "u")
            ? "'\\u' needs four hexadecimal digits" : "a string contains an unknown escape"
        return JSONError(reason, at: at)
    }

    // MARK: - Faults found by simdjson

    static func utf8(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var decoder = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .error, .emptyInput: return offset
            }
        }
    }

    static func openString(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var start: Int?
        forEachStringByte(in: bytes) { _, at, isQuote in if isQuote { start = start == nil ? at : nil } }
        return start ?? bytes.count
    }

    static func controlCharacter(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var fault: Int?
        forEachStringByte(in: bytes) { byte, at, _ in if byte < 0x20, fault == nil { fault = at } }
        return fault ?? 0
    }

    /// Visits every quote and every byte inside a string.
    private static func forEachStringByte(in bytes: UnsafeBufferPointer<UInt8>, _ visit: (UInt8, Int, Bool) -> Void) {
        var isInside = false
        var isEscaped = false
        for (at, byte) in bytes.enumerated() {
            let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
            if isInside || isQuote { visit(byte, at, isQuote) }
            isEscaped = isInside && byte == UInt8(ascii: "\\") && !isEscaped
            if isQuote { isInside.toggle() }
        }
    }
}
