import CurlTransport
import LosslessJSON
import TestKit
import Testing

@Suite(.fewAtATime)
struct FailureTests {
    private func failure(
        _ script: [SteppedServer.Step],
        change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPError? {
        try await withLoopback(script) { transport, _, url in
            var request = HTTPRequest.ofOne(url: "\(url)/canary?canary=1", side: .source)
            change(&request)
            let error = await transport.failure(of: request)
            #expect(error?.message.contains("canary") == false)
            #expect(error?.message.contains("127.0.0.1:") == true)
            return error
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n",
    ])
    func anAnswerThatIsCutShortIsNoAnswer(answer: String) async throws {
        let error = try await failure([.read, .send(answer)])
        #expect(error?.code == .truncated)
        #expect(error?.mayHaveArrived == true)
        let afterReset = try await failure([.read, .send(answer), .reset])
        #expect(afterReset?.code == .truncated)
    }

    @Test func aConnectionThatEndsBeforeAnAnswerIsLost() async throws {
        for script: [SteppedServer.Step] in [[.read], [.read, .reset]] {
            let error = try await failure(script) {
                $0.method = "POST"
                $0.body = Array("{}".utf8)
            }
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveArrived == true)
        }
    }

    @Test func aRefusedConnectionCertainlyReachedNobody() async throws {
        let server = try LoopbackServer { _ in }
        server.stop()
        let transport = try HTTPTransport(policy: .loopback)
        let error = await transport.failure(
            of: HTTPRequest.ofOne(url: "http://127.0.0.1:\(server.port)/", side: .source)
        )
        #expect(error?.code == .cannotConnect)
        #expect(error?.mayHaveArrived == false)
        #expect(error?.curlCode == 7)
        await transport.shutDown()
    }

