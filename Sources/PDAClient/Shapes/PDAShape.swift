public import LosslessJSON

/// A JSON object of a PDA's API as a Swift type, read leniently and written back without loss.
///
/// Members unknown to the type are kept, in their places, and so are numbers as they were written and members that are
/// `null`. Two values are equal if their JSON is, without regard to the order of members.
///
/// As `Codable` it works only with `JSONValueDecoder` and `JSONValueEncoder`; others would lose digits.
public protocol PDAShape: Codable, Sendable, Equatable {
    /// Reads an object.
    ///
    /// - Throws: `PDAError` `undecodable` if a member is missing or of another type; the message names its path.
    init(json: JSONValue) throws(PDAError)
    /// The object as it is sent.
    var json: JSONValue { get }
    /// Members unknown to the type, kept for writing back. Members it knows cannot be changed here.
    var other: JSONObject { get set }
}

extension PDAShape {
    /// Reads the object from a `JSONValueDecoder`.
    ///
    /// - Throws: `DecodingError`, with the path in its description.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValueBox(from: decoder).value
        do throws(PDAError) {
            try self.init(json: value)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: error.message,
                underlyingError: error
            )
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Encodes the object with a `JSONValueEncoder`.
    public func encode(to encoder: any Encoder) throws { try JSONValueBox(json).encode(to: encoder) }

    /// Whether both have the same members.
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }
}

extension PDAError.Code {
    /// JSON that lacks a member or has one of another type. The message names its path, such as
    /// `application.info.name`.
    public static let undecodable = PDAError.Code("undecodable")
}

extension PDAError {
    static func undecodable(_ path: String, _ problem: String, advice: String? = nil) -> PDAError {
        PDAError(.undecodable, path.isEmpty ? "the value \(problem)" : "'\(path)' \(problem)", advice: advice)
    }
}

/// How a shape reads and writes its own members.
protocol ObjectShape: PDAShape, MemberValue {
    /// The object it was read from, empty for one made in Swift: it keeps the order and unknown members.
    var original: JSONObject { get set }
    init(_ members: MemberReader) throws(PDAError)
    func write(to members: inout MemberWriter)
}

extension ObjectShape {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> Self {
        try Self(MemberReader(value, at: path))
    }

    var written: JSONValue {
        var writer = MemberWriter(original)
        write(to: &writer)
        return .object(writer.object)
    }

    /// Reads an object.
    ///
    /// - Throws: `PDAError` `undecodable` with the path of the mismatch.
    public init(json: JSONValue) throws(PDAError) { self = try Self.read(json, at: "") }

    /// The object as it is sent.
    public var json: JSONValue { written }

    /// Members unknown to the type, kept for writing back. Members it knows cannot be changed here.
    public var other: JSONObject {
        get {
            let known = knownKeys
            return JSONObject(original.members.filter { !known.contains($0.key) })
        }
        set {
            let known = knownKeys
            for key in original.keys where !known.contains(key) && newValue[key] == nil { original[key] = nil }
            for (key, value) in newValue.members where !known.contains(key) { original[key] = value }
        }
    }

    private var knownKeys: Set<JSONString> {
        var writer = MemberWriter(JSONObject())
        write(to: &writer)
        return writer.keys
    }
}
