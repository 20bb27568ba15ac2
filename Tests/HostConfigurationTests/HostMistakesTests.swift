import PlugCore
import Testing

@testable import HostConfiguration

/// Mistakes as operators make them: every one is told, once, where it is, and with what to do.
struct HostMistakesTests {
    @Test func aMistakeIsShownInItsLine() throws {
        let result = try HostSample.read("listen: 127.0.0.1:22100\nlimits:\n  memry: 64MiB\n  parallel: 0\n")
        #expect(
            HostSample.print(result) == """
                plughost.yaml:3:3: error: [unknown-key] 'memry' is not a key of limits
                      memry: 64MiB
                      ^~~~~
                  help: did you mean 'memory'?
                plughost.yaml:4:13: error: [out-of-range] 'parallel' must be from 1 to 10000
                      parallel: 0
                                ^

                """
        )
        #expect(result.settings == nil && result.status == .configuration)
    }

    static let mistakes: [(yaml: String, place: String, code: String, message: String, help: String?)] = [
        (
            "listne: 127.0.0.1:1", "1:1", "unknown-key", "'listne' is not a key of plughost.yaml",
            "did you mean 'listen'?"
        ),
        ("port: 80", "1:1", "unknown-key", "'port' is not a key of plughost.yaml", "write 'listen: 127.0.0.1:PORT'"),
        ("memory: 1GiB", "1:1", "unknown-key", "'memory' is not a key of plughost.yaml", "'memory' is a key of limits"),
        (
            "listen: 22100", "1:9", "bad-listen", "'22100' is not an address and a port to listen on",
            "write 127.0.0.1:22100"
        ),
        (
            "listen: \"*:80\"", "1:9", "bad-listen", "'*:80' is not an address and a port to listen on",
            "write the address itself; 0.0.0.0:80 is all of this machine's"
        ),
        (
            "listen: 127.0.0.1:70000", "1:9", "bad-listen",
            "'127.0.0.1:70000' is not an address and a port to listen on",
            "write an address and a port, such as 127.0.0.1:22100 or [::1]:22100"
        ),
        ("listen: ''", "1:9", "wrong-value", "'listen' is empty", nil),
        (
            "listen: 0.0.0.0:80", "1:9", "public-url-missing",
            "the host listens on 0.0.0.0:80, and 'public_url' does not say how others reach it",
            "add public_url: https://plugs.example.org, or listen on 127.0.0.1:80"
        ),
        (
            "public_url: plugs.example.org", "1:13", "bad-public-url", "'public_url' is not an http or https URL",
            "write the scheme and the host: https://plugs.example.org"
        ),
        (
            "public_url: https://x.org/app?a=1", "1:13", "bad-public-url",
            "'public_url' has more than a scheme and a host", "write https://x.org"
        ),
        (
            "public_url: http://x.org/app", "1:13", "bad-public-url",
            "'public_url' must be https: consents and tokens pass through it",
            "write https://x.org; http is for this machine alone"
        ),
        ("state: [a]", "1:8", "wrong-type", "'state' must be a text, not a list", nil),
        ("state: \"a\\nb\"", "1:8", "wrong-value", "'state' is not a text on one line", nil),
        ("plugs: Plugs", "1:8", "wrong-type", "'plugs' must be a list, not a text", "write it in brackets: [Plugs]"),
        (
            "plugs: [/nowhere]", "1:9", "plugs-missing", "'plugs' names /nowhere, and no manifest is there",
            "name a manifest, a folder with a plug.yaml, or a folder of such folders"
        ),
        ("providers: []", "1:12", "wrong-type", "'providers' must be a mapping, not a list", nil),
        (
            "providers: {google: {client_secret: {file: a}}}", "1:13", "missing-key",
            "'client_id' is missing in a provider", "'client_id' is the id that the service gave"
        ),
        (
            "providers: {google: {client_id: a, client_secret: {fil: b}}}", "1:52", "unknown-key",
            "'fil' is not a key of a secret", "did you mean 'file'?"
        ),
        (
            "providers: {google: {client_id: a, client_secret: {file: /nowhere/x}}}", "1:51", "file-missing",
            "there is no file '/nowhere/x'", "check the path; it is relative to the folder you are in"
        ),
        (
            "pda: {networks: [10.1.2.3/8]}", "1:18", "bad-cidr", "'10.1.2.3/8' is not a network",
            "write the network's first address and its bits, such as 10.0.0.0/8 or fd00::/8"
        ),
        (
            "trusted_proxies: [proxy.local]", "1:19", "bad-cidr", "'proxy.local' is not a network",
            "write the network's first address and its bits, such as 10.0.0.0/8 or fd00::/8"
        ),
        (
            "pda: {directory_upstream: dex.example}", "1:27", "bad-upstream",
            "'directory_upstream' is not the http or https address of a directory",
            "write it without a query: https://dex.example.org"
        ),
        (
            "limits: {memory: 1MiB}", "1:18", "not-a-size", "'1MiB' is not a size for 'memory'",
            "write a size of 16MiB or more"
        ),
        (
            "limits: {outbox: 8MB}", "1:18", "not-a-size", "'8MB' is not a size for 'outbox'",
            "write a size such as 500000, 64KiB, 8MiB or 1GiB"
        ),
        (
            "limits: {parallel: 64}\nlimits: {}", "2:1", "yaml-duplicate-key", "the key 'limits' is written twice",
            "first written on line 1, column 1; remove one of them"
        ),
        (
            "schedule: {every: 15}", "1:19", "bad-duration", "'15' is not a duration",
            "write a number and a unit: 500ms, 30s, 15m, 1h, 7d or 2w"
        ),
        ("schedule: {every: 10ms}", "1:19", "out-of-range", "'every' must be 1m or more", nil),
        (
            "schedule: {quiet: 10pm-6am}", "1:19", "bad-quiet", "'10pm-6am' is not a pair of times of the day",
            "write the beginning and the end: \"22:00-06:00\""
        ),
        (
            "schedule: {quiet: 24:00-06:00}", "1:19", "bad-quiet", "'24:00-06:00' is not a pair of times of the day",
            "write the beginning and the end: \"22:00-06:00\""
        ),
        (
            "schedule: {zone: Europe/Berln}", "1:18", "bad-zone", "'Europe/Berln' is not a time zone",
            "did you mean 'Europe/Berlin'?"
        ),
        ("retention: {runs: 0}", "1:19", "out-of-range", "'runs' must be from 1 to 1000000", nil),
        (
            "retention: {runs: ever}", "1:19", "bad-duration", "'ever' is not a duration",
            "write a number and a unit: 500ms, 30s, 15m, 1h, 7d or 2w"
        ),
        (
            "notify: {ops: {command: {run: []}}}", "1:31", "bad-notify", "'run' names no program",
            "write run: [/usr/local/bin/page]"
        ),
        ("operators: [ada, '']", "1:18", "wrong-value", "'operators' is empty", nil),
        ("limits:", "1:8", "wrong-type", "'limits' must be a mapping, not nothing", "indent its keys beneath it"),
        ("[listen]", "1:1", "wrong-type", "plughost.yaml is a mapping, not a list", nil),
        (
            "a: &x 1", "1:4", "yaml-anchor", "an anchor is not allowed in plughost.yaml",
            "write the value where it is needed"
        ),
        ("listen: [1", "1:9", "yaml-syntax", "this is not YAML: this '[' is not closed", "close it with ']'"),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsToldWhereItIs(yaml: String, place: String, code: String, message: String, help: String?) throws {
        let result = try HostSample.read(yaml + "\n")
        let told = result.findings.flatMap(\.diagnostics)
        #expect(told.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0)" } == [place])
        #expect(told.map(\.code.text) == [code])
        #expect(told.map(\.message) == [message])
        #expect(told.map(\.help) == [help])
        #expect(result.settings == nil)
    }

    @Test func aMistakeOfAVariableOrAnOptionIsShownThere() throws {
        let result = try HostSample.read(
            "limits: {parallel: 3}",
            variables: ["PLUGHOST_LIMITS_PARALLEL": "many", "PLUGHOST_PDA_NETWORKS": "10.0.0.0/8, 10.1.0.0/8"],
            options: [.publicURL: "http://x.org"]
        )
        #expect(
            HostSample.print(result) == """
                PLUGHOST_PDA_NETWORKS:1:13: error: [bad-cidr] '10.1.0.0/8' is not a network
                    10.0.0.0/8, 10.1.0.0/8
                                ^~~~~~~~~~
                  help: write the network's first address and its bits, such as 10.0.0.0/8 or fd00::/8
                PLUGHOST_LIMITS_PARALLEL:1:1: error: [wrong-type] 'parallel' must be a whole number, not a text
                    many
                    ^~~~
                --public-url:1:1: error: [bad-public-url] 'public_url' must be https: consents and tokens pass through it
                    http://x.org
                    ^~~~~~~~~~~~
                  help: write https://x.org; http is for this machine alone

                """
        )
        #expect(result.status == .configuration)
        let option = try HostSample.read("", options: [.listen: "80"])
        #expect(option.status == .usage)
    }

    @Test func aProviderThatNoPlugCanNameIsAWarning() throws {
        let result = try HostSample.read("providers: {Google: {client_id: a}}")
        #expect(
            HostSample.print(result) == """
                plughost.yaml:1:13: warning: [wrong-value] 'Google' is not the name of a provider
                    providers: {Google: {client_id: a}}
                                ^~~~~~
                  help: a provider is named as plugs name it: lower-case letters, digits and hyphens, at most 64

                """
        )
        #expect(result.settings != nil && result.status == .done)
    }

    @Test func everyCodeIsTold() throws {
        let told = Set(Self.mistakes.map(\.code))
        #expect(Set(HostCodes.settings.map(\.text)).subtracting(told) == [])
    }
}
