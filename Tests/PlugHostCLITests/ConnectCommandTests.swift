import Foundation
import LosslessJSON
import PlugCore
import PlugHostCLI
import TestKit
import Testing

/// `plughost connect` with a clock of the test, and where the OAuth client comes from.
@Suite(.fewAtATime)
struct ConnectCommandTests {
    /// A service, a plug for it, and a folder.
    private struct World: Sendable {
        let folder: String
        let server: OAuthServer

        var plug: String { folder + "/plug.yaml" }
        var state: String { folder + "/state" }

        /// Connects `ada`.
        func connect(
            _ more: String...,
            environment: [String: String] = [:],
            clock: any HostClock = HastyClock()
        ) async -> Ended {
            let arguments = [
                "connect", plug, "--connection", "ada", "--pda", "https://ada.example", "--no-browser", "--state",
                state, "--allow-network", "source=127.0.0.0/8",
            ]
            return await Program.run(arguments + more, environment: environment, clock: clock)
        }

        /// Writes a file that nobody else can read, unless said otherwise.
        func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: URL(filePath: path).deletingLastPathComponent().path,
                withIntermediateDirectories: true
            )
            try FilesHere.write(text, to: path)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }
    }

    private static let device =
        "oauth2: {grant: device_code, device: {url: \"URL/device\"}, token: {url: \"URL/token\"}}"
    private static let code = "oauth2: {authorize: {url: \"URL/authorize\"}, token: {url: \"URL/token\"}}"

    private func withWorld(
        _ auth: String,
        config: String = "",
        check: String = "check: {request: {path: /me}, who: .name}\n",
        _ service: OAuthService = OAuthService(),
        _ body: (World) async throws -> Void
    ) async throws {
        let server = try OAuthServer(service)
        defer { server.stop() }
        try await Program.withFolder { folder in
            let url = "http://\(server.authority)"
            let yaml =
                "plug: my-plug\napi: 1\nversion: 1.0.0\nhosts: [\"\(server.authority)\"]\n\(config)auth:\n  \(auth)\n\(check)"
                + "http: {base: URL, retry: {tries: 1}}\n"
                + "streams: {items: {endpoint: items, key: .id, version: none, request: {path: /items}}}\n"
            try FilesHere.write(yaml.replacing("URL", with: url), to: folder + "/plug.yaml")
            try await body(World(folder: folder, server: server))
        }
    }

    @Test func aMockTakesTheServicesPlace() async throws {
        try await withWorld(Self.device) { world in
            let plug = try String(contentsOfFile: world.plug, encoding: .utf8)
            let service = "https://api.example.org"
            try FilesHere.write(
                plug.replacing("http://\(world.server.authority)", with: service).replacing(
                    "hosts: [\"\(world.server.authority)\"]",
                    with: "hosts: [api.example.org]"
                ),
                to: world.plug
            )
            let ended = await Program.run(
                [
                    "connect", world.plug, "--connection", "ada", "--pda", "https://ada.example", "--no-browser",
                    "--state",
                    world.state, "--source", "\(service)=http://\(world.server.authority)",
                ],
                environment: ["PLUGHOST_CLIENT_MY_PLUG_ID": "client", "PLUGHOST_CLIENT_MY_PLUG_SECRET": "s3cr3t"],
                clock: HastyClock()
            )
            #expect(ended.status == .done && ended.output == "connected ada as ann\n", "\(ended.errors)")
        }
    }

    @Test func aTokenAddressThatMayNotBeAskedIsToldBeforeTheConsent() async throws {
        try await withWorld(Self.code) { world in
            let ended = await Program.run(
                [
                    "connect", world.plug, "--connection", "ada", "--pda", "https://ada.example", "--no-browser",
                    "--state",
                    world.state,
                ],
                environment: ["PLUGHOST_CLIENT_MY_PLUG_ID": "client", "PLUGHOST_CLIENT_MY_PLUG_SECRET": "s3cr3t"],
                clock: ImpatientClock()
            )
            #expect(ended.errors.contains("[token-address]"), "\(ended.errors)")
            #expect(!ended.errors.contains("/authorize"))
        }
    }

    // MARK: - Waiting

    /// A clock on which every time limit is over at once.
    private struct ImpatientClock: HostClock {
        func now() -> Int64 { StillClock().now() }
        func random() -> Double { 0.5 }
        func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
        func timeout(after duration: Duration) async throws { try Task.checkCancellation() }
    }

    @Test func nobodyComesBackInFiveMinutes() async throws {
        try await withWorld(Self.code) { world in
            let secret = try world.write("s3cr3t", to: "secret")
            let ended = await world.connect(
                "--client-id",
                "client",
                "--client-secret",
                "@\(secret)",
                clock: ImpatientClock()
            )
            #expect(ended.status == .authorisation && ended.errors.contains("[consent-expired]"))
            #expect(
                ended.errors.hasSuffix("did not come back within five minutes\n  help: run 'plughost connect' again\n")
            )
            // There is nothing to keep, so nothing is made.
            let list = await Program.run(["connection", "list", "--state", world.state])
            #expect(!list.output.contains("ada"))
        }
    }

    @Test func aDeviceIsAskedMoreRarelyWhereTheServiceWantsIt() async throws {
        var service = OAuthService()
        service.deviceErrors = ["authorization_pending", "slow_down", "slow_down", "authorization_pending"]
        try await withWorld(Self.device, service) { world in
            let clock = HastyClock()
            let (begin, start) = (clock.now(), SystemClock().now())
            let ended = await world.connect(
                environment: ["PLUGHOST_CLIENT_MY_PLUG_ID": "client", "PLUGHOST_CLIENT_MY_PLUG_SECRET": "s3cr3t"],
                clock: clock
            )
            #expect(ended.status == .done && ended.output == "connected ada as ann\n", "\(ended.errors)")
            #expect(ended.errors.contains("WDJB-MJHT"))
            // 5 + 5 + 10 + 15 + 15 seconds, none of which has passed.
            let skipped = (clock.now() - begin) - (SystemClock().now() - start)
            #expect((49_000_000...50_100_000).contains(skipped), "\(skipped)")
        }
    }

    @Test("the configuration chooses one of several, and only that one asks")
    func oneOfSeveral() async throws {
        let config = "config: {kind: {type: string}, key: {type: string, secret: true}}\n"
        let auth =
            "any_of: {by: \"{{ config.kind }}\", of: {app: {\(Self.device)}, key: {bearer: {token: \"{{ config.key }}\"}}}}"
        try await withWorld(auth, config: config) { world in
            let environment = ["PLUGHOST_CLIENT_MY_PLUG_ID": "client", "PLUGHOST_CLIENT_MY_PLUG_SECRET": "s3cr3t"]
            let app = await world.connect("--config", "kind=app", environment: environment)
            #expect(app.status == .done && app.output == "connected ada as ann\n", "\(app.errors)")
            let other = await world.connect("--config", "kind=other", environment: environment)
            #expect(other.status == .configuration && other.errors.contains("[auth-choice]"), "\(other.errors)")
        }
    }

    @Test func aDeviceCodeThatNobodyConfirmsEnds() async throws {
        var service = OAuthService()
        service.deviceErrors = Array(repeating: "authorization_pending", count: 1000)
        try await withWorld(Self.device, service) { world in
            let secret = try world.write("s3cr3t", to: "secret")
            let ended = await world.connect("--client-id", "client", "--client-secret", "@\(secret)")
            #expect(ended.status == .authorisation, "\(ended.errors)")
            #expect(ended.errors.contains("[consent-expired]") && ended.errors.contains("not confirmed in time"))
        }
    }

    // MARK: - Clients

    @Test func aClientComesFromOptionsElseVariablesElseAFile() async throws {
        try await withWorld(Self.device) { world in
            func use(_ id: String, _ secret: String) { world.server.set { $0.client = (id, secret) } }
            use("by-file", "file secret")
            _ = try world.write("file secret\n", to: "state/my.secret")
            _ = try world.write(
                "my-plug: {client_id: by-file, client_secret: {file: my.secret}}\n",
                to: "state/providers.yaml"
            )
            #expect(await world.connect().status == .done)
            use("by-variable", "variable secret")
            let secret = try world.write("variable secret", to: "secret")
            let variables = [
                "PLUGHOST_CLIENT_MY_PLUG_ID": "by-variable", "PLUGHOST_CLIENT_MY_PLUG_SECRET_FILE": secret,
            ]
            #expect(await world.connect(environment: variables).status == .done)
            use("by-option", "option secret")
            let option = try world.write("option secret", to: "option")
            let ended = await world.connect(
                "--client-id",
                "by-option",
                "--client-secret",
                "@\(option)",
                environment: variables
            )
            #expect(ended.status == .done, "\(ended.errors)")
        }
    }

    @Test func aSecretThatOthersCanReadIsRefused() async throws {
        try await withWorld(Self.device) { world in
            let file = try world.write("my-plug: {client_id: a, client_secret: hush}\n", to: "providers", mode: 0o640)
            let open = await world.connect("--providers", file)
            #expect(open.status == .configuration && open.errors.contains("[providers-open]"))
            #expect(open.errors.contains("chmod 600") && !open.errors.contains("hush"))
            let visible = await world.connect("--client-id", "a", "--client-secret", "hush")
            #expect(visible.status == .usage && visible.errors.contains("[client-option]"))
            #expect(!visible.errors.contains("hush"))
            let none = await world.connect()
            #expect(none.status == .configuration && none.errors.contains("[client-missing]"))
            #expect(none.errors.contains("providers.yaml"))
        }
    }

    // MARK: - Accounts

    @Test func credentialsThatNeedNoConsentAreChecked() async throws {
        let config = "config: {key: {type: string, secret: true}}\n"
        try await withWorld("bearer: {token: \"{{ config.key }}\"}", config: config) { world in
            world.server.set { $0.live["good-key"] = "" }
            let good = await world.connect("--config", "key=@\(try world.write("good-key", to: "key"))")
            #expect(good.output == "connection ada: the credentials are accepted as ann\n", "\(good.errors)")
            let bad = await world.connect("--config", "key=@\(try world.write("bad-key", to: "key"))")
            #expect(bad.status == .authorisation && bad.errors.contains("[source-unauthorised]"))
            let shown = await Program.run(["connection", "show", "ada", "--json", "--state", world.state])
            #expect(shown.json.first?["account"]?["who"] == .text("ann"))
        }
    }

    @Test func whereThereIsNothingToConnectThatIsSaid() async throws {
        try await withWorld("none", check: "") { world in
            let ended = await world.connect()
            #expect(ended.status == .done && ended.output == "")
            #expect(ended.errors.contains("the plug needs no consent, and has no 'check'"))
        }
    }

    @Test func aConsentThatDoesNotServeTakesNobodysPlace() async throws {
        try await withWorld(Self.device) { world in
            let secret = try world.write("s3cr3t", to: "secret")
            func connect() async -> Ended {
                await world.connect("--client-id", "client", "--client-secret", "@\(secret)")
            }
            #expect(await connect().status == .done)
            let before = await Program.run(["connection", "show", "ada", "--state", world.state]).output
            world.server.set { $0.faults = [.body(#"{"access_token":"of-no-use","refresh_token":"r"}"#)] }
            let ended = await connect()
            #expect(ended.status == .authorisation && ended.errors.contains("[source-unauthorised]"), "\(ended.errors)")
            #expect(await Program.run(["connection", "show", "ada", "--state", world.state]).output == before)
        }
    }
}
