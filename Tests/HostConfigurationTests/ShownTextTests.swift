import PlugCore
import TestKit
import Testing

@testable import HostConfiguration

/// That no mistake shows a secret which stands beside it.
struct ShownTextTests {
    private func shown(_ text: String) throws -> String {
        let result = try HostSample.read(text)
        return try #require(result.findings.first).text
    }

    @Test(arguments: [
        // Where it belongs.
        (
            "providers: {a: {client_id: id, client_secret: hush}}  # hush",
            "providers: {a: {client_id: id, client_secret: ••••••  • ••••"
        ),
        (
            "providers: {a: {client_secret: hush, client_id: id}}",
            "providers: {a: {client_secret: ••••, client_id: id}}"
        ),
        ("providers:\n  a:\n    client_secret: 'hush'", "providers:\n  a:\n    client_secret: ••••••"),
        (
            "providers:\n  a:\n    client_secret: |\n      hush\n      hush\n    client_id: id",
            "providers:\n  a:\n    client_secret: •\n      ••••\n      ••••\n    client_id: id"
        ),
        (
            "providers: {a: {client_secret: \"hu\n  sh\", client_id: id}}",
            "providers: {a: {client_secret: •••\n  •••• client_id: id}}"
        ),
        (
            "providers: {a: {client_id: id, client_secret: {file: x.secret}}}",
            "providers: {a: {client_id: id, client_secret: {file: x.secret}}}"
        ),
        // Where it does not.
        (
            "providers: {a: {client_id: id, client_secrte: hush}}",
            "providers: {a: {client_id: id, client_secrte: ••••••"
        ),
        ("providers: {a: {client_id: id, client_pw: hush}}", "providers: {a: {client_id: id, client_pw: ••••••"),
        ("providers: {a: {client_secret: {value: hush}}}", "providers: {a: {client_secret: {•••••: •••••••"),
        ("providers: {a: {client_secret: [hush]}}", "providers: {a: {client_secret: [•••••••"),
        ("providers: {a: hush}", "providers: {a: •••••"),
        ("providers: hush", "providers: ••••"),
        ("providers: {a: {client_id: x, client_secret:hush}}", "providers: {a: {client_id: x, ••••••••••••••••••••"),
        ("providers: {a:hush}", "providers: {•••••••"),
        ("provders: {a: {client_secret: hush}}", "provders: {a: {client_secret: ••••••"),
        ("client_secret: hush", "client_secret: ••••"),
        ("listn: 127.0.0.1:1", "listn: 127.0.0.1:1"),
        // What is no tree, or not all of one.
        (
            "listen: x\nproviders:\n  a: {client_secret: hush\nlimits: {}",
            "listen: x\n••••••••••\n  •• ••••••••••••••• ••••\nlimits: {}"
        ),
        (
            "providers:\n  a:\n    client_secret: x\n    client_secret: hush",
            "••••••••••\n  ••\n    •••••••••••••• •\n    •••••••••••••• ••••"
        ),
        ("{providers: {a: {client_secret: hush}}", "••••••••••• ••• ••••••••••••••• ••••••"),
    ])
    func secretsAreDots(text: String, expected: String) throws {
        #expect(try shown(text) == expected)
    }

    @Test(arguments: [
        "providers: {a: hush}", "providers: {a: {client_id: x, client_secret: !hush}}",
        "providers: {a: {client_id: x, client_secret: !hush y}}",
        "providers: {a: {client_id: x, client_secret: {{hush}}}}",
        "providers: {a: {client_id: x, client_secret: [hush]}}",
        "providers: {a: {client_id: x, client_secret: \"hush\\d\"}}",
        "providers: {a: {client_id: x, client_secret: *hush}}",
        "providers:\n  a: {client_id: x, client_secret: hush\n",
        "providers: {a: {client_id: x, client_secret: \"hu\\nsh\"}}",
        "client_secret: hush", "limits: {client_secret: hush}", "providers: {a: {client_id: x, client_secret:hush}}",
        "providers: {a:hush}", "client_secret:hush",
    ])
    func noMistakeRepeatsASecret(text: String) throws {
        let result = try HostSample.read(text)
        #expect(result.settings == nil)
        let printed = HostSample.print(result)
        #expect(printed.contains("error: ") && !printed.contains("hush"), "\(printed)")
    }

    /// Files that were damaged in other places than within the secret itself.
    @Test func noDamageShowsASecret() throws {
        var generator = SplitMix(state: 20_261_123)
        let original = """
            listen: 127.0.0.1:1
            providers:
              a: {client_id: one, client_secret: QZXJQZXJ}
              b:
                client_id: two
                client_secret: "QZXJQZXJ"  # QZXJQZXJ
              c: {client_id: three, client_secret: {file: c.secret}}
              d:
                client_secret: |
                  QZXJQZXJ
                client_id: four
            limits:
              parallel: 3
              memory: 64MiB

            """
        let pieces = [
            "{", "}", "\n", ": ", ":", "\"", "'", "- ", "[", "]", "#", "&a ", "|\n", "\t", "! ", "? ", ", ", " ",
        ]
        var isWrong = 0
        for round in 0..<(Thoroughness.isFull ? 20_000 : 1_000) {
            var parts = original.split(separator: "QZXJQZXJ", omittingEmptySubsequences: false).map {
                Array(String($0))
            }
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let part = Int.random(in: parts.indices, using: &generator)
                guard !parts[part].isEmpty else { continue }
                let at = Int.random(in: parts[part].indices, using: &generator)
                if Bool.random(using: &generator) {
                    parts[part].remove(at: at)
                } else {
                    parts[part].insert(contentsOf: Array(pieces.randomElement(using: &generator) ?? ""), at: at)
                }
            }
            let text = parts.map { String($0) }.joined(separator: "QZXJQZXJ")
            let result = try HostSample.read(text)
            if result.status != .done { isWrong += 1 }
            let printed = HostSample.print(result)
            #expect(!printed.contains("QZXJ"), "round \(round):\n\(text)\n\(printed)")
        }
        #expect(isWrong > 500)
    }
}
