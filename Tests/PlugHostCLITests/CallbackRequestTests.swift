import Testing

@testable import PlugHostCLI

struct CallbackRequestTests {
    private func request(
        _ line: String,
        host: String = "127.0.0.1:4711",
        among hosts: Set<String> = ["127.0.0.1:4711"]
    ) -> CallbackConnection.Request {
        CallbackConnection.request("\(line)\r\nHost: \(host)\r\nAccept: */*\r\n\r\n", hosts)
    }

    @Test func onlyTheCallbackIsAnswered() {
        #expect(request("GET /callback?code=a&state=b HTTP/1.1") == .callback("code=a&state=b"))
        #expect(request("GET /callback HTTP/1.1") == .callback(""))
        #expect(request("GET /callback?a?b HTTP/1.0") == .callback("a?b"))
        for line in [
            "POST /callback?code=a HTTP/1.1", "GET / HTTP/1.1", "GET /callback/ HTTP/1.1", "GET /CALLBACK HTTP/1.1",
        ] {
            #expect(request(line) == .other, "\(line)")
        }
        for line in ["", "GET", "GET /callback", "GET http://127.0.0.1:4711/callback HTTP/1.1", "x y z"] {
            #expect(request(line) == .malformed, "\(line)")
        }
    }

    /// A page elsewhere that calls this machine by a name of its own (DNS rebinding) gets nothing.
    @Test func anotherNameOfThisMachineIsNotTaken() {
        for host in ["localhost:4711", "evil.example:4711", "127.0.0.1", ""] {
            #expect(request("GET /callback?code=a HTTP/1.1", host: host) == .malformed, "\(host)")
        }
        let twice = "GET /callback HTTP/1.1\r\nHost: 127.0.0.1:4711\r\nHost: 127.0.0.1:4711\r\n\r\n"
        #expect(CallbackConnection.request(twice, ["127.0.0.1:4711"]) == .malformed)
    }

    /// Browsers leave the port out where it is the scheme's own.
    @Test func thePortOfHTTPMayBeLeftOut() {
        #expect(CallbackListener.authorities(of: 80) == ["127.0.0.1:80", "127.0.0.1"])
        #expect(CallbackListener.authorities(of: 8080) == ["127.0.0.1:8080"])
        let line = "GET /callback?code=a HTTP/1.1"
        #expect(request(line, host: "127.0.0.1", among: ["127.0.0.1:80", "127.0.0.1"]) == .callback("code=a"))
    }

    @Test func thePageEscapesAndNamesItsLength() {
        let page = CallbackPage(status: 400, title: "<b>", text: "a & b")
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(text.contains("<h1>&lt;b&gt;</h1>"))
        #expect(text.contains("a &amp; b"))
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(text.contains("Content-Length: \(parts[1].utf8.count)\r\n"))
    }

    @Test(arguments: [
        ("http://127.0.0.1:1/callback?code=a&state=b#x", "code=a&state=b"), ("  code=a  ", "code=a"), ("", ""),
        ("http://127.0.0.1:1/callback", "http://127.0.0.1:1/callback"),
    ])
    func aPastedAddressGivesItsQuery(line: String, query: String) { #expect(PastedAnswer.query(in: line) == query) }
}
