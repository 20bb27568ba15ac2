internal import CSimdJSON

/// Finds the byte at fault, and the words for it. Slow, and only on the error path.
enum JSONFault {
    // MARK: - Faults found by the grammar

    static func error(_ fault: plughost_json_fault, _ place: plughost_json_place, in grammar: JSONGrammar) -> JSONError
    {
        let text = grammar.text
        let at = Int(text.starts[place.structural])
        let isAtEnd = at == text.length
        switch fault {
        case plughost_json_value where isAtEnd && place.depth == 0: return JSONError("a value is expected", at: at)
        case plughost_json_value where isAtEnd, plughost_json_key where isAtEnd, plughost_json_colon where isAtEnd,
            plughost_json_comma where isAtEnd:
            return JSONError("the document ends inside an array or object", at: at)
        // Python writes them unless it is told otherwise.
        case plughost_json_value where isNotFinite(text, at), plughost_json_number where isNotFinite(text, at):
            return JSONError("NaN and Infinity are no JSON values", at: at)
        case plughost_json_value: return JSONError("a value is expected", at: at)
        case plughost_json_number: return JSONError("this is not a JSON number", at: at)
        case plughost_json_open_string: return JSONError("a string does not end", at: at)
        case plughost_json_key: return JSONError("a key in quotes is expected", at: at)
        case plughost_json_colon: return JSONError("':' is expected", at: at)
        case plughost_json_comma: return JSONError("',' or '\(Unicode.Scalar(place.closing))' is expected", at: at)
        case plughost_json_depth: return JSONError("nested deeper than \(grammar.depthLimit) levels", at: at, .tooDeep)
        case plughost_json_trailing: return JSONError("there is text after the end of the document", at: at)
        default: return JSONError("this is not JSON", at: at)
        }
    }

    private static func isNotFinite(_ text: IndexedText, _ at: Int) -> Bool {
        ["NaN", "Infinity", "-Infinity"].contains { (word: StaticString) in
            let length = word.utf8CodeUnitCount
            return at + length <= text.length && (0..<length).allSatisfy { text.bytes[at + $0] == word.utf8Start[$0] }
        }
    }

    /// A wrong escape.
    static func escape(in text: IndexedText, _ at: Int) -> JSONError {
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
