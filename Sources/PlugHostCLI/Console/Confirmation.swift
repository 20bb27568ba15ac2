internal import PlugCore

/// Asks before something is gone for good.
enum Confirmation {
    /// Whether it is wanted: `--yes` says so, or the person at the terminal.
    ///
    /// - Parameter consequence: What would happen, such as `3 records would be deleted`.
    /// - Throws: `PlugError` `not-confirmed` (usage) where there is nobody to ask.
    static func isWanted(_ consequence: String, yes: Bool, in context: CommandContext) async throws(PlugError) -> Bool {
        if yes { return true }
        guard let ask = context.ask else {
            throw PlugError(
                "not-confirmed",
                exit: .usage,
                "\(consequence) for good, and there is nobody to ask",
                advice: "say --yes"
            )
        }
        if await ask("\(consequence.prefix(1).uppercased())\(consequence.dropFirst()) for good. Do it? [y/N] ") {
            return true
        }
        context.errors.write("nothing was done\n")
        return false
    }
}
