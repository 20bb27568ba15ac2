import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import TestKit
import Testing

@testable import HostConfiguration

/// What counts, and where it comes from.
struct HostSettingsTests {
    private func told(_ settings: HostSettings) -> [String] {
        settings.rows.map { "\($0.key) \($0.value.compactText) \($0.origin.place ?? $0.origin.kind)" }
    }

    @Test(arguments: ["", "# nothing but a comment\n", "{}"])
    func withoutAnythingTheDefaultsCount(text: String) throws {
        let settings = try HostSample.settings(text)
        #expect(
            told(settings) == [
                #"listen "127.0.0.1:22100" default"#, #"public_url "http://127.0.0.1:22100" default"#,
                "trusted_proxies [] default",
                #"state "/nowhere/.local/state/plughost" default"#, "plugs null default", "pda.networks [] default",
                "pda.directory_upstream null default", "source.networks [] default", "programs.trust [] default",
                "programs.folders [] default",
                "limits.parallel 64 default", #"limits.memory "160MiB" default"#,
                #"limits.outbox "8MiB" default"#, #"limits.outbox_total "1GiB" default"#,
                "limits.dead_letters 10000 default", #"limits.dead_letter_total "1GiB" default"#,
                #"limits.scratch "16GiB" default"#,
                #"schedule.every "1h" default"#, "schedule.quiet null default", #"schedule.zone "UTC" default"#,
                "retention.runs 100 default", "retention.dead_letters null default", "retention.outbox null default",
                "operators [] default",
            ]
        )
    }

    @Test func everyKeyOfAFileCounts() throws {
        let text = """
            listen: "[::]:443"
            public_url: https://plugs.example.org/
            state: data
            plugs: [\(HostSample.root)/Plugs]
            providers:
              google: {client_id: a}
            pda:
              networks: [10.0.0.0/8, "fd00::/8"]
              directory_upstream: https://dex.example.org/api
            programs: {trust: [tap-example], folders: [/opt/taps, taps]}
            limits: {parallel: 3, memory: 64MiB, outbox: 0, outbox_total: 5000, dead_letters: 20, scratch: 1GiB}
            schedule:
              every: 15m
              quiet: 22:00-06:00
              zone: Europe/Berlin
            retention: {runs: 90d, dead_letters: 365d, outbox: 30d}
            operators:
              - ada
              - "12"
            trusted_proxies: [127.0.0.1, "2001:db8::/32"]
            """
        let settings = try HostSample.settings(text)
        #expect(
            told(settings) == [
                #"listen "[::]:443" plughost.yaml:1"#, #"public_url "https://plugs.example.org" plughost.yaml:2"#,
                #"trusted_proxies ["127.0.0.1/32","2001:db8::/32"] plughost.yaml:20"#,
                #"state "data" plughost.yaml:3"#, "plugs [\"\(HostSample.root)/Plugs\"] plughost.yaml:4",
                #"providers.google.client_id "a" plughost.yaml:6"#,
                #"providers.google.client_secret null plughost.yaml:6"#,
                #"pda.networks ["10.0.0.0/8","fd00::/8"] plughost.yaml:8"#,
                #"pda.directory_upstream "https://dex.example.org/api" plughost.yaml:9"#,
                "source.networks [] default",
                #"programs.trust ["tap-example"] plughost.yaml:10"#,
                #"programs.folders ["/opt/taps","taps"] plughost.yaml:10"#,
                "limits.parallel 3 plughost.yaml:11", #"limits.memory "64MiB" plughost.yaml:11"#,
                #"limits.outbox "0" plughost.yaml:11"#, #"limits.outbox_total "5000" plughost.yaml:11"#,
                "limits.dead_letters 20 plughost.yaml:11", #"limits.dead_letter_total "1GiB" default"#,
                #"limits.scratch "1GiB" plughost.yaml:11"#,
                #"schedule.every "15m" plughost.yaml:13"#, #"schedule.quiet "22:00-06:00" plughost.yaml:14"#,
                #"schedule.zone "Europe/Berlin" plughost.yaml:15"#, #"retention.runs "90d" plughost.yaml:16"#,
                #"retention.dead_letters "365d" plughost.yaml:16"#, #"retention.outbox "30d" plughost.yaml:16"#,
                #"operators ["ada","12"] plughost.yaml:17"#,
            ]
        )
        #expect(settings.limits.memory == Setting(64 << 20, .file("plughost.yaml", line: 11)))
        var ofEachRun = RunLimits()
        ofEachRun.time = .seconds(86_400)
        ofEachRun.outbox.streamBytes = 0
        ofEachRun.outbox.hostBytes = 5000
        ofEachRun.deadLetters.letters = 20
        ofEachRun.scratch = 1 << 30
        #expect(settings.limits.ofEachRun == ofEachRun)
        #expect(settings.retention.runs.value == .age(.seconds(90 * 86_400)))
        #expect(settings.listen.value == ListenAddress(host: "::", port: 443))
    }

    /// Each key that a variable can hold, with a value for it that is not the default.
    static let values: [String: String] = [
        "listen": "127.0.0.1:1", "public_url": "https://x.org", "trusted_proxies": "127.0.0.1,::1", "state": "/tmp/x",
        "plugs": "\(HostSample.root)/Plugs",
        "pda.networks": "10.0.0.0/8,192.168.0.0/16", "pda.directory_upstream": "https://d.org/",
        "source.networks": "10.0.0.0/8",
        "programs.trust": "tap-example", "programs.folders": "/opt/taps", "limits.parallel": "7",
        "limits.memory": "32MiB", "limits.outbox": "1MiB", "limits.outbox_total": "2MiB", "limits.dead_letters": "3",
        "limits.dead_letter_total": "3MiB", "limits.scratch": "4MiB", "schedule.every": "2h",
        "schedule.quiet": "01:00-02:00", "schedule.zone": "Asia/Tokyo", "retention.runs": "5",
        "retention.dead_letters": "9d", "retention.outbox": "8d", "operators": "ada,bob",
    ]

    @Test func eachKeyHasAVariableThatGoesBeforeTheFile() throws {
        let keys = ConfigurationKey.all.filter { $0.variable != nil }
        #expect(Set(keys.map(\.path)) == Set(Self.values.keys))
        let usual = try HostSample.settings("")
        for key in keys {
            let variable = try #require(key.variable)
            let settings = try HostSample.settings("", variables: [variable: try #require(Self.values[key.path])])
            let changed = settings.rows.filter { !usual.rows.contains($0) }
            let others = key.path == "listen" ? ["public_url"] : []
            #expect(changed.map(\.key) == [key.path] + others)
            #expect(changed.first?.origin == .variable(variable))
            #expect(changed.first?.value != usual.rows.first { $0.key == key.path }?.value)
        }
    }

    @Test func anOptionGoesBeforeAVariableAndAVariableBeforeTheFile() throws {
        let text = "listen: 127.0.0.1:1\npublic_url: https://file.org\nstate: /file\n"
        let variables = [
            "PLUGHOST_LISTEN": "127.0.0.1:2", "PLUGHOST_PUBLIC_URL": "https://variable.org", "PLUGHOST_STATE": "",
        ]
        let options: [HostOption: String] = [.listen: "127.0.0.1:3", .directoryUpstream: "https://option.org/d"]
        let settings = try HostSample.settings(text, variables: variables, options: options)
        #expect(settings.listen == Setting(ListenAddress(host: "127.0.0.1", port: 3), .option("--listen")))
        #expect(settings.publicURL.value?.origin == "https://variable.org")
        #expect(settings.publicURL.origin == .variable("PLUGHOST_PUBLIC_URL"))
        #expect(settings.state == Setting("/file", .file("plughost.yaml", line: 3)))
        #expect(settings.pda.directoryUpstream.value?.description == "https://option.org/d")
        #expect(settings.pda.directoryUpstream.origin == .option("--directory-upstream"))
    }

    @Test func aPortThatIsNotKnownYetGivesNoAddress() throws {
        let settings = try HostSample.settings("listen: localhost:0")
        #expect(settings.publicURL == Setting(nil, .default))
    }

    @Test func httpIsForThisMachineOnly() throws {
        for host in ["127.0.0.1:8080", "localhost", "[::1]:22100"] {
            let settings = try HostSample.settings("public_url: http://\(host)")
            #expect(settings.publicURL.value?.origin == "http://\(host)")
        }
    }

    @Test func pathsBeginAtTheFolderOfTheFile() throws {
        try HostSample.withFolder { folder in
            try HostSample.write("", to: "\(folder)/etc/shop/plug.yaml")
            try HostSample.write("", to: "\(folder)/etc/many/a/plug.yaml")
            try HostSample.write("state: ../data\nplugs: [shop, many]\n", to: "\(folder)/etc/host.yaml")
            let sources = HostConfiguration.Sources(file: "\(folder)/etc/host.yaml", environment: ["HOME": folder])
            let settings = try #require(try HostConfiguration.read(sources).settings)
            #expect(settings.state.value == "\(folder)/etc/../data")
            #expect(settings.plugs.value == ["\(folder)/etc/shop", "\(folder)/etc/many"])
        }
    }

    @Test func aPathOfAnotherMachineMayBeOverruled() throws {
        let plugs = "\(HostSample.root)/Plugs"
        let settings = try HostSample.settings("plugs: [/elsewhere]", variables: ["PLUGHOST_PLUGS": plugs])
        #expect(settings.plugs == Setting([plugs], .variable("PLUGHOST_PLUGS")))
    }

    @Test func theFileIsNamedOrInTheStateFolder() throws {
        try HostSample.withFolder { folder in
            for name in ["named", "variable", "state", "usual/.local/state/plughost", "option"] {
                try HostSample.write("operators: [\(name.prefix(5))]", to: "\(folder)/\(name)/plughost.yaml")
            }
            func operators(_ sources: HostConfiguration.Sources) throws -> [String]? {
                try HostConfiguration.read(sources).settings?.operators.value
            }
            var environment = ["HOME": "\(folder)/usual"]
            #expect(try operators(.init(environment: environment)) == ["usual"])
            environment["PLUGHOST_STATE"] = "\(folder)/state"
            #expect(try operators(.init(environment: environment)) == ["state"])
            #expect(
                try operators(.init(options: [.state: "\(folder)/option"], environment: environment)) == ["optio"]
            )
            environment["PLUGHOST_CONFIG"] = "\(folder)/variable/plughost.yaml"
            #expect(try operators(.init(environment: environment)) == ["varia"])
            let named = HostConfiguration.Sources(file: "\(folder)/named/plughost.yaml", environment: environment)
            #expect(try operators(named) == ["named"])
        }
    }

    @Test func aFileThatWasNamedHasToBeThere() throws {
        for sources in [
            HostConfiguration.Sources(file: "/nowhere/a", environment: [:]),
            HostConfiguration.Sources(environment: ["PLUGHOST_CONFIG": "/nowhere/a", "HOME": "/"]),
        ] {
            let error = #expect(throws: PlugError.self) { try HostConfiguration.read(sources) }
            #expect(error?.code == "file-missing" && error?.exit == .configuration)
        }
        let none = try HostConfiguration.read(.init(environment: ["HOME": "/nowhere"]))
        #expect(!none.isThere && none.file == "/nowhere/.local/state/plughost/plughost.yaml")
        let homeless = #expect(throws: PlugError.self) { try HostConfiguration.read(.init(environment: [:])) }
        #expect(homeless?.code == "state-nowhere")
    }
}
