internal import ArgumentParser
internal import CurlTransport
internal import PlugCore
internal import PlugRuntime

/// `--pda`, `--token-file` and `--accept-foreign-token`: where records go, and the authorisation for it.
struct PDAOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The person's PDA, such as https://you.example.", valueName: "url"))
    var pda: String?

    @Option(help: ArgumentHelp("The application token that the PDA gave the plug.", valueName: "file"))
    var tokenFile: String?

    @Flag(help: "Send the token even if another PDA issued it, or it is not the plug's own.")
    var acceptForeignToken = false

    /// The PDA's address.
    ///
    /// - Throws: `PlugError` `pda-missing`, `bad-pda` (usage).
    func address() throws(PlugError) -> HTTPURL {
        guard let pda else {
            throw PlugError(.pdaMissing, "--pda is missing", advice: "write --pda https://you.example")
        }
        return try Self.address(of: pda)
    }

    /// The address of a PDA as written.
    ///
    /// - Throws: `PlugError` `bad-pda` (usage).
    static func address(of pda: String) throws(PlugError) -> HTTPURL {
        guard let url = try? HTTPURL(pda), ["", "/"].contains(url.path), url.query == nil else {
            // A user name, a password or a query may be secret.
            let shown = pda.contains { "@?#".contains($0) } ? "what --pda has" : "'\(DisplayText.escaped(pda))'"
            throw PlugError(
                .badPDA,
                "\(shown) is not the address of a PDA",
                advice: "write only the scheme and host: --pda https://you.example"
            )
        }
        return url
    }

    /// The token. A missing or empty file is a missing authorisation (77).
    func token() throws(PlugError) -> Secret {
        guard let tokenFile else {
            throw PlugError(
                .tokenFileMissing,
                "--token-file is missing",
                advice: "name the file that holds the application token that the PDA gave the plug"
            )
        }
        return try Self.token(in: tokenFile)
    }

    /// The token in a file.
    ///
    /// - Throws: `PlugError` `token-empty`, and the errors of `Files.secret` (77).
    static func token(in tokenFile: String) throws(PlugError) -> Secret {
        let text = try Files.secret(tokenFile, failing: .authorisation)
        guard !text.isEmpty else {
            throw PlugError(
                .tokenEmpty,
                "\(DisplayText.escaped(tokenFile)) is empty",
                advice: "write the plug's application token into it"
            )
        }
        return Secret(text)
    }
}
