/// The names of one document: each has a number, and is turned into JSON once.
struct XMLNames {
    struct Name {
        /// With its prefix, as written.
        var written: String
        /// Without it.
        var local: String
        /// The namespace, `""` for none.
        var namespace: String
        /// The number of its key: two names may have the same key, where prefixes are left out.
        var key: Int
        /// Which steps of the path it fits.
        var mask: UInt32
    }

    /// What tells names apart: libxml2 keeps each text once, so that its address stands for it.
    private struct Parts: Hashable {
        var local: UnsafePointer<UInt8>?
        var prefix: UnsafePointer<UInt8>?
        var namespace: UnsafePointer<UInt8>?
    }

    /// More names are no data but an attack.
    static let limit = 20_000

    private(set) var names: [Name] = []
    /// `"name":` and `"@name":` of each key.
    private(set) var elementKeys: [[UInt8]] = []
    private(set) var attributeKeys: [[UInt8]] = []
    /// Whether a key is always a list.
    private(set) var isList: [Bool] = []
    private var numbers: [Parts: Int] = [:]
    private var keys: [String: Int] = [:]
    /// What was looked up last, at a place that its address gives: most documents have few names.
    private var latest: [(parts: Parts, number: Int)] = Array(
        repeating: (Parts(local: nil, prefix: nil, namespace: nil), -1),
        count: 64
    )
    private let options: XMLOptions

    init(_ options: XMLOptions) { self.options = options }

    /// The number of a name, `nil` where there are too many.
    ///
    /// The texts belong to the parser's dictionary, which lives as long as the parser.
    mutating func number(
        _ local: UnsafePointer<UInt8>?,
        _ prefix: UnsafePointer<UInt8>?,
        _ namespace: UnsafePointer<UInt8>?
    ) -> Int? {
        let parts = Parts(local: local, prefix: prefix, namespace: namespace)
        let place = (UInt(bitPattern: local) >> 3 ^ UInt(bitPattern: prefix) >> 2) & 63
        let known = latest[Int(place)]
        if known.number >= 0, known.parts == parts { return known.number }
        if let number = numbers[parts] {
            latest[Int(place)] = (parts, number)
            return number
        }
        guard names.count < Self.limit else { return nil }
        let localText = local.map { String(cString: $0) } ?? ""
        let written = prefix.map { "\(String(cString: $0)):\(localText)" } ?? localText
        let text = options.namespaces == .strip ? localText : written
        let number = names.count
        names.append(
            Name(
                written: written,
                local: localText,
                namespace: namespace.map { String(cString: $0) } ?? "",
                key: key(text),
                mask: options.records.mask(of: text)
            )
        )
        numbers[parts] = number
        return number
    }

    private mutating func key(_ text: String) -> Int {
        if let key = keys[text] { return key }
        let key = elementKeys.count
        keys[text] = key
        elementKeys.append(Self.json(text))
        attributeKeys.append(Self.json("@" + text))
        isList.append(options.lists.contains(text))
        return key
    }

    private static func json(_ key: String) -> [UInt8] {
        let json = JSONBytes(capacity: 64)
        json.appendString(key)
        json.append(":")
        return Array(json.bytes)
    }
}
