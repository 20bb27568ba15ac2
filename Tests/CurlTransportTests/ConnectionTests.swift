import CurlTransport
import TestKit
import Testing

@Suite(.fewAtATime)
struct ConnectionTests {
    @Test func connectionsAreKept() async throws {
        try await withLoopback([.read, .answer("one"), .again]) { transport, server, url in
            for _ in 0..<20 {
                let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
                #expect(answer.text == "one")
            }
            #expect(server.connections == 1)
            #expect(server.requests.count == 20)
        }
    }

    @Test(
        "a connection is used again only within a group, and one without a group is closed",
        arguments: [false, true]
    )
    func groupsShareNoConnection(version6: Bool) async throws {
        try await withLoopback(version6: version6, [.read, .answer("x"), .again]) { transport, server, url in
            let (ada, bob) = (ConnectionGroup(), ConnectionGroup())
            for (group, connections) in [
                (ada, 1), (ada, 1), (bob, 2), (ada, 2), (bob, 2), (nil, 3), (nil, 4), (ada, 4),
            ] {
                var request = HTTPRequest(url: url, side: .source)
                request.connections = group
                _ = try await transport.send(request)
                #expect(server.connections == connections)
            }
        }
    }

    @Test func sourcesAndPDAsShareNoConnection() async throws {
        try await withLoopback([.read, .answer("x"), .again]) { transport, server, url in
            for _ in 0..<3 {
                _ = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
                _ = try await transport.send(HTTPRequest.ofOne(url: url, side: .pda))
            }
            #expect(server.connections == 2)
        }
    }

    @Test func manyRequestsRunAtOnce() async throws {
        try await withLoopback([.read, .answer("many"), .again]) { transport, server, url in
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for index in 0..<600 {
                    let side = index % 2 == 0 ? NetworkSide.source : .pda
                    group.addTask {
                        try await transport.send(HTTPRequest.ofOne(url: "\(url)/\(index)", side: side)).text
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(texts == Array(repeating: "many", count: 600))
            #expect(Set(server.requests.compactMap(\.components.first)).count == 600)
        }
    }

    @Test func aReadOnAKeptConnectionThatDiedIsSentAgain() async throws {
        try await withLoopback([.read, .answer("one"), .read], [.read, .answer("two"), .hold]) {
            transport,
            server,
            url in
            _ = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(answer.text == "two")
            #expect(server.connections == 2)
            #expect(server.requests.count == 3)
        }
    }

    @Test func anyNumberOfKeptConnectionsMayDieOneAfterAnother() async throws {
        try await withLoopback([.read, .answer("here"), .read]) { transport, server, url in
            for _ in 1...10 {
                let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
                #expect(answer.text == "here")
            }
            #expect(server.connections == 10)
        }
    }

    @Test func aReadThatIsCountedIsTheCallersToRepeat() async throws {
        try await withLoopback([.read, .answer("one"), .read], [.read, .answer("two"), .hold]) {
            transport,
            server,
            url in
            var request = HTTPRequest.ofOne(url: url, side: .source)
            request.isSentOnce = true
            _ = try await transport.send(request)
            let error = await transport.failure(of: request)
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveArrived == true && error?.lostKeptConnection == true)
            #expect(server.requests.count == 2)
            let answer = try await transport.send(request)
            #expect(answer.text == "two")
        }
    }

    @Test func aRequestMayAskForANewConnection() async throws {
        try await withLoopback([.read, .answer("x"), .again]) { transport, server, url in
            var request = HTTPRequest.ofOne(url: url, side: .source)
            _ = try await transport.send(request)
            request.needsNewConnection = true
            _ = try await transport.send(request)
            #expect(server.connections == 2)
        }
    }

    @Test func aPostOnAKeptConnectionThatDiedIsTheCallersToRepeat() async throws {
        try await withLoopback([.read, .answer("one"), .read], [.read, .answer("two"), .hold]) {
            transport,
            server,
            url in
            let request = HTTPRequest.ofOne(method: "POST", url: url, body: Array("{}".utf8), side: .pda)
            _ = try await transport.send(request)
            let error = await transport.failure(of: request)
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveArrived == true && error?.lostKeptConnection == true)
            #expect(server.requests.count == 2)
            let answer = try await transport.send(request)
            #expect(answer.text == "two")
        }
    }

    @Test func aConnectionThatWasClosedMeanwhileIsNotUsed() async throws {
        try await withLoopback([.read, .answer("one")], [.read, .answer("two"), .hold]) { transport, server, url in
            let request = HTTPRequest.ofOne(method: "POST", url: url, body: Array("{}".utf8), side: .pda)
            _ = try await transport.send(request)
            // The next exchange begins after the server's end of the first connection was sent.
            await server.waitForEnds(1)
            let answer = try await transport.send(request)
            #expect(answer.text == "two")
        }
    }

    @Test func cancellingEndsTheTransferAtOnce() async throws {
        try await withLoopback([.read, .hold], [.read, .answer("next"), .hold]) { transport, server, url in
            let error = await withTaskGroup(of: HTTPError?.self) { group in
                group.addTask { await transport.failure(of: .patient(url)) }
                await server.waitForRequests(1)
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(error?.code == .cancelled)
            #expect(error?.mayHaveArrived == true)
            let answer = try await transport.send(HTTPRequest.ofOne(url: url, side: .source))
            #expect(answer.text == "next")
        }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        try await withLoopback([.read, .hold]) { transport, server, url in
            let error = await withTaskGroup(of: HTTPError?.self) { group in
                group.cancelAll()
                group.addTask { await transport.failure(of: .patient(url)) }
                return await group.next() ?? nil
            }
            #expect(error?.code == .cancelled)
            #expect(error?.mayHaveArrived == false)
            #expect(server.connections == 0)
        }
    }

    @Test func shuttingDownEndsEverything() async throws {
        try await withLoopback([.read, .hold]) { transport, server, url in
            let errors = await withTaskGroup(of: HTTPError?.self) { group in
                for _ in 0..<300 {
                    group.addTask { await transport.failure(of: .patient(url)) }
                }
                await server.waitForRequests(256)
                await transport.shutDown()
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.map { $0?.code } == Array(repeating: .shutDown, count: 300))
            let late = await transport.failure(of: HTTPRequest.ofOne(url: url, side: .source))
            #expect(late?.code == .shutDown)
            #expect(late?.mayHaveArrived == false)
            await transport.shutDown()
        }
    }

    @Test func aTransportThatIsDroppedClosesItsConnections() async throws {
        let server = try SteppedServer(scripts: [[.read, .answer("x"), .hold]])
        defer { server.stop() }
        do {
            let transport = try HTTPTransport(policy: .loopback)
            _ = try await transport.send(HTTPRequest.ofOne(url: "http://127.0.0.1:\(server.port)", side: .source))
        }
        await server.waitForEnds(1)
        #expect(server.connections == 1)
    }
}
