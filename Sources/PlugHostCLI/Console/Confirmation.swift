internal import PlugCore

/// Asks before something is irrevocably deleted.
enum Confirmation {
    /// Whether it is confirmed: by `--yes`, or by the person at the terminal.
    ///
    /// - Parameter consequence: What would happen, such as `3 records would be deleted`.
    /// - Throws: `PlugError` `not-confirmed` (usage) if there is no terminal to ask at.
    static func isWanted(_ consequence: String, yes: Bool, in context: CommandContext) async throws(PlugError) -> Bool {
        if yes { return true }
        guard let ask = context.ask else {
            throw PlugError(
                .notConfirmed,
                "\(consequence) for good, and there is no terminal to ask for confirmation",
                advice: "add --yes"
            )
        }
        if await ask("\(consequence.prefix(1).uppercased())\(consequence.dropFirst()) for good. Do it? [y/N] ") {
            return true
        }
        context.errors.write("nothing was done\n")
        return false
    }
}
