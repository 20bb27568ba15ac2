import PlugCore
import Synchronization
import TestKit
import Testing

@Suite(.fewAtATime)
struct TraceTests {
    private static let stream = """
        items:
          endpoint: items
          request: {path: /items}
          records: .items
          key: [.id]
          version: none
        """
    private static let auth = [
        "config: {token: {type: string, secret: true}}", "auth: {bearer: {token: '{{ config.token }}'}}",
    ]

    /// What a run says of its requests, without what depends on the machine.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).map { line in
            line.replacing(#/[0-9]+ ms/#, with: "1 ms").replacing(#/127\.0\.0\.1:[0-9]+/#, with: "mock")
        }
    }

    @Test func whatAnAnswerIssuesIsNowhereInIt() async throws {
        // The new one begins as the one that is known.
        let issued = "topsecret-issued-71+/"
        let forms = [issued, Base64.encoded(Array("x:\(issued)".utf8)), Hexadecimal.encoded(Array(issued.utf8))]
        let server = try WrittenSource.serve { _ in
            let echo = forms.joined(separator: " ")
            return (
                200, ["Content-Type: application/json", "X-Debug: \(echo)"],
                #"{"items":[{"id":1}],"debug":"\#(echo)","refresh_token":"\#(issued)"}"#
            )
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, keys: Self.auth, to: folder)
            try FilesHere.write("topsecret", to: "\(folder)/token")
            let ended = await Program.run(
                ["run", folder, "--dry-run", "--trace", "--config", "token=@\(folder)/token"]
                    + WrittenSource.options(server)
            )
            #expect(ended.status == .done)
            #expect(!ended.errors.contains("issued-71"), "\(ended.errors)")
            #expect(!ended.errors.contains(Base64.encoded(Array("-issued".utf8)).prefix(8)), "\(ended.errors)")
            #expect(!ended.errors.contains(Hexadecimal.encoded(Array("issued".utf8))), "\(ended.errors)")
            #expect(ended.errors.contains("X-Debug: <redacted>"), "\(ended.errors)")
        }
    }

    /// A service that quotes what it was sent, in whatever encoding.
    @Test func messagesDoNotRepeatASecretInOtherEncodings() async throws {
        let secret = "topsecret-sent-71+/"
        let forms = [secret, Base64.encoded(Array("x:\(secret)".utf8)), Hexadecimal.encoded(Array(secret.utf8))]
        let server = try WrittenSource.serve { _ in
            (403, ["Content-Type: application/json"], #"{"message":"not with \#(forms.joined(separator: " "))"}"#)
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, keys: Self.auth, to: folder)
            try FilesHere.write(secret, to: "\(folder)/token")
            let ended = await Program.run(
                ["run", folder, "--dry-run", "--config", "token=@\(folder)/token"] + WrittenSource.options(server)
            )
            #expect(ended.status == .authorisation)
            #expect(ended.errors.contains("it says: not with <redacted>"), "\(ended.errors)")
            #expect(!ended.errors.contains("sent-71") && !ended.errors.contains("73656e74"), "\(ended.errors)")
            #expect(!ended.errors.contains(Base64.encoded(Array("-sent-".utf8))), "\(ended.errors)")
        }
    }

    @Test func whatAServiceSaysIsNeitherToldNorKeptByARunThatDelivers() async throws {
        let server = try WrittenSource.serve { _ in
            (403, ["Content-Type: application/json"], #"{"message":"Ada Lovelace may not"}"#)
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, keys: [], to: folder)
            let dry = await Program.run(["run", folder, "--dry-run", "--json"] + WrittenSource.options(server))
            let said =
                "/items was answered with 403: the source does not accept the credentials for this request; it says: "
            #expect(dry.errors.contains(said + "Ada Lovelace may not"), "\(dry.errors)")
            // Requests that no page came of are counted, too.
            #expect(dry.output.contains(#""requests":1"#), "\(dry.output)")
        }
    }

    @Test(arguments: [(true, "Ada Lovelace may not"), (false, "<20 characters, shown by --dry-run>")])
    func whatAServiceSaysIsShownToWhoRunsItAtATerminal(isTerminal: Bool, words: String) async throws {
        let server = try WrittenSource.serve { _ in
            (403, ["Content-Type: application/json"], #"{"message":"Ada Lovelace may not"}"#)
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, keys: [], to: folder)
            let now = SystemClock().now() / 1_000_000
            let claims = Base64URL.encode(
                Array(#"{"iss":"127.0.0.1:1","iat":\#(now - 60),"application":"shelf"}"#.utf8)
            )
            try FilesHere.write("e30.\(claims).c2ln", to: "\(folder)/token")
            let more = ["--pda", "http://127.0.0.1:1", "--token-file", "\(folder)/token", "--state", "\(folder)/state"]
            let ended = await Program.run(
                ["run", folder] + more + WrittenSource.options(server),
                errorsTerminal: isTerminal
            )
            #expect(ended.errors.contains("it says: \(words)\n"), "\(ended.errors)")
        }
    }

    @Test("of an answer that gives tokens the names are shown, whatever the service calls them")
    func tokensWithUnusualNames() async throws {
        let server = try WrittenSource.serve { request in
            guard request.target.hasPrefix("/login") else {
                return (200, ["Content-Type: application/json"], #"{"items":[{"id":1}]}"#)
            }
            return (
                200, ["Content-Type: application/json", "X-Auth: SESS-token-77"],
                #"{"data":{"sid":"SESS-token-77","n":5},"t":"SESS-token-77","error":null,"expires_in":60}"#
            )
        }
        defer { server.stop() }
        let auth = [
            "auth:", "  login:", "    request: {method: POST, path: /login}", "    token: .data.sid",
            "    use: {in: header, name: X-Session, value: '{{ token }}'}",
        ]
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, keys: auth, to: folder)
            let ended = await Program.run(["run", folder, "--dry-run", "--trace"] + WrittenSource.options(server))
            #expect(ended.status == .done, "\(ended.errors)")
            #expect(!ended.errors.contains("SESS"), "\(ended.errors)")
            #expect(ended.errors.contains("  < X-Auth: <redacted>"), "\(ended.errors)")
            let body =
                #"  < {"data":{"sid":"<redacted>","n":"<redacted>"},"t":"<redacted>","error":null,"expires_in":60}"#
            #expect(ended.errors.contains(body), "\(ended.errors)")
        }
    }

    @Test func everyTryIsShownWithoutSecrets() async throws {
        let count = Mutex(0)
        let server = try WrittenSource.serve { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let echo = request.header("authorization") ?? ""
            if number == 1 { return (500, ["Retry-After: 0"], "first \u{1B}[31m\(echo)") }
            return (
                200, ["Content-Type: application/json", "Set-Cookie: s=1"],
                #"{"items":[{"id":1}],"echo":"\#(echo)","access_token":"fresh-and-unknown"}"#
            )
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, keys: Self.auth, to: folder)
            try FilesHere.write("topsecret", to: "\(folder)/token")
            let ended = await Program.run(
                ["run", folder, "--dry-run", "--trace", "--config", "token=@\(folder)/token"]
                    + WrittenSource.options(server)
            )
            #expect(ended.status == .done)
            #expect(ended.output == #"{"data":{"_id":"shelf/items/1","id":1},"endpoint":"shelf/items"}"# + "\n")
            let shown = lines(ended.errors)
            #expect(
                shown.filter { !$0.hasPrefix("  > ") && !$0.contains("shelf (") && !$0.contains("1 to deliver") } == [
                    "source GET https://api.example.org/items: 500, 27 bytes, 1 ms", "  < Content-Length: 27",
                    "  < Retry-After: 0", #"  < first \u001b[31mBearer <redacted>"#,
                    "items: waiting 0 s for the source (retry-after)",
                    "source GET https://api.example.org/items: 200, 81 bytes, 1 ms", "  < Content-Length: 81",
                    "  < Content-Type: application/json", "  < Set-Cookie: <redacted>",
                    #"  < {"items":[{"id":1}],"echo":"Bearer <redacted>","access_token":"<redacted>"}"#,
                ]
            )
            #expect(shown.filter { $0 == "  > Authorization: <redacted>" }.count == 2)
            #expect(!ended.errors.contains("topsecret"))
        }
    }

    @Test("a secret that a service repeats in another encoding is not shown", arguments: ["run", "try"])
    func encodedSecretsAreNotShown(command: String) async throws {
        let secret = "t0p/secret+k?y~17"
        func base64(_ text: String) -> String { Base64.encoded(Array(text.utf8)) }
        let digits = Hexadecimal.encoded(Array(secret.utf8))
        let alphabet = [("+", "-"), ("/", "_"), ("=", "")]
        let forms = [
            base64(secret), base64("\(secret)?"), base64("x\(secret)"), base64("ada:\(secret):\(secret)"),
            base64("p?~\(secret)"), alphabet.reduce(base64("??\(secret)~")) { $0.replacing($1.0, with: $1.1) },
            base64("p?~\(secret)").replacing("/", with: "\\/"), base64(base64(secret)), digits, digits.uppercased(),
            secret.utf8.map { "%" + Hexadecimal.encoded([$0]) }.joined(), "t0p%2Fsecret%2Bk%3Fy~17",
            "t0p%252Fsecret%252Bk%253Fy%7E17", "t0p\\/secret+k?y~17",
            secret.utf8.map { "\\u00" + Hexadecimal.encoded([$0]) }.joined(),
        ]
        let server = try WrittenSource.serve { _ in
            let echoes = forms.map { "\"\($0)\"" }.joined(separator: ",\n")
            return (200, ["X-Echo: \(forms[0]) \(digits)"], "{\"items\":[{\"id\":1}],\"e\":[\n\(echoes)\n]}")
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, keys: Self.auth, to: folder)
            try FilesHere.write(secret, to: "\(folder)/token")
            let ended = await Program.run(
                [command, folder, "--trace", "--config", "token=@\(folder)/token"]
                    + (command == "run" ? ["--dry-run"] : [])
                    + WrittenSource.options(server)
            )
            #expect(ended.status == .done, "\(ended.errors)")
            let shown = ended.errors.split(separator: "\n").filter { $0.hasPrefix("  < ") }.map { $0.dropFirst(4) }
            #expect(shown.contains("X-Echo: <redacted> <redacted>"))
            let echoes = shown.filter { $0.hasPrefix("\"") }
            #expect(echoes.count == forms.count)
            for (form, echo) in zip(forms, echoes) {
                // Of base64 the characters of what stands beside the secret are left.
                let rest = echo.replacing("<redacted>", with: "").filter { $0.isLetter || $0.isNumber }
                #expect(echo.contains("<redacted>") && rest.count <= 7, "\(form) is shown as \(echo)")
            }
            #expect(!ended.errors.contains(secret) && !ended.output.contains(secret))
        }
    }

    @Test func linksAndRedirectsOfAMockLeadBackToIt() async throws {
        let asked = Mutex<[String]>([])
        let server = try WrittenSource.serve { request in
            asked.withLock { $0.append(request.target + " " + (request.header("authorization") ?? "")) }
            let own = "http://" + (request.header("host") ?? "")
            switch request.target {
            case "/items": return (302, ["Location: \(own)/moved"], "")
            case "/moved":
                return (200, [], #"{"items":[{"id":1}],"next":"\#(own.replacing("/", with: "\\/"))\/items?page=2"}"#)
            case "/items?page=2":
                return (200, [], #"{"items":[{"id":2}],"next":"https://api.example.org/items?page=3"}"#)
            default: return (200, [], #"{"items":[{"id":3,"self":"\#(own)0/x"}],"next":null}"#)
            }
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            let stream = Self.stream + "\n  page: {next: .next}"
            try WrittenSource.write(streams: stream, keys: Self.auth, to: folder)
            try FilesHere.write("topsecret", to: "\(folder)/token")
            let ended = await Program.run(
                ["run", folder, "--dry-run", "--config", "token=@\(folder)/token"] + WrittenSource.options(server)
            )
            #expect(ended.status == .done, "\(ended.errors)")
            #expect(ended.output.split(separator: "\n").count == 3)
            #expect(
                asked.withLock { $0 } == [
                    "/items Bearer topsecret", "/moved Bearer topsecret", "/items?page=2 Bearer topsecret",
                    "/items?page=3 Bearer topsecret",
                ]
            )
        }
    }

    @Test func anAddressOfTokensThatASettingCompletesLeadsToAMock() async throws {
        let asked = Mutex<[String]>([])
        let server = try WrittenSource.serve { request in
            asked.withLock { $0.append(request.target + " " + (request.header("authorization") ?? "")) }
            return request.target == "/token"
                ? (200, [], #"{"access_token":"new","expires_in":3600}"#) : (200, [], #"{"items":[{"id":1}]}"#)
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            let keys = [
                "config: {area: {type: string, default: com}, secret: {type: string, secret: true}}",
                "auth: {oauth2: {grant: client_credentials, client_id: me, client_secret: '{{ config.secret }}', "
                    + "token: {url: 'https://accounts.example.{{ config.area }}/token'}}}",
            ]
            try WrittenSource.write(streams: Self.stream, keys: keys, to: folder)
            try FilesHere.write("topsecret", to: "\(folder)/secret")
            let ended = await Program.run(
                ["run", folder, "--dry-run", "--config", "secret=@\(folder)/secret", "--state", folder + "/state"]
                    + WrittenSource.options(server)
                    + ["--source", "https://accounts.example.com=http://\(server.authority)"]
            )
            #expect(ended.status == .done, "\(ended.errors)")
            #expect(asked.withLock { $0 } == ["/token ", "/items Bearer new"])
            let other = await Program.run(
                [
                    "run", folder, "--dry-run", "--config", "secret=@\(folder)/secret", "--state", folder + "/state",
                    "--source", "https://account.example.com=http://127.0.0.1:1",
                ]
            )
            #expect(other.errors.contains("no plug sends requests to https://account.example.com"), "\(other.errors)")
        }
    }

    @Test func anOriginThatThePlugDoesNotAskIsRefused() async throws {
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, to: folder)
            func refusal(_ options: [String]) async -> String {
                let ended = await Program.run(["run", folder, "--dry-run"] + options.flatMap { ["--source", $0] })
                #expect(ended.status == .usage)
                return String(ended.errors.split(separator: "\n").first ?? "")
            }
            #expect(
                await refusal(["https://api.exmaple.org=http://127.0.0.1:1"])
                    == "error: [bad-source] no plug sends requests to https://api.exmaple.org, so --source would change nothing"
            )
            #expect(
                await refusal(["http://api.example.org=http://127.0.0.1:1"])
                    == "error: [bad-source] no plug sends requests to http://api.example.org over http, so they would still go to the service itself"
            )
            #expect(
                await refusal(["https://api.example.org/v1=http://127.0.0.1:1"])
                    == "error: [bad-source] 'https://api.example.org/v1=http://127.0.0.1:1' is not of the form "
                    + "ORIGIN=ORIGIN"
            )
            #expect(
                await refusal(Array(repeating: "https://api.example.org=http://127.0.0.1:1", count: 2))
                    == "error: [bad-source] two --source options are for https://api.example.org"
            )
        }
    }

    @Test func aPublicAddressDoesNotStandInASourcesPlace() async throws {
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream, to: folder)
            let ended = await Program.run(
                ["run", folder, "--dry-run", "--source", "https://api.example.org=https://192.0.2.1"]
            )
            #expect(ended.status == .unreachable || ended.status == .configuration, "\(ended.errors)")
            #expect(ended.errors.contains("is neither on the public internet nor in a network of --allow-network"))
            let open = await Program.run(
                ["run", folder, "--dry-run", "--source", "https://api.example.org=https://93.184.216.34"]
            )
            #expect(open.errors.contains("93.184.216.34:443 is neither"), "\(open.errors)")
        }
    }
}
