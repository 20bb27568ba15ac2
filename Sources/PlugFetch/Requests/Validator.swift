import Cryptography
import CurlTransport
import Decoding
import JQ
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization

/// Distinguishes an answer from a later one: its entity tag, otherwise the time of its last change.
struct Validator: Sendable, Equatable {
    /// The request header that carries it: `If-None-Match` or `If-Modified-Since`.
    let header: String
    let value: String

    private init(_ header: String, _ value: String) {
        self.header = header
        self.value = value
    }

    /// Finds it in an answer; `nil` if there is no reliable one.
    init?(_ headers: HTTPHeaders) {
        if let tag = headers.first("etag") {
            let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag)
            let isTag = opaque.utf8.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
            guard isTag, tag.utf8.count <= 1000, HeaderFields.isSendable(tag) else { return nil }
            self.init("If-None-Match", tag)
            return
        }
        // Seconds are coarse: something changed just now may change again within the same second (RFC 9110, 8.8.2.2).
        guard let text = headers.first("last-modified"), let changed = Timestamp(text),
            let date = headers.first("date").flatMap({ Timestamp($0) }), date.seconds - changed.seconds >= 60,
            HeaderFields.isSendable(text)
        else { return nil }
        self.init("If-Modified-Since", text)
    }

    // MARK: - In a state

    /// Reads the stored form; `nil` if it was for another request, or another manifest.
    init?(_ json: JSONValue?, for key: String) {
        guard let json, json["for"]?.stringText == key, let header = json["header"]?.stringText,
            ["If-None-Match", "If-Modified-Since"].contains(header), let value = json["value"]?.stringText
        else { return nil }
        self.init(header, value)
    }

    /// The stored form: `{"for": KEY, "header": …, "value": …}`.
    func json(for key: String) -> JSONValue {
        .members(("for", .text(key)), ("header", .text(header)), ("value", .text(value)))
    }

    /// The field of the request.
    var field: HTTPHeader { HTTPHeader(header, value) }
}

/// Makes the keys that validators are stored under. A validator is valid for exactly the same request of the same manifest with
/// the same configuration: with any other the same page may yield other records.
final class ValidatorKeys: Sendable {
    /// Raised with every change of plughost that requires unchanged pages to be read once more.
    private static let version = "1"

    private let manifest: [UInt8]
    private let config: JSONObject
    /// Hashed with the first key: most sources provide no validator.
    private let definition = Mutex<[UInt8]?>(nil)

    /// - Parameter config: With its secrets; only a hash of it is stored, and that is encrypted.
    init(_ manifest: Manifest, config: JSONObject) {
        self.manifest = manifest.source.content
        self.config = config
    }

    private func hashedDefinition() -> [UInt8] {
        definition.withLock { definition in
            if let definition { return definition }
            var hash = SHA256()
            var bytes: [UInt8] = []
            JSONValue.object(config).write(to: &bytes)
            for field in [Array(Self.version.utf8), manifest, bytes] { hash.add(field) }
            let made = hash.finalize()
            definition = made
            return made
        }
    }

    /// The key of a stream's data in an archive: with another manifest the same archive may yield other records.
    ///
    /// - Parameter began: When the reading began, in microseconds since 1970.
    func key(ofArchiveIn stream: PlugManifest.Stream, began: Int64) -> String {
        var hash = SHA256()
        hash.add(hashedDefinition())
        hash.add(Array("archive \(stream.name)".utf8))
        if let day = stream.day(at: began) { hash.add(Array(day.utf8)) }
        return Hexadecimal.encoded(hash.finalize().prefix(16))
    }

    /// The key of a request; `nil` if an unchanged page does not prove that nothing else changed.
    ///
    /// - Parameter began: When the pass began, in microseconds since 1970.
    func key(of request: PreparedRequest, in stream: PlugManifest.Stream, began: Int64) -> String? {
        guard stream.parent?.skipsUnchanged ?? true, stream.since == nil, request.method == "GET", request.body == nil
        else { return nil }
        // What leads to another page may change without the body that a validator stands for.
        if stream.paging?.kind.lead.isInHeaders == true { return nil }
        if stream.readsHeaders { return nil }
        let names = request.headers.map { $0.name.lowercased() }
        guard !names.contains(where: { $0.hasPrefix("if-") || $0 == "range" }) else { return nil }
        var hash = SHA256()
        hash.add(hashedDefinition())
        if let day = stream.day(at: began) { hash.add(Array(day.utf8)) }
        hash.add(Array(request.url.description.utf8))
        for header in request.headers {
            hash.add(Array(header.name.utf8))
            hash.add(Array(header.value.utf8))
        }
        return Hexadecimal.encoded(hash.finalize().prefix(16))
    }
}

extension PlugManifest.Stream {
    /// The day of a time, in microseconds since 1970, if the same bytes yield other records on another day: which instances of a
    /// calendar's events are included depends on the time, so that it is read once a day even if unchanged.
    func day(at time: Int64) -> String? {
        if case .calendar = decoding?.format { "day \(time / 86_400_000_000)" } else { nil }
    }

    /// Whether what follows a page depends on the answer's headers, which a validator does not stand for either.
    fileprivate var readsHeaders: Bool {
        let programs = [paging?.kind.lead.program, paging?.more, paging?.total, paging?.pages] + rules.map(\.condition)
        return programs.contains { $0?.usedGlobals.contains("headers") == true }
    }
}

extension SHA256 {
    /// Adds a field with its length, so that no two lists of fields yield the same bytes.
    fileprivate mutating func add(_ field: [UInt8]) {
        withUnsafeBytes(of: UInt64(field.count).bigEndian) { update($0) }
        update(field)
    }
}
