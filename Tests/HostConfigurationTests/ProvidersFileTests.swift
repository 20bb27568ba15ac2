import HostConfiguration
import PlugCore
import Testing

struct ProvidersFileTests {
    @Test func clientsAreReadWithTheirSecretsAndTheirFiles() throws {
        let text = """
            google: {client_id: 12-ab.apps, client_secret: {file: google.secret}}
            strava:
              client_id: 4711
              client_secret: hush
            lichess: {client_id: plughost}
            """
        let file = try ProvidersFile(path: "providers.yaml", bytes: Array(text.utf8))
        #expect(
            file.clients == [
                "google": .init(id: "12-ab.apps", secret: .file("google.secret"), line: 1),
                "strava": .init(id: "4711", secret: .text(Secret("hush")), line: 2),
                "lichess": .init(id: "plughost", secret: nil, line: 5),
            ]
        )
        #expect(file.holdsSecrets)
        let open = try ProvidersFile(path: "p", bytes: Array("lichess: {client_id: x}".utf8))
        #expect(!open.holdsSecrets)
    }

    @Test(arguments: [
        ("[a]", "p:1:1: its top level is not a mapping of providers"),
        ("a: 1", "p:1:4: a provider is a mapping, not a number"),
        ("a: {client_secret: hush}", "p:1:1: 'client_id' is missing in a provider"),
        ("a: {client_id: x, client_secrte: hush}", "p:1:19: 'client_secrte' is not a key of a provider"),
        ("a:\n  client_id: ''", "p:2:14: 'client_id' is not a text on one line"),
        ("a: {client_id: x, client_secret: {}}", "p:1:34: 'file' is missing in a secret"),
        ("a: {client_id: x, client_secret: {path: y}}", "p:1:34: 'file' is missing in a secret"),
        (
            "a: {client_id: x, client_secret: [hush]}",
            "p:1:34: 'client_secret' must be a text, or {file: PATH}, not a list"
        ),
        ("a: {client_id: x, client_secret: \"hu\\nsh\"}", "p:1:34: 'client_secret' is not a text on one line"),
        ("a: hush", "p:1:4: a provider is a mapping, not a text"),
    ])
    func mistakesAreToldWithTheirPlaceAndWithoutSecrets(text: String, message: String) {
        let error = #expect(throws: PlugError.self) { try ProvidersFile(path: "p", bytes: Array(text.utf8)) }
        #expect(error?.message == message)
        #expect(error?.code.text == "providers-malformed")
        #expect(error?.description.contains("hush") == false)
    }

    @Test func aMisspeltKeyHasASuggestion() {
        let bytes = Array("a: {client_id: x, client_secrte: y}".utf8)
        let error = #expect(throws: PlugError.self) { try ProvidersFile(path: "p", bytes: bytes) }
        #expect(error?.advice == "did you mean 'client_secret'?")
    }
}