    @Test func aNameWithoutAnAddressCannotBeResolvedTheSecondTimeEither() async throws {
        let transport = try HTTPTransport(policy: .loopback)
        for _ in 1...2 {
            let error = await transport.failure(of: .patient("https://plughost.invalid/"))
            #expect(error?.code == .cannotResolve)
            #expect(error?.mayHaveArrived == false)
        }
        await transport.shutDown()
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\nabc",
    ])
    func whatIsNotHTTPIsRefused(answer: String) async throws {
        #expect(try await failure([.read, .send(answer)])?.code == .badResponse)
    }

    @Test func headersHaveLimits() async throws {
        let line = "X-Flood: \(String(repeating: "x", count: 1000))\r\n"
        let trailers = String(repeating: line, count: 100)
        let scripts: [[SteppedServer.Step]] = [
            [.read, .send("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 100)), .hold],
            [.read, .send("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000)), .send("\r\n\r\n"), .hold],
            [.read, .send("HTTP/1.1 200 OK\r\n" + String(repeating: "X: 1\r\n", count: 257) + "\r\n"), .hold],
            [.read, .send(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 3000)), .hold],
            [
                .read, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .send("1\r\nx\r\n0\r\n\(trailers)\r\n"), .hold,
            ],
        ]
        for script in scripts { #expect(try await failure(script)?.code == .headerTooLarge) }
        let most = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + String(repeating: "X: 1\r\n", count: 255) + "\r\n"
        #expect(try await failureOrNone([.read, .send(most), .hold]) == nil)
    }

    @Test("a megabyte of header is refused with the limit, in one line, which libcurl itself refuses, or in many")
    func megabyteOfHeader() async throws {
        let line = "X-Flood: \(String(repeating: "x", count: 1000))\r\n"
        let headers = [
            "X-Flood: " + String(repeating: "x", count: 1 << 20) + "\r\n", String(repeating: line, count: 1040),
        ]
        for header in headers {
            let error = try await failure([.read, .send("HTTP/1.1 200 OK\r\n\(header)\r\n"), .hold])
            #expect(error?.code == .headerTooLarge)
            #expect(error?.message.hasSuffix(" sent a header of more than 64 KiB") == true, "\(error as Any)")
        }
    }

    private func failureOrNone(_ script: [SteppedServer.Step]) async throws -> HTTPError? {
        try await withLoopback(script) { transport, _, url in
            await transport.failure(of: HTTPRequest.ofOne(url: url, side: .source))
        }
    }

    @Test func bodiesHaveLimits() async throws {
        let chunk = "400\r\n\(String(repeating: "x", count: 1024))\r\n"
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 11)
        let scripts: [[SteppedServer.Step]] = [
            [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 10241\r\n\r\n"), .hold],
            [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"), .hold],
            [.read, .send(chunks), .hold],
            [.read, .send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 10_241)), .hold],
            [.read, .answer(Compressed.deflated(pairs: 40), coding: "deflate"), .hold],
        ]
        for script in scripts {
            #expect(try await failure(script) { $0.bodyLimit = 10_240 }?.code == .tooLarge)
        }
        let exact = String(repeating: "x", count: 10_240)
        try await withLoopback([.read, .answer(exact), .hold]) { transport, _, url in
            let response = try await transport.send(HTTPRequest.ofOne(url: url, side: .source, bodyLimit: 10_240))
            #expect(response.text == exact)
        }
    }

    @Test func compressionHasLimits() async throws {
        let bomb = Compressed.deflated(pairs: 8000)  // 2 MB out of 13 kB
        let answer = SteppedServer.Step.answer(bomb, coding: "deflate")
        #expect(try await failure([.read, answer, .hold])?.code == .growsTooMuch)
        let onWire = try await failure([.read, answer, .hold]) {
            $0.ratioLimit = 1000
            $0.wireLimit = 12_000
        }
        #expect(onWire?.code == .tooLarge)
        try await withLoopback([.read, answer, .hold]) { transport, _, url in
            let response = try await transport.send(HTTPRequest.ofOne(url: url, side: .source, ratioLimit: 200))
            #expect(response.body.count == 1 + 8000 * 258)
        }
    }

    @Test(arguments: [[1], Array("text".utf8), [0x1F], [0x1F, 0x8C], [0, 0, 1]])
    func somethingElseBehindTheEndOfGzipCannotBeDecompressed(_ rest: [UInt8]) async throws {
        let answer = SteppedServer.Step.answer(Compressed.gzip + rest, coding: "gzip")
        let failure = try await failure([.read, answer, .hold])
        #expect([.badEncoding, .truncated].contains(failure?.code))
        #expect(failure?.mayHaveArrived == true)
    }

    @Test("a compressed body that breaks off is none, also where nothing but the connection shows its end")
    func compressedBodiesHaveToBeWhole() async throws {
        let deflated = Compressed.deflated(pairs: 3)
        for (body, coding) in [(Compressed.gzip, "gzip"), (deflated, "deflate")] {
            for count in 1..<body.count {
                let cut = Array(body.prefix(count))
                let closed = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n"
                for steps: [SteppedServer.Step] in [
                    [.read, .answer(cut, coding: coding), .hold], [.read, .send(Array(closed.utf8) + cut)],
                ] {
                    let failure = try await failure(steps)
                    #expect(failure?.code == .truncated, "\(coding), \(count) bytes")
                    #expect(failure?.mayHaveArrived == true)
                }
            }
        }
    }

    @Test(arguments: ["br", "zstd", "compress", "gzip, gzip", "identity, gzip, deflate", "unheard-of"])
    func otherCodingsAreRefused(coding: String) async throws {
        #expect(try await failure([.read, .answer(Compressed.gzip, coding: coding), .hold])?.code == .badEncoding)
    }

    @Test func brokenCompressionIsRefused() async throws {
        let plain = SteppedServer.Step.answer(Array("this is no gzip".utf8), coding: "gzip")
        #expect(try await failure([.read, plain, .hold])?.code == .badEncoding)
        let transferCoding = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
        #expect(try await failure([.read, .send(transferCoding), .hold])?.code == .badEncoding)
        var wrongSum = Compressed.gzip
        wrongSum[wrongSum.count - 8] ^= 1
        #expect(try await failure([.read, .answer(wrongSum, coding: "gzip"), .hold])?.code == .badEncoding)
    }

    @Test func everyPartHasATimeOut() async throws {
        let first = try await failure([.read, .hold]) { $0.timeouts.firstByte = .milliseconds(60) }
        #expect(first?.code == .timedOut)
        #expect(first?.message.contains("begin to answer") == true)
        #expect(first?.mayHaveArrived == true)

        let started = SteppedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc")
        let idle = try await failure([.read, started, .hold]) { $0.timeouts.idle = .milliseconds(60) }
        #expect(idle?.code == .timedOut)
        #expect(idle?.message.contains("bytes a second, for 0.06 seconds") == true)

        try await withLoopback([.read, .answer("x"), .read, started, .drip(0x61, milliseconds: 5)]) {
            transport,
            _,
            url in
            var request = HTTPRequest.patient(url)
            // The connection stands, so that all the time is the answer's.
            _ = try await transport.send(request)
            request.timeouts.total = .milliseconds(120)
            let drip = await transport.failure(of: request)
            #expect(drip?.code == .timedOut)
            #expect(drip?.message.contains("complete its answer") == true)
        }
    }

    @Test func aSlowBodyIsNotAnIdleOne() async throws {
        // In all longer than the time-out, and each pause a tenth of it: so late a thread does not wake anywhere.
        let piece = String(repeating: "a", count: 200)
        let drip = Array(repeating: [SteppedServer.Step.send(piece), .pause(milliseconds: 100)], count: 15)
        let head = SteppedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n")
        try await withLoopback([.read, head] + drip.flatMap(\.self) + [.hold]) { transport, _, url in
            var request = HTTPRequest.patient(url)
            request.timeouts.idle = .seconds(1)
            let answer = try await transport.send(request)
            #expect(answer.body.count == 3000)
        }
    }

    @Test func aConnectionThatIsNeverAcceptedTimesOut() async throws {
        // TLS that nobody answers: the connection stands, the handshake does not.
        try await withLoopback([.hold]) { transport, server, _ in
            var request = HTTPRequest.ofOne(url: "https://127.0.0.1:\(server.port)/", side: .source)
            request.timeouts.connect = .milliseconds(60)
            let error = await transport.failure(of: request)
            #expect(error?.code == .timedOut)
            #expect(error?.mayHaveArrived == false)
        }
    }

    @Test(arguments: [
        HTTPHeader("Host", "evil"), HTTPHeader("content-length", "1"), HTTPHeader("X", "a\r\nY: b"),
        HTTPHeader("X\r\nY", "b"), HTTPHeader("", "b"), HTTPHeader("X:", "b"),
        HTTPHeader("Transfer-Encoding", "chunked"),
        HTTPHeader("X", "a\u{0}b"), HTTPHeader("X Y", "b"),
    ])
    func headersThatWouldSplitTheRequestAreRefused(header: HTTPHeader) async throws {
        try await withLoopback([.hold]) { transport, server, url in
            let error = await transport.failure(of: HTTPRequest.ofOne(url: url, headers: [header], side: .source))
            #expect(error?.code == .invalidRequest)
            #expect(server.connections == 0)
        }
    }

    @Test(arguments: ["", "GET /x", "GE\r\nT", "CONNECT"])
    func methodsThatWouldSplitTheRequestAreRefused(method: String) async throws {
        try await withLoopback([.hold]) { transport, server, url in
            let error = await transport.failure(of: HTTPRequest.ofOne(method: method, url: url, side: .source))
            #expect(error?.code == .invalidRequest)
            #expect(server.connections == 0)
        }
    }
}
