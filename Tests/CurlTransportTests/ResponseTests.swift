import CurlTransport
import LosslessJSON
import TestKit
import Testing

@Suite(.fewAtATime)
struct ResponseTests {
    @Test func anAnswerComesWhole() async throws {
        try await withLoopback([.read, .answer("{\"a\":1}", headers: "X-Twice: 1\r\nx-twice:  2 \r\n"), .hold]) {
            transport,
            server,
            url in
            let response = try await transport.send(
                HTTPRequest.ofOne(
                    url: "\(url)/a/../b?c=d#e",
                    headers: [HTTPHeader("X-One", "1"), HTTPHeader("X-None", "")],
                    side: .source
                )
            )
            #expect(response.status == 200)
            #expect(response.text == "{\"a\":1}")
            #expect(response.headers.all("X-TWICE") == ["1", "2"])
            #expect(response.headers.first("content-length") == "7")
            #expect(response.headers.first("absent") == nil)
            #expect(response.url == "\(url)/b?c=d")
            let request = try #require(server.requests.first)
            #expect(response.sentBytes == request.utf8.count)
            #expect(response.receivedBytes == 64 + 7)
            #expect(
                request.components == [
                    "GET /b?c=d HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Accept: */*",
                    "Accept-Encoding: gzip, deflate", "X-One: 1", "X-None:", "User-Agent: plughost/0.1.0",
                ]
            )
        }
    }

    @Test(arguments: [0, 1, 100_000, 3_000_000])
    func bodiesAreSentByteForByte(size: Int) async throws {
        let text = "abcdefghijklmnopqrstuvw"
        let body = Array(String(repeating: text, count: size / text.utf8.count + 1).utf8.prefix(size))
        try await withLoopback([.read, .answer("ok"), .hold]) { transport, server, url in
            let response = try await transport.send(
                HTTPRequest.ofOne(
                    method: "POST",
                    url: url,
                    headers: [HTTPHeader("Content-Type", "application/json")],
                    body: body,
                    side: .pda
                )
            )
            let request = try #require(server.requests.first)
            #expect(request.hasSuffix(String(decoding: body, as: UTF8.self)))
            #expect(request.hasPrefix("POST / HTTP/1.1\r\n"))
            #expect(request.lowercased().contains("content-length: \(size)\r\n"))
            #expect(!request.lowercased().contains("expect:"))
            #expect(response.sentBytes == request.utf8.count)
        }
    }

    @Test(arguments: ["PUT", "PATCH", "DELETE"])
    func otherMethodsCarryBodiesToo(method: String) async throws {
        try await withLoopback([.read, .answer("ok"), .hold]) { transport, server, url in
            _ = try await transport.send(
                HTTPRequest.ofOne(method: method, url: url, body: Array("x".utf8), side: .source)
            )
            #expect(server.requests.first?.hasPrefix("\(method) / HTTP/1.1\r\n") == true)
            #expect(server.requests.first?.lowercased().contains("content-type") == false)
        }
    }

    @Test func noRequestInheritsAnythingFromTheLast() async throws {
        try await withLoopback([.read, .answer("ok"), .again]) { transport, server, url in
            for (method, body) in [
                ("PUT", "one"), ("GET", nil), ("POST", ""), ("DELETE", nil), ("POST", "2"), ("GET", nil),
            ] {
                let field = body.map { [HTTPHeader("X-Body", $0)] } ?? []
                _ = try await transport.send(
                    HTTPRequest.ofOne(
                        method: method,
                        url: url,
                        headers: field,
                        body: body.map { Array($0.utf8) },
                        side: .source
                    )
                )
            }
            #expect(server.connections == 1)
            let sent = server.requests.map { request in
                let fields = request.components.dropFirst().filter {
                    $0.hasPrefix("X-Body") || $0.hasPrefix("Content-")
                }
                return
                    ([request.components[0]] + fields + [
                        String(request.split(separator: "\r\n\r\n").dropFirst().joined())
                    ])
            }
            #expect(
                sent == [
                    ["PUT / HTTP/1.1", "X-Body: one", "Content-Length: 3", "one"], ["GET / HTTP/1.1", ""],
                    ["POST / HTTP/1.1", "X-Body:", "Content-Length: 0", ""], ["DELETE / HTTP/1.1", ""],
                    ["POST / HTTP/1.1", "X-Body: 2", "Content-Length: 1", "2"], ["GET / HTTP/1.1", ""],
                ]
            )
        }
    }

    @Test func aHeadHasNoBodyWhateverItsLengthSays() async throws {
        try await withLoopback([.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"), .hold]) {
            transport,
            _,
            url in
            let response = try await transport.send(HTTPRequest.ofOne(method: "HEAD", url: url, side: .source))
            #expect(response.body.count == 0)
        }
    }

    @Test func redirectsAndErrorsAreAnswers() async throws {
        try await withLoopback([
            .read, .answer("", status: "308 Permanent Redirect", headers: "Location: http://127.0.0.1:1/\r\n"),
            .read, .answer("no", status: "404 Not Found"), .read, .send("HTTP/1.1 304 Not Modified\r\n\r\n"), .hold,
        ]) { transport, server, url in
            let redirect = try await transport.send(
                HTTPRequest.ofOne(method: "POST", url: url, body: [], side: .source)
            )
            #expect(redirect.status == 308)
            #expect(redirect.headers.first("Location") == "http://127.0.0.1:1/")
            let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(answer.status == 404)
            let second = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(second.status == 304)
            #expect(server.connections == 1)
        }
    }

    @Test func interimAnswersAndTrailersAreLeftOut() async throws {
        let answer =
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
            + "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nX-Real: 1\r\n\r\n"
            + "3\r\nabc\r\n4;ext=1\r\ndefg\r\n0\r\nX-Trailer: 1\r\n\r\n"
        try await withLoopback([.read, .send(answer), .hold]) { transport, _, url in
            let response = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(response.status == 201)
            #expect(response.text == "abcdefg")
            #expect(response.headers.fields.map(\.name) == ["Transfer-Encoding", "X-Real"])
        }
    }

    @Test func compressedBodiesAreOpened() async throws {
        try await withLoopback([
            .read, .answer(Compressed.gzip, coding: "gzip"), .read, .answer(Compressed.gzip, coding: "X-GZIP"),
            .read, .answer(Compressed.deflated(pairs: 3), coding: "deflate"), .hold,
        ]) { transport, _, url in
            for _ in 0..<2 {
                let response = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
                #expect(response.text == Compressed.text)
                #expect(response.headers.first("Content-Length") == "\(Compressed.gzip.count)")
            }
            let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(answer.body.count == 1 + 3 * 258)
        }
    }

    @Test("gzip of several members, and with zeros behind it; nothing at all is an empty body")
    func membersOfGzip() async throws {
        try await withLoopback([
            .read, .answer(Compressed.gzip + Compressed.gzip, coding: "gzip"),
            .read, .answer(Compressed.gzip + [0, 0, 0], coding: "gzip"), .read, .answer([], coding: "gzip"),
            .read, .answer(Compressed.deflated(pairs: 1) + [1, 2, 3, 4], coding: "deflate"), .hold,
        ]) { transport, _, url in
            for text in [Compressed.text + Compressed.text, Compressed.text, ""] {
                let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
                #expect(answer.text == text)
            }
            // Some send the checksum of zlib behind a bare stream.
            let bare = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(bare.body.count == 1 + 258)
        }
    }

    @Test func aBodyWithoutALengthEndsWithTheConnection() async throws {
        try await withLoopback([.read, .send("HTTP/1.1 200 OK\r\n\r\nabc")]) { transport, _, url in
            let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(answer.text == "abc")
        }
    }
}

extension String {
    /// The lines of a request's header.
    var components: [String] { split(separator: "\r\n").map(String.init) }
}

/// Compressed bodies, made without a library.
enum Compressed {
    static let text = "{\"records\":[1,2,3],\"text\":\"compressed\"}"
    /// `text`, by gzip.
    static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 42, 74, 77, 206, 47, 74, 41, 86, 178, 138, 54, 212, 49,
        210, 49, 142, 213, 81, 42, 73, 173, 40, 81, 178, 82, 74, 206, 207, 45, 40, 74, 45, 46, 78, 77, 81,
        170, 5, 0, 49, 125, 192, 249, 39, 0, 0, 0,
    ]

    /// A raw deflate stream: one zero byte, then it 258 times for each pair of 13 bits.
    static func deflated(pairs: Int) -> [UInt8] {
        var bits: [Bool] = [true, true, false]  // the last block, with the fixed codes
        func code(_ value: Int, _ length: Int) {
            for bit in (0..<length).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        code(0b0011_0000, 8)
        for _ in 0..<pairs {
            code(0b1100_0101, 8)  // length 258
            code(0, 5)  // distance 1
        }
        code(0, 7)
        var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 1 << UInt8(index % 8) }
        return bytes
    }
}
