import CurlTransport
import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

extension Exchange {
    /// Makes the decoder of an answer.
    ///
    /// - Parameter isWhole: Whether all of its records are to come in one block.
    func decoder(of response: HTTPResponse, _ decoding: AnswerDecoding, isWhole: Bool) -> AnswerDecoder {
        var limits = DecodingLimits(total: settings.answers.body)
        if isWhole {
            // The record limit of a JSON page; more is refused, because it would not be one page.
            limits.blockRecords = PageLimits(settings.answers.page).records
            limits.blockBytes = settings.answers.page * 2
        } else if let blockRecords {
            limits.blockRecords = max(1, blockRecords)
        }
        return AnswerDecoder(
            Self.source(of: response),
            decoding.format,
            charset: decoding.charset,
            declared: response.headers.first("content-type").flatMap(Self.charset),
            now: Timestamp(microseconds: clock.now()).seconds,
            limits: limits
        )
    }

    /// The bytes of an answer, wherever they are stored.
    static func source(of response: HTTPResponse) -> any ByteSource & Sendable {
        guard let spooled = response.spooled else { return MemorySource(response.body) }
        return FileSource(spooled.file, count: spooled.count)
    }

    /// The `charset` of a content type: `text/csv; charset="ISO-8859-1"`.
    static func charset(in type: String) -> String? {
        for parameter in type.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"'".contains($0) } }
            if parts.count == 2, parts[0].lowercased() == "charset" { return parts[1] }
        }
        return nil
    }

    /// A JSON answer that is compressed without saying so, or in an encoding other than UTF-8; `nil` if it is not one.
    func unpacked(_ response: HTTPResponse, _ name: String) throws(PlugError) -> JSONDocument? {
        let limits = DecodingLimits(total: settings.answers.page, whole: settings.answers.page)
        let format = RecordFormat.json(JSONList(path: nil))
        let source = MemorySource(response.body)
        let decoder = BlockDecoder(
            source,
            format,
            declared: response.headers.first("content-type").flatMap(Self.charset),
            limits: limits
        )
        do throws(DecodingFault) {
            if let files = try ZipDirectory.names(in: source), files.count != 1 {
                throw DecodingFault(.otherFormat, Self.reason(ofSeveral: files))
            }
            guard let block = try decoder.next(), block.isWhole, try decoder.next() == nil else { return nil }
            return block.document
        } catch {
            if error.kind == .noMemory { throw .memoryShort("the answer to \(name)") }
            // Of a compressed answer, the bytes themselves say nothing.
            guard Self.isPacked(response.body) else { return nil }
            if error.kind == .interrupted { throw .interrupted }
            throw SourceFault.undecodable(error, format, name)
        }
    }

    private static func reason(ofSeveral files: [String]) -> String {
        let names = files.prefix(5).map { "'\(DisplayText.escaped(String($0.suffix(60))))'" }.joined(separator: ", ")
        if files.isEmpty { return "it is an archive without any file" }
        return
            "it is an archive of \(files.count) files (\(names)\(files.count > 5 ? ", …" : "")), and only one can be a page of JSON"
    }

    /// Whether bytes begin as gzip, zstd or zip do, which no text does.
    private static func isPacked(_ body: JSONBuffer) -> Bool {
        let marks: [[UInt8]] = [
            [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD], [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06],
        ]
        return body.withBytes { bytes in marks.contains { bytes.starts(with: $0) } }
    }

    /// The next block of an answer, `nil` after the last one.
    func block(
        _ decoder: AnswerDecoder,
        _ format: RecordFormat,
        _ name: String,
        _ stream: String
    ) async throws -> DecodedBlock? {
        let block: DecodedBlock?
        do throws(DecodingFault) { block = try await decoder.next() } catch {
            if error.kind == .interrupted { throw PlugError.interrupted }
            if error.kind == .unreadable {
                throw SourceFault.notKept("\(name): its answer cannot be read back", error.reason)
            }
            throw SourceFault.undecodable(error, format, name)
        }
        if let block { warnOfDoubts(block, name, stream) }
        return block
    }
}

extension Exchange {
    /// What follows a block; `nil` at the end.
    func following(
        _ decoder: AnswerDecoder,
        _ format: RecordFormat,
        _ name: String,
        _ stream: String
    ) async throws -> FollowingBlock? {
        do {
            return try await block(decoder, format, name, stream).map { .success($0) }
        } catch let error as PlugError where error.code != .interrupted {
            return .failure(error)
        }
    }
}

extension SourceFault {
    /// The error for an answer that cannot be decoded any further.
    static func undecodable(_ fault: DecodingFault, _ format: RecordFormat, _ request: String) -> PlugError {
        if fault.kind == .noMemory { return .memoryShort("the answer to \(request)") }
        let place = place(fault.line, file: fault.file)
        let advice =
            switch fault.kind {
            case .malformed:
                "what comes after it cannot be read: request the same address by hand and look there; the next run reads this "
                    + "answer again"
            case .otherFormat:
                "request the same address by hand: it often returns a login or error page; or correct 'decode'"
            case .overLimit:
                "ask for smaller answers; 'http.max_body' limits a whole answer; the other limits are fixed"
            case .growsTooMuch: "an answer of records does not expand that much: request the same address by hand"
            case .interrupted, .unreadable, .noMemory: "run again"
            case .refused: "no setting changes it: ask the service for another form of these data"
            }
        return PlugError(
            .pageNotDecoded,
            "the answer to \(request) cannot be read as \(format.name)\(place): \(fault.reason)",
            advice: advice,
            reach: .item
        )
    }

    /// `, line 3 of the file a.xml`, as far as it is known.
    static func place(_ line: Int?, file: String?) -> String {
        var place = line.map { ", line \($0)" } ?? ""
        if let file {
            place += line == nil ? ", file " : " of the file "
            place += DisplayText.escaped(String(file.prefix(100)))
        }
        return place
    }
}

extension DecodedBlock {
    /// Its broken records, in the form the normaliser takes.
    var brokenRecords: [FetchedPage.Broken] { brokenRecords(in: nil) }

    /// The same, for a file in an archive.
    func brokenRecords(in entry: String?) -> [FetchedPage.Broken] {
        broken.map { record in
            var object = JSONObject()
            var place = "line \(record.line)"
            if let file = record.file ?? entry {
                object["file"] = .text(file)
                place += " of the file \(DisplayText.escaped(String(file.prefix(100))))"
            }
            object["line"] = .integer(record.line)
            object["text"] = .text(String(decoding: record.text, as: UTF8.self))
            return FetchedPage.Broken(
                reason: "\(place): \(record.reason)",
                record: Array(JSONValue.object(object).compactText.utf8)
            )
        }
    }
}
