import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import CurlTransport

/// Large bodies that go to a disk.
@Suite(.fewAtATime)
struct SpoolingTests {
    private static let threshold = 65_536

    private static func request(_ url: String, _ space: ScratchSpace, limit: Int = 64 << 20) -> HTTPRequest {
        var request = HTTPRequest.patient(url)
        request.bodyLimit = limit
        request.spooling = HTTPSpooling(folder: space.path, threshold: threshold)
        return request
    }

    /// Text that is another one at each place.
    private static func text(_ count: Int) -> String {
        var text = ""
        var number = 0
        while text.utf8.count < count {
            text += "row \(number)\n"
            number += 1
        }
        return String(text.prefix(count))
    }

    private static func bytes(_ body: SpooledBody) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: body.count)
        try body.file.read(into: &bytes, at: 0)
        return bytes
    }

    private func with<Result>(
        _ steps: [SteppedServer.Step],
        _ body: (HTTPTransport, SteppedServer, String, ScratchSpace) async throws -> Result
    ) async throws -> Result {
        let space = try ScratchSpace()
        defer { space.remove() }
        return try await withLoopback(steps) { try await body($0, $1, $2, space) }
    }

    @Test("memory holds no more than the threshold of a body of 40 MiB")
    func bounded() throws {
        let space = try ScratchSpace()
        defer { space.remove() }
        var reader = ResponseReader(Self.request("http://127.0.0.1/", space))
        for line in ["HTTP/1.1 200 OK\r\n", "\r\n"] {
            Array(line.utf8).withUnsafeBytes { #expect(reader.header($0) == nil) }
        }
        let piece = [UInt8](repeating: 0x61, count: 16_384)
        var most = 0
        for _ in 0..<2560 {
            piece.withUnsafeBytes { #expect(reader.piece($0) == nil) }
            most = max(most, reader.body.memory.count)
        }
        #expect(most == Self.threshold)
        #expect(reader.body.spooled?.count == 40 << 20)
        #expect(reader.body.memory.count == 0)
    }

    @Test func aLargeBodyLiesInAFileThatNobodyCanOpenAndIsGoneWithTheAnswer() async throws {
        let text = Self.text(1_000_000)
        try await with([.read, .answer(text), .hold]) { transport, _, url, space in
            func check() async throws {
                let response = try await transport.send(Self.request(url, space))
                let spooled = try #require(response.spooled)
                #expect(response.body.count == 0)
                #expect(response.bodyCount == 1_000_000)
                #expect(try Self.bytes(spooled) == Array(text.utf8))
                #expect(space.names == [])
                #expect(space.openModes == [0o600])
            }
            try await check()
            #expect(space.openModes == [])
        }
    }

    @Test func whatIsSmallOrAnErrorOrForNobodyStaysInMemory() async throws {
        let large = Self.text(Self.threshold + 1)
        let cases: [(String, String, Bool)] = [
            (String(large.dropLast()), "200 OK", true), (large, "404 Not Found", true), (large, "200 OK", false),
        ]
        for (body, status, allows) in cases {
            try await with([.read, .answer(body, status: status), .hold]) { transport, _, url, space in
                var request = Self.request(url, space)
                if !allows { request.spooling = nil }
                let response = try await transport.send(request)
                #expect(response.text == body)
                #expect(response.spooled == nil && response.bodyCount == body.utf8.count)
            }
        }
    }

    @Test func whatIsSentCompressedIsKeptDecompressed() async throws {
        let answer = SteppedServer.Step.answer(Compressed.deflated(pairs: 2000), coding: "deflate")
        try await with([.read, answer, .hold]) { transport, _, url, space in
            let response = try await transport.send(Self.request(url, space))
            #expect(response.spooled?.count == 1 + 2000 * 258)
        }
    }

    @Test func nothingIsLeftOfAnAnswerThatIsCutOrTooLarge() async throws {
        let text = Self.text(300_000)
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n" + text
        try await with([.read, .send(cut)]) { transport, _, url, space in
            #expect(await transport.failure(of: Self.request(url, space))?.code == .truncated)
            #expect(space.names == [] && space.openModes == [])
        }
        // Of a length that was not announced.
        try await with([.read, .send("HTTP/1.1 200 OK\r\n\r\n" + text), .hold]) { transport, _, url, space in
            let error = await transport.failure(of: Self.request(url, space, limit: 200_000))
            #expect(error?.code == .tooLarge)
            #expect(space.names == [] && space.openModes == [])
        }
    }

    @Test func nothingIsLeftOfARequestThatIsCancelled() async throws {
        let begun = "HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n" + Self.text(300_000)
        try await with([.read, .send(begun), .hold]) { transport, _, url, space in
            let error = await withTaskGroup(of: HTTPError?.self) { group in
                group.addTask { await transport.failure(of: Self.request(url, space)) }
                while space.openModes.isEmpty { await Task.yield() }
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(error?.code == .cancelled)
            #expect(space.names == [] && space.openModes == [])
        }
    }

    @Test func aFolderThatIsNotThereIsAnErrorThatSaysSo() async throws {
        try await with([.read, .answer(Self.text(300_000)), .hold]) { transport, _, url, space in
            var request = Self.request(url, space)
            request.spooling?.folder += "/missing"
            let error = await transport.failure(of: request)
            #expect(error?.code == .notKept)
            let reason = "sent a body that cannot be kept in a temporary file: No such file or directory"
            #expect(error?.message == "\(url.dropFirst(7)) \(reason)")
        }
    }

    @Test("bodies share their room, give it back, and say what limits them")
    func room() async throws {
        let room = ScratchRoom(limit: 500_000)
        try await with([.read, .answer(Self.text(300_000)), .read, .answer(Self.text(300_000)), .hold]) {
            transport,
            _,
            url,
            space in
            func request() -> HTTPRequest {
                var request = Self.request(url, space)
                request.spooling?.room = room
                return request
            }
            func holdOne() async throws {
                let first = try await transport.send(request())
                #expect(first.spooled?.count == 300_000)
                let error = await transport.failure(of: request())
                #expect(error?.code == .notKept)
                #expect(
                    error?.message.hasSuffix(
                        "in a temporary file: all temporary files of a run may take 488.2 KiB together "
                            + "(--scratch-limit, or limits.scratch of a host)"
                    ) == true
                )
            }
            try await holdOne()
            #expect(space.openModes == [])
        }
        // All of it is free again.
        try await with([.read, .answer(Self.text(480_000)), .hold]) { transport, _, url, space in
            var request = Self.request(url, space)
            request.spooling?.room = room
            let response = try await transport.send(request)
            #expect(response.spooled?.count == 480_000)
        }
    }

    @Test(.enabled(if: ScratchSpace.canBeSmall, "a small disk cannot be mounted here"))
    func aFullDiskIsAnErrorThatSaysSo() async throws {
        try await with([.read, .answer(Self.text(1_000_000)), .hold]) { transport, _, url, space in
            try #require(space.becomeSmall(bytes: 262_144))
            defer { space.unmount() }
            let error = await transport.failure(of: Self.request(url, space))
            #expect(error?.code == .notKept)
            #expect(error?.message.hasSuffix("in a temporary file: No space left on device") == true)
            #expect(space.names == [] && space.openModes == [])
        }
    }
}
