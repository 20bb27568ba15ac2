internal import LosslessJSON
internal import PlugFetch

/// Searches output for secrets: as they are, and in every form in which a service may have repeated them.
struct SecretSearch {
    /// Where a secret was found.
    struct Finding: Equatable {
        /// The secret's description, without its value.
        var name: String
        /// The form in which it was found.
        var form: String
    }

    private struct Needle {
        var name: String
        var form: String
        var bytes: [UInt8]
        /// Whether it counts only as a word of its own.
        var isShort = false
    }

    /// Shorter ones are not searched for: they occur everywhere.
    private static let shortest = 4
    /// Shorter ones are searched for as separate words, and in no other form.
    private static let sure = SecretForms.shortest
    private var needles: [Needle] = []

    /// - Parameter secrets: Each secret's description and value.
    init(_ secrets: [(name: String, value: String)]) {
        for (name, value) in secrets where value.utf8.count >= Self.shortest {
            guard value.utf8.count >= Self.sure else {
                needles.append(
                    Needle(name: name, form: "as it is", bytes: Self.small(Array(value.utf8)), isShort: true)
                )
                continue
            }
            for form in SecretForms.all(of: value) where form.bytes.count >= Self.sure {
                needles.append(Needle(name: name, form: form.name, bytes: Self.small(form.bytes)))
            }
        }
    }

    /// The first secret in a JSON text, or in one of its decoded strings.
    func first(in json: [UInt8]) -> Finding? {
        var views = [json]
        if let value = try? JSONValue(parsing: json) {
            var texts: [String] = []
            Self.collect(value, into: &texts)
            views.append(Array(texts.joined(separator: "\n").utf8))
        }
        for view in views {
            var plain = view
            for _ in 0..<4 {
                if let found = search(Self.small(plain)) { return found }
                // Forms encode a blank as a plus.
                if let found = search(Self.small(plain.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })) {
                    return found
                }
                let next = Self.unescaped(PercentText.decoded(plain))
                if next == plain { break }
                plain = next
            }
        }
        return nil
    }

    private func search(_ bytes: [UInt8]) -> Finding? {
        var starts: [UInt32: [Needle]] = [:]
        for needle in needles { starts[Self.start(needle.bytes, 0), default: []].append(needle) }
        guard bytes.count >= 4 else { return nil }
        for at in 0...(bytes.count - 4) {
            guard let candidates = starts[Self.start(bytes, at)] else { continue }
            for needle in candidates where bytes[at...].starts(with: needle.bytes) {
                let end = at + needle.bytes.count
                let isInside = at > 0 && Self.isWord(bytes[at - 1]) || end < bytes.count && Self.isWord(bytes[end])
                if !needle.isShort || !isInside { return Finding(name: needle.name, form: needle.form) }
            }
        }
        return nil
    }

    private static func start(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        bytes[at..<(at + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte >= 0x80
    }

    /// In lower case: a service may have changed the case, and a form that is found too often is only written once more.
    private static func small(_ bytes: [UInt8]) -> [UInt8] { bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 } }

    // MARK: - Views

    private static func collect(_ value: JSONValue, into texts: inout [String]) {
        switch value {
        case .string(let text): texts.append(text.text)
        case .number(let number): texts.append(number.text)
        case .array(let elements): for element in elements { collect(element, into: &texts) }
        case .object(let object):
            for (key, value) in object.members {
                texts.append(key.text)
                collect(value, into: &texts)
            }
        default: break
        }
    }

    /// With the escapes of JSON and HTML decoded.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\\")) || bytes.contains(UInt8(ascii: "&")) else { return bytes }
        var text = String(decoding: bytes, as: UTF8.self)
        text = text.replacing(#/\\u(?<digits>[0-9A-Fa-f]{4})/#) { match in
            UInt32(match.digits, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
        }
        text = text.replacing(#/&#(?:x(?<hex>[0-9A-Fa-f]{1,6})|(?<plain>[0-9]{1,7}));/#) { match in
            let value = match.hex.flatMap { UInt32($0, radix: 16) } ?? match.plain.flatMap { UInt32($0) }
            return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
        }
        for (form, sign) in [
            ("\\/", "/"), ("\\\"", "\""), ("\\\\", "\\"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"),
            ("&amp;", "&"),
        ] {
            text = text.replacing(form, with: sign)
        }
        return Array(text.utf8)
    }
}
