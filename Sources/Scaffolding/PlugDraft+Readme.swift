extension PlugDraft {
    /// The text of `README.md`, modelled on the bundled plugs.
    package var readme: String {
        let configuration =
            questions.isEmpty
            ? "The plug asks for nothing."
            : "| key | type | default | |\n|---|---|---|---|\n"
                + questions.map { question in
                    "| `\(question.key)` | \(question.isSecret ? "secret " : "")\(question.type) | | \(Self.cell(question.title)) |"
                }
                .joined(separator: "\n")
        let given = questions.map { question in
            question.isSecret ? " --config \(question.key)=@FILE" : " --config \(question.key)=VALUE"
        }
        return """
            # \(id)

            Your \(stream) from \(Self.cell(name)). Say here what the plug copies, and whose data it is.

            | | |
            |---|---|
            | Data | \(stream) |
            | Account | who needs one, and which |
            | Scopes | what the plug is allowed to do there |
            | Cost | what the service asks for |
            | Limits | how many requests it allows |
            | Later runs | what is read again |
            | Writes to | `\(id)/\(stream)` |

            ```console
            $ plughost run \(id)\(given.joined()) --pda https://you.example --token-file token
            ```

            ## Configuration

            \(configuration)

            ## Records

            | endpoint | fields |
            |---|---|
            | `\(stream)` | \(members.map { "`\($0.name)`" }.joined(separator: ", ")) |

            ## Good to know

            * The fixture is made up: replace it with an answer of the service, for example with `plughost record`.

            """
    }

    /// A text for a table cell.
    private static func cell(_ text: String) -> String {
        text.split { $0.isNewline || $0 == "|" }.joined(separator: " ")
    }
}
