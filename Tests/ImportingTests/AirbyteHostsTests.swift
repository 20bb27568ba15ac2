import JQ
import LosslessJSON
import Testing

@testable import Importing

@Suite("The hosts of Airbyte's language")
struct AirbyteHostsTests {
    private func lines(_ address: String, _ properties: String) throws -> [String] {
        var stream = OneStream()
        stream.properties = properties
        stream.requester = "{type: HttpRequester, url_base: \(address), path: /books}"
        #expect(try stream.reasons() == [])
        return (try imported(stream.text).manifest ?? "").split(separator: "\n").map(String.init)
    }

    @Test("Where a condition over settings chooses the address, all of its hosts are listed")
    func chosen() throws {
        let lines = try lines(
            #""{{ 'https://' + config['host'] + '/api' if config['host'] else 'https://api.example.org' }}""#,
            "{host: {type: string}}"
        )
        #expect(lines.contains(#"hosts: ["{{ config.host }}", api.example.org]"#), "\(lines)")
        #expect(lines.contains("  host: {type: host, optional: true}"), "\(lines)")
        let base =
            #"'{{ if (config.host | IN(null, false, 0, "", [], {}) | not) then ("https://" + config.host) + "/api" else "https://api.example.org" end }}'"#
        #expect(lines.contains("  base: \(base)"), "\(lines)")
    }

    @Test("A part of a host that a condition chooses gives as many hosts")
    func chosenPart() throws {
        let address = #""https://{{ 'eu-' if config['region'] == 'EU' else '' }}api.example.org""#
        let lines = try lines(address, "{region: {type: string}}")
        #expect(lines.contains("hosts: [eu-api.example.org, api.example.org]"), "\(lines)")
    }

    @Test("A setting that is one of several addresses is a host")
    func chosenAddress() throws {
        let address = #""{{ config['url'] if config['url'] else 'https://{}.example.org'.format(config['name']) }}""#
        let lines = try lines(address, "{url: {type: string}, name: {type: string}}")
        #expect(lines.contains(#"hosts: ["{{ config.url }}", "*.example.org"]"#), "\(lines)")
        #expect(lines.contains { $0.contains(#"then "https://" + config.url else"#) }, "\(lines)")
    }

    @Test("A setting that has an address as its default is a host, too")
    func defaulted() throws {
        for address in [
            #""{{ config.get('url') or 'https://api.example.org' }}/v1""#,
            #""{{ config['url'] | default('https://api.example.org', true) }}/v1""#,
            #""{{ config.get('url', 'https://api.example.org') }}/v1""#,
        ] {
            let lines = try lines(address, "{url: {type: string}}")
            #expect(lines.contains(#"hosts: ["{{ config.url }}", api.example.org]"#), "\(lines)")
            #expect(lines.contains { $0.contains(#"then "https://" + config.url else "https://api.example.org" end"#) })
        }
    }

    @Test("A second base that a condition chooses is a whole address in the stream")
    func secondBase() throws {
        func stream(_ name: String, _ version: String) -> String {
            """
              - type: DeclarativeStream
                name: \(name)
                primary_key: id
                retriever:
                  type: SimpleRetriever
                  requester:
                    type: HttpRequester
                    url_base: "{{ 'https://test.example.org' if config['env'] == 'test' else 'https://api.example.org' }}/\(version)"
                    path: "/books/{{ config['env'] }}"
                  record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}

            """
        }
        let text =
            "version: 6.0.0\ntype: DeclarativeSource\ncheck: {type: CheckStream, stream_names: [a]}\nstreams:\n"
            + stream("a", "v1") + stream("c", "v1") + stream("b", "v2")
            + "spec: {connection_specification: {required: [env], properties: {env: {type: string}}}}\n"
        let plug = try imported(text)
        let path = try #require((plug.manifest ?? "").split(separator: "\n").first { $0.contains(#"+ "/v2""#) })
        let program = try #require(path.split(separator: "{{ ").last?.split(separator: " }}").first)
        let config = try JSONValue(parsing: #"{"env":"a/b"}"#)
        let address = try JQProgram(String(program), globals: ["config"]).run(.null, globals: [config])
        #expect(address == [.text("https://api.example.org/v2/books/a%2Fb")])
    }

    @Test("The address of a token that settings choose is divided into a host and its path")
    func chosenToken() throws {
        func url(_ expression: String) throws -> [String] {
            var stream = OneStream()
            stream.properties =
                "{place: {type: string, default: 'https://id.example.org/token'}, other: {type: string}}"
            stream.requester = """
                {type: HttpRequester, url_base: "https://api.example.org", path: /books, authenticator: {
                    type: OAuthAuthenticator, grant_type: client_credentials, client_id: a, client_secret: "{{ config['other'] }}",
                    token_refresh_endpoint: "{{ \(expression) }}"}}
                """
            let plug = try imported(stream.text)
            let lines = (plug.manifest ?? "").split(separator: "\n").filter { $0.contains("url: 'https") }
            return lines.map { String($0.drop { $0 == " " }) } + plug.findings.filter(\.leavesOut).map(\.reason)
        }
        let ending = #"if endswith("/token") then split("/")[2] else error end }}/token'"#
        let settings = try url("config['place']")
        #expect(settings == ["url: 'https://{{ (config.place) | \(ending)"])
        let chosen = try url("'https://a.test/token' if config['other'] == 'a' else 'https://b.test/token'")
        let choice = #"if (config.other == "a") then "https://a.test/token" else "https://b.test/token" end"#
        #expect(chosen == ["url: 'https://{{ (\(choice)) | \(ending)"])
        #expect(try url("config['other']") == ["the address of the token is a setting, and nothing says its path"])
    }

    @Test("The hosts of all addresses that tokens can come from are the plug's")
    func tokenHosts() throws {
        let plug = try imported(
            OneStream(
                requester: """
                    {type: HttpRequester, url_base: "https://api.example.org//v1", path: /books, authenticator: {
                        type: SessionTokenAuthenticator, session_token_path: [token], request_authentication: {type: Bearer},
                        login_requester: {type: HttpRequester, url_base: "{{ config['login'] }}", http_method: POST}}}
                    """,
                properties: "{login: {type: string, enum: ['https://id.example.org/t', 'https://id.example.net/t']}}"
            ).text
        )
        let lines = (plug.manifest ?? "").split(separator: "\n")
        #expect(lines.contains("hosts: [api.example.org, id.example.org, id.example.net]"))
        // The slashes that a path begins with are one.
        #expect(lines.contains(#"http: {base: "https://api.example.org/v1"}"#))
    }
}
