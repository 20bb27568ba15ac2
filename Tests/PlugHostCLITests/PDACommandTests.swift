import Foundation
import LosslessJSON
import PDASandbox
import PlugCore
import TestKit
import Testing

@testable import PlugHostCLI

/// `plughost pda …` against a sandbox on a socket.
@Suite(.fewAtATime)
struct PDACommandTests {
    private static let password = "a password of the tests"

    /// A PDA, logged in: `pda(…)` runs a command with its address and the token.
    private struct World {
        let folder: String
        let url: String

        func pda(_ arguments: String..., terminal: Bool = false) async -> Ended {
            await Program.run(
                ["pda"] + arguments + ["--pda", url, "--token-file", folder + "/token"],
                terminal: terminal
            )
        }

        func write(_ text: String) throws -> String {
            let path = folder + "/input-\(UUID().uuidString)"
            try FilesHere.write(text, to: path)
            return path
        }
    }

    private func withWorld(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        try await Program.withFolder { folder in
            try FilesHere.write(Self.password + "\n", to: folder + "/password")
            var options = try SandboxOptions(
                stateFolder: folder + "/pda",
                owner: "bob",
                password: Secret(Self.password)
            )
            options.applications = [try Self.definition()]
            try await LoopbackPDA.with(options) { url in
                let ended = await Program.run([
                    "pda", "login", "--pda", url, "--user", "bob", "--password-file", folder + "/password", "--out",
                    folder + "/token",
                ])
                #expect(ended.status == .done, "\(ended.errors)")
                #expect(ended.output.hasPrefix("logged in at \(url) as bob; the token is in \(folder)/token"))
                try await body(World(folder: folder, url: url))
            }
        }
    }

    private static func definition() throws -> JSONValue {
        let shown = "{\"normal\":\"\"}"
        return try JSONValue(
            parsing: """
                {"id":"steps","kind":{"url":"https://steps.example","kind":"DataPlug"},"info":{"version":"1.0.0",
                "published":true,"name":"Steps","headline":"h","description":{"text":"t"},
                "termsUrl":"https://steps.example","dataUsePurpose":"p","supportContact":"c","dataPreview":[],
                "graphics":{"banner":\(shown),"logo":\(shown),"screenshots":[]}},"developer":{"id":"d","name":"n",
                "url":"https://steps.example","country":"PT"},"permissions":{"rolesGranted":[
                {"role":"namespacewrite","detail":"steps"}]},"setup":{"kind":"Internal"},"status":{"kind":"Internal",
                "compatibility":"1.0.0","versionReleaseDate":"2026-11-21T00:00:00.000Z"}}
                """
        )
    }

    // MARK: - Data

