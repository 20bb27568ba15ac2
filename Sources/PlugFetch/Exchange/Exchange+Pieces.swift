import CurlTransport
import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

// Answers of JSON that are too large to be held: they lie on a disk, and their list is read in pieces.
extension Exchange {
    /// Answers of JSON that are larger go to a disk, where they can be read in pieces. Few are; a page in memory is read faster.
    static let largestHeld = 4 << 20

    /// Whether good answers to a stream's requests are judged by what is in them, so that they have to be held.
    func judgesPages(_ rules: [StatusRule]) -> Bool {
        rules.contains(where: \.judgesPages) || settings.rules.contains(where: \.judgesPages)
            || tokens?.source.deadTokens?.judgesPages == true
    }

    /// What reads a large answer in pieces; `nil` where it is no plain JSON that has records in the list: it is judged as any other.
    func pieces(of response: HTTPResponse, _ list: JSONList, _ name: String) async throws -> AnswerDecoder? {
        guard let spooled = response.spooled, Self.isPlain(response.headers), try isJSON(spooled, name) else {
            return nil
        }
        let limits = DecodingLimits(
            total: settings.maximumBody,
            record: settings.maximumPage,
            whole: settings.maximumPage,
            blockRecords: blockRecords.map { max(1, $0) } ?? DecodingLimits().blockRecords
        )
        let decoder = AnswerDecoder(FileSource(spooled.file, count: spooled.count), .json(list), limits: limits)
        do throws(DecodingFault) { return try await decoder.beginsWithPieces() ? decoder : nil } catch {
            if error.kind == .interrupted { throw PlugError.interrupted }
            return nil
        }
    }

    /// Whether nothing says that an answer is in another encoding than UTF-8.
    private static func isPlain(_ headers: HTTPHeaders) -> Bool {
        guard let charset = headers.first("content-type").flatMap(charset) else { return true }
        return ["utf-8", "utf8", "us-ascii"].contains(charset.lowercased())
    }

    /// Whether a body begins as JSON in UTF-8 does.
    private func isJSON(_ body: SpooledBody, _ name: String) throws(PlugError) -> Bool {
        var start = [UInt8](repeating: 0, count: min(64, body.count))
        do throws(FileError) { try body.file.read(into: &start, at: 0) } catch {
            throw SourceFault.notKept("\(name): its answer cannot be read back", error.reason)
        }
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 == 0x7B || $0 == 0x5B } ?? false
    }

    /// An answer with its body in memory.
    func held(_ response: HTTPResponse, _ name: String) throws(PlugError) -> HTTPResponse {
        guard let spooled = response.spooled else { return response }
        if spooled.count > settings.maximumPage { throw PageLimits(settings.maximumPage).tooManyBytes(name) }
        var held = response
        do throws(FileError) { held.body = try spooled.inMemory() } catch {
            throw SourceFault.notKept("\(name): its answer cannot be read back", error.reason)
        }
        held.spooled = nil
        return held
    }
}

extension DeadTokens {
    /// Whether it looks into the bodies of good answers.
    fileprivate var judgesPages: Bool { rule.condition != nil && rule.status?.overlaps(200...299) ?? true }
}
