import Testing

@testable import Programs

struct ProxyRequestTests {
    private func read(_ head: String) -> ProxyRequest? { ProxyRequest(Array(head.utf8)) }

    @Test func aRequestIsForwardedWithTheHostOfItsFirstLine() {
        let request = read(
            "POST http://api.example.org:8080/a?b=1 HTTP/1.1\r\nHost: other\r\nX-A: 1\r\nContent-Length: 4\r\n\r\nbodyGET"
        )
        #expect(request?.host == "api.example.org" && request?.port == 8080 && request?.isTunnel == false)
        #expect(
            request.map { String(decoding: $0.forwarded, as: UTF8.self) }
                == "POST /a?b=1 HTTP/1.1\r\nHost: api.example.org:8080\r\nX-A: 1\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"
        )
        #expect(request?.bodyLength == 4 && request?.rest == Array("bodyGET".utf8))
    }

    @Test func aTunnelHasNoLength() {
        let request = read("CONNECT api.example.org:443 HTTP/1.1\r\n\r\n")
        #expect(request?.isTunnel == true && request?.bodyLength == nil)
    }

    @Test(
        "what is not exactly HTTP is refused",
        arguments: [
            "GET http://a.org/ HTTP/1.1\r\nX: a\nHost: b\r\n\r\n",
            "GET http://a.org/ HTTP/1.1\r\nX: a\rHost: b\r\n\r\n",
            "GET http://a.org/x\nHost:b HTTP/1.1\r\n\r\n", "GET http://a.org/x\ty HTTP/1.1\r\n\r\n",
            "GET http://a.org/ HTTP/1.1\r\nX : a\r\n\r\n", "GET http://a.org/ HTTP/1.1\r\nX: a\r\n folded\r\n\r\n",
            "GET http://a.org/ HTTP/1.1\r\nX: a\0b\r\n\r\n", "GET http://a.org/ HTTP/1.1\r\nX: a\u{7F}b\r\n\r\n",
            "GET http://u@a.org/ HTTP/1.1\r\n\r\n", "GET http://a.org/ HTTP/2\r\n\r\n",
            "GET  http://a.org/ HTTP/1.1\r\n\r\n",
            "POST http://a.org/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST http://a.org/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST http://a.org/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
            "POST http://a.org/ HTTP/1.1\r\nContent-Length:\t1\r\n\r\n",
        ]
    )
    func refusals(head: String) { #expect(read(head) == nil) }

    @Test func bytesThatAreNoTextAreRefused() {
        let head = Array("GET http://a.org/ HTTP/1.1\r\nX: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
        #expect(ProxyRequest(head) == nil)
    }
}
