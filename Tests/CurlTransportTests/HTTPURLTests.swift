import CurlTransport
import Testing

struct HTTPURLTests {
    @Test func aURLThatItsQueryMadeTooLongIsRefusedWhenItIsSent() throws {
        let url = try HTTPURL("https://example.org/")
        func sent(_ query: String) throws -> String {
            var request = HTTPRequest(to: url.with(query: query), side: .source)
            return try request.address().description
        }
        let longest = String(repeating: "a", count: 16_384 - "https://example.org/?".utf8.count)
        #expect(try sent(longest) == "https://example.org/?\(longest)")
        let error = #expect(throws: HTTPError.self) { try sent(longest + "a") }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains("is longer than 16,384 bytes") == true)
    }

    @Test(arguments: [
        ("https://example.org", "https://example.org/"),
        ("HTTPS://EXAMPLE.Org:443/A?B#C", "https://example.org/A?B"),
        ("http://example.org:80", "http://example.org/"),
        ("http://example.org:443/", "http://example.org:443/"),
        ("https://example.org:/x", "https://example.org/x"),
        ("https://example.org?q=1", "https://example.org/?q=1"),
        ("https://example.org#f", "https://example.org/"),
        ("https://example.org/a/./b/../c", "https://example.org/a/c"),
        ("https://example.org/a/%2e%2E/b", "https://example.org/b"),
        ("https://example.org/../../x", "https://example.org/x"),
        ("https://example.org/a/..", "https://example.org/"),
        ("https://example.org/a/.", "https://example.org/a/"),
        ("https://example.org/.well-known/..x/x..", "https://example.org/.well-known/..x/x.."),
        ("https://example.org//a//b", "https://example.org//a//b"),
        ("https://example.org/a b/ü", "https://example.org/a%20b/%C3%BC"),
        ("https://example.org/%7Ea%2Fb", "https://example.org/%7Ea%2Fb"),
        ("https://example.org/?a=b c&d=\"<>", "https://example.org/?a=b%20c&d=%22%3C%3E"),
        ("https://example.org/?f[from]=1&u=http://x/?y", "https://example.org/?f[from]=1&u=http://x/?y"),
        ("https://example.org/?", "https://example.org/?"),
        ("https://[::1]:8443/", "https://[::1]:8443/"),
        ("https://[0:0::FFFF:127.0.0.1]/", "https://[::ffff:127.0.0.1]/"),
        ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
        ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
        ("https://a_b.example-1.org/", "https://a_b.example-1.org/"),
    ])
    func urlsHaveOneForm(text: String, normal: String) throws {
        let url = try HTTPURL(text)
        #expect(url.description == normal)
        #expect(try HTTPURL(normal) == url)
    }

    @Test(arguments: [
        "", " ", "example.org", "//example.org/", "/path", "https:", "https:/example.org", "https:example.org",
        "https://", "https:///path", "https://?q", "https://:80/", "https://user@example.org/",
        "https://user:secret@example.org/", "https://good.example@evil.example/", "https://@example.org/",
        "https://example.org\\@evil.example/", "https:\\\\example.org", "https://example.org/\\x",
        "https://example.org/\u{0}", "https://example.org/\n", "https://exa\tmple.org/", "\u{1}https://example.org/",
        "https://example.org/\u{7F}", " https://example.org/", "https://example.org/ ", "https://exam ple.org/",
        "https://example.org:0/", "https://example.org:65536/", "https://example.org:99999999999/",
        "https://example.org:80a/", "https://example.org:-1/", "https://example.org:+80/", "https://example.org:8:8/",
        "https://example.org./", "https://.example.org/", "https://example..org/", "https://./", "https://-%41.org/",
        "https://%31%32%37.0.0.1/", "https://ex%61mple.org/", "https://bücher.example/", "https://１２７.0.0.1/",
        "https://127。0。0。1/", "https://ⓔxample.org/", "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/",
        "https://017700000001/", "https://0177.0.0.1/", "https://127.1/", "https://127.0.1/", "https://127.0.0.0x1/",
        "https://127.0.0.1./", "https://127.0.0.256/", "https://127.0.0.01/", "https://1.2.3.4.5/", "https://0/",
        "https://example.0x1/", "https://[::1/", "https://[::1]x/", "https://[fe80::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[127.0.0.1]/", "https://[]/", "https://[::g]/", "https://::1/", "https://a[b]/",
        "https://example.org/%",
        "https://example.org/%2", "https://example.org/%zz", "https://example.org/?%", "https://ex<ample.org/",
        "https://\(String(repeating: "a", count: 64)).org/",
        "https://\(String(repeating: "a.", count: 130))org/",
        "https://example.org/\(String(repeating: "a", count: 20_000))",
    ])
    func deceptiveSpellingsAreRefused(text: String) {
        #expect(throws: HTTPError.self) { try HTTPURL(text) }
    }

    @Test(arguments: ["ftp://x/", "file:///etc/passwd", "unix:/run/x", "gopher://x/", "javascript:alert(1)", "ws://x/"])
    func otherSchemesAreRefused(text: String) {
        let error = #expect(throws: HTTPError.self) { try HTTPURL(text) }
        #expect(error?.code == .schemeRefused)
    }

    /// The examples of RFC 3986, section 5.4, with http for a scheme.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("https://other.example:8443/z", "https://other.example:8443/z"), ("?", "http://a/b/c/d;p?"),
    ])
    func referencesLeadWhereTheStandardSays(reference: String, target: String) throws {
        let base = try HTTPURL("http://a/b/c/d;p?q")
        #expect(try HTTPURL.resolve(reference: reference, against: base).description == target)
    }

    @Test(arguments: [
        "http:g", "http:", "//user@evil/", "//", "///x", "\\\\evil\\x", "/\\evil", "javascript:x", "//127.1/",
    ])
    func hostileReferencesAreRefused(reference: String) throws {
        let base = try HTTPURL("http://a/b/c/d;p?q")
        #expect(throws: HTTPError.self) { try HTTPURL.resolve(reference: reference, against: base) }
    }

    @Test func partsAreGivenAsTheyAreSent() throws {
        let url = try HTTPURL("https://Example.org/a?b=c")
        #expect([url.scheme, url.host, url.path, url.query] == ["https", "example.org", "/a", "b=c"])
        #expect(url.port == 443)
        #expect(url.hostAndPort == "example.org:443")
        #expect(url.origin == "https://example.org")
        #expect(url.withoutQuery == "https://example.org/a")
        #expect(url.with(query: nil).description == "https://example.org/a")
    }

    @Test func errorsDoNotRepeatTheURL() {
        let error = #expect(throws: HTTPError.self) { try HTTPURL("https://user:canary@example.org/canary?canary") }
        #expect(error?.message.contains("canary") == false)
    }
}
