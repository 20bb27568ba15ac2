internal import PlugCore

extension Files {
    /// Writes a secret on a line of its own to where `--out` says: to a private file, or to stdout for `-`.
    ///
    /// - Returns: Whether it went into a file. Stdout gets the secret and nothing else.
    static func deliver(_ secret: Secret, to out: String, in context: CommandContext) throws(PlugError) -> Bool {
        let line = secret.reveal() + "\n"
        guard out == "-" else {
            try writePrivately(line, to: out)
            return true
        }
        context.output.write(line)
        return false
    }
}
