internal import ArgumentParser
internal import CurlTransport
internal import PDAClient
internal import PDAWire
internal import PlugCore
internal import PlugRuntime

/// `--pda`, the token, and the network options: what the commands of `pda` share.
struct PDAAccess: ParsableArguments {
    @Option(help: ArgumentHelp("The PDA, such as https://you.example.", valueName: "url"))
    var pda: String

    @Option(
        help: ArgumentHelp(
            "The file with the token; newer tokens are written to it (else: PLUGHOST_PDA_TOKEN).",
            valueName: "file"
        )
    )
    var tokenFile: String?

    @Flag(help: "Send the token even if another PDA issued it.")
    var acceptForeignToken = false

    @OptionGroup var network: NetworkOptions

    /// Lends a client of the PDA with the token. A newer token is written back, even if the work fails.
    ///
    /// - Throws: `PlugError`: a `PDAError` is converted to one.
    func withClient<Result: Sendable>(
        in context: CommandContext,
        _ work: (PDA) async throws(PDAError) -> Result
    ) async throws -> Result {
        let address = try address()
        let token = try token(context)
        try check(token, for: address)
        let tokens = InMemoryTokens(token)
        let keepNewer = { (tokens: InMemoryTokens) async in
            if let newer = await tokens.current(), newer != token { keep(newer, context) }
        }
        return try await lend(tokens, closing: keepNewer) { tokens in
            try await network.withTransport(pda: address) { transport in
                try await PDAErrorText.translating { () throws(PDAError) in
                    try await work(PDA(address.origin, tokens: tokens, transport: transport))
                }
            }
        }
    }

    /// The PDA's address.
    ///
    /// - Throws: `PlugError` `bad-pda` (usage).
    func address() throws(PlugError) -> HTTPURL { try PDAOptions.address(of: pda) }

    /// A token that says that another PDA issued it stays here: whoever gets it could use it there.
    ///
    /// - Throws: `PlugError` `token-issuer` (77).
    private func check(_ token: Secret, for address: HTTPURL) throws(PlugError) {
        guard !acceptForeignToken, let issuer = TokenClaims(token: token.reveal())?.issuer,
            !TokenIssuer.names(issuer, address.origin)
        else { return }
        throw PlugError(
            .tokenIssuer,
            "the token was issued by \(DisplayText.escaped(issuer)), not by the PDA \(address.hostAndPort)",
            advice: "check --pda and the token; if this PDA has several names, add --accept-foreign-token"
        )
    }

    private func token(_ context: CommandContext) throws(PlugError) -> Secret {
        let text: String
        if let tokenFile {
            text = try Files.secret(tokenFile, failing: .authorisation)
        } else if let variable = context.environment["PLUGHOST_PDA_TOKEN"] {
            text = variable
        } else {
            throw PlugError(
                .pdaTokenMissing,
                "there is no token: --token-file is missing and PLUGHOST_PDA_TOKEN is not set",
                advice: "get one with: plughost pda login --pda \(DisplayText.escaped(pda)) --user NAME --out token"
            )
        }
        guard !text.isEmpty else {
            throw PlugError(
                .tokenEmpty,
                "\(tokenFile.map { DisplayText.escaped($0) } ?? "PLUGHOST_PDA_TOKEN") is empty",
                advice: "log in again with 'plughost pda login'"
            )
        }
        return Secret(text)
    }

    /// Writes a newer token to the file that the old one came from.
    private func keep(_ token: Secret, _ context: CommandContext) {
        guard let tokenFile, tokenFile != "-" else { return }
        do {
            try Files.writePrivately(token.reveal() + "\n", to: tokenFile)
        } catch {
            context.errors.write(
                "warning: [\(PlugError.Code.tokenNotKept)] the PDA's newer token could not be saved: \(error.message)\n"
            )
        }
    }
}
