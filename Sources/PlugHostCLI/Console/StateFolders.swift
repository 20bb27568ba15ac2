internal import PlugCore

/// Where plughost keeps what it remembers, unless `--state` says otherwise.
enum StateFolders {
    /// `$XDG_STATE_HOME/plughost`, or `~/.local/state/plughost`.
    static func usual(_ environment: [String: String]) throws(PlugError) -> String {
        // A relative XDG path is to be ignored, says its specification.
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return "\(base)/plughost" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw PlugError(
                .stateNowhere,
                "there is no default folder for the state: neither XDG_STATE_HOME nor HOME is set",
                advice: "name a folder with --state DIR"
            )
        }
        return "\(home)/.local/state/plughost"
    }

    /// The sandbox's own folder in it.
    static func sandbox(_ environment: [String: String]) throws(PlugError) -> String {
        try usual(environment) + "/sandbox"
    }
}
