import Testing

@testable import PlugManifest

struct HostPatternTests {
    @Test func hostsWithoutAPortMeanTheSchemesOwn() {
        let pattern = HostPattern.parse("API.x.org")
        #expect(pattern?.matches(host: "api.X.org", port: nil, scheme: "https") == true)
        #expect(pattern?.matches(host: "api.x.org.", port: 443, scheme: "https") == true)
        #expect(pattern?.matches(host: "api.x.org", port: 80, scheme: "http") == true)
        #expect(pattern?.matches(host: "api.x.org", port: 8443, scheme: "https") == false)
        #expect(pattern?.matches(host: "evil-api.x.org", port: nil, scheme: "https") == false)
        #expect(pattern?.matches(host: "api.x.org.evil.org", port: nil, scheme: "https") == false)
    }

    @Test func wildcardsCoverOnlyWhatIsBelow() {
        let pattern = HostPattern.parse("*.wikipedia.org")
        #expect(pattern?.matches(host: "en.wikipedia.org", port: nil, scheme: "https") == true)
        #expect(pattern?.matches(host: "a.b.wikipedia.org", port: nil, scheme: "https") == true)
        #expect(pattern?.matches(host: "wikipedia.org", port: nil, scheme: "https") == false)
        #expect(pattern?.matches(host: ".wikipedia.org", port: nil, scheme: "https") == false)
        #expect(pattern?.matches(host: "notwikipedia.org", port: nil, scheme: "https") == false)
    }

    @Test func portsAndAddressesAreRead() {
        #expect(HostPattern.parse("127.0.0.1:9930")?.text == "127.0.0.1:9930")
        #expect(HostPattern.parse("[::1]:9930")?.matches(host: "[::1]", port: 9930, scheme: "http") == true)
    }

    @Test(arguments: [
        "", "https://x.org", "x.org/path", "user@x.org", "*", "*.", "*.org", "x..org", "-x.org", "x.org:0",
        "x.org:65536",
        "x.org:", "x.org:8o", "a b", "[x]", "*x.org", "::1",
    ])
    func anythingElseIsNoHost(text: String) {
        #expect(HostPattern.parse(text) == nil)
    }
}
