/// The names in one document: each has a number, and is turned into JSON once.
///
/// A handle on memory: `deallocate` frees it.
struct XMLNames {
    struct Name {
        /// With its prefix, as written.
        var written: String
        /// Without it.
        var local: String
        /// The namespace, `""` for none.
        var namespace: String
        /// Which steps of the path it matches.
        var mask: UInt32
    }

    /// A name's identity: libxml2 interns each text, so that its address identifies it.
    private struct Parts: Hashable, BitwiseCopyable {
        var local: UnsafePointer<UInt8>?
        var prefix: UnsafePointer<UInt8>?
        var namespace: UnsafePointer<UInt8>?

        /// A slot among the latest names.
        @inline(__always)
        var place: Int {
            let bits = UInt64(UInt(bitPattern: local)) &+ UInt64(UInt(bitPattern: prefix)) &* 31
            return Int(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 56)
        }
    }

    private struct Latest: BitwiseCopyable {
        var parts: Parts
        var number: Int
    }

    private struct Key: BitwiseCopyable {
        /// Where `"name":` begins among the texts, where `"@name":` does, and where that ends.
        var element: Int
        var attribute: Int
        var end: Int
        /// Whether it is always a list.
        var isList: Bool
    }

    /// More names than this are an attack, not data.
    static let limit = 20_000

    private(set) var names: [Name] = []
    private var numbers: [Parts: Int] = [:]
    private var keyNumbers: [String: Int] = [:]
    /// The latest lookups, in slots derived from the address: most documents have few names.
    private let latest = RawList<Latest>(capacity: 256)
    /// The number of each name's key: two names may have the same key, if prefixes are left out.
    private let keyOfName = RawList<Int>()
    private let keys = RawList<Key>()
    private let texts = RawList<UInt8>(capacity: 1024)
    /// The key last asked for, as it was written.
    private let written = RawList<UInt8>()
    private let options: XMLOptions

    init(_ options: XMLOptions) {
        self.options = options
        let none = Latest(parts: Parts(local: nil, prefix: nil, namespace: nil), number: -1)
        for _ in 0..<256 { latest.append(none) }
    }

    /// Frees the memory; neither these names nor a copy of them may be used again.
    func deallocate() {
        latest.deallocate()
        keyOfName.deallocate()
        keys.deallocate()
        texts.deallocate()
        written.deallocate()
    }

    /// The number of a name's key.
    @inline(__always)
    func key(of name: Int) -> Int { keyOfName[name] }

    /// `"name":`; valid until the next name is added.
    @inline(__always)
    func elementKey(_ key: Int) -> UnsafeRawBufferPointer {
        let key = keys[key]
        return UnsafeRawBufferPointer(texts[key.element..<key.attribute])
    }

    /// `"@name":`; valid until the next name is added.
    @inline(__always)
    func attributeKey(_ key: Int) -> UnsafeRawBufferPointer {
        let key = keys[key]
        return UnsafeRawBufferPointer(texts[key.attribute..<key.end])
    }

    /// `"@prefix:name":`, as the name was written; valid until the next name is added.
    @inline(never)
    func writtenKey(_ name: Int) -> UnsafeRawBufferPointer {
        let json = JSONBytes(capacity: 64)
        json.appendString("@" + names[name].written)
        json.append(":")
        written.removeAll()
        json.bytes.withMemoryRebound(to: UInt8.self) { written.append($0) }
        return UnsafeRawBufferPointer(written[0..<written.count])
    }

    /// Whether a key is always a list.
    @inline(__always)
    func isList(_ key: Int) -> Bool { keys[key].isList }

    /// The number of a name, `nil` if there are too many.
    ///
    /// The texts belong to the parser's dictionary, which lives as long as the parser.
    @inline(__always)
    mutating func number(
        _ local: UnsafePointer<UInt8>?,
        _ prefix: UnsafePointer<UInt8>?,
        _ namespace: UnsafePointer<UInt8>?
    ) -> Int? {
        let parts = Parts(local: local, prefix: prefix, namespace: namespace)
        let known = latest[parts.place]
        if known.number >= 0, known.parts == parts { return known.number }
        return lookUp(parts)
    }

    @inline(never)
    private mutating func lookUp(_ parts: Parts) -> Int? {
        guard let number = numbers[parts] ?? add(parts) else { return nil }
        latest[parts.place] = Latest(parts: parts, number: number)
        return number
    }

    private mutating func add(_ parts: Parts) -> Int? {
        guard names.count < Self.limit else { return nil }
        let local = parts.local.map { String(cString: $0) } ?? ""
        let written = parts.prefix.map { "\(String(cString: $0)):\(local)" } ?? local
        let text = options.namespaces == .strip ? local : written
        let number = names.count
        names.append(
            Name(
                written: written,
                local: local,
                namespace: parts.namespace.map { String(cString: $0) } ?? "",
                mask: options.records.mask(of: text)
            )
        )
        keyOfName.append(key(text))
        numbers[parts] = number
        return number
    }

    private mutating func key(_ text: String) -> Int {
        if let key = keyNumbers[text] { return key }
        let key = keys.count
        keyNumbers[text] = key
        let json = JSONBytes(capacity: 64)
        json.appendString(text)
        json.append(":")
        let attribute = texts.count + json.count
        json.appendString("@" + text)
        json.append(":")
        let element = texts.count
        json.bytes.withMemoryRebound(to: UInt8.self) { texts.append($0) }
        keys.append(
            Key(element: element, attribute: attribute, end: texts.count, isList: options.lists.contains(text))
        )
        return key
    }
}
