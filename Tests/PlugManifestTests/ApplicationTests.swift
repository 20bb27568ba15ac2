import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

struct ApplicationTests {
    private static let bare = """
        plug: edits
        api: 1
        version: 2.4.1
        namespace: wiki
        hosts: [en.wikipedia.org]
        streams:
          people: {request: {path: "https://en.wikipedia.org/p"}}
          edits: {endpoint: edits/mine, request: {path: "https://en.wikipedia.org/w"}, key: [.id], version: none}

        """

    private func build(_ yaml: String, base: String? = nil) throws -> (definition: String, findings: [String]) {
        let manifest = try Sample.manifest(Sample.read(yaml))
        let (definition, diagnostics) = ApplicationDefinition.build(manifest, base: base)
        return (definition.compactText, diagnostics.map { "\($0.severity.rawValue) [\($0.code)] \($0.message)" })
    }

    @Test func aManifestWithoutAWordAboutItselfIsStillDecodable() throws {
        let (definition, findings) = try build(Self.bare)
        #expect(
            definition == #"""
                {"id":"edits","kind":{"url":"","kind":"DataPlug"},"info":{"version":"2.4.1","published":false,"name":"edits","headline":"edits","description":{"text":"edits"},"termsUrl":"","dataUsePurpose":"The plug only writes to the PDA; it reads nothing from it.","supportContact":"","dataPreview":[],"graphics":{"banner":{"normal":""},"logo":{"normal":""},"screenshots":[]}},"developer":{"id":"edits","name":"edits","url":"","country":""},"permissions":{"rolesGranted":[{"role":"namespacewrite","detail":"wiki"}]},"setup":{"kind":"Internal"},"status":{"compatibility":"2.0.0","recentDataCheckEndpoint":"wiki/edits/mine","versionReleaseDate":"1970-01-01T00:00:00.000Z","kind":"Internal"}}
                """#
        )
        #expect(
            findings
                == [
                    "application.info.name", "application.info.headline", "application.info.description",
                    "application.info.termsUrl", "application.info.dataUsePurpose", "application.info.supportContact",
                    "released", "application.developer.country", "application.developer.url",
                ].map { "warning [application-missing] '\($0)' is missing" }
        )
    }

    private static let whole =
        bare + """
            released: "2026-11-21"
            application:
              kind: {url: "https://edits.example", kind: App}
              info:
                version: 9.9.9
                published: true
                name: Edits
                headline: Your edits
                description: {text: All of them., markdown: "**All** of them."}
                termsUrl: https://edits.example/terms
                dataUsePurpose: To keep them.
                supportContact: help@edits.example
                rating: {score: A, points: 10}
                graphics: {logo: {normal: "https://edits.example/logo.png", small: "https://edits.example/s.png"}}
              developer: {id: acme, name: Acme, url: "https://acme.example", country: Portugal}
              permissions: {rolesGranted: [{role: owner}]}
              status: {kind: External, compatibility: 2.1.0}

            """

    @Test func whatTheManifestSaysStandsExceptForWhatFollowsFromThePlug() throws {
        let (definition, findings) = try build(Self.whole)
        #expect(
            definition == #"""
                {"id":"edits","kind":{"url":"https://edits.example","kind":"DataPlug"},"info":{"version":"2.4.1","published":true,"name":"Edits","headline":"Your edits","description":{"text":"All of them.","markdown":"**All** of them."},"termsUrl":"https://edits.example/terms","dataUsePurpose":"To keep them.","supportContact":"help@edits.example","dataPreview":[],"graphics":{"banner":{"normal":""},"logo":{"normal":"https://edits.example/logo.png","small":"https://edits.example/s.png"},"screenshots":[]},"rating":{"score":"A","points":10}},"developer":{"id":"acme","name":"Acme","url":"https://acme.example","country":"Portugal"},"permissions":{"rolesGranted":[{"role":"namespacewrite","detail":"wiki"}]},"setup":{"kind":"Internal"},"status":{"compatibility":"2.1.0","recentDataCheckEndpoint":"wiki/edits/mine","versionReleaseDate":"2026-11-21T00:00:00.000Z","kind":"Internal"}}
                """#
        )
        #expect(findings == [])
    }

    @Test func aHostsBaseLeadsSetUpAndStatusThere() throws {
        let manifest = try Sample.manifest(Sample.read(Self.whole))
        let (definition, _) = ApplicationDefinition.build(manifest, base: "https://plugs.example/")
        #expect(
            definition["kind"]?.compactText == #"{"url":"https://plugs.example/plugs/edits","kind":"DataPlug"}"#
        )
        #expect(
            definition["setup"]?.compactText
                == #"{"url":"https://plugs.example/plugs/edits/setup","validRedirectUris":[],"kind":"External"}"#
        )
        #expect(
            definition["status"]?.compactText == #"""
                {"compatibility":"2.1.0","statusUrl":"https://plugs.example/plugs/edits/api/status","expectedStatus":200,"recentDataCheckEndpoint":"wiki/edits/mine","versionReleaseDate":"2026-11-21T00:00:00.000Z","kind":"External"}
                """#
        )
    }

    @Test func whatClientsCannotDecodeIsAnErrorEach() throws {
        let (_, findings) = try build(
            Self.bare + """
                released: "2026-11-21"
                application:
                  info:
                    name: [x]
                    headline: h
                    description: {text: 7}
                    termsUrl: https://t.example/a b
                    dataUsePurpose: p
                    supportContact: s
                    published: "yes"
                    rating: {score: A}
                    dataPreview: [{source: s, date: {iso: i, unix: 1.5}, types: [t]}]
                  developer: {country: 7, url: t.example}
                  status: {compatibility: "1.2"}

                """
        )
        #expect(
            findings == [
                "error [wrong-type] 'application.kind.url' must be an http or https address",
                "error [wrong-type] 'application.info.published' must be true or false, not string",
                "error [wrong-type] 'application.info.name' must be a text, not array",
                "error [wrong-type] 'application.info.description.text' must be a text, not number",
                "error [wrong-type] 'application.info.termsUrl' must be an http or https address",
                "error [wrong-type] 'application.info.rating.points' is required, and must be a whole number",
                "error [wrong-type] 'application.info.dataPreview[0].date.unix' must be a whole number, not number",
                "error [wrong-type] 'application.info.dataPreview[0].title' is required, and must be a mapping",
                "error [wrong-type] 'application.developer.name' must be a text, not array",
                "error [wrong-type] 'application.developer.url' must be an http or https address",
                "error [wrong-type] 'application.developer.country' must be a text, not number",
                "error [wrong-type] 'application.status.compatibility' must be a version of the form n.n.n",
            ]
        )
    }

    /// A misspelt key would be carried to PDAs, which look for the right one.
    @Test func aKeyThatApplicationsDoNotHaveIsAnErrorAtEachDepth() {
        let result = Sample.read(
            Self.bare + """
                application:
                  info:
                    nmae: Edits
                    description: {txet: Your edits}
                    graphics: {lgoo: {normal: ""}, screenshots: [{nomral: ""}]}
                  devleoper: {id: me}

                """
        )
        let errors = result.diagnostics.filter { $0.code == "unknown-key" }
        #expect(
            errors.map { "\($0.message): \($0.help ?? "")" } == [
                "'nmae' is not a key of application.info: did you mean 'name'?",
                "'txet' is not a key of a description: did you mean 'text'?",
                "'lgoo' is not a key of application.info.graphics: did you mean 'logo'?",
                "'nomral' is not a key of a picture: did you mean 'normal'?",
                "'devleoper' is not a key of application: did you mean 'developer'?",
            ]
        )
    }

    /// What only 'application validate' would tell otherwise, when the plug is done.
    @Test func whatClientsCannotDecodeIsAWarningWhereItStands() {
        let result = Sample.read(
            Self.bare + """
                application:
                  info: {name: [x], headline: h, termsUrl: t.example, dataPreview: [{source: s, date: {iso: i, unix: 1.5}, types: []}]}

                """
        )
        let warnings = result.diagnostics.filter { $0.code == "wrong-type" }
        #expect(
            warnings.map { "\($0.severity) \($0.location?.column ?? 0) \($0.message)" } == [
                "warning 16 'application.info.name' must be a text, not array",
                "warning 44 'application.info.termsUrl' must be an http or https address",
                "warning 69 'application.info.dataPreview[0].title' is required, and must be a mapping",
                "warning 102 'application.info.dataPreview[0].date.unix' must be a whole number, not number",
            ]
        )
    }
}
