package import PlugCore

/// The default location of plughost's state, unless `--state` gives another.
package enum StateFolders {
    /// `PLUGHOST_STATE`, or else the default folder.
    ///
    /// - Throws: `PlugError` `state-nowhere` (78).
    package static func folder(_ environment: [String: String]) throws(PlugError) -> String {
        if let folder = environment["PLUGHOST_STATE"], !folder.isEmpty { return folder }
        return try defaultFolder(environment)
    }

    /// `$XDG_STATE_HOME/plughost`, or `~/.local/state/plughost`.
    ///
    /// - Throws: `PlugError` `state-nowhere` (78).
    package static func defaultFolder(_ environment: [String: String]) throws(PlugError) -> String {
        // The specification says that a relative XDG path must be ignored.
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

    /// The sandbox's own folder within it.
    ///
    /// - Throws: `PlugError` `state-nowhere` (78).
    package static func sandbox(_ environment: [String: String]) throws(PlugError) -> String {
        try defaultFolder(environment) + "/sandbox"
    }
}
