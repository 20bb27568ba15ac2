import JQ
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// `oauth2.keep`, and what templates see of it.
struct GrantRootTests {
    private static func read(
        _ keep: String,
        base: String = "https://api.example.org/v1",
        stream: String = ""
    ) -> ManifestResult {
        Sample.read(
            Sample.header
                + "auth: {oauth2: {grant: client_credentials, token: {url: 'https://b.example.net/t'}\(keep)}}\n"
                + "http: {base: \"\(base)\"}\n\(Sample.stream)\(stream)"
        )
    }

    @Test func whatIsKeptReachesTheModel() throws {
        let manifest = try Sample.manifest(
            Self.read(", keep: {instance: .instance_url, id: '.id | tostring'}", base: "{{ grant.instance }}/v1")
        )
        guard case .oauth2(let settings) = manifest.authorization else { throw Failure() }
        #expect(settings.keep.map(\.name) == ["instance", "id"])
        #expect(settings.keep.map(\.program.source) == [".instance_url", ".id | tostring"])
        var roots = TemplateRoots()
        roots.grant = .members(("instance", .text("https://na1.example.org")))
        #expect(try manifest.http.base?.renderText(roots) == "https://na1.example.org/v1")
    }

    @Test(arguments: [
        (
            ", keep: {instance: .i}", "{{ grant.instnce }}", "there is no 'grant.instnce'",
            "did you mean 'instance'?"
        ),
        (
            "", "{{ grant.instance }}", "'grant' has no value in http.base",
            "keep something of the answer with the token: 'auth: {oauth2: {keep: {instance: .instance_url}}}'"
        ),
    ])
    func aNameThatIsNotKeptIsToldOf(keep: String, base: String, message: String, help: String) {
        let result = Self.read(keep, base: base)
        #expect(result.diagnostics.map(\.message) == [message])
        #expect(result.diagnostics.map(\.help) == [help])
        #expect(result.diagnostics.first?.location?.line == 8)
    }

    @Test func itIsThereForRequestsAndNotForProgramsOverRecords() {
        let keep = ", keep: {id: .id}"
        #expect(Sample.codes(Self.read(keep, stream: "    records: '.[\"a\"]'\n")) == [])
        let inMap = Self.read(keep, stream: "    map: '{id: grant.id}'\n")
        #expect(inMap.diagnostics.map(\.message) == ["'grant' has no value in a program over records"])
        let inPath =
            Sample.header
            + "auth: {oauth2: {grant: client_credentials, token: {url: 'https://b.example.net/t'}\(keep)}}\n"
            + Sample.http + Sample.stream.replacing("{path: /things}", with: "{path: \"/{{ grant.id }}/things\"}")
        #expect(Sample.codes(Sample.read(inPath)) == [])
    }

    @Test func aNameThatCannotStandBehindAPointIsRefused() {
        let result = Self.read(", keep: {a-b: .x}")
        #expect(result.diagnostics.map(\.message) == ["'a-b' is not a name for something kept"])
        #expect(
            result.diagnostics.map(\.help) == ["use letters, digits and '_', so that programs can write grant.NAME"]
        )
    }

    private struct Failure: Error {}
}
