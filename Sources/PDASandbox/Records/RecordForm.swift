internal import Cryptography
internal import Foundation
internal import LosslessJSON

/// A record's data in the reference server's two forms of it.
struct RecordForm: Sendable {
    /// SHA-256 of the compact text with keys as received and numbers normalised: identifies duplicates.
    var hash: Data
    /// The text as `jsonb` returns it, numbers as sent: the stored form.
    var stored: String
    /// Whether PostgreSQL would refuse it: a lone surrogate, or a number beyond `numeric`.
    var isRefused: Bool
}

/// Makes record forms; its buffers are reused from record to record.
struct RecordFormer {
    private enum Form { case hashed, stored }

    private var hashed: [UInt8] = []
    private var stored: [UInt8] = []
    private var isRefused = false
    private var text: [UInt8] = []

    /// The forms of the value at a node.
    mutating func form(_ cursor: JSONCursor, _ node: Int) -> RecordForm {
        isRefused = false
        // The buffers are moved out of this value while they are written to, and moved back with their memory.
        var (hashed, stored): ([UInt8], [UInt8]) = ([], [])
        swap(&hashed, &self.hashed)
        swap(&stored, &self.stored)
        defer { (self.hashed, self.stored) = (hashed, stored) }
        hashed.removeAll(keepingCapacity: true)
        stored.removeAll(keepingCapacity: true)
        append(cursor, node, .hashed, to: &hashed)
        append(cursor, node, .stored, to: &stored)
        let digest = Data(SHA256.hash(hashed))
        return RecordForm(hash: digest, stored: String(decoding: stored, as: UTF8.self), isRefused: isRefused)
    }

    private mutating func append(_ cursor: JSONCursor, _ node: Int, _ form: Form, to bytes: inout [UInt8]) {
        switch cursor.kind(node) {
        case .null, .bool: bytes.append(contentsOf: cursor.slice(node))
        case .number: appendNumber(cursor.slice(node), form, to: &bytes)
        case .string: appendText(cursor, node, form, to: &bytes)
        case .array:
            bytes.append(UInt8(ascii: "["))
            var at = cursor.first(in: node)
            while let element = at {
                append(cursor, element, form, to: &bytes)
                at = cursor.next(after: element)
                if at != nil { bytes.append(UInt8(ascii: ",")) }
            }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            bytes.append(UInt8(ascii: "{"))
            let members =
                form == .hashed ? ObjectMembers.received(cursor, node) : ObjectMembers.sorted(cursor, node)
            for (at, member) in members.enumerated() {
                if at > 0 { bytes.append(UInt8(ascii: ",")) }
                appendText(cursor, member.key, form, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(cursor, member.value, form, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func appendNumber(
        _ slice: UnsafeBufferPointer<UInt8>,
        _ form: Form,
        to bytes: inout [UInt8]
    ) {
        guard form == .stored else { return CanonicalNumber.append(slice, to: &bytes) }
        if !CanonicalNumber.fitsNumeric(slice) { isRefused = true }
        bytes.append(contentsOf: slice)
    }

    private mutating func appendText(_ cursor: JSONCursor, _ node: Int, _ form: Form, to bytes: inout [UInt8]) {
        let raw = cursor.slice(node)
        // Without a backslash a string is written unchanged: control characters are refused, and the quote is its end.
        guard raw.contains(UInt8(ascii: "\\")) else { return bytes.append(contentsOf: raw) }
        text.removeAll(keepingCapacity: true)
        let loneSurrogates = cursor.appendText(node, to: &text)
        switch form {
        case .hashed: if loneSurrogates > 0 { isRefused = true }
        // The reference server deletes `\u0000` before PostgreSQL, which cannot store it, sees the text.
        case .stored: text.removeAll { $0 == 0 }
        }
        text.withUnsafeBufferPointer { JSONText.appendQuoted($0, to: &bytes) }
    }
}

/// An object's members, each key once with its last value.
enum ObjectMembers {
    typealias Member = (key: Int, value: Int, position: Int)

    /// In `jsonb`'s order: shorter keys first, then by bytes. Keys are compared as stored, without U+0000.
    static func sorted(_ cursor: JSONCursor, _ node: Int) -> [Member] {
        unique(cursor, node, deletesNull: true)
    }

    /// In the order received: a repeated key keeps its first place.
    static func received(_ cursor: JSONCursor, _ node: Int) -> [Member] {
        unique(cursor, node, deletesNull: false).sorted { $0.position < $1.position }
    }

    private static func unique(_ cursor: JSONCursor, _ node: Int, deletesNull: Bool) -> [Member] {
        var keyed: [(bytes: UnsafeBufferPointer<UInt8>, decoded: [UInt8]?, member: Member)] = []
        cursor.forEachMember(of: node) { key, value in
            let raw = cursor.rawString(key)
            keyed.append((raw, decoded(cursor, key, raw, deletesNull), (key, value, keyed.count)))
        }
        guard keyed.count > 1 else { return keyed.map(\.member) }
        keyed.sort { left, right in
            let order = compare(left.bytes, left.decoded, right.bytes, right.decoded)
            return order != 0 ? order < 0 : left.member.position < right.member.position
        }
        var members: [Member] = []
        members.reserveCapacity(keyed.count)
        for (index, entry) in keyed.enumerated() {
            if index > 0 {
                let previous = keyed[index - 1]
                if compare(previous.bytes, previous.decoded, entry.bytes, entry.decoded) == 0 {
                    members[members.count - 1].value = entry.member.value
                    continue
                }
            }
            members.append(entry.member)
        }
        return members
    }

    private static func decoded(
        _ cursor: JSONCursor,
        _ key: Int,
        _ raw: UnsafeBufferPointer<UInt8>,
        _ deletesNull: Bool
    ) -> [UInt8]? {
        guard raw.contains(UInt8(ascii: "\\")) else { return nil }
        var text: [UInt8] = []
        cursor.appendText(key, to: &text)
        if deletesNull { text.removeAll { $0 == 0 } }
        return text
    }

    private static func compare(
        _ left: UnsafeBufferPointer<UInt8>,
        _ leftDecoded: [UInt8]?,
        _ right: UnsafeBufferPointer<UInt8>,
        _ rightDecoded: [UInt8]?
    ) -> Int {
        func order(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
            if a.count != b.count { return a.count - b.count }
            for at in 0..<a.count where a[at] != b[at] { return Int(a[at]) - Int(b[at]) }
            return 0
        }
        func with(_ decoded: [UInt8]?, _ raw: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Int)
            -> Int
        {
            decoded?.withUnsafeBufferPointer(body) ?? body(raw)
        }
        return with(leftDecoded, left) { a in with(rightDecoded, right) { b in order(a, b) } }
    }
}
