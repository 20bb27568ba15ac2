import CurlTransport
import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

// JSON answers that are too large to be held whole: their list is read in pieces.
extension Exchange {
    /// Reads a large answer in pieces; `nil` for one that is not large, or is not plain JSON with records in the list: it is read
    /// whole.
    func pieces(
        of response: HTTPResponse,
        _ list: JSONList,
        _ name: @autoclosure () -> String
    ) async throws -> AnswerDecoder? {
        guard let largestWholePage, response.bodyCount > largestWholePage, Self.isPlain(response.headers),
            try isJSON(response, name())
        else {
            return nil
        }
        let limits = DecodingLimits(
            total: settings.answers.body,
            record: settings.answers.page,
            whole: settings.answers.page,
            blockRecords: blockRecords.map { max(1, $0) } ?? DecodingLimits().blockRecords
        )
        let decoder = AnswerDecoder(Self.source(of: response), .json(list), limits: limits)
        do throws(DecodingFault) { return try await decoder.beginsWithPieces() ? decoder : nil } catch {
            if error.kind == .interrupted { throw PlugError.interrupted }
            if error.kind == .noMemory { throw PlugError.memoryShort("the answer to \(name())") }
            return nil
        }
    }

    /// Whether nothing indicates an encoding other than UTF-8.
    private static func isPlain(_ headers: HTTPHeaders) -> Bool {
        guard let charset = headers.first("content-type").flatMap(charset) else { return true }
        return ["utf-8", "utf8", "us-ascii"].contains(charset.lowercased())
    }

    /// Whether a body begins like JSON in UTF-8.
    private func isJSON(_ response: HTTPResponse, _ name: String) throws(PlugError) -> Bool {
        let start = try Self.reading(name) { () throws(FileError) in try response.bodyPrefix(64) }
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 == 0x7B || $0 == 0x5B } ?? false
    }

    /// An answer with its body in memory.
    func whole(_ response: HTTPResponse, _ name: @autoclosure () -> String) throws(PlugError) -> HTTPResponse {
        guard let spooled = response.spooled else { return response }
        if spooled.count > settings.answers.page { throw PageLimits(settings.answers.page).tooManyBytes(name()) }
        var whole = response
        whole.body = try Self.reading(name()) { () throws(FileError) in try spooled.inMemory() }
        whole.spooled = nil
        return whole
    }

    private static func reading<Bytes>(
        _ name: String,
        _ read: () throws(FileError) -> Bytes
    ) throws(PlugError) -> Bytes {
        do { return try read() } catch {
            throw SourceFault.notKept("\(name): its answer cannot be read back", error.reason)
        }
    }
}