    @Test func recordsGoInAndComeBackWithEveryDigit() async throws {
        try await withWorld { world in
            let file = try world.write(#"[{"id":1,"n":1.10},{"id":12345678901234567890}]"#)
            #expect(await world.pda("data", "add", "notes/mine", file).output == "stored 2 of 2 in notes/mine\n")
            let got = await world.pda("data", "get", "notes/mine", "--order-by", "id", "--all", "--json")
            let records = try got.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            #expect(
                records.compactMap { $0["data"]?.compactText } == [
                    #"{"n":1.10,"id":1}"#, #"{"id":12345678901234567890}"#,
                ]
            )
            #expect(await world.pda("data", "sources", "--json").output == #"{"notes":["mine"]}"# + "\n")
            let changed = try world.write(got.output.replacing("1.10", with: "2.50"))
            let update = await world.pda("data", "update", changed)
            #expect(update.status == .done)
            #expect(update.output.contains(#""data":{"n":2.50,"id":1}"#))
            let id = try #require(records[0]["recordId"]?.stringText)
            let table = await world.pda("data", "get", "notes/mine", "--order-by", "id", "--take", "1", terminal: true)
            #expect(
                table.output == "record                                data\n\(id)  {\"n\":2.50,\"id\":1}\n"
            )
            let refused = await world.pda("data", "delete", "--id", id)
            #expect(refused.status == .usage && refused.errors.contains("[not-confirmed] 1 record would be deleted"))
            #expect(await world.pda("data", "delete", "--id", id, "--yes").output == "deleted 1 of 1 records\n")
            #expect(await world.pda("data", "delete", "notes/mine", "--yes", "--json").output == "{\"deleted\":null}\n")
            #expect(await world.pda("data", "get", "notes/mine").output == "")
        }
    }

    @Test func whatThePDADoesNotTakeIsSaid() async throws {
        try await withWorld { world in
            let one = try world.write(#"{"id":1}"#)
            #expect(await world.pda("data", "add", "notes/mine", one).status == .done)
            let again = await world.pda("data", "add", "notes/mine", one)
            #expect(again.status == .data && again.errors.contains("[pda-duplicate]"))
            let lines = try world.write("{\"id\":1}\n\n{\"id\":2}\n")
            let skipping = await world.pda("data", "add", "notes/mine", lines, "--skip-errors", "--json")
            #expect(skipping.status == .failed)
            #expect(skipping.output == #"{"stored":1,"not_returned":[0]}"# + "\n")
            let broken = await world.pda("data", "add", "notes/mine", try world.write("{\"id\":1}\n{\n"))
            #expect(broken.status == .data && broken.errors.contains("[pda-input] line 2 of"))
        }
    }

    @Test(arguments: ["Notes/mine", "notes", "notes/a_b", "../x", "notes/é"])
    func aNameThatNoPDAHasIsRefusedBeforeAnythingIsSent(endpoint: String) async throws {
        try await Program.withFolder { folder in
            try FilesHere.write("token", to: folder + "/token")
            // Nobody listens there: a request would end with 69.
            let ended = await Program.run([
                "pda", "data", "get", endpoint, "--pda", "http://127.0.0.1:9", "--token-file", folder + "/token",
            ])
            #expect(ended.status == .usage)
            #expect(ended.errors.contains("[pda-call]"))
        }
    }

    // MARK: - Tokens

    @Test func tokensComeFromFilesAndTheEnvironmentAndAreNeverShown() async throws {
        try await withWorld { world in
            let before = try String(contentsOfFile: world.folder + "/token", encoding: .utf8)
            let ended = await world.pda("data", "sources")
            #expect(ended.status == .done)
            let after = try String(contentsOfFile: world.folder + "/token", encoding: .utf8)
            let mode = try FileManager.default.attributesOfItem(atPath: world.folder + "/token")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            // The PDA's answer held a newer one, unless both were made in the same second.
            #expect(after.split(separator: ".").count == 3)
            let token = before.trimmingCharacters(in: .newlines)
            let byVariable = await Program.run(
                ["pda", "applications", "list", "--pda", world.url],
                environment: ["PLUGHOST_PDA_TOKEN": token]
            )
            #expect(byVariable.status == .done)
            let missing = await Program.run(["pda", "data", "sources", "--pda", world.url])
            #expect(missing.status == .usage && missing.errors.contains("[pda-token-missing]"))
            let wrong = await Program.run(
                ["pda", "data", "sources", "--pda", world.url],
                environment: ["PLUGHOST_PDA_TOKEN": token.dropLast(4) + "AAAA"]
            )
            #expect(wrong.status == .authorisation && wrong.errors.contains("[pda-token]"))
            for text in [ended.output, ended.errors, byVariable.output, wrong.errors] {
                #expect(!text.contains(token.prefix(60)))
            }
            let login = await Program.run(
                ["pda", "login", "--pda", world.url, "--user", "bob", "--out", "-"],
                environment: ["PLUGHOST_PDA_PASSWORD": "wrong"]
            )
            #expect(login.status == .authorisation)
            #expect(login.output.isEmpty)
        }
    }

    // MARK: - Applications

    @Test func anApplicationIsSetUpAndDisabled() async throws {
        try await withWorld { world in
            let list = await world.pda("applications", "list", terminal: true)
            #expect(
                list.output == """
                    id     kind      state         name
                    steps  DataPlug  notConnected  Steps

                    """
            )
            let setUp = try JSONValue(parsing: await world.pda("applications", "setup", "steps", "--json").output)
            #expect([setUp["setup"], setUp["enabled"], setUp["active"]] == Array(repeating: .bool(true), count: 3))
            let token = await world.pda("applications", "token", "steps", "--out", world.folder + "/steps", "--json")
            #expect(token.output == "{\"application\":\"steps\",\"out\":\"\(world.folder)/steps\"}\n")
            let disabled = try JSONValue(parsing: await world.pda("applications", "disable", "steps").output)
            #expect(disabled["enabled"] == .bool(false))
            let unknown = await world.pda("applications", "show", "nobody")
            #expect(unknown.status == .failed && unknown.errors.contains("[pda-not-found]"))
        }
    }

    // MARK: - Data debits

    private static func proposal(_ change: (inout JSONObject) -> Void = { _ in }) throws -> String {
        let text = """
            {"purpose":"p","start":"2026-01-01T00:00:00Z","period":86400000,"cancelAtPeriodEnd":false,
            "requestClientName":"Acme","requestClientUrl":"https://acme.example","requestClientLogoUrl":
            "https://acme.example/l.png","termsUrl":"https://acme.example/t","bundle":{"name":"b1","bundle":{"notes":
            {"endpoints":[{"endpoint":"notes/mine"}],"orderBy":"id","limit":2}}}}
            """
        var object = try #require(try JSONValue(parsing: text).object)
        change(&object)
        return JSONValue.object(object).compactText
    }

    @Test func aDataDebitIsProposedAgreedReadAndEnded() async throws {
        try await withWorld { world in
            _ = await world.pda("data", "add", "notes/mine", try world.write(#"[{"id":2},{"id":1},{"id":3}]"#))
            let made = await world.pda("debits", "create", "d1", try world.write(try Self.proposal()), "--json")
            #expect(try JSONValue(parsing: made.output)["active"] == .bool(false), "\(made.errors)")
            let early = await world.pda("debits", "values", "d1")
            #expect(early.status == .data && early.errors.contains("[pda-refused]"))
            _ = await world.pda("debits", "enable", "d1")
            let list = await world.pda("debits", "list", terminal: true)
            #expect(list.output == "key  state   client  bundle\nd1   active  Acme    b1\n")
            let values = try JSONValue(parsing: await world.pda("debits", "values", "d1").output)
            #expect(
                values["bundle"]?["notes"]?.elements?.compactMap { $0["data"]?.compactText } == [
                    #"{"id":1}"#, #"{"id":2}"#,
                ]
            )
            let next = try world.write(
                try Self.proposal { $0["bundle"] = .object(["name": .text("b2"), "bundle": .object([:])]) }
            )
            #expect(await world.pda("debits", "update", "d1", next).status == .done)
            let ended = try JSONValue(parsing: await world.pda("debits", "disable", "d1").output)
            #expect(ended["active"] == .bool(false))
            #expect(await world.pda("debits", "show", "nobody").status == .failed)
        }
    }

    @Test func whatAPDAWouldTakeAndNotDoIsRefusedHere() async throws {
        func property(_ filter: String) throws -> JSONValue {
            try JSONValue(
                parsing: #"{"name":"b","bundle":{"n":{"endpoints":[{"endpoint":"a/b","filters":[\#(filter)]}]}}}"#
            )
        }
        let wrong: [(String, String)] = [
            (try Self.proposal { $0["period"] = .integer(-1) }, "period"),
            (
                try Self.proposal {
                    $0["bundle"] = try? property(#"{"field":"x","operator":{"operator":"like","value":1}}"#)
                },
                "operator"
            ),
            (
                try Self.proposal {
                    $0["bundle"] = try? property(#"{"field":"x","operator":{"operator":"find","search":"y"}}"#)
                },
                "searchable"
            ),
        ]
        try await Program.withFolder { folder in
            try FilesHere.write("token", to: folder + "/token")
            for (text, word) in wrong {
                try FilesHere.write(text, to: folder + "/proposal")
                // Nobody listens there: a request would end with 69.
                let ended = await Program.run([
                    "pda", "debits", "create", "d1", folder + "/proposal", "--pda", "http://127.0.0.1:9",
                    "--token-file", folder + "/token",
                ])
                #expect(
                    [.usage, .unreachable].contains(ended.status) && ended.errors.contains(word),
                    "\(ended.errors)"
                )
                #expect(!ended.errors.contains("[pda-unreachable]"))
            }
        }
    }

    @Test func theAddressWhereTheOwnerAgreesNeedsNoToken() async {
        let ended = await Program.run([
            "pda", "debits", "url", "d1", "--pda", "https://bob.example", "--redirect", "acme://done",
        ])
        #expect(ended.output == "https://bob.example/#/data-debit/d1/quick-confirm?redirect=acme%3A%2F%2Fdone\n")
    }
}
